"""Self-play: the environment for one commander, with an opponent that can be exchanged between battles.

An opponent is a policy by its code, or a function from an observation and a mask to an action: a network, frozen or learning.
In vector environments it is exchanged by ``vec_env.env_method("set_opponent", opponent)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from envs.actions import ACTIONS
from envs.opfor_env import SIDES, Mask, Observation, OpForEnv
from policies.registry import make

#: chooses a legal action: takes an observation and a mask, both only valid until it returns
Act = Callable[[Observation, Mask], int]
#: a side for the agent in turn: first, second, first ...
ALTERNATE = "alternate"


class SelfPlayEnv(OpForEnv):
    """One commander against an opponent that can be exchanged.

    The agent commands the two sides in turn (``side="alternate"``), beginning with the first whenever a seed is given.
    An environment can be pickled, and sent to another process, as its opponent can.
    """

    def __init__(self, *args: Any, opponent: str | Act = "random", side: str = ALTERNATE, **settings: Any) -> None:
        """``opponent``: a policy's code, or a function; the rest as :class:`envs.opfor_env.OpForEnv`.

        Raises :class:`opfor.errors.InputError` for anything that is not there.
        """
        code = opponent if isinstance(opponent, str) else "random"
        super().__init__(*args, opponent=code, side="first" if side == ALTERNATE else side, **settings)
        self.alternates = side == ALTERNATE
        #: battles begun since a seed was last given
        self.battles = 0
        self._act: Act | None = None
        #: who plays from the next battle on
        self._next: str | Act | None = None if isinstance(opponent, str) else opponent
        self._seen = np.zeros(self.observer.size, dtype=np.float32)
        self._legal = np.zeros(ACTIONS, dtype=np.bool_)

    def set_opponent(self, opponent: str | Act) -> None:
        """Play against another opponent from the next battle on: the one that is going on is finished against the present one.

        Raises :class:`opfor.errors.InputError` when there is no such policy.
        """
        if isinstance(opponent, str):
            make(opponent)
        self._next = opponent

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin a battle; see :meth:`envs.opfor_env.OpForEnv.reset`."""
        if self._next is not None:
            self._act = None if isinstance(self._next, str) else self._next
            if isinstance(self._next, str):
                self.opponent_code = self._next
                self.opponent = make(self._next)
            self._next = None
        if seed is not None:
            self.battles = 0
        if self.alternates:
            options = {"side": SIDES[self.battles % 2], **(options or {})}
        self.battles += 1
        return super().reset(seed=seed, options=options)

    def _answer(self) -> None:
        act, match = self._act, self.match
        assert match is not None
        if act is None:
            super()._answer()
            return
        while not match.over and match.side != self.agent:
            self.observer.observe(match, self._seen)
            self.observer.mask(match, self._legal)
            match.step(int(act(self._seen, self._legal)))


__all__ = ["ALTERNATE", "Act", "SelfPlayEnv"]
