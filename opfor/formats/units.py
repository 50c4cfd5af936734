"""Units from files on disk. Rule: S-5."""

from __future__ import annotations

from pathlib import Path

from opfor.errors import InputError
from opfor.formats.files import read_text
from opfor.formats.megamek.blk import read_blk
from opfor.formats.megamek.mtf import read_mtf
from opfor.formats.notes import Note
from opfor.units.builders import AnySheet, build
from opfor.units.names import understand
from opfor.units.other_yaml import read_any_sheet
from opfor.units.sheet import MechSheet
from opfor.units.spec import UnitSpec

#: endings of record sheets in our own words
SHEET_SUFFIXES = (".yaml", ".yml")


def load_unit(path: str | Path) -> tuple[UnitSpec, list[Note]]:
    """The unit in a ``.mtf`` or ``.blk`` file or in a ``.yaml`` sheet of our own, and notes of its oddities.

    What no rule uses is among the notes.

    Raises :class:`InputError` for anything that cannot be read or played.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in (".mtf", ".blk", *SHEET_SUFFIXES) and path.is_file():
        raise InputError("only .mtf and .blk files and .yaml sheets of units are read", source=path.name)
    text, notes = read_text(path)
    if suffix in SHEET_SUFFIXES:
        return unit_from_sheet(text, path.name, notes)
    return unit_from_blk(text, path.name, notes) if suffix == ".blk" else unit_from_mtf(text, path.name, notes)


def unit_from_sheet(text: str, source: str, notes: list[Note] | None = None) -> tuple[UnitSpec, list[Note]]:
    """The unit in a YAML record sheet (``docs/content.md``). Raises :class:`InputError`."""
    return _built(read_any_sheet(text, source), list(notes or ()))


def unit_from_mtf(text: str, source: str, notes: list[Note] | None = None) -> tuple[UnitSpec, list[Note]]:
    """The unit in the text of a ``.mtf`` file. Raises :class:`InputError`."""
    sheet, found = read_mtf(text, source)
    return _built(sheet, [*(notes or ()), *found])


def unit_from_blk(text: str, source: str, notes: list[Note] | None = None) -> tuple[UnitSpec, list[Note]]:
    """The unit in the text of a ``.blk`` file. Raises :class:`InputError`."""
    sheet, found = read_blk(text, source)
    return _built(sheet, [*(notes or ()), *found])


def _built(sheet: AnySheet, notes: list[Note]) -> tuple[UnitSpec, list[Note]]:
    """The unit of a sheet, its oddities and what no rule uses added to the notes."""

    def report(message: str, place: str) -> None:
        notes.append(Note(sheet.source, sheet.line_of(place), "repaired", message))

    spec = build(sheet, report)
    for what in spec.unmodelled:
        notes.append(Note(sheet.source, _line_of(sheet, what), "ignored", f"{what}: kept, but no rule here uses it"))
    return spec, notes


def _line_of(sheet: AnySheet, what: str) -> int:
    """The line of something named as ``name (location)``; of the armour or structure for other words."""
    name, _, rest = what.rpartition(" (")
    if not isinstance(sheet, MechSheet):
        return sheet.lines.get(f"item:{name}") or sheet.line_of("armor_type")
    place = rest.rstrip(")")
    for slot, line in enumerate(sheet.slots.get(place, ())):
        if understand(line).name == name:
            return sheet.line_of(f"slots.{place}.{slot}")
    return sheet.line_of(what.rpartition(" ")[2])
