"""One entity of a ``.mul`` file whose unit is known: where what it says goes, and what is noted of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from opfor.errors import InputError
from opfor.formats.megamek.mul_xml import Element
from opfor.formats.notes import Note
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState

_POINTS = re.compile(r"^[0-9]{1,4}$")


@dataclass(slots=True)
class MulUnit:
    """One unit of a force. ``unit`` is None where nothing is known by its name; ``element`` is what the file says of it."""

    chassis: str
    model: str
    type: str
    line: int
    spec: UnitSpec | None = None
    unit: UnitState | None = None
    pilot: str = ""
    notes: list[Note] = field(default_factory=list)
    element: Element | None = None

    @property
    def name(self) -> str:
        """Chassis and model."""
        return f"{self.chassis} {self.model}".strip()


class Entity:
    """A unit that is being read, and its state so far."""

    def __init__(self, source: str, entry: MulUnit, spec: UnitSpec, id: str) -> None:
        self.source = source
        self.entry = entry
        self.spec = spec
        self.unit = UnitState(spec, id, 0)

    def note(self, severity: str, message: str, line: int) -> None:
        self.entry.notes.append(Note(self.source, line, severity, f"{self.entry.name}: {message}"))

    def number(self, element: Element, name: str, most: int) -> int:
        """A whole number of at most ``most``; what is above counts as that."""
        value = element.get(name)
        if not _POINTS.match(value):
            raise InputError(
                f"{name} of {self.entry.name} must be a whole number, not {value!r}",
                source=self.source,
                place=f"line {element.line}",
            )
        if int(value) > most:
            self.note("repaired", f"{name} {value}: there are only {most}", element.line)
        return min(int(value), most)

    def location(self, place: Element) -> int | None:
        """Index of a location of the unit; a squad's first is the squad as a whole (-1 here). None if it has none such."""
        value = place.get("index")
        index = int(value) if _POINTS.match(value) else -2
        if self.spec.kind == "battle_armor":
            index -= 1
            if index == -1:
                return -1
        if self.spec.kind == "infantry" and index == 1:
            return None  # field guns
        if not 0 <= index < len(self.spec.structure):
            self.note("ignored", f"location {value or 'without index'} is none of this unit", place.line)
            return None
        return index
