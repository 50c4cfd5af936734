"""Whole runs: they end with a model that plays, and a run that is killed and gone on with ends with the same one."""

from __future__ import annotations

import csv
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import training.run
from opfor.errors import InputError
from policies.learned.model import load_model
from tests.cli_support import opfor, opfor_json
from training.checkpoint import checkpoints
from training.curves import round_marks
from training.demonstrations import read_manifest
from training.imitation import imitate
from training.logs import Table
from training.run import train

#: a run in seconds: few steps of short battles, against the random player and frozen selves
SMALL = [
    "ppo.steps=192", "ppo.envs=2", "ppo.rollout=24", "ppo.batch=24", "ppo.epochs=2", "checkpoint_every=1", "ppo.pull=0.1",
    "league.snapshot_every=48", "evaluation.every=96", "evaluation.battles=1", "evaluation.last_battles=1",
]  # fmt: skip
MAIN = "from opfor.cli import main; main()"
#: columns that tell the time, which is another each time
CLOCK = {"playing", "learning", "steps_per_second"}


def told(folder: Path) -> tuple[list[dict[str, str]], str]:
    """What a run has written of its course, but for the time that it took."""
    with (folder / "progress.csv").open(encoding="utf-8", newline="") as file:
        rows = [{key: value for key, value in row.items() if key not in CLOCK} for row in csv.DictReader(file)]
    return rows, (folder / "evaluations.csv").read_text(encoding="utf-8")


def same(one: Path, other: Path) -> None:
    """Two runs have come to the same: models byte by byte, opponents, and all that was told on the way."""
    assert told(one) == told(other)
    for name in ("first", "last", "best"):
        assert (one / f"{name}.safetensors").read_bytes() == (other / f"{name}.safetensors").read_bytes(), name
    kept = [checkpoints(folder / "checkpoints")[-1] for folder in (one, other)]
    for name in ("weights.safetensors", "optimiser.safetensors"):
        assert (kept[0] / name).read_bytes() == (kept[1] / name).read_bytes(), name
    frozen = [sorted((path.name, path.read_bytes()) for path in (folder / "snapshots").iterdir()) for folder in (one, other)]
    assert frozen[0] == frozen[1] and len(frozen[0]) == 8


class Killed(Exception):
    """Stands for the end of the process."""


@pytest.mark.parametrize(
    ("where", "calls_made"), [("_evaluate", 1), ("_rollout", 3), ("_snapshot", 3), ("_evaluate", 3), ("_keep", 3), ("_keep", 4)]
)
def test_a_run_that_stops_goes_on_to_the_same_end(
    where: str, calls_made: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: Path
) -> None:
    """Stopped right after what the test is named for: what a checkpoint does not know is done again, and told once."""
    real, calls = getattr(training.run, where), []

    def stopping(*arguments: Any) -> None:
        real(*arguments)
        calls.append(1)
        if len(calls) == calls_made:
            raise Killed

    monkeypatch.setattr(training.run, where, stopping)
    with pytest.raises(Killed):
        train("tiny", SMALL, out=str(tmp_path / "run"))
    monkeypatch.setattr(training.run, where, real)
    assert train(out=str(tmp_path / "run"), resume=True)["steps"] == 192
    same(tmp_path / "run", whole)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing stopped."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    train("tiny", SMALL, out=str(folder))
    return folder


def test_a_run_ends_with_a_model_that_plays(whole: Path) -> None:
    """The command line plays it by its path; its card tells where it comes from."""
    model = whole / "last.safetensors"
    found = opfor_json("play", "examples/ridge-12.yaml", "--policies", f"learned:{model},random:tree", "--turns", 2)
    assert found
    page = model.with_suffix(".md").read_text(encoding="utf-8")
    assert "opfor train tiny" in page and "192 steps of PPO against random:tree" in page and "| random:tree | 2 |" in page


def test_a_run_draws_its_curves(whole: Path) -> None:
    """One picture, of numbers and text alone: scores against each opponent in each set with their intervals, and learning."""
    rows = Table(whole / "evaluations.csv").rows()
    root = ElementTree.fromstring((whole / "curves.svg").read_text(encoding="utf-8"))
    space = "{http://www.w3.org/2000/svg}"
    words = [text.text or "" for text in root.iter(f"{space}text")]
    assert "score on held-out battles of duel" in words and "battles won while learning" in words
    last = [row for row in rows if row["opponent"] == "random:tree"][-1]
    assert f"random:tree: {float(last['score']):.0%} at last" in words
    assert len(list(root.iter(f"{space}polygon"))) == len({(row["opponent"], row["scenario"]) for row in rows})
    assert len(list(root.iter(f"{space}circle"))) == len(rows)


@pytest.mark.parametrize(
    ("last", "marks"),
    [
        (0, [0]),
        (3, [0, 1, 2, 3]),
        (12, [0, 5, 10]),
        (61_440, [0, 20_000, 40_000, 60_000]),
        (1_003_520, range(0, 1_000_001, 250_000)),
    ],
)
def test_curves_are_marked_at_round_steps(last: int, marks: Sequence[int]) -> None:
    assert round_marks(last) == list(marks)


def test_a_run_is_begun_once(whole: Path, tmp_path: Path) -> None:
    """A folder with a run is not begun in anew; other settings are refused; nothing to go on with is said."""
    with pytest.raises(InputError, match="a run in it already"):
        train("tiny", SMALL, out=str(whole))
    with pytest.raises(InputError, match="other settings"):
        train("tiny", [*SMALL, "seed=1"], out=str(whole), resume=True)
    with pytest.raises(InputError, match="no run to go on with"):
        train(out=str(tmp_path), resume=True)
    with pytest.raises(InputError, match="name a config"):
        train()
    with pytest.raises(InputError, match="no device"):
        train("tiny", device="tpu")


def test_the_command(whole: Path) -> None:
    """A run that is done says again what it came to, in words or as one JSON document; a wrong wish is one message."""
    report = opfor_json("train", "--resume", "--out", whole)
    assert report["steps"] == 192 and report["models"]["last"]["scores"][0]["battles"] == 2
    assert "192 steps" in opfor("train", "--resume", "--out", whole).stdout
    assert "did you mean tiny" in opfor("train", "tinny", code=1).stderr


def test_a_run_that_begins_by_imitation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has been recorded and learnt before PPO is kept: a run that stops right after it goes on to the same end."""
    config = tmp_path / "begin.yaml"
    shown = "{teachers: [random:tree], opponents: [random:tree], scenarios: [duel], games: 4, block: 2}"
    config.write_text(
        "name: begin\nnetwork: small\ncurriculum: [{battles: [{scenario: duel}]}]\n"
        f"imitation: {{demonstrations: {shown}, learning: {{epochs: 1, batch: 64, held_out: 0.5}}, processes: 1,\n"
        "  again: {rounds: 1, games: 2, noise: 0.5}}\n"
        "ppo: {steps: 48, envs: 2, rollout: 24, batch: 24, critic_steps: 24, pull: 0.5}\n"
        "evaluation: {battles: 1, last_battles: 1, opponents: [random:tree], scenarios: [{scenario: duel}]}\n",
        encoding="utf-8",
    )
    train(str(config), out=str(tmp_path / "whole"))

    def stopping(*arguments: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(training.run, "_stand", stopping)
        with pytest.raises(Killed):
            train(str(config), out=str(tmp_path / "run"))
    begun = (tmp_path / "run" / "first.safetensors").read_bytes()
    train(out=str(tmp_path / "run"), resume=True)
    for name in ("first", "last", "best"):
        one, other = (tmp_path / folder / f"{name}.safetensors" for folder in ("run", "whole"))
        assert one.read_bytes() == other.read_bytes()
    assert begun == (tmp_path / "whole" / "first.safetensors").read_bytes()
    told = "Imitation of random:tree in 4 recorded games, and in 2 more in which it gave orders itself."
    assert told in (tmp_path / "run" / "last.md").read_text(encoding="utf-8")
    # the second round is other battles, half of whose orders are those of what the first has taught
    first, second = (read_manifest(tmp_path / "run" / name)["config"] for name in ("demonstrations", "demonstrations-1"))
    assert second["noisy"] == f"learned:{tmp_path / 'run' / 'imitated-0.safetensors'}" and second["noise"] == 0.5
    assert first["noisy"] == "random:tree" and first["seed"] != second["seed"]
    learnt = [load_model(tmp_path / "run" / name).arrays for name in ("imitated-0.safetensors", "first.safetensors")]
    assert any((learnt[0][name] != learnt[1][name]).any() for name in learnt[0])


def test_a_run_that_stops_in_the_second_round_of_imitation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the first round has taught is what the second goes on from, stopped in between or not."""
    sets = [
        "network=small", "ppo.steps=48", "ppo.envs=2", "ppo.rollout=24", "ppo.batch=24", "evaluation.battles=1",
        "evaluation.last_battles=1", "imitation.demonstrations={teachers: [random:tree], opponents: [random:tree], "
        "scenarios: [duel], games: 4, block: 2}", "imitation.learning={epochs: 2, batch: 64, held_out: 0.5}",
        "imitation.again={rounds: 2, games: 2}", "imitation.processes=1",
    ]  # fmt: skip
    train("tiny", sets, out=str(tmp_path / "whole"))
    calls = []

    def stopping(*arguments: Any, **more: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 2:
            raise Killed
        return imitate(*arguments, **more)

    with monkeypatch.context() as patch:
        patch.setattr(training.run, "imitate", stopping)
        with pytest.raises(Killed):
            train("tiny", sets, out=str(tmp_path / "run"))
    assert not (tmp_path / "run" / "imitation-1").exists()
    train(out=str(tmp_path / "run"), resume=True)
    for name in ("imitated-0", "imitated-1", "first"):
        one, other = (tmp_path / folder / f"{name}.safetensors" for folder in ("run", "whole"))
        assert one.read_bytes() == other.read_bytes(), name


@pytest.mark.parametrize("package", ["torch", "gymnasium", "sb3_contrib"])
def test_where_it_is_not_installed_it_says_what_to_install(package: str) -> None:
    """The game master's install has none of what learns: one message, no trace."""
    without = f"import sys; sys.modules['{package}'] = None; {MAIN}"
    run = subprocess.run([sys.executable, "-c", without, "train", "tiny"], capture_output=True, text=True, check=False)
    assert run.returncode == 1 and not run.stdout
    assert f"needs the package {package}" in run.stderr and 'pip install "opfor[train]"' in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.slow
def test_environments_in_processes_of_their_own_play_the_same(tmp_path: Path, whole: Path) -> None:
    """Weights are the same bit by bit as those learnt with all environments in one process."""
    train("tiny", [*SMALL, "ppo.processes=2"], out=str(tmp_path))
    weights = [checkpoints(folder / "checkpoints")[-1] / "weights.safetensors" for folder in (tmp_path, whole)]
    assert weights[0].read_bytes() == weights[1].read_bytes()


@pytest.mark.slow
def test_a_run_killed_at_any_moment_ends_with_the_same_weights(tmp_path: Path, whole: Path) -> None:
    """SIGKILL, up to five times, whenever it happens to hit after the first steps; each time another process goes on."""
    folder = tmp_path / "run"
    settings = [part for one in SMALL for part in ("--set", one)]
    begin = [sys.executable, "-c", MAIN, "train", "tiny", *settings, "--out", str(folder)]
    go_on = [sys.executable, "-c", MAIN, "train", "--resume", "--out", str(folder)]
    draw = random.Random(8)
    command, killed = begin, 0
    for _ in range(5):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        before = len(list(folder.rglob("*")))
        deadline = time.monotonic() + 120
        # once it has written something, some moment soon
        while len(list(folder.rglob("*"))) <= before and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(draw.random())
        # the last one may have come to its end meanwhile
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        if (folder / "config.json").exists():
            command = go_on
    assert killed >= 2
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    same(folder, whole)


@pytest.mark.slow
def test_the_tiny_run_learns(tmp_path: Path) -> None:
    """From nothing to clearly better than the random player on held-out duels: the interval lies above one half."""
    report = train("tiny", out=str(tmp_path))
    (score,) = report["models"]["last"]["scores"]
    assert score["opponent"] == "random:tree" and score["battles"] == 300
    assert score["low"] > 0.5, score
    # and than it was itself, on the same battles
    with (tmp_path / "evaluations.csv").open(encoding="utf-8", newline="") as file:
        before, after = csv.DictReader(file)
    assert (before["steps"], after["steps"]) == ("0", "61440") and float(after["low"]) > float(before["score"])
