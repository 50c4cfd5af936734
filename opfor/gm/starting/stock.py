"""Units and boards by name or file, and what a unit is, as data and in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from opfor.board.board import Board
from opfor.formats.names import ammo_label, mount_label
from opfor.formats.notes import Note
from opfor.report.unit_words import kind_word
from opfor.units.spec import FRONT, UnitSpec


def unit_with_notes(name: str, folder: Path) -> tuple[UnitSpec, list[Note]]:
    """A unit by catalogue name or file (relative to ``folder``), with the oddities of the file. Raises InputError."""
    if name.lower().endswith((".mtf", ".blk", ".yaml", ".yml")) or "/" in name or "\\" in name:
        from opfor.formats.units import load_unit

        return load_unit(folder / name)
    from opfor.units.catalogue import unit_named

    return unit_named(name), []


def unit_from(name: str, folder: Path) -> UnitSpec:
    """A unit by catalogue name or file."""
    return unit_with_notes(name, folder)[0]


def board_from(name: str, folder: Path) -> Board:
    """A board by name or file (relative to ``folder``). Raises InputError."""
    if name.lower().endswith(".board") or "/" in name or "\\" in name:
        from opfor.formats.boards import load_board

        return load_board(folder / name)[0]
    from opfor.formats.library import board_named

    return board_named(name)


def unit_row(spec: UnitSpec) -> dict[str, Any]:
    """The published form of a unit."""
    return {
        "name": spec.name,
        "kind": spec.kind,
        "motive": spec.motive,
        "tons": spec.tons,
        "tech": spec.tech,
        "legs": (4 if spec.quad else 2) if spec.is_mech else 0,
        "walk": spec.walk,
        "run": spec.run,
        "jump": spec.jump,
        "armor_total": sum(spec.armor),
        # nothing hits a vehicle's body, and no record sheet counts it
        "internal_total": sum(spec.structure[FRONT:] if spec.is_vehicle else spec.structure),
        "heat_capacity": spec.heat_capacity,
        "heat_sinks": spec.sinks,
        "engine": spec.engine,
        "weapons": [
            {
                "name": mount_label(spec, mount.index),
                "id": mount.id,
                "location": spec.location_name(mount.location),
                "rear": mount.rear,
                "heat": mount.weapon.heat,
                "damage": list(mount.weapon.damage),
                "range": [mount.weapon.minimum, mount.weapon.short, mount.weapon.medium, mount.weapon.long],
            }
            for mount in spec.mounts
        ],
        "ammo": _ammo(spec),
        "armor": _armor(spec),
        "equipment": [f"{item.name} ({spec.location_name(item.location)})" for item in spec.equipment],
        **_other_kinds(spec),
        "unmodelled": list(spec.unmodelled),
    }


def _other_kinds(spec: UnitSpec) -> dict[str, Any]:
    """What only vehicles, platoons and suits have."""
    found: dict[str, Any] = {}
    if spec.is_vehicle:
        found = {"turret": spec.turret, "troop_space": spec.troop_space, "cargo": spec.cargo}
    if spec.kind == "infantry":
        found["troopers"] = spec.structure[0]
    if spec.arms is not None:
        arms = spec.arms
        found["arms"] = {
            "weapon": arms.weapon,
            "damage_per_trooper": arms.damage_per_trooper,
            "squads": arms.squads,
            "squad_size": arms.squad_size,
        }
    if spec.kind == "battle_armor":
        found["suits"] = len(spec.structure)
    if spec.is_infantry:
        found["anti_mech"] = spec.anti_mech
    return found


def _ammo(spec: UnitSpec) -> dict[str, int]:
    found: dict[str, int] = {}
    for bin in spec.bins:
        label = ammo_label(spec, bin.kind)
        found[label] = found.get(label, 0) + bin.shots
    return found


def _armor(spec: UnitSpec) -> dict[str, int]:
    """Armour by location; what a kind of unit does not have, as a platoon its armour, is left out."""
    names = (*spec.locations, "CTR", "RTR", "LTR") if spec.is_mech else spec.locations
    return {name: points for name, points in zip(names, spec.armor, strict=True) if points or spec.is_mech}


def unit_words(spec: UnitSpec) -> list[str]:
    """A unit as lines."""
    row = unit_row(spec)
    lines = [f"{spec.name}: {spec.tons} t, {spec.tech}, {_kind_words(spec)}", _speed_words(spec)]
    if spec.kind == "infantry":
        lines.append(f"   {_platoon_words(spec)}")
    else:
        armor = ", ".join(f"{name} {points}" for name, points in row["armor"].items())
        lines.append(f"   armour {row['armor_total']}, structure {row['internal_total']}: {armor}")
    if spec.troop_space or spec.cargo:
        lines.append(f"   room for {spec.troop_space:g} t of infantry, {spec.cargo:g} t of cargo")
    for weapon in row["weapons"]:
        low, short, medium, long = weapon["range"]
        if not any(weapon["range"]):
            lines.append(f"   {weapon['name']}, in the target's hex")
            continue
        damage = "/".join(str(points) for points in dict.fromkeys(weapon["damage"]))
        if not any(weapon["damage"]):
            lines.append(f"   {weapon['name']}: range {short}/{medium}/{long}")
            continue
        reach = f"{short}/{medium}/{long}" + (f", minimum {low}" if low else "")
        lines.append(f"   {weapon['name']}, {weapon['location']}: heat {weapon['heat']}, damage {damage}, range {reach}")
    lines += [f"   ammunition {label}: {shots}" for label, shots in row["ammo"].items()]
    lines += [f"   {item}" for item in row["equipment"]]
    lines += [f"   not used by any rule: {what}" for what in row["unmodelled"]]
    return lines


def _kind_words(spec: UnitSpec) -> str:
    if spec.is_mech:
        return f"{'four' if spec.quad else 'two'} legs"
    words = kind_word(spec)
    if spec.kind == "vehicle":
        words += " with a turret" if spec.turret else " without a turret"
    return words


def _speed_words(spec: UnitSpec) -> str:
    if spec.is_mech:
        return (
            f"   walk {spec.walk}, run {spec.run}, jump {spec.jump}; {spec.engine} engine; "
            f"{spec.sinks} heat sinks shed {spec.heat_capacity}"
        )
    if spec.is_vehicle:
        return f"   cruise {spec.walk}, flank {spec.run}; {spec.engine} engine"
    return f"   ground {spec.walk}" + (f", jump {spec.jump}" if spec.jump else "")


def _platoon_words(spec: UnitSpec) -> str:
    words = f"{spec.structure[0]} troopers"
    if spec.arms is not None:
        arms = spec.arms
        words += f" in {arms.squads} squads of {arms.squad_size}, {arms.damage_per_trooper:g} points a trooper"
    return words + ("; trained to attack 'Mechs" if spec.anti_mech else "")
