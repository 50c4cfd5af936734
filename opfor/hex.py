"""Hexes: printed numbers (CCRR), cells, directions, distances, bearings and the lines between them.

Three notations meet here and nowhere else:

* **CCRR**, as on the map sheet: column first, from ``0101`` at the top left; even columns lie half a hex lower.
  Columns or rows beyond 99 are written ``CC,RRR`` (any width, a comma between).
* **(column, row)**, both counted from 0.
* **cell**, one integer a hex, on a :class:`Grid`: axial coordinates with a border of one hex, so that the neighbour in
  direction ``d`` is always ``cell + grid.step[d]`` and the hexes on a line depend on the difference of two cells only.

Directions and facings run clockwise: 0 north, 1 north-east, 2 south-east, 3 south, 4 south-west, 5 north-west.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

DIRECTION_NAMES = ("N", "NE", "SE", "S", "SW", "NW")
#: axial (q, r) step for each direction
AXIAL_STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))

_CCRR = re.compile(r"^\s*(?:(\d{2})(\d{2})|(\d{3})(\d{3})|(\d+)\s*[,.]\s*(\d+))\s*$")


class HexError(ValueError):
    """A hex number or direction that cannot be read, or that lies off the board."""


def parse_direction(text: str | int) -> int:
    """Read a facing: ``"NE"``, ``"ne"``, ``1`` or ``"1"``.

    >>> parse_direction("SE"), parse_direction(5)
    (2, 5)
    """
    if isinstance(text, int) and not isinstance(text, bool) and 0 <= text <= 5:
        return text
    word = str(text).strip().upper()
    if word in DIRECTION_NAMES:
        return DIRECTION_NAMES.index(word)
    if word in ("0", "1", "2", "3", "4", "5"):
        return int(word)
    raise HexError(f"{text!r} is no facing: write N, NE, SE, S, SW, NW or 0 to 5")


def parse_ccrr(text: str | int) -> tuple[int, int]:
    """Read a printed hex number into (column, row) counted from 0.

    >>> parse_ccrr("0611")
    (5, 10)
    >>> parse_ccrr("12,104")
    (11, 103)
    """
    word = f"{text:04d}" if isinstance(text, int) and not isinstance(text, bool) else str(text)
    found = _CCRR.match(word)
    if not found:
        raise HexError(f"{text!r} is no hex number: write column and row, as 0611 (or 12,104 beyond 99)")
    column, row = (int(g) for g in found.groups() if g is not None)
    if column < 1 or row < 1:
        raise HexError(f"{text!r} is no hex number: columns and rows count from 01")
    return column - 1, row - 1


def format_ccrr(column: int, row: int) -> str:
    """Write (column, row) as a printed hex number.

    >>> format_ccrr(5, 10), format_ccrr(11, 103)
    ('0611', '12,104')
    """
    if column < 99 and row < 99:
        return f"{column + 1:02d}{row + 1:02d}"
    return f"{column + 1:02d},{row + 1:02d}"


def turn(facing: int, hexsides: int) -> int:
    """The facing after turning ``hexsides`` clockwise (negative: counter-clockwise)."""
    return (facing + hexsides) % 6


def hexsides_between(a: int, b: int) -> int:
    """Fewest hexsides to turn from facing ``a`` to ``b``: 0 to 3."""
    d = (b - a) % 6
    return min(d, 6 - d)


def _bare(name: str) -> str:
    """A hex's name for comparing: capitals, no separators, no noughts before a figure: ``J-07`` is ``J7``."""
    return re.sub(r"(?<![0-9])0+(?=[0-9])", "", re.sub(r"[\s_.,-]+", "", name).upper())


class Grid:
    """The geometry of a board ``width`` columns wide and ``height`` rows high.

    Cells off the board exist in a border of one hex, so that a step from any hex of the board is a valid index into
    a list of ``grid.size`` entries.
    """

    __slots__ = (
        "_q0", "_r0", "columns", "height", "names", "on_board", "pattern", "q", "r", "read", "rows", "size", "step", "stride",
        "width",
    )  # fmt: skip

    def __init__(self, width: int, height: int) -> None:
        if width < 1 or height < 1:
            raise HexError(f"a board needs at least one column and one row, not {width} x {height}")
        self.width = width
        self.height = height
        self._q0 = 1
        self._r0 = (width - 1) // 2 + 1
        self.stride = height + self._r0 + 1
        self.size = self.stride * (width + 2)
        self.step = tuple(q * self.stride + r for q, r in AXIAL_STEPS)
        #: axial coordinates by cell; only differences of them mean anything
        self.q = [cell // self.stride for cell in range(self.size)]
        self.r = [cell % self.stride for cell in range(self.size)]
        self.columns = [-1] * self.size
        self.rows = [-1] * self.size
        self.names = ["off"] * self.size
        cells = []
        for column in range(width):
            for row in range(height):
                cell = self.cell(column, row)
                self.columns[cell] = column
                self.rows[cell] = row
                self.names[cell] = format_ccrr(column, row)
                cells.append(cell)
        #: every cell of the board, column by column
        self.on_board = tuple(cells)
        #: cells by the names of a map with names of its own, in capitals without separators; else empty
        self.read: dict[str, int] = {}
        #: what a hex's name looks like in running text, as part of a regular expression
        self.pattern = r"\d{4}|\d+,\d+"

    def renamed(self, names: Mapping[int, str], pattern: str) -> Grid:
        """The same grid with hexes that bear other names: ``names`` by cell; those not named keep their numbers.

        CCRR is read beside them. ``pattern``: what such a name looks like, for finding it in running text.
        """
        twin = Grid.__new__(Grid)
        for slot in Grid.__slots__:
            setattr(twin, slot, getattr(self, slot))
        twin.names = list(self.names)
        for cell, name in names.items():
            twin.names[cell] = name
        twin.read = {_bare(name): cell for cell, name in names.items()}
        twin.pattern = f"{self.pattern}|{pattern}"
        return twin

    def cell(self, column: int, row: int) -> int:
        """The cell of (column, row), counted from 0. Raises :class:`HexError` off the board."""
        if not (0 <= column < self.width and 0 <= row < self.height):
            raise HexError(
                f"hex {format_ccrr(column, row)} is off the board, which runs from 0101 to "
                f"{format_ccrr(self.width - 1, self.height - 1)}"
            )
        return (column + self._q0) * self.stride + row - (column - (column & 1)) // 2 + self._r0

    def parse(self, ccrr: str | int) -> int:
        """The cell of a printed hex number, or of a hex's name on a map with names of its own.

        Raises :class:`HexError` when it cannot be read or is off the board.
        """
        if self.read and isinstance(ccrr, str):
            cell = self.read.get(_bare(ccrr))
            if cell is not None:
                return cell
            if re.search(r"[A-Za-z]", ccrr):
                first, last = self.names[self.on_board[0]], self.names[self.on_board[-1]]
                raise HexError(f"{ccrr!r} is no hex of this map, which runs from {first} to {last}")
        return self.cell(*parse_ccrr(ccrr))

    def contains(self, cell: int) -> bool:
        """Whether ``cell`` is a hex of the board (not of its border, nor beyond)."""
        return 0 <= cell < self.size and self.columns[cell] >= 0

    def axial(self, cell: int) -> tuple[int, int]:
        """Axial coordinates (q, r) of a cell; only differences of them mean anything."""
        return divmod(cell, self.stride)

    def distance(self, a: int, b: int) -> int:
        """Distance in hexes."""
        q1, r1 = divmod(a, self.stride)
        q2, r2 = divmod(b, self.stride)
        dq = q2 - q1
        dr = r2 - r1
        return max(abs(dq), abs(dr), abs(dq + dr))

    def offset(self, a: int, b: int) -> tuple[int, int]:
        """Axial difference ``b - a`` as (dq, dr)."""
        q1, r1 = divmod(a, self.stride)
        q2, r2 = divmod(b, self.stride)
        return q2 - q1, r2 - r1

    def neighbour(self, cell: int, direction: int) -> int:
        """The adjacent cell in a direction; may be a border cell (see :meth:`contains`)."""
        return cell + self.step[direction]

    def direction_to(self, a: int, b: int) -> int | None:
        """The direction from ``a`` to the adjacent cell ``b``, or None when they are not adjacent."""
        difference = b - a
        return self.step.index(difference) if difference in self.step else None

    def sextant(self, a: int, b: int) -> int:
        """Bearing from ``a`` to ``b`` in twelfths of a circle; see :func:`bearing12`."""
        return bearing12(*self.offset(a, b))


@cache
def bearing12(dq: int, dr: int) -> int:
    """Bearing of an axial offset as a number 0 to 23: even multiples lie exactly on a 30-degree ray.

    ``2 * k`` means exactly ``30 * k`` degrees clockwise from north; ``2 * k + 1`` means strictly between ``30 * k`` and
    ``30 * (k + 1)`` degrees. Integers only, so that arcs never depend on rounding. The offset (0, 0) gives 0.

    >>> bearing12(0, -1), bearing12(1, -1), bearing12(1, 0), bearing12(2, -1)
    (0, 4, 8, 6)
    """
    # north-up plane with x to the right scaled by 2/sqrt(3), y up scaled by 2: x = dq * 3 / 3, y = -(2 * dr + dq)
    x = dq
    y = -(2 * dr + dq)
    if x == 0 and y == 0:
        return 0
    # angle a clockwise from north has tan(a) = (x * sqrt(3)) / y in these units; compare with 0, 30, 60, 90 degrees
    ax, ay = abs(x), abs(y)
    # tan 30 = 1/sqrt3 -> ax*sqrt3/ay = 1/sqrt3 -> 3 ax = ay ; tan 60 = sqrt3 -> ax = ay
    if ax == 0:
        first = 0
    elif 3 * ax < ay:
        first = 1
    elif 3 * ax == ay:
        first = 2
    elif ax < ay:
        first = 3
    elif ax == ay:
        first = 4
    elif ay > 0:
        first = 5
    else:
        first = 6
    if x >= 0 and y >= 0:
        return first
    if x >= 0:
        return 12 - first
    if y <= 0:
        return 12 + first
    return (24 - first) % 24


@cache
def line_offsets(dq: int, dr: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The hexes that the centre-to-centre line of an axial offset touches, without its two ends.

    Returns groups in order from start to end, each a tuple of axial offsets: one offset where a single hex is crossed,
    two (left, right as seen along the line) where the line runs exactly along the hexside between them. A hex that the
    line touches at a corner only counts as crossed; hexes touched together (the two at either side of a corner) stand
    as groups of one, ordered by their distance along the line.
    """
    if not dq and not dr:
        return ()
    # lines are worked out for one sixth of the circle and turned back from there
    q, r, turns = dq, dr, 0
    while not (q > 0 and r >= 0):
        q, r, turns = -r, q + r, turns + 1
    groups = _sextant_line(q, r)
    if not turns:
        return groups
    # what the unit steps along q and along r become
    (qq, qr), (rq, rr) = _TURNED_BACK[turns]
    return tuple([tuple([(q * qq + r * rq, q * qr + r * rr) for q, r in group]) for group in groups])


#: images of the axial offsets (1, 0) and (0, 1) turned counter-clockwise by so many hexsides
_TURNED_BACK = tuple((AXIAL_STEPS[(2 - turns) % 6], AXIAL_STEPS[(3 - turns) % 6]) for turns in range(6))


@cache
def _sextant_line(dq: int, dr: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """:func:`line_offsets` for an offset with ``dq`` > 0 and ``dr`` >= 0."""
    length = dq + dr
    if length < 2:
        return ()
    # a hex that the line touches is one that holds one of its evenly spaced points, or next to such a one
    near = {(0, 0)}
    for i in range(1, length):
        q, r = (2 * dq * i + length) // (2 * length), (2 * dr * i + length) // (2 * length)
        near.update(((q, r), *((q + a, r + b) for a, b in AXIAL_STEPS), (q - 1, r - 1), (q + 1, r + 1)))
    near -= {(0, 0), (dq, dr)}
    groups: list[tuple[float, tuple[tuple[int, int], ...]]] = []
    pending: dict[int, tuple[tuple[int, int], int]] = {}
    # how far the corners of a hex reach to either side of the line, measured as below
    reach = max(dq + 2 * dr, 2 * dq + dr)
    for q, r in near:
        if 3 * abs(dq * r - dr * q) > reach:
            continue
        span = _touch(q, r, dq, dr)
        if span is None:
            continue
        start, end, on_side = span
        middle = (start[0] * end[1] + end[0] * start[1], 2 * start[1] * end[1])
        if on_side:
            # signed side of the line: cross product in a right-handed plane; left of the direction of travel first
            cross = dq * (2 * r + q) - (2 * dr + dq) * q
            key = middle[0] * 720720 // middle[1]
            other = pending.pop(key, None)
            if other is None:
                pending[key] = ((q, r), cross)
            else:
                pair = sorted([other, ((q, r), cross)], key=lambda item: item[1])
                groups.append((middle[0] / middle[1], (pair[0][0], pair[1][0])))
        else:
            groups.append((middle[0] / middle[1], ((q, r),)))
    groups.sort(key=lambda item: (round(item[0], 9), item[1]))
    return tuple(group for _, group in groups)


def _touch(q: int, r: int, dq: int, dr: int) -> tuple[tuple[int, int], tuple[int, int], bool] | None:
    """Where the line from (0, 0) to (dq, dr) meets the closed hex at (q, r).

    Returns (start, end, along a side) with start and end as exact fractions (numerator, denominator) of the line, or
    None when it does not meet the hex at all.
    """
    low, low_d, high, high_d = 0, 1, 1, 1
    on_side = False
    # cube (x, y, z) with x = q, z = r, y = -q - r; a hex is |x - y| <= 1, |y - z| <= 1, |z - x| <= 1 about its centre
    for step, base in (
        (2 * dq + dr, 2 * q + r),
        (-dq - 2 * dr, -q - 2 * r),
        (dr - dq, r - q),
    ):
        if step == 0:
            if abs(base) > 1:
                return None
            on_side = on_side or abs(base) == 1
            continue
        a, b = base - 1, base + 1
        if step < 0:
            a, b, step = -b, -a, -step
        # a / step <= t <= b / step
        if a * low_d > low * step:
            low, low_d = a, step
        if b * high_d < high * step:
            high, high_d = b, step
        if low * high_d > high * low_d:
            return None
    if on_side and low * high_d == high * low_d:
        on_side = False
    return (low, low_d), (high, high_d), on_side
