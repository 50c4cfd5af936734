"""Where hexes lie on a picture, and the points of arrows and dashes. Flat-topped hexes, even columns half a hex lower."""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, pi, sin, sqrt

from opfor.hex import Grid
from opfor.report.drawing import Point

#: distance from a hex's centre to its corners
RADIUS = 40.0
HALF = RADIUS * sqrt(3) / 2


class Layout:
    """Turns cells into points. ``margin`` lies around the map, ``top`` above it."""

    def __init__(self, grid: Grid, margin: float = 16.0, top: float = 40.0) -> None:
        self.grid = grid
        self.margin = margin
        self.top = top

    @property
    def width(self) -> float:
        """Width of the map with its margins."""
        return self.margin * 2 + RADIUS * (1.5 * self.grid.width + 0.5)

    @property
    def height(self) -> float:
        """Height of the map with what stands above it and its lower margin."""
        return self.top + self.margin + HALF * (2 * self.grid.height + (1 if self.grid.width > 1 else 0))

    def centre(self, cell: int) -> Point:
        """Centre of a hex."""
        column, row = self.grid.columns[cell], self.grid.rows[cell]
        x = self.margin + RADIUS * (1 + 1.5 * column)
        return x, self.top + HALF * (1 + 2 * row + (column & 1))

    def corners(self, cell: int, size: float = 1.0) -> tuple[Point, ...]:
        """The six corners, from the right one clockwise; ``size`` as a share of the hex."""
        x, y = self.centre(cell)
        return tuple((x + RADIUS * size * cos(pi / 3 * k), y + RADIUS * size * sin(pi / 3 * k)) for k in range(6))

    def edge(self, cell: int, direction: int) -> tuple[Point, Point]:
        """The two ends of the hexside in a direction."""
        corners = self.corners(cell)
        # hexside 0 (north) lies between the corners at 240 and 300 degrees
        return corners[(direction + 4) % 6], corners[(direction + 5) % 6]

    def toward(self, cell: int, direction: float, share: float = 1.0) -> Point:
        """A point on the way from the centre to the middle of a hexside; ``direction`` may lie between two."""
        x, y = self.centre(cell)
        return around((x, y), direction, HALF * share)


def around(centre: Point, direction: float, distance: float) -> Point:
    """The point at a distance in a direction, in sixths of a circle clockwise from north."""
    angle = direction * pi / 3
    return centre[0] + distance * sin(angle), centre[1] - distance * cos(angle)


def between(start: Point, end: Point, share: float) -> Point:
    """The point at a share of the way from start to end."""
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def shortened(start: Point, end: Point, head: float, tail: float) -> tuple[Point, Point]:
    """A line cut short at both ends by lengths."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    if length <= head + tail:
        return start, end
    return between(start, end, tail / length), between(start, end, 1 - head / length)


def arrow_head(points: tuple[Point, ...], length: float) -> tuple[Point, ...]:
    """The triangle at the end of a line."""
    (x1, y1), (x2, y2) = points[-2], points[-1]
    span = hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (x2 - x1) / span, (y2 - y1) / span
    tip = (x2 + dx * length * 0.5, y2 + dy * length * 0.5)
    back = (tip[0] - dx * length, tip[1] - dy * length)
    return (
        tip,
        (back[0] - dy * length * 0.5, back[1] + dx * length * 0.5),
        (back[0] + dy * length * 0.5, back[1] - dx * length * 0.5),
    )


def dashes(points: tuple[Point, ...], pattern: tuple[float, float]) -> list[tuple[Point, ...]]:
    """The drawn pieces of a dashed line."""
    on, off = pattern
    pieces: list[tuple[Point, ...]] = []
    for start, end in pairwise(points):
        length = hypot(end[0] - start[0], end[1] - start[1])
        at = 0.0
        while at < length:
            pieces.append((between(start, end, at / length), between(start, end, min(1.0, (at + on) / length))))
            at += on + off
    return pieces
