"""What lies in a hex, as marks that are told apart without their colours: trees, water, walls, mines, fire. Rule: S-1."""

from __future__ import annotations

from collections.abc import Iterator

from opfor.board.board import Hex
from opfor.report.drawing import Circle, Line, Point, Polygon, Shape, box
from opfor.report.geometry import HALF, around

TREES = {1: "#6aa84f", 2: "#38761d"}
_TRUNK = "#274e13"
#: where marks stand: direction (sixths of a circle) and share of the way to the edge
_LIGHT = ((1.15, 0.66), (4.85, 0.66), (2.1, 0.72), (3.9, 0.72))
_HEAVY = ((0.85, 0.86), (5.15, 0.86), (1.35, 0.62), (4.65, 0.62), (1.75, 0.9), (4.25, 0.9), (2.15, 0.66), (3.85, 0.66))
_STONES = ((1.3, 0.6), (4.7, 0.6), (2.2, 0.66), (3.8, 0.66), (0.9, 0.85), (5.1, 0.85))
_WAVES = ((1.2, 0.6), (4.75, 0.66), (2.3, 0.55), (3.6, 0.62), (1.6, 0.95), (4.4, 0.95))
_MINES = ((1.5, 0.66), (4.5, 0.66), (2.6, 0.62))
_FLAMES = ((1.95, 0.74), (4.05, 0.74))
BUILDING = {1: "#c2ac92", 2: "#a28b73", 3: "#7f6e60", 4: "#5c524b"}
_WALL = "#2e2722"


def ground_marks(record: Hex, centre: Point) -> Iterator[Shape]:
    """Marks on the ground itself, over which roads lead."""
    x, y = centre
    if record.water >= 0 and not record.ice:
        colour = "#ffffff" if record.water < 2 else "#cfe6f5"
        for direction, share in _WAVES[: 2 + 2 * min(2, record.water)]:
            yield _wave(around(centre, direction, HALF * share), colour, 1.3)
    if record.ice:
        for crack in (((-26, -8), (-12, -2), (-16, 10)), ((8, -20), (14, -6), (27, -4)), ((10, 24), (14, 12), (24, 14))):
            yield Line(tuple((x + dx, y + dy) for dx, dy in crack), "#7fb2c4", 1.2)
    if record.sand or record.tundra or record.snow:
        colour = "#c9b06a" if record.sand else "#9aa592" if record.tundra else "#c3ccd6"
        for direction, share in _STONES:
            yield Circle(around(centre, direction + 0.2, HALF * share), 1.3, colour)
    if record.rough:
        for direction, share in _STONES:
            sx, sy = around(centre, direction, HALF * share)
            yield Polygon(((sx - 6, sy + 4), (sx - 1, sy - 5), (sx + 6, sy + 4)), "#9c8a66", "#5e5138", 1.0)
    if record.rubble:
        for direction, share in _STONES:
            sx, sy = around(centre, direction, HALF * share)
            yield Polygon(
                ((sx - 5, sy - 2), (sx, sy - 5), (sx + 5, sy), (sx + 1, sy + 5), (sx - 4, sy + 3)), "#8b8680", "#45413d"
            )
    if record.swamp or record.mud:
        colour = "#3f6f5f" if record.swamp else "#7a5c3a"
        for direction, share in _STONES[:4]:
            at = around(centre, direction, HALF * share)
            yield _wave(at, colour, 1.5)
            if record.swamp:
                for dx in (-3, 0, 3):
                    yield Line(((at[0] + dx, at[1] - 3), (at[0] + dx * 1.5, at[1] - 10)), colour, 1.2)


def standing_marks(record: Hex, centre: Point) -> Iterator[Shape]:
    """What stands in the hex or hangs over it: woods, buildings, mines, smoke, flames."""
    if record.woods == 1:
        for direction, share in _LIGHT:
            yield from _round_tree(around(centre, direction, HALF * share))
    elif record.woods:
        for direction, share in _HEAVY:
            yield from _fir(around(centre, direction, HALF * share))
    if record.building:
        yield from _building(record, centre)
    if record.mines:
        for direction, share in _MINES:
            mx, my = around(centre, direction, HALF * share)
            for dx, dy in ((5.8, 0), (0, 5.8), (4.2, 4.2), (4.2, -4.2)):
                yield Line(((mx - dx, my - dy), (mx + dx, my + dy)), "#1d1d22", 1.3)
            yield Circle((mx, my), 3.8, "#1d1d22", "#ffffff", 0.8)
    if record.smoke:
        for direction, share in _LIGHT if record.smoke == 1 else _HEAVY:
            yield Circle(around(centre, direction, HALF * share), 9.0, "#8a8a8a", "#5c5c5c", 0.8, 0.5)
    if record.fire:
        for direction, share in _FLAMES:
            fx, fy = around(centre, direction, HALF * share)
            flame = ((-8, 9), (-9, 1), (-4, -5), (-2, 0), (2, -12), (8, 1), (7, 9))
            yield Polygon(tuple((fx + dx, fy + dy) for dx, dy in flame), "#e2571e", "#7a2407", 1.0)
            yield Polygon(tuple((fx + dx, fy + dy) for dx, dy in ((-4, 9), (-3, 4), (1, -2), (4, 5), (3, 9))), "#ffd04a")


def _wave(at: Point, colour: str, width: float) -> Line:
    x, y = at
    return Line(((x - 7, y + 1), (x - 3.5, y - 2), (x, y + 1), (x + 3.5, y - 2), (x + 7, y + 1)), colour, width)


def _round_tree(at: Point) -> Iterator[Shape]:
    x, y = at
    yield Line(((x, y + 2), (x, y + 9)), "#6b4a2b", 2.2)
    yield Circle((x, y - 1), 6.6, TREES[1], _TRUNK, 0.9)


def _fir(at: Point) -> Iterator[Shape]:
    x, y = at
    yield Polygon(((x - 7, y + 7), (x, y - 10), (x + 7, y + 7)), TREES[2], "#12300a", 0.9)


def _building(record: Hex, centre: Point) -> Iterator[Shape]:
    """Walls thicker and roofs busier the stronger it is; wings towards further hexes of the same building."""
    x, y = centre
    kind = min(4, record.building)
    colour, half = BUILDING[kind], HALF * 0.6
    for direction in range(6):
        if record.building_exits >> direction & 1:
            start, end = around(centre, direction, HALF * 0.4), around(centre, direction, HALF + 0.6)
            yield Line((start, end), _WALL, HALF * 0.95, round=False)
            yield Line((start, end), colour, HALF * 0.95 - 3, round=False)
    yield Polygon(box(x - half + 3, y - half + 3, 2 * half, 2 * half), "#000000", opacity=0.18)
    yield Polygon(box(x - half, y - half, 2 * half, 2 * half), colour, _WALL, 1.0 + 0.5 * kind)
    inner = half * 0.72
    if kind >= 2:
        yield Polygon(box(x - inner, y - inner, 2 * inner, 2 * inner), "none", _WALL, 0.9, 0.7)
    if kind >= 3:
        for dx, dy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            yield Line(((x + dx * inner, y + dy * inner), (x + dx * half, y + dy * half)), _WALL, 0.9, opacity=0.7)


def cracks(centre: Point) -> Iterator[Shape]:
    """Cracks of a damaged building or bridge."""
    x, y = centre
    for side in (-1, 1):
        crack = ((4, -20), (9, -11), (5, -4), (11, 4), (8, 12))
        points = tuple((x + side * dx, y + dy) for dx, dy in crack)
        yield Line(points, "#ffffff", 3.4, opacity=0.6)
        yield Line(points, "#1d1713", 1.8)
