"""A game under watch: its orders and dice are kept as they come, and whatever goes wrong stops it as a violation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from opfor.formats.orders import order_as_dict
from opfor.formats.replay import replay
from opfor.formats.words.notation import order_in_words
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.gm.ruletest.violations import Violation, violation_of
from opfor.orders import Order
from opfor.rules.events import Event


class Stopped(Exception):
    """A game was stopped by a violation."""

    def __init__(self, violation: Violation) -> None:
        self.violation = violation
        super().__init__(violation.message)


class Course:
    """An observer that keeps orders and dice as they come: what a failure is shrunk from."""

    def __init__(self) -> None:
        self.steps: list[dict[str, Any]] = []
        #: dice thrown where there was no order to be given
        self.early: list[list[int]] = []
        self._rolls = 0
        self.why = ""
        self.words = ""

    def before(self, game: Game) -> None:
        """Dice thrown before the first order belong to it."""
        self._rolls = 0

    def ordered(self, game: Game, decision: Decision, order: Order) -> None:
        """Keep the order while the state it refers to stands."""
        self.steps.append({"order": order_as_dict(order, game.state), "dice": []})
        self.words = ""

    def happened(self, game: Game, order: Order, events: list[Event]) -> None:
        """Keep its dice, and how the battle ended."""
        self.take_dice(game)
        for event in events:
            if event.what == "ended":
                self.why = str(event.data["why"])

    def take_dice(self, game: Game) -> None:
        """The dice since the last look belong to the latest order."""
        log = game.dice.log
        (self.steps[-1]["dice"] if self.steps else self.early).extend(list(roll.dice) for roll in log[self._rolls :])
        self._rolls = len(log)

    def after(self, game: Game) -> None:
        """Nothing more."""


def guarded(step: Callable[[], Any], kind: str, game: Game, course: Course) -> Any:
    """What ``step`` gives. Raises :class:`Stopped` with the violation (of ``kind``) that an exception of it is."""
    try:
        return step()
    except Exception as error:
        state = game.state
        raise Stopped(violation_of(error, kind, turn=state.turn, phase=state.phase, order=course.words)) from error


def in_words(order: Any, game: Game) -> str:
    """An order in words, or as Python shows it where it cannot be written."""
    try:
        return order_in_words(order, game.state)
    except Exception:
        # an order that cannot even be written down is looked at by those who check it
        return repr(order)


def check_replay(text: str, turn: int, path: Path | None = None) -> None:
    """Play the record of a game again: the same bytes must come of it. Raises :class:`Stopped`.

    ``path``: where the battle's file would be, for what it names beside it.
    """
    try:
        again = replay(text, path=path)
    except Exception as error:
        raise Stopped(violation_of(error, "replay", turn=turn)) from error
    if again != text:
        lines = zip(text.splitlines(), again.splitlines(), strict=False)
        number = next((number for number, (one, other) in enumerate(lines, start=1) if one != other), 0)
        raise Stopped(Violation("replay", "other bytes", "", "", f"line {number} of the replay comes out otherwise", turn))


__all__ = ["Course", "Stopped", "check_replay", "guarded", "in_words"]
