"""Which unit moves, and which fires: the slow and far ones first, carriers of indirect fire last."""

from __future__ import annotations

from collections.abc import Sequence

from opfor.rules.moving.movement import movement_points
from opfor.state import State
from opfor.units.state import UnitState
from policies.princess.settings import figures

_ORDER = figures("order")


def index_of(state: State, unit: UnitState, enemies: Sequence[UnitState], *, falling_back: bool = False) -> float:
    """The higher, the earlier a unit moves: hexes to the nearest enemy by its best MP, and more or less for what it is."""
    away = state.board.grid.distance
    nearest = min((away(unit.cell, enemy.cell) for enemy in enemies), default=0)
    points = movement_points(state, unit)
    index = nearest / max(1, points.walk, points.run, points.jump)
    if unit.prone:
        index *= _ORDER["prone"]
    index *= _ORDER.get(unit.spec.kind, 1.0)
    if falling_back:
        index *= _ORDER["falling_back"]
    if any(item.kind == "stealth" for item in unit.spec.equipment):
        index *= _ORDER["stealth"]
    return float(index)


def next_to_move(
    state: State, able: Sequence[UnitState], enemies: Sequence[UnitState], leaving: frozenset[str] = frozenset()
) -> UnitState:
    """The unit that moves next: those that cannot move at all, then the highest index; of equals the first."""

    def key(unit: UnitState) -> tuple[bool, float]:
        return unit.immobile, index_of(state, unit, enemies, falling_back=unit.id in leaving)

    return max(able, key=key)


def lobs(unit: UnitState) -> bool:
    """Whether a unit carries weapons for indirect fire."""
    return any("indirect" in mode.weapon.flags for mount in unit.spec.mounts for mode in mount.modes)


def next_to_fire(able: Sequence[UnitState]) -> UnitState:
    """The unit that fires next: carriers of indirect fire last, so that others may spot first."""
    return min(able, key=lobs)
