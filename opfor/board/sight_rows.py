"""Lines of sight from one hex to every hex of a board at once, compiled: what a learning environment reads of the ground.

The answers are those of :func:`opfor.board.sight.sight`. Loading this module needs numba: nothing that a game master runs
does so, and nothing imports it but on request. Rule: S-3.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from opfor.board.board import RENEWED, TABLE_READS, Board, reads_all_but
from opfor.board.sight import OFF_LEVEL, Terrain, building_cells, lines_of, terrain_of
from opfor.hex import Grid

Ints = npt.NDArray[np.int32]
TABLE_READS["sight_rows"] = reads_all_but()
RENEWED.add("sight_rows")

#: rows kept a board before they start afresh: bounds the memory of long runs
_KEEP = 4_000
#: what is known of a cell: level, depth, floor with its building, top of ground or building, the highest that anything reaches,
#: the top of its building above its ground, the building that stands there (-1: none), and its trees and smoke: level of the
#: tree tops, light and heavy woods, level of the smoke's top, light and heavy smoke
LEVEL, DEPTH, _FLOOR, _SOLID, _OBSTACLE, _TOP, _BUILDING = range(7)
TREES, LIGHT, HEAVY, _SMOKE, THIN, THICK = range(7, 13)
#: an obstacle lower than anything
_NOTHING = -100_000


class SightRow(NamedTuple):
    """Arrays by cell of the board's grid, of shape (grid.size,). All but ``clear`` mean something only where that is 1; off the
    board all are 0.

    ``clear``: whether the line is; then the hexes of woods and smoke on it, the hexes of the building that both are inside of,
    and whether target and attacker have partial cover. See :class:`opfor.board.sight.Sight`.
    """

    clear: Ints
    light_woods: Ints
    heavy_woods: Ints
    light_smoke: Ints
    heavy_smoke: Ints
    same_building: Ints
    target_cover: Ints
    attacker_cover: Ints

    @property
    def points(self) -> Ints:
        """Points of woods and smoke on each line: what they add to a target number."""
        return self.light_woods + self.light_smoke + 2 * (self.heavy_woods + self.heavy_smoke)


def sight_row(board: Board, cell: int, base: int, top: int) -> SightRow:
    """What a unit that fills the levels ``base`` to ``top`` in a hex sees of a 'Mech standing at the bottom of each hex.

    The bottom is the ground, the floor of water or the ground floor of a building: the target's base is ``board.floor``, its
    top one level above. Kept with the board; treat the arrays as read-only.
    """
    known = ground_of(board).rows
    found = known.get((cell, base, top))
    if found is None:
        if len(known) >= _KEEP:
            known.clear()
        found = known[cell, base, top] = look_anew(board, cell, base, top)
    return found


def look_anew(board: Board, cell: int, base: int, top: int) -> SightRow:
    """The same, worked out whatever is kept."""
    return SightRow(*ground_of(board).look(cell, base, top))


def ground_of(board: Board) -> Ground:
    """A board's terrain as arrays; made on first use and kept with it."""
    known: Ground | None = board.tables.get("sight_rows")
    if known is None:
        former, cells = board.former("sight_rows") or (None, frozenset())
        if former is not None and any(board.building[cell] or former.facts[cell, _BUILDING] >= 0 for cell in cells):
            # what belongs to one building may be another than before
            former = None
        known = board.tables["sight_rows"] = Ground(board, former, cells)
    return known


class Ground:
    """A board's terrain as arrays, and its rows so far. ``spans``: the largest differences of axial coordinates on its grid."""

    __slots__ = ("cells", "facts", "floors", "grid", "lines", "rows", "spans", "weights")

    #: of shape (size, 13), see the columns above
    facts: Ints
    floors: Ints
    cells: Ints
    spans: tuple[int, int]
    grid: Grid
    lines: tuple[Ints, Ints]
    weights: Ints

    def __init__(self, board: Board, former: Ground | None = None, changed: Collection[int] = ()) -> None:
        """``former``: that of a board which differs in the hexes ``changed`` alone, none of them built upon."""
        self.rows: dict[tuple[int, int, int], SightRow] = {}
        terrain = terrain_of(board)
        if former is not None:
            self.grid, self.cells, self.lines = former.grid, former.cells, former.lines
            self.spans, self.weights = former.spans, former.weights
            self.facts, self.floors = former.facts.copy(), former.floors.copy()
            for cell in changed:
                self.facts[cell] = _facts(board, terrain, cell, -1)
                self.floors[cell] = board.floor[cell]
            return
        grid = self.grid = board.grid
        building = [-1] * grid.size
        for cell in grid.on_board:
            if board.building[cell]:
                building[cell] = min(building_cells(board, cell))
        self.facts = np.array([_facts(board, terrain, cell, building[cell]) for cell in range(grid.size)], np.int32)
        self.floors = np.array(board.floor, np.int32)
        self.cells = np.array(grid.on_board, np.int32)
        self.spans = _spans(grid)
        self.lines = _line_table(grid.stride, *self.spans)
        points = terrain.points
        names = ("light_woods", "heavy_woods", "light_smoke", "heavy_smoke")
        self.weights = np.array([*(points[name] for name in names), terrain.limit], np.int32)

    def look(self, cell: int, base: int, top: int) -> Ints:
        """The row of a cell and levels, of shape (8, size)."""
        starts, deltas = self.lines
        columns, rows = self.spans
        return _look(
            self.facts, self.floors, self.cells, starts, deltas, self.weights, self.grid.stride, columns, rows, cell, base, top
        )


def _facts(board: Board, terrain: Terrain, cell: int, building: int) -> tuple[int, ...]:
    """What is known of a cell, in the order of the columns above."""
    return (
        board.level[cell],
        board.depth[cell],
        terrain.floor[cell],
        terrain.solid[cell],
        terrain.obstacle[cell],
        board.building_top[cell],
        building,
        *(terrain.screen[cell] or (_NOTHING, 0, 0, _NOTHING, 0, 0)),
    )


def _spans(grid: Grid) -> tuple[int, int]:
    """The largest differences of axial coordinates on a grid."""
    q = [grid.q[cell] for cell in grid.on_board]
    r = [grid.r[cell] for cell in grid.on_board]
    return max(q) - min(q), max(r) - min(r)


@cache
def _line_table(stride: int, columns: int, rows: int) -> tuple[Ints, Ints]:
    """The lines of every offset: where its left and its right reading begin and end (one where it is not divided), of shape
    (offsets, 4), and the cell deltas and nearness that they are made of, of shape (n, 2)."""
    starts = np.zeros(((2 * columns + 1) * (2 * rows + 1), 4), np.int32)
    deltas: list[tuple[int, int]] = []
    for dq in range(-columns, columns + 1):
        for dr in range(-rows, rows + 1):
            readings = []
            for line in lines_of(stride, dq, dr) if dq or dr else ((),):
                readings.append((len(deltas), len(deltas) + len(line)))
                deltas.extend(line)
            starts[(dq + columns) * (2 * rows + 1) + dr + rows] = (*readings[0], *readings[-1])
    return starts, np.array(deltas or [(0, 0)], np.int32)


@njit(cache=True, error_model="numpy")
def _along(
    facts: Ints, deltas: Ints, weights: Ints, first: int, last: int, a_cell: int, a_base: int, a_top: int, t_base: int,
    t_top: int, under: bool, same: int,
) -> tuple[int, int, int, int, int, int, int, int]:  # fmt: skip
    """One reading of a line: the fields of :class:`SightRow`."""
    high, low = max(a_top, t_top), min(a_top, t_top)
    light = heavy = thin = thick = inside = target_cover = attacker_cover = 0
    for i in range(first, last):
        cell = a_cell + deltas[i, 0]
        near = deltas[i, 1]
        limit = high if near == 0 else a_top if near == 1 else t_top if near == 2 else low
        shared = same >= 0 and facts[cell, _BUILDING] == same
        if facts[cell, _FLOOR if under else _OBSTACLE] < limit and not under and not shared:
            continue
        top = facts[cell, _FLOOR if under else _SOLID]
        if shared:
            inside += 1
            top = facts[cell, LEVEL]
        if top > limit or (under and facts[cell, DEPTH] < 1 and facts[cell, LEVEL] > OFF_LEVEL):
            return 0, 0, 0, 0, 0, 0, 0, 0
        if near & 2 and top == t_top and a_top <= t_top and t_top > t_base:
            target_cover = 1
        if near & 1 and top == a_top and t_top <= a_top and a_top > a_base:
            attacker_cover = 1
        if not under:
            if facts[cell, TREES] > limit:
                light += facts[cell, LIGHT]
                heavy += facts[cell, HEAVY]
            if facts[cell, _SMOKE] > limit:
                thin += facts[cell, THIN]
                thick += facts[cell, THICK]
    if light * weights[0] + heavy * weights[1] + thin * weights[2] + thick * weights[3] > weights[4]:
        return 0, 0, 0, 0, 0, 0, 0, 0
    if same >= 0:
        inside += 1
    return 1, light, heavy, thin, thick, inside, target_cover, attacker_cover


@njit(cache=True, error_model="numpy")
def look_between(
    facts: Ints, starts: Ints, deltas: Ints, weights: Ints, stride: int, columns: int, rows: int, a_cell: int, a_base: int,
    a_top: int, t_cell: int, t_base: int, t_top: int,
) -> tuple[int, int, int, int, int, int, int, int, bool]:  # fmt: skip
    """The fields of :class:`SightRow` for one line, and whether it is divided; the ends by base and top level.

    The arrays are those of :class:`Ground`. As :func:`opfor.board.sight.sight` has it.
    """
    a_level, a_wet = facts[a_cell, LEVEL], facts[a_cell, DEPTH] > 0
    t_level, t_wet = facts[t_cell, LEVEL], facts[t_cell, DEPTH] > 0
    a_under, t_under = a_wet and a_top < a_level, t_wet and t_top < t_level
    # a unit on land sees nobody under water, but for one that stands in the water or floats on it
    if a_under and not t_under and not (t_wet and t_top == t_level):
        return 0, 0, 0, 0, 0, 0, 0, 0, False
    if t_under and not a_under and not (a_wet and a_top == a_level):
        return 0, 0, 0, 0, 0, 0, 0, 0, False
    if t_cell == a_cell:
        return 1, 0, 0, 0, 0, 0, 0, 0, False
    same = -1
    building = facts[a_cell, _BUILDING]
    if (
        building >= 0
        and facts[t_cell, _BUILDING] == building
        and a_level <= a_base < a_level + facts[a_cell, _TOP]
        and t_level <= t_base < t_level + facts[t_cell, _TOP]
    ):
        same = building
    offset = (t_cell // stride - a_cell // stride + columns) * (2 * rows + 1) + t_cell % stride - a_cell % stride + rows
    under = a_under or t_under
    one, end, two, close = starts[offset, 0], starts[offset, 1], starts[offset, 2], starts[offset, 3]
    seen = _along(facts, deltas, weights, two, close, a_cell, a_base, a_top, t_base, t_top, under, same)
    if one != two:
        left = _along(facts, deltas, weights, one, end, a_cell, a_base, a_top, t_base, t_top, under, same)
        good = left[1] + left[3] + 2 * (left[2] + left[4]) + left[5] + left[6] if left[0] else 1000
        other = seen[1] + seen[3] + 2 * (seen[2] + seen[4]) + seen[5] + seen[6] if seen[0] else 1000
        if good > other or (good == other and left[0] and left[7]):
            seen = left
    return seen[0], seen[1], seen[2], seen[3], seen[4], seen[5], seen[6], seen[7], one != two


@njit(cache=True, error_model="numpy")
def _look(
    facts: Ints, floors: Ints, cells: Ints, starts: Ints, deltas: Ints, weights: Ints, stride: int, columns: int, rows: int,
    a_cell: int, a_base: int, a_top: int,
) -> Ints:  # fmt: skip
    """The rows of :class:`SightRow` from one cell, one below the other."""
    found = np.zeros((8, len(floors)), np.int32)
    for cell in cells:
        base = floors[cell]
        seen = look_between(
            facts, starts, deltas, weights, stride, columns, rows, a_cell, a_base, a_top, cell, base, base + 1
        )  # fmt: skip
        found[0, cell], found[1, cell], found[2, cell], found[3, cell] = seen[0], seen[1], seen[2], seen[3]
        found[4, cell], found[5, cell], found[6, cell], found[7, cell] = seen[4], seen[5], seen[6], seen[7]
    return found


__all__ = [
    "DEPTH",
    "HEAVY",
    "LEVEL",
    "LIGHT",
    "THICK",
    "THIN",
    "TREES",
    "Ground",
    "SightRow",
    "ground_of",
    "look_anew",
    "look_between",
    "sight_row",
]
