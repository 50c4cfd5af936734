"""How far a run is, on standard error: games played, failures, and the time that is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opfor.gm.ruletest.plays import Record


@contextmanager
def games_bar(total: int, done: int = 0) -> Iterator[Callable[[str], None]]:
    """A bar while games are played; what it gives is called after each, with words to stand beside the bar."""
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
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda words: bar.update(task, advance=1, description=words)


@contextmanager
def progress(total: int, done: int) -> Iterator[Callable[[Record], None]]:
    """A bar while games are played; what it gives is called with each record."""
    failures = 0
    with games_bar(total, done) as advance:

        def played(record: Record) -> None:
            nonlocal failures
            failures += bool(record["violations"])
            advance(f"{failures} failed" if failures else "")

        yield played


__all__ = ["games_bar", "progress"]
