"""Lines of fire from every hex to one spot, as arrays: the modifiers out and back, worked out where they are asked for.

Between two units as they stand the lines of :mod:`policies.veteran.lanes` serve; here one end is any hex, on its ground. What
is known is kept with the board, so battles on the same board share it. A value never depends on what has been asked before.
Where movement searches are compiled, lines are worked out by :mod:`envs.features.compiled`, and are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from envs.features.geometry import Ints, axes_of, distances
from envs.features.scales import ZERO
from opfor.board.board import Board
from opfor.rules.moving.compiling import compiled_search
from opfor.rulesets import Ruleset
from policies.veteran.lanes import Lanes
from policies.veteran.spots import cell_of, key_of

if TYPE_CHECKING:
    from envs.features.compiled import CompiledLines

#: bytes of rows kept of a board, but no fewer rows than so many; lanes kept beside them
_MOST_BYTES, _LEAST_ROWS, _MOST_LANES = 4_000_000, 128, 20_000
#: changed hexes up to which lines are taken from the board before
_MOST_CHANGES = 64
#: switches that lanes depend on
_SWITCHES = ("partial_cover", "water_to_hit")


class Lines:
    """The lines of one board. ``lanes`` are those between spots, remembered for a while.

    ``before``: lines of the board as it was in some hexes; those that no change can touch are looked up there, so that what is
    worked out in one battle serves the next on the same board.
    """

    def __init__(self, board: Board, ruleset: Ruleset, before: Lines | None = None) -> None:
        self.lanes = Lanes(board, ruleset, most=_MOST_LANES)
        self.board = board
        #: None where nothing is compiled
        self.compiled = _compiled(board, ruleset)
        self._shots: dict[tuple[int, int], tuple[int, int]] = {}
        self._depth = board.depth
        self._size = board.grid.size
        self._most = max(_LEAST_ROWS, _MOST_BYTES // (2 * self._size))
        #: rows by (spot, posture, height)
        self._rows: dict[tuple[int, int, int], int] = {}
        #: modifiers out and back from each cell, shape (rows, 2, cells), :data:`ZERO` added; 0 for what is not known
        self.data = np.zeros((16, 2, self._size), dtype=np.uint8)
        self._root: Lines | None = None
        self._changed: Ints = np.zeros(0, dtype=np.int32)
        # compiled, a line is looked at sooner than it is found that nothing has touched it
        if before is not None and self.compiled is None:
            root = before._root or before
            if root.board.grid is board.grid and board.building == root.board.building:
                pairs = zip(root.board.hexes, board.hexes, strict=True)
                changed = [cell for cell, (was, now) in enumerate(pairs) if was is not now]
                if len(changed) <= _MOST_CHANGES:
                    self._root, self._changed = root, np.array(changed, dtype=np.int32)

    def between(self, keys: list[int], cells: Ints, posture: int, height: int = 0) -> tuple[Ints, Ints]:
        """Modifiers of shots from each of ``cells`` at each of the spots ``keys``, and of shots back: shape (keys, cells).

        Somebody in ``posture`` stands there, on the ground (on the bottom of water) or at ``height`` above it when that is more
        than 0. :data:`policies.veteran.lanes.BLOCKED` where there is no shot.
        """
        rows = self.known(keys, cells, posture, height)
        found = self.data[np.array(rows)[:, None], :, cells]
        modifiers = found.astype(np.int32) - ZERO
        return modifiers[:, :, 0], modifiers[:, :, 1]

    def known(self, keys: list[int], cells: Ints, posture: int, height: int = 0) -> list[int]:
        """Work out what :meth:`between` tells; the rows of :attr:`data` in which it stands then, one a key."""
        # making room may forget rows, so all are asked for once more where that happens
        rows = [self._row(key, posture, height) for key in keys]
        if len(self._rows) < len(keys):
            rows = [self._row(key, posture, height) for key in keys]
        if self.compiled is not None:
            self.compiled.fill(self.data, rows, keys, cells, posture, height)
        else:
            for row, key in zip(rows, keys, strict=True):
                self._look(row, key, cells, posture, height)
        return rows

    def shots(self, a: int, t: int) -> tuple[int, int]:
        """Modifiers of a shot from one spot at another, and of one back."""
        if self.compiled is None:
            lane = self.lanes.lane(a, t)
            return lane.out, lane.back
        found = self._shots.get((a, t))
        if found is None:
            if len(self._shots) >= _MOST_LANES:
                self._shots.clear()
            found = self._shots[a, t] = self.compiled.pair(a, t)
        return found

    def _row(self, key: int, posture: int, height: int) -> int:
        which = (key, posture, height)
        row = self._rows.get(which)
        if row is None:
            row = len(self._rows)
            if row >= self._most:
                self._rows.clear()
                self.data[:] = 0
                row = 0
            elif row >= len(self.data):
                more = np.zeros((min(self._most, 2 * len(self.data)), 2, self._size), dtype=np.uint8)
                more[:row] = self.data
                self.data = more
            self._rows[which] = row
        return row

    def _look(self, row: int, key: int, cells: Ints, posture: int, height: int) -> None:
        """Work out what is not known of a row."""
        out, back = self.data[row]
        asked = cells[out[cells] == 0]
        if not len(asked):
            return
        if self._root is not None:
            touched = self._touched(cell_of(key), asked)
            clear = asked[~touched]
            if len(clear):
                there, here = self._root.between([key], clear, posture, height)
                out[clear], back[clear] = there[0] + ZERO, here[0] + ZERO
            asked = asked[touched]
        lane_of = self.lanes.lane
        depth = self._depth
        for cell in asked.tolist():
            lane = lane_of(key_of(cell, height if height > 0 else -depth[cell], posture), key)
            out[cell], back[cell] = lane.out + ZERO, lane.back + ZERO

    def _touched(self, end: int, cells: Ints) -> NDArray[np.bool_]:
        """Which lines between ``cells`` and ``end`` may run through a hex that differs from the root's, shape of ``cells``.

        Such a hex makes the way longer by no more than one, and the line passes its centre no farther off than its corners.
        """
        q, r = axes_of(self.board.grid)
        dq, dr = q[cells] - q[end], r[cells] - r[end]
        # changed hexes down, cells across
        hex_q, hex_r = (q[self._changed] - q[end])[:, None], (r[self._changed] - r[end])[:, None]
        reach = np.maximum(np.maximum(np.abs(2 * dq + dr), np.abs(dq + 2 * dr)), np.abs(dr - dq))
        beside = 3 * np.abs(dq * hex_r - dr * hex_q) <= reach
        way = distances(hex_q, hex_r) + distances(dq - hex_q, dr - hex_r)
        touched: NDArray[np.bool_] = (beside & (way <= distances(dq, dr) + 1)).any(axis=0)
        return touched


def _compiled(board: Board, ruleset: Ruleset) -> CompiledLines | None:
    """The lines of a board by compiled code, where that is in use."""
    if compiled_search() is None:
        return None
    from envs.features.compiled import CompiledLines

    return CompiledLines(board, ruleset)


def lines_of(board: Board, ruleset: Ruleset, before: Lines | None = None) -> Lines:
    """The lines of a board under a ruleset; ``before``: lines that may hold for most of it."""
    key = "environment_lines:" + ",".join([str(getattr(ruleset, name)) for name in _SWITCHES])
    found = board.tables.get(key)
    if found is None:
        old = before if before is not None and before.board.tables.get(key) is before else None
        found = board.tables[key] = Lines(board, ruleset, old)
    assert isinstance(found, Lines)
    return found
