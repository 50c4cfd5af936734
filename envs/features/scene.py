"""What the side that is asked sees, laid out for the features: units known, who acts, where all stand.

Made once a decision from the side's view, and turned to another acting unit when the first question has settled which it is.
Nothing here reads the game behind the view.
"""

from __future__ import annotations

import numpy as np

from envs.actions import Walk
from envs.features.geometry import Ints, axes_of, compass
from envs.features.lines import Lines, lines_of
from envs.features.records import Record, Records
from opfor.game.view import View
from opfor.units.state import UnitState

#: units of a side that an observation has room for: the nearest to the acting one
ROOM = 24
#: nearest enemies that places are weighed against
WEIGHED = 6


class Scene:
    """One decision as its side sees it. ``own`` and ``enemies`` are indices into ``units``, the acting unit first among
    ``own``, the others by their distance from it; no more than :data:`ROOM` each. ``row_of``: rows by unit id, enemies from
    :data:`ROOM` on."""

    __slots__ = (
        "_places", "_q", "_r", "acting", "asked", "board", "cells", "compass", "contacts", "distance",
        "dq", "dr", "enemies", "facings", "far", "levels", "lines", "own", "q", "r", "records", "row_of", "side", "state",
        "store", "towards", "units", "walk",
    )  # fmt: skip

    def __init__(self, walk: Walk, view: View, store: Records, before: Scene | None = None) -> None:
        """``before``: what was seen before, of whose lines of fire many may hold still."""
        self.walk = walk
        self.store = store
        self.side = walk.decision.side
        state = self.state = view.glimpse
        board = self.board = state.board
        self.q, self.r = axes_of(board.grid)
        self.compass = compass(board.grid.size, board.grid.stride)
        self.lines: Lines = lines_of(board, state.ruleset, before.lines if before is not None else None)
        self.contacts = view.contacts
        units = [unit for unit in state.units if unit.alive and unit.cell >= 0]
        if self.contacts:
            units = [_whole(unit) if unit.id in self.contacts else unit for unit in units]
        self.units = units
        self.records: list[Record] = [store.of(state, unit) for unit in units]
        self.asked = frozenset(walk.decision.unit_ids)
        level = board.level
        table = np.array([(u.cell, u.facing, level[u.cell] + u.elevation) for u in units], dtype=np.int32)
        self.cells: Ints = table[:, 0]
        self.facings: Ints = table[:, 1]
        self.levels: Ints = table[:, 2]
        self._places: Ints = self.compass.place[self.cells]
        self._q: Ints = self.q[self.cells]
        self._r: Ints = self.r[self.cells]
        self.turn_to(walk.unit)

    def turn_to(self, id: str) -> None:
        """See all from a unit: order the others by their distance from it."""
        units = self.units
        self.acting = next((place for place, unit in enumerate(units) if unit.id == id), 0)
        me = self.acting
        self.dq = self._q - self._q[me]
        self.dr = self._r - self._r[me]
        apart = self._places - (self._places[me] - self.compass.middle)
        self.distance = self.compass.distance[apart]
        self.towards = self.compass.bearing[apart]
        far = self.far = self.distance.tolist()
        far[self.acting] = -1
        own: list[int] = []
        enemies: list[int] = []
        side = self.side
        for place in sorted(range(len(units)), key=far.__getitem__):
            (own if units[place].side == side else enemies).append(place)
        far[self.acting] = 0
        self.own, self.enemies = own[:ROOM], enemies[:ROOM]
        self.row_of = {units[place].id: row for row, place in enumerate(self.own)}
        for row, place in enumerate(self.enemies, start=ROOM):
            self.row_of[units[place].id] = row

    def from_enemies(self, cells: Ints) -> tuple[Ints, Ints]:
        """Distances and bearings from the nearest enemies to each of ``cells``, shape (:data:`WEIGHED` or fewer, cells)."""
        table = self.compass
        theirs = self._places[self.enemies[:WEIGHED]][:, None]
        apart = table.place[cells] - (theirs - table.middle)
        return table.distance[apart], table.bearing[apart]

    @property
    def me(self) -> UnitState:
        """The acting unit."""
        return self.units[self.acting]


def _whole(unit: UnitState) -> UnitState:
    """A contact as it left its hangar: nothing is known of how it stands."""
    whole = UnitState(unit.spec, unit.id, unit.side, unit.index)
    whole.cell = unit.cell
    return whole


__all__ = ["ROOM", "WEIGHED", "Scene"]
