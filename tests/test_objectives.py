"""What a side is there for: where it goes, when it leaves, what decides the battle; characters and difficulty."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from opfor.dice import SeededDice
from opfor.directives import NOTHING
from opfor.errors import InputError
from opfor.formats.battle_file.battle import load_battle, read_battle
from opfor.formats.words.directives import read_objective
from opfor.game.game import Game
from opfor.game.view import View
from opfor.gm.policies import dials_of, policy_named, policy_rows, presets, spelled_out
from opfor.rules.play import Play
from opfor.rules.turn.victory import check_victory, must_withdraw, strength_left
from opfor.state import State
from policies.registry import make
from policies.veteran import VeteranPolicy
from policies.veteran.judgement import judgements
from policies.veteran.weights import weights
from tests.cli_support import opfor, opfor_json, ridge
from tests.skirmish import skirmish
from tests.support import make_state

VICTORY: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "cases/control/victory.yaml").read_text())
GUN = {"weapons": {"RA": ["is_medium_laser"], "LT": ["is_large_laser"]}}


def told(state: State, side: int, words: str, **others: Any) -> State:
    directives = list(state.directives or [NOTHING] * len(state.sides))
    directives[side] = replace(directives[side], objective=read_objective(words, state) if words else None, **others)
    state.directives = tuple(directives)
    return state


@pytest.mark.parametrize("case", VICTORY, ids=lambda case: case["title"])
def test_victory(case: dict[str, Any]) -> None:
    units: list[dict[str, Any]] = [
        {"id": "alpha", "side": 0, "at": "0806", "mech": GUN},
        {"id": "reaver", "side": 1, "at": "0810", "mech": GUN},
    ]
    if "mule" in case["told"]:
        units += [{"id": "mule", "side": 1, "at": "0303", "mech": GUN}, {"id": "beta", "side": 0, "at": "0404", "mech": GUN}]
        if case.get("destroyed"):
            units[-1]["destroyed"] = "test"
    if case.get("more"):
        units.append({"id": "beta", "side": 0, "at": "0404", "mech": GUN})
    for unit in units:
        unit["at"] = case.get("at", {}).get(unit["id"], unit["at"])
        if unit["id"] in case.get("destroyed", ()):
            unit["destroyed"] = "test"
    state = make_state(units=units, turn=case.get("turn", 1), phase="end")
    state.limit = case.get("limit", 0)
    words = f"hold {case['hexes']}" if "hexes" in case else case["told"]
    told(state, 1, words, victory=case.get("victory", True))
    over = check_victory(Play(state, SeededDice(0)))
    winner = None if state.winner is None else "draw" if state.winner < 0 else state.sides[state.winner]
    assert winner == case["wins"]
    assert over == (winner is not None)


# -- withdrawal -------------------------------------------------------------------------------------------------------


def test_a_side_withdraws_at_the_strength_it_is_told() -> None:
    """Two units of 50 tons: with one gone half of the strength is left; a whole one with three locations gone has less."""
    state = make_state(units=[{"id": id, "side": side, "at": at, "mech": GUN} for id, side, at in
                              (("alpha", 0, "0806"), ("reaver", 1, "0810"), ("ogre", 1, "0911"))])  # fmt: skip
    told(state, 1, "withdraw at 50%")
    reaver = state.unit("reaver")
    assert strength_left(state, 1) == 100
    assert must_withdraw(state, reaver) == ""
    state.unit("ogre").destroyed = "test"
    assert strength_left(state, 1) == 50
    assert must_withdraw(state, reaver) == "its side is down to 50% of its strength"
    assert must_withdraw(state, state.unit("alpha")) == ""
    told(state, 1, "withdraw at 49%")
    assert must_withdraw(state, reaver) == ""
    told(state, 1, "withdraw now")
    assert must_withdraw(state, reaver) == "its side withdraws"


def test_who_is_told_to_withdraw_makes_for_its_edge_and_leaves(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    opfor("direct", path, "opfor: objective withdraw now")
    before = {unit.id: unit for unit in load_battle(path).state.units}
    grid = load_battle(path).state.board.grid
    for row in opfor_json("orders", path)["orders"]:
        if row["mode"] != "stand":
            assert grid.rows[grid.parse(row["to"])] <= grid.rows[before[row["unit"]].cell]


# -- where to go ------------------------------------------------------------------------------------------------------


def march(state: State, turns: int = 4, side: int = 1) -> None:
    """Play turns of movement with the veteran on a side; the others stand."""
    policy = VeteranPolicy(0)
    for _ in range(turns):
        state.phase, state.queue, state.turn = "movement", [], state.turn + 1
        for unit in state.units:
            unit.moved, unit.mode, unit.hexes_moved, unit.mp_spent = unit.side != side, "", 0, 0
        game = Game(state, SeededDice(1))
        while (decision := game.decision()) is not None and state.phase == "movement":
            game.apply(policy.choose(decision, View(state, decision.side)))
        state.winner = None


def far_apart() -> State:
    return make_state(
        units=[
            {"id": "alpha", "side": 0, "at": "0201", "facing": "S", "mech": GUN},
            {"id": "reaver", "side": 1, "at": "1216", "facing": "N", "mech": GUN},
            {"id": "mule", "side": 1, "at": "1516", "facing": "N", "mech": {}},
        ]
    )


def test_who_is_to_hold_a_place_goes_there_and_stays() -> None:
    state = told(far_apart(), 1, "hold 1208-1209")
    march(state, 5)
    held = read_objective("hold 1208-1209", state).cells
    away = state.board.grid.distance
    assert min(away(state.unit("reaver").cell, cell) for cell in held) <= 1
    plain = far_apart()
    march(plain, 5)
    target = plain.unit("alpha").cell
    assert away(plain.unit("reaver").cell, target) < away(state.unit("reaver").cell, target)


def test_who_is_to_reach_an_edge_reaches_it() -> None:
    state = told(far_apart(), 1, "reach east")
    march(state, 3)
    assert state.board.grid.columns[state.unit("reaver").cell] == 15


def test_an_escort_keeps_by_its_charge() -> None:
    state = told(far_apart(), 1, "escort mule")
    march(state, 4)
    away = state.board.grid.distance
    assert away(state.unit("reaver").cell, state.unit("mule").cell) <= weights().escort + 2


def test_who_is_to_advance_looks_for_the_enemy_where_it_sees_none() -> None:
    """A wall of hills two levels high hides alpha; without an objective there is nowhere to go."""
    wall = {f"{column:02}08": "level 5" for column in range(1, 17)}
    units = [
        {"id": "alpha", "side": 0, "at": "0803", "facing": "S", "mech": GUN},
        {"id": "reaver", "side": 1, "at": "0816", "facing": "N", "mech": GUN},
    ]

    def ends(words: str, **others: Any) -> int:
        state = told(make_state(board=wall, units=units), 1, words, knows="sees", **others)
        state.edges[1] = "south"
        march(state, 2)
        return int(state.board.grid.rows[state.unit("reaver").cell])

    assert ends("advance to contact") < 12
    seen = make_state(board=wall, units=units)
    contacts = (("alpha", seen.board.grid.parse("1616")),)
    state = told(make_state(board=wall, units=units), 1, "advance", knows="contacts", contacts=contacts)
    march(state, 2)
    assert state.board.grid.distance(state.unit("reaver").cell, contacts[0][1]) <= 5


def test_objectives_are_checked(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    for words, message in (
        ("objective: escort alpha-1", "alpha-1 is an enemy"),
        ("objective: destroy reaver", "reaver is its own"),
        ("objective: delay 2 turns", "it is turn 3"),
        ("objective: hold 0812, victory: true", "the battle has none"),
        ("objective: patrol, victory: true", "decides no battle"),
        ("contacts: {alpha-1: '0812'}", "the side knows all"),
        ("orders: ignore lancer", "of its own side"),
        ("difficulty: gren", "did you mean green"),
        ("character: raidr", "did you mean raider"),
    ):
        other = tmp_path / "other.yaml"
        other.write_text(
            path.read_text(encoding="utf-8").replace("policy: veteran,", f"policy: veteran, {words},"), encoding="utf-8"
        )
        found = opfor_json("check", other)["odd"]
        assert any(message in row["message"] and row["place"].startswith("sides.opfor") for row in found), (words, found)
    no_edge = tmp_path / "edge.yaml"
    text = path.read_text(encoding="utf-8").replace("policy: veteran, edge: north", "policy: veteran, objective: withdraw now")
    no_edge.write_text(text, encoding="utf-8")
    assert "no home edge" in opfor("check", no_edge).stdout
    assert "objective of opfor: withdraw now" in opfor("check", no_edge).stdout


# -- characters and difficulty ----------------------------------------------------------------------------------------


def test_presets_are_policies_by_their_own_name() -> None:
    for name in presets():
        policy = policy_named(name)
        assert getattr(policy, "name") == presets()[name]["policy"]  # noqa: B009 - the protocol has none
        assert make(name).name == presets()[name]["policy"]
        assert bool(dials_of(name)) == (name != "standard")
    assert spelled_out("raider:green") == "veteran:raider/green"
    assert spelled_out("veteran:bold") == "veteran:bold"
    assert {row["name"] for row in policy_rows()} >= {"veteran", "raider", "sniper"}
    assert all(set(preset) == {"policy", "what"} for preset in presets().values())
    with pytest.raises(InputError, match="did you mean raider"):
        policy_named("raidr")
    with pytest.raises(InputError, match="use random:tree"):
        policy_named("random:green")
    with pytest.raises(InputError, match="two characters"):
        policy_named("veteran:raider/bold")


def test_a_side_names_character_and_difficulty() -> None:
    text = (
        "opfor: 1\nboard: open-plain\nsides: {{players: {{}}, opfor: {{{}}}}}\nunits:\n"
        "  - {{side: players, type: wasp wsp-1a, at: '0611'}}\n  - {{side: opfor, type: wasp wsp-1a, at: '0203'}}\n"
    )
    for given, code in (
        ("character: raider", "veteran:raider"),
        ("difficulty: green", "veteran:green"),
        ("character: raider, difficulty: green", "veteran:raider/green"),
        ("policy: raider, difficulty: elite", "raider:elite"),
        ("policy: raider", "raider"),
    ):
        battle = read_battle(text.format(given))
        assert battle.policies[1] == code
        policy_named(code)


def choices_of(code: str, seed: int = 0) -> list[Any]:
    """Orders of one side over a short battle against itself."""
    state = skirmish(3, size=2, limit=2)
    game, policy, found = Game(state, SeededDice(0)), make(code, seed), []
    other = VeteranPolicy(0)
    while (decision := game.decision()) is not None:
        chooser = policy if decision.side else other
        order = chooser.choose(decision, game.view(decision.side))
        assert order in decision.legal
        if decision.side:
            found.append(order)
        game.apply(order, trust=True)
    return found


def test_difficulty_is_judgement_alone_and_the_same_each_time() -> None:
    assert choices_of("veteran:elite") == choices_of("veteran")
    assert choices_of("veteran:green") == choices_of("veteran:green")
    assert choices_of("veteran:green") != choices_of("veteran")
    assert choices_of("veteran:green", 1) != choices_of("veteran:green", 2)


def test_the_dial_turns_as_often_as_it_says() -> None:
    """Over many units and turns the share of orders not thought through is that of the file, within three deviations."""
    for name, judgement in judgements().items():
        number = sum(judgement.errs(7, f"unit-{u}", t, "fire") for u in range(40) for t in range(50))
        odds = judgement.second_best
        assert abs(number - 2000 * odds) <= 3 * (2000 * odds * (1 - odds)) ** 0.5, name
    shares = [judgements()[name].second_best for name in ("green", "regular", "veteran", "elite")]
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] == 0.0
