"""Legal orders that are few enough to be listed: one list a unit, and a tree made from the orders' own fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from opfor.game.legal.choices import Node, Pick
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
        return Node("unit", lambda: [(id, self._below(self.of(id), 0)) for id in self.units if self.of(id)])

    def _below(self, orders: list[Order], level: int) -> Node | Order:
        if len(orders) == 1:
            return orders[0]
        while level < len(self.levels) and len({getattr(order, self.levels[level]) for order in orders}) == 1:
            level += 1
        if level == len(self.levels):
            return Node("which", lambda: [(str(i + 1), order) for i, order in enumerate(orders)])
        name = self.levels[level]
        groups: dict[object, list[Order]] = {}
        for order in orders:
            groups.setdefault(getattr(order, name), []).append(order)
        return Node(name, lambda: [(self._label(name, key), self._below(group, level + 1)) for key, group in groups.items()])

    def _label(self, name: str, value: object) -> str:
        if name == "cell":
            return self.state.board.grid.names[value] if isinstance(value, int) and value >= 0 else "no hex"
        return str(value) if value not in ("", -1) else "none"
