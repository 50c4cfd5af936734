"""Much work in small jobs: in processes of this machine, or on a cluster of several.

What is done and what comes of it do not depend on where, or on how many do it: only the order in which results come does. So
whoever uses this needs one line, and leaves the place to who starts the program::

    for job, result in run_jobs(play_one, jobs, on="ray"):
        ...

:mod:`opfor.gm.workers.local` has the processes, :mod:`opfor.gm.workers.cluster` the cluster.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from importlib.util import find_spec
from typing import TypeVar

from opfor.errors import InputError, nearest
from opfor.own_rules.given import carrying

PLACES = ("local", "ray")
#: how often a job is begun whose process keeps dying
TRIES = 3

J = TypeVar("J")
R = TypeVar("R")


def run_jobs(
    work: Callable[[J], R],
    jobs: Iterable[J],
    *,
    on: str = "local",
    count: int = 0,
    apart: bool = False,
    lost: Callable[[J, str], R] | None = None,
) -> Generator[tuple[J, R], None, None]:
    """Do ``work`` for every job; gives ``(job, result)`` in the order in which they end, each job once.

    ``work`` is a function at the top of a module; jobs and results are data that can be pickled. ``on`` is one of
    :data:`PLACES`, ``count`` how many jobs run at a time, 0 for as many as there are cores. One at a time runs in this process,
    unless it is to run ``apart`` from it. ``jobs`` may be endless: few are taken ahead of their time.

    An error that ``work`` raises is raised here, and ends it all. A job whose process dies is begun again, :data:`TRIES` times
    in all; then ``lost(job, why)`` says what its result is. Without ``lost``, an :class:`InputError` counts such jobs once the
    others are done. Whoever leaves early (an interrupt, too) closes the generator, with :func:`contextlib.closing`: then it
    gives up what is under way.

    Raises :class:`InputError` for a place that there is not, a process that does not come up, a cluster that cannot be reached.
    """
    check_place(on)
    # processes of their own know nothing of what this one was given
    return _run(carrying(work), jobs, on, count, apart, lost)


def check_place(on: str) -> None:
    """Whether there is such a place to work. Raises :class:`InputError` where not, and where its package is not installed."""
    if on not in PLACES:
        raise InputError(f"there is no place {on!r} to work: use {' or '.join(PLACES)}", place="--on", hint=nearest(on, PLACES))
    if on == "ray" and find_spec("ray") is None:
        raise InputError(
            "work on a cluster needs the package ray, which is not installed", place="--on", hint="pip install 'opfor[cluster]'"
        )


def _run(
    work: Callable[[J], R], jobs: Iterable[J], on: str, count: int, apart: bool, lost: Callable[[J, str], R] | None
) -> Generator[tuple[J, R], None, None]:
    if on == "local" and (count or os.cpu_count() or 1) == 1 and not apart:
        for job in jobs:
            yield job, work(job)
        return
    # what they need takes time to load
    if on == "ray":
        from opfor.gm.workers.cluster import run_on_ray

        done = run_on_ray(work, jobs, count, TRIES)
    else:
        from opfor.gm.workers.local import run_in_processes

        done = run_in_processes(work, jobs, count or os.cpu_count() or 1, TRIES)
    given_up = []
    try:
        for job, result, why in done:
            if not why:
                # a result is there whenever there is no reason why not
                yield job, result  # type: ignore[misc]
            elif lost is not None:
                yield job, lost(job, why)
            else:
                given_up.append(why)
    finally:
        done.close()
    if given_up:
        raise InputError(
            f"{len(given_up)} of the jobs could not be done: {given_up[0]}",
            hint="the same command goes on; fewer at a time need less memory",
        )
