"""Legal orders of several kinds in one decision: those of each part, one part after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from opfor.game.legal.choices import Choices, Node, Pick
from opfor.orders import Order


class Either:
    """The orders of all ``parts``. Each part speaks for kinds of order (or units) of its own.

    See :class:`opfor.game.legal.choices.Choices`.
    """

    def __init__(self, parts: Sequence[Choices]) -> None:
        self.parts = list(parts)

    def part(self, kind: type[Choices]) -> Choices | None:
        """The part of a kind, where there is one."""
        return next((part for part in self.parts if isinstance(part, kind)), None)

    def __contains__(self, order: object) -> bool:
        return any(order in part for part in self.parts)

    def why_not(self, order: Order) -> str:
        """Why an order is not legal: what the part nearest to it says."""
        if order in self:
            return ""
        said = [part.why_not(order) for part in self.parts]
        # the part that speaks of the order itself refuses it for its content; the others do not know its kind or its unit
        return next((why for part, why in zip(self.parts, said, strict=True) if _speaks_of(part, order)), said[0])

    def count(self) -> int:
        """How many orders are listed."""
        return sum(part.count() for part in self.parts)

    def sample(self, pick: Pick) -> Order:
        """One of the orders, each equally likely."""
        number = pick(self.count())
        for part in self.parts:
            if number < part.count():
                return part.sample(lambda _, chosen=number: chosen)  # type: ignore[misc]
            number -= part.count()
        raise IndexError("picked beyond the last order")

    def __iter__(self) -> Iterator[Order]:
        for part in self.parts:
            yield from part

    def tree(self) -> Node:
        """unit, then what each part asks of it. A column that not all parts have is filled up, see :func:`_missing`."""
        roots = [part.tree() for part in self.parts]
        places = [(root, index) for root in roots for index in range(root.width())]

        def expand() -> list[tuple[str, Node | Order]]:
            options = [option for root in roots for option in root.options]
            labels = [label for label, _ in options]
            return [(label if labels.count(label) == 1 else f"{label}, {_question(below)}", below) for label, below in options]

        def facts() -> dict[str, list[Any]]:
            names = dict.fromkeys(name for root in roots for name in root.facts)
            return {
                name: [value for root in roots for value in root.facts.get(name, [_missing(name)] * root.width())]
                for name in names
            }

        return _Together(places, expand, facts)


class _Together(Node):
    """The first questions of several parts as one."""

    __slots__ = ("_places",)

    def __init__(
        self,
        places: list[tuple[Node, int]],
        expand: Callable[[], list[tuple[str, Node | Order]]],
        facts: Callable[[], Mapping[str, Sequence[Any]]],
    ) -> None:
        super().__init__("unit", expand, facts)
        self._places = places

    def below(self, index: int) -> Node | Order:
        """What one option leads to."""
        root, place = self._places[index]
        return root.below(place)

    def width(self) -> int:
        """How many options there are."""
        return len(self._places)


def _missing(name: str) -> str | int:
    """What stands in a column where nothing is known: "" for names, -1 for hexes, weapons and counts, else 0."""
    if name in ("unit", "mode", "target"):
        return ""
    return -1 if name in ("cell", "mount", "orders") else 0


def _question(below: Node | Order) -> str:
    return below.question if isinstance(below, Node) else below.kind


def _speaks_of(part: Choices, order: Order) -> bool:
    if getattr(part, "speaks_of", "") == order.kind:
        return True
    first = next(iter(part), None)
    return first is not None and first.kind == order.kind
