"""The legal orders of a decision as one small object: exact membership, a count, uniform sampling, a tree of choices.

Movement has thousands of ends and fire multiplies targets by weapons by twists, so legal orders are not a list. A
:class:`Choices` answers the same questions without building one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeAlias

from opfor.orders import Order
from opfor.rules.refusal import Refusal

#: picks a number from 0 to n - 1: how sampling gets its chance without owning any
Pick: TypeAlias = Callable[[int], int]


class Node:
    """A question in the tree of choices: a word for what is asked, and its options in a stable order.

    Each option is a label and either the next :class:`Node` or the finished order.
    """

    __slots__ = ("_expand", "_options", "question")

    def __init__(self, question: str, expand: Callable[[], list[tuple[str, Node | Order]]]) -> None:
        self.question = question
        self._expand = expand
        self._options: list[tuple[str, Node | Order]] | None = None

    @property
    def options(self) -> list[tuple[str, Node | Order]]:
        """The options; worked out when first asked for."""
        if self._options is None:
            self._options = self._expand()
        return self._options

    def leaves(self) -> Iterator[Order]:
        """Every order below this node."""
        for _, below in self.options:
            if isinstance(below, Node):
                yield from below.leaves()
            else:
                yield below


class Choices(Protocol):
    """The legal orders of one decision."""

    def __contains__(self, order: object) -> bool:
        """Whether the order is legal."""
        ...

    def why_not(self, order: Order) -> str:
        """Why an order is not legal, in words; empty when it is."""
        ...

    def count(self) -> int:
        """How many orders are listed."""
        ...

    def sample(self, pick: Pick) -> Order:
        """One of the listed orders, each equally likely when ``pick`` is uniform."""
        ...

    def __iter__(self) -> Iterator[Order]:
        """Every listed order, in a stable order."""
        ...

    def tree(self) -> Node:
        """The tree of short choices whose leaves are exactly the listed orders."""
        ...


__all__ = ["Choices", "Node", "Pick", "Refusal"]
