"""Jumps: the hexes within one, and where in them it comes down. Rule: S-2."""

from __future__ import annotations

from opfor.rules.moving.ground import Ground


def jump_cells(ground: Ground, place: int, limit: int, rise: int) -> dict[int, int]:
    """Cells within a jump and their distance: each on a shortest line, no hex of it more than ``rise`` levels above the start.

    The start itself is left out. Rule: S-2.
    """
    level = ground.level
    grid = ground.board.grid
    start = place >> 1
    top = (level[place] or 0) + rise
    found = {start: 0}
    ring = [start]
    for distance in range(1, limit + 1):
        following: list[int] = []
        for cell in ring:
            for step in grid.step:
                to = cell + step
                if to in found or not grid.contains(to):
                    continue
                height = level[to * 2 + 1]
                if height is None:
                    height = level[to * 2]
                if (height or 0) > top or grid.distance(start, to) != distance:
                    continue
                found[to] = distance
                following.append(to)
        ring = following
    del found[start]
    return found


def may_land(ground: Ground, cell: int) -> bool:
    """Whether a jump may come down in a hex: not where the terrain is closed to the unit. Rule: S-2, S-9."""
    place = landing_place(ground, cell)
    if place & 1 or ground.motion.water == "wades":
        return True
    hex = ground.board.hexes[cell]
    return hex.paved or ground.motion.terrain_cost(hex) is not None


def landing_place(ground: Ground, cell: int) -> int:
    """Where a jump into a hex comes down: on its roof or bridge, else on the ground (the bottom, in water)."""
    high = cell * 2 + 1
    return high if ground.level[high] is not None else cell * 2
