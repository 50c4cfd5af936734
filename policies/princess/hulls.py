"""Where an enemy that has yet to move may come to be: the hull of the hexes in its reach.

The hull is bounded by the six directions of the hex grid, as a range of each of the three cube coordinates. Distances to it
are exact: moving such a hull's sides outward by a hex gives the hexes within a hex of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from opfor.hex import Grid, bearing12
from opfor.rules.moving.grounds import ground_for
from opfor.rules.moving.landing import jump_cells
from opfor.rules.moving.movement import ground_reach, movement_points
from opfor.state import State
from opfor.units.state import UnitState
from policies.princess.guns import ahead


class Hull:
    """The hull of cells; ``stances`` (``cell * 6 + facing``) are those that the unit can really come to."""

    __slots__ = ("_grid", "_high", "_low", "_vertices", "stances")

    def __init__(self, grid: Grid, cells: Iterable[int], stances: frozenset[int] = frozenset()) -> None:
        self._grid = grid
        self.stances = stances
        places = [grid.axial(cell) for cell in cells]
        cubes = [(q, r, -q - r) for q, r in places]
        low = self._low = tuple(min(cube[axis] for cube in cubes) for axis in range(3))
        high = self._high = tuple(max(cube[axis] for cube in cubes) for axis in range(3))
        self._vertices = (
            (high[0], -high[0] - low[2]),
            (-high[1] - low[2], high[1]),
            (low[0], high[1]),
            (low[0], -low[0] - high[2]),
            (-low[1] - high[2], low[1]),
            (high[0], low[1]),
        )

    def distance(self, cell: int) -> int:
        """Hexes from a cell to the nearest of the hull, 0 inside it."""
        q, r = self._grid.axial(cell)
        s = -q - r
        low, high = self._low, self._high
        return max(0, low[0] - q, q - high[0], low[1] - r, r - high[1], low[2] - s, s - high[2])

    def ahead_of(self, cell: int) -> frozenset[int]:
        """The facings from which the whole hull lies in the front arc of a unit in a cell."""
        if not self.distance(cell):
            return frozenset()
        q, r = self._grid.axial(cell)
        bearings = {bearing12(vq - q, vr - r) for vq, vr in self._vertices}
        return frozenset(facing for facing in range(6) if all(ahead((bearing - 4 * facing) % 24) for bearing in bearings))


def hull_of(state: State, unit: UnitState) -> Hull:
    """The hull of all that a unit can run (or flank) and jump to, where it stands included."""
    ground = ground_for(state.board, unit.spec, state.ruleset)
    points = movement_points(state, unit)
    stances = {unit.cell * 6 + unit.facing}
    for mode in ("walk", "run"):
        reach = ground_reach(state, unit, mode, points)
        for key in reach.keys if reach is not None else ():
            place, facing = divmod(key // 2, 6)
            stances.add(ground.cell(place) * 6 + facing)
    if points.jump > 0 and not unit.prone:
        place = ground.place(unit.cell, unit.elevation)
        for cell in jump_cells(ground, place, points.jump, points.jump + 1):
            stances.update(range(cell * 6, cell * 6 + 6))
    return Hull(state.board.grid, {stance // 6 for stance in stances}, frozenset(stances))


__all__ = ["Hull", "hull_of"]
