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
        return f"{self.source}, line {self.line}: {self.message} [{self.severity}]"
