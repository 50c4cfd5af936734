"""Special missiles in a unit's bins: which launchers take them, and a unit with other loads than its sheet gives it.

Rules: E-32, E-33, E-33a, E-35. A bin's :attr:`opfor.units.spec.AmmoBin.kind` ends in the word of its load
(``is_srm6:inferno``); the launcher has a fire mode of that word for every load aboard.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

from opfor.tables import table
from opfor.tables.arsenal import FireMode, launchers
from opfor.units.spec import AmmoBin, Mount, UnitSpec

#: the word for missiles without anything special, where a load is named
PLAIN = "plain"
FRAGMENTATION, INCENDIARY, INFERNO = "fragmentation", "incendiary", "inferno"
SEMI_GUIDED, SWARM, THUNDER = "semi_guided", "swarm", "thunder"


def munition_rows() -> dict[str, dict[str, Any]]:
    """Every special load with its row of ``munitions.yaml``."""
    rows: dict[str, dict[str, Any]] = table("munitions")["munitions"]
    return rows


@cache
def fits(munition: str, weapon: str) -> bool:
    """Whether a launcher, by the weapon id of one of its modes, takes a load. Rules: E-32, E-33, E-33a.

    >>> fits("inferno", "is_srm6"), fits("inferno", "is_ssrm6"), fits("thunder", "is_lrm20"), fits("swarm", "is_mml5_srm")
    (True, False, True, False)
    """
    row = munition_rows().get(munition)
    patterns = table("munitions")["launchers"]
    return row is not None and any(re.fullmatch(patterns[family], weapon) for family in row["launchers"])


def munition_of(kind: str) -> str:
    """The special load that an ammunition kind names, "" for plain missiles and all else.

    >>> munition_of("is_mml5:srm:inferno"), munition_of("is_lrm10"), munition_of("is_lrm10:artemis")
    ('inferno', '', '')
    """
    last = kind.rpartition(":")[2]
    return last if ":" in kind and last in munition_rows() else ""


def with_munition(mode: FireMode, munition: str, kind: str) -> FireMode:
    """A launcher's mode with a special load; missiles that do no damage of their own have none. Rules: E-32 to E-33a."""
    weapon = replace(mode.weapon, damage=(0, 0, 0)) if munition_rows()[munition].get("harmless") else mode.weapon
    return replace(mode, name=f"{mode.name} {munition}".strip(), weapon=weapon, ammo=kind, munition=munition)


def modes_allowed(mount: Mount, carried: set[str]) -> tuple[FireMode, ...]:
    """The modes that the ammunition on board allows, each munition a mode of its own; the plain one if there is none."""
    found: list[FireMode] = []
    for mode in mount.modes:
        if not mode.ammo or mode.ammo in carried:
            found.append(mode)
    for suffix in table("equipment_names")["munitions"]["modelled"]:
        for mode in mount.modes:
            kind = f"{mode.ammo}:{suffix}"
            if mode.ammo and kind in carried and all(m.ammo != kind for m in mount.modes):
                if fits(suffix, mode.weapon.id):
                    found.append(with_munition(mode, suffix, kind))
                elif suffix not in munition_rows():
                    found.append(replace(mode, name=f"{mode.name} {suffix}".strip(), ammo=kind))
    return tuple(found) or mount.modes[:1]


def loads_for(spec: UnitSpec, bin: AmmoBin) -> tuple[str, ...]:
    """The special loads that a bin of a unit may hold."""
    weapons = _weapons(_bare(bin.kind))
    return tuple(name for name in munition_rows() if any(fits(name, weapon) for weapon in weapons))


def _bare(kind: str) -> str:
    """The kind without its load: the launcher, and which of its missiles."""
    id, _, rest = kind.partition(":")
    submodes = {mode.ammo for mode in launchers().get(id, ())}
    first = f"{id}:{rest.partition(':')[0]}"
    return first if rest and first in submodes else id


def _weapons(bare: str) -> set[str]:
    return {mode.weapon.id for mode in launchers().get(bare.partition(":")[0], ()) if mode.ammo == bare}


def salvo_missiles(bin: AmmoBin) -> int:
    """Missiles in one shot of a bin; 0 where it holds none."""
    bare = _bare(bin.kind)
    modes = launchers().get(bare.partition(":")[0], ())
    return max((m.cluster for m in modes if m.ammo == bare and m.weapon.is_missile), default=0)


def reloaded(spec: UnitSpec, loads: tuple[str, ...]) -> UnitSpec:
    """The unit type with other loads: one word for each bin, "" for what its sheet gives it, :data:`PLAIN` for plain missiles.

    The same loads give the same object. Raises :class:`ValueError` for a load that a bin cannot hold.
    """
    base = spec.base or spec
    loads = tuple("" if load == (munition_of(b.kind) or PLAIN) else load for load, b in zip(loads, base.bins, strict=True))
    if not any(loads):
        return base
    known: dict[tuple[str, ...], UnitSpec] = base.tables.setdefault("reloaded", {})
    if loads not in known:
        known[loads] = _reload(base, loads)
    return known[loads]


def _reload(base: UnitSpec, loads: tuple[str, ...]) -> UnitSpec:
    bins = []
    for load, bin in zip(loads, base.bins, strict=True):
        if not load:
            bins.append(bin)
            continue
        if load != PLAIN and load not in loads_for(base, bin):
            raise ValueError(f"{bin.name} cannot hold {load}")
        bare = _bare(bin.kind)
        bins.append(replace(bin, kind=bare if load == PLAIN else f"{bare}:{load}"))
    carried = {b.kind for b in bins}
    mounts = tuple(_rearmed(mount, carried) for mount in base.mounts)
    return replace(base, bins=tuple(bins), mounts=mounts, loads=loads, base=base)


def _rearmed(mount: Mount, carried: set[str]) -> Mount:
    """The mount with the fire modes that what is carried allows."""
    modes = launchers().get(mount.id)
    if modes is None or not any(mode.ammo for mode in mount.modes):
        return mount
    return replace(mount, modes=modes_allowed(replace(mount, modes=modes), carried))
