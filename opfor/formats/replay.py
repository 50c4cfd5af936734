"""A battle's record, and playing it again: JSON Lines, one a step, gzipped where the name ends in ``.gz``.

The first line holds the program's version and the battle as it began (in the form of the battle file); each further line
an order, the dice it rolled and the events it led to; the last one who won. Replaying needs no seed: the dice are in it.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import opfor
from opfor.dice import RecordedDice, Roll
from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.formats.battle_file.battle_write import battle_document
from opfor.formats.battle_file.history import write_atomic
from opfor.formats.orders import order_as_dict, order_from_dict
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.loop import Observer
from opfor.orders import Order
from opfor.rules.events import Event

FORMAT = 1


class ReplayRecorder:
    """An observer that keeps the record of a game; :meth:`text` gives it, :meth:`write` puts it into a file."""

    def __init__(self, battle: Battle) -> None:
        self._battle = battle
        self._lines: list[str] = []
        self._rolls = 0
        self._order: dict[str, Any] = {}

    def before(self, game: Game) -> None:
        """The header: version, and the battle as it begins."""
        self._rolls = len(game.dice.log)
        header: dict[str, Any] = {"opfor_replay": FORMAT, "version": opfor.__version__}
        own = game.state.ruleset.own_record()
        if own is not None:
            header["own_rules"] = own
        self._line({**header, "battle": battle_document(self._battle)})

    def ordered(self, game: Game, decision: Decision, order: Order) -> None:
        """Write the order down while the state it refers to stands."""
        self._order = order_as_dict(order, game.state)

    def happened(self, game: Game, order: Order, events: list[Event]) -> None:
        """One step: the order, its dice, its events."""
        log = game.dice.log
        self._line(
            {
                "order": self._order,
                "dice": [list(roll.dice) for roll in log[self._rolls :]],
                "events": [event.as_dict() for event in events],
            }
        )
        self._rolls = len(log)

    def after(self, game: Game) -> None:
        """Who won."""
        winner = game.state.winner
        self._line({"winner": None if winner is None else "draw" if winner < 0 else game.state.sides[winner]})

    def text(self) -> str:
        """The record so far, one JSON document a line."""
        return "".join(self._lines)

    def write(self, path: str | Path) -> None:
        """Write the record, at once or not at all."""
        data = self.text().encode("utf-8")
        where = Path(path)
        write_atomic(where, gzip.compress(data, mtime=0) if where.suffix == ".gz" else data)

    def _line(self, data: dict[str, Any]) -> None:
        self._lines.append(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n")


def read_replay(path: str | Path) -> str:
    """The text of a replay file. Raises :class:`InputError` when it cannot be read."""
    where = Path(path)
    try:
        data = where.read_bytes()
        return (gzip.decompress(data) if where.suffix == ".gz" else data).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read as a replay: {error}", source=str(path)) from None


def replay(text: str, observers: tuple[Observer, ...] = (), *, source: str = "replay", path: Path | None = None) -> str:
    """Play a record again from its header, orders and dice; returns the record of that, which must be the same text.

    Paths in its battle are relative to ``path``'s folder (or the current one).

    Raises :class:`InputError` naming the line where the record cannot be followed.
    """
    steps = _lines(text, source)
    header = next(steps, None)
    if header is None or header[1].get("opfor_replay") != FORMAT:
        raise InputError(f"is no replay of format {FORMAT}", source=source, place="line 1")
    rows = list(steps)
    battle = read_battle(json.dumps(header[1]["battle"]), source=source, path=path)
    _check_own_rules(header[1].get("own_rules"), battle, source)
    rolls = [Roll(tuple(dice), "") for _, row in rows for dice in row.get("dice", ())]
    game = Game(battle.state, RecordedDice(rolls))
    recorder = ReplayRecorder(battle)
    everyone: tuple[Observer, ...] = (recorder, *observers)
    for observer in everyone:
        observer.before(game)
    for number, row in rows:
        if "order" not in row:
            continue
        decision = game.decision()
        if decision is None:
            raise InputError("an order after the battle has ended", source=source, place=f"line {number}")
        order = order_from_dict(row["order"], game.state)
        for observer in everyone:
            observer.ordered(game, decision, order)
        events = game.apply(order)
        for observer in everyone:
            observer.happened(game, order, events)
    for observer in everyone:
        observer.after(game)
    return recorder.text()


def _check_own_rules(recorded: dict[str, Any] | None, battle: Battle, source: str) -> None:
    """Whether a battle is played again by the own rules that it was played by. Raises :class:`InputError` where not."""
    here = battle.state.ruleset.own_record()
    if recorded == here:
        return
    hint = "name the file with --rules, as it was then"
    if here is None:
        raise InputError(f"was played by {_own_words(recorded)}, which are not given", source=source, place="line 1", hint=hint)
    if recorded is None:
        raise InputError(f"was played without own rules; given are {_own_words(here)}", source=source, place="line 1")
    if recorded.get("rules") == here["rules"] and recorded.get("tables") == here["tables"]:
        raise InputError(
            f"was played by {_own_words(recorded)}, which have changed since", source=source, place="line 1", hint=hint
        )
    words = f"was played by {_own_words(recorded)}; given are {_own_words(here)}"
    raise InputError(words, source=source, place="line 1", hint=hint)


def _own_words(record: dict[str, Any] | None) -> str:
    """The own rules of a record by name."""
    record = record or {}
    names = [*record.get("rules", {}), *(f"{path} {value}" for path, value in record.get("tables", {}).items())]
    return f"the own rules {', '.join(names)}" if names else "own rules"


def _lines(text: str, source: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"is not JSON: {error.msg}", source=source, place=f"line {number}") from None
        if not isinstance(row, dict):
            raise InputError("is no step of a replay", source=source, place=f"line {number}")
        yield number, row
