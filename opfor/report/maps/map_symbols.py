"""The mark of each kind of unit on the map: 'Mechs, vehicles by their motive system, VTOLs, platoons, battle armour.

A mark is drawn round a point, ``size`` from there to its front; those of units with a facing point where they face. Rule: S-1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import cos, pi, sin

from opfor.report.drawing import Circle, Line, Point, Polygon, Shape
from opfor.report.geometry import around
from opfor.units.state import UnitState

#: colour of each side: dark enough for white letters, told apart by eyes that mix up red and green
SIDES = ("#12509b", "#b3311a", "#2b2b2b", "#7a3b94", "#7a5a00", "#00696b")
_WHITE = "#ffffff"
#: outlines, as (right, ahead) in sizes
_HULL = ((-0.55, -0.85), (-0.55, 0.55), (-0.25, 0.95), (0.25, 0.95), (0.55, 0.55), (0.55, -0.85))
_SKIRT = ((-0.5, -0.9), (-0.85, -0.45), (-0.85, 0.4), (-0.4, 0.95), (0.4, 0.95), (0.85, 0.4), (0.85, -0.45), (0.5, -0.9))
_TRACK = ((0.6, -0.95), (0.6, 0.8), (0.9, 0.8), (0.9, -0.95))
_WHEELS = ((0.72, 0.55), (0.72, -0.05), (0.72, -0.65))
_BODY = (
    (-0.28, -0.2),
    (-0.34, 0.5),
    (0.0, 1.0),
    (0.34, 0.5),
    (0.28, -0.2),
    (0.09, -0.45),
    (0.09, -1.0),
    (-0.09, -1.0),
    (-0.09, -0.45),
)
_BOX = ((-0.85, -0.55), (-0.85, 0.55), (0.85, 0.55), (0.85, -0.55))


def side_colour(side: int) -> str:
    """Colour of a side."""
    return SIDES[side % len(SIDES)]


def turned(centre: Point, facing: float, size: float, spots: Sequence[Point]) -> tuple[Point, ...]:
    """Spots as (right, ahead) in sizes, turned to a facing and put round a point."""
    angle = facing * pi / 3
    right, ahead = (cos(angle), sin(angle)), (sin(angle), -cos(angle))
    return tuple(
        (centre[0] + size * (x * right[0] + y * ahead[0]), centre[1] + size * (x * right[1] + y * ahead[1])) for x, y in spots
    )


def arrow(centre: Point, facing: float, size: float) -> tuple[Point, ...]:
    """A broad arrow that points where the unit faces."""
    spots = ((0.0, 1.0), (1.0, 0.86), (2.2, 0.86), (3.0, 0.45), (3.8, 0.86), (5.0, 0.86))
    return tuple(around(centre, facing + direction, size * share) for direction, share in spots)


def _mech(unit: UnitState, centre: Point, size: float, colour: str, title: str) -> Iterator[Shape]:
    if unit.prone:
        # prone: an outline, so that it reads as lying down even in black and white
        yield Polygon(arrow(centre, unit.facing, size), _WHITE, colour, 3.0, title=title)
    else:
        yield Polygon(arrow(centre, unit.facing, size), colour, _WHITE, 1.5, title=title)


def _tracked(unit: UnitState, centre: Point, size: float, colour: str, title: str) -> Iterator[Shape]:
    for side in (1, -1):
        track = [(side * x, y) for x, y in _TRACK]
        yield Polygon(turned(centre, unit.facing, size, track), "#2b2b2b", _WHITE, 1.0)
    yield Polygon(turned(centre, unit.facing, size, _HULL), colour, _WHITE, 1.5, title=title)


def _wheeled(unit: UnitState, centre: Point, size: float, colour: str, title: str) -> Iterator[Shape]:
    for side in (1, -1):
        for x, y in turned(centre, unit.facing, size, [(side * x, y) for x, y in _WHEELS]):
            yield Circle((x, y), size * 0.23, "#2b2b2b", _WHITE, 1.0)
    yield Polygon(turned(centre, unit.facing, size, _HULL), colour, _WHITE, 1.5, title=title)


def _hover(unit: UnitState, centre: Point, size: float, colour: str, title: str) -> Iterator[Shape]:
    yield Polygon(turned(centre, unit.facing, size, _SKIRT), "#2b2b2b", _WHITE, 1.0)
    inner = [(x * 0.78, y * 0.78) for x, y in _SKIRT]
    yield Polygon(turned(centre, unit.facing, size, inner), colour, _WHITE, 1.2, title=title)


def _vtol(unit: UnitState, centre: Point, size: float, colour: str, title: str) -> Iterator[Shape]:
    yield Polygon(turned(centre, unit.facing, size, _BODY), colour, _WHITE, 1.5, title=title)
    hub = turned(centre, unit.facing, size, [(0.0, 0.25)])[0]
    if unit.elevation:
        yield Circle(hub, size * 0.85, "#ffffff", colour, 1.2, opacity=0.35)
    for direction in (0.75, 2.25):
        ends = (around(hub, unit.facing + direction, size * 0.85), around(hub, unit.facing + direction + 3, size * 0.85))
        yield Line(ends, "#2b2b2b", 3.0)


def _platoon(unit: UnitState, centre: Point, size: float, colour: str, title: str) -> Iterator[Shape]:
    box = turned(centre, 0, size, _BOX)
    yield Polygon(box, colour, _WHITE, 1.5, title=title)
    if unit.spec.motive.startswith("mechanized"):
        wheels = turned(centre, 0, size, ((-0.5, -0.7), (0.0, -0.7), (0.5, -0.7)))
        yield from (Circle(point, size * 0.14, "#2b2b2b", _WHITE, 0.8) for point in wheels)
    elif unit.spec.motive == "motorized":
        wheels = turned(centre, 0, size, ((-0.4, -0.7), (0.4, -0.7)))
        yield from (Circle(point, size * 0.14, "#2b2b2b", _WHITE, 0.8) for point in wheels)
    elif unit.spec.motive == "jump":
        yield Line(turned(centre, 0, size, ((-0.3, 0.66), (0.0, 0.95), (0.3, 0.66))), colour, 2.2)
    yield Line((box[0], box[2]), _WHITE, 1.4)
    yield Line((box[1], box[3]), _WHITE, 1.4)
    if unit.dug_in:
        yield Line(turned(centre, 0, size, ((-1.0, -0.4), (-1.0, 0.75), (1.0, 0.75), (1.0, -0.4))), "#5b4a2e", 3.0)


def _suits(unit: UnitState, centre: Point, size: float, colour: str, title: str) -> Iterator[Shape]:
    yield Polygon(turned(centre, 0, size, _BOX), _WHITE, colour, 2.2, title=title)
    count = len(unit.structure)
    for index, points in enumerate(unit.structure):
        spot = turned(centre, 0, size, (((index - (count - 1) / 2) * 1.5 / max(4, count), 0.0),))[0]
        yield Circle(spot, size * 0.16, colour if points > 0 else "#dddddd", colour, 0.8)


#: how each motive type is drawn
MARKS: dict[str, Callable[[UnitState, Point, float, str, str], Iterator[Shape]]] = {
    "biped": _mech,
    "quad": _mech,
    "tracked": _tracked,
    "wheeled": _wheeled,
    "hover": _hover,
    "vtol": _vtol,
    "suits": _suits,
}


def unit_mark(unit: UnitState, centre: Point, size: float, colour: str, title: str) -> Iterator[Shape]:
    """The mark of a unit."""
    return MARKS.get(unit.spec.motive, _platoon)(unit, centre, size, colour, title)
