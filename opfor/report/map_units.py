"""Units and orders on the map: facing arrows by side, labels, what they did, and orders as arrows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opfor.formats.notation_moves import STEPS
from opfor.hex import DIRECTION_NAMES, Grid
from opfor.orders import FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.report.drawing import Circle, Line, Point, Polygon, Shape, Text
from opfor.report.geometry import HALF, Layout, around, shortened
from opfor.state import State
from opfor.units.state import UnitState

#: colour of each side, dark enough for white letters
SIDES = ("#1f4e9c", "#b3261e", "#2f7d32", "#7b3fa0", "#a3640b", "#00707a")
_LOST = "#8b8b8b"
_MODES = {"stand": "S", "walk": "W", "run": "R", "jump": "J", "evade": "E", "sprint": "P"}


def side_colour(side: int) -> str:
    """Colour of a side."""
    return SIDES[side % len(SIDES)]


def unit_shapes(state: State, layout: Layout) -> Iterator[Shape]:
    """Every unit on the map, wrecks first."""
    for unit in sorted(state.units, key=lambda u: (not u.destroyed, u.index)):
        if unit.gone or not state.board.grid.contains(unit.cell):
            continue
        yield from _wreck(unit, layout) if unit.destroyed else _unit(unit, layout)


def _arrow(centre: Point, facing: float, size: float) -> tuple[Point, ...]:
    """A broad arrow that points where the unit faces."""
    spots = ((0.0, 1.0), (1.0, 0.86), (2.2, 0.86), (3.0, 0.45), (3.8, 0.86), (5.0, 0.86))
    return tuple(around(centre, facing + direction, size * share) for direction, share in spots)


def _unit(unit: UnitState, layout: Layout) -> Iterator[Shape]:
    colour = side_colour(unit.side)
    x, y = centre = layout.centre(unit.cell)
    states = (("prone", unit.prone), ("shut down", unit.shutdown), ("unconscious", not unit.conscious))
    facts = [unit.name, f"facing {DIRECTION_NAMES[unit.facing]}", f"heat {unit.heat}", *(word for word, so in states if so)]
    title = f"{unit.id}: {', '.join(facts)}"
    size = HALF * 0.62
    if unit.prone:
        # prone: an outline, so that it reads as lying down even in black and white
        yield Polygon(_arrow(centre, unit.facing, size), "#ffffff", colour, 3.0, title=title)
    else:
        yield Polygon(_arrow(centre, unit.facing, size), colour, "#ffffff", 1.5, title=title)
    tip = around(centre, unit.facing, HALF * 0.95)
    yield Line((around(centre, unit.facing, size), tip), colour, 2.5, arrow=7.0)
    if unit.twist:
        torso = (unit.facing + unit.twist) % 6
        yield Line((centre, around(centre, torso, HALF * 0.75)), "#ffd54a", 3.0)
    short = {"shut down": "off", "unconscious": "out"}
    marks = [short.get(word, word) for word, so in states if so]
    if unit.moved and unit.mode:
        marks.append(f"{_MODES.get(unit.mode, unit.mode)}{unit.hexes_moved or ''}")
    yield Text((x, y + HALF * 0.72), unit.id, 11.5, colour, bold=True, halo="#ffffff")
    if marks:
        yield Text((x, y + 4), " ".join(marks), 9.5, colour if unit.prone else "#ffffff", bold=True)


def _wreck(unit: UnitState, layout: Layout) -> Iterator[Shape]:
    x, y = layout.centre(unit.cell)
    arm = HALF * 0.4
    for dx in (arm, -arm):
        yield Line(((x - dx, y - arm), (x + dx, y + arm)), _LOST, 5.0)
    yield Text((x, y + HALF * 0.72), unit.id, 10.0, _LOST, halo="#ffffff")


# -- orders -----------------------------------------------------------------------------------------------------------


def order_shapes(state: State, orders: Iterable[Order], layout: Layout) -> Iterator[Shape]:
    """Orders as arrows: the way of a movement with the facing at its end, lines of fire, physical attacks."""
    for order in orders:
        unit = state.unit(order.unit)
        if not state.board.grid.contains(unit.cell):
            continue
        if isinstance(order, MoveOrder):
            yield from _move(order, unit, state, layout)
        elif isinstance(order, FireOrder):
            yield from _fire(order, unit, state, layout)
        elif order.target:
            yield from _physical(order, unit, state, layout)


def path_cells(grid: Grid, cell: int, facing: int, path: tuple[str, ...]) -> list[int]:
    """The hexes that a path touches, from the start on."""
    cells = [cell]
    for step in path:
        turned, direction = STEPS[step]
        facing = (facing + turned) % 6
        if direction is not None:
            cells.append(cells[-1] + grid.step[(facing + direction) % 6])
    return [c for c in cells if grid.contains(c)]


def _move(order: MoveOrder, unit: UnitState, state: State, layout: Layout) -> Iterator[Shape]:
    colour = side_colour(unit.side)
    end = layout.centre(order.to)
    jumped = order.mode == "jump"
    cells = [unit.cell, order.to] if jumped else path_cells(state.board.grid, unit.cell, unit.facing, order.path)
    if len(cells) > 1 and cells[0] != cells[-1]:
        points = [layout.centre(cell) for cell in cells]
        points[0], _ = shortened(points[0], points[1], 0, HALF * 0.55)
        _, points[-1] = shortened(points[-2], points[-1], HALF * 0.6, 0)
        dash = (10.0, 7.0) if jumped else (2.0, 7.0) if order.mode == "run" else None
        yield Line(tuple(points), "#ffffff", 7.0, opacity=0.75)
        yield Line(tuple(points), colour, 4.0, dash, arrow=15.0)
    if order.to != unit.cell or order.facing != unit.facing:
        yield Polygon(_arrow(end, order.facing, HALF * 0.5), colour, "#ffffff", 1.5, 0.55)
        yield Line((around(end, order.facing, HALF * 0.4), around(end, order.facing, HALF * 0.85)), colour, 2.5, arrow=7.0)
    if order.attack and order.target in state.by_id:
        yield from _strike(end, layout.centre(state.unit(order.target).cell), order.attack.upper(), colour)


def _fire(order: FireOrder, unit: UnitState, state: State, layout: Layout) -> Iterator[Shape]:
    colour = side_colour(unit.side)
    start = layout.centre(unit.cell)
    for target in dict.fromkeys(attack.target for attack in order.attacks):
        end = layout.centre(state.unit(target).cell)
        count = sum(1 for attack in order.attacks if attack.target == target)
        # lines of two units that fire at each other run side by side
        shift = 5.0 if unit.cell < state.unit(target).cell else -5.0
        tail, head = shortened((start[0] + shift, start[1]), (end[0] + shift, end[1]), HALF * 0.75, HALF * 0.6)
        dash = None if target == order.primary else (8.0, 6.0)
        yield Line((tail, head), "#ffffff", 5.0, opacity=0.7)
        yield Line((tail, head), colour, 2.4, dash, arrow=12.0)
        middle = (tail[0] + (head[0] - tail[0]) * 0.4, tail[1] + (head[1] - tail[1]) * 0.4)
        yield Circle(middle, 8.0, colour, "#ffffff", 1.2)
        yield Text((middle[0], middle[1] + 4), str(count), 10.5, "#ffffff", bold=True)


def _physical(order: PhysicalOrder, unit: UnitState, state: State, layout: Layout) -> Iterator[Shape]:
    target = state.unit(order.target)
    yield from _strike(layout.centre(unit.cell), layout.centre(target.cell), order.attack, side_colour(unit.side))


def _strike(start: Point, end: Point, words: str, colour: str) -> Iterator[Shape]:
    tail, head = shortened(start, end, HALF * 0.6, HALF * 0.6)
    yield Line((tail, head), "#ffffff", 9.0, opacity=0.8)
    yield Line((tail, head), colour, 6.0, arrow=16.0)
    yield Text(((tail[0] + head[0]) / 2, (tail[1] + head[1]) / 2 - 8), words, 10.0, colour, bold=True, halo="#ffffff")
