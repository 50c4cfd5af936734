"""What tests of observations begin with: battles in small steps, and what is seen in them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import numpy as np

from envs.actions import ACTIONS
from envs.features.choice import question_name
from envs.layout import Flat
from envs.match import Match
from envs.observation import LAYOUT, SIZE, Observer
from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.gm.starting.mixes import mixed_ruleset
from opfor.state import State
from tests.support import make_state

KINDS = ("mech", "vehicle", "infantry", "vtol", "battle_armor")
WEAPON = {"weapons": {"RA": ["is_medium_laser"]}}


def steps(state: State, seed: int, most: int = 10_000) -> Iterator[Match]:
    """A battle at every question, options drawn by seed."""
    match = Match(Game(state, SeededDice(seed)))
    draw = random.Random(seed).random
    for _ in range(most):
        if match.walk is None:
            return
        yield match
        match.step(1 + int(draw() * match.walk.options))


def seen(match: Match, observer: Observer | None = None) -> Flat:
    out = np.full(SIZE, np.nan, dtype=np.float32)
    (observer or Observer()).observe(match, out)
    return out


def sound(match: Match, out: Flat, observer: Observer) -> None:
    """An observation is within its space and its rows are those of the actions."""
    assert observer.space.contains(out)
    assert np.isfinite(out).all()
    mask = np.zeros(ACTIONS, dtype=np.bool_)
    observer.mask(match, mask)
    assert match.walk is not None and match.walk.question is not None
    assert mask.sum() == match.walk.question.options + 1 and mask[: match.walk.question.options + 1].all()
    slots = LAYOUT.view(out, "slots")
    assert (slots[:, 0] == mask).all()
    assert not slots[~mask].any()
    assert LAYOUT.read(out, "choice", f"asks_{question_name(match.walk.question.name).replace(' ', '_')}") == 1.0


def rulesets() -> Sequence[object]:
    return ("standard", "mwii", "campaign", mixed_ruleset(5))


def duel(**arguments: object) -> State:
    """One unit of side 0 against three, one of which is hidden."""
    units = [
        {"id": "a", "at": "0805", "facing": "S", "mech": WEAPON},
        {"id": "b", "side": 1, "at": "0809", "mech": WEAPON},
        {"id": "c", "side": 1, "at": "1412", "mech": WEAPON, "hidden": True},
        {"id": "d", "side": 1, "at": "0816", "mech": WEAPON},
    ]
    return make_state(units=units, **{"phase": "movement", **arguments})  # type: ignore[arg-type]
