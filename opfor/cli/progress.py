"""How far a run is, on standard error: games played, failures, and the time that is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opfor.gm.ruletest.plays import Record


@contextmanager
def progress(total: int, done: int) -> Iterator[Callable[[Record], None]]:
    """A bar while games are played; what it gives is called with each record."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    failures = 0
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, completed=done)

        def played(record: Record) -> None:
            nonlocal failures
            failures += bool(record["violations"])
            bar.update(task, advance=1, description=f"{failures} failed" if failures else "")

        yield played


__all__ = ["progress"]
