"""What a unit may do when it can break in on another's declaration. Rule: M-9, M-9a to M-9f, M-10."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opfor.game.legal.choices import Choices, Node, Pick
from opfor.game.legal.fire import FireChoices
from opfor.game.legal.movement import MovementChoices
from opfor.game.legal.physical import PhysicalChoices
from opfor.game.legal.questions import Question
from opfor.orders import Order, PassOrder, PreemptOrder
from opfor.rules.turn.opportunity import may_fire, may_move, may_preempt, may_strike, why_no_opportunity
from opfor.state import State, Underway
from opfor.units.state import UnitState


class OpportunityChoices:
    """To let the moment pass, or one simple action: fire at the declaring unit, a physical attack on it, or to move, for a unit
    that did not in its own declaration (M-9f). Where it has yet to declare, to take its turn now (M-10).

    See :class:`opfor.game.legal.choices.Choices`.
    """

    def __init__(self, state: State, unit: UnitState, moment: Underway) -> None:
        self.state = state
        self.unit = unit
        self.moment = moment
        target = state.units[moment.unit]
        self._first: list[Order] = [PassOrder(unit.id)]
        if may_preempt(state, unit, moment):
            self._first.append(PreemptOrder(unit.id))
        self.parts: list[Choices] = []
        if unit.opportunity:
            if may_fire(state, unit, target):
                self.parts.append(FireChoices(state, [unit], only=target.id))
            if may_strike(state, unit, target):
                self.parts.append(PhysicalChoices(state, [unit], only=target.id))
            if may_move(state, unit):
                self.parts.append(MovementChoices(state, [unit], simple=True))

    @property
    def any(self) -> bool:
        """Whether there is anything else than to let the moment pass."""
        return len(self._first) > 1 or any(part.count() for part in self.parts)

    def __contains__(self, order: object) -> bool:
        return order in self._first or any(order in part for part in self.parts)

    def why_not(self, order: Order) -> str:
        """See :meth:`opfor.game.legal.choices.Choices.why_not`."""
        if order in self:
            return ""
        if order.unit != self.unit.id:
            return f"is not to break in now: {self.unit.id} is"
        if isinstance(order, PreemptOrder):
            return "may not take its turn before the other goes on: its initiative is not higher, or it has declared"
        wanted = {"fire": FireChoices, "physical": PhysicalChoices, "move": MovementChoices}.get(order.kind)
        part = next((part for part in self.parts if wanted is not None and isinstance(part, wanted)), None)
        if part is not None:
            return part.why_not(order)
        return why_no_opportunity(self.state, self.unit, self.moment, order.kind)

    def count(self) -> int:
        """How many orders are listed."""
        return len(self._first) + sum(part.count() for part in self.parts)

    def sample(self, pick: Pick) -> Order:
        """One of the orders, each equally likely."""
        number = pick(self.count())
        if number < len(self._first):
            return self._first[number]
        number -= len(self._first)
        for part in self.parts:
            if number < part.count():
                return part.sample(lambda _, chosen=number: chosen)  # type: ignore[misc]
            number -= part.count()
        raise IndexError("picked beyond the last order")

    def __iter__(self) -> Iterator[Order]:
        yield from self._first
        for part in self.parts:
            yield from part

    def tree(self) -> Node:
        """To pass, to take the turn, or an action: fire, physical attack, movement."""
        parts = [part for part in self.parts if part.count()]
        first = len(self._first)
        words = [order.kind for order in self._first]
        words += [next(word for kind, word in _WORDS.items() if isinstance(part, kind)) for part in parts]

        def below(index: int) -> Node | Order:
            # the unit is known: its question has one answer
            return self._first[index] if index < first else parts[index - first].tree().below(0)

        def facts() -> dict[str, list[Any]]:
            return {
                "unit": [self.unit.id] * len(words),
                "mode": words,
                "orders": [1] * first + [part.count() for part in parts],
            }

        return Question("break in", len(words), words.__getitem__, below, facts)


_WORDS: dict[type, str] = {FireChoices: "fire", PhysicalChoices: "physical", MovementChoices: "move"}
