"""Special missiles in a unit's bins, as the battle file names them. Rules: E-32, E-33, E-33a, E-35."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opfor.errors import InputError, nearest
from opfor.formats.names import ammo_label, find_ammo
from opfor.formats.source import Path_
from opfor.units.munition_loads import PLAIN, loads_for, munition_of, reloaded
from opfor.units.spec import UnitSpec

Refuse = Callable[[Path_, str, str], InputError]
_KEY = "munitions"


def read_loads(spec: UnitSpec, said: dict[str, str | list[str]] | list[str], refuse: Refuse) -> UnitSpec:
    """The unit type with the loads that its entry names. ``refuse`` makes the error for a key of the entry.

    Raises :class:`InputError` for ammunition that the unit does not carry and for loads that it cannot hold.
    """
    if not said:
        return spec
    loads = [munition_of(bin.kind) or PLAIN for bin in spec.bins]
    if isinstance(said, list):
        if len(said) != len(loads):
            raise refuse((_KEY,), f"{len(said)} loads for {len(loads)} bins of {spec.name}", "")
        for index, word in enumerate(said):
            loads[index] = _load(spec, index, word, (_KEY, index), refuse)
    else:
        for name, words in said.items():
            try:
                bins = find_ammo(spec, name)
            except InputError as error:
                raise refuse((_KEY, name), error.message, error.hint) from None
            each = [words] * len(bins) if isinstance(words, str) else words
            if len(each) != len(bins):
                raise refuse((_KEY, name), f"{len(each)} loads for {len(bins)} bins", "")
            for bin, word in zip(bins, each, strict=True):
                loads[bin.index] = _load(spec, bin.index, word, (_KEY, name), refuse)
    return reloaded(spec, tuple(loads))


def _load(spec: UnitSpec, index: int, word: str, place: Path_, refuse: Refuse) -> str:
    """The load that a word means for a bin: "semi-guided" is ``semi_guided``, nothing at all is what the sheet gives."""
    bin = spec.bins[index]
    load = word.strip().lower().replace("-", "_").replace(" ", "_")
    if not load:
        return munition_of(bin.kind) or PLAIN
    possible = loads_for(spec, bin)
    if load != PLAIN and load not in possible:
        known = ", ".join((PLAIN, *possible))
        hint = nearest(load, possible) or (f"it takes {known}" if possible else "it takes no special missiles")
        raise refuse(place, f"{bin.name} cannot hold {word!r}", hint)
    return load


def loads_entry(spec: UnitSpec) -> dict[str, Any] | list[str]:
    """What the battle file says of a unit's loads, where they are not its sheet's. :func:`read_loads` reads it the same."""
    base = spec.base or spec
    found: dict[str, Any] = {}
    for bin in base.bins:
        same = [b for b in base.bins if b.kind == bin.kind]
        if any(spec.loads[b.index] for b in same):
            words = [munition_of(spec.bins[b.index].kind) or PLAIN for b in same]
            found[ammo_label(base, bin.kind)] = words[0] if len(set(words)) == 1 else words
    return found
