"""The units that come with the program, by name. Rule: S-5, S-9.

Each stands in ``opfor/units/data/``, 'Mechs there and the others in a folder of their kind; the file's name is the unit's. A
battle reads the files of the units it has, and no others.

>>> unit_named("wvr-6r").name
'Wolverine WVR-6R'
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from opfor.errors import InputError, nearest
from opfor.units.builders import AnySheet, build
from opfor.units.names import bare
from opfor.units.other_yaml import read_any_sheet
from opfor.units.spec import KINDS, UnitSpec

_SUFFIX = ".yaml"
_SECOND_NAME = re.compile(r"^(?P<first>[^(]+?) \((?P<second>[^)]+)\) (?P<model>.+)$")


@cache
def _by_kind() -> dict[str, dict[str, Traversable]]:
    """Files by the units' names, for each kind."""
    data = files("opfor.units.data")
    found = {}
    for kind in KINDS:
        folder = data if kind == "mech" else data.joinpath(kind)
        entries = (entry for entry in folder.iterdir() if entry.name.endswith(_SUFFIX))
        found[kind] = {entry.name.removesuffix(_SUFFIX): entry for entry in entries}
    return found


@cache
def catalogue() -> dict[str, Traversable]:
    """Every unit's name with its file, in alphabetical order."""
    return dict(sorted((name, file) for entries in _by_kind().values() for name, file in entries.items()))


@cache
def unit_names(kind: str | None = None) -> tuple[str, ...]:
    """Names of the units, all or those of a kind (:data:`opfor.units.spec.KINDS`), in alphabetical order."""
    return tuple(catalogue()) if kind is None else tuple(sorted(_by_kind()[kind]))


def unit_kind(name: str) -> str:
    """Kind of a catalogue unit, without reading its file; names as :func:`find_unit` takes them."""
    found = find_unit(name)
    return next(kind for kind, entries in _by_kind().items() if found in entries)


@cache
def _shapes() -> dict[str, tuple[str, ...]]:
    """The ways to say each name, as letters and digits: whole, by either of two names, and the model alone."""
    shapes = {}
    for name in catalogue():
        ways = [name, name.rpartition(" ")[2]]
        two = _SECOND_NAME.match(name)
        if two:
            ways += [f"{two['first']} {two['model']}", f"{two['second']} {two['model']}"]
        shapes[name] = tuple(bare(way) for way in ways)
    return shapes


def find_unit(name: str) -> str:
    """The catalogue name that ``name`` means, told without case, spaces and punctuation.

    The full name, either of two names of a chassis (``Timber Wolf Prime``), the model alone or the beginning of any of
    these will do where it fits one unit only. Raises :class:`opfor.errors.InputError` naming the units that fit, or the
    nearest ones when none does.
    """
    wanted = bare(name)
    whole = [known for known, ways in _shapes().items() if wanted in ways]
    begun = [known for known, ways in _shapes().items() if wanted and any(way.startswith(wanted) for way in ways)]
    for found in (whole, begun):
        if len(found) == 1:
            return found[0]
        if found:
            raise InputError(f"{name!r} fits several units: {', '.join(found)}")
    hint = nearest(name, catalogue()) or "`opfor units` lists them"
    raise InputError(f"there is no unit called {name!r} in the catalogue", hint=hint)


def unit_sheet(name: str) -> AnySheet:
    """The record sheet of a catalogue unit, freshly read; names as :func:`find_unit` takes them."""
    found = find_unit(name)
    return read_any_sheet(catalogue()[found].read_text(encoding="utf-8"), found)


def unit_named(name: str) -> UnitSpec:
    """The unit of that name; one and the same object each time. Names as :func:`find_unit` takes them."""
    return _built(find_unit(name))


@cache
def _built(name: str) -> UnitSpec:
    return build(unit_sheet(name))
