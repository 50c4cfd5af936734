"""What the pages on the battle file and the commands show is read by the program as they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opfor.cli import app
from opfor.formats.battle import read_battle
from opfor.formats.battle_schema import BattleFile, PilotEntry, SideEntry, UnitEntry
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
