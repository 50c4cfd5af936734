"""Failures are shrunk: planted bugs are found by play, made small, and written as tests that fail with the bug alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opfor.gm.ruletest.cases import Case, StepDice, case_of, run_case, shows
from opfor.gm.ruletest.plays import PlayJob, Record, play_one
from opfor.gm.ruletest.regression import regression_test
from opfor.gm.ruletest.shrink import _fewest, shrink
from opfor.gm.ruletest.sources import RandomBattles
from tests.cli_support import ROOT
from tests.planted import PLANTS, plant

#: games until a planted bug must have been met
GAMES = 40
#: the seed of the run that meets them
SEED = 9


def first_failure(**changes: Any) -> Record:
    """The first game of a run that breaks something."""
    for number in range(GAMES):
        battles = RandomBattles(units=(2, 3), kinds=("mech",), limit=(4, 8))
        record = play_one(PlayJob(battles, number, ("random:tree", "random:tree"), seed=SEED, **changes))
        if record["violations"]:
            return record
    raise AssertionError("no game met the bug")


def function_of(text: str) -> Callable[[], None]:
    """The test function of a generated file."""
    names: dict[str, Any] = {}
    exec(compile(text, "generated.py", "exec"), names)
    return next(value for name, value in names.items() if name.startswith("test_"))


FAULTS = {
    "jumps cool": ("invariant", "heat"),
    "no stacking": ("invariant", "listed"),
    "armour below nothing": ("invariant", "armour"),
    "no criticals": ("crash", "LookupError"),
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_bug_is_found_shrunk_and_tested_for(name: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        plant(patch, name)
        record = first_failure()
        assert (record["violations"][0]["kind"], record["violations"][0]["what"]) == FAULTS[name]
        case = case_of(record)
        small = shrink(case)
        assert small is not None
        assert len(small.case.steps) <= 5
        assert len(small.case.battle["units"]) <= 3
        assert small.run.violation is not None and small.run.violation.fault == case.fault
        text = regression_test(small.case)
        with pytest.raises(Exception) as failed:
            function_of(text)()
        assert type(failed.value).__name__ in ("InvariantBroken", "LookupError", "AssertionError")
    # without the bug
    function_of(text)()
    assert shows(small.case) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTS)
def test_the_file_fails_and_passes_under_pytest(name: str, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        plant(patch, name)
        small = shrink(case_of(first_failure()))
        assert small is not None
        path = tmp_path / "test_found.py"
        path.write_text(regression_test(small.case), encoding="utf-8")
    run = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-p", "tests.planted", str(path)]
    for bug, status in ((name, 1), ("", 0)):
        done = subprocess.run(run, cwd=ROOT, env={**os.environ, "PLANTED": bug}, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stdout


def test_shrinking_is_the_same_each_time() -> None:
    with pytest.MonkeyPatch.context() as patch:
        plant(patch, "armour below nothing")
        case = case_of(first_failure())
        one, two = shrink(case), shrink(case)
    assert one is not None and two is not None
    assert one.case == two.case and one.tries == two.tries


def test_a_game_of_one_policy_s_own_fault_is_that_policy_s() -> None:
    def fails(*_: Any) -> None:
        raise KeyError("nothing comes to mind")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("policies.random_policy.RandomPolicy.choose", fails)
        record = first_failure()
        assert record["violations"][0]["kind"] == "policy"
        assert record["violations"][0]["place"].startswith("tests/test_shrink.py")
        small = shrink(case_of(record))
        assert small is not None and small.case.steps == ()
        text = regression_test(small.case)
        with pytest.raises(KeyError):
            function_of(text)()
    function_of(text)()


def test_what_does_not_show_again_is_not_shrunk() -> None:
    with pytest.MonkeyPatch.context() as patch:
        plant(patch, "jumps cool")
        case = case_of(first_failure())
    assert shrink(case) is None


def test_orders_left_out_are_orders_not_given() -> None:
    """A unit that is asked and has no order does nothing; an order that does not fit is passed over."""
    battle = {
        "opfor": 1,
        "ruleset": "standard",
        "board": {"size": "8x9"},
        "phase": "movement",
        "sides": {"a": {}, "b": {}},
        "units": [
            {"id": "one", "side": "a", "type": "Wasp WSP-1A", "at": "0205", "facing": "N"},
            {"id": "two", "side": "b", "type": "Wasp WSP-1A", "at": "0602", "facing": "S"},
        ],
    }
    walk = {"unit": "two", "kind": "move", "mode": "walk", "path": ["F"], "to": "0603", "facing": "S", "elevation": 0}
    far = {**walk, "path": ["F"] * 9, "to": "0609"}
    steps = ({"order": far, "dice": []}, {"order": walk, "dice": []})
    run = run_case(Case(battle, steps, ("invariant", "heat", "")))
    assert run is not None and run.violation is None
    given = [(step["order"]["unit"], step["order"]["mode"]) for step in run.steps]
    assert given == [("one", "stand"), ("two", "walk")]


def test_dice_of_a_step_are_taken_where_they_fit() -> None:
    dice = StepDice(chance=1)
    dice.give([(3, 4), (6,), (1, 1)])
    assert dice.roll(2, "").dice == (3, 4)
    # one die is not two: it is passed over
    assert dice.roll(2, "").dice == (1, 1)
    drawn = dice.roll(2, "").dice
    assert len(drawn) == 2
    dice.give([(2, 2)])
    assert dice.roll(2, "").dice == (2, 2)
    other = StepDice(chance=1)
    assert other.roll(2, "").dice == drawn


def test_parts_are_left_out_by_halves() -> None:
    """Of 16 items two are needed: they stay, in far fewer tries than there are pairs."""
    present, tries = list(range(16)), []

    def takes(kept: Any) -> bool:
        tries.append(list(kept))
        if {3, 12} <= set(kept) and len(kept) < len(present):
            present[:] = kept
            return True
        return False

    _fewest(lambda: present, takes)
    assert present == [3, 12]
    assert len(tries) < 30
