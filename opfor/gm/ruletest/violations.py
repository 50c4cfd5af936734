"""What a game broke: an invariant, the program itself, a policy, or its own replay; and when two such failures are the same."""

from __future__ import annotations

import traceback
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import opfor
from opfor.game.invariants import InvariantBroken

#: crash: the program raised; invariant: a state or step that no rules lead to; policy: a policy raised, or gave no legal order;
#: replay: the record of the game does not play it again
KINDS = ("crash", "invariant", "policy", "replay")
_ROOT = Path(opfor.__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Violation:
    """One failure. ``what``: the invariant's name or the exception's type; ``place``: where in the program it shows.

    ``turn``, ``phase`` and ``order`` (in words, "" for none) say when; ``trace`` is the traceback of an exception.
    """

    kind: str
    what: str
    place: str = ""
    rule: str = ""
    message: str = ""
    turn: int = 0
    phase: str = ""
    order: str = ""
    trace: str = ""

    @property
    def fault(self) -> tuple[str, str, str]:
        """What makes two violations the same fault: kind, name and place; units, numbers and turns may differ."""
        return self.kind, self.what, self.place

    def as_dict(self) -> dict[str, Any]:
        """The published form."""
        return asdict(self)


def violation_of(error: BaseException, kind: str = "crash", *, turn: int = 0, phase: str = "", order: str = "") -> Violation:
    """The violation that an exception shows; a broken invariant goes by its own name, whatever ``kind`` says."""
    if isinstance(error, InvariantBroken):
        return Violation("invariant", error.check, "", error.rule, str(error), turn, phase, order)
    trace = "".join(traceback.format_exception(error))
    message = " ".join(f"{type(error).__name__}: {error}".split())
    place = _place(error)
    if kind == "policy" and place.startswith("opfor/"):
        # the policy asked for no more than its legal orders
        kind = "crash"
    return Violation(kind, type(error).__name__, place, getattr(error, "rule", ""), message, turn, phase, order, trace)


def _place(error: BaseException) -> str:
    """The innermost function of the program's own that an error came through: ``opfor/rules/pilots/heat.py, shed``."""
    place = ""
    for step in traceback.extract_tb(error.__traceback__):
        path = Path(step.filename).resolve()
        if path.is_relative_to(_ROOT) and ".venv" not in path.parts:
            place = f"{path.relative_to(_ROOT).as_posix()}, {step.name}"
    return place


__all__ = ["KINDS", "Violation", "violation_of"]
