"""Many games in processes of their own; what comes of each game does not depend on how many there are."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from opfor.errors import InputError
from opfor.gm.arena.match import Fixture, Record, play_fixture
from opfor.rules.moving.search import use_compiled


def play_all(fixtures: Sequence[Fixture], jobs: int, played: Callable[[Record], None]) -> None:
    """Play games and hand each record to ``played`` as it ends, in any order; in this process for ``jobs`` 0.

    On an interrupt the games under way are given up, and KeyboardInterrupt goes on. Raises :class:`InputError` when a process
    dies.
    """
    if not jobs:
        for fixture in fixtures:
            played(play_fixture(fixture))
        return
    # processes begun afresh: a copy of this one would hold the locks of its threads
    pool = ProcessPoolExecutor(
        min(jobs, max(1, len(fixtures))), mp_context=multiprocessing.get_context("spawn"), initializer=_begin
    )
    try:
        waiting: list[Future[Record]] = [pool.submit(play_fixture, fixture) for fixture in fixtures]
        for future in as_completed(waiting):
            played(future.result())
    except BrokenProcessPool:
        raise InputError(
            "a process that played has not come up, or has died: out of memory, or killed",
            hint="the same command goes on; fewer --jobs need less",
        ) from None
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """What a process does before its first game."""
    # an interrupt is the parent's to handle
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # standard output belongs to the report: a policy that prints does so beside it
    sys.stdout = sys.stderr
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    # the same results, sooner, where what compiles is installed
    use_compiled()


def _leave_with(parent: multiprocessing.process.BaseProcess) -> None:
    """End with the parent: who was killed cannot say so."""
    parent.join()
    os._exit(1)
