"""Whether a learning environment keeps its promises: gymnasium's own, Stable-Baselines3's, PettingZoo's, and ours.

Ours: exact masks, refusals that change nothing, one seed one episode, copies in the middle of an order that play on alike.

    from tests.conformance.environment import check_environment, check_two_commanders
    check_environment(lambda: gymnasium.make("opfor/Duel-v0"))
    check_two_commanders(lambda: opfor_v0.raw_env(scenario="duel"))
"""

from __future__ import annotations

import copy
import pickle
import random
import warnings
from collections.abc import Callable
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs
from gymnasium.utils import env_checker as gymnasium_checker

from tests.conformance import demand

Env: TypeAlias = gymnasium.Env[Any, Any]
#: makes an environment; each of them is the same
Factory = Callable[[], Env]
#: warnings that tell of what is meant: the checker is given a wrapper (:class:`Legal`), and environments without an id
_MEANT = ("is different from the unwrapped version", "not having a spec")


class Legal(gymnasium.ActionWrapper[Any, Any, Any], RecordConstructorArgs):
    """Takes any action for a legal one, so that checkers that know no masks can play: the n-th, modulo their number."""

    def __init__(self, env: Env) -> None:
        RecordConstructorArgs.__init__(self)
        gymnasium.ActionWrapper.__init__(self, env)

    def action(self, action: Any) -> Any:
        legal = np.flatnonzero(self.get_wrapper_attr("action_masks")())
        return legal[int(action) % len(legal)] if len(legal) else action


def check_environment(make: Factory, *, seed: int = 1, steps: int = 40, most: int = 20_000) -> None:
    """Hold an environment for one commander against its promises. Raises :class:`tests.conformance.NonConforming`.

    ``steps`` is how far rollouts go that are compared; one episode is played to its end, which must come within ``most``
    (0: none is).
    """
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        gymnasium_checker.check_env(Legal(make()))
    odd = [str(w.message) for w in told if issubclass(w.category, UserWarning) and not any(m in str(w.message) for m in _MEANT)]
    demand(not odd, "gymnasium's checker warns:", odd)
    check_seeds(make(), seed, steps)
    check_mask(make(), seed, steps)
    check_copies(make(), seed, steps)
    if most:
        check_end(make(), seed, most)


def legal_action(env: Env, rng: random.Random) -> int:
    """A legal action at random."""
    return int(rng.choice(np.flatnonzero(env.get_wrapper_attr("action_masks")())))


def rollout(env: Env, rng: random.Random, steps: int) -> list[tuple[bytes, bytes, float, bool, bool]]:
    """What comes of random legal actions: observations, masks and rewards, to the end of the episode at most."""
    seen: list[tuple[bytes, bytes, float, bool, bool]] = []
    for _ in range(steps):
        if not env.get_wrapper_attr("action_masks")().any():
            break
        observation, reward, terminated, truncated, info = env.step(legal_action(env, rng))
        seen.append((observation.tobytes(), info["action_mask"].tobytes(), float(reward), terminated, truncated))
        if terminated or truncated:
            break
    return seen


def check_seeds(env: Env, seed: int, steps: int) -> None:
    """One seed, one episode: ten resets begin alike, and two go on alike. Others begin otherwise."""
    first, info = env.reset(seed=seed)
    demand("action_mask" in info, "info has no action_mask")
    for _ in range(9):
        again, other = env.reset(seed=seed)
        demand(np.array_equal(first, again), "two resets with seed", seed, "differ")
        demand(np.array_equal(info["action_mask"], other["action_mask"]), "masks after a reset with seed", seed, "differ")
    one = rollout(env, random.Random(seed), steps)
    env.reset(seed=seed)
    demand(rollout(env, random.Random(seed), steps) == one, "two rollouts from seed", seed, "differ")
    env.reset(seed=seed + 1)
    demand(rollout(env, random.Random(seed), steps) != one, "seeds", seed, "and", seed + 1, "give one and the same episode")


def check_mask(env: Env, seed: int, steps: int) -> None:
    """Masks fit the action space and leave a choice; what they forbid is refused, and changes nothing."""
    rng = random.Random(seed)
    twin = copy.deepcopy(env)
    env.reset(seed=seed)
    twin.reset(seed=seed)
    assert isinstance(env.action_space, gymnasium.spaces.Discrete)
    for _ in range(steps):
        mask = env.get_wrapper_attr("action_masks")()
        demand(mask.shape == (env.action_space.n,) and mask.dtype == np.bool_, "a mask of shape", mask.shape, mask.dtype)
        demand(mask.sum() >= 2, "a question with", mask.sum(), "answers is asked")
        for action in (int(rng.choice(np.flatnonzero(~mask))), int(env.action_space.n), -1):
            _refused(env, action)
        action = legal_action(env, rng)
        (seen, *rest, info), (other, *others, told) = env.step(action), twin.step(action)
        demand(np.array_equal(seen, other) and rest == others, "a refused action has changed something")
        demand(seen in env.observation_space, "an observation outside its space")
        demand(np.array_equal(info["action_mask"], env.get_wrapper_attr("action_masks")()), "two masks for one question")
        demand(np.array_equal(info["action_mask"], told["action_mask"]), "a refused action has changed the mask")
        if rest[1] or rest[2]:
            break


def check_copies(env: Env, seed: int, steps: int) -> None:
    """A copy and a pickled copy, taken at several moments, play on as the environment itself does."""
    rng = random.Random(seed)
    for number, before in enumerate((3, steps)):
        env.reset(seed=seed + number)
        rollout(env, rng, before)
        if not env.get_wrapper_attr("action_masks")().any():
            continue
        # our own bytes, written a moment ago
        stored = pickle.loads(pickle.dumps(env))  # noqa: S301
        copied = copy.deepcopy(env)
        went, stored_went, copied_went = (rollout(one, random.Random(seed), steps) for one in (env, stored, copied))
        demand(stored_went == went, "pickled after", before, "steps, an environment goes on otherwise")
        demand(copied_went == went, "copied after", before, "steps, an environment goes on otherwise")
        # and the next battle, which comes from the generator that was copied along
        after = [one.reset()[0].tobytes() for one in (env, stored, copied)]
        demand(len(set(after)) == 1, "after a copy the next battles differ")


def check_end(env: Env, seed: int, most: int) -> None:
    """An episode ends, says who has won, offers nothing then, and refuses to be stepped further."""
    rng = random.Random(seed)
    env.reset(seed=seed)
    for _ in range(most):
        _, reward, terminated, truncated, info = env.step(legal_action(env, rng))
        demand(np.isfinite(reward), "a reward of", reward)
        if terminated or truncated:
            break
    else:
        demand(False, "no end after", most, "steps")
    demand(not info["action_mask"].any() or truncated, "actions are offered after the end")
    demand("winner" in info or truncated, "info does not say who has won")
    if terminated:
        _refused(env, 0)


def _refused(env: Env, action: int) -> None:
    try:
        env.step(action)
    except ValueError:
        return
    demand(False, "action", action, "is illegal and is taken")


# -- two commanders -----------------------------------------------------------------------------------------------------


def check_two_commanders(make: Callable[[], Any], *, seed: int = 1, steps: int = 40, most: int = 40_000) -> None:
    """Hold a PettingZoo environment (unwrapped: illegal actions raise; rewarded for the end alone) against its promises.

    Raises :class:`tests.conformance.NonConforming`, or whatever PettingZoo's own tests raise.
    """
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        # agents bear the names of the sides; a side that is not asked sees nothing
        warnings.simplefilter("ignore")
        api_test(make(), num_cycles=steps)
        seed_test(make, num_cycles=steps)
    _check_turns(make(), seed, most)
    _check_aec_copies(make(), seed, steps)


def _check_turns(env: Any, seed: int, most: int) -> None:
    """A battle to its end: only the side that is asked sees and may do anything; what one wins the other loses."""
    rng = random.Random(seed)
    env.reset(seed=seed)
    total = dict.fromkeys(env.agents, 0.0)
    for step, agent in enumerate(env.agent_iter(most)):
        seen, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        mask = seen["action_mask"]
        demand(mask.sum() >= 2, agent, "is asked a question with", mask.sum(), "answers")
        if step < 50:
            for other in env.agents:
                blank = env.observe(other)
                demand(other == agent or not (blank["action_mask"].any() or blank["observation"].any()), other, "sees too much")
            try:
                env.step(int(rng.choice(np.flatnonzero(mask == 0))))
            except ValueError:
                pass
            else:
                demand(False, "an illegal action is taken")
        env.step(int(rng.choice(np.flatnonzero(mask))))
    demand(not env.agents, "no end after", most, "steps")
    demand(abs(sum(total.values())) < 1e-9, "the sides' rewards come to", total)
    try:
        env.step(0)
    except ValueError:
        return
    demand(False, "an action is taken after the end")


def _check_aec_copies(env: Any, seed: int, steps: int) -> None:
    env.reset(seed=seed)
    _play(env, random.Random(seed), steps // 2)
    # our own bytes, written a moment ago
    stored = pickle.loads(pickle.dumps(env))  # noqa: S301
    copied = copy.deepcopy(env)
    went, stored_went, copied_went = (_play(one, random.Random(seed), steps) for one in (env, stored, copied))
    demand(stored_went == went, "a pickled environment goes on otherwise")
    demand(copied_went == went, "a copied environment goes on otherwise")


def _play(env: Any, rng: random.Random, steps: int) -> list[tuple[str, bytes, bytes, float]]:
    seen = []
    for agent in env.agent_iter(steps):
        found, reward, terminated, truncated, _ = env.last()
        seen.append((agent, found["observation"].tobytes(), found["action_mask"].tobytes(), reward))
        over = terminated or truncated
        env.step(None if over else int(rng.choice(np.flatnonzero(found["action_mask"]))))
    return seen


__all__ = ["Env", "Factory", "Legal", "check_environment", "check_two_commanders", "legal_action", "rollout"]
