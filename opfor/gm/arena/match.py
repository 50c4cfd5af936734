"""One game of the arena: who plays where, what came of it, how long the policies thought.

A pair of policies plays each battle twice, with seats changed: forces, edges, dice and the seeds of the policies belong to
the seat, so that a policy against itself wins exactly as often as it loses. The battle's own rules say who wins (S-11).
A policy that raises an error, or answers with an order that is not legal, loses the game there and then.
"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

from opfor.dice import SeededDice
from opfor.formats.replay import ReplayRecorder
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.loop import Chooser, Observer, play_out
from opfor.game.view import View
from opfor.gm.arena.entrants import Entrant, make, told
from opfor.gm.arena.sets import BattleSet, battle_seed, draw_battle
from opfor.orders import Order
from opfor.rules.events import Event
from opfor.rules.turn.victory import strength
from opfor.state import State

#: what a game is called in the results: the file's form
Record = dict[str, Any]


class Key(NamedTuple):
    """Which game it is: the labels of the pair, the set, the number of the battle, and whether seats are changed."""

    a: str
    b: str
    set: str
    number: int
    swapped: bool

    @property
    def words(self) -> str:
        """The key as a file's name."""
        clean = "".join(sign if sign.isalnum() or sign in "-." else "_" for sign in f"{self.a}-{self.b}-{self.set}")
        return f"{clean}-{self.number}{'-swapped' if self.swapped else ''}"


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game to be played. ``seed`` is that of the whole run; ``replay`` the file for its replay, "" for none."""

    a: Entrant
    b: Entrant
    set: BattleSet
    number: int
    swapped: bool
    seed: int
    replay: str = ""

    @property
    def key(self) -> Key:
        """Which game it is."""
        return Key(self.a.label, self.b.label, self.set.name, self.number, self.swapped)


def key_of(record: Record) -> Key:
    """Which game a record is of."""
    return Key(record["a"], record["b"], record["set"], record["number"], record["swapped"])


class PolicyFault(Exception):
    """A policy has failed: ``side`` and what it did, in words."""

    def __init__(self, side: int, message: str) -> None:
        self.side = side
        self.message = message
        super().__init__(message)


class Guarded:
    """A policy under watch: its time is taken, its errors and its illegal orders become :class:`PolicyFault`.

    Time is that of the processor from the question to the answer in seconds, with all that the policy has worked out for it:
    its copy of the battle and the legal orders. Games run beside one another, and what others take is not the policy's.
    """

    def __init__(self, chooser: Chooser, side: int) -> None:
        self._chooser = chooser
        self._side = side
        #: by kind of decision: how many, seconds in all, the longest
        self.times: dict[str, list[float]] = {}

    def choose(self, decision: Decision, view: View) -> Order:
        """What the policy chooses, if it is legal. Raises :class:`PolicyFault`."""
        begun = process_time()
        try:
            order = self._chooser.choose(decision, view)
            taken = process_time() - begun
            why = _refused(decision, order)
        except (Exception, SystemExit) as error:
            raise PolicyFault(self._side, f"{_where(decision)}: {told(error)}{_raised_in(error)}") from error
        row = self.times.setdefault(decision.kind, [0, 0.0, 0.0])
        row[0] += 1
        row[1] += taken
        row[2] = max(row[2], taken)
        if why:
            raise PolicyFault(self._side, " ".join(f"{_where(decision)}: {why}".split()))
        return order


def _where(decision: Decision) -> str:
    return f"turn {decision.turn}, {decision.kind} of {', '.join(decision.unit_ids)}"


def _raised_in(error: BaseException) -> str:
    """The file and line that raised an error, in brackets."""
    steps = traceback.extract_tb(error.__traceback__)
    return f" ({Path(steps[-1].filename).name}, line {steps[-1].lineno})" if steps else ""


def _refused(decision: Decision, answer: Any) -> str:
    """Why an answer cannot be taken, "" where it can."""
    if not isinstance(answer, Order):
        return f"an answer that is no order: {answer!r}"
    if answer in decision.legal:
        return ""
    return f"an order that is not legal: {answer}: {decision.legal.why_not(answer)}"


class _Ending:
    """An observer that keeps how the battle ended."""

    def __init__(self) -> None:
        self.why = ""

    def before(self, game: Game) -> None:
        """Nothing yet."""

    def ordered(self, game: Game, decision: Decision, order: Order) -> None:
        """Nothing: events tell."""

    def happened(self, game: Game, order: Order, events: list[Event]) -> None:
        """Look for the end."""
        for event in events:
            if event.what == "ended":
                self.why = str(event.data["why"])

    def after(self, game: Game) -> None:
        """Nothing more."""


def play_fixture(fixture: Fixture) -> Record:
    """Play a game. Raises nothing that a policy does; a fault of the program itself is the record's ``error``."""
    begun = perf_counter()
    key = fixture.key
    seed = battle_seed(fixture.seed, fixture.set.name, fixture.number)
    record: Record = {**key._asdict(), "seed": seed}
    try:
        record |= _played(fixture, seed)
    except Exception as error:
        # one game that cannot be played must not end a night of others
        record = unplayed(fixture, told(error))
    return {**record, "seconds": round(perf_counter() - begun, 3)}


def unplayed(fixture: Fixture, why: str) -> Record:
    """The record of a game that the program could not play."""
    key = fixture.key
    seed = battle_seed(fixture.seed, fixture.set.name, fixture.number)
    return {**key._asdict(), "seed": seed, "winner": "", "error": why, "seconds": 0.0}


def _played(fixture: Fixture, seed: int) -> Record:
    names = ("b", "a") if fixture.swapped else ("a", "b")
    seated = [getattr(fixture, name) for name in names]
    title = f"{fixture.set.name} {fixture.number}: {seated[0].label} against {seated[1].label}"
    battle = draw_battle(fixture.set, seed, title)
    state = battle.state
    game = Game(state, SeededDice(seed))
    ending = _Ending()
    recorder = ReplayRecorder(battle) if fixture.replay else None
    observers: tuple[Observer, ...] = (ending, recorder) if recorder else (ending,)
    guarded: list[Guarded] = []
    fault: dict[str, str] | None = None
    try:
        guarded = [Guarded(_made(entrant, seed + side, side), side) for side, entrant in enumerate(seated)]
        play_out(game, guarded, observers, trust=True)
        winner, why = state.winner if state.winner is not None else -1, ending.why
    except PolicyFault as failed:
        winner, why = 1 - failed.side, "the other policy failed"
        fault = {"policy": seated[failed.side].label, "message": failed.message}
        for observer in observers:
            observer.after(game)
    if recorder and guarded:
        recorder.write(fixture.replay)
    rows = sides_of(state)
    for row, one in zip(rows, guarded, strict=False):
        row["decisions"] = {
            kind: {"count": int(count), "seconds": round(seconds, 6), "worst": round(worst, 6)}
            for kind, (count, seconds, worst) in sorted(one.times.items())
        }
    return {
        "winner": "draw" if winner < 0 else names[winner],
        "why": why,
        "turns": state.turn,
        "sides": {name: rows[side] for side, name in sorted(enumerate(names), key=lambda pair: pair[1])},
        "fault": fault,
    }


def _made(entrant: Entrant, seed: int, side: int) -> Chooser:
    try:
        return make(entrant, seed)
    except (Exception, SystemExit) as error:
        raise PolicyFault(side, f"cannot be made: {told(error)}") from error


def sides_of(state: State) -> list[dict[str, Any]]:
    """What each side brought and what is left of it; worth in Battle Value, in tons where no unit has one."""
    valued = any(unit.spec.battle_value for unit in state.units)
    found = []
    for side in range(len(state.sides)):
        units = [unit for unit in state.units if unit.side == side]
        worth = [unit.spec.battle_value if valued else unit.spec.tons for unit in units]
        found.append(
            {
                "seat": side,
                "units": len(units),
                "standing": sum(1 for unit in units if unit.alive),
                "left_map": sum(1 for unit in units if unit.gone and not unit.destroyed),
                "bv": sum(worth),
                "bv_lost": sum(value for value, unit in zip(worth, units, strict=True) if unit.destroyed),
                "bv_left": strength(state, side) // 100,
                "decisions": {},
            }
        )
    return found


def margin(record: Record) -> float:
    """By how much a game was won: the difference of the shares of Battle Value that both have left, 0 to 1."""
    left = [side["bv_left"] / side["bv"] if side["bv"] else 0.0 for side in record["sides"].values()]
    return float(abs(left[0] - left[1]))


def schedule(
    players: Sequence[Entrant], sets: Sequence[BattleSet], games: int, seed: int, replays: Path | None = None
) -> list[Fixture]:
    """Every game of a round robin: ``games`` for each pair of policies, both games of a battle one after the other.

    Battles are taken from the sets in turn, the same ones for every pair. ``replays`` is the folder for replays, if any.
    """
    found = []
    for number in range(games // 2):
        chosen = sets[number % len(sets)]
        for first, a in enumerate(players):
            for b in players[first + 1 :]:
                for swapped in (False, True):
                    fixture = Fixture(a, b, chosen, number // len(sets), swapped, seed)
                    path = str(replays / f"{fixture.key.words}.jsonl.gz") if replays else ""
                    found.append(Fixture(a, b, chosen, number // len(sets), swapped, seed, path))
    return found
