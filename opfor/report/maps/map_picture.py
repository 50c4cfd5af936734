"""The whole map as a drawing: title, ground, layer, orders, units, key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opfor.board.board import Board
from opfor.game.view import seen_by
from opfor.orders import CallOrder, Order
from opfor.report.drawing import Circle, Drawing, Line, Point, Polygon, Shape, Text, plate
from opfor.report.geometry import Layout, around, text_width
from opfor.report.maps.map_labels import Taken
from opfor.report.maps.map_layers import Layer, layer_shapes
from opfor.report.maps.map_legend import legend_height, legend_shapes
from opfor.report.maps.map_look import PHONE, PRINT, Look, busy_cells, neighbourhood, window_of
from opfor.report.maps.map_missions import marker_shapes, zone_shapes
from opfor.report.maps.map_orders import OrderPen, modes_of
from opfor.report.maps.map_symbols import side_colour
from opfor.report.maps.map_terrain import INK, occupied_words, terrain_shapes, terrain_words
from opfor.report.maps.map_units import UnitPen
from opfor.state import State

_LEAST_WIDTH = 520.0
#: most that a telephone's letters grow by
_LARGEST = 2.0
#: a map this wide has its title and key in plain size
_LARGE = 1150.0


def map_drawing(
    state: State,
    orders: Sequence[Order] = (),
    *,
    title: str = "",
    hide_from: int | None = None,
    public: bool = False,
    base: Board | None = None,
    crop: bool = False,
    around_unit: str = "",
    distance: int = 7,
    size: str = "screen",
    layer: Layer | None = None,
    numbers: Mapping[tuple[str, str], str] | None = None,
) -> Drawing:
    """The battle as a picture.

    ``hide_from``: a side whose enemies' hidden units, zones, and mines that it does not know of are left out, as is where the
    others' shells and bombs are to fall. ``public``: the state is one for all to see, and only nobody's zones are shown.
    ``base``: the board as the battle began, to show which buildings have been damaged. ``crop``: only the part where something
    is, if that is well less than the board; ``around_unit`` (its id): the hexes within ``distance`` of it. ``size``: one of
    :data:`opfor.report.maps.map_look.SIZES`. ``numbers``: target numbers to write at lines of fire, by unit and target.
    """
    if hide_from is not None:
        state = seen_by(state, hide_from)
        orders = [
            order
            for order in orders
            if not state.unit(order.unit).gone
            and (not isinstance(order, CallOrder) or state.unit(order.unit).side == hide_from)
        ]
    grid = state.board.grid
    busy = busy_cells(state, orders)
    window = None
    if around_unit:
        window = window_of(grid, neighbourhood(grid, state.unit(around_unit).cell, max(0, distance - 2)), 1.0)
    elif crop:
        window = window_of(grid, busy)
    look = Look()
    if size == "phone":
        window = window or window_of(grid, busy, 0.95)
        plain = Layout(grid, window=window).width
        look = Look(min(_LARGEST, max(1.0, plain / PHONE * 1.1)), frozenset(busy))
    k = look.letters
    width = max(Layout(grid, window=window).width, _LEAST_WIDTH)
    # title and key of a large map are larger
    k = max(k, min(_LARGEST, width / _LARGE))
    layout = Layout(grid, top=40.0 + (k - 1) * (52 if size == "phone" else 24), window=window)
    heading = title or f"{state.board.name}, turn {state.turn}, {state.phase}"
    key_top = layout.height + 14 * k
    legend = legend_shapes(
        state.board,
        layout.cells,
        layout.margin,
        key_top,
        width - 2 * layout.margin,
        letters=k,
        modes=modes_of(orders),
        layer=layer,
    )
    drawing = Drawing(width, key_top + legend_height(legend, key_top), heading, "#ffffff" if size == "print" else "#fbfaf5")
    drawing.places = {cell: layout.centre(cell) for cell in layout.cells}
    if size != "screen":
        drawing.scale = (PHONE if size == "phone" else PRINT) / width
    drawing.add(*_heading(state, heading, layout, width, k))
    stands = {u.cell: -1 if u.spec.is_infantry else u.facing for u in state.units if u.alive and not u.aboard}
    drawing.add(*terrain_shapes(state.board, layout, base))
    if layer is not None:
        drawing.add(*layer_shapes(layer, layout))
    zones = {-1} if public else {-1, hide_from} if hide_from is not None else range(-1, len(state.sides))
    drawing.add(*zone_shapes(state, layout, zones))
    told = frozenset(cell for cell, shade in layer.shades.items() if shade.word) if layer else frozenset()
    drawing.add(*terrain_words(state.board, layout, stands, look, told))
    taken = Taken()
    marks, names = UnitPen(state, layout, taken, look).draw()
    arrows, labels = OrderPen(state, layout, taken, look, numbers).draw(orders)
    drawing.add(*marker_shapes(state, layout))
    drawing.add(*arrows, *marks)
    for cell, facing in stands.items():
        if layout.shows(cell):
            drawing.add(*occupied_words(state.board, layout, cell, look, facing))
    drawing.add(*names, *labels, *legend)
    return drawing


def _heading(state: State, heading: str, layout: Layout, width: float, k: float) -> list[Shape]:
    """Title, sides and wind; where they have no room beside one another the sides stand below the title."""
    size = 17.0 if k == 1 else 11.5 * k
    right = width - layout.margin
    chips: list[Shape] = []
    sides = sum(text_width(name, 12.0 * k, True) + 22 * k for name in state.sides)
    windy = 84.0 * k if state.wind >= 0 else 0.0
    beside = layout.margin * 2 + text_width(heading, size, True) + sides + windy <= right
    room = right - layout.margin - (sides + windy if beside else windy)
    y = 26.0 if k == 1 else 8 + 14 * k
    found: list[Shape] = [Text((layout.margin, y), heading, size, "#1c1c1c", bold=True, anchor="start", fit=room)]
    at = right - windy - sides if beside else layout.margin
    line = y - 4 if beside else y + (11 if k == 1 else 15 * k)
    for index, name in enumerate(state.sides):
        wide, high = text_width(name, 12.0 * k, True) + 12 * k, 17.0 * k if beside or k > 1 else 13.0
        colour = side_colour(index)
        fill, ink = (colour, "#ffffff") if index % 2 == 0 else ("#ffffff", colour)
        letters = 12.0 * k if high > 13 else 10.0
        chips.append(Polygon(plate(at, line - high / 2, wide, high), fill, colour, 1.2))
        chips.append(Text((at + wide / 2, line + letters * 0.36), name, letters, ink, bold=True, fit=wide - 6 * k))
        at += wide + 10 * k
    found += chips
    if state.wind >= 0:
        found += _wind(state.wind, (right - 22 * k, y - 6), k)
    return found


def _wind(toward: int, centre: Point, k: float) -> list[Shape]:
    """An arrow the way the wind blows."""
    ends = (around(centre, toward + 3, 11.0 * k), around(centre, toward, 8.0 * k))
    return [
        Text((centre[0] - 20 * k, centre[1] + 4 * k), "wind", 11.0 * k, INK, anchor="end"),
        Circle(centre, 15.0 * k, "#ffffff", "#4a6fa5", 1.0),
        Line(ends, "#2f5f9f", 2.5 * k, arrow=9.0 * k),
    ]
