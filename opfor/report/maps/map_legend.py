"""The key of a map: a small hex of each kind of ground that it shows, how orders are drawn, and its scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from opfor.board.board import Board, Hex
from opfor.hex import Grid
from opfor.report.drawing import Line, Polygon, Shape, Text, resized
from opfor.report.geometry import HALF, Layout, text_width
from opfor.report.maps.map_layers import Layer, layer_key
from opfor.report.maps.map_orders import STYLES
from opfor.report.maps.map_terrain import GROUND, INK, ground_colour, hex_marks

_SMALL = 0.3
_ROW = 27.0
#: metres across a hex
_METRES = 30


def legend_entries(board: Board, cells: Sequence[int]) -> list[tuple[Hex, str]]:
    """The kinds of ground in these hexes, each as a hex that shows it and its name."""
    used = [board.hexes[cell] for cell in cells]
    found: list[tuple[Hex, str]] = []
    for level in sorted({h.level for h in used if h.water < 0}):
        found.append((Hex(level=level), f"level {level}"))
    for depth in sorted({h.water for h in used if h.water >= 0 and not h.ice}):
        found.append((Hex(water=depth), f"water, depth {depth}"))
    found += [(_with(name), name) for name in GROUND if any(getattr(h, name) for h in used)]
    for woods in (1, 2):
        if any(min(2, h.woods) == woods for h in used):
            found.append((Hex(woods=woods), ("light", "heavy")[woods - 1] + " woods"))
    found += [(_with(name), name) for name in ("rough", "rubble") if any(getattr(h, name) for h in used)]
    if any(h.road for h in used):
        found.append((Hex(road=True, road_exits=18), "road"))
    if any(h.bridge for h in used):
        found.append((Hex(water=1, bridge=True, bridge_exits=18), "bridge: height, CF"))
    for kind, name in ((1, "L light"), (2, "M medium"), (3, "H heavy"), (4, "X hardened")):
        if any(h.building == kind for h in used):
            found.append((Hex(building=kind), f"{name} building: height, CF"))
    if any(h.mines for h in used):
        found.append((Hex(mines=1), "mines: density"))
    if any(h.fire for h in used):
        found.append((Hex(fire=True), "fire"))
    for smoke in (1, 2):
        if any(h.smoke == smoke for h in used):
            found.append((Hex(smoke=smoke), ("light", "heavy")[smoke - 1] + " smoke"))
    return found


def _with(name: str) -> Hex:
    return replace(Hex(), **{name: True})  # type: ignore[arg-type]


def legend_shapes(
    board: Board,
    cells: Sequence[int],
    x: float,
    y: float,
    width: float,
    *,
    letters: float = 1.0,
    modes: Sequence[str] = (),
    layer: Layer | None = None,
) -> list[Shape]:
    """A key to what the map uses, in rows from (x, y): the ground, the layer, the arrows, the scale."""
    found: list[Shape] = []
    k = letters
    at, line = x, y

    def room(wide: float) -> float:
        nonlocal at, line
        if at > x and at + wide > x + width:
            at, line = x, line + _ROW * k
        here, at = at, at + wide
        return here

    def words(left: float, text: str) -> Text:
        return Text((left, line + 4 * k), text, 11.0 * k, INK, anchor="start", fit=text_width(text, 11.0 * k))

    for record, name in legend_entries(board, cells):
        left = room(32 * k + text_width(name, 11.0 * k))
        found += (resized(shape, _SMALL * k, (0.0, 0.0), (left + 10 * k, line)) for shape in _small_hex(record))
        found.append(words(left + 25 * k, name))
    for colour, opacity, name in layer_key(layer) if layer else ():
        left = room(32 * k + text_width(name, 11.0 * k))
        corners = _LAYOUT.corners(_CELL, _SMALL * k)
        dx, dy = left + 10 * k - _CENTRE[0], line - _CENTRE[1]
        found.append(Polygon(tuple((a + dx, b + dy) for a, b in corners), colour, "#555555", 0.8, opacity))
        found.append(words(left + 25 * k, name))
    for mode in modes:
        style = STYLES[mode]
        left = room(52 * k + text_width(style.name, 11.0 * k))
        found.append(
            Line(
                ((left, line), (left + 32 * k, line)), INK, style.width * k, style.dash, arrow=9.0 * k, round=style.dash is None
            )
        )
        found.append(words(left + 42 * k, style.name))
    bar = 2 * HALF
    left = room(bar + 24 * k + text_width("1 hex = 30 m", 11.0 * k))
    for start, end in (
        ((left, line), (left + bar, line)),
        ((left, line - 4), (left, line + 4)),
        ((left + bar, line - 4), (left + bar, line + 4)),
    ):
        found.append(Line((start, end), INK, 1.6))
    found.append(words(left + bar + 8 * k, f"1 hex = {_METRES} m"))
    return found


def legend_height(shapes: Sequence[Shape], top: float) -> float:
    """Room that a key takes below ``top``."""
    return 18.0 + max((shape.at[1] - top for shape in shapes if isinstance(shape, Text)), default=0.0)


_LAYOUT = Layout(Grid(1, 1))
_CELL = _LAYOUT.cells[0]
_CENTRE = _LAYOUT.centre(_CELL)


def _small_hex(record: Hex) -> Iterator[Shape]:
    board = Board("", _LAYOUT.grid, {_CELL: record})
    shapes = [Polygon(_LAYOUT.corners(_CELL), ground_colour(record), "#77776d", 2.0), *hex_marks(board, _LAYOUT, _CELL)]
    return (resized(shape, 1.0, _CENTRE, (0.0, 0.0)) for shape in shapes)
