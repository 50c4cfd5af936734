"""The command of rule tests: what is asked for, the document, violations told, and a kill that loses nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from opfor.errors import InputError
from opfor.gm.ruletest.plays import key_of
from opfor.gm.ruletest.sources import BattleFile, RandomBattles, source_named
from opfor.gm.ruletest.store import GAMES
from opfor.gm.ruletest.wishes import Wishes, asked_for, wishes_from
from tests.cli_support import ROOT, opfor, opfor_json
from tests.planted import plant
from tests.test_ruletest import BRIEF, RANDOM, TOWN, timeless

#: seconds after which a test gives up waiting for a process
PATIENCE = 300


# -- what is asked for ------------------------------------------------------------------------------------------------

REFUSED = [
    (Wishes(sets=("randm",)), "no set of battles 'randm'"),
    (Wishes(policies="random"), "is not two policies"),
    (Wishes(policies="random,nobody"), "no policy 'nobody'"),
    (Wishes(policies="random,random:tree", games=3), "3 is odd"),
    (Wishes(ruleset="standrd"), "no ruleset 'standrd'"),
    (Wishes(ruleset="standard", mixes=True), "give one of the two"),
    (Wishes(battle=str(TOWN), sets=("random",)), "give one of the two"),
    (Wishes(vary=("partial_covr=standard,house",)), "partial_covr"),
    (Wishes(battle="nowhere.yaml"), "no such file"),
]


@pytest.mark.parametrize(("wishes", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_cannot_be_played_is_refused_in_words(wishes: Wishes, words: str) -> None:
    with pytest.raises(InputError, match=words):
        asked_for(wishes)


def test_what_is_usual() -> None:
    looking = asked_for(Wishes(games=8)).programme
    assert looking.codes == RANDOM and looking.checked and looking.seats == (False,)
    assert [source.name for source in looking.sources] == ["random"]
    compared = asked_for(Wishes(games=8, vary=("partial_cover=standard,house",), policies="veteran,random"))
    assert compared.plan is not None and not compared.programme.checked
    assert compared.programme.games == 16 and compared.programme.battles == 4
    fair = asked_for(Wishes(games=8, battle=str(TOWN)))
    assert fair.programme.codes == ("veteran", "veteran") and not fair.programme.checked
    assert fair.programme.sources == (BattleFile(str(TOWN)),)
    both = asked_for(Wishes(games=8, battle=str(TOWN), vary=("partial_cover=standard,house",), policies="veteran,random"))
    assert both.programme.seats == (False, True) and both.programme.games == 16
    assert wishes_from(json.loads(json.dumps(fair.wishes.as_dict()))) == fair.wishes


def test_sources_by_name() -> None:
    assert source_named("random") == RandomBattles()
    assert source_named("standard-4v4").name == "standard-4v4"
    assert source_named("indirect-4v4").name == "indirect-4v4"
    assert source_named(str(TOWN)) == BattleFile(str(TOWN))


# -- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def battle(tmp_path: Path) -> Path:
    path = tmp_path / "brief.yaml"
    path.write_text(json.dumps(BRIEF), encoding="utf-8")
    return path


def test_the_document_has_the_keys_that_stay(tmp_path: Path, battle: Path) -> None:
    out = tmp_path / "out"
    report = opfor_json("ruletest", "--set", battle, "--games", 4, "--jobs", 1, "--seed", 2, "--out", out)
    assert report["violations"] == [] and report["effects"] == []
    assert [row["games"] for row in report["variants"]] == [4]
    assert report["exercised"]["rules"]
    assert json.loads((out / "report.json").read_text(encoding="utf-8")) == report
    again = opfor("ruletest", "--resume", "--jobs", 1, "--out", out)
    assert "4 of 4 games are there already" in again.stderr
    assert "Nothing broke" in again.stdout and "games an hour" in again.stdout


def test_a_violation_is_told_shrunk_and_ends_with_status_1(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("ruleset: standard\nunits: 2\nturn_limit: 4\nbudget: [2000, 2600]\n", encoding="utf-8")
    out = tmp_path / "out"
    with pytest.MonkeyPatch.context() as patch:
        plant(patch, "jumps cool")
        report = opfor_json("ruletest", "--set", own, "--games", 4, "--jobs", 1, "--out", out, code=1)
        (row,) = report["violations"]
        assert (row["kind"], row["what"], row["rule"]) == ("invariant", "heat", "S-7")
        assert row["shrunk"]["orders"] <= 5
        assert (out / row["shrunk"]["test"]).read_text(encoding="utf-8").count("def test_") == 1
        words = opfor("ruletest", "--resume", "--jobs", 1, "--out", out, code=1).stdout
    assert f"invariant heat: {row['games']} games" in words and row["shrunk"]["test"] in words


def test_what_a_rule_changes_is_in_the_report(tmp_path: Path, battle: Path) -> None:
    pytest.importorskip("scipy")
    out = tmp_path / "out"
    call = ["ruletest", "--set", battle, "--policies", "random:tree,random:tree", "--games", 4, "--jobs", 1, "--out", out]
    report = opfor_json(*call, "--vary", "partial_cover=standard,house")
    assert [row["name"] for row in report["variants"]] == ["partial_cover=standard", "partial_cover=house"]
    assert {"measure", "difference", "interval"} <= set(report["effects"][0])
    assert (out / "report.html").is_file() and (out / "games.csv").read_text(encoding="utf-8").count("\n") == 9


def test_errors_are_one_line(tmp_path: Path) -> None:
    refused = opfor("ruletest", "--budget", "a=0.5", "--out", tmp_path, code=1)
    assert refused.stderr.strip() == "opfor: --budget: a budget is for one battle: name its file"
    town = opfor("ruletest", TOWN, "--budget", "opfr=0.5", "--out", tmp_path, code=1)
    assert "names no side" in town.stderr and "did you mean opfor?" in town.stderr
    assert "did you mean one?" in opfor("ruletest", "--design", "onee", "--out", tmp_path, code=1).stderr
    assert "no rule test to go on with" in opfor("ruletest", "--resume", "--out", tmp_path, code=1).stderr


def _killed(call: list[Any], path: Path) -> bytes:
    """Run the command in a process of its own, kill it once it has played a few games; what the file held then."""
    begin = [sys.executable, "-c", "from opfor.cli import main; main()", *map(str, call)]
    process = subprocess.Popen(begin, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    until = time.monotonic() + PATIENCE
    while not path.exists() or path.read_bytes().count(b"\n") < 3:
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_kill_loses_nothing(tmp_path: Path, battle: Path, jobs: int) -> None:
    out, other = tmp_path / "killed", tmp_path / "whole"
    call = ["ruletest", "--set", battle, "--games", 400, "--seed", 2, "--jobs", jobs]
    before = _killed([*call, "--out", out], out / GAMES)
    assert before.count(b"\n") < 400
    gone_on = opfor_json("ruletest", "--resume", "--out", out, "--jobs", jobs)
    assert (out / GAMES).read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    whole = opfor_json(*call, "--out", other)
    rows = []
    for folder in (out, other):
        found = [timeless(json.loads(line)) for line in (folder / GAMES).read_text(encoding="utf-8").splitlines()]
        assert len(found) == len({key_of(row) for row in found}) == 400
        rows.append(sorted(found, key=key_of))
    assert rows[0] == rows[1]
    for key in ("games", "variants", "exercised", "violations"):
        assert gone_on[key] == whole[key]
