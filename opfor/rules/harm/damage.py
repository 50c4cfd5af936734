"""Damage: armour, structure, what goes on inward, what is lost with a location. Rule: S-5."""

from __future__ import annotations

from opfor.rules.harm import criticals
from opfor.rules.harm.destruction import destroy
from opfor.rules.harm.hit_locations import roll_hit_location, transfer_of
from opfor.rules.kinds import kind_of
from opfor.rules.pilots import pilots
from opfor.rules.pilots.piloting import need_roll
from opfor.rules.play import Play
from opfor.tables import table
from opfor.units.spec import ARMS, CT, HD, REAR_ARMOR
from opfor.units.state import UnitState

RULE = "S-5"


def apply_damage(
    play: Play,
    target: UnitState,
    location: int,
    points: int,
    *,
    rear: bool = False,
    critical: bool = False,
    motive: str = "",
    rule: str = RULE,
    source: str = "",
) -> int:
    """Deal ``points`` to one location; what it cannot hold goes on inward. Returns the points that found nothing to damage.

    ``rear``: torsos take it on their rear armour. ``critical``: a critical roll follows even if no structure is damaged.
    Each location whose structure is damaged and holds takes one critical roll. Damage to the head hurts the pilot. Adds
    to ``target.damage_this_phase``. A destroyed unit takes nothing. Units that are no 'Mechs: :mod:`opfor.rules.kinds`;
    ``motive`` is the side struck where the hit may damage a vehicle's motive system.
    """
    otherwise = kind_of(target).apply_damage
    if otherwise is not None:
        marks = {"motive": motive} if motive else {}
        return otherwise(play, target, location, points, rear=rear, critical=critical, rule=rule, source=source, **marks)
    return _strike(play, target, location, points, rear, critical, False, rule, source)


def damage_structure(play: Play, target: UnitState, location: int, points: int, *, rule: str = RULE, source: str = "") -> int:
    """Deal ``points`` from inside, as an explosion does: structure only, onward inward past any armour.

    CASE in a location lets what the location cannot hold out through its back. Returns the points lost that way or for
    want of anything to damage.
    """
    otherwise = kind_of(target).damage_structure
    if otherwise is not None:
        return otherwise(play, target, location, points, rule=rule, source=source)
    return _strike(play, target, location, points, False, False, True, rule, source)


def apply_in_groups(
    play: Play,
    target: UnitState,
    points: int,
    side: str,
    hit_table: str,
    group: int = 0,
    *,
    cover: bool = False,
    rule: str = RULE,
    source: str = "",
) -> int:
    """Deal ``points`` in groups (the table's five points unless given), each with its own hit location. Rule: S-5.

    Stops when the target is destroyed. Returns the points that found nothing to damage, those on cover included.
    """
    size = group or int(table("hit_locations")["group"])
    wasted = 0
    while points > 0 and not target.destroyed:
        part = min(size, points)
        points -= part
        hit = roll_hit_location(play, target, side, hit_table, cover=cover, source=source)
        if hit.covered:
            name = target.spec.location_name(hit.location)
            play.emit("cover_struck", target, "S-4", location=name, damage=part)
            wasted += part
            continue
        wasted += apply_damage(
            play, target, hit.location, part, rear=hit.rear, critical=hit.critical, motive=hit.motive, rule=rule, source=source
        )
    return wasted + max(0, points)


def _strike(
    play: Play,
    target: UnitState,
    location: int,
    points: int,
    rear: bool,
    critical: bool,
    inside: bool,
    rule: str,
    source: str,
) -> int:
    armor, structure, spec = target.armor, target.structure, target.spec
    while points > 0 and not target.destroyed:
        held = structure[location]
        if held <= 0:
            location = transfer_of(target, location)
            if location < 0:
                break
            continue
        plate = REAR_ARMOR.get(location, location) if rear else location
        off = 0
        if not inside:
            off = min(armor[plate], points)
            armor[plate] -= off
        deep = min(held, points - off)
        structure[location] = held - deep
        points -= off + deep
        target.damage_this_phase += off + deep
        play.emit(
            "damage",
            target,
            rule,
            source=source,
            location=spec.locations[location],
            rear=rear and plate != location,
            armor=off,
            structure=deep,
            armor_left=armor[plate],
            structure_left=structure[location],
            goes_on=points,
        )
        if structure[location] <= 0:
            lose_location(play, target, location, "destroyed", rule)
            if inside and location in spec.case:
                play.emit("vented", target, RULE, location=spec.locations[location], damage=points)
                return points
        else:
            if location == HD and not inside:
                pilots.hurt_pilot(play, target, int(table("hit_locations")["head_pilot_hits"]), "head hit")
            if deep:
                criticals.roll_criticals(play, target, location)
            if critical:
                criticals.roll_criticals(play, target, location, why="through armour")
        critical = False
    return points


def lose_location(play: Play, unit: UnitState, location: int, why: str, rule: str = RULE) -> None:
    """A location is gone, with everything in it and everything that hangs on it. Rule: S-5.

    A lost leg makes the unit fall at the end of the phase, a lost head kills the pilot, a lost centre torso destroys the
    unit, and so do three engine hits, those in a lost side torso included.
    """
    engine, lost = unit.engine_hits, mark_location_lost(unit, location)
    spec = unit.spec
    play.emit("location_lost", unit, rule, location=spec.location_name(location), why=why, lost=lost)
    if unit.engine_hits > engine and location != CT:
        play.emit("engine_hit", unit, RULE, hits=unit.engine_hits, why="side torso lost")
    if location == CT:
        destroy(play, unit, "centre torso destroyed", rule)
        return
    if location == HD and (HD, "cockpit") in spec.slot_bits:
        pilots.kill_pilot(play, unit, "head destroyed")
        return
    for name in table("hit_locations")["hangs_on"].get(spec.location_name(location), ()):
        if name in spec.locations:
            hanging = spec.locations.index(name)
            if unit.structure[hanging] > 0:
                lose_location(play, unit, hanging, "fell off", rule)
    if location in unit.legs:
        need_roll(unit, "leg_destroyed")
    criticals.check_engine(play, unit)


def mark_location_lost(unit: UnitState, location: int) -> list[str]:
    """Write off a location and all in it, without consequences or events. Returns the names of what went with it. Rule: S-5."""
    spec = unit.spec
    unit.structure[location] = 0
    unit.armor[location] = 0
    if location in REAR_ARMOR:
        unit.armor[REAR_ARMOR[location]] = 0
    lost = []
    for mount in spec.mounts:
        if location in (mount.location, mount.split_location) and not unit.mounts_lost >> mount.index & 1:
            unit.mounts_lost |= 1 << mount.index
            lost.append(mount.name)
    for bin in spec.bins:
        if bin.location == location:
            unit.ammo[bin.index] = 0
            lost.append(bin.name)
    for item in spec.equipment:
        if item.location == location and not unit.equipment_lost >> item.index & 1:
            unit.equipment_lost |= 1 << item.index
            lost.append(item.name)
    # actuators are not marked: that they are gone is told by the location's structure
    systems = ("engine", "gyro", "sensors", "life_support", "heat_sink", "jump_jet")
    for index, slot in enumerate(spec.slots[location]):
        if slot.kind in systems and not unit.slots_hit[location] >> index & 1:
            already = criticals.count_slot(unit, location, index)
            if not already and slot.kind in ("heat_sink", "jump_jet"):
                lost.append(slot.name)
    if location in ARMS:
        unit.club = ""
    return lost
