"""The full rules as a gymnasium environment: the agent commands one side, a policy the other.

Actions and observations: docs/environments.md. An episode is a battle; a step is one small choice of an order, and the other
side's whole orders are given within the step that lets it act.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from envs.actions import ACTIONS
from envs.match import TRIES, Match
from envs.observation import Observer
from envs.render import Renderer
from envs.reward import Reward, RewardConfig
from envs.scenarios import ScenarioConfig, Scenarios
from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.game.game import Game
from opfor.orders import Order
from opfor.rules.moving.compiling import use_compiled
from policies.base import Policy
from policies.registry import make

Observation = NDArray[np.float32]
Mask = NDArray[np.bool_]
#: what the agent may command
SIDES = ("first", "second", "random")
#: seeds of the parts of an episode are drawn below this
_SEEDS = 2**31


class OpForEnv(gymnasium.Env[Observation, np.int64]):
    """One commander against a policy.

    Observations are float32 vectors (:mod:`envs.observation`), actions ``Discrete(ACTIONS)`` with an exact mask
    (:meth:`action_masks`, also ``info["action_mask"]``). An illegal action, and a step after the end, raise
    :class:`ValueError`. An episode ends with the battle, which the scenario's turn limit bounds; ``max_steps`` truncates it.

    ``info``: ``action_mask``, ``side`` (index of the agent's side), ``decision`` (kind), ``question``; when the battle is over
    also ``winner`` (index, -1 for a draw) and ``is_success``.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012 - gymnasium's own name and form

    def __init__(
        self,
        scenario: str | Path | ScenarioConfig = "skirmish",
        *,
        ruleset: str | None = None,
        side: str = "random",
        opponent: str = "veteran",
        reward: RewardConfig | dict[str, Any] | None = None,
        split: str = "train",
        render_mode: str | None = None,
        max_steps: int = 0,
    ) -> None:
        """``scenario``: a named set, a config, or the path of a battle file; ``ruleset`` replaces its own.

        ``side``: first, second, random, or a side by its name. ``opponent``: a policy by its code. ``split``: ``train`` or
        ``held-out``, which never share a battle. ``max_steps``: 0 for none.

        Raises :class:`opfor.errors.InputError` for anything that is not there.
        """
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise InputError(f"there is no render mode {render_mode!r}: use ansi or rgb_array", place="render_mode")
        self.render_mode = render_mode
        self.scenarios = Scenarios(scenario, ruleset=ruleset, split=split)
        self.side = side
        self.max_steps = max_steps
        # searches and lines of fire are compiled where numba is installed
        use_compiled()
        self.observer = Observer()
        self.reward = Reward(RewardConfig.model_validate(reward if reward is not None else {}))
        self.opponent_code = opponent
        self.opponent: Policy = make(opponent)
        self.observation_space = cast(spaces.Space[Observation], self.observer.space)
        self.action_space = spaces.Discrete(ACTIONS)
        self.match: Match | None = None
        self.agent = 0
        self.steps = 0
        self._renderer: Renderer | None = None
        self._observation = np.zeros(self.observer.size, dtype=np.float32)
        self._mask = np.zeros(ACTIONS, dtype=np.bool_)

    # -- gymnasium ------------------------------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin a battle. All of an episode follows from the seed: scenario, dice, side and opponent.

        ``options``: ``scenario_seed`` draws that battle, ``side`` commands that side in this episode.
        """
        super().reset(seed=seed)
        options = options or {}
        scenario, dice, opponent, coin = (int(n) for n in self.np_random.integers(_SEEDS, size=4))
        scenario = int(options.get("scenario_seed", scenario))
        for _ in range(TRIES):
            state = self.scenarios.draw(scenario)
            self.agent = self._side(str(options.get("side", self.side)), state.sides, coin)
            self.opponent.reset(opponent)
            self.match = Match(Game(state, SeededDice(dice)), keep_events=self.render_mode is not None)
            self.steps = 0
            self._answer()
            if not self.match.over:
                break
            # over before the agent was asked: nothing to learn from that one
            scenario += 1
        else:
            raise InputError(f"{TRIES} battles running are over before {state.sides[self.agent]} is asked", place="scenario")
        self.reward.begin(self.match.game.state, self.agent)
        self._see()
        return self._observation, self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take one small step. Raises :class:`ValueError` for an illegal action and after the end of the battle."""
        match = self.match
        if match is None:
            raise ValueError("reset() comes before step()")
        if match.step(int(action)):
            self._answer()
        self.steps += 1
        over = match.over
        gained = self.reward.after(match.game.state, self.agent, over=over)
        truncated = bool(self.max_steps) and self.steps >= self.max_steps and not over
        self._see()
        return self._observation, gained, over, truncated, self._info()

    def action_masks(self) -> Mask:
        """Which actions are legal now: shape (ACTIONS,), bool. All False once the battle is over."""
        return self._mask.copy()

    def render(self) -> Any:
        """The battle as text (``ansi``) or as a picture, uint8 of shape (height, width, 3) (``rgb_array``)."""
        if self.render_mode is None or self.match is None:
            return None
        if self._renderer is None:
            self._renderer = Renderer(self.render_mode)
        return self._renderer.draw(self.match)

    # -- within ---------------------------------------------------------------------------------------------------------

    def _answer(self) -> None:
        """Let the opponent give its orders until the agent is asked, or the battle is over."""
        assert self.match is not None
        self.match.play(self._opponents_order, until=self.agent)

    def _opponents_order(self, match: Match) -> Order:
        assert match.walk is not None
        decision = match.walk.decision
        return self.opponent.choose(decision, match.game.view(decision.side))

    def _see(self) -> None:
        assert self.match is not None
        # each is handed out and belongs to who gets it
        self._observation = np.empty(self.observer.size, dtype=np.float32)
        if self.match.over:
            # nothing is asked any more: a blank observation, and no action
            self._observation[:] = 0.0
            self._mask[:] = False
            return
        self.observer.observe(self.match, self._observation)
        self.observer.mask(self.match, self._mask)

    def _info(self) -> dict[str, Any]:
        match = self.match
        assert match is not None
        found: dict[str, Any] = {"action_mask": self._mask.copy(), "side": self.agent}
        if match.walk is not None and match.walk.question is not None:
            found["decision"] = match.walk.decision.kind
            found["question"] = match.walk.question.name
        if match.over:
            found["winner"] = match.game.state.winner
            found["is_success"] = match.game.state.winner == self.agent
        return found

    def _side(self, wanted: str, names: tuple[str, ...], coin: int) -> int:
        if wanted == "random":
            return coin % len(names)
        if wanted in SIDES:
            return SIDES.index(wanted)
        if wanted not in names:
            raise InputError(f"there is no side {wanted!r}: use {', '.join((*SIDES, *names))}", place="side")
        return names.index(wanted)
