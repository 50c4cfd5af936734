"""A random agent: battles of one against one, a legal action at each step.

python examples/random_agent.py --battles 3
"""

import argparse

import gymnasium
import numpy as np


def main(battles: int = 3, seed: int = 1) -> list[int]:
    """Play battles; who has won each (0 or 1, -1 for a draw)."""
    env = gymnasium.make("envs:opfor/Duel-v0", opponent="random:tree")
    winners = []
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    while len(winners) < battles:
        action = rng.choice(np.flatnonzero(info["action_mask"]))
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            print(f"battle {len(winners) + 1}: {'won' if info['is_success'] else 'lost or drawn'}")
            winners.append(info["winner"])
            _, info = env.reset()
    return winners


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--battles", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    main(**vars(parser.parse_args()))
