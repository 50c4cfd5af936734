"""How good a model is: battles of the held-out split against fixed opponents, each fought from both sides, with intervals.

The model plays as it will be played: from its file, with NumPy, always the best-scored option. No torch here: battles may be
fought in processes of their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from envs.opfor_env import SIDES, OpForEnv
from envs.reward import RewardConfig
from opfor.gm.arena.statistics import interval_mirrored
from opfor.gm.workers import run_jobs
from policies.learned.model import load_model
from training.battles import Battles
from training.bouts import BoutBook, BoutKey, weights_digest
from training.planned import sampler
from training.seeds import seed_of

if TYPE_CHECKING:
    from training.config import Evaluation

#: environments kept by a process: those of other sets and opponents are made anew
_KEPT = 8


@dataclass(frozen=True, slots=True)
class Bout:
    """A battle to be fought: the model's file, the set, its opponent, the number of the battle and the model's side."""

    model: str
    battles: Battles
    opponent: str
    number: int
    side: int

    def key(self, weights: str) -> BoutKey:
        """Which bout it is, by the digest of its model's weights."""
        return BoutKey(weights, self.opponent, self.battles.name, self.number, self.side)


@dataclass(frozen=True, slots=True)
class Score:
    """The share of points won against an opponent in a set of battles (a draw counts half), with its 95 % interval."""

    opponent: str
    scenario: str
    battles: int
    score: float
    low: float
    high: float


def evaluate(
    model: str, config: Evaluation, numbers: range, fought: Callable[[], None] = lambda: None, book: BoutBook | None = None
) -> Iterator[Score]:
    """Scores against each opponent in each set, over the battles of these numbers, fought twice. ``fought``: called after each.

    The same numbers are the same battles: two models are compared on the same ground. What ``book`` has of these weights is not
    fought again, and what is fought is written into it.
    """
    pairs = [(opponent, where) for opponent in config.opponents for where in config.scenarios]
    bouts = [Bout(model, where, opponent, number, side) for opponent, where in pairs for number in numbers for side in (0, 1)]
    weights = weights_digest(load_model(model).arrays) if book is not None else ""
    points = {} if book is None else dict(book.fought)
    jobs = [bout for bout in bouts if bout.key(weights) not in points]
    with closing(run_jobs(fight, jobs, on=config.place, count=config.processes)) as results:
        for bout, won in results:
            points[bout.key(weights)] = won
            if book is not None:
                book.add(bout.key(weights), won)
            fought()
    for opponent, where in pairs:
        keys = [[Bout(model, where, opponent, number, side).key(weights) for side in (0, 1)] for number in numbers]
        scores = [math.fsum(points[key] for key in both) / 2 for both in keys]
        low, high = interval_mirrored(scores)
        yield Score(opponent, where.name, 2 * len(numbers), math.fsum(scores) / len(numbers), low, high)


def mean_score(scores: Sequence[Score]) -> float:
    """One number to choose the best model by: the mean over opponents and sets."""
    return math.fsum(one.score for one in scores) / len(scores)


def fight(bout: Bout) -> float:
    """Fight one battle: 1 for a victory of the model, 0.5 for a draw, 0 for a defeat."""
    env = _env(bout.battles.model_dump_json(), bout.opponent)
    act = sampler(bout.model, 0.0, 0)
    # forces, dice and the opponent's chance are the same from either side
    seen, info = env.reset(seed=seed_of("bout", bout.number), options={"side": SIDES[bout.side]})
    while "winner" not in info:
        seen, _, _, _, info = env.step(act(seen, info["action_mask"]))
    return 1.0 if info["is_success"] else 0.5 if info["winner"] in (None, -1) else 0.0


@lru_cache(maxsize=_KEPT)
def _env(battles: str, opponent: str) -> OpForEnv:
    where = Battles.model_validate_json(battles)
    # nobody is paid for anything here
    return OpForEnv(where.config(), opponent=opponent, split="held-out", reward=RewardConfig(shaping=0.0))


__all__ = ["Bout", "Score", "evaluate", "fight", "mean_score"]
