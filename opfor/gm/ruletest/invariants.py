"""What must hold of a battle seen from outside the rules: its file, its copies, its views, its clock, the rules it cites.

:class:`opfor.game.invariants.Invariants` looks at the state itself after every order; this observer looks at what is made of
it. What costs more than a glance is looked at every so many orders.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.formats.battle_file.battle_turn import resting
from opfor.formats.battle_file.battle_write import battle_document
from opfor.formats.orders import order_as_dict, order_from_dict
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.invariants import InvariantBroken
from opfor.game.view import board_seen_by, seen_by
from opfor.gm.rulebook.ledger import ledger
from opfor.orders import Order
from opfor.rules.events import Event
from opfor.state import State
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState

#: orders between two looks at what costs time
EVERY = 40
#: orders that a turn takes at most, for each unit
_MOST_ORDERS = 60
#: how the program's own rules are numbered: what a game master adds is called otherwise
_LEDGER_ID = re.compile(r"[MAES]-\d+[a-z]?")
#: fields of a state that are compared by what they hold, or are worked out anew
_NOT_PLAIN = ("board", "by_id", "occupants_cache", "underway", "units")


class Outside:
    """Checks around a battle after every order; raises :class:`InvariantBroken`.

    After each order: units are on the board, the clock goes forward, events cite rules of the ledger. Every ``every`` orders
    (0: never): a copy is the same; between two orders the battle file gives the same state; the order, written down, is read
    as the same; no side's view shows what is hidden from it.
    """

    def __init__(self, battle: Battle, every: int = EVERY) -> None:
        self._battle = battle
        self._every = every
        self._orders = 0
        self._in_turn = 0
        self._clock = (0, 0)

    def before(self, game: Game) -> None:
        """The clock as the battle begins."""
        self._clock = (game.state.turn, len(game.dice.log))

    def ordered(self, game: Game, decision: Decision, order: Order) -> None:
        """An order that is written down is read as the same order."""
        if self._every and self._orders % self._every == 0:
            state = game.state
            written = order_as_dict(order, state)
            try:
                read = order_from_dict(json.loads(json.dumps(written)), state)
            except InputError as error:
                raise InvariantBroken(f"{order.unit}: {written} is not read: {error}", "written order", "E-1") from None
            if read != order:
                raise InvariantBroken(f"{order.unit}: {order} is read as {read}", "written order", "E-1")

    def happened(self, game: Game, order: Order, events: list[Event]) -> None:
        """Look at what the order led to, and around it."""
        state = game.state
        self._orders += 1
        self._tick(state, events)
        columns = state.board.grid.columns
        for unit in state.units:
            if unit.alive and not (0 <= unit.cell < len(columns) and columns[unit.cell] >= 0):
                raise InvariantBroken(f"{unit.id}: alive in no hex of the board", "on the board", "S-1")
        for event in events:
            for rule in _rules(event):
                if rule not in _known() and _LEDGER_ID.fullmatch(rule):
                    raise InvariantBroken(f"{event.unit}: {event.what} cites {rule}, which is no rule", "ledger")
        if self._every and self._orders % self._every == 0:
            self.look(game)

    def look(self, game: Game) -> None:
        """Look at copy, file and views now."""
        state = game.state
        different = differences(state, state.copy())
        if different:
            raise InvariantBroken(f"a copy differs in {', '.join(different[:5])}", "copy")
        if resting(state):
            self._read_again(game)
        for side in range(len(state.sides)):
            _check_view(state, side)

    def _read_again(self, game: Game) -> None:
        state = game.state
        try:
            again = read_battle(
                json.dumps(battle_document(self._battle)), source="the battle's own file", path=self._battle.path
            )
        except InputError as error:
            raise InvariantBroken(f"the battle's own file is not read: {error}", "battle file") from None
        # both at the decision that is due: what is worked out on the way to it is no part of the file
        twin = Game(again.state, SeededDice(0))
        if repr(twin.decision()) != repr(game.decision()):
            raise InvariantBroken(f"the battle's own file asks {twin.decision()}, not {game.decision()}", "battle file")
        different = differences(state, again.state)
        if different:
            raise InvariantBroken(f"the battle's own file differs in {', '.join(different[:5])}", "battle file")

    def after(self, game: Game) -> None:
        """Somebody has won, or nobody."""
        if game.state.winner is None:
            raise InvariantBroken("the battle has ended without a winner or a draw", "end", "S-11")

    def _tick(self, state: State, events: list[Event]) -> None:
        turn, self._in_turn = self._clock[0], self._in_turn + 1
        # turns go by without an order where nobody can act: each has begun all the same
        begun = len({event.raw["turn"] for event in events if event.what == "phase" and event.raw["turn"] > turn})
        if state.turn < turn or (state.turn > turn + max(1, begun) and not state.winner):
            raise InvariantBroken(f"turn {state.turn} follows turn {turn}", "clock", "S-1")
        if state.turn != turn:
            self._clock, self._in_turn = (state.turn, 0), 0
        elif self._in_turn > _MOST_ORDERS * len(state.units):
            raise InvariantBroken(f"{self._in_turn} orders in turn {turn}, and no end", "clock", "S-1")


def differences(one: State, other: State) -> list[str]:
    """Names of the fields in which two states differ; units and boards are compared by what they hold."""
    found = [name for name in State.__slots__ if name not in _NOT_PLAIN and getattr(one, name) != getattr(other, name)]
    if one.board is not other.board and one.board.hexes != other.board.hexes:
        found.append("board")
    if [(u.unit, u.due, u.order) for u in one.underway] != [(u.unit, u.due, u.order) for u in other.underway]:
        found.append("underway")
    if [unit.id for unit in one.units] != [unit.id for unit in other.units]:
        return [*found, "units"]
    for mine, its in zip(one.units, other.units, strict=True):
        names = [name for name in UnitState.__slots__ if name != "spec" and getattr(mine, name) != getattr(its, name)]
        if not _same_type(mine.spec, its.spec):
            names.append("spec")
        found += [f"{mine.id}.{name}" for name in names]
    return found


def _same_type(one: UnitSpec, other: UnitSpec) -> bool:
    """Whether two unit types are the same; one that was read from a file twice is."""
    return one is other or {**vars(one), "tables": {}} == {**vars(other), "tables": {}}


def _check_view(state: State, side: int) -> None:
    """What is hidden from a side is not in its view: units, shells that are announced, mines. Rule: E-1."""
    seen = seen_by(state, side)
    for unit in state.units:
        if (
            unit.hidden
            and unit.side != side
            and unit.alive
            and (seen.unit(unit.id).cell, seen.unit(unit.id).gone) != (-1, True)
        ):
            raise InvariantBroken(f"{unit.id}: hidden, and in the view of {state.sides[side]}", "view", "E-1")
    if any(shell.side != side and shell.level is None for shell in seen.shells):
        raise InvariantBroken(f"{state.sides[side]} sees a shell before it lands", "view", "E-4")
    board = board_seen_by(state.board, side)
    for cell in board.grid.on_board:
        hex = board.hexes[cell]
        if hex.mines and not state.board.hexes[cell].mines_known >> side & 1:
            raise InvariantBroken(f"{state.sides[side]} sees mines that it does not know of", "view", "S-10")


def _rules(event: Event) -> Iterator[str]:
    """The rules that an event cites: its own, and those of the number in it."""
    yield event.rule
    number: Any = event.data.get("to_hit") or event.data.get("tn")
    if isinstance(number, dict):
        yield from (modifier["rule"] for modifier in number.get("modifiers", ()))


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(ledger()["rules"])


__all__ = ["EVERY", "Outside", "differences"]
