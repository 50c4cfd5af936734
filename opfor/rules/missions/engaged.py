"""Keywords of units, and who is engaged with whom. Rule: A-1, A-7.

A unit is engaged with an enemy in its own or an adjacent hex that could make a physical attack on it: a 'Mech on its feet, a
ground vehicle that can drive (it may ram), infantry that clings to it or, in the same hex, is trained to attack such units.
Which way the enemy faces does not matter. Units that do not know of each other engage nobody.
"""

from __future__ import annotations

from opfor.rules.melee.eligible import inside_building, same_building, why_no_attacker
from opfor.rules.vehicles.vtol import airborne
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "A-1"
_ROWS = table("keywords")
_BY_KIND: dict[str, frozenset[str]] = {kind: frozenset(words) for kind, words in _ROWS["by_kind"].items()}
_TITANIC: str = _ROWS["titanic"]["keyword"]
_ENGAGING = frozenset(_ROWS["engaging"])
_CLOSE_WEAPONS = frozenset(_ROWS["close_quarters"]["weapons"])
_CLOSE_UNITS: str = _ROWS["close_quarters"]["keyword"]
_ADVANCE = frozenset(_ROWS["advance"])


def keywords_of(state: State, unit: UnitState) -> frozenset[str]:
    """Keywords of a unit: of its kind, those that the battle file adds, and AIRCRAFT while it flies. Rule: A-1."""
    found = _BY_KIND.get(unit.spec.kind, frozenset())
    if unit.keywords:
        found = found.union(unit.keywords)
    if airborne(state, unit):
        found = found | {_ROWS["airborne"]}
    return found | {_TITANIC} if titanic(unit) else found


def titanic(unit: UnitState) -> bool:
    """Whether a unit is TITANIC: superheavy, or called so by the battle file. Rule: A-1, A-2."""
    return _TITANIC in unit.keywords or (unit.spec.is_mech and unit.spec.tons > _ROWS["titanic"]["above_tons"])


def battle_shocked(unit: UnitState) -> bool:
    """Whether a unit is battle-shocked: the game master's flag, a stunned crew, a shutdown, nobody awake in it. Rule: A-1."""
    return unit.battle_shocked or unit.stunned > 0 or unit.shutdown or not unit.conscious


def advanced(unit: UnitState) -> bool:
    """Whether a unit's movement of this turn was an advance: run, flank, evade, sprint or jump. Rule: A-1."""
    return (unit.moved or unit.mp_spent > 0) and unit.mode in _ADVANCE


def could_strike(state: State, enemy: UnitState, unit: UnitState) -> bool:
    """Whether an enemy could make a physical attack on a unit that is in its own or an adjacent hex. Rule: A-1."""
    if enemy.hidden or unit.hidden or enemy.aboard or unit.aboard or not enemy.active:
        return False
    if enemy.spec.is_infantry:
        if enemy.swarming:
            return enemy.swarming == unit.id
        return enemy.cell == unit.cell and enemy.spec.anti_mech and not unit.spec.is_infantry
    if why_no_attacker(enemy) or enemy.spec.kind == "vtol" or airborne(state, unit):
        return False
    if enemy.spec.is_vehicle and (enemy.immobilized or unit.spec.is_infantry):
        return False
    if abs(state.base(enemy) - state.base(unit)) > _ROWS["reach_levels"]:
        return False
    if enemy.cell != unit.cell and inside_building(state, unit):
        direction = state.board.grid.direction_to(enemy.cell, unit.cell)
        return direction is not None and same_building(state, enemy, unit, direction)
    return True


def engaged_with(state: State, unit: UnitState) -> list[UnitState]:
    """The enemies that a unit is engaged with. Rule: A-1."""
    cell = unit.cell
    if cell < 0 or not unit.alive:
        return []
    near = [cell, *(cell + step for step in state.board.grid.step)]
    return [
        enemy
        for place in near
        for enemy in state.occupants(place)
        if enemy.side != unit.side and could_strike(state, enemy, unit)
    ]


def bars_shooting(state: State, shooter: UnitState, target: UnitState) -> bool:
    """Whether a target beside the shooter may be shot at with close-quarters weapons alone. Rule: A-7 (``engaged_shooting``).

    It is a MONSTER or VEHICLE that the shooter is engaged with, and the shooter is no unit for close quarters. The caller has
    seen that the two are in the same or adjacent hexes.
    """
    return (
        not _ENGAGING.isdisjoint(keywords_of(state, target))
        and _CLOSE_UNITS not in shooter.keywords
        and could_strike(state, target, shooter)
    )


def close_quarters(weapon: str) -> bool:
    """Whether a weapon, by its id, is one for close quarters. Rule: A-7."""
    return weapon in _CLOSE_WEAPONS
