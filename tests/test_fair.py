"""Is this battle fair: chances with their intervals, length and losses worked by hand, and what a budget suggests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.formats.battle_file.battle_write import battle_document
from opfor.gm.ruletest import budget
from opfor.gm.ruletest.budget import read_budget, within_budget
from opfor.gm.ruletest.changes import Change, families
from opfor.gm.ruletest.fair import outlook
from opfor.gm.ruletest.running import Programme
from opfor.gm.ruletest.sources import BattleData, BattleFile
from opfor.report.ruletest.fairness import budget_lines, outlook_words
from tests.cli_support import opfor, opfor_json

BATTLE = """
opfor: 1
name: Two against one
ruleset: standard
board: {size: 10x12}
turn: 3
limit: 6
sides: {players: {controller: gm, edge: south}, opfor: {controller: opfor, edge: north}}
units:
  - {id: alpha-1, side: players, type: Locust LCT-1V, at: "0410", facing: N, pilot: {gunnery: 4, piloting: 5}}
  - {id: alpha-2, side: players, type: Wasp WSP-1A, at: "0610", facing: N, pilot: {gunnery: 0, piloting: 5}}
  - {id: alpha-3, side: players, type: Wasp WSP-1A, destroyed: centre torso destroyed}
  - {id: opfor-1, side: opfor, type: Wasp WSP-1A, at: "0503", facing: S, pilot: {ranged_tn: 3, physical: 4}}
"""


@pytest.fixture
def battle() -> Battle:
    return read_battle(BATTLE, source="two.yaml")


def game(side: str, turns: int, lost: str = "", gone: str = "", **values: Any) -> dict[str, Any]:
    """A record of a game, as far as it is looked at."""
    units = ("alpha-1", "alpha-2", "alpha-3", "opfor-1")
    sides = {"alpha": "players", "opfor": "opfor"}
    rows = [
        {
            "unit": id,
            "side": sides[id.partition("-")[0]],
            "lost": "ammunition" if id in lost or id == "alpha-3" else "",
            "gone": id in gone,
        }
        for id in units
    ]
    worth = [{"side": "players", "bv_lost": 384 + 432 * ("alpha-1" in lost)}, {"side": "opfor", "bv_lost": 0}]
    return {"side": side, "turns": turns, "units": rows, "sides": worth, "violations": [], **values}


#: ten games: six won by the players, three by the Op Force, one drawn
GAMES = [
    *[game("players", turns, lost="opfor-1") for turns in (1, 2, 2, 3, 3, 4)],
    *[game("opfor", turns, lost="alpha-1, alpha-2") for turns in (2, 3)],
    game("opfor", 4, lost="alpha-1", gone="alpha-2"),
    game("draw", 4),
    {"error": "killed", "violations": []},
]


def test_chances_length_and_losses(battle: Battle) -> None:
    found = outlook(battle, ("veteran", "veteran"), GAMES)
    assert found["games"] == 10
    chances = {row["side"]: (row["games"], row["chance"]) for row in found["chances"]}
    assert chances == {"players": (6, 0.6), "opfor": (3, 0.3), "draw": (1, 0.1)}
    # Wilson's interval of 6 of 10 by hand: middle (0.6 + 1.9208/10) / (1 + 3.8415/10), reach 1.96 sqrt(0.024 + 0.0096) / 1.384
    assert found["chances"][0]["interval"] == pytest.approx([0.3127, 0.8318], abs=2e-4)
    # turns in order: 1 2 2 2 3 3 3 4 4 4; of ten the outer one at each end is left out
    assert found["length"] == {"turns": {"median": 3, "likely": [2, 4]}, "last_turn": 6}
    players, enemy = found["losses"]
    assert (players["side"], players["units"], players["lost"]) == ("players", 2, {"median": 0, "likely": [0, 2]})
    assert (enemy["units"], enemy["lost"]) == (1, {"median": 1, "likely": [0, 1]})
    # the Wasp that was gone before is not lost again
    wasp = battle.state.unit("alpha-3").spec.battle_value
    assert wasp == 384 and players["worth_lost"] == {"median": 0, "likely": [0, 432]}


def test_who_is_most_likely_to_be_lost(battle: Battle) -> None:
    units = outlook(battle, ("veteran", "veteran"), GAMES)["units"]
    assert [(row["unit"], row["lost"]["chance"], row["left_map"]["chance"]) for row in units] == [
        ("opfor-1", 0.6, 0.0),
        ("alpha-1", 0.3, 0.0),
        ("alpha-2", 0.2, 0.1),
    ]


def test_the_words_say_it(battle: Battle) -> None:
    words = outlook_words(outlook(battle, ("veteran", "veteran"), GAMES))
    assert "Two against one, turn 3, initiative: 10 games from here on" in words
    assert "players wins: 60% (31% to 83%)" in words
    assert "likely length: 3 (2 to 4) turns from here; turn 6 is the last" in words
    assert "lost by opfor: 1 (0 to 1) of 1 units" in words
    nothing = outlook_words(outlook(battle, ("veteran", "veteran"), []))
    assert nothing.endswith("No game was played to its end.")


@pytest.mark.parametrize(
    ("words", "found"), [("opfor=0.4", 0.4), ("opfor=40%", 0.4), (" opfor = 12.5 % ", 0.125), ("opfor=.5", 0.5)]
)
def test_a_budget_is_a_side_and_a_chance(words: str, found: float) -> None:
    assert read_budget(words, ("players", "opfor")) == ("opfor", pytest.approx(found))


@pytest.mark.parametrize("words", ["opfor", "opfr=0.4", "opfor=40", "opfor=0", "opfor=1", "opfor=half", "opfor=1e-1"])
def test_what_is_no_budget_is_refused(words: str) -> None:
    with pytest.raises(InputError, match=r"names no side|no chance between"):
        read_budget(words, ("players", "opfor"))


# -- changes ----------------------------------------------------------------------------------------------------------


def changes(battle: Battle, *, more: bool) -> dict[str, list[Change]]:
    return {found[0].family: found for found in families(battle, 1, more=more)}


def read(document: BattleData | None) -> Battle:
    assert document is not None
    return read_battle(json.dumps(document))


def test_a_side_grows_stronger_by_itself_or_by_a_weaker_enemy(battle: Battle) -> None:
    assert list(changes(battle, more=True)) == ["opfor: one more", "opfor: pilots", "players: one less", "players: pilots"]
    # a side of one unit has none to lose
    assert list(changes(battle, more=False)) == ["opfor: pilots", "players: one more", "players: pilots"]


def test_one_more_stands_beside_the_others(battle: Battle) -> None:
    found = changes(battle, more=True)["opfor: one more"]
    assert [change.worth for change in found] == sorted(change.worth for change in found)
    state = read(found[0].make(battle_document(battle))).state
    added, beside = state.unit("added-1"), state.unit("opfor-1")
    assert added.spec.battle_value == found[0].worth and added.side == 1
    assert state.board.grid.distance(added.cell, beside.cell) == 1
    assert (added.gunnery, added.facing) == (3, beside.facing)
    assert len(battle.state.units) == 4


def test_one_less_has_left(battle: Battle) -> None:
    least, most = changes(battle, more=True)["players: one less"]
    assert (least.worth, most.worth) == (-384, -432)
    state = read(most.make(battle_document(battle))).state
    assert [unit.id for unit in state.units if unit.alive] == ["alpha-2", "opfor-1"]


def test_skills_change_within_their_bounds(battle: Battle) -> None:
    better = changes(battle, more=True)["opfor: pilots"]
    # of the campaign's terms the level goes up as the numbers go down: 4 is a piloting number of 4
    unit = read(better[1].make(battle_document(battle))).state.unit("opfor-1")
    assert (unit.gunnery, unit.piloting) == (1, 2)
    best = read(better[2].make(battle_document(battle))).state.unit("opfor-1")
    assert (best.gunnery, best.piloting) == (0, 1)
    worse = changes(battle, more=True)["players: pilots"][2]
    after = read(worse.make(battle_document(battle))).state
    assert [(u.gunnery, u.piloting) for u in after.units[:2]] == [(7, 7), (3, 7)]


# -- the budget -------------------------------------------------------------------------------------------------------


def tried(monkeypatch: pytest.MonkeyPatch, battle: Battle, wished: float, chance: dict[str, list[float]]) -> dict[str, Any]:
    """A budget whose changes have made-up chances, by family in order; a change left out finds no room."""

    def trial(self: Any, change: Change, document: BattleData) -> dict[str, Any]:
        self.tried += 1
        at = chance[change.family][made[change.family].index(change.words)]
        interval = [round(at - 0.1, 4), round(at + 0.1, 4)]
        return {"words": change.words, "family": change.family, "worth": change.worth, "chance": at, "interval": interval}

    made = {family: [change.words for change in found] for family, found in changes(battle, more=True).items()}
    monkeypatch.setattr(budget._Trials, "chance", trial)
    programme = Programme((BattleFile("two.yaml"),), ("veteran", "veteran"), 10, 0)
    return within_budget(battle, "opfor", wished, programme, GAMES)


def test_changes_are_found_by_halving(monkeypatch: pytest.MonkeyPatch, battle: Battle) -> None:
    rising = {
        "opfor: one more": [0.32 + 0.04 * number for number in range(15)],
        "opfor: pilots": [0.4, 0.5, 0.6],
        "players: one less": [0.5, 0.86],
        "players: pilots": [0.35, 0.4, 0.45],
    }
    found = tried(monkeypatch, battle, 0.75, rising)
    # fifteen are halved four times, three twice, and two twice
    assert found["tried"] == 4 + 2 + 2 + 2
    assert found["now"]["chance"] == 0.3 and not found["fair"]
    (only,) = found["suggestions"]
    # 0.76 is the nearest of one family; 0.86 is more than a tenth away, as are the best pilots
    assert (only["family"], only["chance"]) == ("opfor: one more", pytest.approx(0.76))
    assert "To come to 75% for opfor (now 30% (" in budget_lines(found)[0]


def test_it_is_said_plainly_that_nothing_does(monkeypatch: pytest.MonkeyPatch, battle: Battle) -> None:
    families_ = {"opfor: one more": 15, "opfor: pilots": 3, "players: one less": 2, "players: pilots": 3}
    found = tried(monkeypatch, battle, 0.9, {family: [0.35] * count for family, count in families_.items()})
    assert found["suggestions"] == [] and found["nearest"]["chance"] == 0.35
    lines = budget_lines(found)
    assert lines[0].startswith("Nothing that was tried comes to 90% for opfor") and "the nearest: " in lines[1]


def test_a_battle_that_is_so_already_needs_nothing(monkeypatch: pytest.MonkeyPatch, battle: Battle) -> None:
    found = tried(monkeypatch, battle, 0.4, {})
    assert found["fair"] and found["tried"] == 0
    assert budget_lines(found) == ["It cannot be told from 40% for opfor as it stands: 30% (11% to 60%)."]


# -- the command ------------------------------------------------------------------------------------------------------


def test_the_command_plays_the_battle_from_where_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "two.yaml"
    path.write_text(BATTLE, encoding="utf-8")
    call = ["ruletest", path, "--policies", "random:tree", "--games", 6, "--jobs", 1, "--seed", 4]
    one, two = (opfor_json(*call, "--out", tmp_path / name) for name in ("one", "two"))
    for report in (one, two):
        # all but the time that it took
        report.pop("speed")
    assert one == two
    assert one["games"] == 6 and one["turn"] == 3
    assert sum(row["games"] for row in one["chances"]) == 6
    assert one["length"]["turns"]["likely"][1] <= 4
    assert path.read_text(encoding="utf-8") == BATTLE


def test_a_budget_is_tried_out(tmp_path: Path) -> None:
    path = tmp_path / "two.yaml"
    path.write_text(BATTLE, encoding="utf-8")
    call = [
        "ruletest",
        path,
        "--policies",
        "random:tree",
        "--games",
        3,
        "--jobs",
        1,
        "--budget",
        "opfor=99%",
        "--out",
        tmp_path,
    ]
    told = opfor(*call)
    assert "99% for opfor" in told.stdout and "changes were tried, 3 games each" in told.stdout


def test_a_battle_that_is_over_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "two.yaml"
    path.write_text(BATTLE + "winner: opfor\n", encoding="utf-8")
    refused = opfor("ruletest", path, "--out", tmp_path, code=1)
    assert refused.stderr.strip() == f"opfor: {path}: the battle is over"
