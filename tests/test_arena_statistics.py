"""Intervals and ratings against values from the literature and worked by hand."""

from __future__ import annotations

import math

import pytest

from opfor.gm.arena.statistics import (
    bounded,
    bradley_terry,
    effective_games,
    interval_mirrored,
    percentiles,
    ratings,
    wilson,
)

#: odds of three to one on the Elo scale
THREE_TO_ONE = 400 * math.log10(3)


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_as_published(won: int, games: int, low: float, high: float) -> None:
    assert wilson(won / games, games) == pytest.approx((low, high), abs=5e-5)


def test_wilson_worked_by_hand() -> None:
    # all of 4 won: the lower edge is n / (n + z²) = 4 / (4 + 3.8415)
    assert wilson(1, 4) == pytest.approx((4 / 7.8415, 1), abs=1e-4)
    # half of the points of 10 games: 1/2 ± z / (2 √(n + z²)) = 0.5 ± 1.95996 / (2 √13.8415)
    assert wilson(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert wilson(0.3, 0) == (0, 1)


@pytest.mark.parametrize(
    ("pairs", "games"),
    [
        # both games of every battle go the same way: the second tells nothing
        ([1, 1, 0, 0], 4),
        # mean 1/2; variance (1/4 + 1/4) / 3 = 1/6, that of one game 1/4: 4 / (2/3)
        ([1, 0.5, 0.5, 0], 6),
        # the seat decides every battle: never more than all the games
        ([0.5, 0.5, 0.5, 0.5], 8),
        # nothing but wins: no variance to tell by, so as if the second told nothing
        ([1, 1, 1], 3),
        ([0.5], 1),
        ([], 0),
    ],
)
def test_what_mirrored_pairs_are_worth(pairs: list[float], games: float) -> None:
    assert effective_games(pairs) == pytest.approx(games)


def test_the_interval_by_pairs_is_never_narrower_than_by_games() -> None:
    for pairs in ([1, 1, 0, 0], [1, 0.5, 0.5, 0], [0.5] * 4, [1, 1, 1], [0.75, 1, 0.25]):
        mean = sum(pairs) / len(pairs)
        by_pairs, by_games = interval_mirrored(pairs), wilson(mean, 2 * len(pairs))
        assert by_pairs[0] <= by_games[0] and by_pairs[1] >= by_games[1]
        assert by_pairs[0] <= mean <= by_pairs[1]
    assert interval_mirrored([1, 1, 0, 0]) == wilson(0.5, 4)
    assert interval_mirrored([]) == (0, 1)


def test_three_to_one_is_191_points() -> None:
    rated = bradley_terry(["x", "y"], {("x", "y"): (3, 1)})
    assert rated["x"] - rated["y"] == pytest.approx(THREE_TO_ONE) == pytest.approx(190.85, abs=0.01)
    assert rated["x"] + rated["y"] == pytest.approx(3000)


def test_odds_multiply() -> None:
    # x beats y 3:1 and y beats z 3:1, so x beats z 9:1; the pairings say so of each other
    rated = bradley_terry("xyz", {("x", "y"): (6, 2), ("y", "z"): (6, 2), ("z", "x"): (1, 9)})
    assert rated["x"] - rated["y"] == pytest.approx(THREE_TO_ONE, abs=0.01)
    assert rated["x"] - rated["z"] == pytest.approx(2 * THREE_TO_ONE, abs=0.01)


def test_who_wins_everything_is_rated_as_with_one_drawn_game_more() -> None:
    assert not bounded("xy", {("x", "y"): (4, 0)})
    rated = bradley_terry(["x", "y"], {("x", "y"): (4, 0)})
    # 4 1/2 : 1/2 is nine to one
    assert rated["x"] - rated["y"] == pytest.approx(2 * THREE_TO_ONE, abs=0.01)


def test_when_the_fit_is_finite() -> None:
    # x over y, y over z, z over x: everybody has points against everybody by way of the others
    circle = {("x", "y"): (1.0, 0.0), ("y", "z"): (1.0, 0.0), ("x", "z"): (0.0, 1.0)}
    assert bounded("xyz", circle)
    assert bradley_terry("xyz", circle) == pytest.approx({"x": 1500, "y": 1500, "z": 1500})
    assert not bounded("xyz", {**circle, ("x", "z"): (1.0, 0.0)})


def test_ratings_have_intervals_about_them() -> None:
    pairs = {("x", "y"): [1, 1, 0.5, 0.5, 1, 0, 0.5, 1.0]}
    rated = ratings(["y", "x"], pairs)
    # 5 1/2 of 8 pairs: odds 11 to 5
    assert list(rated) == ["x", "y"]
    assert rated["x"]["rating"] == pytest.approx(1500 + 200 * math.log10(11 / 5), abs=0.06)
    low, high = rated["x"]["interval"]
    assert low < rated["x"]["rating"] < high
    assert rated["y"]["interval"] == pytest.approx([3000 - high, 3000 - low], abs=0.11)
    assert rated["x"]["bounded"]
    assert ratings(["y", "x"], pairs) == rated


def test_one_score_throughout_still_leaves_doubt() -> None:
    rated = ratings(["x", "y"], {("x", "y"): [0.5] * 6})
    low, high = rated["x"]["interval"]
    assert rated["x"]["rating"] == 1500
    assert low < 1500 < high
    assert not ratings(["x", "y"], {("x", "y"): [1.0] * 6})["x"]["bounded"]


def test_nobody_has_played() -> None:
    assert ratings(["x", "y"], {})["y"] == {"rating": 1500, "interval": [1500, 1500], "bounded": False}


def test_percentiles() -> None:
    # of 100 values 2 1/2 % on each side: two are cut off
    assert percentiles(range(100)) == (2, 97)
