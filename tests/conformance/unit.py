"""Whether a unit's spec holds together: armour, slots, what they refer to, weapons, ammunition, heat sinks. Rule: S-5."""

from __future__ import annotations

import math
from collections.abc import Iterable

from opfor.tables import table
from opfor.units.spec import (
    ARMOR_COUNT,
    ARMS,
    CT,
    HD,
    LEGS,
    LOCATION_COUNT,
    REAR_ARMOR,
    TORSOS,
    UnitSpec,
)
from tests.conformance import NonConforming, demand

_SYSTEMS = ("engine", "gyro", "cockpit", "life_support", "sensors")
_MOUNTED = ("weapon", "ammo", "heat_sink", "jump_jet", "equipment")


def check_unit(spec: UnitSpec) -> None:
    """Hold a unit against what every rule takes for granted. Raises :class:`tests.conformance.NonConforming`."""
    try:
        _check_frame(spec)
        _check_armor(spec)
        _check_slots(spec)
        _check_mounts(spec)
        _check_ammunition(spec)
        _check_sinks_and_jets(spec)
    except NonConforming as wrong:
        raise NonConforming(f"{spec.name}: {wrong}") from None


def _check_frame(spec: UnitSpec) -> None:
    rules = table("structure")
    demand(bool(spec.name) and spec.name == f"{spec.chassis} {spec.model}".strip(), "its name is not chassis and model")
    demand(spec.tons in rules["by_tons"], spec.tons, "tons is no weight of a 'Mech")
    head, centre, side, arm, leg = rules["by_tons"][spec.tons]
    front = leg if spec.quad else arm
    demand(spec.structure == (head, centre, side, side, front, front, leg, leg), "structure", spec.structure)
    demand(spec.walk >= 1, "walking MP", spec.walk)
    demand(spec.run == math.ceil(spec.walk * rules["running"]), f"runs {spec.run} at a walk of {spec.walk}")
    demand(0 <= spec.jump <= spec.run, f"jumps {spec.jump} at a run of {spec.run}")
    demand(spec.engine in rules["engine_side_slots"], "engine", spec.engine)
    demand(spec.gyro in rules["gyros"] and spec.cockpit in rules["cockpits"], "gyro or cockpit", spec.gyro, spec.cockpit)
    demand(spec.tech in ("IS", "Clan", "mixed"), "tech base", spec.tech)
    demand(len(spec.locations) == LOCATION_COUNT == len(set(spec.locations)), "locations", spec.locations)


def _check_armor(spec: UnitSpec) -> None:
    rules = table("structure")["armor"]
    demand(len(spec.armor) == ARMOR_COUNT, len(spec.armor), "armour values")
    demand(min(spec.armor) >= 0, "negative armour", spec.armor)
    for place, name in enumerate(spec.locations):
        most = rules["head_maximum"] if place == HD else rules["times_structure"] * spec.structure[place]
        points = spec.armor[place] + (spec.armor[REAR_ARMOR[place]] if place in REAR_ARMOR else 0)
        demand(points <= most, f"{points} points of armour on {name}, at most {most}")


def _check_slots(spec: UnitSpec) -> None:
    sizes = table("structure")["slots"]
    demand(len(spec.slots) == LOCATION_COUNT, len(spec.slots), "locations with slots")
    bits: dict[tuple[int, str], int] = {}
    for place, slots in enumerate(spec.slots):
        name = spec.locations[place]
        legs = place in LEGS or (spec.quad and place in ARMS)
        size = sizes["head" if place == HD else "torso" if place in TORSOS else "leg" if legs else "arm"]
        demand(len(slots) == size, f"{name} has {len(slots)} slots, not {size}")
        for index, slot in enumerate(slots):
            bits[place, slot.kind] = bits.get((place, slot.kind), 0) | 1 << index
            lists = {
                "weapon": spec.mounts, "ammo": spec.bins, "heat_sink": spec.sink_locations, "jump_jet": spec.jet_locations,
                "equipment": spec.equipment,
            }  # fmt: skip
            if slot.kind in _MOUNTED:
                demand(0 <= slot.ref < len(lists[slot.kind]), f"{name} slot {index + 1} refers to {slot.kind} {slot.ref}")
        wanted = ("hip", "upper_leg", "lower_leg", "foot") if legs else ("shoulder", "upper_arm") if place in ARMS else ()
        for index, kind in enumerate(wanted):
            demand(slots[index].kind == kind, f"{name} slot {index + 1} holds {slots[index].kind}, not {kind}")
    demand(bits == spec.slot_bits, "slot_bits do not say what the slots hold")
    held = {kind for _, kind in bits}
    for kind in _SYSTEMS:
        demand(kind in held, "no slot of", kind)
    demand((CT, "engine") in bits and (CT, "gyro") in bits, "no engine or gyro in the centre torso")


def _places(spec: UnitSpec, kind: str) -> dict[int, dict[int, int]]:
    """Slots of each item of a kind: by reference, how many in which location."""
    found: dict[int, dict[int, int]] = {}
    for place, slots in enumerate(spec.slots):
        for slot in slots:
            if slot.kind == kind:
                counts = found.setdefault(slot.ref, {})
                counts[place] = counts.get(place, 0) + 1
    return found


def _numbered(items: Iterable[object], what: str) -> None:
    for number, item in enumerate(items):
        demand(getattr(item, "index", None) == number, f"{what} {number} calls itself {getattr(item, 'index', None)}")


def _check_mounts(spec: UnitSpec) -> None:
    _numbered(spec.mounts, "weapon")
    _numbered(spec.equipment, "equipment")
    places = _places(spec, "weapon")
    carried = {b.kind for b in spec.bins}
    for mount in spec.mounts:
        where = {mount.location} | ({mount.split_location} if mount.split_location >= 0 else set())
        demand(set(places.get(mount.index, ())) == where, f"{mount.name} stands in {places.get(mount.index)}, not in {where}")
        taken = sum(places[mount.index].values())
        demand(taken == mount.weapon.crits, f"{mount.name} takes {taken} slots, not {mount.weapon.crits}")
        demand(bool(mount.modes), f"{mount.name} cannot be fired in any way")
        demand(len({mode.name for mode in mount.modes}) == len(mount.modes), f"{mount.name} has two modes of one name")
        demand(not (mount.one_shot and any(mode.ammo for mode in mount.modes)), f"{mount.name} fires once and needs rounds")
        needy = [mode.ammo for mode in mount.modes if mode.ammo and mode.ammo not in carried]
        demand(not needy or len(mount.modes) == 1, f"{mount.name} has a mode without ammunition: {needy}")
        if mount.artemis >= 0:
            linked = spec.equipment[mount.artemis]
            demand(linked.kind == "artemis_iv", f"{mount.name} is linked to a {linked.kind}")
            demand(linked.location == mount.location, f"{mount.name} is linked to an Artemis IV elsewhere")
            demand("artemis_capable" in mount.weapon.flags, f"{mount.name} takes no Artemis IV")
    links = [mount.artemis for mount in spec.mounts if mount.artemis >= 0]
    demand(len(set(links)) == len(links), "two launchers share an Artemis IV")
    in_slots = _places(spec, "equipment")
    for item in spec.equipment:
        # triple-strength myomer fills structure slots, which are never hit
        if item.kind != "tsm":
            demand(item.location in in_slots.get(item.index, ()), f"{item.name} is not where it says: {item.location}")


def _check_ammunition(spec: UnitSpec) -> None:
    _numbered(spec.bins, "bin")
    places = _places(spec, "ammo")
    for bin in spec.bins:
        demand(places.get(bin.index) == {bin.location: 1}, f"{bin.name} takes slots {places.get(bin.index)}")
        demand(bin.shots > 0 or bin.name in spec.unmodelled, f"{bin.name} holds {bin.shots} shots")
        demand(bin.explosion_per_shot >= 0, f"{bin.name} explodes with {bin.explosion_per_shot}")
    demand(spec.case <= set(range(LOCATION_COUNT)), "CASE in", spec.case)


def _check_sinks_and_jets(spec: UnitSpec) -> None:
    rules = table("structure")["heat_sinks"]
    demand(spec.sink_rating in rules["rating"].values(), "heat sinks of rating", spec.sink_rating)
    demand(spec.heat_capacity == spec.sinks * spec.sink_rating, "heat capacity", spec.heat_capacity)
    inside = spec.engine_rating // rules["rating_per_sink"]
    low, high = len(spec.sink_locations), len(spec.sink_locations) + inside
    demand(low <= spec.sinks <= high, f"{spec.sinks} heat sinks, {low} in slots and room for {inside} in the engine")
    for kind, stated in (("heat_sink", spec.sink_locations), ("jump_jet", spec.jet_locations)):
        places = _places(spec, kind)
        demand(len(places) == len(stated), f"{len(places)} items of {kind} in slots, {len(stated)} stated")
        for ref, where in enumerate(stated):
            demand(where in places.get(ref, ()), f"{kind} {ref} is not in {spec.locations[where]}")
    demand(spec.jump == len(spec.jet_locations), f"{spec.jump} jumping MP with {len(spec.jet_locations)} jump jets")
