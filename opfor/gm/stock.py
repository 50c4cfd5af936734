"""Units and boards by name or file, and what a unit is, as data and in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from opfor.board.board import Board
from opfor.formats.names import ammo_label, mount_label
from opfor.formats.notes import Note
from opfor.units.spec import UnitSpec


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
        "tons": spec.tons,
        "tech": spec.tech,
        "legs": 4 if spec.quad else 2,
        "walk": spec.walk,
        "run": spec.run,
        "jump": spec.jump,
        "armor_total": sum(spec.armor),
        "internal_total": sum(spec.structure),
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
        "unmodelled": list(spec.unmodelled),
    }


def _ammo(spec: UnitSpec) -> dict[str, int]:
    found: dict[str, int] = {}
    for bin in spec.bins:
        label = ammo_label(spec, bin.kind)
        found[label] = found.get(label, 0) + bin.shots
    return found


def _armor(spec: UnitSpec) -> dict[str, int]:
    names = (*spec.locations, "CTR", "RTR", "LTR")
    return dict(zip(names, spec.armor, strict=True))


def unit_words(spec: UnitSpec) -> list[str]:
    """A unit as lines."""
    row = unit_row(spec)
    lines = [
        f"{spec.name}: {spec.tons} t, {spec.tech}, {'four' if spec.quad else 'two'} legs",
        f"   walk {spec.walk}, run {spec.run}, jump {spec.jump}; {spec.engine} engine; "
        f"{spec.sinks} heat sinks shed {spec.heat_capacity}",
        f"   armour {row['armor_total']}, structure {row['internal_total']}: "
        + ", ".join(f"{name} {points}" for name, points in row["armor"].items()),
    ]
    for weapon in row["weapons"]:
        low, short, medium, long = weapon["range"]
        damage = "/".join(str(points) for points in dict.fromkeys(weapon["damage"]))
        reach = f"{short}/{medium}/{long}" + (f", minimum {low}" if low else "")
        lines.append(f"   {weapon['name']}, {weapon['location']}: heat {weapon['heat']}, damage {damage}, range {reach}")
    lines += [f"   ammunition {label}: {shots}" for label, shots in row["ammo"].items()]
    lines += [f"   {item}" for item in row["equipment"]]
    lines += [f"   not used by any rule: {what}" for what in row["unmodelled"]]
    return lines
