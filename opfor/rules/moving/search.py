"""The movement search: over stances (place and facing), one bucket a movement point. Rule: S-2.

A node is ``stance * 2 + bit``. In walking the bit says that the last hex was entered backward (reversing starts the count
of hexes afresh), in running that the facing was changed where going on is then a roll: on this paved hex for those that
skid, anywhere but in the first hex for those that sideslip. :mod:`tests.plain_reach` is the same search written plainly.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from opfor.rules.moving.ground import HEXES, MAX_LEVELS_BACKWARD, OFF_ROAD, WATER, Ground
from opfor.rules.moving.modes import RUNNING
from opfor.rules.moving.motions import Motion

FULL = HEXES - 1
_BARRED = -1


class Rules(NamedTuple):
    """How a search may step: ``barred`` flags of steps, backward steps, levels a backward step may change, rolls for going
    on after a turn (skids, or where ``slips`` sideslips), sidesteps (quads); ``free``: facing costs nothing (infantry)."""

    barred: int = 0
    backward: bool = False
    backward_levels: int = 0
    skids: bool = False
    quad: bool = False
    slips: bool = False
    free: bool = False


#: motions that sideslip where others skid
_SLIPPING = ("hover", "vtol")


def rules_of(mode: str, quad: bool, backward_levels: bool, motion: Motion) -> Rules:
    """The search rules of a movement mode: ``walk``, a running one, or ``forward`` (walking ahead only, for charges)."""
    return _rules_of(mode, quad, backward_levels, motion.infantry, motion.name in _SLIPPING)


@cache
def _rules_of(mode: str, quad: bool, backward_levels: bool, infantry: bool, slips: bool) -> Rules:
    if infantry:
        return Rules(free=True)
    if mode in RUNNING:
        return Rules(WATER, False, 0, True, quad, slips)
    return Rules(0, mode == "walk", MAX_LEVELS_BACKWARD if backward_levels else 0, False, quad)


def on_road(rules: Rules) -> Rules:
    """The same rules for a movement that keeps to road and pavement."""
    return rules._replace(barred=rules.barred | OFF_ROAD)


class Found(NamedTuple):
    """What one pass found: label by node, the node before it, and whether a step was left out because of a roll."""

    labels: dict[int, int]
    parents: dict[int, int]
    refused: bool


def search(
    ground: Ground,
    seeds: list[tuple[int, int]],
    limit: int,
    rules: Rules,
    refuse: int,
    enemies: Iterable[int],
    held: frozenset[int] = frozenset(),
) -> Found:
    """One pass from ``seeds`` (node, label) within ``limit`` MP; steps with a flag in ``refuse`` are left out.

    ``enemies`` are places that may not be entered, ``held`` those that may be entered and not left.
    """
    if rules.free:
        return search_free(ground, seeds, limit, refuse, enemies, held)
    labels: dict[int, int] = {}
    parents: dict[int, int] = {}
    fences: list[int] = []
    # two enemies may be in one place: one of them in the middle of its movement (M-9a)
    for place in dict.fromkeys(enemies):
        first = place * 12
        fences += range(first, first + 12)
    for node in fences:
        labels[node] = _BARRED
    buckets: list[list[int]] = [[] for _ in range(limit + 1)]
    for node, label in seeds:
        labels[node] = label
        buckets[label // HEXES].append(node)
    barred, backward, backward_levels, skids, quad, slips, _ = rules
    behind = ground.backward_levels if backward_levels else ground.backward
    forward = ground.forward
    paved = ground.unturned(seeds[0][0] // 12) if slips and seeds else ground.paved
    ceiling = (limit + 1) * HEXES
    get = labels.get
    refused = False
    # from the last bucket nothing more can be paid
    for mp in range(limit):
        # the label of having come to a stop here: hexes are counted afresh after a reversal
        halted = mp * HEXES + FULL
        cheaper = mp * HEXES
        bucket, following = buckets[mp], buckets[mp + 1]
        for node in bucket:
            label = labels[node]
            # a cheaper way here was found after this one was noted
            if label < cheaper:
                continue
            stance = node >> 1
            bit = node & 1
            new = label + HEXES
            facing = stance % 6
            to = node
            if skids and not bit and paved[stance // 6]:
                to += 1
            elif skids and bit and not paved[stance // 6]:
                to -= 1
            left = to - 2 if facing else to + 10
            old = get(left, ceiling)
            if new < old:
                labels[left] = new
                parents[left] = node
                if old // HEXES != mp + 1:
                    following.append(left)
            right = to + 2 if facing != 5 else to - 10
            old = get(right, ceiling)
            if new < old:
                labels[right] = new
                parents[right] = node
                if old // HEXES != mp + 1:
                    following.append(right)
            if held and stance // 6 in held:
                continue
            edges = forward[stance]
            if edges is None:
                edges = ground.ahead(stance)
            if skids:
                base = label
                if bit and refuse:
                    if quad or any(edge[1] + label < ceiling and not edge[2] & barred for edge in edges):
                        refused = True
                    continue
            else:
                base = halted if bit else label
            for to, delta, flags, _ in edges:
                new = base + delta
                if new >= ceiling or flags & barred:
                    continue
                if flags & refuse:
                    refused = True
                    continue
                to *= 2
                old = get(to, ceiling)
                if new < old:
                    labels[to] = new
                    parents[to] = node
                    cost = new // HEXES
                    if old // HEXES != cost:
                        buckets[cost].append(to)
            if backward:
                edges = behind[stance]
                if edges is None:
                    edges = ground.behind(stance, backward_levels)
                base = label if bit else halted
                for to, delta, flags, _ in edges:
                    new = base + delta
                    if new >= ceiling or flags & barred:
                        continue
                    if flags & refuse:
                        refused = True
                        continue
                    to = to * 2 + 1
                    old = get(to, ceiling)
                    if new < old:
                        labels[to] = new
                        parents[to] = node
                        cost = new // HEXES
                        if old // HEXES != cost:
                            buckets[cost].append(to)
            if quad:
                ahead, aback = ground.aside(stance)
                for edges, back in ((ahead, 0), (aback, 1)) if backward else ((ahead, 0),):
                    base = label if skids or bit == back else halted
                    for to, delta, flags, _ in edges:
                        new = base + delta
                        if new >= ceiling or flags & barred:
                            continue
                        if flags & refuse:
                            refused = True
                            continue
                        to = to * 2 + back
                        old = get(to, ceiling)
                        if new < old:
                            labels[to] = new
                            parents[to] = node
                            cost = new // HEXES
                            if old // HEXES != cost:
                                buckets[cost].append(to)
    for node in fences:
        del labels[node]
    return Found(labels, parents, refused)


def search_free(
    ground: Ground,
    seeds: list[tuple[int, int]],
    limit: int,
    refuse: int,
    enemies: Iterable[int],
    held: frozenset[int],
) -> Found:
    """The same for infantry, which turns as it likes: each place is reached in the facing of its cheapest way. Rule: S-9."""
    labels = dict(seeds)
    parents: dict[int, int] = {}
    closed = frozenset(enemies)
    refused = False
    buckets: list[list[int]] = [[] for _ in range(limit + 1)]
    nodes: dict[int, int] = {}
    for node, label in seeds:
        buckets[label // HEXES].append(node)
        nodes[node // 12] = node
    for mp in range(limit):
        for node in buckets[mp]:
            place = node // 12
            if nodes[place] != node or labels[node] // HEXES != mp or place in held:
                continue
            for turn in range(6):
                facing = (node // 2 + turn) % 6
                for to, cost, flags in ground.steps(place, facing):
                    new = labels[node] + cost * HEXES - 1
                    if to in closed or new >= (limit + 1) * HEXES:
                        continue
                    if flags & refuse:
                        refused = True
                        continue
                    old = nodes.get(to)
                    if old is not None and labels[old] <= new:
                        continue
                    if old is not None:
                        del labels[old]
                    turned = (place * 6 + facing) * 2
                    there = nodes[to] = (to * 6 + facing) * 2
                    labels[there] = new
                    parents[there] = turned
                    if turned != node:
                        parents[turned] = node
                    buckets[new // HEXES].append(there)
    return Found(labels, parents, refused)
