"""Win rates with intervals, and ratings.

A draw counts half. Intervals are score intervals (Wilson's), which keep within 0 and 1 and hold for few games. The two games
of a mirrored battle are not independent: :func:`interval_mirrored` counts what they are worth. Ratings are the
Bradley-Terry model's, fitted by ``choix``, on the Elo scale: 400 points are odds of ten to one.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any

from opfor.errors import InputError

Interval = tuple[float, float]
#: the part of such intervals that hold the truth
CONFIDENCE = 0.95
#: the mean of all ratings
MIDDLE = 1500.0
#: Elo points for a factor of e in the odds
SCALE = 400 / math.log(10)


def wilson(score: float, games: float, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's interval of a mean ``score`` (0 to 1, draws half) over independent ``games``; the whole range for none."""
    if games <= 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    part = z * z / games
    middle = (score + part / 2) / (1 + part)
    reach = z / (1 + part) * math.sqrt(score * (1 - score) / games + part / games / 4)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def effective_games(pairs: Sequence[float]) -> float:
    """How many independent games mirrored pairs are worth, each a mean score of two games: as many as pairs, to twice that.

    If both games of a battle always go the same way, the second tells nothing: one game a pair. The variance of the pairs'
    scores is half that of single games if the two are independent; less than that is put down to chance.
    """
    count = len(pairs)
    if count < 2:
        return float(count)
    mean = sum(pairs) / count
    single = mean * (1 - mean)
    if single <= 0:
        return float(count)
    variance = sum((score - mean) ** 2 for score in pairs) / (count - 1)
    return count / min(1.0, max(0.5, variance / single))


def interval_mirrored(pairs: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """The interval of a win rate by mirrored pairs, each a mean score of two games. Never narrower than that by games."""
    if not pairs:
        return 0.0, 1.0
    return wilson(sum(pairs) / len(pairs), effective_games(pairs), confidence)


def need_choix() -> Any:
    """The package that fits ratings. Raises :class:`InputError` where it is not installed."""
    try:
        import choix
    except ImportError:
        raise InputError("ratings need the package choix, which is not installed", hint="pip install 'opfor[arena]'") from None
    return choix


def bradley_terry(labels: Sequence[str], scores: Mapping[tuple[str, str], tuple[float, float]]) -> dict[str, float]:
    """Ratings on the Elo scale about :data:`MIDDLE`. ``scores``: by pair (a, b) the points of a and of b, draws half each.

    Where somebody has won (or lost) every point against the rest the fit has no end: see :func:`bounded`. One drawn
    game is then added to every pairing, so that the ratings lie as far apart as that many games can tell.
    """
    choix = need_choix()
    import numpy

    if len(labels) < 2 or not scores:
        return dict.fromkeys(labels, MIDDLE)
    extra = 0.5 if not bounded(labels, scores) else 0.0
    index = {label: number for number, label in enumerate(labels)}
    won = numpy.zeros((len(labels), len(labels)))
    for (a, b), (points_a, points_b) in scores.items():
        won[index[a], index[b]] += points_a + extra
        won[index[b], index[a]] += points_b + extra
    fitted = choix.ilsr_pairwise_dense(won)
    middle = float(fitted.mean())
    return {label: MIDDLE + SCALE * (float(fitted[number]) - middle) for label, number in index.items()}


def bounded(labels: Sequence[str], scores: Mapping[tuple[str, str], tuple[float, float]]) -> bool:
    """Whether everybody has points, over others, against everybody else: then, and only then, the fit is finite."""
    over: dict[str, set[str]] = {label: set() for label in labels}
    for (a, b), (points_a, points_b) in scores.items():
        if points_a > 0:
            over[a].add(b)
        if points_b > 0:
            over[b].add(a)
    return all(_reached(start, over) == set(labels) for start in labels)


def _reached(start: str, over: Mapping[str, set[str]]) -> set[str]:
    seen, ahead = {start}, [start]
    while ahead:
        new = over[ahead.pop()] - seen
        seen |= new
        ahead += sorted(new)
    return seen


def ratings(
    labels: Sequence[str], pairs: Mapping[tuple[str, str], Sequence[float]], *, samples: int = 400, seed: int = 0
) -> dict[str, dict[str, Any]]:
    """Ratings with intervals. ``pairs``: by (a, b) the mean score of a in each mirrored pair of games.

    The interval is a bootstrap's: the pairs of every pairing are drawn anew ``samples`` times, and fitted. Where all pairs of a
    pairing have one score, a won and a lost one are drawn from as well: so few games do not show that it never goes
    otherwise. ``bounded`` is false where the games set no limit to the differences (see :func:`bradley_terry`).
    """
    scores = {key: _points(one) for key, one in pairs.items() if one}
    fitted = bradley_terry(labels, scores)
    draw = random.Random(f"bootstrap {seed}").random
    drawn: dict[str, list[float]] = {label: [] for label in labels}
    pools = {key: [*one, *((0.0, 1.0) if len(set(one)) == 1 else ())] for key, one in pairs.items() if one}
    for _ in range(samples):
        again = {key: _points([pool[int(draw() * len(pool))] for _ in pairs[key]]) for key, pool in pools.items()}
        for label, value in bradley_terry(labels, again).items():
            drawn[label].append(value)
    limited = bounded(labels, scores)
    return {
        label: {
            "rating": round(fitted[label], 1),
            "interval": [round(edge, 1) for edge in percentiles(drawn[label] or [fitted[label]])],
            "bounded": limited,
        }
        for label in sorted(labels, key=lambda name: -fitted[name])
    }


def percentiles(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """The middle part of some values."""
    ordered = sorted(values)
    cut = int((1 - confidence) / 2 * len(ordered))
    return ordered[cut], ordered[-1 - cut]


def _points(one: Sequence[float]) -> tuple[float, float]:
    won = 2 * sum(one)
    return won, 2 * len(one) - won
