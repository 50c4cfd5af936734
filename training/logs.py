"""What a run tells while it goes on: a bar on standard error, tables in CSV files, curves for tensorboard if that is there."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from opfor.formats.battle_file.history import write_atomic

#: rows of both files are told apart by this column
STEPS = "steps"


class Table:
    """A CSV file that grows by a row at a time; ``steps`` is its first column."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keep_to(self, steps: int) -> None:
        """Drop what was written after ``steps``: the run goes on from there, and writes it again."""
        if not self.path.exists():
            return
        with self.path.open(encoding="utf-8", newline="") as file:
            header, *rows = list(csv.reader(file)) or [[]]
        kept = [row for row in rows if len(row) == len(header) and row[0].isdigit() and int(row[0]) <= steps]
        write_atomic(self.path, _text([header, *kept]))

    def add(self, steps: int, row: Mapping[str, Any]) -> None:
        """Write a row."""
        new = not self.path.exists()
        cells = [steps, *(f"{one:.6g}" if isinstance(one, float) else one for one in row.values())]
        with self.path.open("a", encoding="utf-8", newline="") as file:
            file.write(_text([[STEPS, *row], cells] if new else [cells]))

    def rows(self) -> list[dict[str, str]]:
        """All rows by column."""
        if not self.path.exists():
            return []
        with self.path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))


def _text(rows: list[list[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


class RunLog:
    """The bar, the tables ``progress.csv`` and ``evaluations.csv``, and the curves of a run's folder."""

    def __init__(self, folder: Path, steps: int, evaluated: int, total: int) -> None:
        """``steps`` of ``total`` have been taken; scores have last been measured after ``evaluated`` (-1: never)."""
        self.progress = Table(folder / "progress.csv")
        self.evaluations = Table(folder / "evaluations.csv")
        self.progress.keep_to(steps)
        self.evaluations.keep_to(evaluated)
        self._curves = _curves(folder / "tensorboard", steps)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("steps", total=total, completed=steps)

    def __enter__(self) -> RunLog:
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._bar.stop()
        if self._curves is not None:
            self._curves.close()

    def stepped(self, steps: int, words: str) -> None:
        """Move the bar on."""
        self._bar.update(self._task, completed=steps, description=words)

    def waiting(self, words: str) -> Callable[[], None]:
        """What to call while something else than learning goes on."""
        return lambda: self._bar.update(self._task, description=words)

    def updated(self, steps: int, row: Mapping[str, Any]) -> None:
        """A rollout has been learnt from."""
        self.progress.add(steps, row)
        self._draw("learning", steps, row)

    def evaluated(self, steps: int, row: Mapping[str, Any]) -> None:
        """A score has been measured."""
        self.evaluations.add(steps, row)
        self._draw(f"score/{row['scenario']}/{row['opponent']}", steps, {key: row[key] for key in ("score", "low", "high")})

    def _draw(self, group: str, steps: int, row: Mapping[str, Any]) -> None:
        if self._curves is None:
            return
        for name, value in row.items():
            if isinstance(value, int | float):
                self._curves.add_scalar(f"{group}/{name}", value, steps)
        self._curves.flush()


def _curves(folder: Path, steps: int) -> Any:
    """What writes tensorboard's files, None where it is not installed."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(str(folder), purge_step=steps + 1 if steps else None)


__all__ = ["RunLog", "Table"]
