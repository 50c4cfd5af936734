"""Damage to ground vehicles and VTOLs: armour, structure, rotors, what is lost with them. Rules: E-15, E-28, S-5.

Nothing goes on inward: a vehicle whose structure gives way anywhere is destroyed, a VTOL without its rotor comes down.
:func:`opfor.rules.harm.damage.apply_damage` sends vehicles here.
"""

from __future__ import annotations

from functools import cache

from opfor.rules.harm.destruction import destroy
from opfor.rules.harm.hit_locations import Hit
from opfor.rules.kinds import Kind
from opfor.rules.moving.transport import carrier_lost
from opfor.rules.play import Play
from opfor.rules.turn.victory import disarmed
from opfor.rules.vehicles import motive as drives
from opfor.rules.vehicles import vehicle_criticals, vtol
from opfor.rules.vehicles.vehicle_tasks import do_task, tasks
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import FRONT, LEFT, REAR, RIGHT, ROTOR, TURRET
from opfor.units.state import UnitState

RULE = "E-15"
#: rules of a vehicle's end that nobody aboard survives: explosions and crashes; and ends in the water, whatever the rule
_NOBODY_GETS_OUT = frozenset({"E-18", "E-24", "E-29"})
_SUNK = frozenset({"sank", "drowned"})
_SIDES = {"front": FRONT, "rear": REAR, "left": LEFT, "right": RIGHT}
_PLACES = {"FR": FRONT, "RR": REAR, "LS": LEFT, "RS": RIGHT, "TU": TURRET, "RO": ROTOR}


@cache
def hit_column(kind: str, turret: bool, side: str) -> tuple[Hit, ...]:
    """The hits of a column, by 2d6 results 2 to 12. ``kind``: vehicle or vtol; ``side``: the side attacked. E-15, E-28.

    >>> [hit_column("vehicle", True, "front")[roll - 2].location == RIGHT for roll in (5, 9)]
    [True, False]
    """
    rows: dict[str, list[str]] = table("vehicles")["hit_locations"][kind]
    found = []
    for cell in rows.get(side, rows["side"]):
        name = cell[:2]
        place = _PLACES.get(name, _SIDES[side])
        if name == "TU" and not turret:
            place = _SIDES[side]
        found.append(Hit(place, critical="!" in cell, motive=side if "+" in cell else ""))
    return tuple(found)


def roll_hit_location(play: Play, unit: UnitState, side: str, hit_table: str, *, cover: bool = False, source: str = "") -> Hit:
    """Roll where a hit on a vehicle lands: 2d6, whatever the attack. Rules: E-15, E-28."""
    spec = unit.spec
    roll = play.roll_2d6(f"{unit.id}: hit location, {side} side" + (f", {source}" if source else ""))
    hit = hit_column(spec.kind, spec.turret, side)[roll.total - 2]
    play.emit(
        "hit_location",
        unit,
        RULE if spec.kind == "vehicle" else "E-28",
        table="normal",
        side=side,
        dice=list(roll.dice),
        location=spec.location_name(hit.location),
        rear=False,
        critical=hit.critical,
        covered=False,
        motive=bool(hit.motive),
    )
    return hit


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
    """Deal ``points`` to one location. Returns the points that damaged nothing.

    ``critical``: a critical roll even if armour holds; ``motive``: the side struck where the result may damage the motive
    system, "" where it does not. Damaged structure takes a critical roll of its own. A rotor takes a tenth, rounded up.
    Rules: E-15, E-16, E-28.
    """
    if target.destroyed or points <= 0:
        return max(0, points)
    vtol_rotor = location == ROTOR and target.spec.kind == "vtol"
    if vtol_rotor and target.lost(ROTOR):
        return points
    dealt = -(-points // int(table("vehicles")["rotor"]["divisor"])) if vtol_rotor else points
    off, deep = _strike(play, target, location, dealt, False, rule, source)
    if not target.destroyed and not target.lost(location):
        if deep:
            vehicle_criticals.roll_critical(play, target, location, points=points)
        if critical:
            vehicle_criticals.roll_critical(play, target, location, points=points, why="through armour")
    if vtol_rotor and not target.destroyed and not target.lost(ROTOR):
        drives.lose_cruise(play, target, int(table("vehicles")["rotor"]["cruise_lost"]), "E-28")
        if play.state.ruleset.vtol_motive_roll != "on":
            motive = ""
    if motive and not target.destroyed:
        drives.roll_motive(play, target, motive)
    return points - off - deep


def damage_structure(play: Play, target: UnitState, location: int, points: int, *, rule: str = RULE, source: str = "") -> int:
    """Deal ``points`` from inside, past the armour, as an explosion does. Returns the points that damaged nothing."""
    if target.destroyed or points <= 0:
        return max(0, points)
    _, deep = _strike(play, target, location, points, True, rule, source)
    if deep and not target.destroyed and not target.lost(location):
        vehicle_criticals.roll_critical(play, target, location, points=points)
    return points - deep


def _strike(play: Play, target: UnitState, location: int, points: int, inside: bool, rule: str, source: str) -> tuple[int, int]:
    """Take points off armour and structure; returns both. A location that gives way is lost, and what that means happens."""
    armor, structure = target.armor, target.structure
    off = 0 if inside else min(armor[location], points)
    deep = min(structure[location], points - off)
    armor[location] -= off
    structure[location] -= deep
    target.damage_this_phase += off + deep
    play.emit(
        "damage",
        target,
        rule,
        source=source,
        location=target.spec.locations[location],
        rear=False,
        armor=off,
        structure=deep,
        armor_left=armor[location],
        structure_left=structure[location],
        goes_on=points - off - deep,
    )
    if structure[location] <= 0:
        lose_location(play, target, location, "destroyed", rule)
    return off, deep


def lose_location(play: Play, unit: UnitState, location: int, why: str, rule: str = RULE) -> None:
    """A location's structure is gone: the vehicle is destroyed, a VTOL without its rotor comes down. E-15, E-24b, E-28."""
    if location == ROTOR and unit.spec.kind == "vtol":
        vtol.destroy_rotor(play, unit, why, rule)
        return
    name = unit.spec.location_name(location)
    unit.structure[location] = 0
    unit.armor[location] = 0
    play.emit("location_lost", unit, rule, location=name, why=why, lost=[])
    destroy(play, unit, "turret blown off" if location == TURRET else f"{name} destroyed", rule)


def crippled(state: State, unit: UnitState) -> str:
    """Why a vehicle counts as crippled, or "": it cannot move, its crew is dead, it is blind or without weapons. Rule: S-11."""
    rules = table("withdrawal")
    spec = unit.spec
    if not unit.conscious:
        return "crew killed"
    if unit.immobilized:
        return "cannot move"
    if unit.sensor_hits >= table("vehicles")["criticals"]["sensors_blind"]:
        return "sensors destroyed"
    hurt = [a < b for a, b in zip(unit.structure, spec.structure, strict=True)]
    if sum(hurt) >= rules["vehicle_locations_damaged"]:
        return f"structure of {rules['vehicle_locations_damaged']} locations damaged"
    return "no weapons left" if disarmed(unit) else ""


def remaining(unit: UnitState) -> tuple[int, int]:
    """Points of armour and structure left and when whole; nothing is left of a vehicle without a crew. Rules: S-11, E-21.

    The body, which nothing hits, does not count.
    """
    spec = unit.spec
    left = sum(unit.armor) + sum(unit.structure[FRONT:]) if unit.conscious else 0
    return left, sum(spec.armor) + sum(spec.structure[FRONT:])


def lost(play: Play, unit: UnitState, why: str, rule: str) -> None:
    """A vehicle has been destroyed: who rides in it gets out, but not of an explosion, a crash or deep water. Rule: S-9."""
    if unit.spec.troop_space:
        carrier_lost(play, unit, survivable=rule not in _NOBODY_GETS_OUT and why not in _SUNK)


def roll_criticals(play: Play, unit: UnitState, location: int, *, modifier: int = 0, why: str = "") -> int:
    """As :func:`opfor.rules.harm.criticals.roll_criticals`, for vehicles: 1 where something was hit, else 0. Rule: E-17."""
    return int(bool(vehicle_criticals.roll_critical(play, unit, location, modifier=modifier, why=why)))


KIND = Kind(
    roll_hit_location=roll_hit_location,
    apply_damage=apply_damage,
    damage_structure=damage_structure,
    roll_criticals=roll_criticals,
    destroyed=lost,
    crippled=crippled,
    remaining=remaining,
    tasks=tasks,
    do_task=do_task,
)
