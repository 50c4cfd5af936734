"""The kernels of the compiled search; see :mod:`opfor.rules.moving.compiled`.

All arrays are int32. Nodes, stances, places and labels are those of the plain search, :mod:`opfor.rules.moving.search`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from opfor.rules.moving.compiled_steps import NOWHERE, Ints
from opfor.rules.moving.ground import HEXES, LEVEL, OFF_ROAD, ROLL, SIDESTEP_COST
from opfor.rules.moving.reach import PRONE_COST
from opfor.rules.moving.search import FULL

#: label of a node that has none, and of one that may not be entered
_FAR = 1 << 30
_BARRED = -1
#: HEXES as a shift: MP of a label
_SHIFT = HEXES.bit_length() - 1
assert HEXES == 1 << _SHIFT
#: bits of how a search may step
BACKWARD, SKIDS, QUAD, SLIPS = 1, 2, 4, 8
#: rows of the scratch: by node its label, rank, neighbours in its bucket and end; by rank the node and the rank before it;
#: by end its key and code; by MP the first and last node of its bucket
_LABEL, _RANK, _NEXT, _LAST, _SEEN, _ORDER, _BEFORE, _KEY, _CODE, _HEADS, _TAILS = range(11)
#: what stands before the ends and passes in a result: ends, nodes of each of four passes, whether the first left out a roll
HEAD = 8

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
    backward, skids, quad, slips = bits & BACKWARD, bits & SKIDS, bits & QUAD, bits & SLIPS
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
def explore(
    steps: Ints, marks: Ints, s: Ints, start: int, prone: bool, drops: bool, label: int, limit: int, bonus: int, barred: int,
    bits: int, levels: int, fences: Ints, held: Ints,
) -> Ints:  # fmt: skip
    """All passes of a reach and its ends, in one array: see :class:`opfor.rules.moving.compiled.Explored`."""
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
    found = np.empty(HEAD + ends * 2 + counts.sum() * 3, np.int32)
    found[0] = ends
    found[1:5] = counts
    found[5] = refusals
    at = HEAD
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
def without(found: Ints, ends: int, places: Ints) -> Ints:
    """Keys and codes of the ends of a result that do not lie in ``places``, one block after the other."""
    kept = np.empty(ends, np.int32)
    count = 0
    for i in range(ends):
        place = found[HEAD + i] // 12
        inside = False
        for one in places:
            if one == place:
                inside = True
        if not inside:
            kept[count] = i
            count += 1
    left = np.empty(count * 2, np.int32)
    for j in range(count):
        left[j] = found[HEAD + kept[j]]
        left[count + j] = found[HEAD + ends + kept[j]]
    return left


@njit(cache=True, error_model="numpy")
def label_of(found: Ints, start: int, count: int, node: int) -> int:
    """The label of a node in a pass, -1 where it has none."""
    for rank in range(count):
        if found[start + rank] == node:
            return int(found[start + count + rank])
    return -1


@njit(cache=True, error_model="numpy")
def way_to(found: Ints, start: int, count: int, node: int) -> Ints:
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
def jump(marks: Ints, q: Ints, r: Ints, ways: Ints, place: int, limit: int, rise: int) -> Ints:
    """Cells that a jump comes to, then their distances; see :func:`opfor.rules.moving.landing.jump_cells`."""
    start = place // 2
    top = (0 if marks[place, 0] == NOWHERE else marks[place, 0]) + rise
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
                if seen[to] or (high == NOWHERE and low == NOWHERE):
                    continue
                dq, dr = q[to] - q[start], r[to] - r[start]
                if (low if high == NOWHERE else high) > top or max(abs(dq), abs(dr), abs(dq + dr)) != distance:
                    continue
                seen[to] = 1
                found[last] = to
                far[last] = distance
                last += 1
        first = end
    return np.concatenate((found[1:last], far[1:last]))


@njit(cache=True, error_model="numpy")
def by_place(marks: Ints, s: Ints, keys: Ints, codes: Ints, standing: bool, always: bool) -> Ints:
    """The ends by place, of shape (7, places): place, cell, elevation, fewest MP, most hexes, whether all roll, how many."""
    seen = s[_SEEN]
    found = np.empty((7, len(keys)), np.int32)
    count = 0
    for i in range(len(keys)):
        key = keys[i]
        place = key // 12
        prone = key & 1
        label = codes[i] >> 3
        mp = (label >> _SHIFT) + prone * PRONE_COST
        hexes = FULL - (label & FULL)
        rolls = codes[i] & 1 or always or (standing and not prone)
        at = seen[place]
        if at < 0:
            at = seen[place] = count
            count += 1
            found[0, at] = place
            found[1, at] = place >> 1
            found[2, at] = marks[place, 2]
            found[3, at] = mp
            found[4, at] = hexes
            found[5, at] = 1 if rolls else 0
            found[6, at] = 1
        else:
            found[3, at] = min(mp, found[3, at])
            found[4, at] = max(hexes, found[4, at])
            if not rolls:
                found[5, at] = 0
            found[6, at] += 1
    for i in range(count):
        seen[found[0, i]] = -1
    return found[:, :count]


@njit(cache=True, error_model="numpy")
def numbers_in(keys: Ints, place: int) -> Ints:
    """The numbers of the ends in a place."""
    found = np.empty(12, np.int32)
    count = 0
    for i in range(len(keys)):
        if keys[i] // 12 == place:
            found[count] = i
            count += 1
    return found[:count]


@njit(cache=True, error_model="numpy")
def holds(keys: Ints, key: int) -> bool:
    """Whether a key is among those."""
    return bool((keys == key).any())


@njit(cache=True, error_model="numpy")
def dear(steps: Ints, stance: int, limit: int, barred: int, walking: int) -> bool:
    """Whether a step ahead is for a minimum move alone: see ``minimum_limit`` of :class:`opfor.rules.moving.reach.Reach`."""
    for up in range(0, 4, 2):
        if steps[stance, up] >= 0:
            packed = steps[stance, up + 1]
            cost = packed >> 8
            if cost > limit or (packed & barred and cost > walking):
                return True
    return False


@njit(cache=True, error_model="numpy")
def mp_at(found: Ints, first: int, many: int, second: int, more: int, stances: Ints, none: int) -> Ints:
    """The fewest MP to each stance in two passes, given by where they start and how many nodes they have."""
    lowest = np.full(len(stances), none, np.int32)
    for start, count in ((first, many), (second, more)):
        for rank in range(count):
            stance = found[start + rank] >> 1
            for i in range(len(stances)):
                if stances[i] == stance:
                    label = found[start + count + rank]
                    if label >= 0:
                        lowest[i] = min(lowest[i], label >> _SHIFT)
    return lowest
