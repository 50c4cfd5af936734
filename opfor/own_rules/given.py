"""Files of own rules: reading them, and those that the person who started the program gave it.

A file of data (YAML) is named by a battle's ruleset or on the command line. A file of Python runs: a battle can name it, but
it is read only where the command line names it too (``--rules``) or allows what battles name (``--allow-code``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import yaml

from opfor.errors import InputError, nearest
from opfor.own_rules.bundle import OwnRules
from opfor.tables import load_yaml

J = TypeVar("J")
R = TypeVar("R")
_KEYS = ("name", "meaning", "switches", "tables", "own_modifiers")


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file of own rules: its rules, and the switches and numbers (``tables.PATH``) that it sets."""

    path: str
    own: OwnRules
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The file's name without its folder."""
        return Path(self.path).name


def read_file(path: str | Path) -> OwnFile:
    """A file of own rules, YAML or Python. Raises :class:`InputError`."""
    where = Path(path)
    try:
        text = where.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", source=str(path)) from None
    if is_code(path):
        from opfor.own_rules.plugin import plugin_of

        return OwnFile(str(path), OwnRules(plugins=(plugin_of(str(path), text),)))
    return _data(str(path), text)


def is_code(path: str | Path) -> bool:
    """Whether a file of own rules is one that runs. Raises :class:`InputError` for what is neither that nor data."""
    ending = Path(path).suffix.lower()
    if ending not in (".py", ".yaml", ".yml"):
        raise InputError("is no file of own rules: .yaml (data) or .py (code) is expected", source=str(path), place="rules")
    return ending == ".py"


def _data(path: str, text: str) -> OwnFile:
    try:
        data = load_yaml(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}" if mark is not None else ""
        raise InputError(f"is no YAML: {getattr(error, 'problem', error)}", source=path, place=place) from None
    if not isinstance(data, Mapping):
        raise InputError(f"is no ruleset: a mapping with {', '.join(_KEYS)} is expected", source=path)
    for key in data:
        if key not in _KEYS:
            raise InputError(f"{key!r} is not known here: use {', '.join(_KEYS)}", source=path, hint=nearest(str(key), _KEYS))
    try:
        own, values = read_own(data)
    except InputError as error:
        raise InputError(error.message, source=path, place=error.place, hint=error.hint) from None
    return OwnFile(path, own, {**(data.get("switches") or {}), **values})


def read_own(data: Mapping[str, Any], place: str = "") -> tuple[OwnRules, dict[str, int]]:
    """Own rules and replaced numbers (by ``tables.PATH``) of a mapping with ``own_modifiers`` and ``tables``, either or both.

    Raises :class:`InputError`.
    """
    own = OwnRules()
    before = f"{place}." if place else ""
    if data.get("own_modifiers"):
        from opfor.own_rules.conditions import read_modifiers

        own = OwnRules(read_modifiers(data["own_modifiers"], f"{before}own_modifiers"))
    numbers: dict[str, int] = {}
    tables = data.get("tables")
    if tables:
        from opfor.own_rules.replaceable import check_number

        if not isinstance(tables, Mapping):
            raise InputError("tables are {PATH: NUMBER}, as {to_hit.target_movement.jumped: 2}", place=f"{before}tables")
        for path, value in tables.items():
            numbers[f"tables.{path}"] = check_number(str(path), value, f"{before}tables.{path}")
    return own, numbers


# -- what this program was given ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Given:
    """What the person who started the program gave it: files of own rules, and whether battles may name files that run."""

    files: tuple[OwnFile, ...] = ()
    allow_code: bool = False

    def own(self) -> OwnRules:
        """The rules of all the files."""
        found = OwnRules()
        for file in self.files:
            found = found.with_more(file.own)
        return found

    def values(self) -> dict[str, Any]:
        """The switches and numbers of all the files."""
        return {key: value for file in self.files for key, value in file.values.items()}


_given = Given()


def given() -> Given:
    """What the program was given."""
    return _given


def give(paths: tuple[str, ...] = (), *, allow_code: bool = False) -> None:
    """Give the program files of own rules, in the place of any before. Raises :class:`InputError`."""
    found = Given(tuple([read_file(path) for path in paths]), allow_code)
    # two rules of one name are told at once
    found.own()
    take(found)


def take(wanted: Given) -> None:
    """Go by what another process of this program was given."""
    global _given
    _given = wanted


@contextmanager
def giving(*paths: str | Path, allow_code: bool = False) -> Iterator[None]:
    """Give the program files of own rules for a while."""
    before = given()
    give(tuple(map(str, paths)), allow_code=allow_code)
    try:
        yield
    finally:
        take(before)


def file_named(path: str, folder: Path | None) -> OwnFile | None:
    """The file that a ruleset names, relative to ``folder``; None where the program was given it already.

    Raises :class:`InputError` for a file that runs and that nobody has allowed to.
    """
    if any(file.name == Path(path).name for file in given().files):
        return None
    where = (folder or Path()) / path
    if is_code(path) and not given().allow_code:
        raise InputError(
            f"{path} is code, and a battle's file alone runs none",
            place="ruleset.rules",
            hint=f"--rules {where}, or --allow-code",
        )
    return read_file(where)


class _Carrying(Generic[J, R]):
    """Work that takes along what this process was given."""

    def __init__(self, work: Callable[[J], R], taken: Given) -> None:
        self.work = work
        self.taken = taken

    def __call__(self, job: J) -> R:
        take(self.taken)
        return self.work(job)


def carrying(work: Callable[[J], R]) -> Callable[[J], R]:
    """Work to be done in other processes, under what this one was given."""
    return work if given() == Given() else _Carrying(work, given())


__all__ = ["Given", "OwnFile", "carrying", "file_named", "give", "given", "giving", "is_code", "read_file", "read_own", "take"]
