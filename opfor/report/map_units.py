"""Units and orders on the map: facing arrows by side, labels, what they did, and orders as arrows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opfor.formats.notation_moves import STEPS
from opfor.hex import DIRECTION_NAMES, Grid
from opfor.orders import CallOrder, FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.report.drawing import Circle, Line, Point, Polygon, Shape, Text
from opfor.report.geometry import HALF, Layout, around, shortened
from opfor.report.map_symbols import arrow, unit_mark
from opfor.report.unit_words import aboard, company_words, condition_words, height_words, kind_word, strength_words
from opfor.rules.modes import RUNNING
from opfor.state import State
from opfor.units.state import UnitState

#: colour of each side, dark enough for white letters
SIDES = ("#1f4e9c", "#b3261e", "#2f7d32", "#7b3fa0", "#a3640b", "#00707a")
_LOST = "#8b8b8b"
_VEHICLE_LETTERS = {"walk": "C", "run": "F"}
_MODES = {"stand": "S", "walk": "W", "run": "R", "jump": "J", "evade": "E", "sprint": "P"}


def side_colour(side: int) -> str:
    """Colour of a side."""
    return SIDES[side % len(SIDES)]


def unit_shapes(state: State, layout: Layout) -> Iterator[Shape]:
    """Every unit on the map, wrecks first: side by side in a shared hex, those carried told with their carrier."""
    shown = [unit for unit in state.units if not unit.gone and state.board.grid.contains(unit.cell)]
    for unit in shown:
        if unit.destroyed and not unit.aboard:
            yield from _wreck(unit, layout)
    by_cell: dict[int, list[UnitState]] = {}
    for unit in shown:
        if not unit.destroyed and not unit.aboard:
            by_cell.setdefault(unit.cell, []).append(unit)
    for cell, units in by_cell.items():
        middle = layout.centre(cell)
        if len(units) == 1:
            yield from _mark(state, units[0], middle, 1.0)
            yield _name(state, units[0], (middle[0], middle[1] + HALF * 0.72), 11.5)
            continue
        # the highest is drawn last, over those below it; the names stand below one another
        units.sort(key=lambda u: (u.elevation, u.index))
        centre = (middle[0], middle[1] - HALF * 0.12)
        for place, unit in enumerate(units):
            spot = around(centre, _PLACES[len(units) == 2][place % 6], HALF * 0.36)
            yield from _mark(state, unit, spot, 0.72 if len(units) == 2 else 0.58)
        for line, unit in enumerate(reversed(units)):
            yield _name(state, unit, (middle[0], middle[1] + HALF * 0.94 - 9.5 * line), 8.5)


#: where the units of a shared hex stand, in sixths of a circle: three or more, two
_PLACES = ((0.0, 2.0, 4.0, 1.0, 3.0, 5.0), (4.5, 1.5, 0.0, 3.0, 1.0, 5.0))


def _mark(state: State, unit: UnitState, centre: Point, scale: float) -> Iterator[Shape]:
    """A unit's mark, where its turret or torso points, and letters for how it is and how it moved."""
    spec = unit.spec
    colour = side_colour(unit.side)
    x, y = centre
    facts = [unit.name, "" if spec.is_mech else kind_word(spec)]
    facts.append("" if spec.is_infantry else f"facing {DIRECTION_NAMES[unit.facing]}")
    facts += [height_words(unit), strength_words(unit), f"heat {unit.heat}" if spec.is_mech else ""]
    facts += company_words(state, unit) + condition_words(unit)
    title = f"{unit.id}: {', '.join(fact for fact in facts if fact)}"
    size = HALF * 0.62 * scale
    yield from unit_mark(unit, centre, size, colour, title)
    if not spec.is_infantry:
        yield Line(
            (around(centre, unit.facing, size), around(centre, unit.facing, size * 1.53)),
            colour,
            2.5 * scale,
            arrow=7.0 * scale,
        )
    if unit.twist or (spec.turret and spec.is_vehicle):
        yield Line((centre, around(centre, unit.torso_facing, size * 1.2)), "#ffd54a", 3.0 * scale)
        if spec.turret:
            yield Circle(centre, size * 0.3, "#ffd54a", "#2b2b2b", 0.8)
    marks = _state_marks(unit)
    if marks:
        # on a turret or in a box nobody reads letters: they stand above
        inside = spec.is_mech and scale == 1.0
        at = (x, y + 4) if inside else (x, y - size * 0.95 - 2)
        fill = "#ffffff" if inside and not unit.prone else colour
        yield Text(at, " ".join(marks), 9.5 if scale == 1.0 else 8.0, fill, bold=True, halo="" if inside else "#ffffff")


def _name(state: State, unit: UnitState, at: Point, size: float) -> Text:
    return Text(at, _label(state, unit), size, side_colour(unit.side), bold=True, halo="#ffffff")


def _label(state: State, unit: UnitState) -> str:
    """The unit's id, with how high it flies, how many are left of it, and how many it carries."""
    words = unit.id
    if unit.spec.kind == "vtol":
        words += f" +{unit.elevation}" if unit.elevation else " landed"
    if unit.spec.kind == "infantry":
        words += f" ({unit.structure[0]})"
    carried = aboard(state, unit)
    return words + (f" [{'+'.join(other.id for other in carried)}]" if carried else "")


def _state_marks(unit: UnitState) -> list[str]:
    """Letters on a unit's mark: what is wrong with it, and how it moved."""
    marks = [
        word
        for word, so in (
            ("prone", unit.prone),
            ("off", unit.shutdown),
            ("out", not unit.conscious),
            ("stun", unit.stunned > 0),
            ("immobile", unit.immobilized),
            ("swarm", bool(unit.swarming)),
            ("wait", unit.waiting and not unit.moved),
            ("opp", unit.opportunity),
        )
        if so
    ]
    if unit.moved and unit.mode:
        letters = _VEHICLE_LETTERS if unit.spec.is_vehicle else _MODES
        marks.append(f"{letters.get(unit.mode, _MODES.get(unit.mode, unit.mode))}{unit.hexes_moved or ''}")
    return marks


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
        elif isinstance(order, CallOrder):
            yield from _call(order, unit, state, layout)
        elif isinstance(order, PhysicalOrder) and order.target:
            yield from _physical(order, unit, state, layout)


def _call(order: CallOrder, unit: UnitState, state: State, layout: Layout) -> Iterator[Shape]:
    """Where artillery or bombs are announced to fall: a ring about the hex."""
    cell = state.unit(order.target).cell if order.target and order.cell < 0 else order.cell
    if cell < 0:
        return
    x, y = layout.centre(cell)
    yield Circle((x, y), HALF * 0.8, "none", side_colour(unit.side), 4.0)
    yield Text(
        (x, y - HALF * 0.62), "bombs" if order.what == "bomb" else "shells", 10.0, side_colour(unit.side), halo="#ffffff"
    )


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
        dash = (10.0, 7.0) if jumped else (2.0, 7.0) if order.mode in RUNNING else None
        yield Line(tuple(points), "#ffffff", 7.0, opacity=0.75)
        yield Line(tuple(points), colour, 4.0, dash, arrow=15.0)
    if order.to != unit.cell or order.facing != unit.facing:
        yield Polygon(arrow(end, order.facing, HALF * 0.5), colour, "#ffffff", 1.5, 0.55)
        yield Line((around(end, order.facing, HALF * 0.4), around(end, order.facing, HALF * 0.85)), colour, 2.5, arrow=7.0)
    if order.attack and order.target in state.by_id:
        yield from _strike(end, layout.centre(state.unit(order.target).cell), order.attack.upper(), colour)


def _fire(order: FireOrder, unit: UnitState, state: State, layout: Layout) -> Iterator[Shape]:
    colour = side_colour(unit.side)
    start = layout.centre(unit.cell)
    for target in dict.fromkeys(attack.target for attack in order.attacks):
        aim = state.board.grid.parse(target[1:]) if target.startswith("@") else state.unit(target).cell
        end = layout.centre(aim)
        count = sum(1 for attack in order.attacks if attack.target == target)
        # lines of two units that fire at each other run side by side
        shift = 5.0 if unit.cell < aim else -5.0
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
