"""The tree of choices over a unit's movement: mode, hex, facing, posture; no more is worked out than is asked for.

An order, and the way that it takes, is made when its own leaf is reached. See :class:`opfor.game.legal.choices.Node`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from opfor.game.legal.assaults import Made
from opfor.game.legal.choices import Node
from opfor.game.legal.moves import UnitMoves
from opfor.game.legal.questions import never
from opfor.hex import DIRECTION_NAMES
from opfor.orders import MoveOrder, Order
from opfor.rules.moving.by_place import Places, Row, by_place
from opfor.rules.moving.landing import landing_place
from opfor.rules.moving.modes import GROUND
from opfor.rules.moving.path_rolls import landing_rolls
from opfor.units.state import UnitState


class Asked(NamedTuple):
    """A question worked out as far as its options: how many there are, the label of each and what is below it, their facts."""

    number: int
    label: Callable[[int], str]
    following: Callable[[int], Node | Order]
    facts: Callable[[], Mapping[str, Sequence[Any]]]


class Options(Node):
    """A question that is worked out when it is first looked at, and whose options are made one at a time."""

    __slots__ = ("_ask", "_asked")

    def __init__(self, question: str, ask: Callable[[], Asked]) -> None:
        super().__init__(question, never)
        self._ask = ask
        self._asked: Asked | None = None

    @property
    def asked(self) -> Asked:
        """The question worked out."""
        if self._asked is None:
            self._asked = self._ask()
        return self._asked

    @property
    def options(self) -> list[tuple[str, Node | Order]]:
        """The options; worked out when first asked for."""
        if self._options is None:
            count, label, following, _ = self.asked
            self._options = [(label(i), following(i)) for i in range(count)]
        return self._options

    @property
    def facts(self) -> Mapping[str, Sequence[Any]]:
        """What is known of the options; worked out when first asked for."""
        if self._known is None:
            self._known = self.asked.facts()
        return self._known

    def below(self, index: int) -> Node | Order:
        return self.asked.following(index) if self._options is None else self._options[index][1]

    def width(self) -> int:
        return self.asked.number


def unit_question(units: Sequence[UnitState], of: Callable[[UnitState], UnitMoves]) -> Node:
    """Which unit moves; ``of`` gives its movement."""
    ids = [unit.id for unit in units]
    return Options(
        "unit", lambda: Asked(len(ids), ids.__getitem__, lambda index: _modes(of(units[index])), lambda: {"unit": ids})
    )


def _modes(moves: UnitMoves) -> Node:
    """How a unit moves: what its movement orders divide into."""

    def ask() -> Asked:
        groups = moves.open_groups()
        return Asked(len(groups), groups.__getitem__, lambda index: _group(moves, groups[index]), lambda: {"mode": groups})

    return Options("mode", ask)


def _group(moves: UnitMoves, group: str) -> Node | Order:
    """What lies below a mode."""
    if group in ("stand", "stop", "wait"):
        return moves.order_of(group, 0)
    if group in GROUND:
        return _by_hex(moves, lambda: moves.places(group), lambda n: moves.row(group, n), lambda n: moves.order_of(group, n))
    if group == "opportunity":
        return _acting(moves, moves.opportunity_rows, lambda n: moves.order_of(group, n))
    if group == "pause":
        return Options("mode", lambda: _stopping(moves))
    if group == "jump":
        return Options("hex", lambda: _landings(moves))
    orders = dict(moves.extra())[group]
    heads = orders.heads() if isinstance(orders, Made) else orders
    levels = _LEVELS.get(group, ("hex", "facing", "posture"))
    return _branch(moves, heads, orders.__getitem__, list(range(len(heads))), levels)


#: what is asked of orders that are few
_LEVELS = {"charge": ("target", "from", "mode"), "dfa": ("target", "from", "mode"), "mount": ("target",)}


# -- the ends of walking and running -------------------------------------------------------------------------------------


def _acting(moves: UnitMoves, rows: Callable[[], list[Row]], order: Callable[[int], Order], *, posture: bool = True) -> Node:
    """Where a movement ends that goes with another action."""
    made = cache(rows)
    return _by_hex(moves, lambda: by_place(moves.ground, made()), lambda n: made()[n], order, posture=posture)


def _stopping(moves: UnitMoves) -> Asked:
    """In which mode a unit stops on its way."""
    modes = [mode for mode in moves.walked if len(moves.stops(mode))]

    def following(index: int) -> Node:
        mode = modes[index]
        first = 0 if mode == moves.walked[0] else len(moves.stops(moves.walked[0]))
        return _acting(moves, lambda: moves.pause_rows(mode), lambda n: moves.order_of("pause", first + n), posture=False)

    return Asked(len(modes), modes.__getitem__, following, lambda: {"mode": modes})


def _by_hex(
    moves: UnitMoves,
    divide: Callable[[], Places],
    row: Callable[[int], Row],
    order: Callable[[int], Order],
    *,
    posture: bool = True,
) -> Node:
    """Where a movement ends; below it the facing and, with ``posture``, that."""
    names = moves.state.board.grid.names

    def ask() -> Asked:
        places = divide()

        def label(index: int) -> str:
            return hex_label(names, int(places.cells[index]), int(places.elevations[index]))

        def following(index: int) -> Node:
            return _facings(moves, [row(number) for number in places.numbers(index)], order, posture)

        def facts() -> Mapping[str, Sequence[Any]]:
            return {
                "cell": places.cells,
                "elevation": places.elevations,
                "mp": places.mp,
                "hexes": places.hexes,
                "rolls": places.rolls,
                "orders": places.orders,
            }

        return Asked(len(places.places), label, following, facts)

    return Options("hex", ask)


def _facings(moves: UnitMoves, rows: list[Row], order: Callable[[int], Order], posture: bool) -> Node:
    """The facing of ends in one place."""
    groups: dict[int, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.stance % 6, []).append(row)
    facings = list(groups)
    each = list(groups.values())
    place = rows[0].stance // 6

    def following(index: int) -> Node | Order:
        return _postures(each[index], order) if posture else order(each[index][0].number)

    def facts() -> Mapping[str, Sequence[Any]]:
        return {
            "facing": facings,
            "cell": [moves.ground.cell(place)] * len(facings),
            "elevation": [moves.ground.elevation[place]] * len(facings),
            "mp": [min([row.mp for row in group]) for group in each],
            "hexes": [max([row.hexes for row in group]) for group in each],
            "rolls": [int(all(row.rolls for row in group)) for group in each],
        }

    return Options("facing", lambda: Asked(len(facings), lambda i: DIRECTION_NAMES[facings[i]], following, facts))


def _postures(rows: list[Row], order: Callable[[int], Order]) -> Node:
    """Standing or prone at the end."""

    def facts() -> Mapping[str, Sequence[Any]]:
        return {
            "prone": [int(row.prone) for row in rows],
            "mp": [row.mp for row in rows],
            "hexes": [row.hexes for row in rows],
            "rolls": [int(row.rolls) for row in rows],
        }

    return Options(
        "posture", lambda: Asked(len(rows), lambda i: _POSTURES[rows[i].prone], lambda i: order(rows[i].number), facts)
    )


_POSTURES = ("standing", "prone")


# -- jumps ---------------------------------------------------------------------------------------------------------------


def _landings(moves: UnitMoves) -> Asked:
    """Where a jump comes down."""
    names = moves.state.board.grid.names
    cells = moves.landings()
    jumps = moves.jumped()
    each = len(moves.facings)

    def label(index: int) -> str:
        return hex_label(names, cells[index], jumps.elevations[cells[index]])

    def facts() -> Mapping[str, Sequence[Any]]:
        distances = [jumps.cells[cell] for cell in cells]
        ground, unit = moves.ground, moves.unit
        return {
            "cell": cells,
            "elevation": [jumps.elevations[cell] for cell in cells],
            "mp": distances,
            "hexes": distances,
            "rolls": [int(bool(landing_rolls(ground, unit, landing_place(ground, cell)))) for cell in cells],
            "orders": [each] * len(cells),
        }

    def following(index: int) -> Node:
        cell = cells[index]
        place = landing_place(moves.ground, cell)
        rolls = bool(landing_rolls(moves.ground, moves.unit, place))
        distance = jumps.cells[cell]
        rows = [
            Row(index * each + i, place * 6 + facing, False, distance, distance, rolls)
            for i, facing in enumerate(moves.facings)
        ]
        return _facings(moves, rows, lambda number: moves.order_of("jump", number), True)

    return Asked(len(cells), label, following, facts)


# -- orders that are few -------------------------------------------------------------------------------------------------


def _branch(
    moves: UnitMoves, heads: Sequence[MoveOrder], order: Callable[[int], Order], numbers: list[int], levels: tuple[str, ...]
) -> Node:
    """A tree over orders, given by all that they say but for their ways: one question a level; the last leads to the orders."""
    names = moves.state.board.grid.names
    level = levels[0]
    groups: dict[str, list[int]] = {}
    for number in numbers:
        groups.setdefault(_label(heads[number], level, names), []).append(number)
    labels: list[str] = []
    below: list[list[int]] = []
    for label, members in groups.items():
        if len(levels) > 1:
            labels.append(label)
            below.append(members)
        else:
            # what is alike in all that is asked is told apart by numbers
            labels += [label if i == 0 else f"{label} {i + 1}" for i in range(len(members))]
            below += [[member] for member in members]

    def following(index: int) -> Node | Order:
        if len(levels) == 1:
            return order(below[index][0])
        return _branch(moves, heads, order, below[index], levels[1:])

    def facts() -> Mapping[str, Sequence[Any]]:
        first = [heads[members[0]] for members in below]
        columns: dict[str, Sequence[Any]] = {name: [getattr(one, field) for one in first] for name, field in _COLUMNS[level]}
        if len(levels) > 1:
            columns["orders"] = [len(members) for members in below]
        return columns

    return Options(level, lambda: Asked(len(labels), labels.__getitem__, following, facts))


#: by question: the columns told of its options, and the order's fields that they are
_COLUMNS = {
    "hex": (("cell", "to"), ("elevation", "elevation")),
    "facing": (("facing", "facing"), ("cell", "to"), ("elevation", "elevation")),
    "posture": (("prone", "prone"),),
    "target": (("target", "target"),),
    "from": (("cell", "to"), ("facing", "facing"), ("elevation", "elevation")),
    "mode": (("mode", "mode"),),
}


def hex_label(names: list[str], cell: int, elevation: int) -> str:
    """A hex and, above or below its ground, the elevation in it."""
    return f"{names[cell]} at {elevation:+d}" if elevation else names[cell]


def _label(order: MoveOrder, level: str, names: list[str]) -> str:
    if level == "hex":
        return hex_label(names, order.to, order.elevation)
    if level == "facing":
        return DIRECTION_NAMES[order.facing]
    if level == "posture":
        return _POSTURES[order.prone]
    if level == "target":
        return order.target
    if level == "from":
        return f"{names[order.to]} {DIRECTION_NAMES[order.facing]}"
    return order.mode


__all__ = ["Options", "unit_question"]
