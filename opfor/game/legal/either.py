"""Legal orders of several kinds in one decision: those of each part, one part after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
        """unit, then what each part asks of it."""
        options: list[tuple[str, Node | Order]] = []
        for part in self.parts:
            options.extend(part.tree().options)
        labels = [label for label, _ in options]
        named = [(label if labels.count(label) == 1 else f"{label}, {_question(below)}", below) for label, below in options]
        return Node("unit", lambda: named)


def _question(below: Node | Order) -> str:
    return below.question if isinstance(below, Node) else below.kind


def _speaks_of(part: Choices, order: Order) -> bool:
    if getattr(part, "speaks_of", "") == order.kind:
        return True
    first = next(iter(part), None)
    return first is not None and first.kind == order.kind
