"""Two policies against each other through PettingZoo: one picks at random, one takes the middle option of each question.

python examples/two_policies.py
"""

import argparse
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from envs import opfor_v0

Policy = Callable[[dict[str, NDArray[np.float32]]], int]


def middle(seen: dict[str, NDArray[np.float32]]) -> int:
    """The middle one of the legal actions."""
    legal = np.flatnonzero(seen["action_mask"])
    return int(legal[len(legal) // 2])


def main(seed: int = 1) -> dict[str, float]:
    """Play one battle; what each side was paid in all."""
    rng = np.random.default_rng(seed)
    env = opfor_v0.env(scenario="duel", reward={"shaping": 0.0}, render_mode="ansi")
    env.reset(seed=seed)
    policies: dict[str, Policy] = {
        env.possible_agents[0]: lambda seen: int(rng.choice(np.flatnonzero(seen["action_mask"]))),
        env.possible_agents[1]: middle,
    }
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        env.step(None if terminated or truncated else policies[agent](seen))
    print(env.render())
    print(paid)
    return paid


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    main(**vars(parser.parse_args()))
