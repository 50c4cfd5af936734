"""Who may stand where: one 'Mech in a place, friends may be passed, enemies may not. Rule: S-2.

A bridge's deck and the ground under it, or a roof and the rooms below, are different places.
"""

from __future__ import annotations

from opfor.rules.ground import Ground
from opfor.state import State
from opfor.units.state import UnitState


def occupied_places(state: State, unit: UnitState, ground: Ground) -> tuple[list[int], list[int]]:
    """The places of (enemies, friends) of a unit, itself left out."""
    enemies: list[int] = []
    friends: list[int] = []
    for other in state.units:
        if other is unit or other.destroyed or other.gone or other.cell < 0:
            continue
        (friends if other.side == unit.side else enemies).append(ground.place(other.cell, other.elevation))
    return enemies, friends


def occupant(state: State, unit: UnitState, ground: Ground, place: int) -> UnitState | None:
    """Another living unit in a place, or None."""
    for other in state.occupants(place >> 1):
        if other is not unit and ground.place(other.cell, other.elevation) == place:
            return other
    return None


def may_end(state: State, unit: UnitState, ground: Ground, place: int) -> bool:
    """Whether a unit may end its movement in a place."""
    return occupant(state, unit, ground, place) is None
