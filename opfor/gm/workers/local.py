"""Jobs in processes of this machine.

Each process has an executor of its own, so that one that dies is known to have died over its own job and takes no other along.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from opfor.errors import InputError
from opfor.rules.moving.compiling import use_compiled

#: jobs that a process has been given, the one that it does among them: the next is there before anybody looks
_AHEAD = 2
#: seconds that a process is given to end when it is told to
_PATIENCE = 10

J = TypeVar("J")
R = TypeVar("R")


@dataclass(slots=True)
class _Job(Generic[J]):
    """A job, and how many processes have died over it."""

    job: J
    deaths: int = 0


@dataclass(slots=True)
class _Hand(Generic[J, R]):
    """A process, and the jobs that it has been given, in order."""

    pool: ProcessPoolExecutor
    #: done once the process has come up
    up: Future[int]
    processes: list[multiprocessing.process.BaseProcess]
    given: deque[tuple[_Job[J], Future[R]]] = field(default_factory=deque)


class _Hands(Generic[J, R]):
    """Up to ``count`` processes, begun as jobs come."""

    def __init__(self, work: Callable[[J], R], jobs: Iterable[J], count: int) -> None:
        self._work = work
        self._jobs = iter(jobs)
        self._count = count
        #: jobs to be given out before any other
        self.again: deque[_Job[J]] = deque()
        self.hands: list[_Hand[J, R]] = []

    def give_out(self) -> None:
        """Give out jobs until everybody has enough, or none is left."""
        while True:
            idle = min(self.hands, key=lambda hand: len(hand.given), default=None)
            room = len(self.hands) < self._count
            if not room and (idle is None or len(idle.given) >= _AHEAD):
                return
            job = self._next()
            if job is None:
                return
            if idle is None or (idle.given and room):
                idle = self._begin()
            try:
                idle.given.append((job, idle.pool.submit(self._work, job.job)))
            except BrokenProcessPool:
                # it died since: over a job that it has, or while it waited
                self.again.appendleft(job)
                if idle.given:
                    return
                self.dismiss(idle)

    def _next(self) -> _Job[J] | None:
        if self.again:
            return self.again.popleft()
        for job in self._jobs:
            return _Job(job)
        return None

    def _begin(self) -> _Hand[J, R]:
        # processes begun afresh: a copy of this one would hold the locks of its threads
        pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)
        # others in this program may have processes, too
        others = {process.pid for process in multiprocessing.active_children()}
        up = pool.submit(os.getpid)
        begun = [process for process in multiprocessing.active_children() if process.pid not in others]
        hand: _Hand[J, R] = _Hand(pool, up, begun)
        self.hands.append(hand)
        return hand

    def dismiss(self, hand: _Hand[J, R]) -> None:
        """Do without a process that has died. Raises :class:`InputError` for one that has never come up."""
        self.hands.remove(hand)
        hand.pool.shutdown(cancel_futures=True)
        if hand.up.exception() is not None:
            raise InputError(
                "a process that was to work has not come up: out of memory, or killed",
                hint='the same command goes on; fewer --jobs need less; a script of your own needs `if __name__ == "__main__"`',
            )

    def stop(self) -> None:
        """Give up what is under way."""
        for hand in self.hands:
            hand.pool.shutdown(wait=False, cancel_futures=True)
        for process in [process for hand in self.hands for process in hand.processes]:
            process.terminate()
            process.join(_PATIENCE)


def run_in_processes(
    work: Callable[[J], R], jobs: Iterable[J], count: int, tries: int
) -> Generator[tuple[J, R | None, str], None, None]:
    """Do jobs in up to ``count`` processes; gives ``(job, result, "")``, or ``(job, None, why)`` where none survived it."""
    hands = _Hands(work, jobs, count)
    try:
        while True:
            hands.give_out()
            ahead = [hand.given[0][1] for hand in hands.hands if hand.given]
            if not ahead:
                break
            wait(ahead, return_when=FIRST_COMPLETED)
            for hand in [hand for hand in hands.hands if hand.given and hand.given[0][1].done()]:
                job, future = hand.given.popleft()
                try:
                    result = future.result()
                except BrokenProcessPool:
                    # only the first was begun
                    hands.again.extend(job for job, _ in hand.given)
                    hands.dismiss(hand)
                    job.deaths += 1
                    if job.deaths < tries:
                        hands.again.append(job)
                    else:
                        yield job.job, None, f"the process died {job.deaths} times over it: out of memory, or killed"
                else:
                    yield job.job, result, ""
    except BaseException:
        hands.stop()
        raise
    finally:
        for hand in hands.hands:
            hand.pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """What a process does before its first job."""
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
