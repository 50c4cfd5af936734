"""What the pages on the battle file and the commands show is read by the program as they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opfor.cli import app
from opfor.formats.battle_file.battle import read_battle
from opfor.formats.battle_file.battle_schema import BattleFile, PilotEntry, SideEntry, UnitEntry
from opfor.rulesets import switches
from tests.cli_support import opfor

DOCS = Path(__file__).resolve().parent.parent / "docs"


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)


def test_the_battle_files_on_the_page_are_read() -> None:
    whole, board = blocks("battle-file.md", "yaml")
    state = read_battle(whole).state
    unit = state.unit("alpha-1")
    assert (unit.spec.name, unit.heat, unit.mode, unit.hexes_moved, unit.shots("is_srm6")) == (
        "Wolverine WVR-6R",
        4,
        "walk",
        3,
        9,
    )
    assert unit.hit(5, "lower_arm")
    state = read_battle(whole.replace("board: crossroads\n", board)).state
    assert state.board.at("0510").describe() == "level 2, light woods"
    assert state.board.at("0714").describe() == "medium building 2 high, CF 40"
    assert state.board.at("0715").road_exits == 9


@pytest.mark.parametrize("model", [BattleFile, SideEntry, UnitEntry, PilotEntry], ids=lambda m: m.__name__)
def test_every_key_is_explained(model: type[BattleFile]) -> None:
    text = (DOCS / "battle-file.md").read_text(encoding="utf-8")
    for key in model.model_fields:
        assert f"`{key}`" in text or f"`{key}:" in text or f"`{key}: " in text, key


def test_every_command_and_option_is_on_the_page() -> None:
    text = (DOCS / "commands.md").read_text(encoding="utf-8")
    for command in app.registered_commands:
        assert f"`{command.name}`" in text or f"`opfor {command.name}" in text, command.name
        shown = set(re.findall(r"--[a-z][a-z-]+", opfor(command.name, "--help").stdout)) - {"--help", "--json"}
        for option in shown:
            assert option in text, f"{command.name} {option}"


#: a battle that the units shown on the pages of their kinds can stand in
AROUND = """\
opfor: 1
board: city-blocks
sides: {players: {}, opfor: {}}
units:
  - {id: reaver, side: opfor, type: Marauder MAD-3R, at: "1601", facing: S}
  - {id: alpha-1, side: players, type: Wolverine WVR-6R, at: "1617", facing: N}
  - {id: maxim, side: players, type: Maxim Heavy Hover Transport (Standard), at: "0414", facing: N}
"""


@pytest.mark.parametrize(("page", "units"), [("vehicles.md", 1), ("vtols.md", 1), ("infantry.md", 4)])
def test_units_on_the_pages_of_their_kinds_are_read(page: str, units: int) -> None:
    (shown,) = blocks(page, "yaml")
    battle = read_battle(AROUND + "".join(f"  {line}\n" for line in shown.splitlines()))
    assert len(battle.state.units) == 3 + units
    assert not [note for note in battle.notes if "not" in note.message]


def test_the_ground_on_its_page_is_read() -> None:
    (shown,) = blocks("ground.md", "yaml")
    board = read_battle(AROUND + shown).state.board
    assert (board.at("0906").mines, board.at("0906").mines_known, board.at("0410").mines_known) == (10, 2, 3)
    assert (board.at("0611").building_cf, board.at("0303").smoke, board.at("1103").fire) == (17, 2, True)


@pytest.mark.parametrize("page", ["vehicles.md", "vtols.md", "infantry.md", "ground.md"])
def test_switches_on_the_pages_exist(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z_]+)` \| `", text, re.MULTILINE)
    assert set(rows) <= set(switches())
