"""Critical hits of ground vehicles and VTOLs: the roll, the walk down the column, every effect. Rules: E-17 to E-24c, E-29.

A result that does not apply (no such thing in that location, or hit already) gives way to the next one down the column, and
after the last the column goes on at its first; where nothing is left to hit the critical is ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from opfor.rules.harm import damage
from opfor.rules.harm.destruction import destroy
from opfor.rules.harm.explosions import bin_damage
from opfor.rules.harm.hit_locations import roll_hit_location
from opfor.rules.play import Play
from opfor.rules.vehicles import crews, motive, vehicle_damage, vtol
from opfor.rules.vehicles.crew_conditions import KILLED
from opfor.tables import table
from opfor.units.spec import LEFT, REAR, RIGHT, ROTOR, TURRET, Mount
from opfor.units.state import UnitState

RULE = "E-17"


class _Hit(NamedTuple):
    """What a critical hit is about: the unit, the location struck, the points of damage of the hit that caused it."""

    unit: UnitState
    location: int
    points: int


class _Effect(NamedTuple):
    """A result of the table: its rule, whether it applies, what it does."""

    rule: str
    applies: Callable[[Play, _Hit], bool]
    happens: Callable[[Play, _Hit], None]


def column_of(unit: UnitState, location: int) -> str:
    """The column of the critical table for a location: front, side, rear, turret or rotor. Rule: E-17, E-29."""
    if location == TURRET:
        return "rotor" if unit.spec.kind == "vtol" else "turret"
    return {LEFT: "side", RIGHT: "side", REAR: "rear"}.get(location, "front")


def roll_critical(play: Play, unit: UnitState, location: int, *, points: int = 0, modifier: int = 0, why: str = "") -> str:
    """Roll for a critical hit on a location and apply it; returns the result that came to pass, "" for none. Rule: E-17.

    ``points``: full damage of the hit that caused it, which infantry aboard would take.
    """
    if unit.destroyed or unit.structure[location] <= 0:
        return ""
    roll = play.roll_2d6(f"{unit.id}: critical hits on {unit.spec.location_name(location)}")
    total = min(12, max(2, roll.total + modifier))
    rolled, result = settle(play, unit, location, total)
    play.emit(
        "critical_roll",
        unit,
        RULE if unit.spec.kind == "vehicle" else "E-29",
        location=unit.spec.location_name(location),
        why=why,
        dice=list(roll.dice),
        modifier=modifier,
        hits=int(bool(result)),
        rolled=rolled,
        result=result,
        blown_off=False,
    )
    apply_critical(play, unit, location, result, points=points)
    return result


def settle(play: Play, unit: UnitState, location: int, total: int) -> tuple[str, str]:
    """What the table names for a result of 2 to 12, and what comes to pass once the column has been walked down. Rule: E-17."""
    rules = table("vehicles")["criticals"]
    column: list[str] = rules[unit.spec.kind][column_of(unit, location)]
    start = total - int(rules["first"])
    if start < 0:
        return "", ""
    hit = _Hit(unit, location, 0)
    for step in range(len(column)):
        result = column[(start + step) % len(column)]
        for name in (result, rules["instead"].get(result, "")):
            if name and _EFFECTS[name].applies(play, hit):
                return column[start], name
    return column[start], ""


def apply_critical(play: Play, unit: UnitState, location: int, result: str, *, points: int = 0) -> None:
    """Apply a result of the critical table, "" for none. Raises KeyError for an unknown one."""
    if not result:
        return
    effect = _EFFECTS[result]
    play.emit("vehicle_critical", unit, effect.rule, location=unit.spec.location_name(location), result=result)
    effect.happens(play, _Hit(unit, location, points))


# -- weapons ----------------------------------------------------------------------------------------------------------


def weapons_in(unit: UnitState, location: int, *, broken: bool = False) -> list[Mount]:
    """Weapons of a location that are not destroyed; those that malfunction only if ``broken``."""
    out = unit.mounts_lost if broken else unit.mounts_lost | unit.malfunctioned
    return [mount for mount in unit.spec.mounts if mount.location == location and not out >> mount.index & 1]


def worth(mount: Mount) -> tuple[int, int, int]:
    """How much a weapon is worth to whoever picks one to be destroyed: its damage at most, its reach, its place in the list."""
    weapon = mount.weapon
    return max(weapon.damage) * max(1, weapon.cluster), weapon.long, -mount.index


def pick_evenly(play: Play, count: int, why: str) -> int:
    """One of ``count`` things, all equally likely, by six-sided dice; no die for a single one."""
    dice = 1
    while 6**dice < count:
        dice += 1
    if count == 1:
        return 0
    fair: int = 6**dice // count * count
    while True:
        number = 0
        for die in play.roll(dice, why).dice:
            number = number * 6 + die - 1
        if number < fair:
            return number * count // fair


def _malfunction(play: Play, hit: _Hit) -> None:
    unit = hit.unit
    found = weapons_in(unit, hit.location)
    mount = found[pick_evenly(play, len(found), f"{unit.id}: weapon that malfunctions, 1 of {len(found)}")]
    unit.malfunctioned |= 1 << mount.index
    play.emit("malfunction", unit, "E-24c", weapon=mount.name, mount=mount.index)


def _destroy_weapon(play: Play, hit: _Hit) -> None:
    """The attacker takes the best weapon of the location, the owner gives up the worst, whoever the die lets pick."""
    unit = hit.unit
    found = sorted(weapons_in(unit, hit.location, broken=True), key=worth)
    dice: list[int] = []
    owner = True
    if len(found) > 1:
        roll = play.roll(1, f"{unit.id}: weapon destroyed, picked by its owner (1 to 3) or the attacker (4 to 6)")
        dice = list(roll.dice)
        owner = roll.total <= int(table("vehicles")["criticals"]["owner_picks"])
    mount = found[0] if owner else found[-1]
    unit.mounts_lost |= 1 << mount.index
    picked = "owner" if owner else "attacker"
    play.emit("weapon_destroyed", unit, "E-24c", weapon=mount.name, mount=mount.index, dice=dice, picked_by=picked)
    if mount.weapon.explodes:
        explode(play, unit, hit.location, mount.weapon.explodes, mount.name)


# -- explosions -------------------------------------------------------------------------------------------------------


def ammunition_damage(unit: UnitState) -> int:
    """Points of damage that all ammunition aboard would do. Rule: E-18."""
    return sum(bin_damage(unit, bin.index) for bin in unit.spec.bins)


def _ammunition(play: Play, hit: _Hit) -> None:
    unit = hit.unit
    points = ammunition_damage(unit)
    unit.ammo = [0] * len(unit.ammo)
    explode(play, unit, hit.location, points, "ammunition")


def explode(play: Play, unit: UnitState, location: int, points: int, name: str) -> None:
    """Something explodes inside: the structure of the location takes it all. With CASE it leaves through the rear armour,
    what that cannot hold is lost, and the crew is stunned. Rule: E-18."""
    case = bool(unit.spec.case)
    place = unit.spec.location_name(location)
    play.emit("explosion", unit, "E-18", location=place, name=name, why="critical hit", shots=0, damage=points, case=case)
    if not case:
        vehicle_damage.damage_structure(play, unit, location, points, rule="E-18", source=f"{name} explosion")
        return
    off = min(points, unit.armor[REAR])
    unit.armor[REAR] -= off
    unit.damage_this_phase += off
    rear = unit.spec.location_name(REAR)
    play.emit("vented", unit, "E-18", location=rear, damage=points - off, armor=off, armor_left=unit.armor[REAR])
    crews.stun_crew(play, unit, f"{name} explosion")


# -- everything else ---------------------------------------------------------------------------------------------------


def _crew(*hits: Callable[[Play, UnitState], None]) -> Callable[[Play, _Hit], None]:
    def happens(play: Play, hit: _Hit) -> None:
        for one in hits:
            one(play, hit.unit)

    return happens


def _crew_lives(play: Play, hit: _Hit) -> bool:
    return not hit.unit.crew & KILLED


def _engine(play: Play, hit: _Hit) -> None:
    unit = hit.unit
    unit.engine_dead = True
    if unit.spec.turret:
        unit.turret = 2
    motive.immobilize(play, unit, "engine hit", "E-24" if unit.spec.kind == "vehicle" else "E-29")


def _fuel_tank(play: Play, hit: _Hit) -> None:
    for rider in passengers(play, hit.unit):
        destroy(play, rider, "fuel tank of its carrier exploded", "E-24")
    hit.unit.cargo_lost = hit.unit.spec.cargo > 0
    destroy(play, hit.unit, "fuel tank exploded", "E-24")


def _stabilizer(play: Play, hit: _Hit) -> None:
    hit.unit.stabilizers |= 1 << hit.location


def _sensors(play: Play, hit: _Hit) -> None:
    hit.unit.sensor_hits += 1


def _blow_off_turret(play: Play, hit: _Hit) -> None:
    vehicle_damage.lose_location(play, hit.unit, TURRET, "blown off", "E-24b")


def _jam(play: Play, hit: _Hit) -> None:
    unit = hit.unit
    unit.turret_jams += 1
    if unit.turret_jams > 1:
        _lock(play, hit)
        return
    unit.turret = 1
    play.emit("turret_jammed", unit, "E-24b")


def _lock(play: Play, hit: _Hit) -> None:
    hit.unit.turret = 2
    play.emit("turret_locked", hit.unit, "E-24b")


def _turret_turns(play: Play, hit: _Hit) -> bool:
    return hit.unit.spec.turret and hit.unit.turret != 2


def passengers(play: Play, unit: UnitState) -> list[UnitState]:
    """Units carried inside a vehicle that are alive."""
    return [rider for rider in play.state.units if rider.aboard == unit.id and rider.alive]


def _cargo(play: Play, hit: _Hit) -> None:
    """Infantry aboard takes the full damage of the hit, or cargo is lost; chance picks among several. Rule: E-19."""
    unit = hit.unit
    loads: list[UnitState | None] = list(passengers(play, unit))
    if unit.spec.cargo > 0 and not unit.cargo_lost:
        loads.append(None)
    rider = loads[pick_evenly(play, len(loads), f"{unit.id}: what of its load is hit, 1 of {len(loads)}")]
    if rider is None:
        unit.cargo_lost = True
        play.emit("cargo_lost", unit, "E-19")
    else:
        play.emit("passengers_hit", unit, "E-19", target=rider.id, damage=hit.points)
        source = f"hit on {unit.id}"
        place = roll_hit_location(play, rider, "front", "normal", source=source).location
        damage.apply_damage(play, rider, place, hit.points, rule="E-19", source=source)


def _rotor_damage(play: Play, hit: _Hit) -> None:
    motive.lose_cruise(play, hit.unit, 1, "E-29")


def _flight_stabilizer(play: Play, hit: _Hit) -> None:
    hit.unit.flight_stabilizer = True


def _loaded(play: Play, hit: _Hit) -> bool:
    unit = hit.unit
    return bool(unit.spec.cargo > 0 and not unit.cargo_lost) or bool(passengers(play, unit))


def _stabilized(play: Play, hit: _Hit) -> bool:
    unit = hit.unit
    return not unit.stabilizers >> hit.location & 1 and any(m.location == hit.location for m in unit.spec.mounts)


def _burns(play: Play, hit: _Hit) -> bool:
    engines: Sequence[str] = table("vehicles")["criticals"]["fuel_tank_engines"]
    return hit.unit.spec.engine in engines


def _stun(play: Play, unit: UnitState) -> None:
    crews.stun_crew(play, unit, "critical hit")


def _kill(play: Play, unit: UnitState) -> None:
    crews.kill_crew(play, unit, "critical hit")


_EFFECTS: dict[str, _Effect] = {
    "driver_hit": _Effect("E-23", _crew_lives, _crew(crews.hit_driver)),
    "commander_hit": _Effect("E-20", _crew_lives, _crew(crews.hit_commander)),
    "copilot_hit": _Effect("E-29", _crew_lives, _crew(crews.hit_copilot)),
    "pilot_hit": _Effect("E-29", _crew_lives, _crew(crews.hit_pilot)),
    "crew_stunned": _Effect("E-22", _crew_lives, _crew(_stun)),
    "crew_killed": _Effect("E-21", _crew_lives, _crew(_kill)),
    "weapon_malfunction": _Effect("E-24c", lambda p, h: bool(weapons_in(h.unit, h.location)), _malfunction),
    "weapon_destroyed": _Effect("E-24c", lambda p, h: bool(weapons_in(h.unit, h.location, broken=True)), _destroy_weapon),
    "stabilizer": _Effect("E-24a", _stabilized, _stabilizer),
    "sensors": _Effect("E-24a", lambda p, h: h.unit.sensor_hits < table("vehicles")["criticals"]["sensors_blind"], _sensors),
    "cargo_hit": _Effect("E-19", _loaded, _cargo),
    "engine_hit": _Effect("E-24", lambda p, h: not h.unit.engine_dead, _engine),
    "fuel_tank": _Effect("E-24", _burns, _fuel_tank),
    "ammunition": _Effect("E-18", lambda p, h: ammunition_damage(h.unit) > 0, _ammunition),
    "turret_jam": _Effect("E-24b", _turret_turns, _jam),
    "turret_locks": _Effect("E-24b", _turret_turns, _lock),
    "turret_blown_off": _Effect("E-24b", lambda p, h: h.unit.spec.turret and not h.unit.lost(TURRET), _blow_off_turret),
    "rotor_damage": _Effect("E-29", lambda p, h: motive.cruise_left(h.unit) > 0 and not h.unit.lost(ROTOR), _rotor_damage),
    "flight_stabilizer": _Effect("E-29", lambda p, h: not h.unit.flight_stabilizer, _flight_stabilizer),
    "rotors_destroyed": _Effect(
        "E-29", lambda p, h: not h.unit.lost(ROTOR), lambda p, h: vtol.destroy_rotor(p, h.unit, "critical hit")
    ),
}
