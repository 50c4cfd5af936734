"""Lines of fire from every hex to one spot, as arrays: the modifiers out and back, worked out where they are asked for.

Between two units as they stand the lines of :mod:`policies.veteran.lanes` serve; here one end is any hex, on its ground. What
is known is kept with the board, so battles on the same board share it. A value never depends on what has been asked before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from envs.features.geometry import Ints, axes_of, distances
from opfor.board.board import Board
from opfor.rulesets import Ruleset
from policies.veteran.lanes import Lanes
from policies.veteran.spots import cell_of, key_of

Bytes = NDArray[np.int8]
#: stands in a row for what has not been looked at
_UNKNOWN = -128
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
        self._depth = board.depth
        self._size = board.grid.size
        self._rows: dict[tuple[int, int, int], tuple[Bytes, Bytes]] = {}
        self._most = max(_LEAST_ROWS, _MOST_BYTES // (2 * self._size))
        self._root: Lines | None = None
        self._changed: Ints = np.zeros(0, dtype=np.int32)
        if before is not None:
            root = before._root or before
            if root.board.grid is board.grid and board.building == root.board.building:
                pairs = zip(root.board.hexes, board.hexes, strict=True)
                changed = [cell for cell, (was, now) in enumerate(pairs) if was is not now]
                if len(changed) <= _MOST_CHANGES:
                    self._root, self._changed = root, np.array(changed, dtype=np.int32)

    def rows(self, key: int, cells: Ints, posture: int, height: int = 0) -> tuple[Bytes, Bytes]:
        """Modifiers of shots from each of ``cells`` at the spot ``key``, and of shots back, each of the shape of ``cells``.

        Somebody in ``posture`` stands there, on the ground (on the bottom of water) or at ``height`` above it when that is more
        than 0. :data:`policies.veteran.lanes.BLOCKED` where there is no shot.
        """
        found = self._rows.get((key, posture, height))
        if found is None:
            if len(self._rows) >= self._most:
                self._rows.clear()
            blank = np.full(self._size, _UNKNOWN, dtype=np.int8)
            found = self._rows[key, posture, height] = (blank, blank.copy())
        out, back = found
        there = out[cells]
        missing = there == _UNKNOWN
        if missing.any():
            asked = cells[missing]
            if self._root is not None:
                touched = self._touched(cell_of(key), asked)
                clear = asked[~touched]
                out[clear], back[clear] = self._root.rows(key, clear, posture, height)
                asked = asked[touched]
            lane_of = self.lanes.lane
            depth = self._depth
            for cell in asked.tolist():
                lane = lane_of(key_of(cell, height if height > 0 else -depth[cell], posture), key)
                out[cell], back[cell] = lane.out, lane.back
            there = out[cells]
        return there, back[cells]

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


def lines_of(board: Board, ruleset: Ruleset, before: Lines | None = None) -> Lines:
    """The lines of a board under a ruleset; ``before``: lines that may hold for most of it."""
    key = "environment_lines:" + ",".join([str(getattr(ruleset, name)) for name in _SWITCHES])
    found = board.tables.get(key)
    if found is None:
        old = before if before is not None and before.board.tables.get(key) is before else None
        found = board.tables[key] = Lines(board, ruleset, old)
    assert isinstance(found, Lines)
    return found
