"""Carrying out orders that people hand in, and the dice for them: checked first, on a copy, all of them or none.

With too few dice nothing changes: the answer then says which rolls are wanted next, and which may follow.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from opfor.dice import Dice, DiceError, FedDice, Roll, RollNeeded, SeededDice
from opfor.errors import IllegalOrder, InputError
from opfor.formats.battle import Battle
from opfor.formats.notation import order_from_words, order_in_words, order_lines
from opfor.formats.orders import find_unit, order_from_dict
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.legal.movement import MovementChoices
from opfor.orders import FireOrder, Order, PhysicalOrder
from opfor.rules.events import Event
from opfor.state import State
from opfor.units.state import UnitState

#: rolls foreseen beyond the one wanted next
FORESEEN = 40


@dataclass(slots=True)
class Wanted:
    """A roll that is wanted. ``certain``: it is the next one; the others depend on how the dice before them fall."""

    dice: int
    why: str
    certain: bool

    def as_dict(self) -> dict[str, Any]:
        """The published form."""
        return {"dice": f"{self.dice}d6", "why": self.why, "certain": self.certain}


@dataclass(slots=True)
class Outcome:
    """What became of orders. ``state`` is the battle after them; not ``done``: dice are wanted, and nothing has changed."""

    state: State
    done: bool
    events: list[Event] = field(default_factory=list)
    orders: list[str] = field(default_factory=list)
    rolls: list[Roll] = field(default_factory=list)
    wanted: list[Wanted] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Item:
    """One order as handed in: in words or as JSON, and its place for messages."""

    content: Any
    place: str


def carry_out(battle: Battle, text: str | Sequence[str], dice: Dice, *, end_phase: bool = False) -> Outcome:
    """Play orders (words or JSON) on a copy of the battle.

    ``end_phase``: units without an order in this phase do nothing, and the phase is closed. Without orders, phases in
    which nobody decides anything are played. Raises :class:`InputError` (and :class:`IllegalOrder`), naming the order.
    """
    items = list(read_items(text))
    state = battle.state.copy()
    game = Game(state, dice)
    outcome = Outcome(state, True)
    try:
        turn, phase = state.turn, state.phase
        if not items:
            game.decision()
        for item in items:
            _carry_out(game, item, outcome)
        if end_phase:
            _end_phase(game, turn, phase, outcome)
        outcome.events += game.take_events()
    except RollNeeded as needed:
        outcome.done = False
        outcome.events += game.take_events()
        outcome.wanted.append(Wanted(needed.count, needed.why, True))
    except DiceError as error:
        raise InputError(str(error), source="dice") from None
    outcome.rolls = list(dice.log)
    if outcome.done and isinstance(dice, FedDice) and dice.unused:
        raise InputError(f"{dice.unused} of the dice given are left over: {len(dice.log)} rolls were asked for", source="dice")
    if not outcome.done:
        outcome.wanted += _foreseen(battle, text, outcome.rolls, end_phase)
    return outcome


def read_items(texts: str | Sequence[str]) -> Iterator[_Item]:
    """Orders of a text (or of several), in words or JSON, in order. Raises :class:`InputError`."""
    for text in [texts] if isinstance(texts, str) else texts:
        yield from _items(text)


def _items(text: str) -> Iterator[_Item]:
    if text.lstrip()[:1] in ("{", "["):
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise InputError(f"is no JSON: {error.msg}", source="orders", place=f"line {error.lineno}") from None
        rows = data.get("orders", [data]) if isinstance(data, dict) else data
        if not isinstance(rows, list):
            raise InputError("must be a list", source="orders", place="orders")
        for index, row in enumerate(rows):
            yield _Item(row, f"orders[{index}]")
        return
    for number, line in order_lines(text):
        yield _Item(line, f"line {number}")


def _carry_out(game: Game, item: _Item, outcome: Outcome) -> None:
    state = game.state
    game.decision()
    outcome.events += game.take_events()
    try:
        unit = _unit_of(item.content, state)
        if unit is not None:
            _finish_other(game, unit, outcome)
            game.call(unit.side)
        decision = game.decision()
        own = decision
        if decision is not None and unit is not None and unit.id in decision.unit_ids:
            own = Decision(state, decision.side, [unit])
        order = _read(item.content, state, own)
        words = order_in_words(order, state)
        game.check(order, own)
        outcome.events += game.apply(order, trust=True)
        outcome.orders.append(words)
    except IllegalOrder as error:
        raise IllegalOrder(error.message, rule=error.rule, place=item.place, hint=error.hint or _due(game)) from None
    except InputError as error:
        place = ", ".join(part for part in (item.place, error.place) if part and not error.place.startswith(item.place))
        raise InputError(error.message, source="order", place=place or error.place, hint=error.hint) from None


def _finish_other(game: Game, unit: UnitState, outcome: Outcome) -> None:
    """A unit that failed to stand and is given no further order stays where it lies when another is called on."""
    state = game.state
    if 0 <= state.current != unit.index:
        order = hold(state, state.units[state.current], "movement")
        outcome.orders.append(order_in_words(order, state))
        outcome.events += game.apply(order)


def _unit_of(content: Any, state: State) -> UnitState | None:
    """The unit that an order names, so that its side can be called on; None where it cannot be told."""
    head = content.get("unit") if isinstance(content, dict) else str(content).partition(":")[0].strip(" *-•_")
    return find_unit(state, head) if isinstance(head, str) and (isinstance(content, dict) or ":" in content) else None


def _read(content: Any, state: State, decision: Decision | None) -> Order:
    if isinstance(content, dict):
        return order_from_dict(content, state)
    if not isinstance(content, str):
        raise InputError(f"{content!r} is no order", source="order")
    lookup = decision.legal if decision is not None and decision.kind == "movement" else None
    return order_from_words(content, state, lookup)


def _due(game: Game) -> str:
    """Who is to act now, as a hint."""
    decision = game.decision()
    if decision is None:
        return "the battle is over"
    return f"due now: {decision.kind}, {decision.side_name} with {', '.join(decision.unit_ids)}"


def _end_phase(game: Game, turn: int, phase: str, outcome: Outcome) -> None:
    """Let everybody who has not acted in the phase do nothing."""
    while (decision := game.decision()) is not None and (game.state.turn, game.state.phase) == (turn, phase):
        order = hold(game.state, decision.units[0], decision.kind)
        outcome.orders.append(order_in_words(order, game.state))
        outcome.events += game.apply(order)


def hold(state: State, unit: UnitState, kind: str) -> Order:
    """The order to do nothing in a phase."""
    if kind == "movement":
        moves = MovementChoices(state, [unit]).of(unit)
        return moves.stop() or moves.stand()
    return FireOrder(unit.id) if kind == "fire" else PhysicalOrder(unit.id)


class _ForeseeingDice:
    """Gives the rolls there are, then likely ones, keeping what it was asked beyond those there are."""

    def __init__(self, given: list[Roll]) -> None:
        self._given = FedDice([roll.dice for roll in given])
        self._then = SeededDice(len(given))
        self.log: list[Roll] = []
        self.beyond: list[Wanted] = []

    def roll(self, count: int, why: str) -> Roll:
        """The next given roll, or a likely one."""
        try:
            roll = self._given.roll(count, why)
        except RollNeeded:
            if len(self.beyond) > FORESEEN:
                raise
            self.beyond.append(Wanted(count, why, False))
            roll = self._then.roll(count, why)
        self.log.append(roll)
        return roll

    def copy(self) -> _ForeseeingDice:
        """An independent copy."""
        twin = _ForeseeingDice([])
        twin._given, twin._then = self._given.copy(), self._then.copy()
        return twin


def _foreseen(battle: Battle, text: str | Sequence[str], given: list[Roll], end_phase: bool) -> list[Wanted]:
    """Rolls that may be wanted after the next one, on one likely course."""
    dice = _ForeseeingDice(given)
    game = Game(battle.state.copy(), dice)
    outcome = Outcome(game.state, True)
    turn, phase = game.state.turn, game.state.phase
    try:
        items = list(read_items(text))
        if not items:
            game.decision()
        for item in items:
            _carry_out(game, item, outcome)
        if end_phase:
            _end_phase(game, turn, phase, outcome)
    except (RollNeeded, InputError):
        # the likely course ends here, or a later order does not fit it
        pass
    return dice.beyond[1 : FORESEEN + 1]
