"""Battles to train on: drawn by seed, legal, many, and never shared between training and judging. Rule: S-1, S-2, S-11."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from envs.scenarios import (
    SPLITS,
    Mixes,
    ScenarioConfig,
    Scenarios,
    named_scenario,
    scenario_from,
    scenario_names,
    split_of,
)
from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import read_battle
from opfor.game.game import Game
from opfor.gm.starting.muster import Recruit
from opfor.gm.starting.new_battle import fresh_state, new_battle
from opfor.gm.starting.scenarios import random_opening, scenario
from opfor.rulesets import named_ruleset
from opfor.state import State
from opfor.units.catalogue import unit_named
from opfor.units.state import UnitState

ALL_KINDS = ("mech", "vehicle", "vtol", "infantry", "battle_armor")
NAMES = scenario_names()
EXAMPLE = Path(__file__).parent.parent / "examples" / "town-24.yaml"


def flat(state: State) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """All that a state holds, comparable."""
    apart = ("units", "occupants_cache")
    return (
        {slot: getattr(state, slot) for slot in State.__slots__ if slot not in apart},
        [
            # a type by its name: the catalogue may have been read twice
            {slot: unit.spec.name if slot == "spec" else getattr(unit, slot) for slot in UnitState.__slots__}
            for unit in state.units
        ],
    )


def force(state: State, side: int) -> tuple[str, ...]:
    return tuple(sorted(unit.spec.name for unit in state.units if unit.side == side))


# -- the state without the text ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kinds", [("mech",), ALL_KINDS], ids="+".join)
@pytest.mark.parametrize("ruleset", ["standard", "campaign", "mwii"])
def test_a_drawn_state_is_what_reading_the_battle_s_text_gives(kinds: tuple[str, ...], ruleset: str) -> None:
    """The plain twin writes the battle file and reads it back; nothing of the state differs."""
    for seed in range(8):
        given: dict[str, Any] = {"kinds": kinds, "ruleset": ruleset, "measure": "tons" if seed % 2 else "bv"}
        fast, plain = fresh_state(random_opening(seed, **given)), scenario(seed, **given).state
        assert flat(fast) == flat(plain)


def test_infantry_rides_without_the_text_too() -> None:
    opening = random_opening(2, ruleset="standard")
    riders = ["Maxim Heavy Hover Transport (Standard)", "Foot Platoon (Rifle)", "Wasp WSP-1A"]
    opening.forces = [[Recruit(name, unit_named(name)) for name in riders] for _ in SPLITS]
    fast, plain = fresh_state(opening), read_battle(new_battle(opening)).state
    assert [unit.aboard for unit in fast.units] == ["", "alpha-1", "", "", "opfor-1", ""]
    assert flat(fast) == flat(plain)


def test_hidden_units_are_hidden_without_the_text_too() -> None:
    opening = random_opening(4, kinds=("mech", "infantry"), measure="tons", styles=("line", "hidden"))
    state = fresh_state(opening)
    assert {unit.hidden for unit in state.units if unit.side == 0} == {False}
    assert {unit.hidden for unit in state.units if unit.side == 1 and not unit.aboard} == {True}


# -- named sets --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("name", NAMES)
def test_a_set_draws_what_it_says(name: str, split: str) -> None:
    config, scenarios = named_scenario(name), Scenarios(name, split=split)
    kinds = [set(chosen) for chosen in config.kinds]
    for seed in range(25):
        state = scenarios.draw(seed)
        sizes = [len(force(state, side)) for side in (0, 1)]
        assert sizes[0] == sizes[1] and config.units[0] <= sizes[0] <= config.units[1]
        worth = [sum(unit.spec.battle_value for unit in state.units if unit.side == side) for side in (0, 1)]
        assert 0 < worth[0] <= config.budget[1]
        assert 0 < worth[1] <= round(worth[0] * config.odds[1])
        assert any({unit.spec.kind for unit in state.units} <= chosen for chosen in kinds)
        assert config.limit[0] <= state.limit <= config.limit[1]
        assert tuple(state.edges) in config.edges
        assert state.turn == 1 and state.phase == "initiative" and state.winner is None
        # on the board, one to a hex but for what is carried
        cells = [unit.cell for unit in state.units if not unit.aboard]
        assert len(set(cells)) == len(cells) and all(state.board.grid.contains(cell) for cell in cells)
        if config.mixes is None:
            assert state.ruleset.name in config.rulesets


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_draws_the_same_battle_and_it_is_the_caller_s_own(name: str) -> None:
    one, other = Scenarios(name), Scenarios(name)
    for seed in (0, 7):
        first = one.draw(seed)
        assert flat(first) == flat(other.draw(seed))
        first.units[0].armor[0] = 0
        first.scores[0] = 5
        assert flat(one.draw(seed)) == flat(other.draw(seed))


@pytest.mark.parametrize("name", NAMES)
def test_training_and_judging_share_no_board_no_force_and_no_mix(name: str) -> None:
    drawn = {split: [Scenarios(name, split=split).draw(seed) for seed in range(60)] for split in SPLITS}
    train, held_out = drawn["train"], drawn["held-out"]
    assert not {state.board.name for state in train} & {state.board.name for state in held_out}
    forces = [{force(state, side) for state in states for side in (0, 1)} for states in (train, held_out)]
    assert not forces[0] & forces[1]
    # by construction, not by luck: the board's list and the force's checksum
    for split, states in drawn.items():
        scenarios = Scenarios(name, split=split)
        assert {state.board.name for state in states} <= {board.name for board in scenarios.boards}
        assert {split_of([u.spec for u in state.units if u.side == side]) for state in states for side in (0, 1)} == {split}
    if named_scenario(name).mixes is not None:
        mixes = [{state.ruleset for state in states} for states in (train, held_out)]
        assert not mixes[0] & mixes[1]


def test_a_force_is_of_one_split_in_whatever_order() -> None:
    units = [unit_named(name) for name in ("Wasp WSP-1A", "Atlas AS7-D", "Hunchback HBK-4G")]
    assert split_of(units) == split_of(units[::-1]) in SPLITS


def test_battles_are_many() -> None:
    scenarios = Scenarios("skirmish")
    states = [scenarios.draw(seed) for seed in range(400)]
    assert len({(force(state, 0), force(state, 1)) for state in states}) >= 390
    assert len({state.board.name for state in states}) == len(scenarios.boards) >= 8
    assert len({tuple(state.edges) for state in states}) == 4


def test_drawn_battles_can_be_played() -> None:
    for name in NAMES:
        state = Scenarios(name).draw(3)
        game = Game(state, SeededDice(3))
        for _ in range(20):
            decision = game.decision()
            assert decision is not None
            game.apply(decision.legal.sample(lambda n: n // 2))


def test_mixes_turn_so_many_switches_of_the_base() -> None:
    scenarios = Scenarios(ScenarioConfig(name="own", mixes=Mixes(base="campaign", switches=3, count=10)))
    base = named_ruleset("campaign").values()
    changed = [sum(value != base[key] for key, value in rules.values().items()) for rules in scenarios.rulesets]
    assert changed == [3] * 10 and len(set(scenarios.rulesets)) == 10


# -- what is given -----------------------------------------------------------------------------------------------------


def test_a_ruleset_given_stands_in_for_the_set_s() -> None:
    for name in ("skirmish", "switches"):
        assert {Scenarios(name, ruleset="mwii").draw(seed).ruleset.name for seed in range(3)} == {"mwii"}


def test_a_battle_file_is_a_scenario(tmp_path: Path) -> None:
    scenarios = Scenarios(EXAMPLE)
    one, two = scenarios.draw(1), scenarios.draw(2)
    assert flat(one) == flat(two) and one is not two
    one.units[0].armor[0] -= 1
    assert flat(one) != flat(scenarios.draw(1))
    own = tmp_path / "own.yaml"
    own.write_text("name: own\nunits: [2, 2]\nbudget: [2000, 2500]\nboards: [crossroads]\nlimit: [3, 5]\n")
    state = Scenarios(own).draw(1)
    assert state.board.name == "crossroads" and len(state.units) == 4 and 3 <= state.limit <= 5


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"split": "test"}, "no split 'test'"),
    ({"scenario": "skirmsh"}, "no scenario 'skirmsh'"),
    ({"scenario": "nowhere/battle.yaml"}, "cannot be read"),
    ({"ruleset": "standrd"}, "no ruleset 'standrd'"),
    ({"scenario": ScenarioConfig(name="own", boards=("red-canyon",))}, "both drawn and held out"),
    ({"scenario": ScenarioConfig(name="own", boards=("nowhere",))}, "no board called 'nowhere'"),
    ({"scenario": ScenarioConfig(name="own", kinds=(("ships",),))}, "no kind of unit 'ships'"),
    ({"scenario": ScenarioConfig(name="own", styles=("ring",))}, "no way to deploy 'ring'"),
    ({"scenario": ScenarioConfig(name="own", edges=(("north", "north"),))}, "both sides start"),
    ({"scenario": ScenarioConfig(name="own", held_out_boards=()), "split": "held-out"}, "holds no boards out"),
]


@pytest.mark.parametrize(("given", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_is_not_there_is_refused_in_words(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Scenarios(**given)


def test_a_budget_that_buys_nothing_is_refused_when_drawn() -> None:
    scenarios = Scenarios(ScenarioConfig(name="own", budget=(5, 10)))
    with pytest.raises(InputError, match="no 4 units of mech"):
        scenarios.draw(0)


def test_a_set_s_file_with_a_slip_names_its_place(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    for text, place in (("name: own\nunit: [2, 2]\n", "unit"), ("name: own\nunits: [0, 2]\n", "units.0")):
        own.write_text(text)
        with pytest.raises(InputError) as refused:
            scenario_from(own)
        assert refused.value.place == place
    own.write_text("name: own\nunits: [4, 2]\n")
    with pytest.raises(InputError, match="more than the most"):
        scenario_from(own)


def test_every_set_that_ships_says_what_it_is() -> None:
    said: Iterable[str] = [named_scenario(name).about for name in NAMES]
    assert all(said)
    assert {"skirmish", "duel", "campaign", "mwii", "mixed", "lance-8v8"} <= set(NAMES)
    assert all(named_scenario(name).name == name for name in NAMES)


def test_the_page_tells_of_every_set_and_every_key() -> None:
    text = (Path(__file__).parent.parent / "docs" / "scenarios.md").read_text(encoding="utf-8")
    for word in (*NAMES, *ScenarioConfig.model_fields):
        assert f"| `{word}` |" in text, word
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(code, {})
