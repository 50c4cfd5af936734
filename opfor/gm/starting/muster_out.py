"""The units of a battle as a force file for the next one: a ``.mul`` file, new or brought up to date. Rule: S-11."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from opfor.errors import InputError
from opfor.formats.files import read_text
from opfor.formats.megamek.mul import read_mul
from opfor.formats.megamek.mul_entity import MulUnit
from opfor.formats.megamek.mul_write import write_mul
from opfor.formats.unit_files import finder
from opfor.units.names import bare
from opfor.units.state import UnitState


def force_text(units: Sequence[UnitState], onto: Path | None = None) -> tuple[str, list[str]]:
    """The text of a force file with these units as they stand, and what could not be brought together, in words.

    ``onto``: the file that the force came from. What it says beyond the battle (links to a campaign, quirks) stays; its
    units are told by chassis, model and the pilot's name, in their order where these are alike. Units that the battle does
    not have stay as they were. Raises :class:`InputError` for a file that cannot be read.
    """
    if onto is None:
        return write_mul(units), []
    entries = read_mul(read_text(onto)[0], onto.name, finder([onto.parent]))
    left = list(entries)
    remarks = []
    added: list[MulUnit | UnitState] = []
    for unit in units:
        entry = _entry_of(unit, left)
        if entry is None:
            remarks.append(f"{unit.id} ({unit.spec.name}) is not in {onto.name}: added")
            added.append(unit)
            continue
        left.remove(entry)
        entry.spec, entry.unit = unit.spec, unit
    remarks += [f"{entry.name} of {onto.name} is not in the battle: left as it was" for entry in left]
    return write_mul([*entries, *added]), remarks


def _entry_of(unit: UnitState, entries: list[MulUnit]) -> MulUnit | None:
    """The entry that means a unit: of those of its type the one with its pilot's name, else the first."""
    alike = [entry for entry in entries if _same_type(unit, entry)]
    return next((entry for entry in alike if entry.pilot and entry.pilot == unit.name), alike[0] if alike else None)


def _same_type(unit: UnitState, entry: MulUnit) -> bool:
    if entry.spec is not None:
        return entry.spec is unit.spec or bare(entry.spec.name) == bare(unit.spec.name)
    return bare(entry.name) == bare(unit.spec.name)


def units_of_side(units: Sequence[UnitState], sides: Sequence[str], side: str) -> list[UnitState]:
    """Units of a side, or all. Raises InputError for a side that is not there."""
    if not side:
        return list(units)
    if side not in sides:
        raise InputError(f"there is no side {side!r}", hint=f"use {' or '.join(sides)}")
    return [unit for unit in units if sides[unit.side] == side]
