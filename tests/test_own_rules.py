"""Own rules as data: numbers of tables in others' place, modifiers with conditions, and what is said of those that cannot be.

Numbers are worked out by hand from the printed rules: gunnery 4, +1 walked, +2 ran, +3 jumped; range 0/2/4 ...
"""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

from opfor.errors import InputError
from opfor.own_rules.given import giving
from opfor.own_rules.replaceable import Replaced, replaceable
from opfor.rules.melee.physical import physical_attack
from opfor.rules.moving.grounds import ground_for
from opfor.rules.moving.motions import motion_named
from opfor.rules.pilots.piloting import piloting_number
from opfor.rules.shooting.numbers import Numbers, numbers_of
from opfor.rules.shooting.to_hit import FireSolver, weapon_attack
from opfor.rules.target_number import TargetNumber
from opfor.rulesets import named_ruleset, read_ruleset
from opfor.state import State
from opfor.tables import table
from tests.support import make_state

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "house_rules"
LASERS = {"weapons": {"RA": ["is_medium_laser"], "RT": ["is_lrm10"]}, "ammo": {"RT": ["IS Ammo LRM-10"]}}


def two(ruleset: Any = "standard", *, mode: str = "stand", hexes: int = 0, apart: int = 2, **target: Any) -> State:
    """A 'Mech in 0510 that looks north at another, ``apart`` hexes off."""
    return make_state(
        ruleset=ruleset,
        board=target.pop("board", None),
        units=[
            {"id": "a", "at": "0510", "facing": "N", "mech": LASERS, "moved": {"mode": mode, "hexes": hexes}},
            {"id": "b", "side": 1, "at": f"05{10 - apart:02d}", "facing": "S", "mech": LASERS, **target},
        ],
    )


def shot(state: State, weapon: str = "Medium Laser") -> TargetNumber:
    """The number of a weapon of a at b, and that the bare sums say the same."""
    a, b = state.unit("a"), state.unit("b")
    mount = next(mount for mount in a.spec.mounts if mount.name == weapon)
    mode = mount.modes[0]
    tn = weapon_attack(state, a, mount, mode, b)
    solver = FireSolver(state, a)
    found = [s.numbers[1] for p in solver.postures() if not p.twist and not p.flip for s in solver.shots(mount, p)]
    assert found == ([max(2, tn.value)] if tn.possible and tn.value <= 12 else [])
    return tn


def parts(tn: TargetNumber) -> dict[str, tuple[int, str]]:
    return {item.what: (item.value, item.rule) for item in tn.modifiers}


def test_a_number_of_a_table_is_replaced_under_its_ruleset_alone() -> None:
    own = {"base": "standard", "tables": {"to_hit.attacker_movement.jump": 5, "to_hit.target_movement.by_hexes.3": 3}}
    # gunnery 4, jumped 5 in place of 3, target moved 4 hexes: 3 in place of 1; short range
    assert shot(two(own, mode="jump", moved={"mode": "walk", "hexes": 4})).value == 4 + 5 + 3
    assert shot(two(mode="jump", moved={"mode": "walk", "hexes": 4})).value == 4 + 3 + 1


def test_heat_piloting_and_kicks_go_by_replaced_numbers() -> None:
    own = {
        "base": "standard",
        "tables": {"heat.to_hit.8": 3, "piloting_rolls.reasons.kicked.modifier": 2, "physical.attacks.kick.modifier": 0},
    }
    state = two(own, apart=1)
    state.unit("a").heat = 9
    assert parts(shot(state))["heat"] == (3, "S-7")
    # piloting 5 and 2; a kick is 5 in place of 5 - 2, the target stands still
    assert piloting_number(state, state.unit("a"), "kicked").value == 5 + 2
    assert physical_attack(state, state.unit("a"), "kick", "RL", state.unit("b")).value == 5
    assert piloting_number(two(), two().unit("a"), "kicked").value == 5


@pytest.mark.parametrize(
    ("path", "hexes", "cost"), [("movement.terrain.rough", "rough", 4), ("movement.terrain.water.1", "water depth 1", 5)]
)
def test_steps_cost_what_the_ruleset_says(path: str, hexes: str, cost: int) -> None:
    plain = replaceable()[path].value
    own = read_ruleset({"base": "standard", "tables": {path: 3}})
    state = two(board={"0509": hexes})
    spec, cell = state.unit("a").spec, state.unit("a").cell
    step = {rules: ground_for(state.board, spec, rules).steps(cell * 2, 0)[0][1] for rules in (own, state.ruleset)}
    # one for the hex, the terrain, and one for the level down into water
    assert step[own] == cost
    assert step[state.ruleset] == cost - 3 + plain


RUN_AND_GUN = {"name": "Run and gun", "when": {"attacker": {"moved": "run"}, "range": "long"}, "value": 1, "rule": "HR-1"}


def test_a_modifier_counts_when_its_conditions_hold() -> None:
    own = {"base": "standard", "own_modifiers": [RUN_AND_GUN]}
    # lasers: short 3, medium 6, long 9. Gunnery 4, ran 2, long range 4, and one more
    far = shot(two(own, mode="run", apart=8))
    assert far.value == 4 + 2 + 4 + 1
    assert parts(far)["Run and gun"] == (1, "HR-1")
    assert shot(two(own, mode="run", apart=6)).value == 4 + 2 + 2
    assert shot(two(own, mode="walk", apart=8)).value == 4 + 1 + 4
    assert shot(two({**own, "own.run_and_gun": False}, mode="run", apart=8)).value == 4 + 2 + 4


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ({}, 1),
        ({"target": {"terrain": "woods"}}, 1),
        ({"target": {"terrain": ["rough", "light_woods"]}}, 1),
        ({"attacker": {"terrain": "woods"}}, 0),
        ({"attacker": {"terrain": "clear"}}, 1),
        ({"target": {"kind": "vehicle"}}, 0),
        ({"weapon_class": "energy"}, 1),
        ({"weapon_class": ["missile", "ballistic"]}, 0),
        ({"weapon": "Medium Laser"}, 1),
        ({"target": {"prone": True}}, 0),
        ({"attacker": {"heat_at_least": 5}}, 1),
        ({"attacker": {"heat_at_least": 6}}, 0),
        ({"distance_at_most": 1}, 0),
        ({"distance_at_least": 2, "turn_at_least": 1}, 1),
        ({"turn_at_least": 2}, 0),
        ({"indirect": True}, 0),
        ({"attacker": {"tons_at_least": 51}}, 0),
    ],
)
def test_conditions(when: dict[str, Any], expected: int) -> None:
    own = {"base": "standard", "own_modifiers": [{"name": "x", "when": when, "value": 1}]}
    state = two(own, board={"0508": "light woods"})
    state.unit("a").heat = 5
    # gunnery 4, light woods 1
    tn = shot(state)
    assert tn.value == 4 + 1 + expected
    assert ("x" in parts(tn)) == bool(expected)


def test_blows_and_rolls_are_modified_too() -> None:
    with giving(EXAMPLES / "gunnery.yaml"):
        own = read_ruleset("standard")
    state = two(own, apart=1)
    a = state.unit("a")
    a.heat = 15
    assert parts(piloting_number(state, a, "kicked"))["hot cockpit"] == (1, "HR-3")
    assert "kick from above" not in parts(physical_attack(state, a, "kick", "RL", state.unit("b")))
    a.heat = 14
    assert piloting_number(state, a, "kicked").value == 5


@pytest.mark.parametrize(
    ("ruleset", "words"),
    [
        ({"tables": {"to_hit.attacker.jumped": 4}}, "did you mean to_hit.attacker_movement.jump"),
        ({"tables": {"to_hit.attacker_movement": 4}}, "name one of to_hit.attacker_movement.stand"),
        ({"tables": {"weapons.is_ppc.heat": 4}}, "the tables that can are to_hit, heat"),
        ({"tables": {"to_hit.immobile": 40}}, "-12 to 12"),
        ({"tables": {"to_hit.immobile": True}}, "no whole number"),
        ({"own_modifiers": [{**RUN_AND_GUN, "when": {"attaker": {}}}]}, "did you mean attacker?"),
        ({"own_modifiers": [{**RUN_AND_GUN, "when": {"range": "longer"}}]}, "did you mean long?"),
        ({"own_modifiers": [{**RUN_AND_GUN, "of": "piloting"}]}, "no condition of piloting"),
        ({"own_modifiers": [{"name": "x"}]}, "value is missing"),
        ({"own_modifiers": [RUN_AND_GUN, RUN_AND_GUN]}, "two modifiers are called run_and_gun"),
        ({"own_modifiers": [RUN_AND_GUN], "own.run_and_gnu": "off"}, "did you mean own.run_and_gun?"),
        ({"own_modifiers": [{**RUN_AND_GUN, "when": {"weapon": "Medium Lasr"}}]}, "did you mean Medium Laser"),
        ({"rules": "my.py"}, "is code, and a battle's file alone runs none"),
    ],
)
def test_what_cannot_be_is_refused_with_the_nearest_right_word(ruleset: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        read_ruleset({"base": "standard", **ruleset})
    assert words in str(caught.value)


def test_shipped_numbers_in_their_own_place_are_no_change() -> None:
    plain = read_ruleset({"base": "standard", "tables": {path: number.value for path, number in replaceable().items()}})
    assert plain == named_ruleset("standard")
    assert plain.replaced is None and plain.own_ground is None and plain.own_fire is None


def test_every_path_leads_to_its_number() -> None:
    for path, number in replaceable().items():
        name, *way = path.split(".")
        other = number.least if number.value == number.most else number.value + 1
        assert read_ruleset({"base": "standard", "tables": {path: other}}).table(name) != named_ruleset("standard").table(
            name
        ), way


def test_numbers_of_fire_and_motion_reach_those_who_go_by_them() -> None:
    motives = ("biped", "tracked", "wheeled", "hover", "foot", "mechanized_tracked", "mechanized_wheeled", "mechanized_hover")
    for path, number in replaceable().items():
        other = Replaced({path: number.least if number.value == number.most else number.value + 1})
        own = read_ruleset({"base": "standard", "tables": dict(other.numbers)})
        if path.startswith(("to_hit", "heat.to_hit")):
            mine, plain = numbers_of(own), numbers_of(named_ruleset("standard"))
            assert any(getattr(mine, name) != getattr(plain, name) for name in Numbers.__slots__), path
        elif path.startswith("movement"):
            names = [table("movement")["motion_of"].get(motive, motive) for motive in motives]
            assert any(motion_named(name, other) != motion_named(name) for name in names), path


def test_a_ruleset_with_own_rules_is_copied_and_pickled() -> None:
    with giving(EXAMPLES / "gunnery.yaml", EXAMPLES / "smoke_and_mud.py"):
        rules = read_ruleset({"base": "campaign", "own.winded": "off"})
    for twin in (pickle.loads(pickle.dumps(rules)), copy.deepcopy(rules)):  # noqa: S301 - our own
        assert twin == rules and hash(twin) == hash(rules)
        assert twin.own_record() == rules.own_record()
        assert twin.own_ground == rules.own_ground
    assert rules.changed(**{"own.winded": "on"}) != rules
    assert rules.values()["own.deep_mud"] == "on"


def test_the_veteran_plans_by_replaced_numbers() -> None:
    from policies.veteran.lanes import Lanes
    from policies.veteran.spots import key_of

    own = read_ruleset({"base": "standard", "tables": {"to_hit.woods_between.1": 3, "to_hit.target_woods.1": 2}})
    state = two(board={"0509": "light woods", "0508": "light woods"})
    ends = [key_of(state.unit(id).cell, 0, 0) for id in "ab"]
    # woods between 1 or 3, woods at the target 1 or 2
    assert Lanes(state.board, state.ruleset).lane(*ends).out == 1 + 1
    assert Lanes(state.board, own).lane(*ends).out == 3 + 2
