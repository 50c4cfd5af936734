"""Whole turns of the campaign as a game master runs them, worked by hand, from file to file: tests/golden/turns/*.yaml.

A turn: ``title``, ``rules`` (ledger ids that it shows), ``battle`` (the file before), ``play``: what the game master does, in
order: ``does`` (a word on it, with the sums), ``orders`` (as typed), ``dice`` (all of them asked for), ``end_phase``, ``shows``
(parts of the events, in order; ``needs`` is the number to roll) and ``never`` (events that must not happen). After each of
them the battle is written and read again. ``after``: what the last file must say, as far as told; units by id.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from opfor.dice import FedDice, parse_dice
from opfor.formats.battle_file.battle import load_battle
from opfor.formats.battle_file.battle_write import save_battle
from opfor.formats.yaml_out import dump_document
from opfor.gm.running.control import carry_out
from opfor.tables import load_yaml
from tests.rule_cases import check_events

TURNS = sorted((Path(__file__).parent / "golden" / "turns").glob("*.yaml"))


@pytest.mark.parametrize("path", TURNS, ids=[path.stem for path in TURNS])
def test_worked_turn(path: Path, tmp_path: Path) -> None:
    turn = load_yaml(path.read_text(encoding="utf-8"))
    assert turn["title"] and turn["rules"]
    file = tmp_path / "battle.yaml"
    file.write_text(dump_document(turn["battle"], False, ""), encoding="utf-8")
    for number, deed in enumerate(turn["play"], start=1):
        where = f"{path.stem}, deed {number} ({deed['does']})"
        battle = load_battle(file)
        dice = FedDice(parse_dice(str(deed.get("dice", ""))))
        outcome = carry_out(battle, deed.get("orders", ""), dice, end_phase=deed.get("end_phase", False))
        assert outcome.done, f"{where}: wanted {[roll.why for roll in outcome.wanted][:1]}"
        for event in outcome.events:
            sum_ = event.data.get("to_hit") or event.data.get("tn") or {}
            event.data["needs"] = sum_.get("tn")
        try:
            check_events(outcome.events, deed.get("shows", []), deed.get("never", []))
        except AssertionError as error:
            raise AssertionError(f"{where}: {error}") from None
        battle.state = outcome.state
        save_battle(battle)
    document = load_yaml(file.read_text(encoding="utf-8"))
    for key, wanted in turn["after"].items():
        found = {unit["id"]: unit for unit in document["units"]} if key == "units" else document.get(key)
        check_part(found, wanted, key)


def check_part(found: Any, wanted: Any, where: str) -> None:
    """What is wanted stands in what was found; ``null`` says that there is nothing."""
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            check_part((found or {}).get(key), value, f"{where}.{key}")
    else:
        assert found == wanted, where
