"""Where hexes lie on a picture, and the points of arrows and dashes. Flat-topped hexes, even columns half a hex lower."""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, pi, sin, sqrt

from opfor.hex import Grid
from opfor.report.drawing import Point

#: distance from a hex's centre to its corners
RADIUS = 40.0
HALF = RADIUS * sqrt(3) / 2
_CORNERS = tuple((cos(pi / 3 * k), sin(pi / 3 * k)) for k in range(6))
#: widths of letters in a common sans-serif font, as shares of its size
_NARROW = {**dict.fromkeys("ijl.,:;'|!", 0.25), **dict.fromkeys("ft()[] /-r", 0.32), **dict.fromkeys("mwMW", 0.86)}
#: left, top, right, bottom
Box = tuple[float, float, float, float]


class Layout:
    """Turns cells into points. ``margin`` lies around the map, ``top`` above it.

    ``window``: the part shown, as first and last column and row counted from 0 (left, top, right, bottom); None for all.
    """

    def __init__(
        self, grid: Grid, margin: float = 16.0, top: float = 40.0, window: tuple[int, int, int, int] | None = None
    ) -> None:
        self.grid = grid
        self.margin = margin
        self.top = top
        left, first, right, last = self.window = window or (0, 0, grid.width - 1, grid.height - 1)
        self._x0 = margin + RADIUS * (1 - 1.5 * left)
        self._y0 = top + HALF * (1 - 2 * first)
        self.cells = tuple(
            cell for cell in grid.on_board if left <= grid.columns[cell] <= right and first <= grid.rows[cell] <= last
        )
        self._shown = frozenset(self.cells)

    def shows(self, cell: int) -> bool:
        """Whether a hex is on the part shown."""
        return cell in self._shown

    @property
    def frame(self) -> tuple[float, float, float, float]:
        """The part of the picture that the hexes take: left, top, right, bottom."""
        return self.margin, self.top, self.width - self.margin, self.height - self.margin

    @property
    def width(self) -> float:
        """Width of the map with its margins."""
        return self.margin * 2 + RADIUS * (1.5 * (self.window[2] - self.window[0] + 1) + 0.5)

    @property
    def height(self) -> float:
        """Height of the map with what stands above it and its lower margin."""
        left, first, right, last = self.window
        return self.top + self.margin + HALF * (2 * (last - first + 1) + (1 if right > left or left & 1 else 0))

    def centre(self, cell: int) -> Point:
        """Centre of a hex."""
        column, row = self.grid.columns[cell], self.grid.rows[cell]
        return self._x0 + RADIUS * 1.5 * column, self._y0 + HALF * (2 * row + (column & 1))

    def corners(self, cell: int, size: float = 1.0) -> tuple[Point, ...]:
        """The six corners, from the right one clockwise; ``size`` as a share of the hex."""
        x, y = self.centre(cell)
        size *= RADIUS
        return tuple((x + size * dx, y + size * dy) for dx, dy in _CORNERS)

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
    """The drawn pieces of a dashed line; the pattern runs on round its corners."""
    pieces: list[tuple[Point, ...]] = []
    drawn, left = True, pattern[0]
    for start, end in pairwise(points):
        length = hypot(end[0] - start[0], end[1] - start[1])
        at = 0.0
        while at < length:
            upto = min(length, at + left)
            if drawn:
                pieces.append((between(start, end, at / length), between(start, end, upto / length)))
            left -= upto - at
            at = upto
            if left <= 1e-9:
                drawn = not drawn
                left = pattern[0] if drawn else pattern[1]
    return pieces


def arc(start: Point, end: Point, bulge: float = 0.22, parts: int = 12) -> tuple[Point, ...]:
    """A curve from start to end that bulges to the upper side by a share of its length."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    sign = 1.0 if dx >= 0 else -1.0
    top = ((start[0] + end[0]) / 2 + sign * dy * bulge * 2, (start[1] + end[1]) / 2 - sign * dx * bulge * 2)
    shares = [k / parts for k in range(parts + 1)]
    return tuple(between(between(start, top, t), between(top, end, t), t) for t in shares)


def clipped(points: tuple[Point, ...], frame: Box) -> list[tuple[Point, ...]]:
    """The pieces of a line that lie within a frame."""
    pieces: list[list[Point]] = []
    for start, end in pairwise(points):
        enter, leave = 0.0, 1.0
        for d, low, high in (
            (end[0] - start[0], frame[0] - start[0], frame[2] - start[0]),
            (end[1] - start[1], frame[1] - start[1], frame[3] - start[1]),
        ):
            if d == 0:
                if low > 0 or high < 0:
                    leave = -1.0
                continue
            a, b = (low / d, high / d) if d > 0 else (high / d, low / d)
            enter, leave = max(enter, a), min(leave, b)
        if enter >= leave:
            continue
        first, last = between(start, end, enter), between(start, end, leave)
        if pieces and pieces[-1][-1] == first:
            pieces[-1].append(last)
        else:
            pieces.append([first, last])
    return [tuple(piece) for piece in pieces]


def text_width(text: str, size: float, bold: bool = False) -> float:
    """About how long a line of text is: no font is asked, so that every machine gives the same picture."""
    total = 0.0
    for letter in text:
        if letter in _NARROW:
            total += _NARROW[letter]
        elif letter > "\u2e80":
            total += 1.0
        else:
            total += 0.68 if letter.isupper() else 0.56
    return total * size * (1.06 if bold else 1.0)


def common(a: Box, b: Box) -> float:
    """Area that two boxes share."""
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return wide * high if wide > 0 and high > 0 else 0.0
