"""The group ``ground``: what lies around the acting unit, hex by hex, in map directions."""

from __future__ import annotations

import numpy as np

from envs.features.geometry import Floats, window
from envs.features.scene import Scene
from envs.layout import Column, Flat, Group, cut
from opfor.board.board import BUILDING_TYPES, Board, Hex

#: hexes around the acting unit that are shown
RADIUS = 6
_LEVELS, _DEPTH, _MINES = 10.0, 3.0, 20.0

COLUMNS = (
    Column("on_board", "1 for a hex of the board"),
    Column("higher", "levels above the acting unit's hex, 10 make 1"),
    Column("woods", "woods: 0.5 light, 1 heavy"),
    Column("water", "depth of open water, 3 make 1"),
    Column("building", "building: 0.25 light, 0.5 medium, 0.75 heavy, 1 hardened"),
    Column("rough", "hard going: 0.5 rough, rubble, mud, sand, snow, tundra or ice, 1 swamp"),
    Column("smoke", "0.3 light smoke, 0.6 heavy smoke, and 0.4 more for fire"),
    Column("road", "0.5 pavement or road, 1 a bridge"),
    Column("mines", "mines that the side knows of, 20 points make 1"),
    Column("occupied", "1 an own unit, -1 an enemy that is known"),
)
_Q, _R = window(RADIUS)
GROUP = Group(
    "ground",
    f"The hexes within {RADIUS} of the acting unit, column by column from the west, each column from the north; hexes off the "
    "board are 0 throughout.",
    len(_Q),
    COLUMNS,
)
_PLACES: dict[tuple[int, int], int] = {(q, r): place for place, (q, r) in enumerate(zip(_Q.tolist(), _R.tolist(), strict=True))}
_FIXED = len(COLUMNS) - 1
HIGHER, WOODS, WATER, BUILDING, SMOKE = (
    [column.name for column in COLUMNS].index(name) for name in ("higher", "woods", "water", "building", "smoke")
)
_KEY = "environment_ground"
#: windows kept
_MOST = 1024


class GroundFeatures:
    """Writes the group; what the hexes of a board hold is read once, and again where it changes."""

    def __init__(self) -> None:
        self._board: Board | None = None
        #: windows by their middle, of the table that they were cut from
        self._windows: dict[int, Floats] = {}
        self._of: Floats | None = None

    def table(self, board: Board) -> Floats:
        """What every cell of a board holds, shape (cells of the grid, columns): levels are absolute here."""
        found = board.tables.get(_KEY)
        if found is None:
            found = board.tables[_KEY] = self._read(board)
        self._board = board
        assert isinstance(found, np.ndarray)
        return found

    def _read(self, board: Board) -> Floats:
        old = self._board
        if old is not None and old.grid is board.grid:
            table: Floats = old.tables[_KEY].copy()
            changed = [cell for cell, (was, now) in enumerate(zip(old.hexes, board.hexes, strict=True)) if was is not now]
        else:
            table = np.zeros((board.grid.size, len(COLUMNS)), dtype=np.float32)
            changed = list(board.grid.on_board)
        for cell in changed:
            table[cell] = describe(board.hexes[cell])
        return table

    def write(self, scene: Scene, out: Flat) -> None:
        """Fill the group, shape (127, columns)."""
        table = self.table(scene.board)
        here = scene.me.cell
        if table is not self._of or len(self._windows) >= _MOST:
            self._windows.clear()
            self._of = table
        found = self._windows.get(here)
        if found is None:
            found = self._windows[here] = _window(scene, table, here)
        out[:] = found
        side = scene.side
        for place, far in enumerate(scene.far):
            if far <= RADIUS:
                row = _PLACES[int(scene.dq[place]), int(scene.dr[place])]
                out[row, _FIXED] = 1.0 if scene.units[place].side == side else -1.0


def _window(scene: Scene, table: Floats, here: int) -> Floats:
    """What lies around a cell, levels from its own; rows of hexes off the board are 0."""
    grid = scene.board.grid
    if scene.lines.compiled is not None:
        from envs.features.compiled import cut_window

        window: Floats = np.zeros((len(_Q), len(COLUMNS)), dtype=np.float32)
        cut_window(table, here, grid.width, grid.stride, _Q, _R, HIGHER, window)
        return window
    q = scene.q[here] + _Q
    r = scene.r[here] + _R
    inside = (q >= 0) & (q < grid.width + 2) & (r >= 0) & (r < grid.stride)
    found: Floats = table[np.where(inside, q * grid.stride + r, 0)]
    # the border, and what lies beyond it, holds nothing
    off = found[:, 0] == 0.0
    found[:, HIGHER] -= table[here, HIGHER]
    found[off] = 0.0
    cut(found)
    return found


def describe(hex: Hex) -> list[float]:
    """The columns of a hex of the board, its level absolute."""
    return [
        1.0,
        hex.level / _LEVELS,
        (0.0, 0.5, 1.0)[min(hex.woods, 2)],
        hex.depth / _DEPTH,
        hex.building / (len(BUILDING_TYPES) - 1),
        1.0 if hex.swamp else 0.5 if _rough(hex) else 0.0,
        (0.0, 0.3, 0.6)[min(hex.smoke, 2)] + (0.4 if hex.fire else 0.0),
        1.0 if hex.bridge else 0.5 if hex.paved else 0.0,
        hex.mines / _MINES,
        0.0,
    ]


def _rough(hex: Hex) -> bool:
    return hex.rough or hex.rubble or hex.mud or hex.sand or hex.snow or hex.tundra or hex.ice
