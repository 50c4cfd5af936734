"""Walking a decision's tree with a network: at each question it sees what an environment would show, and takes an option."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np

from envs.actions import Parts, Question, Walk
from envs.layout import Flat
from envs.observation import LAYOUT, SIZE, Observer
from opfor.game.decision import Decision
from opfor.game.restraint import restrained
from opfor.game.view import View
from opfor.orders import Order
from policies.learned.network import Scorer


class Step(NamedTuple):
    """One question answered: ``action`` was taken. ``logits`` of its legal actions; ``rows`` is what was seen of them, a
    row of the group slots each; ``before`` the facts of the options taken until then, put together."""

    question: Question | Parts
    action: int
    logits: Flat
    rows: Flat
    before: dict[str, Any]


class Seen(NamedTuple):
    """A policy's present decision, as :class:`envs.observation.Observer` looks at it."""

    walk: Walk
    view: View
    battle: object


class Player:
    """Answers decisions of one side of one battle. ``temperature`` 0 takes the best option, more draws among them."""

    def __init__(self, scorer: Scorer, draw: random.Random, temperature: float = 0.0) -> None:
        self._scorer = scorer
        self._draw = draw
        self._temperature = temperature
        self._observer = Observer()
        self._flat: Flat = np.zeros(SIZE, dtype=np.float32)

    def decide(self, decision: Decision, view: View) -> tuple[Order, list[Step]]:
        """An order of ``decision.legal``, and the questions that led to it; none where there was no choice.

        What is listed as legal may tell of what the side does not know: a hex that is barred, for somebody hides in it. So
        where anything is hidden, it is asked what would be legal if there were no more than what it knows.
        """
        known = as_known(decision, view)
        order, steps = self._walked(known, view)
        if known is not decision and order not in decision.legal:
            # something unseen is in the way
            return self._walked(decision, view)
        return order, steps

    def _walked(self, decision: Decision, view: View) -> tuple[Order, list[Step]]:
        state = view.glimpse
        walk = Walk(state, decision)
        # what is remembered of units holds for as long as the rules are the same
        seen = Seen(walk, view, state.ruleset)
        steps: list[Step] = []
        slots = LAYOUT.view(self._flat, "slots")
        while (question := walk.question) is not None:
            self._observer.observe(seen, self._flat)
            logits = self._scorer.logits(self._flat)
            action = self._take(logits)
            before = {name: value for _, facts in walk.chosen for name, value in facts.items()}
            steps.append(Step(question, action, logits, slots[: len(logits)].copy(), before))
            walk.choose(action)
        assert walk.order is not None
        return walk.order, steps

    def _take(self, logits: Flat) -> int:
        if self._temperature <= 0.0:
            return int(logits.argmax())
        shares = shares_of(logits, self._temperature)
        return min(int(np.searchsorted(np.cumsum(shares), self._draw.random(), side="right")), len(shares) - 1)


def as_known(decision: Decision, view: View) -> Decision:
    """The decision as it would be by what the side knows; the same one where nothing is hidden from it."""
    state = view.glimpse
    first = (decision.units + decision.also)[0]
    if state.unit(first.id) is first:
        return decision
    moment = state.underway[-1] if decision.moment is not None and state.underway else None
    if moment is not None and state.units[moment.unit].gone:
        # whoever it is asked to break in on is not seen: there is nothing to ask by that
        return decision
    units, also = ([state.unit(unit.id) for unit in some] for some in (decision.units, decision.also))
    return restrained(Decision(state, decision.side, units, decision.kind, moment=moment, also=also))


def shares_of(logits: Flat, temperature: float = 1.0) -> Flat:
    """The shares that the network gives to the options, of the same shape: they add up to 1."""
    raised = np.exp((logits - logits.max()) / np.float32(temperature))
    found: Flat = raised / raised.sum()
    return found


__all__ = ["Player", "Seen", "Step", "as_known", "shares_of"]
