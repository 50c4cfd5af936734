"""The tables of legal fire against the itemised numbers, in the midst of battles of all kinds of unit."""

from __future__ import annotations

import random

import pytest

from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.game.legal.choices import Node
from opfor.game.legal.counted_fire import CountedFire
from opfor.game.legal.fire import FireChoices, UnitFire
from opfor.game.legal.volleys import Option, combinations
from opfor.game.legal.worth import expected_damage, mean_damage
from opfor.orders import Attack
from opfor.rules.shooting.to_hit import Posture, weapon_attack
from opfor.rules.terrain.hexes import hex_targets, intents
from opfor.state import State
from opfor.tables.arsenal import launchers
from opfor.units.hex_target import hex_id
from opfor.units.state import UnitState
from tests.skirmish import skirmish
from tests.support import make_state

ALL_KINDS = ("mech", "vehicle", "vtol", "infantry", "battle_armor")


def battles(seed: int, ruleset: str) -> State:
    """A battle drawn by seed, a few turns old, in a fire phase."""
    draw = random.Random(seed)
    game = Game(skirmish(seed, size=4, kinds=ALL_KINDS if seed % 2 else ("mech",), limit=9, ruleset=ruleset), SeededDice(seed))
    while (decision := game.decision()) is not None:
        if game.state.turn >= 3 + seed % 3 and decision.kind == "fire":
            break
        game.apply(decision.legal.sample(draw.randrange), trust=True)
    return game.state


def expected(state: State, unit: UnitState, posture: Posture) -> dict[Attack, tuple[int, int]]:
    """Every attack that dice can make in a posture with its numbers as primary and secondary attack (0: none), itemised."""
    found: dict[Attack, tuple[int, int]] = {}
    friends = [u for u in state.units if u.side == unit.side and u is not unit and u.active and u.cell >= 0]
    enemies = [u for u in state.units if u.side != unit.side and u.cell >= 0]
    other = UnitState(unit.spec, "elsewhere", 1 - unit.side)
    for mount in unit.spec.mounts:
        for mode in mount.modes:
            for target in enemies:
                aims = ("", *target.spec.locations)
                for spotter, aim in [(None, aim) for aim in aims] + [(friend, "") for friend in friends]:
                    numbers = []
                    for primary in (target, other):
                        tn = weapon_attack(
                            state,
                            unit,
                            mount,
                            mode,
                            target,
                            primary=primary,
                            twist=posture.twist,
                            flip=posture.flip,
                            spotter=spotter,
                            spotter_attacks=spotter is not None and spotter.fired != 0,
                            aim=aim,
                        )
                        numbers.append(max(2, tn.value) if tn.possible and tn.value <= 12 else 0)
                    if numbers[0]:
                        attack = Attack(mount.index, target.id, mode.name, spotter.id if spotter else "", aim)
                        found[attack] = (numbers[0], numbers[1])
    return found


def expected_at_hexes(state: State, unit: UnitState, posture: Posture) -> dict[Attack, int]:
    """Every attack at a hex that dice can make in a posture, with its number."""
    found: dict[Attack, int] = {}
    for mount in unit.spec.mounts:
        for mode in mount.modes:
            for cell in hex_targets(state, unit):
                target = hex_id(state.board, cell)
                tn = weapon_attack(state, unit, mount, mode, state.target(target), twist=posture.twist, flip=posture.flip)
                if tn.possible and tn.value <= 12:
                    for intent in intents(state, unit, cell, mode):
                        found[Attack(mount.index, target, mode.name, "", intent)] = max(2, tn.value)
    return found


@pytest.mark.parametrize("ruleset", ["standard", "campaign", "mwii"])
@pytest.mark.parametrize("seed", range(4))
def test_tables_say_what_itemised_numbers_say(seed: int, ruleset: str) -> None:
    """No shot is missing, none is too much, and every number is the sum of its items. Rule: S-4, S-5, S-10."""
    state = battles(seed, ruleset)
    for unit in state.units:
        if not unit.active or unit.cell < 0 or unit.aboard:
            continue
        fire = CountedFire(state, unit)
        for posture in fire.postures:
            told = {o.attack: (o.as_primary, o.as_secondary) for row in fire.options(posture) for o in row}
            wanted = expected(state, unit, posture)
            if fire.allowed.indirect:
                wanted = {attack: numbers for attack, numbers in wanted.items() if not attack.spotter}
            assert told == wanted, (unit.id, posture.words)
            at_hexes = {
                o.attack: o.as_primary
                for target, intent, _ in fire.hexes.open(posture)
                for row in fire.hexes.options(posture, target, intent)
                for o in row
            }
            assert at_hexes == expected_at_hexes(state, unit, posture), (unit.id, posture.words)


def test_lowest_numbers_of_targets() -> None:
    """The tree tells of each target the lowest number of any weapon: gunnery 4, and 2 more at medium range. Rule: S-4."""
    state = make_state(
        units=[
            {
                "id": "a",
                "at": "0505",
                "facing": "N",
                "mech": {"weapons": {"RA": ["is_medium_laser"], "CT": ["is_small_laser"]}},
            },
            {"id": "b", "side": 1, "at": "0501"},
            {"id": "c", "side": 1, "at": "0502"},
        ]
    )
    node = FireChoices(state, [state.unit("a")]).tree().below(0)
    assert isinstance(node, Node)
    assert node.question == "twist"
    assert list(node.facts["twist"])[:3] == [0, -1, 1]
    straight = node.below(0)
    assert isinstance(straight, Node)
    assert straight.question == "primary target"
    # a medium laser reaches 3 hexes at short range and 6 at medium range, a small one 1, 2 and 3
    assert dict(zip(straight.facts["target"], straight.facts["number"], strict=True)) == {"": 0, "b": 6, "c": 4}
    # at b the medium laser, and the small one at c or held; at c either laser or both, or the small one with the other at b
    assert list(straight.facts["orders"]) == [1, 2, 4]


def test_unlike_ties_do_not_go_together() -> None:
    """Two weapons of one arm, one of the other with two modes, one of the torso: by hand. Rule: S-4 (prone firing)."""
    # torso 1 + 1; right arm (1 + 1)(1 + 1), left arm 1 + 2, not both: 4 + 3 - 1
    assert combinations([1, 1, 2, 1], [4, 4, 5, -1]) == 2 * (4 + 3 - 1)


def option(weapon: str, number: int, second: int = 0, kind: str = "mech", mode: int = 0) -> Option:
    """One weapon at a unit that it needs such numbers against."""
    fired = launchers()[weapon][mode]
    return Option(Attack(0, "t", fired.name), fired, "t", True, number, second, kind)


def test_expected_damage_is_chance_times_mean() -> None:
    """21 of 36 throws reach 7, 6 of 36 reach 10; twenty missiles hit with 12.69 on the mean. Rule: S-4, S-5."""
    laser = option("is_medium_laser", 7, 10)
    assert expected_damage(laser) == pytest.approx(5 * 21 / 36)
    assert expected_damage(laser, as_primary=False) == pytest.approx(5 * 6 / 36)
    assert expected_damage(option("is_medium_laser", 7), as_primary=False) == 0.0
    # by the column for 20: 6 6 9 12 12 12 12 16 16 20 20 for throws of 2 to 12
    column = [6, 6, 9, 12, 12, 12, 12, 16, 16, 20, 20]
    ways = [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    mean = sum(hits * count for hits, count in zip(column, ways, strict=True)) / 36
    assert expected_damage(option("is_lrm20", 2)) == pytest.approx(mean)


def test_mean_damage_over_brackets_and_plasma() -> None:
    """A heavy Gauss rifle does 25, 20 and 10 points; a plasma rifle 10, and two dice more at what does not heat up. S-4."""
    assert mean_damage(launchers()["is_heavy_gauss"][0], "mech") == pytest.approx((25 + 20 + 10) / 3)
    assert mean_damage(launchers()["is_plasma_rifle"][0], "mech") == pytest.approx(10)
    assert mean_damage(launchers()["is_plasma_rifle"][0], "vehicle") == pytest.approx(10 + 7)


def test_every_number_is_an_order_of_its_own() -> None:
    """Orders drawn by number are the listed ones in their order, with two enemies and modes to choose from. Rule: S-4."""
    state = make_state(
        units=[
            {
                "id": "a",
                "at": "0505",
                "facing": "N",
                "mech": {"weapons": {"RA": ["is_medium_laser", "is_flamer"], "LA": ["is_medium_laser"], "RT": ["is_ppc"]}},
            },
            {"id": "b", "side": 1, "at": "0503"},
            {"id": "c", "side": 1, "at": "0504"},
        ]
    )
    fire = UnitFire(state, state.unit("a"))
    listed = list(fire)
    assert len(set(listed)) == len(listed) == fire.count()
    assert [fire.sample(number) for number in range(len(listed))] == listed
