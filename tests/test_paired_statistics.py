"""Differences by battle: values worked by hand."""

from __future__ import annotations

import sys

import pytest

from opfor.errors import InputError
from opfor.gm.ruletest.paired_statistics import battles_needed, holm, need_scipy, paired, smallest_seen


def test_a_t_interval_by_hand() -> None:
    """1, 2, 3, 4, 5: mean 3, deviation sqrt(2.5), error sqrt(0.5) = 0.7071; t(4) at 97.5 % is 2.7764: 3 -+ 1.9632."""
    found = paired([1, 2, 3, 4, 5])
    assert found.method == "t" and found.battles == 5
    assert found.difference == pytest.approx(3)
    assert found.deviation == pytest.approx(1.58114, abs=1e-5)
    assert (found.low, found.high) == pytest.approx((1.0368, 4.9632), abs=1e-4)
    # t = 3 / 0.7071 = 4.2426; two tails of t(4) beyond it are 1.324 %
    assert found.p == pytest.approx(0.01324, abs=1e-5)


def test_signs_changed_by_hand() -> None:
    """1, 2, 3 have eight choices of sign; only all of them one way give a mean of 2 or more, or -2 or less: 2 of 8."""
    found = paired([1, 2, 3], heavy=True)
    assert found.method == "bootstrap" and found.p == pytest.approx(0.25)
    # of 27 samples drawn with replacement one has mean 1, one mean 3: 3.7 % each, so that 2.5 % are within both
    assert (found.low, found.high) == (1, 3)


def test_a_bootstrap_of_many_is_near_to_the_normal() -> None:
    """Half -1, half +1 of 400: mean 0, deviation 1.00125, error 0.05006; 1.96 errors are 0.0981."""
    found = paired([-1.0, 1.0] * 200, heavy=True, seed=3)
    assert (found.low, found.high) == pytest.approx((-0.0981, 0.0981), abs=0.006)
    assert found.p == pytest.approx(1.0)
    assert found == paired([-1.0, 1.0] * 200, heavy=True, seed=3)


def test_no_scatter() -> None:
    """Nothing but zeros shows nothing; three times 2 is as far as signs go: 2 of 8."""
    nothing = paired([0, 0, 0, 0], heavy=True)
    assert (nothing.difference, nothing.low, nothing.high, nothing.p, nothing.method) == (0, 0, 0, 1, "constant")
    assert paired([2, 2, 2]).p == pytest.approx(0.25)


def test_holm_by_hand() -> None:
    """0.01 x 4 = 0.04; 0.015 x 3 = 0.045; 0.02 x 2 = 0.04, not less than the one before; 0.9."""
    assert holm([0.02, 0.9, 0.01, 0.015]) == [0.045, 0.9, 0.04, 0.045]
    assert holm([0.7, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_how_many_battles() -> None:
    """(1.95996 + 0.84162)^2 = 7.84888: times (10 / 5)^2 is 31.4; an effect half as large needs four times as many, 125.6."""
    assert battles_needed(10, 5) == 32
    assert battles_needed(10, -2.5) == 126
    assert battles_needed(10, 0) is battles_needed(0, 5) is None
    # 2.80159 x 10 / sqrt(100)
    assert smallest_seen(10, 100) == pytest.approx(2.80159, abs=1e-5)


def test_without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said what to install."""
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(InputError, match="scipy") as caught:
        need_scipy()
    assert "opfor[ruletest]" in str(caught.value)
