"""A battle played in small steps: what the environments for one commander and for two have in common."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from envs.actions import Walk
from opfor.game.game import Game
from opfor.game.restraint import restrained
from opfor.game.view import View
from opfor.orders import Order
from opfor.rules.events import Event

#: battles running that may be over before anybody is asked
TRIES = 20


class Match:
    """A game and the question that is due in it. ``walk`` is None when the battle is over.

    Decisions that leave no choice are answered on the way; ``order`` is the latest order carried out, ``events`` all that has
    happened since they were last taken (:meth:`take_events`), where they are wanted.
    """

    __slots__ = ("_kept", "_taken", "game", "keep_events", "order", "orders", "walk")

    def __init__(self, game: Game, *, keep_events: bool = False) -> None:
        self.game = game
        self.keep_events = keep_events
        self._kept: list[Event] = []
        #: actions taken in the present walk, for copies of it
        self._taken: list[int] = []
        self.walk: Walk | None = None
        self.order: Order | None = None
        #: orders carried out so far
        self.orders = 0
        self._settle()

    @property
    def side(self) -> int:
        """The side that is asked, -1 when the battle is over."""
        return self.walk.decision.side if self.walk is not None else -1

    @property
    def view(self) -> View:
        """What the side that is asked knows. Raises :class:`ValueError` when the battle is over."""
        if self.walk is None:
            raise ValueError("the battle is over: nobody is asked anything")
        return self.game.view(self.walk.decision.side)

    @property
    def battle(self) -> Game:
        """What stands for this battle: the game."""
        return self.game

    @property
    def over(self) -> bool:
        """Whether the battle has ended."""
        return self.walk is None

    def step(self, action: int) -> bool:
        """Take an action for the side that is asked; True when it completed an order, which has then been carried out.

        Raises :class:`ValueError` for an action that is not legal now, or when the battle is over.
        """
        if self.walk is None:
            raise ValueError("the battle is over: no action can be taken")
        order = self.walk.choose(action)
        if order is None:
            self._taken.append(action)
            return False
        self._apply(order)
        self._settle()
        return True

    def give(self, order: Order) -> None:
        """Carry out a whole order for the side that is asked, one of the legal ones of its decision."""
        self._apply(order)
        self._settle()

    def play(self, choose: Callable[[Match], Order], until: int) -> None:
        """Let ``choose`` give the orders of all sides but ``until``, up to that side's next question or the end."""
        while self.walk is not None and self.walk.decision.side != until:
            self.give(choose(self))

    def take_events(self) -> list[Event]:
        """What has happened since this was last called; empty unless events are kept."""
        events, self._kept = self._kept, []
        return events

    def __getstate__(self) -> dict[str, Any]:
        """What a copy needs: a walk is a tree of closures, so that it is walked again from the actions taken in it."""
        return {name: getattr(self, name) for name in ("_kept", "_taken", "game", "keep_events", "order", "orders")}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        taken: list[int] = saved.pop("_taken")
        for name, value in saved.items():
            setattr(self, name, value)
        self._taken = []
        self.walk = None
        self._settle()
        for action in taken:
            self.step(action)

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        """A copy that plays on as this one does. Board, ruleset and specs are shared, as by :meth:`opfor.state.State.copy`."""
        twin = Match.__new__(Match)
        twin.__setstate__(
            {**self.__getstate__(), "game": copy.deepcopy(self.game), "_kept": self._kept[:], "_taken": self._taken[:]}
        )
        return twin

    def _apply(self, order: Order) -> None:
        self._taken = []
        events = self.game.apply(order, trust=True)
        self.order = order
        self.orders += 1
        if self.keep_events:
            self._kept += events

    def _settle(self) -> None:
        """Go on to the next question that has more than one answer."""
        game = self.game
        while (decision := game.decision()) is not None:
            walk = Walk(game.state, restrained(decision))
            if walk.question is not None:
                self.walk = walk
                return
            assert walk.order is not None
            self._apply(walk.order)
        self.walk = None
