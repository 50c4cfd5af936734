"""A picture as a short list of shapes, which SVG and PNG both render. Lengths in units of the picture; y grows downward."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed shape. ``title`` is shown when the pointer rests on it, where the form of output can."""

    points: tuple[Point, ...]
    fill: str = "none"
    stroke: str = "none"
    width: float = 1.0
    opacity: float = 1.0
    title: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """An open line through its points; ``arrow`` puts a head of that length at its end, ``dash`` is (on, off) lengths.

    ``round``: whether its ends are, where the form of output can do that.
    """

    points: tuple[Point, ...]
    stroke: str = "#000000"
    width: float = 1.0
    dash: tuple[float, float] | None = None
    arrow: float = 0.0
    opacity: float = 1.0
    round: bool = True


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc."""

    centre: Point
    radius: float
    fill: str = "none"
    stroke: str = "none"
    width: float = 1.0
    opacity: float = 1.0
    title: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text, centred on ``at`` unless ``anchor`` is start or end; ``halo`` is the colour of a rim round it.

    ``fit``: the length that it must not take more than, whatever font there is; 0 for none.
    """

    at: Point
    text: str
    size: float
    fill: str = "#000000"
    bold: bool = False
    anchor: str = "middle"
    halo: str = ""
    fit: float = 0.0


Shape = Polygon | Line | Circle | Text


@dataclass(slots=True)
class Drawing:
    """A picture: its size and its shapes, the hindmost first. ``scale``: pixels to a unit, where nobody asks for others."""

    width: float
    height: float
    title: str = ""
    background: str = "#ffffff"
    shapes: list[Shape] = field(default_factory=list)
    scale: float = 1.0
    #: of a map: the middle of each hex shown, by cell
    places: dict[int, Point] = field(default_factory=dict)

    def add(self, *shapes: Shape) -> None:
        """Put shapes in front."""
        self.shapes.extend(shapes)


def box(left: float, top: float, width: float, height: float) -> tuple[Point, ...]:
    """The corners of an upright rectangle."""
    return ((left, top), (left + width, top), (left + width, top + height), (left, top + height))


def plate(left: float, top: float, width: float, height: float, round_by: float = 3.0) -> tuple[Point, ...]:
    """The corners of an upright rectangle whose own corners are cut."""
    right, bottom, cut = left + width, top + height, min(round_by, width / 2, height / 2)
    return (
        (left + cut, top),
        (right - cut, top),
        (right, top + cut),
        (right, bottom - cut),
        (right - cut, bottom),
        (left + cut, bottom),
        (left, bottom - cut),
        (left, top + cut),
    )


def resized(shape: Shape, scale: float, origin: Point, to: Point) -> Shape:
    """A shape made larger or smaller, with ``origin`` moved to ``to``."""

    def moved(point: Point) -> Point:
        return to[0] + (point[0] - origin[0]) * scale, to[1] + (point[1] - origin[1]) * scale

    if isinstance(shape, Polygon):
        return replace(shape, points=tuple(map(moved, shape.points)), width=shape.width * scale)
    if isinstance(shape, Line):
        dash = (shape.dash[0] * scale, shape.dash[1] * scale) if shape.dash else None
        points = tuple(map(moved, shape.points))
        return replace(shape, points=points, width=shape.width * scale, arrow=shape.arrow * scale, dash=dash)
    if isinstance(shape, Circle):
        return replace(shape, centre=moved(shape.centre), radius=shape.radius * scale, width=shape.width * scale)
    return replace(shape, at=moved(shape.at), size=shape.size * scale, fit=shape.fit * scale)
