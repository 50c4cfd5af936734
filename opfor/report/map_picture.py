"""The whole map as a drawing: title, ground, orders, units, key."""

from __future__ import annotations

from collections.abc import Sequence

from opfor.board.board import Board
from opfor.game.view import seen_by
from opfor.orders import Order
from opfor.report.drawing import Circle, Drawing, Line, Point, Shape, Text
from opfor.report.geometry import Layout, around
from opfor.report.map_missions import marker_shapes
from opfor.report.map_terrain import INK, legend_height, legend_shapes, terrain_shapes
from opfor.report.map_units import order_shapes, side_colour, unit_shapes
from opfor.state import State


def map_drawing(
    state: State,
    orders: Sequence[Order] = (),
    *,
    title: str = "",
    hide_from: int | None = None,
    base: Board | None = None,
) -> Drawing:
    """The battle as a picture.

    ``hide_from``: a side whose enemies' hidden units, and mines that it does not know of, are left out. ``base``: the board
    as the battle began, to show which buildings have been damaged.
    """
    if hide_from is not None:
        state = seen_by(state, hide_from)
        orders = [order for order in orders if not state.unit(order.unit).gone]
    layout = Layout(state.board.grid)
    width = max(layout.width, 420.0)
    heading = title or f"{state.board.name}, turn {state.turn}, {state.phase}"
    legend = legend_height(state.board, width - 32)
    drawing = Drawing(width, layout.height + legend + 8, heading, "#fbfaf5")
    drawing.add(Text((layout.margin, 25), heading, 17.0, "#222222", bold=True, anchor="start"))
    at = max(layout.margin + 24 + len(heading) * 10.5, width * 0.55)
    for index, name in enumerate(state.sides):
        drawing.add(Circle((at + 7, 19), 7.0, side_colour(index)), Text((at + 20, 24), name, 13.0, INK, anchor="start"))
        at += 44 + len(name) * 8.5
    if state.wind >= 0:
        drawing.add(*_wind(state.wind, (width - layout.margin - 24, 20.0)))
    occupied = frozenset(unit.cell for unit in state.units if not unit.gone)
    drawing.add(*terrain_shapes(state.board, layout, occupied, base))
    drawing.add(*order_shapes(state, orders, layout))
    drawing.add(*marker_shapes(state, layout))
    drawing.add(*unit_shapes(state, layout))
    drawing.add(*legend_shapes(state.board, layout.margin, layout.height + 12, width - 32))
    return drawing


def _wind(toward: int, centre: Point) -> tuple[Shape, ...]:
    """An arrow the way the wind blows."""
    ends = (around(centre, toward + 3, 11.0), around(centre, toward, 11.0))
    return (
        Text((centre[0] - 36, centre[1] + 4), "wind", 11.0, INK),
        Line(ends, "#4a6fa5", 2.5, arrow=10.0),
    )
