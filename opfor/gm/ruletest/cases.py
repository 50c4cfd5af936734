"""A failure that can be played again: a battle, orders, the dice of each, and the fault that must show.

Orders that no longer fit the battle are passed over, and units that are asked and have no order do nothing, so that parts of a
case can be left out and the rest tried: that is what :mod:`opfor.gm.ruletest.shrink` does.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from opfor.dice import Roll, SeededDice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.formats.battle_file.battle_turn import resting
from opfor.formats.battle_file.battle_write import battle_document
from opfor.formats.orders import order_from_dict
from opfor.formats.replay import ReplayRecorder
from opfor.formats.words.notation import order_from_words
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.invariants import Invariants
from opfor.game.loop import Observer
from opfor.gm.policies import policy_named
from opfor.gm.ruletest.guard import Course, Stopped, check_replay, guarded, in_words
from opfor.gm.ruletest.invariants import Outside
from opfor.gm.ruletest.sources import BattleData
from opfor.gm.ruletest.violations import Violation
from opfor.gm.running.control import hold
from opfor.orders import Order

Fault = tuple[str, str, str]
Step = dict[str, Any]
#: units that do nothing, in a row, before the next order counts as one that does not fit
_MOST_HOLDS = 40
#: legal orders looked through for one that is offered and not listed
MOST_LEAVES = 20_000
#: positions kept of a game that is played again, the latest ones
_KEPT = 400


@dataclass(frozen=True, slots=True)
class Case:
    """``battle`` in the form of its file (``folder``: what paths in it are relative to), ``steps`` as a game's record has them:
    ``{"order", "dice"}``. ``codes`` and ``seed``: the policies that played, for a fault that one of them raises. ``early``: the
    dice of a case without steps.
    """

    battle: BattleData
    steps: tuple[Step, ...]
    fault: Fault
    folder: str = ""
    codes: tuple[str, ...] = ()
    seed: int = 0
    early: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """A case played: the violation met, None for none, and the steps as they were really taken, with all their dice."""

    violation: Violation | None
    steps: tuple[Step, ...]
    #: the orders in words, "" for one that words do not tell in full
    words: tuple[str, ...]
    #: positions before each step that a file can hold, by the number of the step
    positions: Mapping[int, BattleData]
    early: tuple[tuple[int, ...], ...] = ()

    @property
    def dice(self) -> list[Sequence[int]]:
        """All rolls in the order in which they were asked for."""
        return [*self.early, *(roll for step in self.steps for roll in step["dice"])]


class StepDice:
    """The dice of a case: those of the present step where they fit what is asked for, then others by ``chance``."""

    def __init__(self, chance: int = 0) -> None:
        self.log: list[Roll] = []
        self._given: deque[tuple[int, ...]] = deque()
        self._then = SeededDice(chance)

    def give(self, rolls: Sequence[Sequence[int]]) -> None:
        """The dice of the next step; what is left of the one before is put away."""
        self._given = deque(tuple(roll) for roll in rolls)

    def roll(self, count: int, why: str) -> Roll:
        """The next given roll of so many dice, or one by chance."""
        while self._given:
            dice = self._given.popleft()
            if len(dice) == count:
                roll = Roll(dice, why)
                break
        else:
            roll = self._then.roll(count, why)
        self.log.append(roll)
        return roll

    def copy(self) -> StepDice:
        """An independent copy."""
        twin = StepDice()
        twin._given, twin._then = self._given.copy(), self._then.copy()
        return twin


def case_of(record: Mapping[str, Any], folder: str = "") -> Case:
    """The case of a game that was stopped by a violation, from its record."""
    failure, violation = record["failure"], record["violations"][0]
    fault = (violation["kind"], violation["what"], violation["place"])
    early = tuple(tuple(roll) for roll in failure["early"])
    return Case(failure["battle"], tuple(failure["steps"]), fault, folder, tuple(failure["codes"]), failure["seed"], early)


def run_case(case: Case, chance: int = 0, *, positions: bool = False, words: bool = False) -> Run | None:
    """Play a case until something goes wrong or its orders are through. None where its battle is none.

    ``chance`` seeds the dice that the case does not give. ``positions`` and ``words``: keep them in the :class:`Run`.
    """
    try:
        path = Path(case.folder) / "battle.yaml" if case.folder else None
        battle = read_battle(json.dumps(case.battle), source="case", path=path)
    except (InputError, ValueError, KeyError):
        return None
    return _Player(case, battle, chance, positions, words).run()


class _Player:
    """One run of a case."""

    def __init__(self, case: Case, battle: Battle, chance: int, keep: bool, words: bool) -> None:
        self.case = case
        self.battle = battle
        self.dice = StepDice(chance)
        self.game = Game(battle.state, self.dice)
        self.course = Course()
        self.recorder = ReplayRecorder(battle)
        every = 1 if case.fault[0] == "invariant" else 0
        self.observers: list[Observer] = [self.course, Invariants(), Outside(battle, every)]
        if case.fault[0] == "replay":
            self.observers.insert(1, self.recorder)
        self.words: list[str] | None = [] if words else None
        self.positions: dict[int, BattleData] | None = {} if keep else None

    def run(self) -> Run:
        violation = None
        try:
            for observer in self.observers:
                self._guarded(partial(observer.before, self.game))
            self.dice.give(self.case.early)
            for number, step in enumerate(self.case.steps):
                self.dice.give(step["dice"])
                if not self._step(step, number == len(self.case.steps) - 1):
                    break
            self._ask()
        except Stopped as stopped:
            self.course.take_dice(self.game)
            violation = stopped.violation
        early = tuple(tuple(roll) for roll in self.course.early)
        return Run(violation, tuple(self.course.steps), tuple(self.words or ()), self.positions or {}, early)

    def _step(self, step: Step, last: bool) -> bool:
        """Let others do nothing until the unit of the step is asked, and give its order; False when the battle is over."""
        for _ in range(_MOST_HOLDS):
            decision = self._due()
            if decision is None:
                return False
            if step["order"]["unit"] in decision.unit_ids:
                order = self._read(step)
                if order is not None and (order in decision.legal or (last and self._unlisted(decision, order))):
                    self._give(decision, order)
                return True
            self._give(decision, self._nothing(decision))
        return True

    def _unlisted(self, decision: Decision, order: Order) -> bool:
        """Whether it is the fault that the tree of legal orders offers an order that is not listed."""
        if self.case.fault[:2] != ("invariant", "listed"):
            return False
        mine = [unit for unit in (*decision.units, *decision.also) if unit.id == order.unit]
        return order in islice(decision.narrowed(mine).legal.tree().leaves(), MOST_LEAVES)

    def _ask(self) -> None:
        """What is looked at once all orders are given: the choice that is due, by the policy whose fault it was; the replay."""
        if self.case.fault[0] == "replay":
            for observer in self.observers:
                self._guarded(partial(observer.after, self.game))
            check_replay(self.recorder.text(), self.game.state.turn, self.battle.path)
            return
        decision = self._due()
        if decision is None:
            return
        self._guarded(partial(_look_through, decision))
        if self.case.fault[0] in ("crash", "policy") and self.case.codes:
            side = decision.side
            chooser = self._guarded(partial(policy_named, self.case.codes[side], self.case.seed + side), "policy")
            self._guarded(partial(chooser.choose, decision, self.game.view(side)), "policy")

    def _due(self) -> Decision | None:
        due: Decision | None = self._guarded(self.game.decision)
        number = len(self.course.steps)
        if self.positions is not None and number not in self.positions and resting(self.game.state):
            self.positions[number] = battle_document(self.battle)
            self.positions.pop(number - _KEPT, None)
        return due

    def _give(self, decision: Decision, order: Order) -> None:
        game = self.game
        self.course.words = in_words(order, game)
        if self.words is not None:
            self.words.append(self.course.words if self._readable(order, decision) else "")
        for observer in self.observers:
            self._guarded(partial(observer.ordered, game, decision, order))
        events = self._guarded(partial(game.apply, order, trust=True))
        for observer in self.observers:
            self._guarded(partial(observer.happened, game, order, events))

    def _read(self, step: Step) -> Order | None:
        with suppress(InputError, KeyError, ValueError):
            return order_from_dict(step["order"], self.game.state)
        return None

    def _readable(self, order: Order, decision: Decision) -> bool:
        """Whether the order in words is read as the same order."""
        with suppress(InputError, KeyError, ValueError):
            return order_from_words(self.course.words, self.game.state, decision.legal) == order
        return False

    def _nothing(self, decision: Decision) -> Order:
        """The order to do nothing, or the first of the list where there is none."""
        if decision.units:
            order: Order = self._guarded(partial(hold, self.game.state, decision.units[0], decision.kind))
            if order in decision.legal:
                return order
        first: Order = self._guarded(partial(decision.legal.sample, lambda count: 0))
        return first

    def _guarded(self, step: Any, kind: str = "crash") -> Any:
        return guarded(step, kind, self.game, self.course)


def _look_through(decision: Decision) -> None:
    """Have the legal orders worked out: their number, and one of them."""
    if decision.legal.count():
        decision.legal.sample(lambda count: 0)


def shows(case: Case, chances: Sequence[int] = (0,), *, positions: bool = False) -> Run | None:
    """The first run of a case, by dice of one of the ``chances``, that shows its fault; None when none does."""
    for chance in chances:
        run = run_case(case, chance, positions=positions)
        if run is None:
            return None
        if run.violation is not None and run.violation.fault == case.fault:
            return run
    return None


def settled(case: Case, run: Run) -> Case:
    """The case with the steps as a run took them: nothing in it is left to chance."""
    return replace(case, steps=run.steps, early=run.early)


__all__ = ["MOST_LEAVES", "Case", "Fault", "Run", "Step", "StepDice", "case_of", "run_case", "settled", "shows"]
