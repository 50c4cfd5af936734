"""Weapons, ammunition and CASE of a unit being built. Rule: S-4, S-5."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from opfor.tables import table
from opfor.tables.arsenal import Weapon, launchers
from opfor.units import names
from opfor.units.munition_loads import fits, munition_of
from opfor.units.names import CLAN, Item
from opfor.units.spec import AmmoBin, Mount
from opfor.units.workbench import Build


def mount_weapon(build: Build[Any], item: Item, place: int, index: int, split: int) -> Mount:
    id = names.weapon_id(item.key, item.tech or build.tech)
    modes = launchers()[id]
    weapon = modes[0].weapon
    one_shot = item.one_shot or "one_shot" in weapon.flags
    if one_shot:
        modes = tuple(replace(mode, ammo="", shots=0) for mode in modes)
    name = weapon.name if len(modes) == 1 or ":" not in modes[0].ammo else weapon.name.split(" (")[0]
    return Mount(index, id, name, weapon, modes, place, item.rear, split, one_shot=one_shot)


def link_artemis(build: Build[Any]) -> None:
    """Each Artemis IV serves the first launcher of its location that has none yet. Rule: S-4 (Artemis IV)."""
    for equipment in build.equipment:
        if equipment.kind != "artemis_iv":
            continue
        for mount in build.mounts:
            if mount.artemis < 0 and mount.location == equipment.location and "artemis_capable" in mount.weapon.flags:
                build.mounts[mount.index] = replace(mount, artemis=equipment.index)
                break
        else:
            build.report(
                f"{equipment.name} in {build.locations[equipment.location]} has no launcher to serve",
                f"slots.{build.locations[equipment.location]}",
            )


def ammo_bin(build: Build[Any], item: Item, place: int, index: int) -> AmmoBin:
    """One bin: kind, shots and what a shot does when it explodes. Rule: S-5 (ammunition explosions)."""
    rows = table("equipment_names")
    if not item.key or item.key.startswith("other:"):
        build.not_used(item.name, place)
        row = rows["other_ammo"].get(item.key.removeprefix("other:"), {"shots": 0, "damage": 0})
        return AmmoBin(index, item.key or f"other:{names.bare(item.name)}", item.name, row["shots"], place, row["damage"])
    id = _ammo_weapon(build, item)
    kind = f"{id}:{item.munition}" if item.munition else id
    modes = launchers()[id]
    weapon = next((m.weapon for m in modes if m.ammo == kind or kind.startswith(m.ammo + ":")), modes[0].weapon)
    special = munition_of(kind)
    if not item.modelled or (special and not fits(special, weapon.id)):
        build.not_used(item.name, place)
    shots = int(weapon.ammo_per_ton * item.fraction)
    if shots and item.shots:
        shots = min(item.shots, shots)
    if not shots:
        raise build.refuse(f"{item.name}: a {weapon.name} needs no ammunition", place=f"slots.{build.locations[place]}")
    # a round of pellets does as much as the slug when it goes off inside
    explosion = _explosion(kind, id, modes[0].weapon if item.munition == "cluster" else weapon)
    return AmmoBin(index, kind, item.name, shots, place, explosion)


def _ammo_weapon(build: Build[Any], item: Item) -> str:
    """The launcher that a bin belongs to: where its name leaves the tech base open, the one that is carried."""
    id = names.weapon_id(item.key, item.tech or build.tech)
    if item.tech:
        return id
    mounted = {mount.id for mount in build.mounts}
    return next((m for m in (id, f"is_{item.key}", f"clan_{item.key}") if m in mounted), id)


def _explosion(kind: str, id: str, weapon: Weapon) -> int:
    known = table("equipment_names")["explosion_per_shot"]
    for key in (kind, id):
        if key in known:
            return int(known[key])
    if "X" in weapon.kinds:  # Gauss slugs do not explode, the rifle does
        return 0
    return max(weapon.damage) * (weapon.cluster if weapon.is_missile and weapon.cluster else 1)


def case_locations(build: Build[Any], mounts: tuple[Mount, ...], bins: tuple[AmmoBin, ...]) -> frozenset[int]:
    """Locations with CASE: where the sheet puts it, and on a Clan 'Mech wherever something explodes. Rule: S-5 (CASE)."""
    protected = {e.location for e in build.equipment if e.kind == "case"}
    if build.tech == CLAN:
        protected |= {b.location for b in bins if b.explosion_per_shot}
        protected |= {m.location for m in mounts if m.weapon.explodes}
        protected |= {m.split_location for m in mounts if m.weapon.explodes and m.split_location >= 0}
    return frozenset(protected)
