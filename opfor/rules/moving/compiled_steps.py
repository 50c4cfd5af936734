"""A ground as arrays for the compiled search: what is known of its hexes and places, and the steps between them.

Loaded by :mod:`opfor.rules.moving.compiled` alone. All arrays are int32; places are those of
:mod:`opfor.rules.moving.ground`. The tables of a board that has changed in a few hexes are made from those before.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt
from numba import njit

from opfor.rules.moving.ground import BASE_COST, LEVEL, OFF_ROAD, PAVED, ROLL, WATER, Ground

Ints = npt.NDArray[np.int32]

#: columns of what is known of a place: level above the board's zero (NOWHERE: no such place), whether it is paved, level above
#: its hex's surface
NOWHERE = -10_000

#: columns of what is known of a hex: MP more for its terrain (-1: closed), flags of entering it, MP of its building, whether
#: the high place is a roof that the motion does not step onto, directions of its bridge's exits (-1: no bridge), directions
#: in which a paved way leads from the low place and from the high one
_EXTRA, _FLAGS, _WALLS, _CLOSED, _EXITS, _LOW, _HIGH = range(7)


class Tables:
    """A ground as arrays: ``steps`` of shape (places * 6, 4), a step's two places (low, high) with ``MP << 8 | flags`` after
    each, -1 for none; ``marks`` of shape (places, 3): level, whether paved, elevation."""

    __slots__ = ("hexes", "marks", "q", "r", "steps", "ways")

    def __init__(self, ground: Ground, former: Tables | None = None, cells: Collection[int] = ()) -> None:
        """``former``: the tables of a board that differs in ``cells`` alone; all else is taken from it."""
        board = ground.board
        grid = board.grid
        size = grid.size
        if former is None:
            #: axial coordinates by cell, and steps between cells by direction
            self.q: Ints = np.array(grid.q, np.int32)
            self.r: Ints = np.array(grid.r, np.int32)
            self.ways: Ints = np.array(grid.step, np.int32)
            self.hexes: Ints = np.full((size, 7), -1, np.int32)
            self.marks: Ints = np.full((size * 2, 3), NOWHERE, np.int32)
            self.steps: Ints = np.full((size * 12, 4), -1, np.int32)
            cells = grid.on_board
            around = np.array(cells, np.int32)
        else:
            self.hexes, self.marks, self.steps = former.hexes.copy(), former.marks.copy(), former.steps.copy()
            self.q, self.r, self.ways = former.q, former.r, former.ways
            near = {cell + by for cell in cells for by in (0, *grid.step)}
            around = np.array(sorted(cell for cell in near if grid.contains(cell)), np.int32)
        levels = ground.level
        for cell in cells:
            self.hexes[cell] = _hex_row(ground, cell)
            for place in (cell * 2, cell * 2 + 1):
                level = levels[place]
                self.marks[place] = (NOWHERE if level is None else level, ground.paved[place], ground.elevation[place])
        motion = ground.motion
        _build(self.hexes, self.marks, self.steps, around, self.ways, motion.max_levels, motion.level_cost)
        if ground.own is not None:
            self._add_own(ground, around.tolist())

    def _add_own(self, ground: Ground, cells: Collection[int]) -> None:
        """Put in the costs of steps that own rules change."""
        for cell in cells:
            for place in (cell * 2, cell * 2 + 1):
                for direction in range(6):
                    for to, cost, flags in ground.steps(place, direction):
                        self.steps[place * 6 + direction, (to & 1) * 2 + 1] = cost << 8 | flags


def _hex_row(ground: Ground, cell: int) -> tuple[int, ...]:
    """What is known of a hex for a motion; see the columns above."""
    motion = ground.motion
    hex = ground.board.hexes[cell]
    extra = motion.terrain_cost(hex)
    flags = ROLL | WATER if hex.depth and motion.roll_water else 0
    if (hex.rubble and motion.roll_rubble) or (hex.swamp and motion.roll_swamp):
        flags |= ROLL
    walls = motion.buildings[hex.building] if hex.building else -1
    if hex.building and motion.roll_building:
        # by whatever way it is entered at the ground
        walls |= 64
    leads = 63 if hex.pavement else hex.road_exits if hex.road else 0
    return (
        -1 if extra is None else extra,
        flags,
        walls,
        int(not motion.roofs),
        hex.bridge_exits if hex.bridge else -1,
        leads,
        63 if hex.bridge else 0,
    )


@njit(cache=True, error_model="numpy")
def _build(hexes: Ints, marks: Ints, steps: Ints, cells: Ints, ways: Ints, max_levels: int, level_cost: int) -> None:
    """The steps from ``cells``, as :meth:`Ground._build` makes them one at a time."""
    for cell in cells:
        for high in range(2):
            place = cell * 2 + high
            level = marks[place, 0]
            for direction in range(6):
                row = place * 6 + direction
                steps[row, :] = -1
                there = cell + ways[direction]
                # a hex of the border has no place
                if level == NOWHERE or (marks[there * 2, 0] == NOWHERE and marks[there * 2 + 1, 0] == NOWHERE):
                    continue
                back = (direction + 3) % 6
                exits = hexes[cell, _EXITS]
                if high and exits >= 0 and not exits >> direction & 1:
                    continue
                paved = hexes[cell, _HIGH if high else _LOW] >> direction & 1 and hexes[there, _LOW] >> back & 1
                for up in range(2):
                    rise = abs(marks[there * 2 + up, 0] - level)
                    if marks[there * 2 + up, 0] == NOWHERE or rise > max_levels:
                        continue
                    flags = LEVEL if rise else 0
                    cost = BASE_COST + rise * level_cost
                    if up:
                        if hexes[there, _EXITS] >= 0:
                            if not hexes[there, _EXITS] >> back & 1:
                                continue
                            flags |= PAVED
                        elif hexes[there, _CLOSED]:
                            continue
                    else:
                        if paved:
                            flags |= PAVED
                        else:
                            if hexes[there, _EXTRA] < 0:
                                continue
                            cost += hexes[there, _EXTRA]
                            flags |= hexes[there, _FLAGS]
                        walls = hexes[there, _WALLS]
                        if walls >= 0:
                            cost += walls & 63
                            if walls & 64:
                                flags |= ROLL
                    if not flags & PAVED:
                        flags |= OFF_ROAD
                    steps[row, up * 2] = there * 2 + up
                    steps[row, up * 2 + 1] = cost << 8 | flags
