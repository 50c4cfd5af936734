"""Answering the moments at which units may break in: by conditional orders, and by letting the moment pass. Rule: M-9, M-10."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from opfor.errors import IllegalOrder, InputError
from opfor.formats.words.conditions import Condition, moment_of
from opfor.formats.words.notation import order_in_words
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.orders import Order, PassOrder
from opfor.rules.events import Event


@dataclass(slots=True)
class Answers:
    """Conditional orders that are still to be met, each with its place for messages, and what became of the moments so far."""

    open: list[tuple[Condition, str]] = field(default_factory=list)
    #: moments that nobody had said anything about, in words: they have been let pass
    passed: list[str] = field(default_factory=list)
    #: orders carried out, in words
    orders: list[str] = field(default_factory=list)

    def settle(self, game: Game) -> list[Event]:
        """Answer every moment that is due; what happened. Raises :class:`IllegalOrder` for an order whose moment has come."""
        events: list[Event] = []
        while (decision := game.decision()) is not None and decision.kind == "opportunity":
            order = self._answer(game, decision)
            events += game.apply(order, trust=True)
        return events

    def _answer(self, game: Game, decision: Decision) -> Order:
        """What the unit that is asked does now."""
        state = game.state
        assert decision.moment is not None
        unit = decision.units[0].id
        for index, (condition, place) in enumerate(self.open):
            if condition.unit != unit or not condition.moment.met(state, decision.moment):
                continue
            order = self._read(game, decision, condition, place)
            if order is not None:
                del self.open[index]
                self.orders.append(f"{order_in_words(order, state)} (as {moment_of(state, decision.moment).words(state)})")
                return order
        if not any(condition.unit == unit for condition, _ in self.open):
            self.passed.append(f"{unit} lets it pass that {moment_of(state, decision.moment).words(state)}")
        return PassOrder(unit)

    def _read(self, game: Game, decision: Decision, condition: Condition, place: str) -> Order | None:
        """The order of a condition that is met; None when it names no moment and is not legal at this one."""
        try:
            order = condition.order(game.state)
            game.check(order, decision)
        except IllegalOrder as error:
            if not condition.moment.unit:
                return None
            raise IllegalOrder(error.message, rule=error.rule, place=place, hint=error.hint) from None
        except InputError as error:
            raise InputError(error.message, source="order", place=place, hint=error.hint) from None
        return order

    def unmet(self) -> list[str]:
        """The conditional orders whose moment has not come, in words."""
        return [condition.words for condition, _ in self.open]


def passed_in_words(passed: Sequence[str]) -> list[str]:
    """Moments let pass, those of one unit taken together.

    >>> passed_in_words(["a lets it pass that b moves", "a lets it pass that b enters 0709"])
    ['a lets it pass that b moves, b enters 0709']
    """
    found: dict[str, list[str]] = {}
    for words in passed:
        unit, _, moment = words.partition(" lets it pass that ")
        found.setdefault(unit, []).append(moment)
    return [f"{unit} lets it pass that {', '.join(moments)}" for unit, moments in found.items()]
