"""A drawing as PNG, by Pillow: drawn at twice the size and reduced, so that its edges are smooth."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from opfor.report.drawing import Circle, Drawing, Line, Point, Polygon, Shape, Text
from opfor.report.geometry import arrow_head, dashes

_SMOOTH = 2
#: most pixels that a picture is drawn with
_MOST = 60_000_000
#: what is written for letters that the font lacks
_PLAIN = {"−": "-", "→": ">", "×": "x", "’": "'", "–": "-", "—": "-", "✕": "x", "•": "*"}


def to_png(drawing: Drawing, scale: float | None = None) -> bytes:
    """The drawing as a PNG file, ``scale`` pixels to a unit (less for a picture too large for memory)."""
    scale = drawing.scale if scale is None else scale
    pixels = drawing.width * drawing.height * (scale * _SMOOTH) ** 2
    factor = scale * _SMOOTH * min(1.0, (_MOST / pixels) ** 0.5)
    size = (round(drawing.width * factor), round(drawing.height * factor))
    image = Image.new("RGB", size, drawing.background)
    pen = ImageDraw.Draw(image, "RGBA")
    for shape in drawing.shapes:
        _draw(pen, shape, factor)
    image = image.resize((max(1, size[0] // _SMOOTH), max(1, size[1] // _SMOOTH)), Image.Resampling.BOX)
    # a map has few colours: a palette makes a file a quarter of the size, and no eye sees the difference
    image = image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = BytesIO()
    image.save(out, "PNG", compress_level=6)
    return out.getvalue()


def _colour(colour: str, opacity: float) -> tuple[int, int, int, int] | None:
    if colour == "none":
        return None
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue, round(255 * opacity)


@lru_cache(maxsize=64)
def _font(size: int) -> Any:
    return ImageFont.load_default(size)


def _draw(pen: ImageDraw.ImageDraw, shape: Shape, factor: float) -> None:
    if isinstance(shape, Polygon):
        points = [(x * factor, y * factor) for x, y in shape.points]
        fill, stroke = _colour(shape.fill, shape.opacity), _colour(shape.stroke, shape.opacity)
        if fill:
            pen.polygon(points, fill=fill)
        if stroke:
            pen.line([*points, points[0], points[1]], fill=stroke, width=max(1, round(shape.width * factor)), joint="curve")
    elif isinstance(shape, Circle):
        x, y = shape.centre
        box = [
            (x - shape.radius) * factor,
            (y - shape.radius) * factor,
            (x + shape.radius) * factor,
            (y + shape.radius) * factor,
        ]
        stroke = _colour(shape.stroke, shape.opacity)
        width = max(1, round(shape.width * factor)) if stroke else 0
        pen.ellipse(box, fill=_colour(shape.fill, shape.opacity), outline=stroke, width=width)
    elif isinstance(shape, Line):
        _line(pen, shape, factor)
    else:
        _text(pen, shape, factor)


def _line(pen: ImageDraw.ImageDraw, shape: Line, factor: float) -> None:
    colour = _colour(shape.stroke, shape.opacity)
    width = max(1, round(shape.width * factor))
    runs: list[tuple[Point, ...]] = dashes(shape.points, shape.dash) if shape.dash else [shape.points]
    for run in runs:
        pen.line([(x * factor, y * factor) for x, y in run], fill=colour, width=width, joint="curve")
    if shape.arrow:
        pen.polygon([(x * factor, y * factor) for x, y in arrow_head(shape.points, shape.arrow)], fill=colour)


def _text(pen: ImageDraw.ImageDraw, shape: Text, factor: float) -> None:
    text = readable(shape.text)
    font = _font(max(6, round(shape.size * factor)))
    if shape.fit:
        wide = font.getlength(text)
        if wide > shape.fit * factor:
            font = _font(max(6, int(shape.size * factor * shape.fit * factor / wide)))
    at = (shape.at[0] * factor, shape.at[1] * factor)
    rim = max(1, round(shape.size * factor / 8)) if shape.halo else 0
    thick = max(1, round(shape.size * factor / 40)) if shape.bold else 0
    anchor = {"start": "ls", "end": "rs"}.get(shape.anchor, "ms")
    if rim:
        pen.text(at, text, font=font, anchor=anchor, fill=shape.halo, stroke_width=rim + thick, stroke_fill=shape.halo)
    pen.text(at, text, font=font, anchor=anchor, fill=shape.fill, stroke_width=thick, stroke_fill=shape.fill)


def readable(text: str) -> str:
    """The text in letters that the font has: without accents where it must be, ``?`` for the rest."""
    if text.isascii():
        return text if text.isprintable() else "".join(c if c.isprintable() else "?" for c in text)
    return "".join(_letter(letter) for letter in text)


@lru_cache(maxsize=512)
def _letter(letter: str) -> str:
    if _drawn(letter):
        return letter
    plain = unicodedata.normalize("NFKD", letter)[0]
    return plain if _drawn(plain) else _PLAIN.get(letter, "?")


def _drawn(letter: str) -> bool:
    """Whether the font has a letter: what it has not is drawn as the box of no letter at all."""
    if not letter.isprintable():
        return False
    font = _font(24)
    missing = font.getmask("\U0010ffff")
    mask = font.getmask(letter)
    return letter.isspace() or mask.size != missing.size or bytes(mask) != bytes(missing)
