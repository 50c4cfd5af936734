"""A drawing as SVG: plain elements, no scripts, no fonts or files from elsewhere."""

from __future__ import annotations

from html import escape

from opfor.report.drawing import Circle, Drawing, Line, Point, Polygon, Shape, Text
from opfor.report.geometry import arrow_head, text_width

#: a family that every machine has one of
FONT = "Arial, Helvetica, sans-serif"


def to_svg(drawing: Drawing) -> str:
    """The drawing as one SVG document; the same drawing always gives the same bytes."""
    width, height = _number(drawing.width), _number(drawing.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{_number(drawing.width * drawing.scale)}" height="{_number(drawing.height * drawing.scale)}" '
        f'font-family="{FONT}" text-anchor="middle">',
        f"<title>{_escaped(drawing.title)}</title>",
        f'<rect width="{width}" height="{height}" fill="{drawing.background}"/>',
    ]
    for shape in drawing.shapes:
        lines.append(_element(shape))
    return "\n".join([*lines, "</svg>", ""])


def _escaped(text: str) -> str:
    """Text as XML holds it: what no XML may hold is shown as a question mark."""
    return escape("".join(letter if letter.isprintable() else "?" for letter in text))


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _paint(fill: str, stroke: str, width: float, opacity: float) -> str:
    words = f'fill="{fill}"'
    if stroke != "none":
        words += f' stroke="{stroke}" stroke-width="{_number(width)}"'
    if opacity < 1:
        words += f' opacity="{opacity:g}"'
    return words


def _element(shape: Shape) -> str:
    if isinstance(shape, Polygon):
        paint = _paint(shape.fill, shape.stroke, shape.width, shape.opacity)
        if shape.title:
            return f'<polygon points="{_points(shape.points)}" {paint}><title>{_escaped(shape.title)}</title></polygon>'
        return f'<polygon points="{_points(shape.points)}" {paint}/>'
    if isinstance(shape, Circle):
        x, y = shape.centre
        paint = _paint(shape.fill, shape.stroke, shape.width, shape.opacity)
        circle = f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(shape.radius)}" {paint}'
        return f"{circle}><title>{_escaped(shape.title)}</title></circle>" if shape.title else f"{circle}/>"
    if isinstance(shape, Line):
        paint = _paint("none", shape.stroke, shape.width, shape.opacity)
        dash = f' stroke-dasharray="{shape.dash[0]:g} {shape.dash[1]:g}"' if shape.dash else ""
        cap = ' stroke-linecap="round"' if shape.round else ""
        line = f'<polyline points="{_points(shape.points)}" {paint} stroke-linejoin="round"{cap}{dash}/>'
        if shape.arrow:
            line += _element(Polygon(arrow_head(shape.points, shape.arrow), shape.stroke, opacity=shape.opacity))
        return line
    assert isinstance(shape, Text)
    x, y = shape.at
    words = f'x="{_number(x)}" y="{_number(y)}" font-size="{_number(shape.size)}" fill="{shape.fill}"'
    if shape.bold:
        words += ' font-weight="bold"'
    if shape.anchor != "middle":
        words += f' text-anchor="{shape.anchor}"'
    if shape.fit:
        wide = text_width(shape.text, shape.size, shape.bold)
        words += f' textLength="{_number(min(wide, shape.fit))}" lengthAdjust="spacingAndGlyphs"'
    if shape.halo:
        words += (
            f' stroke="{shape.halo}" stroke-width="{_number(shape.size / 3.5)}" paint-order="stroke" stroke-linejoin="round"'
        )
    return f"<text {words}>{_escaped(shape.text)}</text>"
