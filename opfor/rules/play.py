"""The workbench that rules change a battle on: the state, the dice, and the events as they happen."""

from __future__ import annotations

from typing import Any

from opfor.board.board import Board
from opfor.dice import Dice, Roll
from opfor.rules.events import Event
from opfor.rules.target_number import TargetNumber
from opfor.state import State
from opfor.units.state import UnitState


class Play:
    """A state being changed. Rules roll and report through this object and in no other way."""

    __slots__ = ("before", "dice", "events", "state")

    def __init__(self, state: State, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[Event] = []
        #: while attacks of a phase are resolved together: the board before the first of them, else None (S-10)
        self.before: Board | None = None

    def emit(self, what: str, unit: UnitState | None, rule: str, **data: Any) -> Event:
        """Report that something happened; ``data`` as :class:`opfor.rules.events.Event` takes it."""
        event = Event(what, unit.id if unit is not None else "", rule, data)
        self.events.append(event)
        return event

    def roll(self, count: int, why: str) -> Roll:
        """Throw ``count`` dice. ``why`` is read by the person at the table: name the unit and what is settled."""
        return self.dice.roll(count, why)

    def roll_2d6(self, why: str) -> Roll:
        """Throw 2d6."""
        return self.dice.roll(2, why)

    def check(self, unit: UnitState, tn: TargetNumber, why: str, rule: str, **data: Any) -> bool:
        """Roll 2d6 against a target number and report it as a ``roll`` event; True on success.

        A number of 2 or less succeeds and one above 12 (or an impossible one) fails without dice.
        """
        value, dice = tn.value, list[int]()
        if tn.why or value > 12:
            passed = False
        elif value <= 2:
            passed = True
        else:
            roll = self.dice.roll(2, f"{unit.id}: {why}, needs {value}")
            dice += roll.dice
            passed = roll.total >= value
        self.emit("roll", unit, rule, why=why, tn=tn, dice=dice, success=passed, **data)
        return passed
