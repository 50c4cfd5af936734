"""What must hold of vehicles whatever happens to them: damage conserved, nothing negative, the walk down the column plain."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opfor.dice import SeededDice
from opfor.rules.harm.damage import apply_damage, apply_in_groups
from opfor.rules.harm.hit_locations import SIDES
from opfor.rules.play import Play
from opfor.rules.vehicles import crews, motive, vehicle_criticals, vtol
from opfor.rules.vehicles.crew_conditions import KILLED
from opfor.rules.vehicles.vehicle_damage import hit_column
from opfor.tables import table
from opfor.units.spec import ROTOR, TURRET
from opfor.units.state import UnitState
from tests.support import make_state

#: without anything aboard that could explode
HARMLESS: list[dict[str, Any]] = [
    {"vehicle": {"weapons": {"FR": ["is_medium_laser"], "TU": ["is_large_laser", "is_small_laser"]}}},
    {"vehicle": {"motive": "hover", "turret": False, "tons": 25, "weapons": {"FR": ["is_srm4"]}, "cargo": 1}},
    {"vehicle": {"motive": "wheeled", "tons": 60, "engine": "fusion", "troop_space": 5}},
]
EVERY = [
    *HARMLESS,
    {"vehicle": {"tons": 80, "weapons": {"TU": ["is_ac20"]}, "ammo": ["IS Ammo AC/20", "IS Ammo AC/20"]}},
    {"vehicle": {"weapons": {"TU": ["is_gauss"]}, "ammo": ["IS Gauss Ammo"], "equipment": {"BD": ["CASE"]}}},
    {"vtol": {"weapons": {"FR": ["is_medium_laser"]}}, "elevation": 3},
    {"vtol": {"tons": 30, "engine": "fusion", "weapons": {"LS": ["is_srm2"]}, "ammo": ["IS Ammo SRM-2"]}, "elevation": 6},
    {"vtol": {"troop_space": 2}, "elevation": 0},
]
GROUNDS = ["clear", "light woods", "water 1", "rough", "mud"]
hits = st.lists(
    st.tuples(st.integers(1, 5), st.integers(0, 25), st.booleans(), st.sampled_from(["", *SIDES])), min_size=1, max_size=12
)
seeds = st.integers(0, 2**32)


def play_of(unit: dict[str, Any], seed: int, ground: str = "clear", **changes: Any) -> tuple[Play, UnitState]:
    entry = {"elevation": 0} | unit | {"id": "a", "at": "0805"}
    state = make_state(board={"0805": ground}, units=[entry], ruleset={"vtol_motive_roll": "on"})
    for key, value in changes.items():
        setattr(state.units[0], key, value)
    return Play(state, SeededDice(seed)), state.units[0]


def points(unit: UnitState) -> int:
    return sum(unit.armor) + sum(unit.structure)


def check_sound(unit: UnitState) -> None:
    spec = unit.spec
    assert min(unit.armor) >= 0 and min(unit.structure) >= 0 and min(unit.ammo, default=0) >= 0
    assert all(have <= full for have, full in zip(unit.armor, spec.armor, strict=True))
    assert all(have <= full for have, full in zip(unit.structure, spec.structure, strict=True))
    assert 0 <= unit.cruise_lost <= spec.walk
    assert unit.sensor_hits <= table("vehicles")["criticals"]["sensors_blind"]
    assert not unit.prone and not unit.psr and unit.pilot_hits == 0
    for location, (left, full) in enumerate(zip(unit.structure, spec.structure, strict=True)):
        # a location that the unit was built with is gone: so is the vehicle; a VTOL without its rotor lies on the ground
        if full and not left:
            assert unit.destroyed or (spec.kind == "vtol" and location == ROTOR and unit.immobilized and unit.elevation == 0)
    if unit.crew & KILLED:
        assert not unit.conscious
    if not unit.destroyed and spec.kind == "vtol" and (unit.immobilized or not unit.conscious):
        assert unit.elevation == 0
    if unit.turret_jams > 1:
        assert unit.turret == 2


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(HARMLESS), hits, seeds)
def test_damage_is_conserved(unit: dict[str, Any], blows: list[tuple[int, int, bool, str]], seed: int) -> None:
    play, a = play_of(unit, seed)
    for location, dealt, critical, side in blows:
        if not a.spec.structure[location]:
            continue
        before, dead = points(a), bool(a.destroyed)
        wasted = apply_damage(play, a, location, dealt, critical=critical, motive=side)
        assert 0 <= wasted <= dealt
        if dead:
            assert wasted == dealt and points(a) == before
        elif not a.destroyed:
            assert before - points(a) == dealt - wasted
            assert wasted == 0
        check_sound(a)
    dealt_by_events = sum(e.data["armor"] + e.data["structure"] for e in play.events if e.what == "damage")
    assert dealt_by_events == a.damage_this_phase


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(EVERY), st.sampled_from(GROUNDS), hits, seeds)
def test_sound_whatever_happens(unit: dict[str, Any], ground: str, blows: list[tuple[int, int, bool, str]], seed: int) -> None:
    if unit.get("elevation") == 0 and ground == "water 1":
        return
    play, a = play_of(unit, seed, ground)
    copied = a.copy()
    for location, dealt, critical, side in blows:
        if a.spec.structure[location]:
            apply_damage(play, a, location, dealt, critical=critical, motive=side)
        apply_in_groups(play, a, dealt, side or "front", "normal")
        check_sound(a)
        crews.recover_crews(play)
    assert copied.armor == list(a.spec.armor) and copied.crew == 0 and copied.cruise_lost == 0


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(EVERY), st.integers(0, 2**16), st.integers(2, 12), seeds)
def test_the_walk_down_is_plain(unit: dict[str, Any], marks: int, roll: int, seed: int) -> None:
    """The result is the first that applies, from the one rolled on down and round, whatever has been hit before."""
    play, a = play_of(unit, seed)
    rows = table("vehicles")["criticals"]
    a.sensor_hits = marks & 4
    a.engine_dead = bool(marks & 8)
    a.stabilizers = marks >> 4 & 63
    a.turret = marks >> 10 & 1 and 2
    a.flight_stabilizer = bool(marks & 1)
    a.mounts_lost = marks >> 11 & 3
    for location in range(1, 6):
        if not a.spec.structure[location]:
            continue
        column = rows[a.spec.kind][vehicle_criticals.column_of(a, location)]
        rolled, result = vehicle_criticals.settle(play, a, location, roll)
        if roll < rows["first"]:
            assert (rolled, result) == ("", "")
            continue
        start = roll - rows["first"]
        assert rolled == column[start]
        around = column[start:] + column[:start]
        names = [name for entry in around for name in (entry, rows["instead"].get(entry, "")) if name]
        hit = vehicle_criticals._Hit(a, location, 0)
        expected = next((name for name in names if vehicle_criticals._EFFECTS[name].applies(play, hit)), "")
        assert result == expected


@pytest.mark.parametrize("number", range(len(EVERY)))
def test_every_hit_is_on_the_vehicle(number: int) -> None:
    a = play_of(EVERY[number], 0)[1]
    for side in SIDES:
        for hit in hit_column(a.spec.kind, a.spec.turret, side):
            assert a.spec.structure[hit.location] > 0
            assert hit.motive in ("", side)
            if hit.location == TURRET:
                assert a.spec.turret or a.spec.kind == "vtol"


@given(st.integers(1, 12), st.lists(st.sampled_from(["minor", "moderate", "heavy", "none"]), max_size=12))
def test_cruise_only_falls(cruise: int, effects: list[str]) -> None:
    play, a = play_of({"vehicle": {"cruise": cruise, "tons": 20}}, 1)
    for effect in effects:
        before = motive.cruise_left(a)
        motive.damage_motive(play, a, effect)
        left = motive.cruise_left(a)
        assert left == {"minor": before, "none": before, "moderate": max(0, before - 1), "heavy": -(-before // 2)}[effect]
        assert a.immobilized == (left == 0)


@given(st.integers(1, 60), st.integers(0, 12))
def test_crash_damage(tons: int, levels: int) -> None:
    assert vtol.crash_damage(tons, levels) == sum([-(-tons // 10)] * (levels + 1))


@given(st.integers(1, 40), seeds)
def test_picks_evenly(count: int, seed: int) -> None:
    play, _ = play_of({"vehicle": {}}, seed)
    assert 0 <= vehicle_criticals.pick_evenly(play, count, "test") < count
