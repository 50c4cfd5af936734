"""PPO with action masks, against the random player: Stable-Baselines3 and nothing else.

python examples/train_ppo.py --steps 100000 --save duel
"""

import argparse

import gymnasium
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env


def main(steps: int = 100_000, envs: int = 4, rollout: int = 256, save: str = "", seed: int = 1) -> MaskablePPO:
    """Train for a number of steps of all environments together; the learner as it is then."""
    # the discount factor of the learner is that of the reward's shaping
    gamma = 0.999
    battles = make_vec_env(
        lambda: gymnasium.make("envs:opfor/Duel-v0", opponent="random:tree", reward={"gamma": gamma}), n_envs=envs, seed=seed
    )
    learner = MaskablePPO("MlpPolicy", battles, n_steps=rollout, batch_size=rollout, gamma=gamma, seed=seed, verbose=1)
    learner.learn(steps)
    if save:
        learner.save(save)
    return learner


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--envs", type=int, default=4)
    parser.add_argument("--rollout", type=int, default=256)
    parser.add_argument("--save", default="")
    parser.add_argument("--seed", type=int, default=1)
    main(**vars(parser.parse_args()))
