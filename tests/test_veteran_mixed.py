"""The veteran with every kind of unit: its tables against the rules, whole battles, the time they take."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

import pytest

from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.orders import FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.rules.moving.flight import lowest_flight
from opfor.rules.moving.grounds import ground_for
from opfor.rules.shooting.arcs import arc_bits, twists
from opfor.rules.shooting.expectation import harm_on_hit
from opfor.rules.shooting.frame import Frame
from opfor.rules.shooting.framing import frame
from opfor.rules.shooting.to_hit import weapon_attack
from opfor.rules.troops.infantry import in_the_open
from opfor.state import State
from policies.random_policy import RandomPolicy
from policies.veteran import VeteranPolicy
from policies.veteran.figures import Figure
from policies.veteran.harm import cluster_bonus
from policies.veteran.lanes import BLOCKED
from policies.veteran.mind import Mind
from policies.veteran.weights import weights
from tests.skirmish import skirmish

KINDS = ("mech", "vehicle", "vtol", "infantry", "battle_armor")


# -- its tables against the rules --------------------------------------------------------------------------------------


def _scattered(seed: int) -> State:
    """A mixed battle with its units here and there, in every state of movement."""
    pick = random.Random(seed).randrange
    state = skirmish(seed, kinds=KINDS, size=6)
    board = state.board
    taken: set[int] = set()
    for unit in state.units:
        ground = ground_for(board, unit.spec, state.ruleset)
        cells = [c for c in board.grid.on_board if c not in taken and ground.motion.terrain_cost(board.hexes[c]) is not None]
        unit.cell = cells[pick(len(cells))]
        taken.add(unit.cell)
        hex = board.hexes[unit.cell]
        unit.elevation = lowest_flight(hex) + pick(3) if unit.spec.kind == "vtol" else ground.elevation[unit.cell * 2]
        if hex.bridge and unit.spec.kind != "vtol":
            unit.elevation = hex.bridge_height
        unit.facing = pick(6)
        unit.mode = ("stand", "walk", "run", "jump" if unit.spec.jump else "walk")[pick(4)]
        unit.hexes_moved = pick(12) if unit.mode != "stand" else 0
        unit.gunnery = pick(6)
        unit.immobilized = unit.spec.is_vehicle and not pick(5)
        unit.sensor_hits = pick(2) if not unit.spec.is_infantry else 0
        unit.crew = pick(2) if unit.spec.is_vehicle else 0
        unit.dug_in = unit.spec.kind == "infantry" and unit.mode == "stand" and not pick(3)
        unit.moved = True
        if unit.spec.kind == "infantry":
            unit.structure[0] = 1 + pick(unit.structure[0])
    state.touch()
    return state


def _planned(state: State, mind: Mind) -> list[tuple[Figure, Figure, Frame]]:
    """Every attacker and target of both sides, as figures, with the frame of the attack."""
    found = []
    for side in (0, 1):
        ours, theirs = mind.sides(state, side)
        found += [(a, t, frame(state, a.unit, t.unit)) for a in ours for t in theirs]
    return [(a, t, seen) for a, t, seen in found if seen.distance]


def test_lanes_and_figures_say_what_the_frames_of_attacks_say() -> None:
    compared = 0
    kinds = set()
    for seed in range(25):
        state = _scattered(seed)
        mind = Mind(weights())
        lanes = mind.lanes(state)
        for a, t, seen in _planned(state, mind):
            lane = lanes.lane(a.key, t.key)
            assert (lane.distance, lane.bearing) == (seen.distance, seen.bearing)
            if seen.blocked:
                assert lane.out == BLOCKED
            if seen.why:
                continue
            squad = t.kind == "battle_armor" and a.unit.spec.is_infantry
            assert a.skill + a.here().am + lane.out + t.here().tm - squad == seen.common, (seed, a.unit.id, t.unit.id)
            if t.kind != "infantry":
                assert lane.cover_out == seen.cover
            compared += 1
            kinds.add((a.kind, t.kind))
    assert compared > 400
    assert len(kinds) == len(KINDS) ** 2


def test_the_table_is_the_sum_over_the_weapons_for_every_kind() -> None:
    compared = 0
    for seed in range(25):
        state = _scattered(seed)
        for a, t, seen in _planned(state, Mind(weights())):
            if seen.why or seen.c3 is not None or not any(a.against(t.versus).barrels):
                continue
            if a.unit.spec.is_mech or t.versus == "mechanized" or a.unit.stabilizers:
                continue
            scale = 2 if t.kind == "infantry" and in_the_open(state, t.unit) else 1
            left = t.unit.structure[:]
            if t.kind == "infantry":
                # the mean of what resolving does goes no further than the last trooper
                t.unit.structure[0] = 999
            for twist in twists(a.unit):
                plain = 0.0
                for mount in a.unit.spec.mounts:
                    best = 0.0
                    for mode in mount.modes:
                        number = weapon_attack(state, a.unit, mount, mode, t.unit, twist=twist, known=seen)
                        if number.possible and "anti_mech" not in mode.weapon.flags:
                            bonus = cluster_bonus(a.unit, mount, mode, mode.weapon.bracket(seen.distance) or 0)
                            harm = harm_on_hit(state, a.unit, mount, mode, t.unit, seen.distance, bonus)
                            best = max(best, number.odds * harm)
                    plain += best
                bits = arc_bits(seen.bearing, a.unit.facing, a.unit.facing + twist)
                if a.against(t.versus).rounds:
                    continue
                quick = a.against(t.versus).expected(bits, seen.distance, seen.common, 999)
                assert quick * scale == pytest.approx(plain), (seed, a.unit.id, t.unit.id, twist)
                compared += 1
            t.unit.structure[:] = left
    assert compared > 300


# -- the contract -----------------------------------------------------------------------------------------------------


def play(seed: int, choosers: Sequence[Any], **more: Any) -> tuple[Game, list[Order]]:
    game = Game(skirmish(seed, kinds=KINDS, **more), SeededDice(seed))
    orders = []
    while (decision := game.decision()) is not None:
        order = choosers[decision.side].choose(decision, game.view(decision.side))
        if isinstance(choosers[decision.side], VeteranPolicy):
            assert order.reason
            assert order.reason != "nothing else is open to it", order
        orders.append(order)
        game.apply(order)
    return game, orders


def test_mixed_battles_are_played_legally_and_repeatably() -> None:
    twice = [play(20, [VeteranPolicy(0), VeteranPolicy(1)], limit=4)[1] for _ in range(2)]
    assert twice[0] == twice[1]
    assert [order.reason for order in twice[0]] == [order.reason for order in twice[1]]
    kinds = {type(order) for order in twice[0]}
    assert kinds <= {MoveOrder, FireOrder, PhysicalOrder}


@pytest.mark.slow
def test_a_mixed_movement_takes_its_time_and_no_more() -> None:
    took = []
    for seed in range(8):
        policy = VeteranPolicy(0)
        game = Game(skirmish(seed, kinds=KINDS, limit=4), SeededDice(seed))
        while (decision := game.decision()) is not None:
            view = game.view(decision.side)
            start = time.process_time()
            order = policy.choose(decision, view)
            if decision.kind == "movement":
                took.append(time.process_time() - start)
            game.apply(order, trust=True)
    assert sum(took) / len(took) < 0.040


@pytest.mark.slow
def test_many_mixed_battles_are_played_legally() -> None:
    for seed in range(100, 112):
        play(seed, [VeteranPolicy(0), VeteranPolicy(1, "bold")], limit=12)


@pytest.mark.slow
def test_it_beats_the_random_policy_with_every_kind_of_unit() -> None:
    won = 0
    for seed in range(20):
        side = seed % 2
        choosers: list[Any] = [RandomPolicy(seed), RandomPolicy(seed)]
        choosers[side] = VeteranPolicy(0)
        game, _ = play(seed, choosers, limit=30)
        won += game.state.winner == side
    assert won >= 19
