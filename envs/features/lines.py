"""Lines of fire from every hex to one spot, as arrays: the modifiers out and back, worked out where they are asked for.

Between two units as they stand the lines of :mod:`policies.veteran.lanes` serve; here one end is any hex, on its ground. What
is known is kept with the board, so battles on the same board share it. A value never depends on what has been asked before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from opfor.board.board import Board
from opfor.rulesets import Ruleset
from policies.veteran.lanes import Lanes
from policies.veteran.spots import key_of

Bytes = NDArray[np.int8]
#: stands in a row for what has not been looked at
_UNKNOWN = -128
#: rows kept of a board, lanes kept beside them
_MOST_ROWS, _MOST_LANES = 2048, 20_000
#: switches that lanes depend on
_SWITCHES = ("partial_cover", "water_to_hit")


class Lines:
    """The lines of one board. ``lanes`` are those between spots, remembered for a while."""

    def __init__(self, board: Board, ruleset: Ruleset) -> None:
        self.lanes = Lanes(board, ruleset, most=_MOST_LANES)
        self._depth = board.depth
        self._size = board.grid.size
        self._rows: dict[tuple[int, int, int], tuple[Bytes, Bytes]] = {}

    def rows(self, key: int, cells: NDArray[np.int32], posture: int, height: int = 0) -> tuple[Bytes, Bytes]:
        """Modifiers of shots from each of ``cells`` at the spot ``key``, and of shots back, each of the shape of ``cells``.

        Somebody in ``posture`` stands there, on the ground (on the bottom of water) or at ``height`` above it when that is more
        than 0. :data:`policies.veteran.lanes.BLOCKED` where there is no shot.
        """
        found = self._rows.get((key, posture, height))
        if found is None:
            if len(self._rows) >= _MOST_ROWS:
                self._rows.clear()
            blank = np.full(self._size, _UNKNOWN, dtype=np.int8)
            found = self._rows[key, posture, height] = (blank, blank.copy())
        out, back = found
        there = out[cells]
        missing = there == _UNKNOWN
        if missing.any():
            lane_of = self.lanes.lane
            depth = self._depth
            for cell in cells[missing].tolist():
                lane = lane_of(key_of(cell, height if height > 0 else -depth[cell], posture), key)
                out[cell], back[cell] = lane.out, lane.back
            there = out[cells]
        return there, back[cells]


def lines_of(board: Board, ruleset: Ruleset) -> Lines:
    """The lines of a board under a ruleset."""
    key = "environment_lines:" + ",".join([str(getattr(ruleset, name)) for name in _SWITCHES])
    found = board.tables.get(key)
    if found is None:
        found = board.tables[key] = Lines(board, ruleset)
    assert isinstance(found, Lines)
    return found
