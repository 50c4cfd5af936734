"""OpFor: a battle for two commanders, as a PettingZoo environment whose agents are asked in turn.

| | |
|---|---|
| Agents | the sides, by their names in the scenario |
| Actions | ``Discrete(320)``, see docs/environments.md |
| Observations | ``{"observation": float32 vector, "action_mask": int8 vector}``, see docs/observation.md |
| Rewards | +1 for a win, -1 for a loss, 0 for a draw, and what :class:`envs.reward.RewardConfig` adds |

``raw_env`` is the battle, in which an illegal action raises :class:`ValueError`; :func:`env` wraps it as PettingZoo's games
are: an illegal action loses, and calls out of order are told.

**Who is asked.** ``agent_selection`` is the side whose decision is due. It takes as many small steps as its order needs, and
may be asked many times running: sides do not take turns step by step. There is no parallel environment, for only one side
is ever asked; the rules have no moment at which both answer at once.

**Observations** are those of the side that is asked. The other's is blank, all zeros, and its mask offers nothing.

**Rewards** come when they can be used: a side is told what the time since its last step was worth when it is asked again,
and at the end, so that each side's rewards are those that it would have had in :class:`envs.opfor_env.OpForEnv`.

Version history: v0, the first.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from envs.actions import ACTIONS
from envs.match import TRIES, Match
from envs.observation import Observer
from envs.render import MODES, Picture, Renderer
from envs.reward import Reward, RewardConfig
from envs.scenarios import ScenarioConfig, Scenarios
from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.game.game import Game
from opfor.rules.moving.compiling import use_compiled

Observation = dict[str, NDArray[Any]]
#: seeds of the parts of an episode are drawn below this
_SEEDS = 2**31


def env(**settings: Any) -> AECEnv[str, Observation, int]:
    """The battle in PettingZoo's usual wrappers; ``settings`` are those of :class:`raw_env`."""
    wrapped: AECEnv[str, Observation, int] = raw_env(**settings)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
    """The battle, unwrapped."""

    metadata = {"render_modes": list(MODES), "name": "opfor_v0", "is_parallelizable": False, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        scenario: str | Path | ScenarioConfig = "skirmish",
        *,
        ruleset: str | None = None,
        reward: RewardConfig | dict[str, Any] | None = None,
        split: str = "train",
        render_mode: str | None = None,
        max_steps: int = 0,
    ) -> None:
        """As :class:`envs.opfor_env.OpForEnv`, without an opponent. ``max_steps`` counts those of both sides.

        Raises :class:`opfor.errors.InputError` for anything that is not there.
        """
        if render_mode is not None and render_mode not in MODES:
            raise InputError(f"there is no render mode {render_mode!r}: use {', '.join(MODES)}", place="render_mode")
        super().__init__()
        self.render_mode = render_mode
        self.scenarios = Scenarios(scenario, ruleset=ruleset, split=split)
        self.max_steps = max_steps
        # searches and lines of fire are compiled where numba is installed
        use_compiled()
        self.observer = Observer()
        config = RewardConfig.model_validate(reward if reward is not None else {})
        self.possible_agents = list(self.scenarios.draw(0).sides)
        self._rewards = [Reward(config) for _ in self.possible_agents]
        self._observation_space = spaces.Dict(
            {"observation": self.observer.space, "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8)}
        )
        #: one a side, so that each can be seeded by itself
        self._action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}
        self._rng, _ = seeding.np_random(None)
        self._match: Match | None = None
        self._renderer: Renderer | None = None
        self._asked: set[int] = set()
        self.steps = 0

    # -- PettingZoo -----------------------------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for both sides."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for both sides."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a battle. All of it follows from the seed. ``options``: ``scenario_seed`` draws that battle."""
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        scenario, dice = (int(n) for n in self._rng.integers(_SEEDS, size=2))
        scenario = int((options or {}).get("scenario_seed", scenario))
        for _ in range(TRIES):
            state = self.scenarios.draw(scenario)
            match = Match(Game(state, SeededDice(dice)), keep_events=self.render_mode is not None)
            if not match.over:
                break
            # over before anybody was asked: nothing to play
            scenario += 1
        else:
            raise InputError(f"{TRIES} battles running are over before anybody is asked", place="scenario")
        self._match = match
        self.steps = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        for side, reward in enumerate(self._rewards):
            reward.begin(state, side)
        self._asked = {match.side}
        self.agent_selection = self.agents[match.side]

    def step(self, action: int | None) -> None:
        """Take one small step for the side that is asked; None for a side whose battle is over.

        Raises :class:`ValueError` for an illegal action, and for an action after the end.
        """
        if not self.agents:
            raise ValueError("the battle is over: reset() begins another")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        match = self._match
        assert match is not None
        if action is None:
            raise ValueError(f"{agent} is asked for an action, and gave none")
        match.step(int(action))
        self.steps += 1
        over = match.over
        truncated = bool(self.max_steps) and self.steps >= self.max_steps and not over
        self._cumulative_rewards[agent] = 0.0
        for side, name in enumerate(self.agents):
            self.rewards[name] = self._gained(side) if over or truncated or side == match.side else 0.0
            self.terminations[name] = over
            self.truncations[name] = truncated
        if not over:
            self.agent_selection = self.agents[match.side]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What a side sees, and its legal actions: blank unless it is the side that is asked."""
        seen = np.zeros(self.observer.size, dtype=np.float32)
        mask = np.zeros(ACTIONS, dtype=np.bool_)
        match = self._match
        if match is not None and not match.over and self.possible_agents[match.side] == agent:
            self.observer.observe(match, seen)
            self.observer.mask(match, mask)
        return {"observation": seen, "action_mask": mask.view(np.int8)}

    def render(self) -> str | Picture | None:
        """The battle as text (``ansi``), as a picture (``rgb_array``), or printed (``human``)."""
        if self.render_mode is None or self._match is None:
            return None
        if self._renderer is None:
            self._renderer = Renderer(self.render_mode)
        return self._renderer.draw(self._match)

    def close(self) -> None:
        """Nothing is held open."""

    # -- within ---------------------------------------------------------------------------------------------------------

    def _gained(self, side: int) -> float:
        """What the time since its last step was worth to a side; nothing when it is asked for the first time."""
        match = self._match
        assert match is not None
        state = match.game.state
        if side not in self._asked and not match.over:
            self._asked.add(side)
            self._rewards[side].begin(state, side)
            return 0.0
        return float(self._rewards[side].after(state, side, over=match.over))


__all__ = ["Observation", "env", "raw_env"]
