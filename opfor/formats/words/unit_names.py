"""What people call the units of a battle: ids without their dashes, call signs with titles, initials, chassis. Rule: S-5."""

from __future__ import annotations

import re
from collections.abc import Sequence

from opfor.errors import InputError
from opfor.state import State
from opfor.units.state import UnitState


def one_of(found: Sequence[UnitState], word: str, place: str = "") -> UnitState:
    """The one unit that a name fits. Raises :class:`InputError` listing the units where there are several."""
    if len(found) == 1:
        return found[0]
    raise InputError(f"{word!r} fits several units: {', '.join(u.id for u in found)}", source="order", place=place)


def units_named(state: State, word: str) -> list[UnitState]:
    """Units that a name fits best: id or call sign first, then without dashes, spaces and titles, initials, chassis."""
    wanted = word.strip().lower()
    for found in (
        [u for u in state.units if u.id == word],
        [u for u in state.units if u.id.lower() == wanted],
        [u for u in state.units if u.name.lower() == wanted],
    ):
        if found:
            return found
    bare = bare_name(word)
    for names in (_id_names, _chassis_names) if bare else ():
        found = [u for u in state.units if bare in names(u)]
        if found:
            return found
    return []


#: what stands before a name and is no part of it
_TITLES = re.compile(
    r"(?i)^(?:(?:the|enemy|our|my|his|her|their|unit|mech|'mech|battlemech|pilot|mechwarrior|sergeant|sgt|lieutenant|lt|captain|cpt"
    r"|capt|corporal|cpl|private|pvt|major|maj|colonel|col|commander|cmdr|leutnant|hauptmann)\b\.?\s+)+(?=\S)"
)


def bare_name(word: str) -> str:
    """A name for comparing: small letters and figures only, without titles; figures in words as figures.

    >>> bare_name("The Alpha-1"), bare_name("alpha one"), bare_name("Lt. Reaver's")
    ('alpha1', 'alpha1', 'reaver')
    """
    small = re.sub(r"['’]s?\b(?=\s*$)", "", _TITLES.sub("", word.strip().lower()))
    small = re.sub(r"(?<=[\s-])(one|two|three|four|five|six|seven|eight|nine)$", lambda f: str(_FIGURES.index(f[1]) + 1), small)
    small = re.sub(r"(?<![0-9])0+(?=[1-9])", "", small)
    return re.sub(r"[^a-z0-9]+", "", small)


_FIGURES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def unit_names(unit: UnitState) -> set[str]:
    """All names that a unit goes by in running text, as they are spelt: id, call sign, type, chassis, variant, initials."""
    whole = re.sub(r"\s*\(.*?\)", "", unit.spec.name)
    names = {unit.id, unit.name, unit.spec.name, whole, *re.findall(r"\(([^()]+)\)", unit.spec.name)}
    chassis, _, variant = whole.rpartition(" ")
    names |= {name for name in (chassis, variant) if bare_name(name) in _chassis_names(unit)}
    found = re.fullmatch(r"([a-z])[a-z]+[-_ ]*0*(\d+)", unit.id.lower())
    if found:
        names.add(f"{found[1]}{found[2]}")
    lettered = re.fullmatch(r"(?i)([a-z]+)[-_ ]*0*([1-9])", unit.id)
    if lettered:
        names.add(f"{lettered[1]} {_FIGURES[int(lettered[2]) - 1]}")
    return {name for name in names if name}


def _id_names(unit: UnitState) -> set[str]:
    """Bare forms of a unit's id and call sign, and the initials with the number: ``a1`` for alpha-1."""
    names = {bare_name(unit.id)}
    if unit.name != unit.spec.name:
        names.add(bare_name(unit.name))
    found = re.fullmatch(r"([a-z])[a-z]+[-_ ]*0*(\d+)", unit.id.lower())
    if found:
        names.add(found[1] + found[2])
    return names


def _chassis_names(unit: UnitState) -> set[str]:
    """Bare forms of the unit's type: whole, chassis, variant."""
    whole = re.sub(r"\s*\(.*?\)", "", unit.spec.name)
    chassis, _, variant = whole.rpartition(" ")
    aka = re.findall(r"\(([^()]+)\)", unit.spec.name)
    told = variant if re.search(r"\d", variant) else ""
    return {bare_name(name) for name in (unit.spec.name, whole, chassis, told, *aka) if len(name) > 2}
