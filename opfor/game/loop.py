"""Playing a battle out: the loop of the waist with policies for the sides and observers looking on.

The loop itself keeps no log: statistics, replays, invariants and coverage are observers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.restraint import restrained
from opfor.game.view import View
from opfor.orders import Order
from opfor.rules.events import Event


class Chooser(Protocol):
    """Whatever chooses orders: a policy."""

    def choose(self, decision: Decision, view: View) -> Order:
        """One of ``decision.legal``."""
        ...


class Observer(Protocol):
    """Looks on at a game being played."""

    def before(self, game: Game) -> None:
        """Called once, before the first decision."""
        ...

    def ordered(self, game: Game, decision: Decision, order: Order) -> None:
        """Called with each order before it is applied."""
        ...

    def happened(self, game: Game, order: Order, events: list[Event]) -> None:
        """Called with what an order led to."""
        ...

    def after(self, game: Game) -> None:
        """Called once, when the battle has ended."""
        ...


def play_out(game: Game, choosers: Sequence[Chooser], observers: Sequence[Observer] = (), *, trust: bool = False) -> None:
    """Play until the battle ends; ``choosers`` by side. ``trust`` skips the check that each order is legal."""
    for observer in observers:
        observer.before(game)
    while (decision := game.decision()) is not None:
        order = choosers[decision.side].choose(restrained(decision), game.view(decision.side))
        for observer in observers:
            observer.ordered(game, decision, order)
        events = game.apply(order, trust=trust)
        for observer in observers:
            observer.happened(game, order, events)
    for observer in observers:
        observer.after(game)
