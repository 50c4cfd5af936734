"""Legal orders that are few enough to be listed: one list a unit, and a tree made from the orders' own fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from opfor.game.legal.choices import Node, Pick
from opfor.game.legal.questions import Question
from opfor.orders import Order
from opfor.state import State
from opfor.units.state import UnitState


class PlainChoices:
    """Listed orders. A kind says what they are in :meth:`listed`; ``levels`` are the fields that the tree asks for in turn.

    See :class:`opfor.game.legal.choices.Choices`.
    """

    levels: ClassVar[tuple[str, ...]] = ()

    def __init__(self, state: State, units: list[UnitState]) -> None:
        self.state = state
        self.units = {unit.id: unit for unit in units}
        self._orders: dict[str, list[Order]] = {}

    def listed(self, unit: UnitState) -> list[Order]:
        """The legal orders of a unit, in a stable order."""
        raise NotImplementedError

    def refusal(self, unit: UnitState, order: Order) -> str:
        """Why an order that is not listed is not legal, where there is more to say than that."""
        return ""

    def of(self, id: str) -> list[Order]:
        """The legal orders of one of the units; worked out on first use."""
        known = self._orders.get(id)
        if known is None:
            known = self._orders[id] = self.listed(self.units[id])
        return known

    def __contains__(self, order: object) -> bool:
        return getattr(order, "unit", "") in self.units and order in self.of(order.unit)  # type: ignore[attr-defined]

    def why_not(self, order: Order) -> str:
        """See :meth:`opfor.game.legal.choices.Choices.why_not`."""
        if order in self:
            return ""
        unit = self.units.get(order.unit)
        if unit is None:
            return "is not to act now"
        return self.refusal(unit, order) or "is not among the legal orders"

    def count(self) -> int:
        """How many orders are listed."""
        return sum(len(self.of(id)) for id in self.units)

    def sample(self, pick: Pick) -> Order:
        """One of the orders, each equally likely."""
        number = pick(self.count())
        for id in self.units:
            orders = self.of(id)
            if number < len(orders):
                return orders[number]
            number -= len(orders)
        raise IndexError(number)

    def __iter__(self) -> Iterator[Order]:
        for id in self.units:
            yield from self.of(id)

    def tree(self) -> Node:
        """unit, then the fields in turn; questions with one answer are left out."""
        ids = [id for id in self.units if self.of(id)]
        facts: dict[str, list[Any]] = {"unit": ids, "orders": [len(self.of(id)) for id in ids]}
        return Question("unit", len(ids), ids.__getitem__, lambda index: self._below(self.of(ids[index]), 0), lambda: facts)

    def _below(self, orders: list[Order], level: int) -> Node | Order:
        if len(orders) == 1:
            return orders[0]
        while level < len(self.levels) and len({getattr(order, self.levels[level]) for order in orders}) == 1:
            level += 1
        if level == len(self.levels):
            return Question(
                "which", len(orders), lambda index: str(index + 1), orders.__getitem__, lambda: {"orders": [1] * len(orders)}
            )
        name = self.levels[level]
        groups: dict[Any, list[Order]] = {}
        for order in orders:
            groups.setdefault(getattr(order, name), []).append(order)
        values, parts = list(groups), list(groups.values())

        def facts() -> dict[str, list[Any]]:
            found: dict[str, list[Any]] = {"orders": [len(part) for part in parts]}
            if name in _COLUMNS:
                found[_COLUMNS[name]] = values
            return found

        return Question(
            _QUESTIONS.get(name, name),
            len(values),
            lambda index: self._label(name, values[index]),
            lambda index: self._below(parts[index], level + 1),
            facts,
        )

    def _label(self, name: str, value: object) -> str:
        if name == "cell":
            return self.state.board.grid.names[value] if isinstance(value, int) and value >= 0 else "no hex"
        return str(value) if value not in ("", -1) else "none"


#: questions that are not named as the field of the order is
_QUESTIONS = {"mode": "fire mode"}
#: columns of facts that hold the values of a field of orders
_COLUMNS = {"mount": "mount", "mode": "mode", "target": "target", "cell": "cell", "spotter": "target"}
