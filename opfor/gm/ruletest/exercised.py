"""What a battle exercises of the rules, counted while it is played: an observer cheap enough to watch every game.

    watching = Exercised()
    play_out(game, choosers, (watching,))
    watching.counts()       # {"rules": {"E-9": 41, ...}, "events": {...}, ...}

Counts of many games are summed by :func:`merge` and told of by :mod:`opfor.gm.ruletest.coverage`.
"""

from __future__ import annotations

from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.gm.rulebook.exercised_tally import Counts, Tally, merge
from opfor.orders import Order
from opfor.rules.events import Event


class Exercised:
    """An observer of :func:`opfor.game.loop.play_out` that counts what happens; one for each game."""

    def __init__(self) -> None:
        self._tally = Tally()

    def before(self, game: Game) -> None:
        """What the battle is fought with."""
        self._tally.begin(game.state)

    def ordered(self, game: Game, decision: Decision, order: Order) -> None:
        """Count the order."""
        self._tally.ordered(order)

    def happened(self, game: Game, order: Order, events: list[Event]) -> None:
        """Count what it led to."""
        self._tally.happened(order, events)

    def after(self, game: Game) -> None:
        """Nothing more: the last events have been counted."""

    def counts(self) -> Counts:
        """How often each entry of each category occurred, in the order of the alphabet."""
        return self._tally.counts()


__all__ = ["Counts", "Exercised", "merge"]
