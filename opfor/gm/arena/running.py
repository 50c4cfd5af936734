"""Many games at a time; what comes of each game does not depend on how many there are, or where they are played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing

from opfor.gm.arena.match import Fixture, Record, play_fixture, unplayed
from opfor.gm.workers import run_jobs


def play_all(fixtures: Sequence[Fixture], jobs: int, played: Callable[[Record], None], *, on: str = "local") -> None:
    """Play games, ``jobs`` at a time (0: as many as there are cores); ``played`` gets each record as it ends, in any order.

    A game that no process survives becomes a record with an ``error``. On an interrupt the games under way are given up, and
    KeyboardInterrupt goes on. Raises :class:`InputError` when no process comes up, or ``on`` is not there.
    """
    with closing(run_jobs(play_fixture, fixtures, on=on, count=jobs, apart=True, lost=unplayed)) as games:
        for _, record in games:
            played(record)
