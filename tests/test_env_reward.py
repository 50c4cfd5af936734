"""The environments' reward: who wins, mission points, and shaping that changes no best policy. Rule: S-11, A-5."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("numpy")

from pydantic import ValidationError

from envs.match import Match
from envs.reward import Reward, RewardConfig
from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.state import State
from tests.skirmish import skirmish

ALL_KINDS = ("mech", "vehicle", "vtol", "infantry", "battle_armor")


def damaged(state: State, seed: int) -> State:
    """The battle with some armour gone, so that it begins uneven."""
    draw = random.Random(seed).random
    for unit in state.units:
        unit.armor[0] = int(unit.armor[0] * draw())
        if len(unit.armor) > 1:
            unit.armor[1] = 0
    return state


def paid(state: State, config: RewardConfig, seed: int, side: int, ending: bool = True) -> tuple[float, list[float], int]:
    """A battle played at random: the potential at its first question, every step's reward, and who won."""
    match, reward, pick = Match(Game(state, SeededDice(seed))), Reward(config), random.Random(seed)
    reward.begin(state, side)
    start = reward.potential
    found = []
    while match.walk is not None:
        match.step(pick.randrange(match.walk.options + 1))
        found.append(reward.after(state, side, over=match.over))
    assert state.winner is not None
    return start, found, state.winner


def discounted(rewards: list[float], gamma: float) -> float:
    return sum(gamma**number * reward for number, reward in enumerate(rewards))


@pytest.mark.parametrize("gamma", [1.0, 0.999, 0.9])
@pytest.mark.parametrize("ruleset", ["standard", "campaign", "mwii"])
def test_the_discounted_sum_of_shaping_is_minus_the_potential_of_the_start(ruleset: str, gamma: float) -> None:
    """Whatever is done: the sum of gamma^t (gamma phi(t+1) - phi(t)) is -phi(0) + gamma^T phi(T), and phi(T) = 0 at the end."""
    config = RewardConfig(win=0.0, loss=0.0, shaping=0.7, gamma=gamma)
    starts = set()
    for seed in range(4):
        # the same start, played in different ways
        state = damaged(skirmish(1, size=3, kinds=ALL_KINDS, ruleset=ruleset, limit=4), 1)
        start, rewards, _ = paid(state, config, seed, side=seed % 2)
        assert start and any(rewards)
        assert discounted(rewards, gamma) == pytest.approx(-start, abs=1e-9)
        starts.add(round(abs(start), 9))
    assert len(starts) == 1


def test_returns_with_and_without_shaping_differ_by_the_same_number_for_every_way_to_play() -> None:
    gamma = 0.99
    differences = []
    for seed in range(5):
        returns = []
        for shaping in (0.0, 0.5):
            state = damaged(skirmish(2, size=2, limit=5), 2)
            _, rewards, _ = paid(state, RewardConfig(shaping=shaping, gamma=gamma), seed, side=0)
            returns.append(discounted(rewards, gamma))
        differences.append(returns[1] - returns[0])
    assert differences == pytest.approx([differences[0]] * 5, abs=1e-9)
    assert differences[0] != 0.0


@pytest.mark.parametrize("gamma", [1.0, 0.95])
def test_a_loss_to_one_side_is_a_gain_to_the_other(gamma: float) -> None:
    for seed in range(4):
        config = RewardConfig(gamma=gamma, points=0.1)
        sums = []
        for side in (0, 1):
            state = skirmish(seed, size=2, limit=6)
            start, rewards, winner = paid(state, config, seed, side)
            assert start == 0.0
            sums.append(rewards)
            last = {side: 1.0, -1: 0.0}.get(winner, -1.0)
            without, _, _ = paid(skirmish(seed, size=2, limit=6), RewardConfig(shaping=0.0), seed, side)
            assert without == 0.0
            assert discounted(rewards, gamma) == pytest.approx(gamma ** (len(rewards) - 1) * last, abs=1e-9)
        assert sums[0] == pytest.approx([-value for value in sums[1]], abs=1e-9)


def test_the_potential_is_the_share_of_strength_kept_less_the_enemies_share() -> None:
    """Two Wasps a side: one is half of a side's strength."""
    state = skirmish(1, size=2, a=["Wasp WSP-1A", "Wasp WSP-1A"])
    reward = Reward(RewardConfig(shaping=1.0, gamma=1.0))
    reward.begin(state, 0)
    assert reward.potential == 0.0
    # one of two equal enemies destroyed: half of their strength is gone
    state.units[2].destroyed = "destroyed"
    assert reward.after(state, 0, over=False) == pytest.approx(0.5)
    # nothing more happens: nothing more is paid
    assert reward.after(state, 0, over=False) == 0.0
    # one of its own leaves the map
    state.units[0].gone = True
    assert reward.after(state, 0, over=False) == pytest.approx(-0.5)
    # the end takes back what stands: 0 here, so that only the win is paid
    state.winner = 0
    assert reward.after(state, 0, over=True) == pytest.approx(1.0)


def test_strength_is_the_share_of_armour_and_structure_points_left() -> None:
    """A Wasp has 48 points of armour and 33 of structure, 81 in all: without 27 of them, two thirds are left."""
    state = skirmish(1, size=1, a=["Wasp WSP-1A"])
    reward = Reward(RewardConfig(shaping=1.0, gamma=1.0))
    reward.begin(state, 0)
    own, enemy = state.units
    assert sum(own.armor) == 48 and sum(own.structure) == 33
    left = 27
    for location, points in enumerate(enemy.armor):
        gone = min(points, left)
        enemy.armor[location] -= gone
        left -= gone
    assert reward.after(state, 0, over=False) == pytest.approx(1 / 3)


def test_a_vehicle_without_a_crew_is_worth_nothing() -> None:
    """S-11, E-21: the crew killed, with every point of armour still there."""
    state = skirmish(1, size=1, a=["Manticore Heavy Tank"])
    reward = Reward(RewardConfig(shaping=1.0, gamma=1.0))
    reward.begin(state, 0)
    state.units[1].conscious = False
    assert reward.after(state, 0, over=False) == pytest.approx(1.0)


def test_points_of_mission_actions_are_paid_as_they_are_gained() -> None:
    state = skirmish(1, size=1)
    reward = Reward(RewardConfig(shaping=0.0, points=0.25))
    reward.begin(state, 0)
    state.scores[0] += 3
    assert reward.after(state, 0, over=False) == pytest.approx(0.75)
    state.scores[1] += 1
    assert reward.after(state, 0, over=False) == pytest.approx(-0.25)
    assert reward.after(state, 0, over=False) == 0.0


def test_a_discount_beyond_one_and_words_that_are_none_are_refused() -> None:
    for given in ({"gamma": 1.5}, {"gamma": 0.0}, {"shape": 1.0}):
        with pytest.raises(ValidationError):
            RewardConfig.model_validate(given)
