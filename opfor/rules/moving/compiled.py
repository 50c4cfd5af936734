"""The movement search compiled, for play by the thousand: the same ends, labels and ways as :mod:`opfor.rules.moving.search`.

Loaded by :func:`opfor.rules.moving.search.use_compiled` alone, for it needs numba; the commands of a game master never load
it. It searches what goes on the ground and has a facing; infantry and VTOLs keep the plain search, which is also what
this one is tested against. One call makes all the passes of a :class:`~opfor.rules.moving.reach.Reach` and gathers its ends.

All arrays are int32. Nodes, stances, places and labels are those of the plain search.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from numba import njit

from opfor.rules.moving.ground import BASE_COST, HEXES, LEVEL, OFF_ROAD, PAVED, ROLL, SIDESTEP_COST, WATER, Ground
from opfor.rules.moving.reach import FAR, PRONE_COST, End, Reach
from opfor.rules.moving.search import FULL, Found
from opfor.rules.moving.search_cache import SEARCHES

Ints = npt.NDArray[np.int32]

#: label of a node that has none, and of one that may not be entered
_FAR = 1 << 30
_BARRED = -1
#: HEXES as a shift: MP of a label
_SHIFT = HEXES.bit_length() - 1
assert HEXES == 1 << _SHIFT
#: bits of how a search may step
_BACKWARD, _SKIDS, _QUAD, _SLIPS = 1, 2, 4, 8
#: rows of the scratch: by node its label, rank, neighbours in its bucket and end; by rank the node and the rank before it;
#: by end its key and code; by MP the first and last node of its bucket
_LABEL, _RANK, _NEXT, _LAST, _SEEN, _ORDER, _BEFORE, _KEY, _CODE, _HEADS, _TAILS = range(11)
#: what stands before the ends and passes in a result: ends, nodes of each of four passes, whether the first left out a roll
_HEAD = 8
#: columns of what is known of a place: level above the board's zero (_NOWHERE: no such place), whether paved
_NOWHERE = -10_000
_NONE: Ints = np.empty(0, np.int32)


# -- the steps of a board ------------------------------------------------------------------------------------------------

#: columns of what is known of a hex: MP more for its terrain (-1: closed), flags of entering it, MP of its building, whether
#: the high place is a roof that the motion does not step onto, directions of its bridge's exits (-1: no bridge), directions
#: in which a paved way leads from the low place and from the high one
_EXTRA, _FLAGS, _WALLS, _CLOSED, _EXITS, _LOW, _HIGH = range(7)


class Tables:
    """A ground as arrays: ``steps`` of shape (places * 6, 4), a step's two places (low, high) with ``MP << 8 | flags`` after
    each, -1 for none; ``marks`` of shape (places, 2), level and whether paved."""

    __slots__ = ("hexes", "marks", "q", "r", "scratch", "steps", "ways")

    def __init__(self, ground: Ground, former: Tables | None = None, cells: Sequence[int] = ()) -> None:
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
            self.marks: Ints = np.full((size * 2, 2), _NOWHERE, np.int32)
            self.steps: Ints = np.full((size * 12, 4), -1, np.int32)
            self.scratch: Ints = scratch_of(ground.stances * 2)
            cells = grid.on_board
            around = np.array(cells, np.int32)
        else:
            self.hexes, self.marks, self.steps = former.hexes.copy(), former.marks.copy(), former.steps.copy()
            self.q, self.r, self.ways, self.scratch = former.q, former.r, former.ways, former.scratch
            near = {cell + by for cell in cells for by in (0, *grid.step)}
            around = np.array(sorted(cell for cell in near if grid.contains(cell)), np.int32)
        levels = ground.level
        for cell in cells:
            self.hexes[cell] = _hex_row(ground, cell)
            for place in (cell * 2, cell * 2 + 1):
                level = levels[place]
                self.marks[place] = (_NOWHERE if level is None else level, ground.paved[place])
        motion = ground.motion
        _build(self.hexes, self.marks, self.steps, around, self.ways, motion.max_levels, motion.level_cost)


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
                steps[row, 0] = steps[row, 2] = -1
                there = cell + ways[direction]
                # a hex of the border has no place
                if level == _NOWHERE or (marks[there * 2, 0] == _NOWHERE and marks[there * 2 + 1, 0] == _NOWHERE):
                    continue
                back = (direction + 3) % 6
                exits = hexes[cell, _EXITS]
                if high and exits >= 0 and not exits >> direction & 1:
                    continue
                paved = hexes[cell, _HIGH if high else _LOW] >> direction & 1 and hexes[there, _LOW] >> back & 1
                for up in range(2):
                    rise = abs(marks[there * 2 + up, 0] - level)
                    if marks[there * 2 + up, 0] == _NOWHERE or rise > max_levels:
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


#: scratch by number of nodes, shared by all boards of a size
_SCRATCH: dict[int, Ints] = {}


def scratch_of(nodes: int) -> Ints:
    """The scratch for a number of nodes, of shape (11, nodes): no node has a label or an end. Every search leaves it so."""
    found = _SCRATCH.get(nodes)
    if found is None:
        found = np.zeros((11, nodes), np.int32)
        found[_LABEL] = _FAR
        found[_SEEN] = -1
        _SCRATCH[nodes] = found
    return found


def tables_of(ground: Ground) -> Tables:
    """The tables of a ground; made on first use and kept with it."""
    found = ground.compiled
    if not isinstance(found, Tables):
        former = found
        found = ground.compiled = Tables(ground) if former is None else Tables(ground, former[0], former[1])
    return found


# -- the search ----------------------------------------------------------------------------------------------------------


@njit(cache=True, error_model="numpy")
def _take(s: Ints, count: int, to: int, new: int, rank: int) -> int:
    """Take a way to a node that is better than the one known; how many nodes have been found by then."""
    old = s[_LABEL, to]
    s[_LABEL, to] = new
    cost = new >> _SHIFT
    if old == _FAR:
        s[_RANK, to] = count
        s[_ORDER, count] = to
        s[_BEFORE, count] = rank
        count += 1
    else:
        s[_BEFORE, s[_RANK, to]] = rank
        was = old >> _SHIFT
        if was == cost:
            return count
        # out of the dearer bucket
        after, earlier = s[_NEXT, to], s[_LAST, to]
        if earlier >= 0:
            s[_NEXT, earlier] = after
        else:
            s[_HEADS, was] = after
        if after >= 0:
            s[_LAST, after] = earlier
        else:
            s[_TAILS, was] = earlier
    tail = s[_TAILS, cost]
    s[_NEXT, to] = -1
    s[_LAST, to] = tail
    if tail >= 0:
        s[_NEXT, tail] = to
    else:
        s[_HEADS, cost] = to
    s[_TAILS, cost] = to
    return count


@njit(cache=True, error_model="numpy")
def _pass(
    steps: Ints, marks: Ints, s: Ints, start: int, prone: bool, label: int, limit: int, barred: int, bits: int, levels: int,
    refuse: int, fences: Ints, held: Ints,
) -> tuple[int, bool]:  # fmt: skip
    """One pass; see :func:`opfor.rules.moving.search.search`. How many nodes it found, and whether it left out a roll.

    It leaves labels, ranks, the nodes by rank and the ranks before them in the scratch.
    """
    backward, skids, quad, slips = bits & _BACKWARD, bits & _SKIDS, bits & _QUAD, bits & _SLIPS
    labels, ranks, following, heads = s[_LABEL], s[_RANK], s[_NEXT], s[_HEADS]
    s[_HEADS, : limit + 1] = -1
    s[_TAILS, : limit + 1] = -1
    for place in fences:
        labels[place * 12 : place * 12 + 12] = _BARRED
    count = 0
    home = start // 6
    if label >= 0:
        for i in range(6 if prone else 1):
            node = (home * 6 + i) * 2 if prone else start * 2
            # the start may be fenced
            labels[node] = _FAR
            count = _take(s, count, node, label, -1)
    ceiling = (limit + 1) * HEXES
    refused = False
    for mp in range(limit):
        halted = mp * HEXES + FULL
        node = heads[mp]
        while node >= 0:
            label = labels[node]
            rank = ranks[node]
            stance = node >> 1
            bit = node & 1
            place = stance // 6
            facing = stance % 6
            to = node
            if skids:
                rolls = place != home if slips else marks[place, 1] != 0
                to = stance * 2 + (1 if rolls else 0)
            left = to - 2 if facing else to + 10
            if label + HEXES < labels[left]:
                count = _take(s, count, left, label + HEXES, rank)
            right = to + 2 if facing != 5 else to - 10
            if label + HEXES < labels[right]:
                count = _take(s, count, right, label + HEXES, rank)
            stays = False
            for one in held:
                if one == place:
                    stays = True
            if not stays:
                stops = False
                if skids and bit and refuse:
                    stops = True
                    if quad:
                        refused = True
                    else:
                        row = place * 6 + facing
                        for up in range(0, 4, 2):
                            if steps[row, up] >= 0:
                                packed = steps[row, up + 1]
                                if label + (packed >> 8) * HEXES - 1 < ceiling and not packed & barred:
                                    refused = True
                if not stops:
                    # ahead, backward; of quads the sidesteps ahead and backward
                    for group in range(6):
                        if group == 0:
                            turn, back, more = 0, 0, 0
                        elif group == 1:
                            if not backward:
                                continue
                            turn, back, more = 3, 1, 0
                        else:
                            if not quad:
                                break
                            if group == 2:
                                turn, back, more = 5, 0, SIDESTEP_COST
                            elif group == 3:
                                turn, back, more = 1, 0, SIDESTEP_COST
                            else:
                                if not backward:
                                    break
                                turn, back, more = (4 if group == 4 else 2), 1, SIDESTEP_COST
                        base = label if skids or bit == back else halted
                        row = place * 6 + (facing + turn) % 6
                        for up in range(0, 4, 2):
                            there = steps[row, up]
                            if there < 0:
                                continue
                            packed = steps[row, up + 1]
                            flags = packed & 255
                            if back and flags & LEVEL:
                                if more or abs(marks[there, 0] - marks[place, 0]) > levels:
                                    continue
                                flags |= ROLL
                            new = base + ((packed >> 8) + more) * HEXES - 1
                            if new >= ceiling or flags & barred:
                                continue
                            if flags & refuse:
                                refused = True
                                continue
                            to = (there * 6 + facing) * 2 + back
                            if new < labels[to]:
                                count = _take(s, count, to, new, rank)
            node = following[node]
    for place in fences:
        labels[place * 12 : place * 12 + 12] = _BARRED
    return count, refused


@njit(cache=True, error_model="numpy")
def _gather(s: Ints, count: int, ends: int, floor: int, ceiling: int, passed: int) -> int:
    """Note the ends of the pass just made that are new, or on a road better than those known; how many there are by then."""
    labels, ranks, order, seen, keys, codes = s[_LABEL], s[_RANK], s[_ORDER], s[_SEEN], s[_KEY], s[_CODE]
    for rank in range(count):
        node = order[rank]
        label = labels[node]
        if label < 0:
            continue
        other = node ^ 1
        code = label * 2 + (node & 1)
        if labels[other] != _FAR:
            if ranks[other] < rank:
                continue
            second = labels[other] * 2 + (other & 1)
            code = min(code, second)
        key = node & ~1
        for prone in range(2):
            if (code >= ceiling) if prone else (code < floor):
                continue
            known = seen[key + prone]
            if known < 0:
                known = ends
                seen[key + prone] = ends
                keys[ends] = key + prone
                ends += 1
            elif passed < 2 or not codes[known] & 1 or passed & 1:
                continue
            codes[known] = code * 4 + passed
    return ends


@njit(cache=True, error_model="numpy")
def _note(s: Ints, count: int, fences: Ints) -> Ints:
    """The pass just made as its nodes, labels (-1: not among the results) and ranks before them; the scratch is cleared."""
    found = np.empty(count * 3, np.int32)
    for rank in range(count):
        node = s[_ORDER, rank]
        found[rank] = node
        found[count + rank] = s[_LABEL, node]
        found[count * 2 + rank] = s[_BEFORE, rank]
    for rank in range(count):
        s[_LABEL, s[_ORDER, rank]] = _FAR
    for place in fences:
        s[_LABEL, place * 12 : place * 12 + 12] = _FAR
    return found


@njit(cache=True, error_model="numpy")
def _explore(
    steps: Ints, marks: Ints, s: Ints, start: int, prone: bool, drops: bool, label: int, limit: int, bonus: int, barred: int,
    bits: int, levels: int, fences: Ints, held: Ints,
) -> Ints:  # fmt: skip
    """All passes of a reach and its ends, in one array: see :class:`_Explored`."""
    floor = 0 if prone else HEXES * 2
    ends = 0
    nothing = np.empty(0, np.int32)
    notes = [nothing, nothing, nothing, nothing]
    counts = np.zeros(4, np.int32)
    refusals = 0
    for round in range(4):
        if round & 1:
            # nothing was left out: the pass with rolls is the one without
            if not refusals >> (round - 1) & 1:
                continue
        elif round and not bonus:
            break
        most = limit + (bonus if round > 1 else 0)
        closed = barred | (OFF_ROAD if round > 1 else 0)
        refuse = 0 if round & 1 else ROLL
        count, refused = _pass(steps, marks, s, start, prone, label, most, closed, bits, levels, refuse, fences, held)
        ceiling = 0 if prone or not drops else (most + 1 - PRONE_COST) * HEXES * 2
        ends = _gather(s, count, ends, floor, ceiling, round)
        notes[round] = _note(s, count, fences)
        counts[round] = count
        refusals |= int(refused) << round
    found = np.empty(_HEAD + ends * 2 + counts.sum() * 3, np.int32)
    found[0] = ends
    found[1:5] = counts
    found[5] = refusals
    at = _HEAD
    for row in (_KEY, _CODE):
        found[at : at + ends] = s[row, :ends]
        at += ends
    for round in range(4):
        size = counts[round] * 3
        found[at : at + size] = notes[round][:size]
        at += size
    for i in range(ends):
        s[_SEEN, s[_KEY, i]] = -1
    return found


@njit(cache=True, error_model="numpy")
def _without(found: Ints, ends: int, places: Ints) -> Ints:
    """Keys and codes of the ends of a result that do not lie in ``places``, one block after the other."""
    kept = np.empty(ends, np.int32)
    count = 0
    for i in range(ends):
        place = found[_HEAD + i] // 12
        inside = False
        for one in places:
            if one == place:
                inside = True
        if not inside:
            kept[count] = i
            count += 1
    left = np.empty(count * 2, np.int32)
    for j in range(count):
        left[j] = found[_HEAD + kept[j]]
        left[count + j] = found[_HEAD + ends + kept[j]]
    return left


@njit(cache=True, error_model="numpy")
def _label_of(found: Ints, start: int, count: int, node: int) -> int:
    """The label of a node in a pass, -1 where it has none."""
    for rank in range(count):
        if found[start + rank] == node:
            return int(found[start + count + rank])
    return -1


@njit(cache=True, error_model="numpy")
def _way(found: Ints, start: int, count: int, node: int) -> Ints:
    """The nodes of the way to a node of a pass, backward."""
    rank = 0
    while rank < count and found[start + rank] != node:
        rank += 1
    if rank == count:
        raise KeyError(node)
    way = np.empty(count, np.int32)
    length = 0
    while rank >= 0:
        way[length] = found[start + rank]
        length += 1
        rank = found[start + count * 2 + rank]
    return way[:length]


@njit(cache=True, error_model="numpy")
def _jump(marks: Ints, q: Ints, r: Ints, ways: Ints, place: int, limit: int, rise: int) -> Ints:
    """Cells that a jump comes to, then their distances; see :func:`opfor.rules.moving.reach.jump_cells`."""
    start = place // 2
    top = (0 if marks[place, 0] == _NOWHERE else marks[place, 0]) + rise
    seen = np.zeros(len(q), np.uint8)
    found = np.empty(len(q), np.int32)
    far = np.empty(len(q), np.int32)
    seen[start] = 1
    found[0] = start
    first, last = 0, 1
    for distance in range(1, limit + 1):
        end = last
        for i in range(first, end):
            for way in ways:
                to = found[i] + way
                # a cell of the border has no place
                high, low = marks[to * 2 + 1, 0], marks[to * 2, 0]
                if seen[to] or (high == _NOWHERE and low == _NOWHERE):
                    continue
                dq, dr = q[to] - q[start], r[to] - r[start]
                if (low if high == _NOWHERE else high) > top or max(abs(dq), abs(dr), abs(dq + dr)) != distance:
                    continue
                seen[to] = 1
                found[last] = to
                far[last] = distance
                last += 1
        first = end
    return np.concatenate((found[1:last], far[1:last]))


# -- what it is to the rest ----------------------------------------------------------------------------------------------


class _Explored:
    """The result of :func:`_explore`: the ends as ``keys`` and ``codes`` (as in :class:`Reach`), and where in ``found`` each
    pass begins and how many nodes it has (safe, any, and both again on the road)."""

    __slots__ = ("codes", "found", "keys", "passes", "refusals")

    def __init__(self, found: Ints) -> None:
        self.found = found
        # a view of memory gives plain integers, and faster than the array does
        view = found.data
        ends, *counts, self.refusals = view[:6].tolist()
        start = _HEAD + ends * 2
        self.keys: memoryview = view[_HEAD : _HEAD + ends]
        self.codes: memoryview = view[_HEAD + ends : start]
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
    """Cells within a jump, and their distances: see :func:`opfor.rules.moving.reach.jump_cells`."""
    tables = tables_of(ground)
    found = _jump(tables.marks, tables.q, tables.r, tables.ways, place, limit, rise).tolist()
    count = len(found) // 2
    return found[:count], found[count:]


class QuickReach(Reach):
    """A :class:`Reach` by the compiled search: its ends are read from arrays, look-ups by key made when asked for."""

    __slots__ = ("_codes", "_explored", "_plain", "_searched")

    def _work_out(self, near: list[int], near_held: frozenset[int]) -> None:
        ground, start, rules, limit = self.ground, self.start, self.rules, self.limit
        key = (ground, start, limit, rules, self.bonus, near_held, "compiled", *sorted(near))
        explored: _Explored | None = SEARCHES.get(key)
        if explored is None:
            tables = tables_of(ground)
            label = FULL - start.hexes
            if start.prone:
                label = start.stand_mp * HEXES + FULL if 0 <= start.stand_mp <= limit else -1
            bits = rules.backward * _BACKWARD | rules.skids * _SKIDS | rules.quad * _QUAD | rules.slips * _SLIPS
            fences = np.array(near, np.int32) if near else _NONE
            held = np.array(list(near_held), np.int32) if near_held else _NONE
            explored = _Explored(
                _explore(
                    tables.steps, tables.marks, tables.scratch, start.stance, start.prone, start.drops, label, limit,
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
            left = _without(explored.found, len(explored.keys), np.array(friends, np.int32))
            count = len(left) // 2
            if count < len(explored.keys):
                view = left.data
                self._searched, self._codes = view[:count], view[count:]
        self._by_key = None
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
        return self._searched if not self._special else super().keys

    def end_at(self, number: int) -> End:
        if number < len(self._searched):
            return self._end(self._searched[number], self._codes[number])
        return super().end_at(number)

    def _way(self, number: int, node: int) -> list[int]:
        start, count = self._explored.passes[self._number(number)]
        way: list[int] = _way(self._explored.found, start, count, node).tolist()
        way.reverse()
        return way

    def _label(self, number: int, node: int) -> int:
        start, count = self._explored.passes[self._number(number)]
        label = int(_label_of(self._explored.found, start, count, node))
        return label if label >= 0 else FAR
