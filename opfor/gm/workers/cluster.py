"""Jobs as tasks of a Ray cluster: the one that ``RAY_ADDRESS`` names, else one of this machine alone, begun for the work.

Every node has this program installed, in the same version. Files that a job reads or writes lie in a folder that all share.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import opfor
from opfor.errors import InputError

#: jobs handed to the cluster for each of its cores: as one ends the next is there
_AHEAD = 2
#: seconds after which the cluster is asked again how large it is: nodes come and go
_ASK_AGAIN = 5.0
#: shared memory of a cluster begun here, in bytes: jobs and results are small, and are let go of as they come
_STORE = 200_000_000
#: seconds that a cluster is given to answer
_PATIENCE = 10.0

J = TypeVar("J")
R = TypeVar("R")


def run_on_ray(
    work: Callable[[J], R], jobs: Iterable[J], count: int, tries: int
) -> Generator[tuple[J, R | None, str], None, None]:
    """Do jobs on the cluster, ``count`` at a time (0: as many as it has cores for); gives as
    :func:`~opfor.gm.workers.local.run_in_processes` does.

    A job whose process or node dies is begun again elsewhere, ``tries`` times in all.
    """
    # it would report on its use to its makers; a program at home does not
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray: Any = import_module("ray")
    ours = not ray.is_initialized()
    if ours:
        _connect(ray, count)
    task = ray.remote(_do).options(num_cpus=1, max_retries=tries - 1, retry_exceptions=False)
    source, folder = iter(jobs), str(Path.cwd())
    waiting: dict[Any, J] = {}
    room, asked, more = count, 0.0, True
    try:
        while more or waiting:
            if not count and time.monotonic() - asked > _ASK_AGAIN:
                room, asked = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1))), time.monotonic()
            while more and len(waiting) < room:
                for job in source:
                    waiting[task.remote(opfor.__version__, folder, work, job)] = job
                    break
                else:
                    more = False
            # a while, so that nodes that have joined are given work
            done, _ = ray.wait(list(waiting), num_returns=1, timeout=_ASK_AGAIN) if waiting else ([], [])
            for future in done:
                job = waiting.pop(future)
                result, why = _result(ray, future, tries)
                # what has been fetched the cluster need not keep
                del future
                yield job, result, why
    finally:
        for future in waiting:
            ray.cancel(future, force=True)
        if ours:
            ray.shutdown()


def _connect(ray: Any, count: int) -> None:
    address = os.environ.get("RAY_ADDRESS", "")
    own = {"num_cpus": count or os.cpu_count() or 1, "object_store_memory": _STORE, "include_dashboard": False}
    try:
        _, _, named = address.rpartition("://")
        host, _, port = named.rpartition(":")
        if host:
            # what Ray itself gives up after minutes
            socket.create_connection((host, int(port)), _PATIENCE).close()
        # what workers print would come on standard output, which belongs to the report; it stays in the cluster's logs
        ray.init(address=address or "local", log_to_driver=False, logging_level="warning", **({} if address else own))
    except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        raise InputError(
            f"no work can be done on the cluster: {' '.join(str(error).split())}", source=address or "ray", place="--on"
        ) from None


def _result(ray: Any, future: Any, tries: int) -> tuple[Any, str]:
    """What came of a job, or why nothing did. Raises what the work raised."""
    try:
        return ray.get(future), ""
    except ray.exceptions.RayTaskError as error:
        raise (error.cause if isinstance(error.cause, Exception) else error) from None
    except ray.exceptions.RayError as error:
        return None, f"begun {tries} times, and its process or node died each time ({type(error).__name__})"


def _do(version: str, folder: str, work: Callable[[J], R], job: J) -> R:
    """A job on whatever node: results of another version are not mixed in; files are named as seen from ``folder``."""
    from opfor.rules.moving.compiling import use_compiled

    if version != opfor.__version__:
        raise InputError(f"a node has version {opfor.__version__} of the program, and this is {version}", source="ray")
    # a node without that folder has only what is named in full
    with suppress(OSError):
        os.chdir(folder)
    sys.stdout = sys.stderr
    use_compiled()
    return work(job)
