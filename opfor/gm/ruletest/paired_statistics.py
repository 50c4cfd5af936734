"""Differences between variants, battle by battle: means with intervals, tests, and how many battles would be needed.

A battle is the unit: its games with changed seats, and the same battle by other rules, share forces, edges and dice, so that a
difference is taken within the battle, and battles are independent of each other. scipy does the statistics; it is asked for
when a command runs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev
from typing import Any

from opfor.errors import InputError

#: the part of such intervals that hold the truth
CONFIDENCE = 0.95
#: the chance that a test is to find an effect that is there
POWER = 0.8
#: samples drawn anew for an interval or a test by chance alone
RESAMPLES = 9999
T, BOOTSTRAP, CONSTANT = "t", "bootstrap", "constant"


def need_scipy() -> Any:
    """``scipy.stats``. Raises :class:`InputError` where it is not installed."""
    try:
        from scipy import stats
    except ImportError:
        raise InputError(
            "intervals need the package scipy, which is not installed", hint="pip install 'opfor[ruletest]'"
        ) from None
    return stats


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean difference over ``battles``, with its interval and ``p``, the chance of one as large where there is none.

    ``deviation`` is the standard deviation of one battle's difference, ``method`` how interval and ``p`` came about.
    """

    difference: float
    low: float
    high: float
    p: float
    deviation: float
    battles: int
    method: str


def paired(differences: Sequence[float], *, heavy: bool = False, seed: int = 0) -> Estimate:
    """The mean of one difference a battle, at least two of them.

    A t interval and test; where tails are ``heavy`` (or values few, as of won and lost) an interval by percentile bootstrap and
    a test by changing signs at random. The same for the same arguments.

    Raises :class:`InputError` where scipy is not installed, ValueError for fewer than two differences.
    """
    stats = need_scipy()
    import numpy

    count = len(differences)
    mean, deviation = fmean(differences), stdev(differences)
    sample = numpy.asarray(differences, dtype=float)
    if deviation <= 1e-12 * max(1.0, abs(mean)):
        # all the same: there is no scatter to reckon by; of all changes of sign two give as much
        p = min(1.0, 2.0 ** (1 - count)) if abs(mean) > 1e-12 else 1.0
        return Estimate(mean, mean, mean, p, 0.0, count, CONSTANT)
    if not heavy:
        tested = stats.ttest_1samp(sample, 0.0)
        interval = tested.confidence_interval(CONFIDENCE)
        return Estimate(mean, float(interval.low), float(interval.high), float(tested.pvalue), deviation, count, T)
    drawn = stats.bootstrap(
        (sample,),
        numpy.mean,
        confidence_level=CONFIDENCE,
        n_resamples=RESAMPLES,
        batch=max(1, 2_000_000 // count),
        method="percentile",
        rng=numpy.random.default_rng(seed),
    ).confidence_interval
    tested = stats.permutation_test(
        (sample,),
        numpy.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=max(1, 2_000_000 // count),
        rng=numpy.random.default_rng(seed + 1),
    )
    return Estimate(mean, float(drawn.low), float(drawn.high), float(tested.pvalue), deviation, count, BOOTSTRAP)


def holm(chances: Sequence[float]) -> list[float]:
    """Holm's correction of several tests' ``p``, in the order given: what is still small is shown, however many were made.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(chances)), key=lambda index: chances[index])
    found = [0.0] * len(chances)
    largest = 0.0
    for place, index in enumerate(order):
        largest = max(largest, min(1.0, (len(chances) - place) * chances[index]))
        found[index] = round(largest, 12)
    return found


def _reach() -> float:
    """How many standard errors of the mean a difference must be long to be seen with :data:`POWER`, by one test."""
    normal = NormalDist()
    return normal.inv_cdf((1 + CONFIDENCE) / 2) + normal.inv_cdf(POWER)


def battles_needed(deviation: float, effect: float) -> int | None:
    """Battles to see an ``effect`` with 80 % power in one test at 5 %, by the scatter of the differences.

    None for no effect, and where there is no scatter to reckon by.

    >>> battles_needed(10, 5)
    32
    """
    if not effect or not deviation:
        return None
    return max(2, math.ceil((_reach() * deviation / abs(effect)) ** 2))


def smallest_seen(deviation: float, battles: int) -> float:
    """The smallest effect that so many battles show with 80 % power in one test at 5 %.

    >>> round(smallest_seen(10, 100), 3)
    2.802
    """
    return _reach() * deviation / math.sqrt(battles)
