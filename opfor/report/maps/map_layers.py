"""Shades over the ground: what threatens each hex, what a unit sees, where it can go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from opfor.report.drawing import Polygon, Shape, Text
from opfor.report.geometry import HALF, Layout


@dataclass(frozen=True, slots=True)
class Shade:
    """A hex's shade: its colour, how strong, a word in the hex, and one for the pointer."""

    colour: str
    opacity: float
    word: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer of the map: what it is called, the shade of each hex that has one, and the names of the shades."""

    name: str
    shades: Mapping[int, Shade]
    key: tuple[tuple[str, float, str], ...] = field(default=())


def layer_shapes(layer: Layer, layout: Layout) -> Iterator[Shape]:
    """The shades of the hexes shown."""
    for cell in layout.cells:
        shade = layer.shades.get(cell)
        if shade is None:
            continue
        title = f"{layout.grid.names[cell]}: {shade.title}" if shade.title else ""
        yield Polygon(layout.corners(cell, 0.98), shade.colour, opacity=shade.opacity, title=title)
        if shade.word:
            x, y = layout.centre(cell)
            yield Text((x, y + HALF * 0.25), shade.word, 13.0, "#1a1a1a", bold=True, halo="#ffffff", fit=HALF * 1.6)


def layer_key(layer: Layer) -> tuple[tuple[str, float, str], ...]:
    """Colour, strength and name of each shade."""
    return layer.key
