"""The arena's command: errors, going on after a kill and an interrupt, what lies in the folder."""

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

from opfor.formats.replay import read_replay, replay
from opfor.gm.arena.entrants import entrants
from opfor.gm.arena.match import play_fixture, schedule
from opfor.gm.arena.sets import set_named
from tests.cli_support import INTERRUPTIBLE, ROOT, opfor, opfor_json
from tests.test_arena import DUEL, timeless

#: seconds after which a test gives up waiting for a process
PATIENCE = 300


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    path = tmp_path / "duel.yaml"
    path.write_text(DUEL, encoding="utf-8")
    return path


def lines(folder: Path) -> list[dict[str, Any]]:
    """The games of a folder, in their own order."""
    rows = [json.loads(line) for line in (folder / "games.jsonl").read_text(encoding="utf-8").splitlines()]
    return sorted(map(timeless, rows), key=lambda row: (row["number"], row["swapped"]))


def begun(duel: Path, out: Path, games: int) -> subprocess.Popen[bytes]:
    """The command in a process of its own, once it has played two games."""
    call = ["arena", "--policies", "random,random", "--set", duel, "--games", games, "--out", out, "--jobs", 1]
    run = [sys.executable, "-c", INTERRUPTIBLE, *map(str, call)]
    process = subprocess.Popen(run, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    until = time.monotonic() + PATIENCE
    path = out / "games.jsonl"
    while not path.exists() or path.read_bytes().count(b"\n") < 2:
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.02)
    return process


def gone_on_with(duel: Path, out: Path, games: int, before: bytes) -> None:
    """A stopped run is gone on with: nothing lost, nothing played twice, the games those of a run that never stopped."""
    whole = before[: before.rfind(b"\n") + 1]
    report = opfor_json("arena", "--resume", "--out", out, "--jobs", 1)
    assert (out / "games.jsonl").read_bytes().startswith(whole)
    assert report["games"] == games
    keys = [(row["number"], row["swapped"]) for row in lines(out)]
    assert keys == [(number, swapped) for number in range(games // 2) for swapped in (False, True)]
    unbroken = schedule(entrants(["random", "random"]), [set_named(str(duel))], games, 0)
    assert lines(out) == [timeless(play_fixture(fixture)) for fixture in unbroken]


def test_a_killed_run_is_gone_on_with(duel: Path, tmp_path: Path) -> None:
    """With its last line torn, as a machine that stops may leave it."""
    out = tmp_path / "arena"
    process = begun(duel, out, 24)
    process.kill()
    process.wait(PATIENCE)
    before = (out / "games.jsonl").read_bytes()
    assert before.count(b"\n") < 24
    torn = before + b'{"a":"random","b":"rand'
    (out / "games.jsonl").write_bytes(torn)
    gone_on_with(duel, out, 24, torn)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no interrupt of another process there")
def test_an_interrupt_leaves_a_folder_to_go_on_with(duel: Path, tmp_path: Path) -> None:
    out = tmp_path / "arena"
    process = begun(duel, out, 24)
    # as a terminal does: to the command and to its processes
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(PATIENCE) == 130
    gone_on_with(duel, out, 24, (out / "games.jsonl").read_bytes())


def test_what_lies_in_the_folder(duel: Path, tmp_path: Path) -> None:
    out = tmp_path / "arena"
    own = ROOT / "examples" / "my_policy.py"
    arguments = ("arena", "--policies", "random", "--code", own, "--set", duel, "--seed", 3, "--out", out, "--jobs", 1)
    report = opfor_json(*arguments, "--games", 4, "--replays", 1)
    (pair,) = report["pairs"]
    # the keys that scripts hang on
    assert {"a", "b", "games", "wins_a", "draws", "win_rate", "interval"} <= set(pair)
    assert (pair["a"], pair["b"], pair["games"]) == ("random", "brave", 4)
    assert set(report["ratings"]) == {"random", "brave"}
    assert json.loads((out / "report.json").read_text(encoding="utf-8")) == report
    assert {path.name for path in out.iterdir()} == {
        "arena.json", "games.jsonl", "games.csv", "pairs.csv", "ratings.csv", "report.json", "report.html", "replays",
    }  # fmt: skip
    assert {out / row["file"] for row in report["replays"]} == set((out / "replays").iterdir())
    text = read_replay(out / report["replays"][0]["file"])
    assert replay(text) == text
    # the same folder again: nothing more to play, the same report; more games go on
    assert opfor_json(*arguments, "--games", 4, "--replays", 1) == report
    more = opfor(*arguments, "--games", 6, "--replays", 1)
    assert "4 of 6 games are there already" in more.stderr
    assert len(lines(out)) == 6


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--policies", "random,vetran"], "there is no policy 'vetran'"),
        (["--policies", "random,vetran"], "did you mean veteran"),
        (["--policies", "random,veteran:bol"], "did you mean veteran"),
        (["--policies", "random"], "at least two policies"),
        ([], "at least two policies"),
        (["--policies", "random,veteran", "--games", "5"], "5 is odd"),
        (["--policies", "random,veteran", "--set", "standard-4x4"], "did you mean standard-4v4"),
        (
            ["--policies", "random,veteran", "--set", "nowhere/mine.yaml"],
            "nowhere/mine.yaml: cannot be read as a set of battles",
        ),
        (["--policies", "random,veteran", "--set", "standard-4v4", "--set", "8v8", "--games", "2"], "need 4 games"),
        (["--policies", "random", "--code", "examples/my_polcy.py"], "there is no such file (did you mean my_policy.py"),
        (["--policies", "random,brav", "--code", "examples/my_policy.py"], "did you mean brave"),
        (["--policies", "random,brave:x", "--code", "examples/my_policy.py"], "takes no parameters"),
        (["--check", "examples/nothing.py"], "there is no such file"),
        (["--resume"], "there is no arena to go on with"),
    ],
)
def test_what_is_wrong_is_said(arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = opfor("arena", *arguments, "--out", tmp_path / "arena", code=1)
    assert words in result.stderr
    assert not (tmp_path / "arena").exists()
    assert opfor_json("arena", *arguments, "--out", tmp_path / "arena", code=1)["error"]["message"]


def test_without_the_package_for_ratings_nothing_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "choix", None)
    result = opfor("arena", "--policies", "random,veteran", "--out", tmp_path / "arena", code=1)
    assert "pip install 'opfor[arena]'" in result.stderr
    assert not (tmp_path / "arena").exists()


def test_a_policy_that_prints_spoils_no_json(duel: Path, tmp_path: Path) -> None:
    path = tmp_path / "loud.py"
    text = (ROOT / "examples" / "my_policy.py").read_text(encoding="utf-8").replace('"brave"', '"loud"')
    path.write_text(
        text.replace("        few =", "        print('well ...')\n        few =") + "\nprint('read')\n", encoding="utf-8"
    )
    out = tmp_path / "arena"
    report = opfor_json("arena", "--policies", "random", "--code", path, "--set", duel, "--games", 2, "--out", out, "--jobs", 1)
    assert report["policies"] == ["random", "loud"]
