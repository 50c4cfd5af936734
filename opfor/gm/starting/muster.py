"""The units of a new battle's forces: by name, from unit files, from force files with their damage."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opfor.errors import InputError
from opfor.formats.files import read_text
from opfor.formats.megamek.mul import read_mul
from opfor.formats.notes import Note
from opfor.formats.unit_files import finder
from opfor.gm.starting.stock import unit_from
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState

_COUNT = re.compile(r"^(\d{1,2})\s*[x*]\s+(.+)$", re.IGNORECASE)


@dataclass(slots=True)
class Recruit:
    """A unit for a new battle: its type in words for the file, and how it stands where that is known.

    ``entry`` holds further keys of its entry in the battle file, as ``at`` and ``damage``, which go before what is made up.
    """

    type: str
    spec: UnitSpec
    name: str = ""
    state: UnitState | None = None
    id: str = ""
    entry: dict[str, Any] = field(default_factory=dict)


def muster(given: str, folder: Path, notes: list[Note]) -> list[Recruit]:
    """The units of a list, separated by commas: names (``2x Wasp WSP-1A``), files of units (.mtf, .blk, .yaml), forces (.mul)
    with their damage.

    Raises :class:`InputError` for what is not found; in a force, units that nothing is known of are left out and noted.
    """
    found: list[Recruit] = []
    for part in (part.strip() for part in given.split(",")):
        counted = _COUNT.match(part)
        count, part = (int(counted[1]), counted[2].strip()) if counted else (1, part)
        if part.lower().endswith(".mul"):
            found += _from_mul(part, folder, notes)
        elif part:
            found += [Recruit(part, unit_from(part, folder)) for _ in range(count)]
    return found


def _from_mul(path: str, folder: Path, notes: list[Note]) -> list[Recruit]:
    text, read_notes = read_text(folder / path)
    notes += read_notes
    found = []
    find = finder([(folder / path).parent], notes)
    for entry in read_mul(text, path, find):
        notes += entry.notes
        if entry.spec is None or entry.unit is None:
            continue
        file = find.path_of(entry.spec)
        kind = entry.spec.name if file is None else os.path.relpath(file, folder).replace(os.sep, "/")
        found.append(Recruit(kind, entry.spec, entry.pilot, entry.unit))
    if not found:
        raise InputError("none of its units is known", source=path)
    return found
