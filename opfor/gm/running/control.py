"""Carrying out orders that people hand in, and the dice for them: checked first, on a copy, all of them or none.

Conditional orders ("... when alpha-1 enters 0709") may be handed in before or behind the order that they wait for. Moments at
which a unit could break in and nothing is said of it are let pass, and told.

With too few dice nothing changes: the answer then says which rolls are wanted next, and which may follow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from opfor.dice import Dice, DiceError, FedDice, Roll, RollNeeded, SeededDice
from opfor.errors import IllegalOrder, InputError
from opfor.formats.battle_file.battle import Battle
from opfor.formats.battle_file.battle_turn import resting
from opfor.formats.orders import find_unit, order_from_dict
from opfor.formats.words.conditions import read_condition
from opfor.formats.words.notation import kind_of_words, order_from_words, order_in_words, order_lines
from opfor.formats.words.notation_sentences import order_sentences
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.legal.movement import MovementChoices
from opfor.gm.running.breaking_in import Answers
from opfor.orders import ActionOrder, CallOrder, FireOrder, Order, PassOrder, PhysicalOrder
from opfor.rules.events import Event
from opfor.rules.turn.initiative import may_wait
from opfor.state import State
from opfor.units.state import UnitState

#: how a JSON document of orders begins: words in a board's markup begin with a bracket as well
_JSON = re.compile(r"\s*(?:\{|\[\s*(?:[\[{\]\"]|$))")
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
    #: how words that leave something open were understood
    understood: list[str] = field(default_factory=list)
    #: moments at which a unit could have broken in, and nothing was said
    passed: list[str] = field(default_factory=list)
    #: conditional orders whose moment has not come
    unmet: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Item:
    """One order as handed in: in words or as JSON, and its place for messages."""

    content: Any
    place: str


@dataclass(frozen=True, slots=True)
class Reading:
    """Orders read once, to be played on many courses of the dice."""

    items: tuple[_Item, ...]


def read_once(battle: Battle, text: str | Sequence[str]) -> Reading:
    """Orders in words or JSON, told apart. Raises :class:`InputError`."""
    return Reading(tuple(read_items(text, battle.state)))


def carry_out(battle: Battle, text: str | Sequence[str], dice: Dice, *, end_phase: bool = False) -> Outcome:
    """Play orders (words or JSON) on a copy of the battle.

    ``end_phase``: units without an order in this phase do nothing, and the phase is closed. Without orders, phases in
    which nobody decides anything are played. Raises :class:`InputError` (and :class:`IllegalOrder`), naming the order.
    """
    state = battle.state.copy()
    start = dice.copy() if isinstance(dice, FedDice) else None
    game = Game(state, dice)
    game.rests = True
    outcome = Outcome(state, True)
    answers = Answers()
    try:
        _play(game, text, outcome, answers, end_phase)
    except RollNeeded as needed:
        outcome.done = False
        outcome.events += game.take_events()
        outcome.wanted.append(Wanted(needed.count, needed.why, True))
    except DiceError as error:
        raise InputError(str(error), source="dice", hint=error.hint) from None
    outcome.passed, outcome.unmet = answers.passed, answers.unmet()
    outcome.rolls = list(dice.log)
    if outcome.done and isinstance(dice, FedDice) and dice.unused:
        raise InputError(
            f"{dice.unused} of the dice given are left over: {len(dice.log)} rolls were asked for",
            source="dice",
            hint="; ".join(dice.left_words[:3]),
        )
    if not outcome.done:
        source = start if start is not None else outcome.rolls
        outcome.wanted += foreseen(battle, text, source, end_phase=end_phase)[1:]
    return outcome


def _play(game: Game, text: str | Sequence[str] | Reading, outcome: Outcome, answers: Answers, end_phase: bool) -> None:
    """Play all that is handed in: conditions are laid ready, then the orders in turn."""
    state = game.state
    items: list[_Item] = []
    for item in text.items if isinstance(text, Reading) else read_items(text, state):
        try:
            condition = read_condition(item.content, state)
        except InputError as error:
            place = ", ".join(part for part in (item.place, error.place) if part)
            raise InputError(error.message, source="order", place=place, hint=error.hint) from None
        if condition is None:
            items.append(item)
        else:
            answers.open.append((condition, item.place))
    turn, phase = state.turn, state.phase
    if not items:
        game.decision()
        outcome.events += game.take_events()
    _settle(game, outcome, answers)
    for item in items:
        _carry_out(game, item, outcome, answers)
    if end_phase:
        _end_phase(game, turn, phase, outcome, answers)
    while not resting(state) and (decision := game.decision()) is not None:
        # who has taken its turn before another does nothing more, so that the other comes to its end
        _do_nothing(game, decision.units[0], decision.kind, outcome, answers)
    outcome.events += game.take_events()


def _do_nothing(game: Game, unit: UnitState, kind: str, outcome: Outcome, answers: Answers) -> None:
    """A unit does nothing in a decision of a kind."""
    order = hold(game.state, unit, kind)
    outcome.orders.append(order_in_words(order, game.state))
    outcome.events += game.apply(order)
    _settle(game, outcome, answers)


def _settle(game: Game, outcome: Outcome, answers: Answers) -> None:
    """Answer the moments at which units may break in."""
    try:
        outcome.events += answers.settle(game)
    finally:
        outcome.orders += answers.orders
        answers.orders = []


def read_items(texts: str | Sequence[str], state: State | None = None) -> Iterator[_Item]:
    """Orders of a text (or of several), in words or JSON, in order. Raises :class:`InputError`.

    With the ``state`` sentences are read too (:mod:`opfor.formats.words.notation_sentences`), else the notation alone.
    """
    for text in [texts] if isinstance(texts, str) else texts:
        yield from _items(text, state)


def _items(text: str, state: State | None) -> Iterator[_Item]:
    if _JSON.match(text):
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
    for number, line in order_lines(text) if state is None else order_sentences(text, state):
        yield _Item(line, f"line {number}")


def _carry_out(game: Game, item: _Item, outcome: Outcome, answers: Answers) -> None:
    state = game.state
    game.go_on()
    game.decision()
    outcome.events += game.take_events()
    try:
        unit = _unit_of(item.content, state)
        if unit is not None:
            _finish_other(game, unit, outcome, answers)
            game.call(unit.side, _kind_of(item.content, state))
        decision = game.decision()
        own = decision
        if decision is not None and unit is not None and unit.id in decision.unit_ids:
            own = decision.narrowed([unit])
        order = _read(item.content, state, own, outcome.understood)
        words = order_in_words(order, state)
        game.check(order, own)
        outcome.events += game.apply(order, trust=True)
        outcome.orders.append(words)
        _settle(game, outcome, answers)
    except IllegalOrder as error:
        if error.place:
            raise
        raise IllegalOrder(error.message, rule=error.rule, place=item.place, hint=error.hint or _due(game)) from None
    except InputError as error:
        place = ", ".join(part for part in (item.place, error.place) if part and not error.place.startswith(item.place))
        raise InputError(error.message, source="order", place=place or error.place, hint=error.hint) from None


def _finish_other(game: Game, unit: UnitState, outcome: Outcome, answers: Answers) -> None:
    """A unit that is in the middle of its turn and is given no further order does nothing more when another is called on.

    One that has not begun its declaration is not passed over. Rule: M-10.
    """
    state = game.state
    while 0 <= state.current != unit.index and (decision := game.decision()) is not None:
        current = state.units[state.current]
        if state.phase == "declarations" and resting(state) and not (current.mode or current.moved):
            return
        _do_nothing(game, current, decision.kind, outcome, answers)


def _kind_of(content: Any, state: State) -> str:
    """The kind of order that is handed in, as far as it can be told before the unit is called on."""
    if isinstance(content, dict):
        kind = content.get("kind", "fire" if "attacks" in content else "move" if "mode" in content else "")
        return kind if isinstance(kind, str) else ""
    return kind_of_words(content, state) if isinstance(content, str) else ""


def _unit_of(content: Any, state: State) -> UnitState | None:
    """The unit that an order names, so that its side can be called on; None where it cannot be told."""
    head = content.get("unit") if isinstance(content, dict) else str(content).partition(":")[0].strip(" *-•_")
    return find_unit(state, head) if isinstance(head, str) and (isinstance(content, dict) or ":" in content) else None


def _read(content: Any, state: State, decision: Decision | None, notes: list[str]) -> Order:
    if isinstance(content, dict):
        return order_from_dict(content, state)
    if not isinstance(content, str):
        raise InputError(f"{content!r} is no order", source="order")
    moves = decision is not None and (decision.kind == "movement" or bool(decision.also))
    lookup = decision.legal if decision is not None and moves else None
    return order_from_words(content, state, lookup, notes)


def _due(game: Game) -> str:
    """Who is to act now, as a hint."""
    decision = game.decision()
    if decision is None:
        return "the battle is over"
    return f"due now: {decision.kind}, {decision.side_name} with {', '.join(decision.unit_ids)}"


def _end_phase(game: Game, turn: int, phase: str, outcome: Outcome, answers: Answers) -> None:
    """Let everybody who has not acted in the phase do nothing, through all its parts."""
    while (decision := game.decision()) is not None and (game.state.turn, game.state.phase) == (turn, phase):
        _do_nothing(game, decision.units[0], decision.kind, outcome, answers)


def hold(state: State, unit: UnitState, kind: str) -> Order:
    """The order to do nothing where one of a kind is due; who may wait with its movement does. Rule: E-3."""
    if kind == "movement":
        moves = MovementChoices(state, [unit]).of(unit)
        return moves.stop() or (moves.wait() if may_wait(state, unit) else moves.stand())
    if kind == "call":
        return CallOrder(unit.id)
    if kind == "action":
        return ActionOrder(unit.id)
    if kind == "opportunity":
        return PassOrder(unit.id)
    return FireOrder(unit.id) if kind == "fire" else PhysicalOrder(unit.id)


class _ForeseeingDice:
    """Gives the rolls there are, then likely ones, keeping what it was asked beyond those there are."""

    def __init__(self, given: Sequence[Roll] | FedDice) -> None:
        self._given = given if isinstance(given, FedDice) else FedDice([roll.dice for roll in given])
        self._then = SeededDice(self._given.unused)
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


def foreseen(
    battle: Battle, text: str | Sequence[str], given: Sequence[Roll] | FedDice = (), *, end_phase: bool = False
) -> list[Wanted]:
    """Rolls that may be wanted beyond those given, on one likely course; the first of them is certain."""
    dice = _ForeseeingDice(given)
    play_course(battle, text, dice, end_phase=end_phase)
    return dice.beyond[: FORESEEN + 1]


def play_course(battle: Battle, text: str | Sequence[str] | Reading, dice: Dice, *, end_phase: bool = False) -> list[Event]:
    """What happens on one course of the dice, as far as it goes: dice may run out, a later order may not fit it.

    Nothing is changed. Dice that have ``events_so_far`` are given a function that tells how many events there have been.
    """
    game = Game(battle.state.copy(), dice)
    game.rests = True
    outcome = Outcome(game.state, True)
    if hasattr(dice, "events_so_far"):
        dice.events_so_far = lambda: len(outcome.events) + len(game.play.events)
    with suppress(RollNeeded, InputError, DiceError):
        _play(game, text, outcome, Answers(), end_phase)
    return outcome.events + game.take_events()
