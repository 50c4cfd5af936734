"""How many shots of a salvo hit. Rule: S-5 (cluster hits table)."""

from __future__ import annotations

from functools import lru_cache

from opfor.rules.play import Play
from opfor.tables import table
from opfor.units.state import UnitState

LARGEST = 40


@lru_cache(maxsize=1)
def _columns() -> dict[int, tuple[int, ...]]:
    return {int(size): tuple(row) for size, row in table("cluster_hits")["columns"].items()}


def cluster_hits(column: int, roll_total: int, modifier: int = 0) -> int:
    """Shots that hit of ``column`` fired, by a 2d6 result and its modifier; the sum is held between 2 and 12.

    One shot always hits. A salvo larger than the largest column is read as that column plus the column of what is left
    over, on the same roll (:func:`roll_cluster` rolls for each part).

    >>> cluster_hits(20, 7), cluster_hits(6, 11, 2), cluster_hits(10, 3, -4), cluster_hits(50, 7)
    (12, 6, 3, 30)
    """
    if column <= 1:
        return max(0, column)
    row = min(12, max(2, roll_total + modifier)) - 2
    hits = 0
    while column > LARGEST:
        hits += _columns()[LARGEST][row]
        column -= LARGEST
    return hits + (_columns()[column][row] if column > 1 else column)


def roll_cluster(play: Play, unit: UnitState, column: int, modifier: int, why: str) -> int:
    """Roll how many shots of a salvo of ``column`` hit, reported as ``cluster`` events. Rule: S-5.

    ``why`` names attacker and weapon. A salvo above the largest column takes a roll for each part of it.
    """
    hits = 0
    while column > 0:
        part = min(column, LARGEST)
        column -= part
        if part == 1:
            hits += 1
            continue
        roll = play.roll_2d6(f"{why}: hits of {part}")
        count = cluster_hits(part, roll.total, modifier)
        play.emit("cluster", unit, "S-5", column=part, dice=list(roll.dice), modifier=modifier, hits=count)
        hits += count
    return hits
