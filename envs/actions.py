"""Actions: the waist's tree of choices walked in small steps, each an option of the question that is due.

One flat ``Discrete(ACTIONS)``. Action 0 is ``pass``: the unit in question does nothing more (it stands, holds fire, lets the
moment pass). Action ``i`` above 0 is option ``i - 1`` of the present question. Questions with one answer are not asked;
one with more options than there are actions is asked in two steps, first for a part of them, in their stable order. So every
legal order of the waist is reachable, and nothing else is: there is no encoding of orders that could differ from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from opfor.game.decision import Decision
from opfor.game.legal.choices import Node
from opfor.game.legal.idle import idle_order
from opfor.orders import Order
from opfor.state import State

#: size of the action space
ACTIONS = 320
#: the action that does nothing
PASS = 0
#: options that one question can offer
OPTIONS = ACTIONS - 1
#: the question that is put first where another has too many options
PART = "part"


class Question:
    """A question as it is put to an agent: a node of the tree, or the parts of one that has too many options.

    ``options`` is how many there are, ``facts`` are columns of what is known of them (:data:`opfor.game.legal.choices.FACTS`).
    """

    __slots__ = ("_facts", "_first", "_node", "_whole", "name", "options", "subject")

    def __init__(self, node: Node, first: int = 0, size: int = -1) -> None:
        """The options of ``node`` from ``first`` on, ``size`` of them (-1: all)."""
        self._node = node
        self._first = first
        self.options = node.width() if size < 0 else size
        self.name = node.question
        self.subject = node.subject
        self._whole = size < 0
        self._facts: Mapping[str, Sequence[Any]] | None = None

    @property
    def facts(self) -> Mapping[str, Sequence[Any]]:
        """What is known of the options; worked out when first read, for not all who answer ask."""
        if self._facts is None:
            facts, first, end = self._node.facts, self._first, self._first + self.options
            self._facts = facts if self._whole else {name: column[first:end] for name, column in facts.items()}
        return self._facts

    def below(self, index: int) -> Question | Parts | Order:
        """What an option leads to."""
        found = self._node.below(self._first + index)
        return asked(found) if isinstance(found, Node) else found

    def ahead(self, index: int) -> Mapping[str, Sequence[Any]]:
        """What is known of the options that an option leads to, all of them; empty where it leads to an order."""
        below = self._node.below(self._first + index)
        return below.facts if isinstance(below, Node) else {}

    def label(self, index: int) -> str:
        """An option in words."""
        return self._node.options[self._first + index][0]


class Parts:
    """A question with more options than one step can offer, asked for a part of them first: a run of neighbours in the order.

    Facts of a part are those of the option in its middle, but for the fewest MP and the most hexes.
    """

    __slots__ = ("_bounds", "_node", "facts", "name", "options", "subject")

    def __init__(self, node: Node) -> None:
        self._node = node
        self.name = PART
        self.subject = node.question
        count = node.width()
        self.options = -(-count // OPTIONS)
        self._bounds = [count * part // self.options for part in range(self.options + 1)]
        runs = [range(*bounds) for bounds in zip(self._bounds, self._bounds[1:], strict=False)]
        self.facts: Mapping[str, Sequence[Any]] = {
            name: [_of_run(name, column, run) for run in runs] for name, column in node.facts.items()
        }

    def below(self, index: int) -> Question | Parts | Order:
        """The question for the options of a part."""
        first, end = self._bounds[index : index + 2]
        return Question(self._node, first, end - first)

    def label(self, index: int) -> str:
        """A part in words."""
        first, end = self._bounds[index : index + 2]
        options = self._node.options
        return f"{options[first][0]} to {options[end - 1][0]}"


_WHOLE_RUN: dict[str, Callable[[Sequence[Any]], Any]] = {"mp": min, "hexes": max, "orders": sum}


def _of_run(name: str, column: Sequence[Any], run: range) -> Any:
    whole = _WHOLE_RUN.get(name)
    return column[(run.start + run.stop) // 2] if whole is None else whole(column[run.start : run.stop])


def asked(node: Node) -> Question | Parts | Order:
    """The first question from a node on that has more than one answer, or the order that its single answers lead to."""
    below: Node | Order = node
    while isinstance(below, Node):
        count = below.width()
        if count > OPTIONS:
            return Parts(below)
        if count > 1:
            return Question(below)
        below = below.below(0)
    return below


class Walk:
    """One decision being answered step by step, from its first question down to an order.

    ``question`` is what is asked now, None when nothing is left to choose: ``order`` is what it came to. ``chosen`` are the
    steps so far: (question, facts of the option chosen), for what an agent should remember of them.
    """

    __slots__ = ("_state", "chosen", "decision", "order", "question", "unit")

    def __init__(self, state: State, decision: Decision) -> None:
        self._state = state
        self.decision = decision
        #: the unit that the order will be for, as far as that is settled; the first of the decision's until then
        self.unit = decision.unit_ids[0]
        self.chosen: list[tuple[str, dict[str, Any]]] = []
        self.order: Order | None = None
        self.question: Question | Parts | None = None
        self._set(asked(decision.legal.tree()))

    @property
    def options(self) -> int:
        """How many options the present question has: actions 1 to this number are legal, and action 0."""
        return self.question.options if self.question is not None else 0

    def choose(self, action: int) -> Order | None:
        """Take an action. Returns the order when it completes one.

        Raises :class:`ValueError` for an action that is not legal now.
        """
        question = self.question
        if question is None or not 0 <= action <= question.options:
            raise ValueError(f"action {action} is not legal: 0 to {self.options} are")
        if action == PASS:
            unit = self._state.unit(self.unit)
            waits = any(one.id == self.unit for one in self.decision.also)
            kind = "movement" if waits else self.decision.kind
            self.order = idle_order(self._state, unit, kind)
            self.question = None
            return self.order
        index = action - 1
        # how many orders lie below is not needed, and may take counting them
        facts = {name: column[index] for name, column in question.facts.items() if name != "orders"}
        if facts.get("unit"):
            self.unit = facts["unit"]
        self.chosen.append((question.name, facts))
        self._set(question.below(index))
        return self.order

    def _set(self, below: Question | Parts | Order) -> None:
        if isinstance(below, Question | Parts):
            self.question = below
            # a question put to one unit of several, and not about which, tells that unit in its facts
            if len(self.decision.unit_ids) > 1 and below.name != "unit":
                only = below.facts.get("unit")
                if only is not None and only[0]:
                    self.unit = only[0]
        else:
            self.question = None
            self.order = below
            self.unit = below.unit


__all__ = ["ACTIONS", "OPTIONS", "PART", "PASS", "Parts", "Question", "Walk", "asked"]
