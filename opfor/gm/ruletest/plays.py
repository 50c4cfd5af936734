"""One game of a rule test: a battle, two policies, dice by seed, and everything that looks on; what came of it is a record.

The same job gives the same record, but for the time it took. Games that differ in nothing but ``vary`` are paired: same battle,
same dice, same seeds of the policies.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter, process_time
from typing import Any, NamedTuple

from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.formats.battle_file.battle_write import battle_document
from opfor.formats.replay import ReplayRecorder
from opfor.game.game import Game
from opfor.game.invariants import Invariants
from opfor.game.loop import Chooser, Observer
from opfor.game.restraint import restrained
from opfor.gm.arena.entrants import told
from opfor.gm.arena.match import sides_of
from opfor.gm.arena.sets import battle_seed
from opfor.gm.policies import policy_named
from opfor.gm.ruletest.exercised import Exercised
from opfor.gm.ruletest.guard import Course, Stopped, check_replay, guarded, in_words
from opfor.gm.ruletest.invariants import EVERY, Outside
from opfor.gm.ruletest.measures import Measures
from opfor.gm.ruletest.sources import Source, folder_of, with_ruleset
from opfor.gm.ruletest.violations import Violation

#: what a game is called in the results: the file's form
Record = dict[str, Any]
#: a battle that names no last turn ends in the one so many turns on
LAST_TURN = 30


class Key(NamedTuple):
    """Which game it is: the variant's name, the source of battles, the number of the battle, whether seats are changed."""

    variant: str
    set: str
    number: int
    swapped: bool
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class PlayJob:
    """A game to be played.

    ``codes``: policies a and b; ``swapped``: b plays the first side. ``seed`` is that of the whole run. ``vary``: switches of
    the ruleset turned for this game, ``variant`` what that is called ("" for none). ``checked``: look for violations;
    ``every``: orders between two looks at what costs time (:class:`opfor.gm.ruletest.invariants.Outside`).
    """

    source: Source
    number: int
    codes: tuple[str, str]
    swapped: bool = False
    seed: int = 0
    vary: tuple[tuple[str, Any], ...] = ()
    variant: str = ""
    checked: bool = True
    every: int = EVERY

    @property
    def key(self) -> Key:
        """Which game it is."""
        return Key(self.variant, self.source.name, self.number, self.swapped, *self.codes)


def key_of(record: Record) -> Key:
    """Which game a record is of."""
    return Key(*[record[name] for name in Key._fields])


def play_one(job: PlayJob) -> Record:
    """Play a game. Raises nothing: what goes wrong is in the record's ``violations``, or, where no battle could be drawn, its
    ``error``.

    The record: the fields of :class:`Key`, ``seed``, ``winner`` ("a", "b" or "draw"), ``side`` (the winning side's name, or
    "draw"), ``why``, ``turns`` played, ``orders``, ``sides`` and ``units`` as they were left, ``measures``, ``exercised``,
    ``violations``, ``state`` (a checksum of the end), ``seconds``, ``cpu``. With a violation also ``failure``: battle, orders
    and dice.
    """
    begun = perf_counter(), process_time()
    seed = battle_seed(job.seed, job.source.name, job.number)
    record: Record = {**job.key._asdict(), "seed": seed}
    try:
        battle = battle_of(job, seed)
    except Exception as error:
        # one battle that cannot be made must not end a night of others
        why = str(error) if isinstance(error, InputError) else told(error)
        return {**record, "winner": "", "error": why, "violations": [], **_taken(*begun)}
    record |= _played(job, battle, seed)
    return {**record, **_taken(*begun)}


def _taken(begun: float, worked: float) -> dict[str, float]:
    """Seconds that have gone by, and seconds of work of this process."""
    return {"seconds": round(perf_counter() - begun, 3), "cpu": round(process_time() - worked, 3)}


def battle_of(job: PlayJob, seed: int) -> Battle:
    """The battle of a job as it begins. Raises :class:`InputError`."""
    document = with_ruleset(job.source.document(job.number, seed), dict(job.vary), seed)
    folder = folder_of(job.source)
    battle = read_battle(json.dumps(document), source=job.source.name, path=folder / "battle.yaml" if folder else None)
    state = battle.state
    state.limit = state.limit or state.turn + LAST_TURN
    return battle


def _played(job: PlayJob, battle: Battle, seed: int) -> Record:
    state = battle.state
    begun_as = battle_document(battle)
    first_turn = state.turn
    game = Game(state, SeededDice(seed))
    course, recorder = Course(), ReplayRecorder(battle)
    exercised, measures = Exercised(), Measures()
    observers: list[Observer] = [course]
    # what counts sees a step only once it has been found sound
    if job.checked:
        observers += [recorder, Invariants(), Outside(battle, job.every)]
    observers += [exercised, measures]
    violations: list[Violation] = []
    codes = job.codes[::-1] if job.swapped else job.codes
    try:
        choosers = [_chooser(code, seed + side, game, course) for side, code in enumerate(codes)]
        play_checked(game, choosers, observers, course)
        if job.checked:
            check_replay(recorder.text(), state.turn, battle.path)
    except Stopped as stopped:
        course.take_dice(game)
        violations.append(stopped.violation)
    names = ("b", "a") if job.swapped else ("a", "b")
    winner = -1 if state.winner is None or violations else state.winner
    record: Record = {
        "winner": "draw" if winner < 0 else names[winner],
        "side": "draw" if winner < 0 else state.sides[winner],
        "why": "stopped: a violation" if violations else course.why,
        "turns": state.turn - first_turn + 1,
        "orders": len(course.steps),
        "sides": [{"side": state.sides[index], "policy": codes[index], **row} for index, row in enumerate(sides_of(state))],
        "units": [
            {"unit": unit.id, "side": state.sides[unit.side], "kind": unit.spec.kind, "lost": unit.destroyed, "gone": unit.gone}
            for unit in state.units
        ],
        "measures": measures.row(),
        "exercised": exercised.counts(),
        "violations": [violation.as_dict() for violation in violations],
        "state": checksum(battle),
    }
    if violations:
        course_taken = {"steps": course.steps, "early": course.early}
        record["failure"] = {"battle": begun_as, **course_taken, "codes": list(codes), "seed": seed}
    return record


def play_checked(game: Game, choosers: Sequence[Chooser], observers: Sequence[Observer], course: Course) -> None:
    """Play a battle out like :func:`opfor.game.loop.play_out`; raises :class:`Stopped` for whatever goes wrong, and where."""
    for observer in observers:
        guarded(partial(observer.before, game), "crash", game, course)
    while (decision := guarded(game.decision, "crash", game, course)) is not None:
        choose = choosers[decision.side].choose
        order = guarded(partial(choose, restrained(decision), game.view(decision.side)), "policy", game, course)
        course.words = in_words(order, game)
        for observer in observers:
            guarded(partial(observer.ordered, game, decision, order), "crash", game, course)
        events = guarded(partial(game.apply, order, trust=True), "crash", game, course)
        for observer in observers:
            guarded(partial(observer.happened, game, order, events), "crash", game, course)
    for observer in observers:
        guarded(partial(observer.after, game), "crash", game, course)


def checksum(battle: Battle) -> str:
    """A checksum of a battle as it stands."""
    return hashlib.sha256(json.dumps(battle_document(battle), sort_keys=True).encode()).hexdigest()[:16]


def _chooser(code: str, seed: int, game: Game, course: Course) -> Chooser:
    made: Chooser = guarded(partial(policy_named, code, seed), "policy", game, course)
    return made


__all__ = ["Key", "PlayJob", "Record", "battle_of", "checksum", "key_of", "play_checked", "play_one"]
