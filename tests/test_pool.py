"""The opponents of a learner: who is drawn how often, skills, whom to keep, and all of it through a file."""

from __future__ import annotations

import json
import math
import random
from collections import Counter

import pytest

from training.pool import Member, Pool, Skill, after, drawn, expected, keepers, urgency, win_rate


def test_skills_by_hand() -> None:
    # two beginners: the winner had half a chance, so that its mean rises by σ²/c · 1/2, where σ² has grown by τ² = (25/300)²
    # and c² = 2 (σ² + β²), β = 25/6
    sigma2 = (25 / 3) ** 2 + (25 / 300) ** 2
    c = math.sqrt(2 * (sigma2 + (25 / 6) ** 2))
    won, lost = after(Skill(), Skill(), 1.0)
    assert (won.mu, lost.mu) == (pytest.approx(25 + sigma2 / c / 2), pytest.approx(25 - sigma2 / c / 2))
    assert won.sigma == lost.sigma < 25 / 3
    drew, other = after(Skill(), Skill(), 0.5)
    assert drew.mu == other.mu == 25
    # the weaker gains by a draw
    weak, strong = after(Skill(20, 5), Skill(30, 5), 0.5)
    assert weak.mu > 20 and strong.mu < 30
    assert expected(Skill(), Skill()) == 0.5
    # Φ(10 / √(2 (β² + 2²))) = Φ(1.530)
    assert expected(Skill(30, 2), Skill(20, 2)) == pytest.approx(0.937, abs=1e-3)
    assert expected(Skill(20, 2), Skill(30, 2)) == pytest.approx(0.063, abs=1e-3)


def test_who_is_beaten_less_is_drawn_more() -> None:
    # 8 of 8 won, of equals: (8 + 2) / 12; 0 of 8: 2 / 12. Weights (2/12)² and (10/12)²: 1 to 25
    assert (win_rate(8, 8, 0.5), win_rate(0, 8, 0.5)) == (10 / 12, 2 / 12)
    assert urgency(2 / 12) / urgency(10 / 12) == pytest.approx(25 / (0.05 * 36))
    draw = random.Random(1)
    found = Counter(drawn([1.0, 0.0, 3.0], draw) for _ in range(4000))
    assert set(found) == {0, 2} and 2850 < found[2] < 3150


def test_a_learner_meets_whom_it_does_not_beat() -> None:
    pool = Pool(["weak", "strong"])
    for _ in range(30):
        pool.report("weak", 1.0)
        pool.report("strong", 0.0)
    draw = random.Random(2)
    found = Counter(pool.draw(draw).name for _ in range(1000))
    # 1 : 1/20 at the most, and nobody is forgotten
    assert found["strong"] > 900 and found["weak"] > 10
    # it has learnt: what was long ago fades, and the strong one is beaten at last
    before = pool.rate("strong")
    for _ in range(100):
        pool.report("strong", 1.0)
    # 100 won battles count 43.4, those lost before 23 · 0.98^100 = 3.0
    assert before < 0.15 and pool.rate("strong") > 0.85
    # who has left counts no more
    state = pool.state()
    pool.report("gone", 1.0)
    assert pool.state() == state


def test_the_best_the_latest_and_a_spread_are_kept() -> None:
    # the best is the third, the latest the last; halfway between them, of two as far away, the better one; then the same again
    assert keepers([0, 1, 9, 2, 3, 5, 4, 6, 7], 1) == [2]
    assert keepers([0, 1, 9, 2, 3, 5, 4, 6, 7], 2) == [2, 8]
    assert keepers([0, 1, 9, 2, 3, 5, 4, 6, 7], 3) == [2, 5, 8]
    assert keepers([0, 1, 9, 2, 3, 5, 4, 6, 7], 4) == [0, 2, 5, 8]
    assert keepers([1, 2, 3], 2) == [0, 2]
    assert keepers([1, 2], 5) == [0, 1] and keepers([], 3) == []
    assert keepers([1, 2, 3], 0) == []


def test_frozen_selves_come_and_go() -> None:
    pool = Pool(["random"], keep=2)
    for _ in range(10):
        pool.report("random", 1.0)
    learner = pool.learner
    assert pool.add_snapshot("run/one.safetensors") == []
    # it is as good as the learner was
    assert pool.standings()[1]["mu"] == learner.mu
    assert pool.rate("one") == 0.5
    assert pool.add_snapshot("run/two.safetensors") == []
    assert pool.add_snapshot("other/two.safetensors") == [Member("two", path="run/two.safetensors")]
    assert [member.name for member in pool.members] == ["random", "one", "two#2"]
    assert pool.members[2].path == "other/two.safetensors"


def test_a_pool_goes_through_a_file_and_draws_on() -> None:
    pool = Pool(["random", "veteran"], keep=3)
    draw = random.Random(3)
    for number in range(50):
        pool.report(pool.draw(draw).name, draw.random() > 0.4)
        if number % 10 == 5:
            pool.add_snapshot(f"{number}.safetensors")
    again = Pool.from_state(json.loads(json.dumps(pool.state())))
    assert again.state() == pool.state()
    other = random.Random()
    other.setstate(draw.getstate())
    assert [pool.draw(draw) for _ in range(20)] == [again.draw(other) for _ in range(20)]
    pool.report("random", 0.5)
    again.report("random", 0.5)
    assert again.state() == pool.state()


def test_nobody_to_play_against() -> None:
    with pytest.raises(ValueError, match="nobody is in the pool"):
        Pool().draw(random.Random(0))
