"""Oddities found while reading a file: each with its line, what was done about it, and in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    """One oddity. ``severity``: ``repaired`` (the meaning was clear), ``ignored`` (not used here), ``error`` (refused)."""

    source: str
    line: int
    severity: str
    message: str

    def __str__(self) -> str:
        where = f"{self.source}, line {self.line}" if self.line else self.source
        return f"{where}: {self.message} [{self.severity}]"
