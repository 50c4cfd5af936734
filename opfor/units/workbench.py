"""Working state of building one unit from its record sheet. Rule: S-5."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from opfor.errors import InputError
from opfor.units.names import Item
from opfor.units.spec import LOCATION_COUNT, Equipment, Mount, Slot

#: called with a sentence and the place it is about, as ``slots.LA``
Report = Callable[[str, str], None]


class Sheet(Protocol):
    """What every record sheet has: a name, where it was read from, and lines for messages."""

    source: str
    lines: dict[str, int]

    @property
    def name(self) -> str:
        """Chassis and model."""

    def line_of(self, place: str) -> int:
        """The line of the source that a place such as ``slots.LA`` stands in."""


S = TypeVar("S", bound=Sheet)


@dataclass(slots=True)
class Build(Generic[S]):
    """Working state of one build."""

    sheet: S
    report: Report
    locations: tuple[str, ...]
    tech: str
    slots: list[list[Slot]] = field(default_factory=lambda: [[] for _ in range(LOCATION_COUNT)])
    mounts: list[Mount] = field(default_factory=list)
    bins: list[tuple[Item, int]] = field(default_factory=list)
    equipment: list[Equipment] = field(default_factory=list)
    sinks: list[int] = field(default_factory=list)
    jets: list[int] = field(default_factory=list)
    unmodelled: list[str] = field(default_factory=list)

    def refuse(self, message: str, place: str = "", hint: str = "") -> InputError:
        if self.sheet.lines:
            place = f"line {self.sheet.line_of(place)}"
        return InputError(message, source=self.sheet.source or self.sheet.name, place=place, hint=hint)

    def not_used(self, what: str, location: int) -> None:
        self.unmodelled.append(f"{what} ({self.locations[location]})")

    def add_equipment(self, kind: str, name: str, location: int) -> int:
        self.equipment.append(Equipment(len(self.equipment), kind, name, location))
        return len(self.equipment) - 1
