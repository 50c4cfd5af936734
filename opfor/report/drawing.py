"""A picture as a short list of shapes, which SVG and PNG both render. Lengths in units of the picture; y grows downward."""

from __future__ import annotations

from dataclasses import dataclass, field

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
    """An open line through its points; ``arrow`` puts a head of that length at its end, ``dash`` is (on, off) lengths."""

    points: tuple[Point, ...]
    stroke: str = "#000000"
    width: float = 1.0
    dash: tuple[float, float] | None = None
    arrow: float = 0.0
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc."""

    centre: Point
    radius: float
    fill: str = "none"
    stroke: str = "none"
    width: float = 1.0
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text, centred on ``at`` unless ``anchor`` is start; ``halo`` is the colour of a rim that keeps it legible."""

    at: Point
    text: str
    size: float
    fill: str = "#000000"
    bold: bool = False
    anchor: str = "middle"
    halo: str = ""


Shape = Polygon | Line | Circle | Text


@dataclass(slots=True)
class Drawing:
    """A picture: its size and its shapes, the hindmost first."""

    width: float
    height: float
    title: str = ""
    background: str = "#ffffff"
    shapes: list[Shape] = field(default_factory=list)

    def add(self, *shapes: Shape) -> None:
        """Put shapes in front."""
        self.shapes.extend(shapes)
