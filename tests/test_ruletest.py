"""Rule tests: games in records, what is looked at from outside, the folder of a run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import load_battle
from opfor.game.game import Game
from opfor.game.invariants import InvariantBroken
from opfor.gm.ruletest.invariants import Outside, differences
from opfor.gm.ruletest.plays import Key, PlayJob, battle_of, play_one
from opfor.gm.ruletest.running import Programme, play_all
from opfor.gm.ruletest.sources import Given, RandomBattles, with_ruleset
from opfor.gm.ruletest.store import GAMES, Store, fault_of
from opfor.gm.ruletest.summary import tally
from opfor.orders import MoveOrder
from opfor.rules.events import Event
from opfor.rulesets import named_ruleset, switches
from opfor.state import State
from tests.cli_support import ROOT
from tests.planted import plant

TOWN = ROOT / "examples" / "town-24.yaml"
SMALL = RandomBattles(units=(1, 2), limit=(2, 4))
#: a battle over in moments, for what is about many games
BRIEF: dict[str, Any] = {
    "opfor": 1,
    "name": "brief",
    "ruleset": "standard",
    "board": {"size": "6x7"},
    "limit": 1,
    "sides": {"a": {"edge": "south"}, "b": {"edge": "north"}},
    "units": [
        {
            "id": "one",
            "side": "a",
            "type": "Locust LCT-1V",
            "at": "0206",
            "facing": "N",
            "pilot": {"gunnery": 4, "piloting": 5},
        },
        {
            "id": "two",
            "side": "b",
            "type": "Locust LCT-1V",
            "at": "0402",
            "facing": "S",
            "pilot": {"gunnery": 4, "piloting": 5},
        },
    ],
}
RANDOM = ("random:tree", "random:tree")


def job(number: int = 0, **values: Any) -> PlayJob:
    return PlayJob(values.pop("source", SMALL), number, values.pop("codes", RANDOM), **{"seed": 3, **values})


def timeless(record: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key not in ("seconds", "cpu")}


# -- one game ---------------------------------------------------------------------------------------------------------


def test_the_same_job_gives_the_same_record() -> None:
    first, again, other = play_one(job()), play_one(job()), play_one(job(1))
    assert timeless(first) == timeless(again)
    assert first["state"] != other["state"] and first["seed"] != other["seed"]
    assert first["violations"] == [] and "failure" not in first
    assert first["winner"] in ("a", "b", "draw") and first["why"]
    assert first["measures"] and first["exercised"]["rules"]


def test_looking_changes_nothing() -> None:
    looked, plain = timeless(play_one(job(2, every=1))), timeless(play_one(job(2, checked=False)))
    assert looked == plain


def test_seats_change_the_policies_and_nothing_else() -> None:
    straight, swapped = (play_one(job(3, codes=("random", "random:tree"), swapped=one)) for one in (False, True))
    assert [side["policy"] for side in straight["sides"]] == ["random", "random:tree"]
    assert [side["policy"] for side in swapped["sides"]] == ["random:tree", "random"]
    assert straight["seed"] == swapped["seed"]
    assert [side["bv"] for side in straight["sides"]] == [side["bv"] for side in swapped["sides"]]


def test_a_variant_is_the_same_battle_under_another_rule() -> None:
    base = battle_of(job(4), 17)
    turned = battle_of(job(4, vary=(("partial_cover", "house"), ("ruleset", "standard"))), 17)
    assert turned.state.ruleset.partial_cover == "house"
    assert [(u.spec.name, u.cell) for u in base.state.units] == [(u.spec.name, u.cell) for u in turned.state.units]
    values = named_ruleset("standard").changed(partial_cover="house").values()
    assert turned.state.ruleset.values() == values


def test_mixes_are_drawn_for_each_battle() -> None:
    rulesets = [battle_of(job(0, vary=(("ruleset", "mixes"),)), seed).state.ruleset for seed in (1, 1, 2)]
    assert rulesets[0] == rulesets[1] != rulesets[2]
    assert set(rulesets[0].values()) == set(switches())


def test_a_ruleset_is_turned_where_it_stands() -> None:
    assert with_ruleset({"ruleset": "mwii"}, {}) == {"ruleset": "mwii"}
    assert with_ruleset({}, {"evading": "on"}) == {"ruleset": {"base": "campaign", "evading": "on"}}
    given = {"ruleset": {"base": "standard", "evading": "off"}}
    assert with_ruleset(given, {"evading": "on"}) == {"ruleset": {"base": "standard", "evading": "on"}}
    assert with_ruleset(given, {"ruleset": "mwii", "evading": "on"}) == {"ruleset": {"base": "mwii", "evading": "on"}}


def test_random_battles_are_of_all_kinds() -> None:
    states = [battle_of(job(0, source=RandomBattles()), seed).state for seed in range(40)]
    kinds = {unit.spec.kind for state in states for unit in state.units}
    assert kinds == {"mech", "vehicle", "vtol", "infantry", "battle_armor"}
    assert {state.ruleset.name for state in states} == {"campaign", "mwii", "standard"}
    assert len({state.board.name for state in states}) > 5
    assert len({tuple(state.edges) for state in states}) == 4


def test_a_battle_that_cannot_be_drawn_is_an_error_of_that_game() -> None:
    record = play_one(job(source=Given("none", ({"opfor": 1},))))
    assert "board is missing" in record["error"] and record["winner"] == "" and record["violations"] == []


def test_a_crash_is_a_violation_with_its_trace() -> None:
    with pytest.MonkeyPatch.context() as patch:
        plant(patch, "no criticals")
        records = [play_one(job(number, source=RandomBattles(kinds=("mech",), units=(3, 3)))) for number in range(4)]
    failed = [record for record in records if record["violations"]]
    assert failed
    first = failed[0]["violations"][0]
    assert (first["kind"], first["what"], first["place"]) == ("crash", "LookupError", "tests/planted.py, _no_critical")
    assert "Traceback" in first["trace"] and "no such row" in first["message"]
    failure = failed[0]["failure"]
    assert len(failure["steps"]) == failed[0]["orders"] and failure["battle"]["units"]


def test_a_game_that_does_not_play_again_the_same_is_a_violation() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("opfor.gm.ruletest.guard.replay", lambda text, **_: text.replace("ended", "over"))
        record = play_one(job())
    assert [(one["kind"], one["what"]) for one in record["violations"]] == [("replay", "other bytes")]


# -- from outside -----------------------------------------------------------------------------------------------------


def outside(change: Callable[[State], None], events: list[Event] | None = None) -> None:
    """The town, changed by hand behind an order of no consequence, and looked at."""
    battle = load_battle(TOWN)
    game = Game(battle.state, SeededDice(1))
    watcher = Outside(battle, every=1)
    watcher.before(game)
    game.decision()
    change(game.state)
    unit = game.state.unit("alpha-2")
    watcher.happened(game, MoveOrder("alpha-2", "stand", (), unit.cell, unit.facing), events or [])


def test_the_town_holds_from_outside() -> None:
    outside(lambda state: None)


def test_a_unit_off_the_board_is_caught() -> None:
    def off(state: State) -> None:
        state.unit("alpha-2").cell = 0

    with pytest.raises(InvariantBroken, match="alpha-2: alive in no hex") as broken:
        outside(off)
    assert (broken.value.check, broken.value.rule) == ("on the board", "S-1")


def test_a_rule_that_the_ledger_has_not_is_caught() -> None:
    modifiers = {"tn": 4, "modifiers": [{"what": "gunnery", "value": 4, "rule": "E-99"}], "odds": 0.9}
    for event in (Event("attack", "alpha-2", "E-99", {}), Event("attack", "alpha-2", "S-4", {"to_hit": modifiers})):
        with pytest.raises(InvariantBroken, match="cites E-99"):
            outside(lambda state: None, [event])
    # what a game master adds is numbered as he likes
    outside(lambda state: None, [Event("attack", "alpha-2", "own:smoke", {})])


def test_a_clock_that_runs_back_is_caught() -> None:
    def back(state: State) -> None:
        state.turn -= 1

    with pytest.raises(InvariantBroken, match="turn 3 follows turn 4"):
        outside(back)


def test_what_a_file_does_not_hold_is_caught() -> None:
    def unknown(state: State) -> None:
        state.unit("alpha-2").damage_this_phase = -7

    with pytest.raises(InvariantBroken, match=r"alpha-2\.damage_this_phase|is not read") as broken:
        outside(unknown)
    assert broken.value.check == "battle file"


def test_a_view_that_shows_what_is_hidden_is_caught() -> None:
    def hidden(state: State) -> None:
        state.unit("alpha-2").hidden = True

    outside(hidden)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("opfor.gm.ruletest.invariants.seen_by", lambda state, side: state.copy())
        with pytest.raises(InvariantBroken, match="alpha-2: hidden, and in the view of"):
            outside(hidden)


def test_differences_name_fields() -> None:
    one = load_battle(TOWN).state
    other = one.copy()
    assert differences(one, other) == []
    other.turn += 1
    other.unit("alpha-2").heat += 1
    assert differences(one, other) == ["turn", "alpha-2.heat"]


# -- many games -------------------------------------------------------------------------------------------------------


def brief(battles: int, **values: Any) -> Programme:
    return Programme((Given("brief", (BRIEF,)),), RANDOM, battles, 5, **values)


def run(folder: Path, programme: Programme) -> Store:
    store = Store(folder)
    store.begin({"version": "x"})
    play_all(store, programme.jobs(), lambda record: None, count=1)
    return store


def test_every_game_of_a_programme_is_named_once() -> None:
    programme = Programme(
        (SMALL, Given("brief", (BRIEF,))),
        ("random", "random:tree"),
        4,
        1,
        (("", ()), ("x", (("evading", "on"),))),
        seats=(False, True),
    )
    keys = [one.key for one in programme.jobs()]
    assert len(keys) == len(set(keys)) == programme.games == 16
    assert keys[0] == Key("", "random", 0, False, "random", "random:tree")
    assert {(key.set, key.number) for key in keys} == {("random", 0), ("brief", 0), ("random", 1), ("brief", 1)}


def test_a_torn_line_is_played_again_and_nothing_else(tmp_path: Path) -> None:
    whole = run(tmp_path, brief(4))
    rows = (tmp_path / GAMES).read_bytes().splitlines(keepends=True)
    (tmp_path / GAMES).write_bytes(b"".join(rows[:2]) + rows[2][:50])
    again = run(tmp_path, brief(4))
    assert again.keys == whole.keys
    after = (tmp_path / GAMES).read_bytes().splitlines(keepends=True)
    assert after[:2] == rows[:2] and len(after) == 4
    assert [timeless(json.loads(line)) for line in after] == [timeless(json.loads(line)) for line in rows]


def test_another_run_does_not_go_into_the_folder(tmp_path: Path) -> None:
    run(tmp_path, brief(1))
    with pytest.raises(InputError, match="another value of the program's version"):
        Store(tmp_path).begin({"version": "y"})
    (tmp_path / "ruletest.json").unlink()
    with pytest.raises(InputError, match="has games, but no"):
        Store(tmp_path).begin({"version": "x"})


def test_games_that_could_not_be_played_are_tried_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.begin({"version": "x"})
    first = next(brief(1).jobs())
    store.add({**first.key._asdict(), "winner": "", "error": "killed", "violations": [], "seconds": 0.0, "cpu": 0.0})
    assert not store.keys
    assert [record["error"] for record in store.wanted({first.key})] == ["killed"]
    again = run(tmp_path, brief(1))
    assert [record.get("error") for record in again.wanted({first.key})] == [None]
    assert tally(again.wanted(again.keys)).games == 1


def test_a_few_failures_of_each_fault_are_kept(tmp_path: Path) -> None:
    def fails(*_: Any) -> None:
        raise KeyError("nothing comes to mind")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("policies.random_policy.RandomPolicy.choose", fails)
        store = run(tmp_path, brief(5))
    records = list(store.records())
    assert {fault_of(record)[:2] for record in records} == {("policy", "KeyError")}
    kept = [store.failure(record) for record in records]
    assert [bool(one) for one in kept] == [True, True, True, False, False]
    assert kept[0] is not None and kept[0]["failure"]["battle"]["name"] == "brief"
    assert all("failure" not in record for record in records)
    report = tally(iter(records)).report({})
    assert [(row["kind"], row["games"]) for row in report["violations"]] == [("policy", 5)]


def test_what_is_counted_is_summed() -> None:
    records = [play_one(next(brief(1).jobs())) for _ in range(2)]
    report = tally(iter(records)).report({})
    assert report["games"] == 2
    one = records[0]["exercised"]["events"]
    assert report["exercised"]["events"] == {event: 2 * count for event, count in one.items()}
    assert [(row["units"], row["games"]) for row in report["speed"]] == [("1 to 2", 2)]
