"""Damage as derived and as written: what hit slots and lost locations mean, and a unit's damage by name. Rule: S-5.

Only what the rules do not derive is written; :mod:`opfor.formats.battle_file.battle_units` reads it back through the same
derivation.
"""

from __future__ import annotations

from typing import Any

from opfor.formats.battle_file import battle_conditions
from opfor.formats.names import ammo_label, armor_name, mount_labels, slot_names
from opfor.rules.harm.criticals import count_slot
from opfor.rules.harm.damage import mark_location_lost
from opfor.rules.pilots.wounds import kills
from opfor.tables import table
from opfor.units.spec import CT, HD, UnitSpec
from opfor.units.state import UnitState

#: pilot hits that kill
PILOT_KILLED = 6
#: counts that follow from the damage, and that ``damage.systems`` may correct
COUNTS = (
    "engine_hits",
    "gyro_hits",
    "sensor_hits",
    "life_support_hits",
    "sinks_lost",
    "jets_lost",
    "mounts_lost",
    "equipment_lost",
    "cockpit_hit",
)


def mark_damage(unit: UnitState, structure_left: dict[int, int], slots: dict[int, int]) -> None:
    """Put structure and hit slots on an undamaged unit, with all that the rules derive from them. Rule: S-5.

    What hangs on a lost location goes with it, unless ``structure_left`` names it. Nothing is rolled and nothing explodes.
    """
    for location, left in structure_left.items():
        unit.structure[location] = left
    for location, mask in slots.items():
        for index in range(len(unit.spec.slots[location])):
            if mask >> index & 1 and not unit.slots_hit[location] >> index & 1:
                count_slot(unit, location, index)
    for location in range(len(unit.structure)):
        if unit.structure[location] <= 0 < unit.spec.structure[location]:
            _write_off(unit, location)
            for name in hangs_on(unit.spec, location):
                if name not in structure_left:
                    mark_location_lost(unit, name)


def _write_off(unit: UnitState, location: int) -> None:
    """A lost location and what is in it; suits of battle armour share their weapons, which go with the last. Rule: S-5, S-9."""
    if unit.spec.is_mech:
        mark_location_lost(unit, location)
        return
    unit.structure[location] = 0
    unit.armor[location] = 0
    if unit.spec.is_vehicle:
        for mount in unit.spec.mounts:
            if mount.location == location:
                unit.mounts_lost |= 1 << mount.index


def hangs_on(spec: UnitSpec, location: int) -> list[int]:
    """Locations that are lost with another, as an arm with its side torso. Rule: S-5."""
    names = table("hit_locations")["hangs_on"].get(spec.locations[location], ())
    return [spec.locations.index(name) for name in names if name in spec.locations]


def cause_of_loss(unit: UnitState) -> str:
    """Why damage of this kind puts the unit out of the battle; empty when it does not. Rule: S-5."""
    if not unit.spec.is_mech:
        return battle_conditions.cause_of_loss(unit)
    if unit.structure[CT] <= 0:
        return "centre torso destroyed"
    if unit.structure[HD] <= 0:
        return "head destroyed"
    if unit.engine_hits >= table("criticals")["destroyed_at"]["engine"]:
        return "engine destroyed"
    if unit.cockpit_hit or unit.pilot_hits >= PILOT_KILLED or kills(unit):
        return "pilot killed"
    return ""


def damage_entry(unit: UnitState) -> dict[str, Any]:
    """Damage by name, empty when there is none."""
    spec = unit.spec
    damage: dict[str, Any] = {}
    own_counts = COUNTS if spec.is_mech else tuple(name for name in COUNTS if name not in ("sensor_hits", "mounts_lost"))
    structure: dict[str, Any] = {}
    losses = battle_conditions.losses_entry(unit)
    for location, whole in enumerate(spec.structure):
        if "troopers" in losses or spec.locations[location] in losses.get("suits", ()) or whole <= 0:
            continue
        if unit.structure[location] <= 0:
            structure[spec.locations[location]] = "gone"
            for hanging in hangs_on(spec, location):
                structure.setdefault(spec.locations[hanging], spec.structure[hanging] - unit.structure[hanging])
        elif unit.structure[location] != whole:
            structure[spec.locations[location]] = whole - unit.structure[location]
    # what reading this much gives: the rest is told as differences from it
    twin = UnitState(spec, unit.id, unit.side)
    mark_damage(twin, dict(enumerate(unit.structure)), {})
    slots = {location: mask & ~twin.slots_hit[location] for location, mask in enumerate(unit.slots_hit)}
    mark_damage(twin, {}, slots)
    armor = {
        armor_name(spec, i): whole - unit.armor[i]
        for i, whole in enumerate(spec.armor)
        if unit.armor[i] != twin.armor[i] and armor_name(spec, i) not in losses.get("suits", ())
    }
    if armor:
        damage["armor"] = armor
    if structure:
        damage["structure"] = structure
    criticals = {spec.locations[location]: slot_names(spec, location, mask) for location, mask in slots.items() if mask}
    if criticals:
        damage["criticals"] = criticals
    ammo: dict[str, Any] = {}
    for b in spec.bins:
        bins = [other for other in spec.bins if other.kind == b.kind]
        if any(unit.ammo[other.index] != twin.ammo[other.index] for other in bins):
            rounds = [unit.ammo[other.index] for other in bins]
            ammo[ammo_label(spec, b.kind)] = rounds[0] if len(rounds) == 1 and rounds[0] <= twin.ammo[b.index] else rounds
    if ammo:
        damage["ammo"] = ammo
    if unit.jammed:
        damage["jammed"] = mount_labels(spec, unit.jammed)
    if unit.one_shot_used:
        damage["used"] = mount_labels(spec, unit.one_shot_used)
    if not spec.is_mech and unit.mounts_lost & ~twin.mounts_lost:
        damage["weapons"] = mount_labels(spec, unit.mounts_lost & ~twin.mounts_lost)
    systems: dict[str, Any] = {name: getattr(unit, name) for name in own_counts if getattr(unit, name) != getattr(twin, name)}
    masks = {spec.locations[i]: mask for i, mask in enumerate(unit.slots_hit) if mask != twin.slots_hit[i]}
    if masks:
        systems["slots_hit"] = masks
    if not spec.is_mech and twin.mounts_lost & ~unit.mounts_lost:
        systems["mounts_lost"] = unit.mounts_lost
        damage.pop("weapons", None)
    if systems:
        damage["systems"] = systems
    damage.update(losses)
    damage.update(battle_conditions.condition_entry(unit))
    return damage
