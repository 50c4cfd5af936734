"""The dice log that the battle file keeps: who ordered what, what was rolled, and by which seed. Read and put in words.

``opfor apply`` adds a step each time (:mod:`opfor.gm.running.journal`). What a game master has written into the log by hand
stays, and is told as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from opfor.formats.words.dice_text import PastedRoll, read_dice


@dataclass(frozen=True, slots=True)
class LogStep:
    """A step of the log. ``seed`` and ``check`` are None and "" where the dice were the table's.

    ``note``: an entry that a person has written.
    """

    turn: int = 0
    phase: str = ""
    orders: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()
    seed: int | None = None
    check: str = ""
    version: str = ""
    note: str = ""

    def rolls(self) -> list[PastedRoll]:
        """The rolls of the step, read back. Raises :class:`opfor.dice.DiceError` where they were edited into nonsense."""
        return read_dice("\n".join(self.dice))


def log_steps(log: Any) -> list[LogStep]:
    """The ``log`` of a battle document, whatever stands in it, oldest first."""
    entries = log if isinstance(log, list) else [] if log is None else [log]
    return list(_steps(entries))


def _steps(entries: Sequence[Any]) -> Iterator[LogStep]:
    for entry in entries:
        if not isinstance(entry, dict) or not {"turn", "phase"} <= set(entry):
            yield LogStep(note=entry if isinstance(entry, str) else _flat(entry))
            continue
        seed, turn = entry.get("seed"), entry.get("turn")
        yield LogStep(
            turn if isinstance(turn, int) else 0,
            str(entry.get("phase")),
            _words(entry.get("orders")),
            _words(entry.get("dice")),
            seed if isinstance(seed, int) and not isinstance(seed, bool) else None,
            str(entry.get("check") or ""),
            str(entry.get("version") or ""),
        )


def _words(value: Any) -> tuple[str, ...]:
    return tuple(str(one) for one in value) if isinstance(value, list) else (str(value),) if value else ()


def _flat(entry: Any) -> str:
    return ", ".join(f"{key} {value}" for key, value in entry.items()) if isinstance(entry, dict) else str(entry)


def log_words(steps: Sequence[LogStep], *, turn: int = 0, orders: bool = True, dice: bool = True) -> list[str]:
    """The log in words, one entry after the other; ``turn`` tells of one turn only. Nothing in it is hidden from anybody."""
    lines = []
    for step in steps:
        if turn and step.turn != turn:
            continue
        if step.note:
            lines.append(f"note: {step.note}")
            continue
        lines.append(f"turn {step.turn}, {step.phase}{by_words(step)}")
        if orders:
            lines += [f"   {one}" for one in step.orders]
        if dice:
            lines += [f"   rolled {one}" for one in step.dice]
    return lines


def by_words(step: LogStep) -> str:
    """Where the dice of a step came from: ``; seed 7, check 1f2e-... (opfor 0.1.0)``."""
    if step.seed is None:
        return "; rolled at the table" if step.dice else ""
    version = f" (opfor {step.version})" if step.version else ""
    return f"; seed {step.seed}" + (f", check {step.check}" if step.check else "") + version
