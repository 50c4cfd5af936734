"""The tabled firepower against its plain twin, and what it must say in cases worked by hand."""

from __future__ import annotations

import random

import pytest

from opfor.rules.shooting.arcs import arc_bits, can_flip_arms, twists
from opfor.rules.shooting.framing import frame
from policies.veteran.firepower import AHEAD, FLIPPED, Arsenal, Firepower, skill
from tests.plain_firepower import volley
from tests.skirmish import skirmish
from tests.support import make_state, test_mech


def _scatter(seed: int) -> tuple[int, int]:
    """Compare one random battle; gives (comparisons, of which with damage)."""
    pick = random.Random(seed).randrange
    state = skirmish(seed)
    board = state.board
    arsenal = Arsenal()
    for unit in state.units:
        unit.cell = board.grid.on_board[pick(len(board.grid.on_board))]
        unit.elevation = 0
        unit.facing = pick(6)
        unit.mode = ("stand", "walk", "run", "jump")[pick(4)]
        unit.hexes_moved = pick(9)
        unit.gunnery = pick(6)
        unit.shutdown = pick(5) == 0
        unit.heat = pick(20)
        for _ in range(pick(4)):
            unit.mounts_lost |= 1 << pick(max(1, len(unit.spec.mounts)))
        for location in range(8):
            if not pick(12) and location > 1:
                unit.structure[location] = 0
            elif not pick(6) and location in (4, 5):
                unit.slots_hit[location] |= 1 << pick(4)
        for index in range(len(unit.ammo)):
            unit.ammo[index] = pick(4) if pick(3) else unit.ammo[index]
    state.touch()
    compared = damaging = 0
    for attacker in state.units:
        for target in state.enemies(attacker.side):
            if attacker.cell == target.cell:
                continue
            seen = frame(state, attacker, target)
            if seen.why or seen.c3 is not None:
                continue
            postures = [(twist, False) for twist in twists(attacker)] + [(0, True)] * can_flip_arms(attacker)
            for twist, flip in postures:
                bits = arc_bits(seen.bearing, attacker.facing, attacker.facing + twist) | FLIPPED * flip
                for heat in (999, pick(30)):
                    plain = volley(state, attacker, target, seen, twist=twist, flip=flip, heat=heat)
                    quick = arsenal.of(attacker).expected(bits, seen.distance, seen.common, heat)
                    assert quick == pytest.approx(plain), (seed, attacker.id, target.id, twist, flip, heat)
                    compared += 1
                    damaging += plain > 0
    return compared, damaging


def test_the_table_is_the_sum_over_the_weapons() -> None:
    compared = damaging = 0
    for seed in range(40):
        more, hits = _scatter(seed)
        compared += more
        damaging += hits
    assert compared > 2000
    assert damaging > 500


def test_the_units_own_part_of_the_common_modifiers() -> None:
    state = make_state(units=[{"id": "a", "at": "0505"}, {"id": "b", "side": 1, "at": "0508"}])
    unit = state.unit("a")
    for heat, sensors, wounds in ((0, 0, 0), (8, 0, 0), (13, 1, 0), (24, 0, 2)):
        unit.heat, unit.sensor_hits, unit.wounds = heat, sensors, wounds
        assert skill(unit) == frame(state, unit, state.unit("b")).common


def test_one_medium_laser_by_hand() -> None:
    spec = test_mech(weapons={"RA": ["is_medium_laser"]})
    state = make_state(units=[{"id": "a", "at": "0505", "spec": spec}])
    power = Firepower(state.unit("a"))
    # short range, 4 to hit: 33 in 36; medium range, 6: 26 in 36; 5 points of damage
    assert power.expected(AHEAD, 3, 4, 99) == pytest.approx(5 * 33 / 36)
    assert power.expected(AHEAD, 6, 4, 99) == pytest.approx(5 * 26 / 36)
    assert power.expected(AHEAD, 10, 4, 99) == 0.0
    # 3 heat
    assert power.expected(AHEAD, 3, 4, 2) == 0.0
    assert power.expected(AHEAD, 3, 4, 3) > 0.0
    # out of the arm's arc
    assert power.expected(arc_bits(12, 0, 0), 3, 4, 99) == 0.0


def test_heat_picks_the_weapon_that_does_more_for_it() -> None:
    # a PPC: 10 points for 10 heat; two medium lasers: 10 points for 6 heat
    spec = test_mech(weapons={"RA": ["is_ppc"], "LT": ["is_medium_laser", "is_medium_laser"]})
    state = make_state(units=[{"id": "a", "at": "0505", "spec": spec}])
    power = Firepower(state.unit("a"))
    assert power.heat == 16
    assert power.expected(AHEAD, 3, 2, 8) == pytest.approx(10)
    # at 9 hexes, long range: 6 to hit
    assert power.expected(AHEAD, 9, 2, 8) == pytest.approx(2 * 5 * 26 / 36)
    # with heat for all; the PPC at its minimum range of 3 has one more to hit
    assert power.expected(AHEAD, 3, 2, 16) == pytest.approx(10 + 10 * 35 / 36)


def test_tables_are_shared_by_what_they_depend_on() -> None:
    spec = test_mech(weapons={"RA": ["is_medium_laser"]})
    state = make_state(units=[{"id": "a", "at": "0505", "spec": spec}, {"id": "b", "side": 1, "at": "0508", "spec": spec}])
    arsenal = Arsenal()
    a, b = state.units
    assert arsenal.of(a) is arsenal.of(b)
    b.heat = 12
    assert arsenal.of(a) is arsenal.of(b)
    b.mounts_lost = 1
    assert arsenal.of(a) is not arsenal.of(b)
    assert arsenal.of(b).expected(AHEAD, 1, 4, 99) == 0.0
