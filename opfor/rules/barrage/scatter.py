"""Scatter: where a shell, a bomb or a salvo comes down that misses the hex it was meant for. Rule: E-35, E-30.

A direction by 1d6, north on a 1 and clockwise from there, and so many hexes in a straight line. What would come down beyond
the map comes down in the last hex on it, and the event says so.
"""

from __future__ import annotations

from opfor.hex import DIRECTION_NAMES
from opfor.rules.play import Play

RULE = "E-35"


def scatter(play: Play, cell: int, hexes: int, what: str, rule: str = RULE) -> int:
    """The hex in which ``what`` comes down, ``hexes`` away from ``cell`` in a rolled direction. Rule: E-35."""
    if hexes <= 0:
        return cell
    grid = play.state.board.grid
    roll = play.roll(1, f"{what} scatters {hexes} hexes from {grid.names[cell]}: direction, 1 is north, then clockwise")
    direction = roll.total - 1
    to = cell
    clipped = False
    for _ in range(hexes):
        beyond = grid.neighbour(to, direction)
        if not grid.contains(beyond):
            clipped = True
            break
        to = beyond
    play.emit(
        "scatters", None, rule, source=what, at=grid.names[cell], dice=list(roll.dice), direction=DIRECTION_NAMES[direction],
        hexes=hexes, to=grid.names[to], edge="at the edge of the map" if clipped else "",
    )  # fmt: skip
    return to
