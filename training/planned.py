"""The environment that a learner plays in: every battle in it is planned beforehand, and can be taken up in its middle.

A plan is plain data that names all of a battle: the set, the seed, the side, the opponent. So a battle that is going on is its
plan and the actions taken so far; a run that is gone on with fights it again up to there. No environment is ever saved.

No torch here: opponents that have learnt play with NumPy, and these environments may run in processes of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from envs.layout import Flat
from envs.opfor_env import SIDES, Mask, Observation
from envs.reward import RewardConfig
from envs.scenarios import ScenarioConfig, Scenarios
from envs.self_play import Act, SelfPlayEnv
from policies.learned.model import load_model
from policies.registry import make


class Plan(BaseModel):
    """A battle: which of the sets (by its number), its seed, the learner's side, and who plays the other.

    ``opponent`` is the name in the pool; ``code`` a policy's, or ``path`` a model file's with ``temperature`` to draw by.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    battles: int
    seed: int
    side: int
    opponent: str
    code: str = ""
    path: str = ""
    temperature: float = 1.0


class PlannedEnv(SelfPlayEnv):
    """Battles by plan. :meth:`plan` says what the next one is, before the present one ends."""

    def __init__(self, sets: Sequence[ScenarioConfig], reward: RewardConfig, folder: str = "") -> None:
        """``sets``: those that plans name by number. ``folder``: where paths of model files begin.

        Raises :class:`opfor.errors.InputError` for what is not there.
        """
        super().__init__(sets[0], opponent="random:tree", side="first", reward=reward)
        self._folder = Path(folder)
        self._sets = [Scenarios(one) for one in sets]
        self._policies = {"random:tree": self.opponent}
        self._now: Plan | None = None
        self._coming: Plan | None = None
        self._actions: list[int] = []
        self._paid = 0.0

    def plan(self, plan: Mapping[str, Any]) -> None:
        """The battle after the present one, as a :class:`Plan`'s data."""
        self._coming = Plan.model_validate(plan)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin the planned battle; ``seed`` and ``options`` are the plan's. Raises :class:`RuntimeError` for none."""
        plan = self._coming
        if plan is None:
            raise RuntimeError("plan() comes before a battle begins")
        self._now, self._coming = plan, None
        self._actions, self._paid = [], 0.0
        self.scenarios = self._sets[plan.battles]
        self._act = None
        if plan.path:
            self._act = sampler(str(self._folder / plan.path), plan.temperature, plan.seed)
        else:
            if plan.code not in self._policies:
                self._policies[plan.code] = make(plan.code)
            self.opponent = self._policies[plan.code]
        return super().reset(seed=plan.seed, options={"side": SIDES[plan.side]})

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """As the parent's; ``info`` at the end of a battle tells the ``opponent``, ``battle_steps`` and ``battle_reward``."""
        self._actions.append(int(action))
        found = super().step(action)
        self._paid += found[1]
        if found[2]:
            assert self._now is not None
            found[4].update(opponent=self._now.opponent, battle_steps=self.steps, battle_reward=self._paid)
        return found

    def standing(self) -> dict[str, Any]:
        """The battle that is going on, and the next, as data that JSON can hold."""
        assert self._now is not None
        coming = self._coming.model_dump() if self._coming is not None else None
        return {"now": self._now.model_dump(), "coming": coming, "actions": self._actions[:]}

    def take_up(self, standing: Mapping[str, Any]) -> Observation:
        """Fight a battle again up to where it stood; returns what is seen there."""
        self.plan(standing["now"])
        seen, _ = self.reset()
        for action in standing["actions"]:
            seen = self.step(action)[0]
        if standing["coming"] is not None:
            self.plan(standing["coming"])
        return seen


def sampler(path: str, temperature: float, seed: int) -> Act:
    """A network of a model file as an opponent: draws actions by their chances; temperature 0 takes the best."""
    network = load_model(path).scorer
    draw = np.random.default_rng(seed).random

    def act(seen: Observation, legal: Mask) -> int:
        scores: Flat = network.logits(seen)
        if not temperature:
            return int(scores.argmax())
        chances = np.exp((scores - scores.max()) / np.float32(temperature), dtype=np.float64).cumsum()
        return min(int(np.searchsorted(chances, draw() * chances[-1], side="right")), len(chances) - 1)

    return act


__all__ = ["Plan", "PlannedEnv", "sampler"]
