"""A target number as a list of named modifiers: nothing in the project computes a bare to-hit number."""

from __future__ import annotations

from typing import Any, NamedTuple

from opfor.dice import chance_2d6


class Modifier(NamedTuple):
    """One part of a target number: what it is for, its value, and the rule that makes it."""

    what: str
    value: int
    rule: str


class TargetNumber:
    """What 2d6 must reach, itemised; or why the attempt is impossible.

    >>> tn = TargetNumber([Modifier("gunnery", 4, "S-4"), Modifier("walked", 1, "S-4")])
    >>> tn.value, round(tn.odds, 3)
    (5, 0.833)
    """

    __slots__ = ("modifiers", "rule", "why")

    def __init__(self, modifiers: list[Modifier] | None = None, *, why: str = "", rule: str = "") -> None:
        self.modifiers = modifiers if modifiers is not None else []
        self.why = why
        self.rule = rule

    @classmethod
    def impossible(cls, why: str, rule: str) -> TargetNumber:
        """A target number that cannot be rolled for, with the reason and the rule that says so."""
        return cls(None, why=why, rule=rule)

    @property
    def possible(self) -> bool:
        """Whether the attempt may be made at all (a sum above 12 may still be unreachable)."""
        return not self.why

    @property
    def value(self) -> int:
        """The sum; meaningless when impossible."""
        return sum([m[1] for m in self.modifiers])

    @property
    def odds(self) -> float:
        """Chance of success on 2d6, 0 when impossible."""
        return 0.0 if self.why else chance_2d6(self.value)

    def add(self, what: str, value: int, rule: str) -> None:
        """Append a modifier; zero values are left out."""
        if value:
            self.modifiers.append(Modifier(what, value, rule))

    def __str__(self) -> str:
        if self.why:
            return f"impossible: {self.why}"
        parts = " ".join(f"{m.what} {m.value}" if i == 0 else f"{m.value:+d} {m.what}" for i, m in enumerate(self.modifiers))
        return f"{self.value} = {parts}"

    def as_dict(self) -> dict[str, Any]:
        """The published form: ``{"tn", "modifiers": [{"what", "value", "rule"}], "odds"}``, or ``{"tn": None, "why"}``."""
        if self.why:
            return {"tn": None, "why": self.why, "rule": self.rule}
        return {
            "tn": self.value,
            "modifiers": [{"what": m.what, "value": m.value, "rule": m.rule} for m in self.modifiers],
            "odds": round(self.odds, 4),
        }
