"""Finding a unit by the chassis and model that another program calls it: in files, or in the catalogue. Rule: S-5."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from opfor.formats.files import read_text
from opfor.formats.notes import Note
from opfor.formats.units import load_unit
from opfor.units.catalogue import catalogue, unit_named
from opfor.units.names import bare
from opfor.units.spec import UnitSpec

_SUFFIXES = (".mtf", ".blk", ".yaml", ".yml")
#: files looked through in a folder, and characters read of each to tell its unit's name
_MOST_FILES, _HEAD = 20_000, 3_000
_TWO_NAMES = re.compile(r"^(?P<first>[^(]+?) \((?P<second>[^)]+)\)(?: (?P<rest>.+))?$")
_BLK = re.compile(r"<\s*(name|model)\s*>[ \t]*\r?\n([^<\r\n]*)", re.IGNORECASE)
_KEYS = re.compile(r"^\s*(chassis|clanname|model)\s*:[ \t]*([^\r\n#]*)", re.IGNORECASE | re.MULTILINE)


class Finder:
    """From chassis and model to the unit: looked for in folders (and those within), then in the catalogue.

    Notes of the files that are read go to ``notes``. A file that cannot be read raises :class:`InputError` when its unit is
    asked for; folders that do not exist are passed over. The same unit is read once and shared.
    """

    def __init__(self, folders: Iterable[str | Path] = (), notes: list[Note] | None = None) -> None:
        self._folders = [Path(folder) for folder in folders]
        self._notes = notes
        self._indexes: list[dict[str, Path]] | None = None
        self._loaded: dict[Path, UnitSpec] = {}

    def __call__(self, chassis: str, model: str) -> UnitSpec | None:
        if self._indexes is None:
            self._indexes = [_index(folder) for folder in self._folders if folder.is_dir()]
        ways = _ways(chassis, model)
        for index in self._indexes:
            path = next((index[way] for way in ways if way in index), None)
            if path is not None:
                return self._load(path)
        known = _catalogue_ways()
        name = next((known[way] for way in ways if way in known), None)
        return None if name is None else unit_named(name)

    def _load(self, path: Path) -> UnitSpec:
        if path not in self._loaded:
            spec, found = load_unit(path)
            self._loaded[path] = spec
            if self._notes is not None:
                self._notes.extend(found)
        return self._loaded[path]

    def path_of(self, spec: UnitSpec) -> Path | None:
        """The file that a unit came from; None for one of the catalogue."""
        return next((path for path, loaded in self._loaded.items() if loaded is spec), None)


def finder(folders: Iterable[str | Path] = (), notes: list[Note] | None = None) -> Finder:
    """A :class:`Finder` for these folders."""
    return Finder(folders, notes)


@cache
def _catalogue_ways() -> dict[str, str]:
    return {way: name for name in catalogue() for way in _ways(name, "")}


def _ways(chassis: str, model: str) -> list[str]:
    """The ways in which a unit may be named, as letters and digits: with either of two names, the standard model unnamed."""
    two = _TWO_NAMES.match(chassis)
    names = [f"{chassis} {model}"]
    rest = (two["rest"] or model) if two else ""
    if two and rest:
        names += [f"{name} {rest}" for name in (f"{two['second']} {two['first']}", two["first"], two["second"])]
    found = []
    for name in names:
        word = bare(name)
        found += [word, word.removesuffix("standard")] if word.removesuffix("standard") else [word]
    return list(dict.fromkeys(found))


def _index(folder: Path) -> dict[str, Path]:
    """Files of a folder by the names of their units; the name that a file itself gives goes before its own."""
    by_content: dict[str, Path] = {}
    by_file: dict[str, Path] = {}
    for number, path in enumerate(sorted(folder.rglob("*"))):
        if number >= _MOST_FILES:
            break
        if path.suffix.lower() not in _SUFFIXES or not path.is_file():
            continue
        by_file.setdefault(bare(path.stem), path)
        for name in _names_in(path):
            by_content.setdefault(name, path)
    return by_file | by_content


def _names_in(path: Path) -> list[str]:
    """The ways to say the name of the unit in a file, told from its head alone."""
    try:
        head = read_text(path)[0][:_HEAD]
    except ValueError:
        return []
    if path.suffix.lower() == ".blk":
        said = {key.lower(): value.strip() for key, value in reversed(_BLK.findall(head))}
        return _ways(said.get("name", ""), said.get("model", "")) if said.get("name") else []
    said = {key.lower(): value.strip().strip("'\"") for key, value in reversed(_KEYS.findall(head))}
    if "chassis" not in said and path.suffix.lower() == ".mtf":
        # the older head: version, then chassis and model on lines of their own
        lines = [line.strip() for line in head.lstrip("\ufeff").splitlines() if not line.startswith("#")]
        start = 1 if lines and lines[0].lower().startswith("version") else 0
        said = dict(zip(("chassis", "model"), lines[start : start + 2], strict=False))
    chassis = said.get("chassis", "")
    if said.get("clanname"):
        chassis = f"{chassis} ({said['clanname']})"
    return _ways(chassis, said.get("model", "")) if chassis else []
