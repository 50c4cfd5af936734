"""Jobs in processes: each result once, whoever dies; errors, interrupts and endless jobs."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from contextlib import closing
from itertools import count, islice
from pathlib import Path

import pytest

from opfor.errors import InputError
from opfor.gm import workers
from opfor.gm.workers import local, run_jobs

#: seconds after which a test gives up waiting
PATIENCE = 60


def squared(job: int) -> tuple[int, int]:
    """The square, and who worked it out."""
    return job * job, os.getpid()


def dying(job: tuple[str, int, int]) -> int:
    """The number, once as many processes have died over it as it says: each leaves a mark in the folder and is killed."""
    folder, number, deaths = job
    marks = Path(folder) / str(number)
    if marks.stat().st_size < deaths:
        with marks.open("a", encoding="utf-8") as file:
            file.write("x")
        os.kill(os.getpid(), signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
    return number


def refusing(job: int) -> int:
    """An error for 3."""
    if job == 3:
        raise InputError("three is refused", source="job", place="three", hint="two")
    return job


def slow(job: int) -> int:
    """Nothing, for long."""
    time.sleep(PATIENCE)
    return job


def printing(job: int) -> int:
    """A result, and noise on standard output."""
    print("noise")
    return job


def mortal(folder: Path, deaths: dict[int, int]) -> list[tuple[str, int, int]]:
    """Jobs for :func:`dying`: ten of them, some deadly."""
    for number in range(10):
        (folder / str(number)).touch()
    return [(str(folder), number, deaths.get(number, 0)) for number in range(10)]


def test_one_at_a_time_is_here_and_in_order_unless_apart() -> None:
    assert list(run_jobs(squared, range(3), count=1)) == [(n, (n * n, os.getpid())) for n in range(3)]
    ((_, (result, who)),) = run_jobs(squared, [3], count=1, apart=True)
    assert result == 9 and who != os.getpid()


def test_each_result_once_and_no_more_processes_than_asked_for() -> None:
    found = list(run_jobs(squared, range(30), count=2))
    assert sorted((job, result) for job, (result, _) in found) == [(n, n * n) for n in range(30)]
    assert len({who for _, (_, who) in found}) <= 2
    assert not multiprocessing.active_children()
    assert list(run_jobs(squared, [], count=2)) == []


@pytest.fixture
def two_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process takes a while to come up."""
    monkeypatch.setattr(workers, "TRIES", 2)


def test_a_job_whose_process_dies_is_done_again(tmp_path: Path, two_tries: None) -> None:
    """Dying for all but the last time does no harm; dying each time is told; nobody else loses a result."""
    jobs = mortal(tmp_path, {2: 1, 5: 99})
    found = list(run_jobs(dying, jobs, count=2, lost=lambda job, why: -job[1] if "died 2 times" in why else 0))
    assert sorted(result for _, result in found) == [-5, 0, 1, 2, 3, 4, 6, 7, 8, 9]
    # blame falls on nobody else: whoever shared its process has not died
    assert [(tmp_path / str(n)).stat().st_size for n in range(10)] == [0, 0, 1, 0, 0, 2, 0, 0, 0, 0]


def test_who_has_no_word_for_a_lost_job_is_told_at_the_end(tmp_path: Path, two_tries: None) -> None:
    found = []
    with pytest.raises(InputError, match="1 of the jobs could not be done: the process died 2 times"):
        for _, result in run_jobs(dying, mortal(tmp_path, {0: 99}), count=2):
            found.append(result)
    assert sorted(found) == list(range(1, 10))


@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_of_the_work_goes_on(processes: int) -> None:
    with pytest.raises(InputError) as caught:
        list(run_jobs(refusing, range(5), count=processes))
    assert (caught.value.message, caught.value.place, caught.value.hint) == ("three is refused", "three", "two")
    assert not multiprocessing.active_children()


def test_endless_jobs_are_taken_as_they_are_needed_and_given_up() -> None:
    taken = []

    def jobs():  # type: ignore[no-untyped-def]
        for number in count():
            taken.append(number)
            yield number

    with closing(run_jobs(squared, jobs(), count=2)) as done:
        assert len(list(islice(done, 5))) == 5
        # five that are done, and two ahead for each process
        assert len(taken) <= 5 + 4
    _gone()


def test_leaving_early_ends_what_is_under_way_and_nothing_else() -> None:
    other = multiprocessing.get_context("spawn").Process(target=slow, args=(0,))
    other.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt), closing(run_jobs(dallying, range(4), count=2)) as done:
        for _ in done:
            raise KeyboardInterrupt
    assert time.monotonic() - begun < PATIENCE / 2
    _gone(other.pid)
    assert other.is_alive()
    other.kill()
    other.join()


def dallying(job: int) -> int:
    """Nothing, for long, but for the first."""
    return slow(job) if job else job


def _gone(but: int | None = None) -> None:
    """Wait until no process is left (but one)."""
    until = time.monotonic() + PATIENCE
    while [p for p in multiprocessing.active_children() if p.pid != but]:
        assert time.monotonic() < until
        time.sleep(0.02)


def leaving() -> None:
    """What a process does that does not come up."""
    os._exit(1)


def test_processes_that_do_not_come_up_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "_begin", leaving)
    with pytest.raises(InputError, match="has not come up"):
        list(run_jobs(squared, range(3), count=2))
    _gone()


def test_standard_output_belongs_to_the_report(capfd: pytest.CaptureFixture[str]) -> None:
    assert len(list(run_jobs(printing, [1], count=1, apart=True))) == 1
    out, err = capfd.readouterr()
    assert (out, "noise" in err) == ("", True)


def test_a_place_that_is_not_there() -> None:
    with pytest.raises(InputError, match="no place 'rey' to work: use local or ray") as caught:
        run_jobs(squared, [1], on="rey")
    assert caught.value.hint == "did you mean ray?"


def test_a_cluster_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"the package ray, which is not installed.*opfor\[cluster\]"):
        run_jobs(squared, [1], on="ray")
