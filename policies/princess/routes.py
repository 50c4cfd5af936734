"""Long ways over the ground: MP from everywhere to the enemy, for who can do nothing from any place in its reach."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush

from opfor.rules.moving.ground import Ground


def ways(ground: Ground, goals: Iterable[int]) -> dict[int, int]:
    """By place the MP of ground to the nearest of the goal cells, turns left aside; places without a way are missing.

    Reckoned from the goals outward, so that what a hex costs to enter counts when leaving it.
    """
    queue = [(0, place) for cell in sorted(set(goals)) for place in ground.places(cell)]
    found: dict[int, int] = {}
    best = {place: 0 for _, place in queue}
    while queue:
        mp, place = heappop(queue)
        if place in found:
            continue
        found[place] = mp
        for facing in range(6):
            for edge in ground.ahead(place * 6 + facing):
                to, total = edge.stance // 6, mp + edge.cost
                if to not in found and total < best.get(to, total + 1):
                    best[to] = total
                    heappush(queue, (total, to))
    return found
