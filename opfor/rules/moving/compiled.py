"""The movement search compiled, for play by the thousand: the same ends, labels and ways as :mod:`opfor.rules.moving.search`.

Loaded by :func:`opfor.rules.moving.compiling.use_compiled` alone, for it needs numba; the commands of a game master never load
it. It searches what goes on the ground and has a facing; infantry and VTOLs keep the plain search, which is also what
this one is tested against. One call makes all the passes of a :class:`~opfor.rules.moving.reach.Reach` and gathers its ends.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np

from opfor.rules.moving import compiled_search as kernels
from opfor.rules.moving.by_place import Places
from opfor.rules.moving.compiled_steps import Ints, Tables
from opfor.rules.moving.ground import HEXES, Ground
from opfor.rules.moving.reach import FAR, End, Reach
from opfor.rules.moving.search import FULL, Found
from opfor.rules.moving.search_cache import SEARCHES

_NONE: Ints = np.empty(0, np.int32)
#: more MP than anybody has
_NO_WAY = 1 << 20


def tables_of(ground: Ground) -> Tables:
    """The tables of a ground; made on first use and kept with it."""
    found = ground.compiled
    if not isinstance(found, Tables):
        former = found
        found = ground.compiled = Tables(ground) if former is None else Tables(ground, former[0], former[1])
    return found


class Explored:
    """The result of :func:`_explore`: the ends as ``keys`` and ``codes`` (as in :class:`Reach`), and where in ``found`` each
    pass begins and how many nodes it has (safe, any, and both again on the road)."""

    __slots__ = ("codes", "found", "keys", "passes", "refusals")

    def __init__(self, found: Ints) -> None:
        self.found = found
        # a view of memory gives plain integers, and faster than the array does
        view = found.data
        ends, *counts, self.refusals = view[:6].tolist()
        start = kernels.HEAD + ends * 2
        self.keys: memoryview = view[kernels.HEAD : kernels.HEAD + ends]
        self.codes: memoryview = view[kernels.HEAD + ends : start]
        self.passes: list[tuple[int, int]] = []
        for count in counts:
            self.passes.append((start, count))
            start += count * 3

    def as_found(self, number: int) -> Found:
        """A pass in the form of the plain search."""
        start, count = self.passes[number]
        nodes, labels, before = self.found[start : start + count * 3].reshape(3, count).tolist()
        parents = {node: nodes[rank] for node, rank in zip(nodes, before, strict=True) if rank >= 0}
        known = {node: label for node, label in zip(nodes, labels, strict=True) if label >= 0}
        return Found(known, parents, bool(self.refusals >> number & 1))


def jump_cells(ground: Ground, place: int, limit: int, rise: int) -> tuple[list[int], list[int]]:
    """Cells within a jump, and their distances: see :func:`opfor.rules.moving.landing.jump_cells`."""
    tables = tables_of(ground)
    found = kernels.jump(tables.marks, tables.q, tables.r, tables.ways, place, limit, rise).tolist()
    count = len(found) // 2
    return found[:count], found[count:]


class QuickReach(Reach):
    """A :class:`Reach` by the compiled search: its ends are read from arrays, look-ups by key made when asked for."""

    __slots__ = ("_all", "_codes", "_explored", "_plain", "_searched")

    def _work_out(self, near: list[int], near_held: frozenset[int]) -> None:
        ground, start, rules, limit = self.ground, self.start, self.rules, self.limit
        key = (ground, start, limit, rules, self.bonus, near_held, "compiled", *sorted(near))
        explored: Explored | None = SEARCHES.get(key)
        if explored is None:
            tables, scratch = tables_of(ground), kernels.scratch_of(ground.stances * 2)
            label = FULL - start.hexes
            if start.prone:
                label = start.stand_mp * HEXES + FULL if 0 <= start.stand_mp <= limit else -1
            bits = (
                rules.backward * kernels.BACKWARD
                | rules.skids * kernels.SKIDS
                | rules.quad * kernels.QUAD
                | rules.slips * kernels.SLIPS
            )
            fences = np.array(near, np.int32) if near else _NONE
            held = np.array(list(near_held), np.int32) if near_held else _NONE
            explored = Explored(
                kernels.explore(
                    tables.steps, tables.marks, scratch, start.stance, start.prone, start.drops, label, limit,
                    self.bonus, rules.barred, bits, rules.backward_levels, fences, held,
                )
            )  # fmt: skip
            # an integer here takes a fiftieth of a label in a dictionary
            SEARCHES.put(key, explored, len(explored.found) // 50)
        self._explored = explored
        self._searched, self._codes = explored.keys, explored.codes
        here = start.stance // 6
        friends = [place for place in self.near(self.friends) if place != here]
        if friends:
            left = kernels.without(explored.found, len(explored.keys), np.array(friends, np.int32))
            count = len(left) // 2
            if count < len(explored.keys):
                view = left.data
                self._searched, self._codes = view[:count], view[count:]
        self._by_key = None
        self._all: Sequence[int] | None = None
        self._plain: list[Found | None] = [None] * 4

    def _number(self, number: int) -> int:
        """The pass to read for a pass: where the one without rolls left nothing out, it is that with rolls too."""
        return number & ~1 if not self._explored.refusals >> (number & ~1) & 1 else number

    def _pass(self, number: int) -> Found:
        number = self._number(number)
        found = self._plain[number]
        if found is None:
            found = self._plain[number] = self._explored.as_found(number)
        return found

    @property
    def safe(self) -> Found:
        return self._pass(0)

    @property
    def any(self) -> Found:
        return self._pass(1)

    @property
    def roads(self) -> tuple[Found, Found] | None:
        return (self._pass(2), self._pass(3)) if self.bonus else None

    @property
    def _found(self) -> dict[int, int]:
        found = self._by_key
        if found is None:
            found = self._by_key = dict(zip(self._searched.tolist(), self._codes.tolist(), strict=True))
        return found

    @property
    def keys(self) -> Sequence[int]:
        if not self._special:
            return self._searched
        if self._all is None:
            searched = np.asarray(self._searched)
            rest = [key for key in self._special if not kernels.holds(searched, key)]
            self._all = array("i", [*self._searched.tolist(), *rest]) if rest else self._searched
        return self._all

    def end_at(self, number: int) -> End:
        if number < len(self._searched):
            return self._end(self._searched[number], self._codes[number])
        return self._special[self.keys[number]]

    def _specials(self, enemies: list[int], minimum_limit: int) -> dict[int, End]:
        start = self.start
        if not start.prone:
            if minimum_limit <= 0 or self.limit <= 0:
                return {}
            if not kernels.dear(tables_of(self.ground).steps, start.stance, self.limit, self.rules.barred, minimum_limit):
                return {}
        return super()._specials(enemies, minimum_limit)

    def mp_at(self, stances: list[int], *, road: bool = False) -> list[int]:
        if not stances:
            return []
        first, second = self._explored.passes[2:] if road else self._explored.passes[:2]
        found: list[int] = kernels.mp_at(self._explored.found, *first, *second, np.array(stances, np.int32), _NO_WAY).tolist()
        return found

    def _way(self, number: int, node: int) -> list[int]:
        start, count = self._explored.passes[self._number(number)]
        way: list[int] = kernels.way_to(self._explored.found, start, count, node).tolist()
        way.reverse()
        return way

    def _label(self, number: int, node: int) -> int:
        start, count = self._explored.passes[self._number(number)]
        label = int(kernels.label_of(self._explored.found, start, count, node))
        return label if label >= 0 else FAR

    def places(self, standing: bool, always: bool) -> Places:
        if self._special:
            return super().places(standing, always)
        ground = self.ground
        keys = np.asarray(self._searched)
        tables, scratch = tables_of(ground), kernels.scratch_of(ground.stances * 2)
        columns = kernels.by_place(tables.marks, scratch, keys, np.asarray(self._codes), standing, always)
        place, cells, elevations, mp, hexes, rolls, orders = columns
        return Places(
            place, cells, elevations, mp, hexes, rolls, orders, lambda index: kernels.numbers_in(keys, place[index]).tolist()
        )
