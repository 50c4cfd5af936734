"""The whole map as a drawing: title, ground, orders, units, key."""

from __future__ import annotations

from collections.abc import Sequence

from opfor.orders import Order
from opfor.report.drawing import Circle, Drawing, Text
from opfor.report.geometry import Layout
from opfor.report.map_terrain import INK, legend_height, legend_shapes, terrain_shapes
from opfor.report.map_units import order_shapes, side_colour, unit_shapes
from opfor.state import State


def map_drawing(state: State, orders: Sequence[Order] = (), *, title: str = "", hide_from: int | None = None) -> Drawing:
    """The battle as a picture. ``hide_from``: a side whose enemies' hidden units are left out."""
    if hide_from is not None and any(u.hidden and u.side != hide_from for u in state.units):
        state = state.copy()
        for unit in state.units:
            unit.gone = unit.gone or (unit.hidden and unit.side != hide_from)
        orders = [order for order in orders if not state.unit(order.unit).gone]
    layout = Layout(state.board.grid)
    width = max(layout.width, 420.0)
    heading = title or f"{state.board.name}, turn {state.turn}, {state.phase}"
    drawing = Drawing(width, layout.height + legend_height(state.board, width - 32) + 8, heading, "#fbfaf5")
    drawing.add(Text((layout.margin, 25), heading, 17.0, "#222222", bold=True, anchor="start"))
    at = max(layout.margin + 24 + len(heading) * 10.5, width * 0.55)
    for index, name in enumerate(state.sides):
        drawing.add(Circle((at + 7, 19), 7.0, side_colour(index)), Text((at + 20, 24), name, 13.0, INK, anchor="start"))
        at += 44 + len(name) * 8.5
    occupied = frozenset(unit.cell for unit in state.units if not unit.gone)
    drawing.add(*terrain_shapes(state.board, layout, occupied))
    drawing.add(*order_shapes(state, orders, layout))
    drawing.add(*unit_shapes(state, layout))
    drawing.add(*legend_shapes(state.board, layout.margin, layout.height + 12, width - 32))
    return drawing
