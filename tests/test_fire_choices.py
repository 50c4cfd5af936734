"""Legal fire against a brute force that knows nothing of counting: every combination of weapons and targets is tried."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from opfor.game.legal.choices import Node
from opfor.game.legal.fire import FireChoices
from opfor.orders import Attack, FireOrder
from opfor.rules.shooting.arcs import can_flip_arms, in_arc
from opfor.rules.shooting.to_hit import weapon_attack
from opfor.state import State
from opfor.units.spec import ARMS
from opfor.units.state import UnitState
from tests.support import make_state


def brute_force(state: State, unit: UnitState) -> set[FireOrder]:
    """Every legal fire order, by trying all of them through the itemised target numbers."""
    postures = [(0, False)]
    if not unit.spec.quad and not unit.prone:
        postures += [(-1, False), (1, False)]
    if can_flip_arms(unit):
        postures.append((0, True))
    enemies = [u for u in state.units if u.side != unit.side and u.alive]
    friends = [u for u in state.units if u.side == unit.side and u is not unit and u.active]
    legal = set()
    for twist, flip in postures:
        legal.add(FireOrder(unit.id, twist, flip))
        ways: list[list[Attack | None]] = []
        for mount in unit.spec.mounts:
            found: list[Attack | None] = [None]
            for mode, target, aim in itertools.product(mount.modes, enemies, ("", *unit.spec.locations)):
                for spotter in (None, *friends):
                    tn = weapon_attack(state, unit, mount, mode, target, twist=twist, flip=flip, spotter=spotter, aim=aim)
                    if tn.possible and tn.value <= 12:
                        found.append(Attack(mount.index, target.id, mode.name, spotter.id if spotter else "", aim))
            ways.append(found)
        for combination in itertools.product(*ways):
            attacks = tuple(a for a in combination if a is not None)
            for primary in {a.target for a in attacks}:
                order = FireOrder(unit.id, twist, flip, attacks, primary)
                if _holds_together(state, unit, order):
                    legal.add(order)
    return legal


def _holds_together(state: State, unit: UnitState, order: FireOrder) -> bool:
    front = {}
    former = unit.twist
    unit.twist = order.twist
    for attack in order.attacks:
        front[attack.target] = in_arc(state, unit, state.unit(attack.target).cell, "front")
    unit.twist = former
    # an attack in the front arc is the primary one, if there is any
    if any(front.values()) and not front[order.primary]:
        return False
    rounds: Counter[str] = Counter()
    arms = set()
    for attack in order.attacks:
        mount = unit.spec.mounts[attack.mount]
        mode = next(m for m in mount.modes if m.name == attack.mode)
        tn = weapon_attack(
            state,
            unit,
            mount,
            mode,
            state.unit(attack.target),
            primary=state.unit(order.primary),
            twist=order.twist,
            flip=order.flip,
            spotter=state.unit(attack.spotter) if attack.spotter else None,
            aim=attack.aim,
        )
        if not tn.possible or tn.value > 12:
            return False
        if mode.ammo:
            rounds[mode.ammo] += mode.shots
        arms.add(mount.location)
    if any(unit.shots(kind) < shots for kind, shots in rounds.items()):
        return False
    # a prone biped props itself up on one arm, and cannot fire that one's weapons
    return not (unit.prone and not unit.spec.quad and set(ARMS) <= arms)


LASERS = {"weapons": {"RA": ["is_medium_laser"], "LA": ["is_medium_laser"], "CT": ["is_small_laser"]}}
POSITIONS: dict[str, dict[str, Any]] = {
    "one enemy ahead": {
        "units": [
            {"id": "a", "at": "0505", "facing": "N", "mech": LASERS},
            {"id": "b", "side": 1, "at": "0502"},
        ]
    },
    "enemies ahead and behind, a rear weapon": {
        "units": [
            {
                "id": "a",
                "at": "0505",
                "facing": "N",
                "mech": {"weapons": {"RA": ["is_medium_laser"], "CT": ["is_medium_laser (R)"]}},
            },
            {"id": "b", "side": 1, "at": "0503"},
            {"id": "c", "side": 1, "at": "0507"},
        ]
    },
    "arms that flip": {
        "units": [
            {"id": "a", "at": "0505", "facing": "N", "mech": {**LASERS, "lower_arms": False, "hands": False}},
            {"id": "b", "side": 1, "at": "0507"},
            {"id": "c", "side": 1, "at": "0603"},
        ]
    },
    "prone, propped on an arm": {
        "units": [
            {"id": "a", "at": "0505", "facing": "N", "prone": True, "mech": LASERS},
            {"id": "b", "side": 1, "at": "0503"},
            {"id": "c", "side": 1, "at": "0604"},
        ]
    },
    "two autocannons on two rounds, one of them an Ultra": {
        "units": [
            {
                "id": "a",
                "at": "0505",
                "facing": "N",
                "mech": {"weapons": {"RA": ["is_uac5"], "LA": ["is_uac5"]}, "ammo": {"RT": ["IS Ultra AC/5 Ammo"]}},
                "ammo": [2],
            },
            {"id": "b", "side": 1, "at": "0502"},
            {"id": "c", "side": 1, "at": "0602"},
        ]
    },
    "indirect fire with two who may spot": {
        "board": {"0504": "level 4"},
        "units": [
            {
                "id": "a",
                "at": "0505",
                "facing": "N",
                "mech": {"weapons": {"RA": ["is_lrm5"]}, "ammo": {"RT": ["IS Ammo LRM-5"]}},
            },
            {"id": "s1", "at": "0802", "mech": {}},
            {"id": "s2", "at": "0201", "mech": {}},
            {"id": "b", "side": 1, "at": "0501"},
        ],
    },
    "aimed shots at a 'Mech that is shut down, its legs behind a hill": {
        "board": {"0503": "level 1"},
        "units": [
            {
                "id": "a",
                "at": "0505",
                "facing": "N",
                "mech": {"weapons": {"RA": ["is_medium_laser"], "LA": ["is_srm2"]}, "ammo": {"RT": ["IS Ammo SRM-2"]}},
            },
            {"id": "b", "side": 1, "at": "0502", "shutdown": True},
        ],
    },
    "aimed shots with a targeting computer": {
        "units": [
            {
                "id": "a",
                "at": "0505",
                "facing": "N",
                "mech": {
                    "weapons": {"RA": ["is_medium_laser"], "LA": ["is_medium_pulse_laser"]},
                    "equipment": {"RT": ["ISTargeting Computer"]},
                },
            },
            {"id": "b", "side": 1, "at": "0503"},
        ],
    },
    "out of everybody's range": {
        "size": (10, 30),
        "units": [
            {"id": "a", "at": "0128", "facing": "N", "mech": LASERS},
            {"id": "b", "side": 1, "at": "0101"},
        ],
    },
}


@pytest.mark.parametrize("name", POSITIONS)
def test_orders_are_those_of_the_brute_force(name: str) -> None:
    """S-4: the listed orders, the count, the tree's leaves and membership all say the same."""
    position = POSITIONS[name]
    state = make_state(**position)
    unit = state.unit("a")
    expected = brute_force(state, unit)
    choices = FireChoices(state, [unit])
    listed = list(choices)
    assert len(listed) == len(set(listed)) == choices.count()
    assert set(listed) == expected
    tree = choices.tree()
    assert isinstance(tree, Node)
    leaves = list(tree.leaves())
    assert len(leaves) == len(expected)
    assert set(leaves) == expected
    assert all(order in choices for order in expected)


@pytest.mark.parametrize("name", POSITIONS)
def test_samples_are_uniform(name: str) -> None:
    """Each number from 0 to count - 1 gives another order: a uniform number gives a uniform order."""
    state = make_state(**POSITIONS[name])
    choices = FireChoices(state, [state.unit("a")])
    count = choices.count()
    numbers = range(count) if count < 500 else random.Random(1).sample(range(count), 500)
    drawn = [choices.sample(lambda n, number=number: number) for number in numbers]  # type: ignore[misc]
    assert len(set(drawn)) == len(drawn)
    assert all(order in choices for order in drawn)


def test_what_is_not_listed_is_refused_with_the_reason() -> None:
    """S-4: refusals name the weapon and why."""
    state = make_state(**POSITIONS["enemies ahead and behind, a rear weapon"])
    choices = FireChoices(state, [state.unit("a")])
    # the rear laser is weapon 0, the arm's weapon 1
    cases = {
        FireOrder("a", 0, False, (Attack(1, "c"),), "c"): "arc",
        FireOrder("a", 2): "twist",
        FireOrder("a", 0, True): "flipped",
        FireOrder("a", 0, False, (Attack(1, "nobody"),), "nobody"): "nobody",
        FireOrder("a", 0, False, (Attack(1, "b", "double"),), "b"): "double",
        FireOrder("a", 0, False, (Attack(1, "b"), Attack(1, "b")), "b"): "once",
        FireOrder("a", 0, False, (Attack(7, "b"),), "b"): "number 7",
        FireOrder("a", 0, False, (Attack(1, "b"),), "c"): "primary",
        FireOrder("a", 0, False, (Attack(0, "c"), Attack(1, "b")), "c"): "primary",
        FireOrder("a", 0, False, (), "b"): "primary",
    }
    for order, word in cases.items():
        assert order not in choices
        assert word in choices.why_not(order)


def test_aimed_shots_and_what_they_need() -> None:
    """S-5: at an immobile 'Mech the head costs 7 more; a targeting computer aims at all but the head for 4 more."""
    state = make_state(**POSITIONS["aimed shots at a 'Mech that is shut down, its legs behind a hill"])
    a, b = state.units
    laser = next(m for m in a.spec.mounts if m.id == "is_medium_laser")
    # gunnery 4, immobile -4, partial cover +1
    assert weapon_attack(state, a, laser, laser.modes[0], b).value == 1
    assert weapon_attack(state, a, laser, laser.modes[0], b, aim="CT").value == 1
    assert weapon_attack(state, a, laser, laser.modes[0], b, aim="HD").value == 8
    assert not weapon_attack(state, a, laser, laser.modes[0], b, aim="LL").possible
    state = make_state(**POSITIONS["aimed shots with a targeting computer"])
    a, b = state.units
    laser = next(m for m in a.spec.mounts if m.id == "is_medium_laser")
    pulse = next(m for m in a.spec.mounts if m.id == "is_medium_pulse_laser")
    assert weapon_attack(state, a, laser, laser.modes[0], b).value == 3
    assert weapon_attack(state, a, laser, laser.modes[0], b, aim="LT").value == 7
    assert not weapon_attack(state, a, laser, laser.modes[0], b, aim="HD").possible
    assert not weapon_attack(state, a, pulse, pulse.modes[0], b, aim="LT").possible


def test_a_hidden_enemy_is_no_target() -> None:
    """Nobody fires at what the side cannot see."""
    state = make_state(**POSITIONS["one enemy ahead"])
    assert FireChoices(state, [state.unit("a")]).count() > 3
    state.unit("b").hidden = True
    assert FireChoices(state, [state.unit("a")]).count() == 3
