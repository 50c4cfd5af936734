"""Where the time of an environment's step goes: its parts as shares of the whole, timed while it plays.

An agent that picks any legal action plays the training set ``skirmish`` (4 v 4 'Mechs) against an opponent that is random by
the tree, as in :mod:`benchmarks.environments`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from opfor.rules.moving.compiling import use_compiled

#: parts by what is timed; those that begin with a dash lie within the one above them
WHOLE = "step"
PARTS = {
    "see": "observation and mask",
    "slots": "- of that, the options' rows",
    "acting": "- of that, what depends on who acts: units, ground, its own sheet",
    "scene": "- of that, once a decision: who stands where, what has changed of each unit",
    "answer": "the opponent's reply: its tree walked, its orders carried out",
    "own": "the agent's own step: legal orders opened question by question, its order carried out",
}


class Watch:
    """Processor-seconds of this thread spent in what is watched, by name."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def on(self, owner: object, attribute: str, name: str) -> None:
        """Time each call of an attribute of an object from now on."""
        setattr(owner, attribute, self.timed(getattr(owner, attribute), name))

    def timed(self, call: Callable[..., Any], name: str) -> Callable[..., Any]:
        """The same call, timed."""

        def watched(*arguments: Any, **named: Any) -> Any:
            begun = time.thread_time()
            try:
                return call(*arguments, **named)
            finally:
                self.seconds[name] = self.seconds.get(name, 0.0) + time.thread_time() - begun

        return watched


def step_parts(quick: bool) -> list[dict[str, Any]]:
    """Shares of a step's time, in percent; battles that begin anew count with the replies and observations in them."""
    import numpy as np

    import envs.observation as observing
    from envs.match import Match
    from envs.opfor_env import OpForEnv

    use_compiled()
    watch = Watch()
    env = OpForEnv("skirmish", opponent="random:tree")
    draw = random.Random(1).random
    _, info = env.reset(seed=1)

    def play(steps: int) -> None:
        nonlocal info
        for _ in range(steps):
            legal = np.flatnonzero(info["action_mask"])
            _, _, terminated, truncated, info = env.step(int(legal[int(draw() * len(legal))]))
            if terminated or truncated:
                _, info = env.reset()

    # boards, tables and searches are warm then
    play(500)
    watch.on(env, "_see", "see")
    watch.on(env, "_answer", "answer")
    watch.on(env.observer, "_see_from", "acting")
    watch.on(env.observer._slots, "write", "slots")
    names = vars(observing)
    former = names["Scene"], Match.step
    names["Scene"] = watch.timed(names["Scene"], "scene")
    Match.step = watch.timed(Match.step, "own")  # type: ignore[method-assign]
    try:
        watch.timed(play, WHOLE)(1_000 if quick else 8_000)
    finally:
        names["Scene"], Match.step = former  # type: ignore[method-assign]
    whole = watch.seconds[WHOLE]
    return [{"what": words, "value": round(100 * watch.seconds[name] / whole, 1), "unit": "%"} for name, words in PARTS.items()]


__all__ = ["PARTS", "Watch", "step_parts"]
