"""Battles from typed lists: every line read as the case says, all that is made up told, nothing that is typed a crash."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from opfor.errors import InputError
from opfor.formats.battle_file.battle import load_battle
from opfor.gm.running.playing import play_battle
from opfor.gm.starting.checking import findings
from opfor.gm.starting.from_text import read_typed
from opfor.gm.starting.opening import Wishes, start
from opfor.gm.starting.typed_units import read_unit
from opfor.units.spec import UnitSpec
from tests.cli_support import listing, opfor

CASES = yaml.safe_load((Path(__file__).parent / "cases" / "typed" / "lines.yaml").read_text(encoding="utf-8"))
LIST = """\
name: Ford 3
map: river-crossing
0510 woods1 level2
rules: campaign
turn 2, movement phase

Players (south):
Alpha 1 - Wolverine WVR-6R, 4/5, LT 5 armor left, SRM 9 shots, heat 4, at 0611 N
Bravo: Wolverine WVR-7K at 0812 facing SE, prone, gunnery 3
2x Scorpion tank
platoon of foot infantry with rifles

OpFor:
Reaver: Marauder (50t?) 5/8 walk ... medium laser x2, LRM 10
Custom hover tank, 35 tons, cruise 8, armor 80, SRM 6, 2 machine guns, at 0301
Ghost - mech 45 tons 6/9/6 armour 120, large laser (RA), 2 medium lasers, 12 double heat sinks, skills 3/4
Zorgon, 3/4
"""


def told(spec: UnitSpec) -> dict[str, Any]:
    """What a built unit came to, by the words of the cases."""
    return {
        "kind": spec.kind, "motive": spec.motive, "tons": spec.tons, "walk": spec.walk, "run": spec.run, "jump": spec.jump,
        "armor": sum(spec.armor), "heat_capacity": spec.heat_capacity, "troopers": spec.structure[0],
        "weapons": sorted(mount.name for mount in spec.mounts), "front": spec.armor[1] if spec.is_vehicle else 0,
    }  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["line"][:40])
def test_a_typed_line(case: dict[str, Any]) -> None:
    if "refused" in case:
        with pytest.raises(InputError) as refusal:
            read_unit(case["line"])
        assert all(words in str(refusal.value) for words in case["refused"])
        return
    unit = read_unit(case["line"])
    assert unit.type == case.get("type", "")
    assert (unit.label, unit.count) == (case.get("label", ""), case.get("count", 1))
    assert unit.entry == case["entry"]
    for key, value in case.get("built", {}).items():
        assert told(unit.spec)[key] == value, key
    for kind in ("assumed", "unread"):
        expected, found = case.get(kind, []), getattr(unit, kind)
        assert len(found) >= len(expected) and bool(found) is bool(expected), found
        for words in expected:
            assert any(words in line for line in found), (words, found)


def test_a_list_becomes_a_battle_that_plays(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(LIST, encoding="utf-8")
    path = tmp_path / "ford.yaml"
    result = opfor("new", "-o", path, "--from-text", tmp_path / "list.txt")
    battle = load_battle(path)
    state = battle.state
    assert (battle.name, state.board.at("0510").describe(), state.turn, state.phase) == (
        "Ford 3",
        "level 2, light woods",
        2,
        "movement",
    )
    assert [unit.id for unit in state.units if unit.side == 0] == ["alpha-1", "bravo", "alpha-2", "alpha-3", "alpha-4"]
    alpha = state.unit("alpha-1")
    assert (alpha.name, alpha.armor[3], alpha.shots("is_srm6"), alpha.heat) == ("Alpha 1", 5, 9, 4)
    assert [unit.spec.name for unit in state.units if unit.side == 1] == [
        "Marauder (custom)",
        "Hover tank (custom)",
        "Ghost (custom)",
    ]
    assert findings(battle) == []
    result_played, _, _ = play_battle(battle, ["random", "random"], 3, 3)
    assert result_played["turns"] <= 3
    # what was made up, and what was not understood, is told and stands in the file
    for words in ("Wolverine WVR-7K", "10 single heat sinks", "reaver: no hex is told", "'Zorgon, 3/4' names no unit"):
        assert words in result.stdout, words
    assert "# Not understood: line 17: 'Zorgon, 3/4'" in path.read_text()
    sheets = sorted(sheet.name for sheet in (tmp_path / "ford-units").iterdir())
    assert sheets == ["ghost.yaml", "hover-tank.yaml", "reaver.yaml"]


def test_a_list_is_read_from_standard_input_and_flags_go_before_it(tmp_path: Path) -> None:
    path = tmp_path / "b.yaml"
    opfor("new", "-o", path, "--from-text", "-", "--board", "open-plain", "--opfor", "Atlas AS7-D", stdin=LIST)
    state = load_battle(path).state
    assert state.board.name == "open-plain" and [u.spec.name for u in state.units if u.side == 1] == ["Atlas AS7-D"]


def test_a_map_told_by_its_hexes_is_a_board(tmp_path: Path) -> None:
    path = tmp_path / "b.yaml"
    ground = "map:\n0510 woods1 level2\n0511: heavy woods\n0612 water 1\n0613 lava\n"
    text = ground + "Players:\nWasp WSP-1A 4/5 at 0101 N\nOpFor (east):\nWasp WSP-1A 4/5\n"
    result = opfor("new", "-o", path, "--from-text", "-", stdin=text)
    state = load_battle(path).state
    assert (state.board.grid.width, state.board.grid.height) == (16, 17)
    assert state.board.at("0511").describe() == "heavy woods" and state.board.at("0612").water == 1
    assert "a map of 16 columns and 17 rows" in result.stdout and "'lava' is no terrain" in result.stdout
    assert state.edges == ["west", "east"]


def test_places_that_cannot_be_are_told_and_made_up(tmp_path: Path) -> None:
    text = "Players:\nA: Wasp WSP-1A 4/5 at 9901 N\nB: Wasp WSP-1A 4/5 at 0505 N\nC: Wasp WSP-1A 4/5 at 0505 N, elevation 4\n"
    made = start(Wishes(text=text, text_source="list"), tmp_path / "b.yaml")
    assert any("A: hex 9901 is off the board" in words for words in made.unread)
    assert any("C: another unit stands at 0505 already" in words for words in made.unread)
    assert any("a: no hex is told" in words for words in made.assumed)
    assert len({unit.cell for unit in made.battle.state.units}) == 5
    # nothing is written before it is asked for
    assert listing(tmp_path) == {}


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("rules: standard rules\n", "ruleset", "standard"),
        ("ruleset: mwii\n", "ruleset", "mwii"),
        ("Turn 4: fire\n", "phase", "fire"),
        ("round 4, shooting\n", "phase", "fire"),
        ("turn: 4\n", "turn", 4),
        ("last turn: 12\n", "limit", 12),
        ("map: frontier\n", "board", "frontier"),
        ("map: 20x20\n", "board", {"size": "20x20", "rows": []}),
        ("Enemy (north):\n", "edges", {1: "north"}),
        ("The players:\n", "edges", {}),
    ],
)
def test_what_is_told_beside_the_units(text: str, field: str, value: Any) -> None:
    made = read_typed(text, Path())
    assert getattr(made, field) == value and made.unread == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rules: house rules of mine\n", "there is no ruleset"),
        ("rules: standard with hats\n", "'with hats' of the rules is not understood"),
        ("phase: lunch\n", "names no phase"),
        ("map: nowhere\n", "there is no board"),
        ("Players (upside down):\n", "'upside down' behind the heading is not understood"),
    ],
)
def test_what_is_not_understood_is_quoted_with_its_line(text: str, words: str) -> None:
    made = read_typed("\n" + text, Path())
    assert words in made.unread[0] and made.unread[0].startswith("line 2")


def test_a_list_without_units_is_refused(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("Dear diary\n")
    assert "no unit was understood: line 1: 'Dear diary'" in opfor(
        "new", "-o", tmp_path / "b.yaml", "--from-text", tmp_path / "list.txt", code=1
    ).stderr  # fmt: skip


PIECES = (
    "0", "99", "x", "-", ":", "(", ")", "N", "left", "armor", "t", "walk", "at 9999", "heat 99", "LRM 20", "gone", "'", '"',
    "{", "players:", "OpFor", "map: 3x3", "map: 0101 woods1, 0202 water 2", "0000 rough", "turn 0", "phase: xx", "destroyed",
    "rules: standard with hats", "aboard", "0 tons", "1/1/1 walk", "500 armor", "PPC x99", "prone", "hover", "vtol", "\x00",
    "elevation 99", "-5",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_nothing_that_is_typed_is_a_crash_and_what_is_made_can_be_read(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    lines = LIST.splitlines() + [case["line"] for case in CASES]
    draw.shuffle(lines)
    lines = lines[: draw.randrange(2, 14)]
    for _ in range(draw.randrange(1, 12)):
        index = draw.randrange(len(lines))
        at = draw.randrange(len(lines[index]) + 1)
        lines[index] = lines[index][:at] + draw.choice(PIECES) + lines[index][at + draw.randrange(2) :]
    try:
        start(Wishes(text="\n".join(lines), text_source="list"), tmp_path / "b.yaml")
    except InputError as error:
        assert "no unit was understood" in str(error) or "there is no room" in str(error)
    assert listing(tmp_path) == {}
