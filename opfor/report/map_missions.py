"""Markers and points of mission actions on the maps. Rule: A-5."""

from __future__ import annotations

from collections.abc import Iterator

from opfor.report.drawing import Circle, Line, Shape, Text
from opfor.report.geometry import HALF, Layout
from opfor.report.map_units import side_colour
from opfor.state import State

_NOBODY = "#555555"


def mission_lines(state: State) -> list[str]:
    """Markers, points and the actions under way, a line each, for the text map."""
    names, sides = state.board.grid.names, state.sides
    lines = [f"marker {m.name} in {names[m.cell]}{f' ({sides[m.side]})' if m.side >= 0 else ''}" for m in state.markers]
    if any(state.scores):
        lines.append("points: " + ", ".join(f"{side} {points}" for side, points in zip(sides, state.scores, strict=True)))
    lines += [f"under way: {made.unit} {made.action}" for made in state.actions_started if made.status == "underway"]
    return lines


def marker_shapes(state: State, layout: Layout) -> Iterator[Shape]:
    """A flag in its side's colour for each marker, with its name."""
    for marker in state.markers:
        x, y = layout.centre(marker.cell)
        x, y = x - HALF * 0.45, y - HALF * 0.35
        colour = side_colour(marker.side) if marker.side >= 0 else _NOBODY
        yield Line(((x, y + 9.0), (x, y - 9.0)), colour, 2.0)
        yield Circle((x + 4.0, y - 6.0), 4.0, colour)
        yield Text((x + 4.0, y + 18.0), marker.name, 9.0, colour, halo="#ffffff")
