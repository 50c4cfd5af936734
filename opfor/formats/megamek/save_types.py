"""The unit types of a saved game: those of the catalogue or of unit files where built the same, else the save's own. S-5."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from opfor.formats.megamek.save_convert import is_weapon
from opfor.formats.megamek.save_data import SavedUnit
from opfor.formats.megamek.save_sheets import unit_file
from opfor.formats.notes import Note
from opfor.formats.unit_files import finder
from opfor.formats.units import unit_from_blk, unit_from_mtf
from opfor.units.munition_loads import munition_rows
from opfor.units.names import understand
from opfor.units.spec import REAR_ARMOR, UnitSpec


class Types:
    """Finds the type of each saved unit.

    ``files`` holds the sheets made from the save, by their paths beside the battle file ``out``; ``notes`` takes what is odd.
    """

    def __init__(self, folders: Iterable[Path], out: Path, notes: list[Note], say: Callable[[str, str], None]) -> None:
        self.find = finder(folders, notes)
        self.out = out
        self.notes = notes
        self.say = say
        self.files: dict[str, str] = {}
        self.known: dict[str, tuple[UnitSpec, str]] = {}
        #: unit files of the folders that are used: their paths in full by how the battle file names them
        self.outside: dict[str, str] = {}

    def of(self, saved: SavedUnit) -> tuple[UnitSpec, str]:
        """The unit's type, and what the battle file calls it. Raises :class:`InputError` for one that cannot be played."""
        file, text = unit_file(saved)
        if text not in self.known:
            self.known[text] = self._named(saved) or self._built(saved, file, text)
        return self.known[text]

    def _named(self, saved: SavedUnit) -> tuple[UnitSpec, str] | None:
        """The unit of that name, where it is built the same."""
        spec = self.find(saved.chassis, saved.model)
        if spec is None:
            return None
        differ = differs(saved, spec)
        if differ:
            self.say("repaired", f"{saved.name} is built otherwise than the unit of that name here ({differ}): taken as saved")
            return None
        path = self.find.path_of(spec)
        if path is None:
            return spec, spec.name
        name = os.path.relpath(path.resolve(), self.out.parent.resolve()).replace(os.sep, "/")
        self.outside[name] = str(path.resolve())
        return spec, name

    def _built(self, saved: SavedUnit, file: str, text: str) -> tuple[UnitSpec, str]:
        """The unit as the save describes it."""
        stem, suffix = Path(file).stem, Path(file).suffix
        number = sum(1 for name in self.files if Path(name).stem.rpartition(" #")[0] == stem or Path(name).stem == stem)
        name = f"{self.out.stem}-units/{stem}{f' #{number + 1}' if number else ''}{suffix}"
        spec, notes = (unit_from_mtf if suffix == ".mtf" else unit_from_blk)(text, file)
        if self.find(saved.chassis, saved.model) is None:
            self.say("repaired", f"{saved.name} is not known here: its sheet is taken from the save ({name})")
        self.notes += [replace(note, source=file) for note in notes]
        self.files[name] = text
        return spec, name


def differs(saved: SavedUnit, spec: UnitSpec) -> str:
    """In what a saved unit is built otherwise than a sheet; empty when it is not."""
    if spec.kind == "infantry":
        return "its number" if saved.numbers["originalTrooperCount"] != spec.structure[0] else ""
    if spec.kind == "battle_armor":
        suits = [one for one in saved.locations[1:] if one.structure_start]
        return "its suits" if [one.armor_start or 0 for one in suits] != list(spec.armor) else ""
    if saved.walk != spec.walk or (spec.is_mech and saved.jump != spec.jump):
        return "its movement"
    if round(saved.tons) != spec.tons:
        return "its weight"
    for one in saved.locations[: len(spec.structure)]:
        if (one.armor_start or 0) != spec.armor[one.index]:
            return f"the armour of {one.name}"
        if spec.is_mech and one.rear_start is not None and one.rear_start != spec.armor[REAR_ARMOR.get(one.index, one.index)]:
            return f"the rear armour of {one.name}"
    left = list(spec.mounts)
    for item in saved.items:
        if item.kind != "weapon":
            continue
        wanted = understand(item.type)
        found = next((m for m in left if is_weapon(m, wanted) and m.location == item.location and m.rear == item.rear), None)
        if found is None:
            return f"its {item.type}"
        left.remove(found)
    if left:
        return f"it has no {left[0].name}"
    here = Counter((b.location, _rounds(b.kind)) for b in spec.bins)
    items = [(item.location, understand(item.type)) for item in saved.items if item.kind == "ammo" and item.location >= 0]
    there = Counter((place, _rounds(f"{item.key}:{item.munition}")) for place, item in items if item.key)
    return "its ammunition" if here != there else ""


def _rounds(kind: str) -> str:
    """A kind of ammunition without tech base and special missiles, which are loaded for a battle: ``lb10x:cluster``."""
    parts = kind.removeprefix("is_").removeprefix("clan_").rstrip(":").split(":")
    return ":".join(part for part in parts if part not in munition_rows())
