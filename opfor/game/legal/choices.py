"""The legal orders of a decision as one small object: exact membership, a count, uniform sampling, a tree of choices.

Movement has thousands of ends and fire multiplies targets by weapons by twists, so legal orders are not a list. A
:class:`Choices` answers the same questions without building one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from opfor.orders import Order
from opfor.rules.refusal import Refusal

#: picks a number from 0 to n - 1: how sampling gets its chance without owning any
Pick: TypeAlias = Callable[[int], int]


#: every question that the tree may ask, with what its options are
QUESTIONS: dict[str, str] = {
    "unit": "which unit acts, of those that may",
    "break in": "a unit that may break in: pass, preempt, or an action",
    "mode": "how it moves, or what else it does in place of moving",
    "hex": "where a movement ends",
    "facing": "the facing there",
    "posture": "standing or prone at the end",
    "from": "the hex and facing from which a charge or death from above is made",
    "twist": "torso twist, turret facing or flipped arms; or a task in place of firing",
    "primary target": "the target without secondary-target modifier; or holding fire",
    "weapon": "what one weapon is fired at, or that it is held",
    "target": "who or what it is aimed at",
    "attack": "which physical attack",
    "limb": "the limb of a physical attack",
    "what": "artillery, bombs, or no announcement",
    "mount": "which weapon of the unit",
    "fire mode": "which mode or ammunition",
    "cell": "the hex that it is meant for",
    "spotter": "who observes",
    "count": "how many bombs",
    "action": "which mission action",
    "which": "one of several orders that differ in detail only",
}

#: what is known of the options of a question, a column each; see :attr:`Node.facts`
FACTS: dict[str, str] = {
    "unit": "id of the unit",
    "mode": "mode of movement, or of the weapon",
    "cell": "hex, as the board's integer",
    "elevation": "level there",
    "facing": "facing, 0 to 5",
    "prone": "whether prone there",
    "mp": "MP spent (the fewest, where several orders lie below)",
    "hexes": "hexes moved, as they count for the target modifier (the most, where several orders lie below)",
    "rolls": "whether it calls for a piloting roll (every order below it)",
    "twist": "torso twist or turret facing",
    "flip": "whether arms are flipped",
    "target": "id of the unit or hex",
    "mount": "index of the weapon",
    "number": "number needed on two dice, 0 for no roll",
    "orders": "how many orders lie below, where that is known without working them out",
}


class Node:
    """A question in the tree of choices, and its options in a stable order.

    ``question`` is one of :data:`QUESTIONS`; ``subject`` says in words what it is about ("LRM 10"). Each option is a label and
    either the next :class:`Node` or the finished order. Options and facts are worked out when first asked for, and no more
    of what lies below than that takes.
    """

    __slots__ = ("_expand", "_facts", "_known", "_options", "question", "subject")

    def __init__(
        self,
        question: str,
        expand: Callable[[], list[tuple[str, Node | Order]]],
        facts: Callable[[], Mapping[str, Sequence[Any]]] | None = None,
        subject: str = "",
    ) -> None:
        self.question = question
        self.subject = subject
        self._expand = expand
        self._facts = facts
        self._options: list[tuple[str, Node | Order]] | None = None
        self._known: Mapping[str, Sequence[Any]] | None = None

    @property
    def options(self) -> list[tuple[str, Node | Order]]:
        """The options; worked out when first asked for."""
        if self._options is None:
            self._options = self._expand()
        return self._options

    @property
    def facts(self) -> Mapping[str, Sequence[Any]]:
        """What is known of the options, as columns: names of :data:`FACTS`, one value an option. Empty where nothing is.

        How many options there are stands in any column, so that who compares options by their facts need not read labels.
        """
        if self._known is None:
            self._known = self._facts() if self._facts is not None else {}
        return self._known

    def below(self, index: int) -> Node | Order:
        """What one option leads to. Kinds of question that can answer without working out all their options do so."""
        return self.options[index][1]

    def width(self) -> int:
        """How many options there are, by their facts where that is known."""
        return next((len(column) for column in self.facts.values()), None) or len(self.options)

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


__all__ = ["FACTS", "QUESTIONS", "Choices", "Node", "Pick", "Refusal"]
