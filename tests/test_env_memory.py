"""Training goes on for weeks: battle after battle, the environment keeps no memory of those that are over."""

from __future__ import annotations

import gc
import random
from pathlib import Path

import pytest

pytest.importorskip("numpy")

import numpy as np

from envs.opfor_env import OpForEnv
from envs.scenarios import ScenarioConfig

#: one turn of two 'Mechs
TINY = ScenarioConfig(name="tiny", units=(1, 1), budget=(600, 2000), limit=(1, 1), boards=("open-plain", "crossroads"))
MIB = 2**20


def play(env: OpForEnv, seed: int) -> None:
    """One episode at random; the same for the same seed."""
    draw = random.Random(seed).random
    _, info = env.reset(seed=seed)
    over = False
    while not over:
        legal = np.flatnonzero(info["action_mask"])
        _, _, terminated, truncated, info = env.step(int(legal[int(draw() * len(legal))]))
        over = terminated or truncated


def resident() -> float:
    """MiB that this process holds. Skips where the system does not tell."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        pytest.skip("the system does not say how much memory a process holds")
    return int(statm.read_text().split()[1]) * 4096 / MIB


def test_battles_played_again_leave_nothing_behind() -> None:
    """Four battles over and over: what may be kept of boards, units and searches is kept after the first rounds.

    A battle that is kept is 50 objects and more; tables of a bounded size may still fill.
    """
    env = OpForEnv(TINY, opponent="random:tree")
    held = []
    for round_ in range(50):
        for seed in range(4):
            play(env, seed)
        if round_ in (9, 49):
            gc.collect()
            held.append(len(gc.get_objects()))
    assert held[1] - held[0] < 160 * 20, held


@pytest.mark.slow
def test_memory_stays_level_over_ten_thousand_battles() -> None:
    """Ever new battles: tables of boards and units fill at first, and then nothing grows."""
    env = OpForEnv(TINY, opponent="random:tree")
    for seed in range(3000):
        play(env, seed)
    gc.collect()
    settled = resident()
    for seed in range(3000, 10000):
        play(env, seed)
    gc.collect()
    # searches and lines of sight are kept within budgets of their own, which take longer than this to fill
    assert resident() - settled < 48.0
