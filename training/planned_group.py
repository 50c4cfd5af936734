"""Planned environments that play one after the other, in this process or in one of their own. No torch here."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from envs.actions import ACTIONS
from envs.layout import Flat
from envs.observation import SIZE
from opfor.errors import InputError
from training.planned import PlannedEnv

#: seconds that a process is given to end by itself
_PATIENCE = 5.0


class Moved(NamedTuple):
    """What a step of n environments came to.

    ``seen``: observations, shape (n, SIZE); ``legal``: masks, (n, ACTIONS); ``paid``, ``over``: (n,); ``infos``: of battles
    that are over, else empty. Where a battle is over, the next has begun, and ``seen`` and ``legal`` are of that.
    """

    seen: Flat
    legal: NDArray[np.bool_]
    paid: Flat
    over: NDArray[np.bool_]
    infos: list[dict[str, Any]]


class Group:
    """Some environments, made one after the other by ``make``."""

    def __init__(self, make: Callable[[], PlannedEnv], count: int) -> None:
        self.envs = [make() for _ in range(count)]

    def stand(self, standings: Sequence[dict[str, Any]] | None) -> Moved:
        """Begin the planned battles, or take up those that were going on."""
        n = len(self.envs)
        moved = _blank(n)
        for row, env in enumerate(self.envs):
            moved.seen[row] = env.reset()[0] if standings is None else env.take_up(standings[row])
            moved.legal[row] = env.action_masks()
        return moved

    def step(self, actions: Sequence[int]) -> Moved:
        """An action in each; battles that end are followed by those that are planned."""
        moved = _blank(len(self.envs))
        for row, (env, action) in enumerate(zip(self.envs, actions, strict=True)):
            seen, moved.paid[row], over, _, info = env.step(action)
            if over:
                moved.over[row], moved.infos[row] = True, info
                seen, _ = env.reset()
            moved.seen[row], moved.legal[row] = seen, env.action_masks()
        return moved

    def call(self, name: str, row: int, arguments: Sequence[Any]) -> Any:
        """Call a method of one environment."""
        return getattr(self.envs[row], name)(*arguments)


def _blank(n: int) -> Moved:
    return Moved(
        np.zeros((n, SIZE), dtype=np.float32),
        np.zeros((n, ACTIONS), dtype=np.bool_),
        np.zeros(n, dtype=np.float32),
        np.zeros(n, dtype=np.bool_),
        [{} for _ in range(n)],
    )


class Hand:
    """Asks a group, which is here or in a process of its own: :meth:`ask`, then :meth:`answer`, once each."""

    def __init__(self, make: Callable[[], PlannedEnv], count: int, apart: bool) -> None:
        self._group: Group | None = None
        self._kept: Any = None
        if not apart:
            self._group = Group(make, count)
            return
        # spawned, as on every system: nothing of this process goes along
        context = multiprocessing.get_context("spawn")
        self._pipe, end = context.Pipe()
        self._process = context.Process(target=_serve, args=(end, make, count), daemon=True)
        self._process.start()
        end.close()

    def ask(self, name: str, *arguments: Any) -> None:
        """Call a method of the group; one that is apart works on it while others are asked."""
        if self._group is not None:
            self._kept = getattr(self._group, name)(*arguments)
            return
        try:
            self._pipe.send((name, arguments))
        except OSError:
            raise _gone() from None

    def answer(self) -> Any:
        """What it came to. Raises what the method raised, :class:`InputError` when the process has ended."""
        if self._group is not None:
            kept, self._kept = self._kept, None
            return kept
        try:
            raised, found = self._pipe.recv()
        except (EOFError, OSError):
            raise _gone() from None
        if raised:
            raise found
        return found

    def close(self) -> None:
        """Let the process end."""
        if self._group is None:
            self._pipe.close()
            self._process.join(_PATIENCE)
            if self._process.is_alive():
                self._process.kill()


def _gone() -> InputError:
    return InputError("a process of environments has ended", hint="--resume goes on; fewer ppo.processes need less memory")


def _serve(pipe: Connection, make: Callable[[], PlannedEnv], count: int) -> None:
    """The process: answers until nobody asks any more."""
    # an interrupt is for who asks: the pipe closes then
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    group: Group | None = None
    while True:
        try:
            name, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            group = group or Group(make, count)
            answer = False, getattr(group, name)(*arguments)
        except Exception as error:
            answer = True, error
        try:
            pipe.send(answer)
        except OSError:
            return


__all__ = ["Group", "Hand", "Moved"]
