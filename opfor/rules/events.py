"""What happened, as plain data: the only output of playing. Reports, replays, statistics and coverage render events."""

from __future__ import annotations

from typing import Any

from opfor.rules.target_number import TargetNumber


class Event:
    """One thing that happened: ``what``, the ``unit`` it happened to or that did it, the ``rule`` that caused it, details.

    ``data`` holds plain values only (numbers, strings, lists, dicts of them): hexes as printed numbers, target numbers as
    :meth:`opfor.rules.target_number.TargetNumber.as_dict`. A target number may be given as it is: it is put into that form
    when somebody first reads ``data``, which in play of whole battles nobody may. It must not change any more.
    """

    __slots__ = ("_data", "_read", "rule", "unit", "what")

    def __init__(self, what: str, unit: str, rule: str, data: dict[str, Any]) -> None:
        self.what = what
        self.unit = unit
        self.rule = rule
        self._data = data
        self._read = False

    @property
    def data(self) -> dict[str, Any]:
        """The details."""
        data = self._data
        if not self._read:
            self._read = True
            for key, value in data.items():
                if value.__class__ is TargetNumber:
                    data[key] = value.as_dict()
        return data

    @property
    def raw(self) -> dict[str, Any]:
        """The details, cheaper: target numbers as they are, or published where somebody has read ``data`` before."""
        return self._data

    def as_dict(self) -> dict[str, Any]:
        """The published form: ``{"event", "unit", "rule", ...}``."""
        return {"event": self.what, "unit": self.unit, "rule": self.rule, **self.data}

    def __repr__(self) -> str:
        return f"Event({self.what!r}, {self.unit!r}, {self.rule!r}, {self.data!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and self.as_dict() == other.as_dict()

    __hash__ = None  # type: ignore[assignment]
