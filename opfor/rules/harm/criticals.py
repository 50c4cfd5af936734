"""Critical hits: the roll, the slot, and what each component's loss does. Rule: S-5."""

from __future__ import annotations

from opfor.rules.harm import damage, explosions
from opfor.rules.harm.destruction import destroy
from opfor.rules.harm.hit_locations import transfer_of
from opfor.rules.kinds import kind_of
from opfor.rules.pilots import pilots
from opfor.rules.pilots.piloting import gyro_steps, need_roll
from opfor.rules.play import Play
from opfor.tables import table
from opfor.units.spec import ARMS, HD
from opfor.units.state import UnitState

RULE = "S-5"
#: reason for a piloting roll, by actuator
_LEG_ROLLS = {"hip": "hip_hit", "upper_leg": "leg_actuator_hit", "lower_leg": "leg_actuator_hit", "foot": "leg_actuator_hit"}


def roll_criticals(play: Play, unit: UnitState, location: int, *, modifier: int = 0, why: str = "") -> int:
    """Roll for critical hits on a location and apply them. Returns how many there were. Rule: S-5.

    The highest result takes a limb or the head off. ``why`` tells a roll through armour from one for damaged structure.
    """
    otherwise = kind_of(unit).roll_criticals
    if otherwise is not None:
        return otherwise(play, unit, location, modifier=modifier, why=why)
    if unit.destroyed or unit.structure[location] <= 0:
        return 0
    rules = table("criticals")
    name = unit.spec.location_name(location)
    roll = play.roll_2d6(f"{unit.id}: critical hits on {name}")
    result = min(12, max(2, roll.total + modifier))
    off = result >= rules["blown_off"] and (location == HD or location in ARMS or location in unit.legs)
    hits = 0 if off else int(rules["roll"][result])
    play.emit(
        "critical_roll", unit, RULE, location=name, why=why, dice=list(roll.dice), modifier=modifier, hits=hits, blown_off=off
    )
    if off:
        damage.lose_location(play, unit, location, "blown off")
        return 0
    for _ in range(hits):
        # what an explosion has torn off can take no further hit of the same roll
        if unit.destroyed or unit.structure[location] <= 0:
            break
        _hit_some_slot(play, unit, location)
    return hits


def hittable_slots(unit: UnitState, location: int) -> int:
    """Bit mask of the slots of a location that a critical hit can take; 0 for a lost location. Rule: S-5."""
    if unit.structure[location] <= 0:
        return 0
    hit = unit.slots_hit[location]
    mask = 0
    for index, slot in enumerate(unit.spec.slots[location]):
        if slot.hittable and not hit >> index & 1:
            mask |= 1 << index
    return mask


def _hit_some_slot(play: Play, unit: UnitState, location: int) -> None:
    """One critical hit on a slot of the location, or of the next one inward that has any left. Rule: S-5."""
    start = location
    while location >= 0 and not hittable_slots(unit, location):
        location = transfer_of(unit, location)
    if location != start:
        to = unit.spec.location_name(location) if location >= 0 else ""
        play.emit("critical_transfer", unit, RULE, location=unit.spec.location_name(start), to=to)
    if location >= 0:
        hit_slot(play, unit, location, choose_slot(play, unit, location))


def choose_slot(play: Play, unit: UnitState, location: int) -> int:
    """Roll which of a location's slots is hit: upper or lower half, then the slot; again until one can be hit. Rule: S-5.

    No die is thrown for what cannot come out otherwise: the half when the other has nothing left, the slot when it is the
    last one. The location must have a slot that can be hit.
    """
    mask = hittable_slots(unit, location)
    if mask & (mask - 1) == 0:
        return mask.bit_length() - 1
    name = unit.spec.location_name(location)
    upper, lower = mask & 0x3F, mask >> 6
    while True:
        base = 0 if not lower else 6
        if upper and lower:
            die = play.roll(1, f"{unit.id}: critical on {name}, upper half (1 to 3) or lower half (4 to 6)").dice[0]
            base = 0 if die <= 3 else 6
        half = "lower" if base else "upper"
        index = base + play.roll(1, f"{unit.id}: critical on {name}, slot of the {half} half").dice[0] - 1
        if mask >> index & 1:
            return index


def count_slot(unit: UnitState, location: int, index: int) -> bool:
    """Mark a slot as destroyed and count what that costs the unit, without consequences or events. Rule: S-5.

    True when the item was already out of action by an earlier hit on another of its slots.
    """
    slot = unit.spec.slots[location][index]
    kind, ref = slot.kind, slot.ref
    bit = 1 << index
    earlier = unit.slots_hit[location] & ~bit
    already = False
    if kind in ("heat_sink", "jump_jet"):
        slots = unit.spec.slots[location]
        already = any(earlier >> i & 1 and s.kind == kind and s.ref == ref for i, s in enumerate(slots))
    unit.slots_hit[location] |= bit
    if kind == "weapon":
        already = bool(unit.mounts_lost >> ref & 1)
        unit.mounts_lost |= 1 << ref
    elif kind == "equipment":
        already = bool(unit.equipment_lost >> ref & 1)
        unit.equipment_lost |= 1 << ref
    elif kind == "ammo":
        unit.ammo[ref] = 0
    elif kind == "heat_sink":
        unit.sinks_lost += not already
    elif kind == "jump_jet":
        unit.jets_lost += not already
    elif kind == "engine":
        unit.engine_hits += 1
    elif kind == "gyro":
        unit.gyro_hits += 1
    elif kind == "sensors":
        unit.sensor_hits += 1
    elif kind == "life_support":
        unit.life_support_hits += 1
    elif kind == "cockpit":
        unit.cockpit_hit = True
    return already


def hit_slot(play: Play, unit: UnitState, location: int, index: int) -> None:
    """A critical hit on one slot, with all that follows from it. Rule: S-5."""
    spec = unit.spec
    slot = spec.slots[location][index]
    kind = slot.kind
    shots = unit.ammo[slot.ref] if kind == "ammo" else 0
    gyro = gyro_steps(unit)
    already = count_slot(unit, location, index)
    place = spec.location_name(location)
    name = spec.mounts[slot.ref].name if kind == "weapon" else slot.name
    play.emit("critical", unit, RULE, location=place, slot=index + 1, kind=kind, name=name, already=already)
    if kind == "weapon":
        weapon = spec.mounts[slot.ref].weapon
        if weapon.explodes and not already:
            explosions.explode_weapon(play, unit, slot.ref, location)
    elif kind == "ammo":
        explosions.explode_bin(play, unit, slot.ref, shots, "critical hit")
    elif kind == "engine":
        check_engine(play, unit)
    elif kind == "gyro":
        steps = gyro_steps(unit)
        if steps != gyro and steps:
            need_roll(unit, "gyro_hit" if steps < table("criticals")["destroyed_at"]["gyro"] else "gyro_destroyed")
    elif kind == "cockpit":
        pilots.kill_pilot(play, unit, "cockpit hit")
    elif kind in _LEG_ROLLS:
        need_roll(unit, _LEG_ROLLS[kind])
    elif kind in ("hand", "shoulder") and unit.club:
        unit.club = ""


def check_engine(play: Play, unit: UnitState) -> None:
    """The unit is destroyed when its engine has taken too many hits. Rule: S-5."""
    if unit.engine_hits >= table("criticals")["destroyed_at"]["engine"]:
        destroy(play, unit, "engine destroyed", RULE)
