"""Orders on the map: the way of a movement and the facing at its end, fire with its target numbers, blows, bombs, shells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from opfor.formats.words.notation_steps import STEPS
from opfor.hex import Grid
from opfor.orders import ActionOrder, CallOrder, FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.report.drawing import Circle, Line, Point, Polygon, Shape, Text, plate
from opfor.report.geometry import HALF, Box, Layout, arc, around, between, clipped, shortened, text_width
from opfor.report.maps.map_labels import Taken
from opfor.report.maps.map_look import Look
from opfor.report.maps.map_symbols import arrow, side_colour
from opfor.state import State
from opfor.units.state import UnitState


class Style(NamedTuple):
    """How the line of a movement is drawn."""

    name: str
    width: float
    dash: tuple[float, float] | None = None
    letter: str = ""


#: by mode of movement: told apart by dash and width, whatever the colour
STYLES = {
    "walk": Style("walk, cruise", 3.6, None, "W"),
    "run": Style("run, flank", 3.6, (13.0, 5.0), "R"),
    "jump": Style("jump", 3.6, (3.5, 5.0), "J"),
    "evade": Style("evade", 5.4, (13.0, 5.0), "E"),
    "sprint": Style("sprint", 7.0, (22.0, 5.0), "P"),
}
_PLAIN = Style("", 3.6)
#: where along a line of fire its number may stand
_SHARES = (0.42, 0.52, 0.34, 0.6, 0.27, 0.68, 0.2, 0.76)


def modes_of(orders: Iterable[Order]) -> list[str]:
    """The modes of movement whose lines a map of these orders has."""
    used = {order.mode for order in orders if isinstance(order, MoveOrder)}
    return [mode for mode in STYLES if mode in used]


class OrderPen:
    """Draws orders; their labels are kept apart from one another and from the units.

    ``numbers``: the target numbers of fire as words, by unit and target.
    """

    def __init__(
        self, state: State, layout: Layout, taken: Taken, look: Look, numbers: Mapping[tuple[str, str], str] | None = None
    ) -> None:
        self.state = state
        self.layout = layout
        self.taken = taken
        self.look = look
        self.numbers = numbers or {}
        self._above: list[Shape] = []
        #: hex and facing of each unit as its orders have moved it
        self._at: dict[str, tuple[int, int]] = {}

    def draw(self, orders: Iterable[Order]) -> tuple[list[Shape], list[Shape]]:
        """The shapes of the orders, and those of their labels. A unit's second order begins where its first has taken it."""
        lines: list[Shape] = []
        grid = self.state.board.grid
        orders = list(orders)
        for order in orders:
            if isinstance(order, MoveOrder) and grid.contains(order.to):
                # where a movement ends its arrow stands
                x, y = self._spot(order.to)
                self.taken.add((x - HALF * 0.45, y - HALF * 0.45, x + HALF * 0.45, y + HALF * 0.45))
        for order in orders:
            unit = self.state.unit(order.unit)
            if not grid.contains(unit.cell):
                continue
            self._at.setdefault(unit.id, (unit.cell, unit.facing))
            if isinstance(order, MoveOrder):
                lines += self._move(order, unit)
                if grid.contains(order.to):
                    self._at[unit.id] = order.to, order.facing
            elif isinstance(order, FireOrder):
                lines += self._fire(order, unit)
            elif isinstance(order, CallOrder):
                lines += self._call(order, unit.side)
            elif isinstance(order, PhysicalOrder) and order.target:
                lines += self._strike(
                    self._spot(self._at[unit.id][0]), self._aim(order.target), order.attack, side_colour(unit.side)
                )
            elif isinstance(order, ActionOrder) and order.action:
                lines += self._action(order, unit)
        for shell in self.state.shells:
            lines += self._call(shell.order, shell.side, f" turn {shell.turn}" if shell.level is None else " dropped")
        return [piece for line in lines for piece in self._clip(line)], self._above

    def _spot(self, cell: int) -> Point:
        return self.layout.centre(cell)

    def _aim(self, target: str) -> Point | None:
        grid = self.state.board.grid
        if target.startswith("@"):
            return self.layout.centre(grid.parse(target[1:]))
        index = self.state.by_id.get(target)
        cell = self.state.units[index].cell if index is not None else -1
        return self.layout.centre(cell) if grid.contains(cell) else None

    def _clip(self, shape: Shape) -> Iterator[Shape]:
        """A shape within the frame: lines are cut there, and only a line's true end has its head."""
        left, top, right, bottom = frame = self.layout.frame
        if isinstance(shape, Line):
            if all(left <= x <= right and top <= y <= bottom for x, y in shape.points):
                yield shape
                return
            for piece in clipped(shape.points, frame):
                yield replace(shape, points=piece, arrow=shape.arrow if piece[-1] == shape.points[-1] else 0.0)
            return
        x, y = shape.points[0] if isinstance(shape, Polygon) else shape.centre if isinstance(shape, Circle) else shape.at
        if left <= x <= right and top <= y <= bottom:
            yield shape

    def _label(self, text: str, places: list[Point], colour: str, *, filled: bool = True, size: float = 10.5) -> None:
        """A small plate with a word, at the first of the places that is free."""
        size *= self.look.letters
        wide, high = text_width(text, size, True) + size * 0.8, size * 1.35
        left, top, right, bottom = self.layout.frame
        boxes: list[Box] = [
            (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
            for x, y in places
            if left + wide / 2 <= x <= right - wide / 2 and top + high / 2 <= y <= bottom - high / 2
        ]
        if not boxes:
            return
        x, y, x2, _ = boxes[self.taken.place(boxes)]
        fill, ink = (colour, "#ffffff") if filled else ("#ffffff", colour)
        self._above.append(Polygon(plate(x, y, wide, high, size * 0.4), fill, "#ffffff" if filled else colour, 1.2))
        self._above.append(Text(((x + x2) / 2, y + size * 1.02), text, size, ink, bold=True, fit=wide - size * 0.4))

    def _move(self, order: MoveOrder, unit: UnitState) -> Iterator[Shape]:
        cell, facing = self._at[unit.id]
        colour, end = side_colour(unit.side), self._spot(order.to)
        style = STYLES.get(order.mode, _PLAIN)
        grid = self.state.board.grid
        jumped = order.mode == "jump"
        cells = [cell, order.to] if jumped else path_cells(grid, cell, facing, order.path)
        if len(cells) > 1 and cells[0] != cells[-1]:
            points = [self._spot(cell) for cell in cells]
            if jumped:
                points = list(arc(points[0], points[1]))
            points[0], _ = shortened(points[0], points[1], 0, HALF * (0.1 if jumped else 0.55))
            _, points[-1] = shortened(points[-2], points[-1], HALF * (0.1 if jumped else 0.6), 0)
            way = tuple(points)
            yield Line(way, "#ffffff", style.width + 3.6, opacity=0.8)
            yield Line(way, colour, style.width, style.dash, arrow=15.0, round=style.dash is None)
            gone = grid.distance(cells[0], cells[-1]) if jumped else len(cells) - 1
            at = len(way) // 2
            middles = [between(way[at - 1], way[at], 0.5), *way[at:-1], between(way[0], way[1], 0.6)]
            self._label(f"{style.letter}{gone}", middles, colour, filled=False, size=9.5)
        if (order.to, order.facing) != (cell, facing):
            yield Polygon(arrow(end, order.facing, HALF * 0.5), "#ffffff", colour, 2.4, 0.85)
            yield Line((around(end, order.facing, HALF * 0.3), around(end, order.facing, HALF * 0.85)), colour, 2.5, arrow=7.0)
        if order.attack and order.target in self.state.by_id:
            yield from self._strike(end, self._aim(order.target), order.attack.upper(), colour)

    def _fire(self, order: FireOrder, unit: UnitState) -> Iterator[Shape]:
        colour, start = side_colour(unit.side), self._spot(self._at[unit.id][0])
        for target in dict.fromkeys(attack.target for attack in order.attacks):
            end = self._aim(target)
            if end is None:
                continue
            count = sum(1 for attack in order.attacks if attack.target == target)
            # lines of two units that fire at each other run side by side
            shift = 5.0 if start < end else -5.0
            tail, head = shortened((start[0] + shift, start[1]), (end[0] + shift, end[1]), HALF * 0.75, HALF * 0.6)
            dash = None if target == order.primary else (8.0, 6.0)
            yield Line((tail, head), "#ffffff", 4.6, opacity=0.75)
            yield Line((tail, head), colour, 2.0, dash, arrow=11.0)
            needed = self.numbers.get((unit.id, target), "")
            words = f"{needed} ({count})" if needed else str(count)
            self._label(words, [between(tail, head, share) for share in _SHARES], colour)

    def _strike(self, start: Point, end: Point | None, words: str, colour: str) -> Iterator[Shape]:
        if end is None:
            return
        tail, head = shortened(start, end, HALF * 0.6, HALF * 0.6)
        yield Line((tail, head), "#ffffff", 9.0, opacity=0.8)
        yield Line((tail, head), colour, 6.0, arrow=16.0)
        x, y = between(tail, head, 0.5)
        self._label(words, [(x, y - 12), (x, y + 12), (x - 24, y), (x + 24, y), (x, y)], colour, filled=False)

    def _call(self, order: CallOrder, side: int, when: str = "") -> Iterator[Shape]:
        """Where artillery or bombs are announced to fall: a crossed ring about the hex."""
        grid = self.state.board.grid
        cell = self.state.unit(order.target).cell if order.target and order.cell < 0 else order.cell
        if not order.what or not grid.contains(cell):
            return
        x, y = self._spot(cell)
        colour = side_colour(side)
        for ring, width in ((HALF * 0.8, 3.5), (HALF * 0.5, 1.5)):
            yield Circle((x, y), ring, "none", colour, width)
        for dx, dy in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
            inner, outer = HALF * 0.4, HALF * 0.95
            yield Line(((x + dx * inner, y + dy * inner), (x + dx * outer, y + dy * outer)), colour, 2.0)
        words = ("bombs" if order.what == "bomb" else "shells") + when
        self._label(words, [(x, y - HALF * 0.7), (x, y + HALF * 0.7), (x, y)], colour, filled=False)

    def _action(self, order: ActionOrder, unit: UnitState) -> Iterator[Shape]:
        grid = self.state.board.grid
        cell = order.cell if grid.contains(order.cell) else unit.cell
        x, y = self._spot(cell)
        yield Circle((x, y), HALF * 0.9, "none", side_colour(unit.side), 2.0)
        self._label(order.action, [(x, y - HALF * 0.75), (x, y + HALF * 0.75)], side_colour(unit.side), filled=False)


def path_cells(grid: Grid, cell: int, facing: int, path: tuple[str, ...]) -> list[int]:
    """The hexes that a path touches, from the start on."""
    cells = [cell]
    for step in path:
        turned, direction = STEPS[step]
        facing = (facing + turned) % 6
        if direction is not None:
            cells.append(cells[-1] + grid.step[(facing + direction) % 6])
    return [c for c in cells if grid.contains(c)]
