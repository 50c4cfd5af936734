"""Training goes on for weeks: battle after battle, the environment keeps no memory of those that are over."""

from __future__ import annotations

import gc
import random
import sys
from pathlib import Path

import pytest

pytest.importorskip("numpy")

import numpy as np

from envs.opfor_env import OpForEnv
from envs.scenarios import ScenarioConfig
from opfor.formats.library import board_named
from opfor.rules.moving.search_cache import SEARCHES

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
    kept = []
    for round_ in range(50):
        for seed in range(4):
            play(env, seed)
        if round_ in (9, 49):
            gc.collect()
            kept.append(len(gc.get_objects()))
    assert kept[1] - kept[0] < 160 * 20, kept


def held() -> int:
    """Blocks of memory in use, less what is only kept to save work: searches, and what hangs on the boards.

    Those have budgets of their own (:mod:`opfor.rules.moving.search_cache`, :mod:`opfor.board.sight`), which fill for long.
    """
    SEARCHES.clear()
    for name in TINY.boards:
        board_named(name).tables.clear()
    gc.collect()
    return sys.getallocatedblocks()


@pytest.mark.slow
def test_memory_stays_level_over_ten_thousand_battles() -> None:
    """Ever new battles: nothing of those that are over stays. One that is kept is hundreds of blocks."""
    blocks, megabytes = [], []
    for first, last in ((0, 3000), (3000, 6500), (6500, 10000)):
        # who looks on begins afresh, as the boards do
        env = OpForEnv(TINY, opponent="random:tree")
        for seed in range(first, last):
            play(env, seed)
        megabytes.append(resident())
        del env
        blocks.append(held())
    # tables of unit types go on filling with conditions that are new
    assert blocks[2] - blocks[1] < 3500 * 2, blocks
    assert megabytes[2] - megabytes[0] < 16.0, megabytes
