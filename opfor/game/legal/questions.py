"""A question whose options are worked out one by one: who knows what to answer need not have the others made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

from opfor.game.legal.choices import Node
from opfor.orders import Order


class OneByOne(Sequence[Any]):
    """A column of facts whose values are worked out when they are read: ``of`` tells that of one option."""

    __slots__ = ("_of", "_size")

    def __init__(self, size: int, of: Callable[[int], Any]) -> None:
        self._size = size
        self._of = of

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self._of(place) for place in range(*index.indices(self._size))]
        return self._of(range(self._size)[index])


def never() -> list[tuple[str, Node | Order]]:
    """What stands for working out options in questions that do so by themselves.

    A method of their own there would make each a ring of references, and such are freed by the garbage collector alone.
    """
    raise AssertionError("the question works out its options itself")


class Question(Node):
    """See :class:`opfor.game.legal.choices.Node`. ``size`` options, each with a ``label`` and what lies ``under`` it."""

    __slots__ = ("_label", "_size", "_under")

    def __init__(
        self,
        question: str,
        size: int,
        label: Callable[[int], str],
        under: Callable[[int], Node | Order],
        facts: Callable[[], Mapping[str, Sequence[Any]]] | None = None,
        subject: str = "",
    ) -> None:
        super().__init__(question, never, facts, subject)
        self._size = size
        self._label = label
        self._under = under

    @property
    def options(self) -> list[tuple[str, Node | Order]]:
        """The options; worked out when first asked for."""
        if self._options is None:
            self._options = [(self._label(index), self._under(index)) for index in range(self._size)]
        return self._options

    def below(self, index: int) -> Node | Order:
        """What one option leads to."""
        return self._under(index) if self._options is None else self._options[index][1]

    def width(self) -> int:
        """How many options there are."""
        return self._size
