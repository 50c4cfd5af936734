"""What a saved game becomes: the texts of a battle file and of what lies beside it, read on trial and written. Rule: S-5."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.formats.notes import Note
from opfor.formats.yaml_out import dump_document


@dataclass
class Imported:
    """What a save becomes. ``files``: texts by path beside the battle file; ``opfor``: the player taken as the Op Force."""

    text: str
    files: dict[str, str]
    notes: list[Note]
    opfor: str
    units: int
    #: the unit's id here by its number there
    ids: dict[int, str] = field(default_factory=dict)
    #: the battle file as data, and where unit files that it names lie in full
    document: dict[str, Any] = field(default_factory=dict)
    outside: dict[str, str] = field(default_factory=dict)


def load_imported(made: Imported, source: str, out: Path = Path("battle.yaml")) -> Battle:
    """The battle as it will be read from the files to be written, without writing them where they are to be.

    Raises :class:`InputError`, named after the save, for what cannot stand in a battle here.
    """
    return read_unwritten(made.document, made.files, made.outside, source, out.name)


def read_unwritten(document: dict[str, Any], files: dict[str, str], outside: dict[str, str], source: str, name: str) -> Battle:
    """The battle of a document whose files are not written yet: they are, for the time of reading, in a folder of their own."""
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder) / name
        for path, text in files.items():
            (where.parent / path).parent.mkdir(parents=True, exist_ok=True)
            (where.parent / path).write_text(text, encoding="utf-8")
        units = [unit | {"type": outside.get(unit["type"], unit["type"])} for unit in document["units"]]
        try:
            battle = read_battle(dump_document(document | {"units": units}, True), source=source, path=where)
        except InputError as error:
            place = error.place.partition(", line")[0]
            raise InputError(
                f"cannot stand so in a battle here: {error.message}", source=source, place=place, hint=error.hint
            ) from None
    battle.path = None
    return battle


def write_imported(made: Imported, path: Path) -> list[Path]:
    """Write the battle file and what lies beside it. The paths written, the battle file last."""
    from opfor.formats.battle_file.history import write_atomic, write_kept

    written = []
    for name, text in made.files.items():
        beside = path.parent / name
        beside.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(beside, text)
        written.append(beside)
    write_kept(path, made.text)
    return [*written, path]
