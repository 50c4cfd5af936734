"""What must hold of damage whatever happens: nothing negative, nothing lost or made, copies apart, the dead stay dead."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from opfor.dice import FedDice, RecordedDice, SeededDice
from opfor.rules.harm.criticals import hittable_slots, roll_criticals
from opfor.rules.harm.damage import apply_damage, apply_in_groups, damage_structure
from opfor.rules.harm.hit_locations import SIDES
from opfor.rules.pilots.falls import fall, fall_damage
from opfor.rules.pilots.heat import settle_heat
from opfor.rules.pilots.piloting_rolls import resolve_phase_rolls
from opfor.rules.play import Play
from opfor.rules.shooting.cluster import cluster_hits
from opfor.units.state import UnitState
from tests.support import make_state

MECHS: list[dict[str, Any]] = [
    {},
    {
        "quad": True,
        "tons": 80,
        "weapons": {"RT": ["is_ac10"], "LT": ["is_lrm10"]},
        "ammo": {"RT": ["IS Ammo AC/10"], "LT": ["IS Ammo LRM-10"]},
    },
    {
        "tons": 75,
        "engine": "xl_is",
        "jump": 4,
        "weapons": {"RA": ["is_gauss"], "LT": ["is_medium_laser"] * 2},
        "ammo": {"RT": ["IS Ammo Gauss"]},
    },
    {
        "heat_sinks": 14,
        "equipment": {"RT": ["Heat Sink"] * 3, "LT": ["Heat Sink"] * 3},
        "weapons": {"RA": ["is_srm4"]},
        "ammo": {"LA": ["IS Ammo SRM-4"]},
    },
]

mechs = st.sampled_from(MECHS)
seeds = st.integers(0, 2**32)
hits = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 30), st.booleans(), st.booleans(), st.booleans()), max_size=12)


def play_of(mech: dict[str, Any], seed: int) -> tuple[Play, UnitState]:
    state = make_state(units=[{"id": "a", "at": "0805", "mech": mech}])
    return Play(state, SeededDice(seed)), state.units[0]


def check_sound(unit: UnitState) -> None:
    spec = unit.spec
    assert min(unit.armor) >= 0 and min(unit.structure) >= 0 and min(unit.ammo, default=0) >= 0
    assert all(have <= full for have, full in zip(unit.armor, spec.armor, strict=True))
    assert all(have <= full for have, full in zip(unit.structure, spec.structure, strict=True))
    assert 0 <= unit.sinks_lost <= spec.sinks and 0 <= unit.jets_lost <= spec.jump
    if unit.structure[2] == 0:
        assert unit.structure[4] == 0
    if unit.structure[3] == 0:
        assert unit.structure[5] == 0
    if unit.structure[1] == 0 or unit.structure[0] == 0 or unit.engine_hits >= 3:
        assert unit.destroyed
    for mount in spec.mounts:
        if unit.structure[mount.location] == 0:
            assert unit.mounts_lost >> mount.index & 1
    for location in range(8):
        if unit.structure[location] == 0:
            assert unit.armor[location] == 0 and hittable_slots(unit, location) == 0


@given(mechs, hits, seeds)
@settings(max_examples=150, deadline=None)
def test_sound_and_conserved(mech: dict[str, Any], blows: list[tuple[int, int, bool, bool, bool]], seed: int) -> None:
    """Points dealt are points marked off (by the events) and points reported back, whatever chain of blows falls."""
    play, unit = play_of(mech, seed)
    for location, points, rear, critical, inside in blows:
        start = len(play.events)
        phase = unit.damage_this_phase
        if inside:
            wasted = damage_structure(play, unit, location, points, source="blow")
        else:
            wasted = apply_damage(play, unit, location, points, rear=rear, critical=critical, source="blow")
        marked = {"blow": 0, "all": 0}
        for event in play.events[start:]:
            if event.what == "damage":
                taken = event.data["armor"] + event.data["structure"]
                marked["all"] += taken
                if event.data["source"] == "blow":
                    marked["blow"] += taken
        assert marked["blow"] + wasted == points
        assert unit.damage_this_phase - phase == marked["all"]
        check_sound(unit)


@given(mechs, st.integers(0, 60), st.sampled_from(SIDES), st.booleans(), seeds)
@settings(max_examples=80, deadline=None)
def test_groups_conserve(mech: dict[str, Any], points: int, side: str, cover: bool, seed: int) -> None:
    play, unit = play_of(mech, seed)
    wasted = apply_in_groups(play, unit, points, side, "normal", cover=cover, source="blow")
    marked = sum(
        e.data["armor"] + e.data["structure"] for e in play.events if e.what == "damage" and e.data["source"] == "blow"
    )
    assert marked + wasted == points
    check_sound(unit)


@given(mechs, hits, seeds)
@settings(max_examples=50, deadline=None)
def test_copies_are_apart(mech: dict[str, Any], blows: list[tuple[int, int, bool, bool, bool]], seed: int) -> None:
    """What happens to a copy of the state leaves the original as it was."""
    play, unit = play_of(mech, seed)
    before = {name: str(getattr(unit, name)) for name in UnitState.__slots__ if name != "spec"}
    twin = Play(play.state.copy(), SeededDice(seed))
    for location, points, rear, critical, _ in blows:
        apply_damage(twin, twin.state.units[0], location, points, rear=rear, critical=critical)
    fall(twin, twin.state.units[0], levels=1)
    resolve_phase_rolls(twin)
    settle_heat(twin)
    assert {name: str(getattr(unit, name)) for name in UnitState.__slots__ if name != "spec"} == before


@given(mechs, hits, seeds)
@settings(max_examples=50, deadline=None)
def test_recorded_dice_replay(mech: dict[str, Any], blows: list[tuple[int, int, bool, bool, bool]], seed: int) -> None:
    """The dice of one run, given back one by one, make the same events: chance comes from nowhere else."""

    def run(dice: SeededDice | FedDice) -> Play:
        state = make_state(units=[{"id": "a", "at": "0805", "mech": mech}])
        play = Play(state, dice)
        for location, points, rear, critical, _ in blows:
            apply_damage(play, state.units[0], location, points, rear=rear, critical=critical)
        resolve_phase_rolls(play)
        return play

    first = run(SeededDice(seed))
    again = run(RecordedDice(first.dice.log))
    assert [e.as_dict() for e in first.events] == [e.as_dict() for e in again.events]


@given(mechs, seeds)
@settings(max_examples=50, deadline=None)
def test_criticals_end(mech: dict[str, Any], seed: int) -> None:
    """Any number of critical rolls ends, in a unit with fewer slots each time, and never takes the same slot twice."""
    play, unit = play_of(mech, seed)
    for location in (1, 2, 3, 4, 5, 6, 7) * 6:
        roll_criticals(play, unit, location)
        check_sound(unit)
    taken = [(e.data["location"], e.data["slot"]) for e in play.events if e.what == "critical"]
    assert len(taken) == len(set(taken))


@given(st.integers(1, 120), st.integers(2, 12), st.integers(-6, 6))
def test_cluster_bounds(column: int, roll: int, modifier: int) -> None:
    hits = cluster_hits(column, roll, modifier)
    assert 1 <= hits <= column
    assert hits <= cluster_hits(column, roll, modifier + 1)


@given(st.integers(10, 100), st.integers(0, 9), st.integers(0, 3))
def test_falls_grow(tons: int, levels: int, depth: int) -> None:
    assert sum(fall_damage(tons, levels, depth)) <= sum(fall_damage(tons, levels + 1, depth))
    assert sum(fall_damage(tons, levels, depth)) <= sum(fall_damage(tons, levels, 0))
