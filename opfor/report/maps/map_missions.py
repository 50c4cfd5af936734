"""Zones, markers and points of mission actions on the maps. Rule: A-5."""

from __future__ import annotations

from collections.abc import Container, Iterator

from opfor.report.drawing import Line, Polygon, Shape, Text
from opfor.report.geometry import HALF, Layout, between
from opfor.report.maps.map_symbols import side_colour
from opfor.state import State

_NOBODY = "#4a4a4a"
_ZONE = "#6a1b7a"


def mission_lines(state: State) -> list[str]:
    """Markers, points and the actions under way, a line each, for the text map."""
    names, sides = state.board.grid.names, state.sides
    lines = [f"marker {m.name} in {names[m.cell]}{f' ({sides[m.side]})' if m.side >= 0 else ''}" for m in state.markers]
    if any(state.scores):
        lines.append("points: " + ", ".join(f"{side} {points}" for side, points in zip(sides, state.scores, strict=True)))
    lines += [f"under way: {made.unit} {made.action}" for made in state.actions_started if made.status == "underway"]
    return lines


def zone_shapes(state: State, layout: Layout, sides: Container[int]) -> Iterator[Shape]:
    """The edge of each zone of ``sides`` (-1: nobody's) as a dashed line inside its hexes, with its name at its first hex."""
    grid = state.board.grid
    for name, zone in sorted(state.zones.items()):
        if zone.side not in sides:
            continue
        colour = side_colour(zone.side) if zone.side >= 0 else _ZONE
        shown = sorted(cell for cell in zone.cells if layout.shows(cell))
        for cell in shown:
            yield Polygon(layout.corners(cell), colour, opacity=0.07)
            centre = layout.centre(cell)
            for direction in range(6):
                if cell + grid.step[direction] not in zone.cells:
                    ends = tuple(between(centre, corner, 0.94) for corner in layout.edge(cell, direction))
                    yield Line(ends, colour, 2.6, (7.0, 4.0))
        if shown:
            x, y = layout.centre(shown[0])
            yield Text((x, y + HALF * 0.55), name, 10.0, colour, bold=True, halo="#ffffff", fit=HALF * 3)


def marker_shapes(state: State, layout: Layout) -> Iterator[Shape]:
    """A flag in its side's colour for each marker, with its name."""
    for marker in state.markers:
        if not layout.shows(marker.cell):
            continue
        x, y = layout.centre(marker.cell)
        x, y = x - HALF * 0.75, y - HALF * 0.35
        colour = side_colour(marker.side) if marker.side >= 0 else _NOBODY
        yield Line(((x, y + 13.0), (x, y - 13.0)), "#ffffff", 4.5)
        yield Line(((x, y + 12.0), (x, y - 12.0)), colour, 2.2)
        yield Polygon(((x, y - 12.0), (x + 16.0, y - 7.0), (x, y - 2.0)), colour, "#ffffff", 1.0)
        yield Text((x + 6.0, y + 21.0), marker.name, 9.5, colour, bold=True, halo="#ffffff", fit=HALF * 2.4)
