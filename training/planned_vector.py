"""Many planned environments as one, in this process or shared out among some others.

Stable-Baselines3 would put each environment into a process of its own, with torch in every one. Here a few processes have
several environments each: what they wait for each other evens out, and none of them needs torch. What is played does not depend
on how many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from envs.actions import ACTIONS
from envs.layout import Flat
from envs.observation import SIZE
from training.planned import PlannedEnv
from training.planned_group import Hand, Moved


class PlannedEnvs(VecEnv):
    """``count`` environments made by ``make``; ``processes`` of their own that share them, 0 for this one.

    Raises :class:`opfor.errors.InputError` where a process of theirs ends.
    """

    def __init__(self, make: Callable[[], PlannedEnv], count: int, processes: int = 0) -> None:
        groups = min(processes, count) or 1
        bounds = [count * number // groups for number in range(groups + 1)]
        self._rows = [range(*pair) for pair in pairwise(bounds)]
        self._hands = [Hand(make, len(rows), apart=processes > 0) for rows in self._rows]
        self._legal: NDArray[np.bool_] = np.zeros((count, ACTIONS), dtype=np.bool_)
        self._actions: list[int] = []
        super().__init__(count, spaces.Box(-1.0, 1.0, (SIZE,), np.float32), spaces.Discrete(ACTIONS))

    def stand(self, standings: Sequence[dict[str, Any]] | None = None) -> Flat:
        """Begin the planned battles, or take up those that were going on; what is seen there, shape (n, SIZE)."""
        parts = [None if standings is None else [standings[row] for row in rows] for rows in self._rows]
        return self._all("stand", parts).seen

    def reset(self) -> Flat:
        """Begin the planned battles."""
        return self.stand()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take note of the actions."""
        self._actions = [int(action) for action in actions]

    def step_wait(self) -> tuple[Flat, Flat, NDArray[np.bool_], list[dict[str, Any]]]:
        """Observations, rewards, which battles are over, and what is known of those."""
        moved = self._all("step", [[self._actions[row] for row in rows] for rows in self._rows])
        return moved.seen, moved.paid, moved.over, moved.infos

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call a method of each environment, or of those of ``indices``."""
        if method_name == "action_masks" and indices is None:
            # they have come along with what was seen
            return list(self._legal)
        found = []
        for index in self._get_indices(indices):
            hand, rows = next((hand, rows) for hand, rows in zip(self._hands, self._rows, strict=True) if index in rows)
            hand.ask("call", method_name, index - rows.start, method_args)
            found.append(hand.answer())
        return found

    def has_attr(self, attr_name: str) -> bool:
        """Whether each environment has something of that name."""
        return hasattr(PlannedEnv, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """What each environment has by that name, of the class's own: nothing else is asked for."""
        return [getattr(PlannedEnv, attr_name, None) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Nothing may be set from outside: what a battle is stands in its plan."""
        raise AttributeError(f"{attr_name} cannot be set")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """None of them is."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Let the processes end."""
        for hand in self._hands:
            hand.close()

    def _all(self, name: str, arguments: Iterable[Any]) -> Moved:
        """Ask all groups at once, and put their answers one below the other."""
        for hand, argument in zip(self._hands, arguments, strict=True):
            hand.ask(name, argument)
        parts: list[Moved] = [hand.answer() for hand in self._hands]
        if len(parts) == 1:
            (moved,) = parts
        else:
            seen, legal, paid, over = (np.concatenate(rows) for rows in list(zip(*parts, strict=True))[:4])
            moved = Moved(seen, legal, paid, over, [info for part in parts for info in part.infos])
        self._legal = moved.legal
        return moved


__all__ = ["PlannedEnvs"]
