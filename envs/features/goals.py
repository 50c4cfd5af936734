"""How far every hex lies from what a side has been told to see to: the hexes, the edge or the unit of its objective."""

from __future__ import annotations

import numpy as np

from envs.features.geometry import Ints, axes_of, distances
from envs.features.scene import Scene

#: what stands for having no objective with a place
NOWHERE: Ints = np.zeros(0, dtype=np.int32)
_MOST = 256


class Goals:
    """Distances by cell, kept by board size and objective."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Ints] = {}

    def field(self, scene: Scene) -> Ints:
        """Hexes from every cell to the side's objective, shape (cells of the grid,); :data:`NOWHERE` where it has none.

        Its hexes, else its edge of the map, else its unit where that is known; a side that withdraws makes for its home edge.
        """
        state, side = scene.state, scene.side
        objective = state.directive(side).objective
        cells: frozenset[int] = frozenset()
        edge = ""
        if objective is not None:
            cells, edge = objective.cells, objective.edge
            if not cells and not edge and objective.unit:
                cells = frozenset([unit.cell for unit in scene.units if unit.id == objective.unit])
            if objective.kind == "withdraw" and not cells:
                edge = edge or state.edges[side]
        elif state.withdrawing[side]:
            edge = state.edges[side]
        if not cells and not edge:
            return NOWHERE
        grid = scene.board.grid
        key = (grid.width, grid.height, cells, edge)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            found = self._known[key] = _field(scene, cells, edge)
        return found


def _field(scene: Scene, cells: frozenset[int], edge: str) -> Ints:
    grid = scene.board.grid
    if cells:
        q, r = axes_of(grid)
        best = np.full(grid.size, 9999, dtype=np.int32)
        for cell in sorted(cells):
            np.minimum(best, distances(q - q[cell], r - r[cell]), out=best)
        return best
    columns = np.array(grid.columns, dtype=np.int32)
    rows = np.array(grid.rows, dtype=np.int32)
    found: Ints = {"north": rows, "south": grid.height - 1 - rows, "west": columns, "east": grid.width - 1 - columns}[edge]
    return found
