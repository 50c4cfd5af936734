"""What a point of damage is worth, by the side it strikes: more where armour is gone and where it kills. Rule: S-5.

A sound 55-ton 'Mech with middling weapons, struck from the front, makes 1.
"""

from __future__ import annotations

from opfor.rules.expectation import location_odds
from opfor.rules.hit_locations import SIDES, transfer_of
from opfor.units.spec import ARMS, CT, HD, LEGS, LOCATION_COUNT, REAR_ARMOR
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


def potential(power: Firepower, heat: int) -> float:
    """Mean damage of a volley over typical ranges, within a heat."""
    return sum([power.expected(AHEAD, distance, _COMMON, heat) for distance in _DISTANCES]) / len(_DISTANCES)


def value_of(unit: UnitState, power: Firepower, heat: int) -> float:
    """What a unit is worth, 1 for one of middling weight and weapons."""
    value = 0.5 * unit.spec.tons / _TONS + 0.5 * potential(power, heat) / _DAMAGE
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
    armor = unit.armor[REAR_ARMOR[location]] if rear and location in REAR_ARMOR else unit.armor[location]
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


def factors(unit: UnitState, value: float) -> dict[tuple[str, bool], float]:
    """Worth of a point of damage by (side, legs covered)."""
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


def table_factor(unit: UnitState, value: float, side: str, hit_table: str) -> float:
    """Worth of a point of damage by a hit on a table (``normal``, ``punch``, ``kick``) from a side."""
    return odds_factor(unit, value, location_odds(unit.spec.quad, side, hit_table), side == "rear")


def odds_factor(unit: UnitState, value: float, odds: tuple[float, ...], rear: bool) -> float:
    """Worth of a point of damage that strikes each location with a chance of its own."""
    weights = location_weights(unit, rear)
    return sum([chance * weight for chance, weight in zip(odds, weights, strict=True)]) * value * _SCALE


def toughness(unit: UnitState) -> float:
    """Points of damage from the front that a unit may be expected to take before it is out of the fight."""
    odds = location_odds(unit.spec.quad, "front", "normal")
    return 0.8 * left(unit, CT, False) / odds[CT]


def hurt(unit: UnitState) -> float:
    """Share of armour and structure that is gone."""
    full = sum(unit.spec.armor) + sum(unit.spec.structure)
    return 1.0 - (sum(unit.armor) + sum(unit.structure)) / full
