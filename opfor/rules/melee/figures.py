"""The figures of physical attacks, from ``physical.yaml``. Rule: S-8."""

from __future__ import annotations

from typing import Any

from opfor.tables import table

RULE = "S-8"
FIGURES: dict[str, Any] = table("physical")


def attack_row(attack: str) -> dict[str, Any]:
    """The figures of an attack. Raises KeyError for an unknown one."""
    row: dict[str, Any] = FIGURES["attacks"][attack]
    return row


def rounded(points: int, divisor: int, how: str) -> int:
    """``points / divisor``, rounded ``up`` or ``down``."""
    return -(-points // divisor) if how == "up" else points // divisor
