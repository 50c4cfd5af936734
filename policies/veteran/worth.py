"""What a point of damage is worth, by the side it strikes: more where armour is gone and where it kills. Rule: S-5, S-9, E-15.

A sound 55-ton 'Mech with middling weapons, struck from the front, makes 1. A vehicle dies with any of its locations, and
every hit may stop it; a point to a platoon is a trooper, two where nothing covers it.
"""

from __future__ import annotations

from functools import cache

from opfor.dice import EXACTLY_2D6
from opfor.rules.harm.hit_locations import SIDES, transfer_of
from opfor.rules.kinds import kind_of
from opfor.rules.shooting.expectation import location_odds
from opfor.rules.troops.infantry import troopers
from opfor.rules.vehicles.motive import motive_effect, motive_modifier
from opfor.rules.vehicles.vehicle_damage import hit_column
from opfor.tables import table
from opfor.units.spec import ARMS, CT, FRONT, HD, LEGS, LOCATION_COUNT, REAR_ARMOR, ROTOR, UnitSpec
from opfor.units.state import UnitState
from policies.veteran.firepower import AHEAD, Firepower

#: share of a unit's worth that goes with a location
_LIMBS = {HD: 1.0, CT: 1.0}
_TORSO, _TORSO_XL, _LEG, _ARM = 0.6, 1.0, 0.5, 0.3
#: engines that stop with a side torso
_FRAGILE = ("xl_is", "xxl_is", "xxl_clan")
#: makes the factor 1 for the unit named above
_SCALE = 52.0
#: points added to what a location has left: the last points are not worth without end
_SOFTEN = 4.0
#: open locations take criticals
_OPEN = 1.5
#: a typical plan to hit, and ranges, by which weapons are valued
_COMMON, _DISTANCES = 7, (3, 6, 9, 14)
_TONS, _DAMAGE = 55.0, 11.0
_LEAST, _MOST = 0.3, 2.5
#: tons that a platoon or squad counts for
_TROOPERS = 15.0
#: share of a vehicle's worth that goes with motive damage of a grade, and with a critical roll on the mean
_MOTIVE = {"none": 0.0, "minor": 0.03, "moderate": 0.1, "heavy": 0.2, "major": 0.45}
_CRITICAL = 0.2
#: points of a middling hit, over which what every hit may do is spread
TYPICAL_HIT = 5.0
_ROTOR: int = table("vehicles")["rotor"]["divisor"]
#: share of a VTOL's worth that goes with a hit on its rotor
_ROTOR_HIT = 0.12
#: times which troopers without cover suffer
OPEN_GROUND: int = table("infantry")["open"]
#: troopers are counted with so many more: the last are not worth without end
_SOFTEN_TROOPERS = 3.0


def potential(power: Firepower, heat: int) -> float:
    """Mean damage of a volley over typical ranges, within a heat."""
    return sum([power.expected(AHEAD, distance, _COMMON, heat) for distance in _DISTANCES]) / len(_DISTANCES)


def weight_of(spec: UnitSpec) -> float:
    """Tons by which a unit counts: troopers for more than they weigh."""
    return max(float(spec.tons), _TROOPERS) if spec.is_infantry else float(spec.tons)


def value_of(unit: UnitState, power: Firepower, heat: int) -> float:
    """What a unit is worth, 1 for one of middling weight and weapons."""
    value = 0.5 * weight_of(unit.spec) / _TONS + 0.5 * potential(power, heat) / _DAMAGE
    if unit.immobile:
        value *= 0.8
    return min(_MOST, max(_LEAST, value))


def share_of(unit: UnitState, location: int) -> float:
    """The share of a unit's worth that goes with a location."""
    share = _LIMBS.get(location)
    if share is not None:
        return share
    spec = unit.spec
    if location in ARMS:
        return _LEG if spec.quad else _ARM
    if location in LEGS:
        return _LEG
    return _TORSO_XL if spec.engine in _FRAGILE else _TORSO


def left(unit: UnitState, location: int, rear: bool) -> int:
    """Armour and structure left of a location, seen from the front or the rear."""
    behind = rear and location in REAR_ARMOR and unit.spec.is_mech
    armor = unit.armor[REAR_ARMOR[location]] if behind else unit.armor[location]
    return armor + unit.structure[location]


def location_weights(unit: UnitState, rear: bool) -> list[float]:
    """What a point of damage at each location is worth of the whole unit; that at lost ones goes on inward."""
    found = [0.0] * LOCATION_COUNT
    for location in range(LOCATION_COUNT):
        where = location
        while where >= 0 and unit.structure[where] <= 0:
            where = transfer_of(unit, where)
        if where < 0:
            continue
        armor = unit.armor[REAR_ARMOR[where]] if rear and where in REAR_ARMOR else unit.armor[where]
        points = share_of(unit, where) / (armor + unit.structure[where] + _SOFTEN)
        found[location] = points if armor > 0 else points * _OPEN
    return found


@cache
def hit_odds(kind: str, turret: bool, quad: bool, side: str) -> tuple[float, ...]:
    """Chance of each location of a 'Mech, vehicle or VTOL to be struck from a side. Rule: S-5, E-15, E-28."""
    if kind == "mech":
        return location_odds(quad, side, "normal")
    odds = [0.0] * (ROTOR + 1)
    for result, hit in enumerate(hit_column(kind, turret, side), start=2):
        odds[hit.location] += EXACTLY_2D6[result]
    return tuple(odds)


def struck(unit: UnitState, side: str) -> tuple[float, ...]:
    """Chance of each location (or suit) of a unit to be struck by a hit from a side."""
    spec = unit.spec
    if spec.is_infantry:
        left = sum([1 for points in unit.structure if points > 0])
        return tuple([1.0 / left if points > 0 else 0.0 for points in unit.structure])
    return hit_odds(spec.kind, spec.turret, spec.quad, side)


@cache
def _side_effects(kind: str, turret: bool, motive: str, side: str) -> tuple[float, float]:
    """Share of a vehicle's worth that any hit from a side takes by motive damage and rotor hits, and by critical rolls."""
    added = motive_modifier(motive, side)
    stops = sum([EXACTLY_2D6[roll] * _MOTIVE[motive_effect(roll + added)] for roll in range(2, 13)])
    moving = open_roll = 0.0
    for result, hit in enumerate(hit_column(kind, turret, side), start=2):
        odds = EXACTLY_2D6[result]
        if kind == "vtol":
            moving += odds * _ROTOR_HIT * (hit.location == ROTOR)
        elif hit.motive:
            moving += odds * stops
        open_roll += odds * _CRITICAL * hit.critical
    return moving, open_roll


def jolts(unit: UnitState, value: float) -> dict[str, float]:
    """By side, what a hit is worth whatever its damage: motive systems, rotors, criticals. Nothing for what has none."""
    spec = unit.spec
    if not spec.is_vehicle or not unit.alive:
        return dict.fromkeys(SIDES, 0.0)
    found = {}
    for side in SIDES:
        moving, critical = _side_effects(spec.kind, spec.turret, spec.motive, side)
        found[side] = ((0.0 if unit.immobile else moving) + critical) * value * _SCALE
    return found


def factors(unit: UnitState, value: float) -> dict[tuple[str, bool], float]:
    """Worth of a point of damage by (side, legs covered); for troopers by (side, in cover), a point being a trooper."""
    if unit.spec.is_mech:
        return _mech_factors(unit, value)
    if unit.spec.is_vehicle:
        return _vehicle_factors(unit, value)
    return _infantry_factors(unit, value)


def _mech_factors(unit: UnitState, value: float) -> dict[tuple[str, bool], float]:
    found = {}
    legs = unit.legs
    weight = (location_weights(unit, False), location_weights(unit, True))
    for side in SIDES:
        odds = location_odds(unit.spec.quad, side, "normal")
        weights = weight[side == "rear"]
        total = covered = 0.0
        for location in range(LOCATION_COUNT):
            part = odds[location] * weights[location]
            total += part
            if location not in legs:
                covered += part
        found[side, False] = total * value * _SCALE
        found[side, True] = covered * value * _SCALE
    return found


def _vehicle_weights(unit: UnitState) -> list[float]:
    """By location, the share of a vehicle's worth that a point of damage takes: it dies with any of them."""
    found = []
    for location, points in enumerate(unit.structure):
        armor = unit.armor[location]
        if points <= 0:
            found.append(0.0)
        elif location == ROTOR and unit.spec.kind == "vtol":
            found.append(1.0 / (_ROTOR * (armor + points)))
        else:
            share = 1.0 / (armor + points + _SOFTEN)
            found.append(share if armor > 0 else share * _OPEN)
    return found


def _vehicle_factors(unit: UnitState, value: float) -> dict[tuple[str, bool], float]:
    found = {}
    weights = _vehicle_weights(unit)
    jolt = jolts(unit, value)
    for side in SIDES:
        points = sum([odd * weight for odd, weight in zip(struck(unit, side), weights, strict=True)])
        found[side, False] = found[side, True] = points * value * _SCALE + jolt[side] / TYPICAL_HIT
    return found


def _infantry_factors(unit: UnitState, value: float) -> dict[tuple[str, bool], float]:
    if unit.spec.kind == "infantry":
        covered = value * _SCALE / (troopers(unit) + _SOFTEN_TROOPERS)
        bare = covered if unit.dug_in else covered * OPEN_GROUND
    else:
        covered = bare = value * _SCALE / (sum(unit.armor) + sum(unit.structure) + _SOFTEN)
    return {(side, cover): covered if cover else bare for side in SIDES for cover in (False, True)}


def table_factor(unit: UnitState, value: float, side: str, hit_table: str) -> float:
    """Worth of a point of damage by a hit on a table (``normal``, ``punch``, ``kick``) from a side."""
    if not unit.spec.is_mech:
        return factors(unit, value)[side, True]
    return odds_factor(unit, value, location_odds(unit.spec.quad, side, hit_table), side == "rear")


def odds_factor(unit: UnitState, value: float, odds: tuple[float, ...], rear: bool) -> float:
    """Worth of a point of damage that strikes each location of a 'Mech or vehicle with a chance of its own."""
    weights = location_weights(unit, rear) if unit.spec.is_mech else _vehicle_weights(unit)
    return sum([chance * weight for chance, weight in zip(odds, weights, strict=True)]) * value * _SCALE


def toughness(unit: UnitState) -> float:
    """Points of damage from the front that a unit may be expected to take before it is out of the fight (or troopers)."""
    spec = unit.spec
    if spec.is_infantry:
        return max(1.0, float(sum(unit.armor) + sum(unit.structure)))
    place = CT if spec.is_mech else FRONT
    return max(1.0, 0.8 * left(unit, place, False) / struck(unit, "front")[place])


def hurt(unit: UnitState) -> float:
    """Share of armour and structure, or of troopers, that is gone."""
    remaining = kind_of(unit).remaining
    if remaining is not None:
        points, full = remaining(unit)
    else:
        points, full = sum(unit.armor) + sum(unit.structure), sum(unit.spec.armor) + sum(unit.spec.structure)
    return 1.0 - points / full
