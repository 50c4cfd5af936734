"""The environments keep their promises: every id, every ruleset, and each promise has somebody who breaks it.

Stable-Baselines3 is imported where it is used: it brings torch, which takes seconds that runs of other tests need not wait.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import render_test

import envs
from envs import opfor_v0
from envs.actions import ACTIONS
from envs.opfor_env import OpForEnv
from envs.registration import IDS
from envs.scenarios import Scenarios, named_scenario
from envs.self_play import SelfPlayEnv
from opfor.errors import InputError
from opfor.rulesets import ruleset_names
from opfor.state import State
from tests.conformance import NonConforming
from tests.conformance.environment import (
    Legal,
    check_copies,
    check_end,
    check_environment,
    check_mask,
    check_seeds,
    check_two_commanders,
    legal_action,
    rollout,
)

ROOT = Path(__file__).resolve().parent.parent
RIDGE = ROOT / "examples" / "ridge-12.yaml"
#: duels of two turns
BRIEF = named_scenario("duel").model_copy(update={"limit": (2, 2)})
#: the reward of the end alone, by which what one side wins the other loses
PLAIN = {"shaping": 0.0}


def made(id: str, **settings: Any) -> gymnasium.Env[Any, Any]:
    """An environment by its id, against an opponent that costs little."""
    if not IDS[id]:
        settings = {"battle": str(RIDGE), **settings}
    return gymnasium.make(id, **{"opponent": "random:tree", **settings})


# -- one commander ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", list(IDS))
def test_every_id(id: str) -> None:
    """Gymnasium's checker, one seed one episode, exact masks, copies that play on alike."""
    check_environment(lambda: made(id), steps=12, most=0)


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_every_ruleset_to_the_end(ruleset: str) -> None:
    """The same with every ruleset, and to the end of the battle."""
    check_environment(lambda: made("opfor/Duel-v0", scenario=BRIEF, ruleset=ruleset, render_mode="ansi"), steps=25)


@pytest.mark.slow
@pytest.mark.parametrize("id", list(IDS))
@pytest.mark.parametrize("seed", range(100, 103))
def test_every_id_at_length(id: str, seed: int) -> None:
    """The same, further and to the end."""
    check_environment(lambda: made(id), seed=seed, steps=250)


@pytest.mark.parametrize("id", list(IDS))
def test_the_learners_library_takes_every_id(id: str) -> None:
    """Stable-Baselines3's checker finds nothing, and its masked learner finds the masks behind its wrappers."""
    from sb3_contrib.common.maskable.utils import get_action_masks
    from stable_baselines3.common.env_checker import check_env
    from stable_baselines3.common.vec_env import DummyVecEnv

    check_env(Legal(made(id)), warn=True, skip_render_check=True)
    vector = DummyVecEnv([lambda: made(id)])
    vector.seed(3)
    vector.reset()
    (mask,) = get_action_masks(vector)
    single = made(id)
    # that library hands its seed down as it is
    _, info = single.reset(seed=3)
    assert np.array_equal(mask, info["action_mask"])


def test_the_veteran_as_opponent() -> None:
    """A policy that remembers is copied with what it remembers."""
    check_seeds(made("opfor/Duel-v0", opponent="veteran"), 1, 15)
    check_copies(made("opfor/Duel-v0", opponent="veteran"), 1, 15)


def test_gymnasiums_vectors() -> None:
    """In gymnasium's vector environments each battle goes as it does alone; masks are stacked, and a battle over is followed by
    the next."""
    vector = gymnasium.make_vec(
        "opfor/Duel-v0", num_envs=2, vectorization_mode="sync", scenario=BRIEF, opponent="random:tree", side="first"
    )
    alone = [made("opfor/Duel-v0", scenario=BRIEF, side="first") for _ in range(2)]
    rng = random.Random(1)
    _, info = vector.reset(seed=[4, 5])
    for number, env in enumerate(alone):
        env.reset(seed=4 + number)
    running = [True, True]
    while any(running):
        masks = info["action_mask"]
        assert masks.shape == (2, ACTIONS)
        # where a battle has ended the next one begins, whatever is said
        actions = [int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in masks]
        seen, paid, terminated, _, info = vector.step(np.array(actions))
        for number, env in enumerate(alone):
            if running[number]:
                here, reward, over, *_ = env.step(actions[number])
                assert np.array_equal(seen[number], here)
                assert (paid[number], terminated[number]) == (reward, over)
                running[number] = not over


def test_ids_are_found_without_an_import() -> None:
    """``envs:`` before an id imports what registers it; nothing else has to be imported."""
    code = (
        "import gymnasium; e = gymnasium.make('envs:opfor/Duel-v0', opponent='random:tree');"
        " _, info = e.reset(seed=1); print(info['action_mask'].sum() >= 2)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True, cwd=ROOT).strip() == "True"


def test_registering_twice_changes_nothing() -> None:
    before = {id: gymnasium.spec(id) for id in IDS}
    envs.register_all()
    assert {id: gymnasium.spec(id) for id in IDS} == before


def test_a_battle_has_to_be_named() -> None:
    with pytest.raises(TypeError, match="battle"):
        gymnasium.make("opfor/Battle-v0")
    with pytest.raises(InputError):
        gymnasium.make("opfor/Battle-v0", battle="no-such-file.yaml")


def test_what_is_not_there_is_refused() -> None:
    for settings in ({"scenario": "skirmich"}, {"ruleset": "house"}, {"opponent": "nobody"}, {"split": "exam"}):
        with pytest.raises(InputError):
            OpForEnv(**settings)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        OpForEnv("duel", side="the third", opponent="random:tree").reset(seed=1)
    with pytest.raises(InputError):
        OpForEnv("duel", render_mode="hologram")
    with pytest.raises(InputError):
        opfor_v0.raw_env(scenario="duel", render_mode="hologram")


def test_a_step_limit_truncates() -> None:
    """An episode cut short is not over: the agent is still asked, and nobody has won."""
    env = made("opfor/Duel-v0", max_steps=5)
    env.reset(seed=1)
    went = rollout(env, random.Random(1), 50)
    assert [row[3:] for row in went] == [(False, False)] * 4 + [(False, True)]
    assert env.get_wrapper_attr("action_masks")().sum() >= 2


class _Forgetful(OpForEnv):
    """Takes illegal actions for the first one."""

    def step(self, action: Any) -> Any:
        return super().step(action if 0 <= action < ACTIONS and self._mask[action] else 0)


class _Moody(OpForEnv):
    """Draws its battles from a generator of its own."""

    _mood = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        _Moody._mood += 1
        return super().reset(seed=_Moody._mood if seed is None else seed + _Moody._mood, options=options)


class _Shallow(OpForEnv):
    """Copies share the battle."""

    def __deepcopy__(self, memo: dict[int, Any]) -> _Shallow:
        twin = _Shallow.__new__(_Shallow)
        twin.__dict__.update(self.__dict__)
        return twin


class _Endless(OpForEnv):
    """Offers an action after the end."""

    def step(self, action: Any) -> Any:
        if self.match is not None and self.match.over:
            return self._observation.copy(), 0.0, True, False, self._info()
        return super().step(action)


@pytest.mark.parametrize(
    ("broken", "check", "words"),
    [
        (_Forgetful, lambda env: check_mask(env, 1, 10), "is illegal and is taken"),
        (_Moody, lambda env: check_seeds(env, 1, 10), "differ"),
        (_Shallow, lambda env: check_copies(env, 1, 10), "goes on otherwise"),
        (_Endless, lambda env: check_end(env, 1, 20_000), "is illegal and is taken"),
        (OpForEnv, lambda env: check_end(env, 1, 3), "no end"),
    ],
)
def test_an_environment_that_breaks_its_promises_is_found(broken: type[OpForEnv], check: Any, words: str) -> None:
    with pytest.raises(NonConforming, match=words):
        check(broken(BRIEF, opponent="random:tree", side="first"))


# -- two commanders -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_two_commanders(ruleset: str) -> None:
    """PettingZoo's API and seed tests, who may see and do what, a battle to its end, copies."""
    check_two_commanders(lambda: opfor_v0.raw_env(scenario=BRIEF, ruleset=ruleset, reward=PLAIN))


@pytest.mark.slow
@pytest.mark.parametrize("scenario", [scenario for scenario in IDS.values() if scenario])
def test_two_commanders_at_length(scenario: str) -> None:
    check_two_commanders(lambda: opfor_v0.raw_env(scenario=scenario, reward=PLAIN), steps=250)


def test_two_commanders_in_wrappers() -> None:
    """In PettingZoo's wrappers an illegal action loses the battle."""
    env = opfor_v0.env(scenario="duel")
    env.reset(seed=1)
    seen, *_ = env.last()
    agent = env.agent_selection
    env.step(int(np.flatnonzero(seen["action_mask"] == 0)[0]))
    assert all(env.terminations.values())
    assert env._cumulative_rewards[agent] == -1


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "human"])
def test_two_commanders_rendered(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    """PettingZoo's render test, in the wrappers."""

    def one(render_mode: str) -> Any:
        env = opfor_v0.env(scenario="duel", render_mode=mode if render_mode != "human" or mode == "human" else render_mode)
        env.metadata = {**env.metadata, "render_modes": [mode]}
        return env

    render_test(one)
    assert ("Key:" in capsys.readouterr().out) == (mode == "human")


def test_each_side_is_paid_as_if_it_were_alone() -> None:
    """A side's rewards are those it has in the environment for one commander, shaping and all, in the same battle."""
    seed = 4
    pair = opfor_v0.raw_env(scenario="duel")
    pair.reset(seed=seed)
    rng = random.Random(seed)
    paid: dict[str, list[float]] = {agent: [] for agent in pair.agents}
    taken: list[tuple[str, int]] = []
    fresh = dict.fromkeys(pair.agents, True)
    for agent in pair.agent_iter():
        seen, reward, terminated, *_ = pair.last()
        if not fresh[agent]:
            paid[agent].append(reward)
        else:
            assert reward == 0.0
        fresh[agent] = False
        if terminated:
            pair.step(None)
            continue
        action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
        taken.append((agent, action))
        pair.step(action)
    for side, name in enumerate(pair.possible_agents):
        alone = _same_battle(seed, side, [action for agent, action in taken if agent != name])
        steps = [action for agent, action in taken if agent == name]
        assert [float(alone.step(action)[1]) for action in steps] == pytest.approx(paid[name])


def _same_battle(seed: int, side: int, others: list[int]) -> SelfPlayEnv:
    """The battle of ``opfor_v0.raw_env`` at this seed, the other side playing ``others``."""
    script = iter(others)
    env = SelfPlayEnv("duel", opponent=lambda seen, mask: next(script), side=("first", "second")[side])
    scenario, dice = (int(n) for n in np.random.default_rng(seed).integers(2**31, size=2))

    class Given:
        def integers(self, high: int, size: int) -> list[int]:
            return [scenario, dice, 0, 0]

    env.np_random = Given()  # type: ignore[assignment]
    env.reset()
    return env


# -- self-play ----------------------------------------------------------------------------------------------------------


def first_legal(seen: Any, mask: Any) -> int:
    """An opponent that takes the first option of each question."""
    assert seen.dtype == np.float32 and mask.any()
    return int(np.flatnonzero(mask)[-1 if mask.sum() == 2 else 1])


def test_self_play_keeps_the_promises() -> None:
    check_environment(lambda: SelfPlayEnv(BRIEF, opponent=first_legal), steps=20)


def test_sides_alternate() -> None:
    env = SelfPlayEnv("duel", opponent="random:tree")
    sides = [env.reset(seed=5)[1]["side"], *(env.reset()[1]["side"] for _ in range(3))]
    assert sides == [0, 1, 0, 1]
    assert env.reset(seed=5)[1]["side"] == 0


def test_an_opponent_is_exchanged_between_battles() -> None:
    """The battle that is going on is finished against the old one."""
    from sb3_contrib.common.maskable.utils import get_action_masks
    from stable_baselines3.common.vec_env import DummyVecEnv

    asked: list[int] = []

    def counting(seen: Any, mask: Any) -> int:
        asked.append(int(mask.sum()))
        return first_legal(seen, mask)

    vector = DummyVecEnv([lambda: SelfPlayEnv("duel", opponent="random:tree", side="first")])
    vector.seed(1)
    vector.reset()
    vector.env_method("set_opponent", counting)
    rng = random.Random(1)
    done = False
    while not done:
        assert not asked
        (mask,) = get_action_masks(vector)
        _, _, (done,), _ = vector.step(np.array([rng.choice(np.flatnonzero(mask))]))
    for _ in range(30):
        (mask,) = get_action_masks(vector)
        vector.step(np.array([rng.choice(np.flatnonzero(mask))]))
    assert asked
    with pytest.raises(InputError):
        vector.env_method("set_opponent", "nobody")


@pytest.mark.slow
def test_self_play_in_processes() -> None:
    """Battles in other processes go as they do in one, with an opponent sent there."""
    from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecEnv

    makers = [_self_play_env for _ in range(2)]
    went = []
    for vector in (DummyVecEnv(makers), SubprocVecEnv(makers)):
        assert isinstance(vector, VecEnv)
        vector.env_method("set_opponent", first_legal)
        vector.seed(7)
        vector.reset()
        rng = random.Random(7)
        rows = []
        for _ in range(60):
            masks = vector.env_method("action_masks")
            seen, paid, done, _ = vector.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in masks]))
            rows.append((np.asarray(seen).tobytes(), paid.astype(np.float32).tobytes(), done.tobytes()))
        vector.close()
        went.append(rows)
    assert went[0] == went[1]


def _self_play_env() -> SelfPlayEnv:
    return SelfPlayEnv("duel", opponent="random:tree")


# -- rendering ----------------------------------------------------------------------------------------------------------


def test_text_tells_of_the_map_the_events_and_the_question() -> None:
    env = OpForEnv("duel", opponent="random:tree", render_mode="ansi", side="first")
    env.reset(seed=2)
    for _ in range(12):
        env.step(legal_action(env, random.Random(2)))
    text = env.render()
    assert env.match is not None and env.match.walk is not None and env.match.walk.question is not None
    for unit in env.match.game.state.units:
        assert f"{unit.id} (" in text
    assert "Lately:" in text
    assert f"asked: {env.match.walk.question.name}" in text
    assert "0 nothing, 1 " in text


def test_the_end_is_told() -> None:
    env = OpForEnv("duel", opponent="random:tree", render_mode="ansi", side="first")
    env.reset(seed=2)
    rollout(env, random.Random(2), 20_000)
    assert env.match is not None and env.match.over
    winner = env.match.game.state.winner
    assert f"The battle is over: {env.match.game.state.sides[winner]} wins." in env.render() or winner == -1


def test_pictures_of_a_battle_have_one_size() -> None:
    env = OpForEnv("duel", opponent="random:tree", render_mode="rgb_array")
    env.reset(seed=2)
    shapes = set()
    for _ in range(3):
        picture = env.render()
        assert picture.dtype == np.uint8 and picture.shape[2] == 3 and max(picture.shape) <= 1024
        # ground, units and letters: more than a sheet of one colour
        assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 16
        shapes.add(picture.shape)
        rollout(env, random.Random(1), 10)
    assert len(shapes) == 1


def test_agents_are_the_sides() -> None:
    env = opfor_v0.raw_env(scenario=str(RIDGE))
    assert tuple(env.possible_agents) == Scenarios(str(RIDGE)).draw(0).sides


def test_battles_that_are_over_at_once_are_told_and_not_drawn_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Scenarios.draw

    def over(self: Scenarios, seed: int) -> State:
        state = drawn(self, seed)
        state.winner = 0
        return state

    one, two = OpForEnv(scenario=BRIEF, opponent="random"), opfor_v0.raw_env(scenario=BRIEF)
    monkeypatch.setattr(Scenarios, "draw", over)
    with pytest.raises(InputError, match="over before"):
        one.reset(seed=1)
    with pytest.raises(InputError, match="over before"):
        two.reset(seed=1)
