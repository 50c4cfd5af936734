"""The terms of a path's utility, each by itself, in points. ``value`` is what the index of its behaviour is worth."""

from __future__ import annotations

from collections.abc import Sequence

from opfor.hex import Grid, bearing12, hexsides_between
from policies.princess.settings import figures

_MOVEMENT = figures("movement")


def fall(odds: float, value: float) -> float:
    """Less the chance to fail the rolls times shame; a way that fails for certain gains what it ought to lose.

    >>> fall(0.75, 100), fall(1.0, 100), fall(0.0, 100)
    (-25.0, 0.0, 900.0)
    """
    slip = _MOVEMENT["certain_fall"] if odds <= 0.0 else 0.0
    return float(slip - (1.0 - odds) * value)


def bravery(odds: float, mine: float, theirs: float, value: float) -> float:
    """The chance to make the rolls times what is hoped for, bravely taken, less what is feared.

    >>> bravery(0.5, 20, 10, 1.5)
    10.0
    """
    return odds * (mine * value - theirs)


def aggression(distance: float, value: float) -> float:
    """Less the distance to the closest enemy; none at all counts as two hexes.

    >>> aggression(6, 2.5), aggression(0, 2.5)
    (-15.0, -5.0)
    """
    return -value * (distance if distance > 0 else _MOVEMENT["contact"])


def herd(distance: float, value: float) -> float:
    """Less the distance to the middle of the friends."""
    return -value * distance


def facing(off: int) -> float:
    """Less 50 for each hexside beyond the first off from having the closest enemy straight ahead.

    >>> facing(0), facing(1), facing(2), facing(3)
    (0.0, 0.0, -50.0, -100.0)
    """
    return float(0.0 - _MOVEMENT["facing"] * max(0, off - 1))


def self_preservation(distance: int, value: float) -> float:
    """Less the distance to the edge that it makes for, and 250 for being there.

    >>> self_preservation(4, 15), self_preservation(0, 15)
    (-60.0, 250.0)
    """
    return 0.0 + _MOVEMENT["arrival"] if not distance else -float(value * distance)


# -- what the terms are taken of -----------------------------------------------------------------------------------------


def hexsides_off(grid: Grid, cell: int, faces: int, enemy: int) -> int:
    """Hexsides between a facing and the direction of an enemy's hex, 0 to 3; 0 in the same hex."""
    if cell == enemy:
        return 0
    return hexsides_between(faces, (bearing12(*grid.offset(cell, enemy)) + 2) // 4 % 6)


def middle(grid: Grid, cells: Sequence[int]) -> int | None:
    """The hex in the middle of others by mean column and row, rounded; None for no hexes."""
    if not cells:
        return None
    column = round(sum(grid.columns[cell] for cell in cells) / len(cells))
    row = round(sum(grid.rows[cell] for cell in cells) / len(cells))
    return grid.cell(min(grid.width - 1, column), min(grid.height - 1, row))


def to_edge(grid: Grid, cell: int, edge: str) -> int:
    """Hexes from a cell to an edge of the board; to the nearest of all where ``edge`` is "".

    >>> grid = Grid(10, 12)
    >>> [to_edge(grid, grid.parse("0403"), edge) for edge in ("north", "east", "")]
    [2, 6, 2]
    """
    column, row = grid.columns[cell], grid.rows[cell]
    away = {"north": row, "south": grid.height - 1 - row, "west": column, "east": grid.width - 1 - column}
    return away[edge] if edge else min(away.values())
