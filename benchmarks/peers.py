"""Other games' rules and environments, measured the same way where they are installed; none of them is needed.

``pip install catanatron catanatron-gym chess pettingzoo pygame`` brings them: catanatron is nearest in kind, a board game in
plain Python with dice and several players.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

Run = Callable[[float], int]


def peers() -> list[tuple[str, str, Run, str]]:
    """Those that are installed: name, what is counted, how to run it, and whether rules or environments are held against it."""
    found = []
    for what, unit, make, against in (
        ("catanatron, random players", "decisions", _catan, "rules"),
        ("python-chess, random moves", "moves", _chess, "rules"),
        ("catanatron's gym, opponent random", "steps", _catan_gym, "environment"),
        ("PettingZoo chess, both random", "steps", _zoo_chess, "environment"),
    ):
        try:
            found.append((what, unit, _run(make()), against))
        except ImportError:
            continue
    return found


def _run(steps: Iterator[int]) -> Run:
    """Draw from a generator of counts for so many processor-seconds."""
    next(steps)

    def run(seconds: float) -> int:
        end = time.process_time() + seconds
        done = 0
        while time.process_time() < end:
            done += next(steps)
        return done

    return run


def _catan() -> Iterator[int]:
    from catanatron import Color, Game, RandomPlayer

    yield 0
    while True:
        game = Game([RandomPlayer(color) for color in Color])
        game.play()
        state: Any = game.state
        yield len(state.action_records if hasattr(state, "action_records") else state.actions)


def _catan_gym() -> Iterator[int]:
    from catanatron_gym.envs.catanatron_env import CatanatronEnv

    env, draw = CatanatronEnv(), random.Random(1).random
    _, info = env.reset(seed=1)
    yield 0
    while True:
        legal = info["valid_actions"]
        _, _, terminated, truncated, info = env.step(legal[int(draw() * len(legal))])
        if terminated or truncated:
            _, info = env.reset()
        yield 1


def _chess() -> Iterator[int]:
    import chess

    board, draw = chess.Board(), random.Random(1).random
    yield 0
    while True:
        legal = list(board.legal_moves)
        if not legal or board.is_insufficient_material() or board.halfmove_clock >= 100:
            board.reset()
            continue
        board.push(legal[int(draw() * len(legal))])
        yield 1


def _zoo_chess() -> Iterator[int]:
    import numpy as np
    from pettingzoo.classic import chess_v6

    env, draw = chess_v6.env(), random.Random(1).random
    env.reset(seed=1)
    yield 0
    while True:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            continue
        legal = np.flatnonzero(observation["action_mask"])
        env.step(int(legal[int(draw() * len(legal))]))
        yield 1


__all__ = ["Run", "peers"]
