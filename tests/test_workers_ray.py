"""Jobs on a Ray cluster: nodes and processes that die lose no result, and results are those of one process."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from opfor.errors import InputError
from opfor.gm.arena.entrants import Entrant
from opfor.gm.arena.match import Fixture, Record, play_fixture, schedule
from opfor.gm.arena.sets import read_set
from opfor.gm.workers import TRIES, run_jobs
from tests.cli_support import ROOT
from tests.test_arena import DUEL, timeless

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.slow

#: the least that a node needs
SMALL: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 100_000_000}
GAMES = 44


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A cluster of two nodes of one core each, which the environment names."""
    from ray.cluster_utils import Cluster

    for key, value in {"PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0", "RAY_raylet_start_wait_time_s": "120"}.items():
        monkeypatch.setenv(key, value)
    made = Cluster(initialize_head=True, head_node_args={**SMALL, "include_dashboard": False})
    made.second = made.add_node(**SMALL)
    monkeypatch.setenv("RAY_ADDRESS", made.address)
    yield made
    ray.shutdown()
    made.shutdown()


def marked(job: tuple[Fixture, str]) -> Record:
    """A game; its file in the folder has a line for each time it was begun, with node and process, and one for its end."""
    fixture, folder = job
    path = Path(folder) / fixture.key.words
    _line(path, f"{ray.get_runtime_context().get_node_id()} {os.getpid()}")
    # long enough to die in
    time.sleep(0.2)
    record = timeless(play_fixture(fixture))
    _line(path, "ended")
    return record


def _line(path: Path, words: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{words}\n")


def found(job: str) -> str:
    """What a file says, and where that was looked for."""
    return f"{Path(job).read_text(encoding='utf-8')} {Path.cwd()}"


def killed(job: int) -> int:
    """The number; the process of 1 is killed each time."""
    if job == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    if job == 7:
        raise InputError("seven is refused", place="seven")
    return job


def test_a_node_that_dies_in_mid_run_loses_no_result(cluster: Any, tmp_path: Path) -> None:
    players = [Entrant("x", "random"), Entrant("y", "random")]
    fixtures = schedule(players, [read_set(DUEL, "duel", source="duel")], GAMES, 1)
    found, cut_off = [], ""
    with closing(run_jobs(marked, [(fixture, str(tmp_path)) for fixture in fixtures], on="ray")) as done:
        for job, record in done:
            found.append((job[0].key, record))
            if not cut_off and len(found) >= 8:
                cut_off = _kill_second(cluster, tmp_path)
    # each once, and what one process makes of it
    assert Counter(key for key, _ in found) == Counter(fixture.key for fixture in fixtures)
    assert dict(found) == {fixture.key: timeless(play_fixture(fixture)) for fixture in fixtures}
    # both nodes had played, and what the one had begun the other has ended
    lines = [path.read_text(encoding="utf-8").splitlines() for path in tmp_path.iterdir()]
    assert sum(1 for begun, *_ in lines if begun.startswith(cluster.second.node_id)) > 1
    first, *_, last, ended = (tmp_path / cut_off).read_text(encoding="utf-8").splitlines()
    assert first.split()[0] == cluster.second.node_id != last.split()[0]
    assert ended == "ended"


def _kill_second(cluster: Any, folder: Path) -> str:
    """Kill the second node in the middle of a game, which is returned; "" where it plays none at this moment."""
    for path in folder.iterdir():
        node, _, process = path.read_text(encoding="utf-8").splitlines()[-1].partition(" ")
        if node == cluster.second.node_id:
            # as the machine does it: all at once
            os.kill(int(process), signal.SIGKILL)
            cluster.remove_node(cluster.second, allow_graceful=False)
            return path.name
    return ""


def test_a_process_that_dies_and_an_error_on_a_cluster(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(
        run_jobs(killed, range(5), on="ray", count=2, lost=lambda job, why: -job if f"{TRIES} times" in why else 0)
    ) as done:
        assert sorted(done) == [(0, 0), (1, -1), (2, 2), (3, 3), (4, 4)]
    with pytest.raises(InputError) as caught, closing(run_jobs(killed, [7], on="ray")) as done:
        list(done)
    assert (caught.value.message, caught.value.place) == ("seven is refused", "seven")
    # files are named as here
    (tmp_path / "here.txt").write_text("read", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert list(run_jobs(found, ["here.txt"], on="ray")) == [("here.txt", f"read {tmp_path}")]
    # the cluster is that of others: it stays
    assert len([node for node in _nodes() if node["Alive"]]) == 2


def _nodes() -> list[dict[str, Any]]:
    ray.init(address=os.environ["RAY_ADDRESS"], log_to_driver=False, logging_level="warning")
    return list(ray.nodes())


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    with pytest.raises(InputError, match="no work can be done on the cluster"):
        list(run_jobs(killed, [0], on="ray"))
