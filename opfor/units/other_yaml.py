"""Vehicles, platoons and battle armour in our own words: YAML sheets, as those of 'Mechs. Rule: S-5, S-9.

A sheet with ``motive`` is one of these, and its motive type tells which. See ``docs/content.md``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from opfor.tables import table
from opfor.units.build_infantry import infantry_weapon_key, suit_item
from opfor.units.builders import AnySheet
from opfor.units.names import understand
from opfor.units.sheet_yaml import SheetReader, armor_points, counted_items, mech_sheet, near_equipment, sheet_data
from opfor.units.spec import KINDS, VEHICLE_LOCATIONS, VTOL_LOCATIONS
from opfor.units.vehicle_sheet import InfantrySheet, SuitsSheet, VehicleSheet

OneOfThese = VehicleSheet | InfantrySheet | SuitsSheet

_COMMON = {"chassis", "model", "tech", "era", "motive", "battle_value"}
_VEHICLE = _COMMON | {"tons", "engine", "cruise", "armor_type", "armor", "equipment", "troops", "cargo", "bombs", "bomb"}
_PLATOON = _COMMON | {"weapon", "support_per_squad", "squads", "squad_size", "anti_mech"}
_SUITS = _COMMON | {"suits", "tons", "walk", "jump", "armor", "equipment", "shots", "anti_mech"}
_ENTRY = re.compile(r"^(\s*)([\w ]+?)\s*:")
_ENGINE = re.compile(r"^\s*(?:(\d+)\s+)?([A-Za-z][A-Za-z -]*)$")


def read_any_sheet(text: str, source: str = "") -> AnySheet:
    """The record sheet of whatever unit a YAML text describes; errors as :func:`opfor.units.sheet_yaml.read_sheet`."""
    read = SheetReader(sheet_data(text, source), source)
    if "motive" not in read.data:
        return mech_sheet(read, text)
    kinds = {motive: kind for kind, motives in KINDS.items() if kind != "mech" for motive in motives}
    motive = read.word("motive", "", kinds)
    sheet = _OF_KIND[kinds[motive]](read, motive)
    sheet.source = source
    sheet.lines = _lines(text) | sheet.lines
    return sheet


def _lines(text: str) -> dict[str, int]:
    """Where each entry stands, and each location under ``equipment`` and ``armor``."""
    lines: dict[str, int] = {}
    within = ""
    for number, line in enumerate(text.splitlines(), start=1):
        found = _ENTRY.match(line)
        if found and not found[1]:
            within = found[2]
            lines[within] = number
        elif found:
            lines[f"{within}.{found[2]}"] = lines[f"slots.{found[2]}"] = number
    return lines


def _common(read: SheetReader) -> dict[str, Any]:
    return {
        "chassis": str(read.data["chassis"]),
        "model": str(read.data.get("model", "")),
        "tech": read.word("tech", "Inner Sphere", ("Inner Sphere", "Clan", "Mixed")),
        "era": read.number("era"),
        "battle_value": read.number("battle_value"),
    }


def _tons(read: SheetReader, key: str, default: float = 0) -> float:
    value = read.data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise read.refuse(f"{value!r} is no number of tons", place=key)
    return float(value)


def _vehicle(read: SheetReader, motive: str) -> OneOfThese:
    read.check_keys(_VEHICLE, ("chassis", "tons", "engine", "cruise", "armor"))
    sheet = VehicleSheet(**_common(read), motive=motive, tons=read.number("tons"), cruise=read.number("cruise"))
    written = str(read.data["engine"])
    found = _ENGINE.match(written)
    kinds = read.rules["engines"]
    kind = found.group(2).strip().lower() if found else ""
    if kind not in kinds or sheet.tech not in kinds[kind]:
        raise read.refuse(
            f"{written!r} is no engine made with {sheet.tech} technology", place="engine", hint="as ice or 180 fusion"
        )
    sheet.engine, sheet.engine_rating = kinds[kind][sheet.tech], int((found and found.group(1)) or 0)
    sheet.armor_type = read.word("armor_type", "standard", table("vehicle_units")["plain_armor"])
    sheet.armor = armor_points(read)
    sheet.troop_space, sheet.cargo = _tons(read, "troops"), _tons(read, "cargo")
    sheet.bombs, sheet.bomb = read.number("bombs"), str(read.data.get("bomb", ""))
    locations = VTOL_LOCATIONS if motive == "vtol" else VEHICLE_LOCATIONS
    equipment = read.data.get("equipment") or {}
    if not isinstance(equipment, dict):
        raise read.refuse("a list by location is expected", place="equipment", hint="as {TU: Medium Laser}")
    for place, given in equipment.items():
        if place not in locations:
            raise read.refuse(f"{place!r} is no location", place="equipment", hint=f"known: {', '.join(locations)}")
        names = sheet.equipment.setdefault(place, [])
        for count, name, stated in counted_items(read, f"equipment.{place}", given):
            if understand(name).kind in ("other", "engine", "gyro", "cockpit", "jump_jet") and not stated:
                raise read.refuse(f"{name!r} is not known as equipment", place=f"equipment.{place}", hint=near_equipment(name))
            names += [name] * count
    return sheet


def _platoon(read: SheetReader, motive: str) -> OneOfThese:
    read.check_keys(_PLATOON, ("chassis", "weapon"))
    rules = table("infantry_units")
    weapons = rules["platoon_weapons"]
    weapon = read.word("weapon", "rifle", weapons)
    sheet = InfantrySheet(**_common(read), motive=motive, squads=read.number("squads"), squad_size=read.number("squad_size"))
    if weapons[weapon].get("support"):
        sheet.support = weapon
        sheet.support_per_squad = read.number("support_per_squad", rules["support_per_squad"])
    else:
        sheet.primary = weapon
        if "support_per_squad" in read.data:
            raise read.refuse(f"every trooper carries the {weapon}", place="support_per_squad")
    sheet.anti_mech = _yes(read, "anti_mech", None)
    return sheet


def _suits(read: SheetReader, motive: str) -> OneOfThese:
    read.check_keys(_SUITS, ("chassis", "armor"))
    common = _common(read)
    squad = table("infantry_units")["suits"]["squad"][common["tech"]]
    sheet = SuitsSheet(
        **common, suits=read.number("suits", squad), tons_per_suit=_tons(read, "tons", 1), walk=read.number("walk", 1),
        jump=read.number("jump"), armor=read.number("armor"),
    )  # fmt: skip
    for count, name, stated in counted_items(read, "equipment", read.data.get("equipment")):
        known = suit_item(name).kind in ("weapon", "equipment") or infantry_weapon_key(name)
        if not known and not stated:
            raise read.refuse(f"{name!r} is not known as equipment", place="equipment", hint=near_equipment(name))
        sheet.equipment += [name] * count
    shots = read.data.get("shots") or {}
    if not isinstance(shots, dict) or any(isinstance(n, bool) or not isinstance(n, int) for n in shots.values()):
        raise read.refuse("salvos by weapon are expected", place="shots", hint="as {SRM 2: 2}")
    sheet.shots = {str(name): number for name, number in shots.items()}
    sheet.anti_mech = bool(_yes(read, "anti_mech", True))
    return sheet


def _yes(read: SheetReader, key: str, default: bool | None) -> bool | None:
    value = read.data.get(key, default)
    if value is not None and not isinstance(value, bool):
        raise read.refuse(f"{value!r} is neither yes nor no", place=key)
    return value


_OF_KIND: dict[str, Callable[[SheetReader, str], OneOfThese]] = {
    "vehicle": _vehicle,
    "vtol": _vehicle,
    "infantry": _platoon,
    "battle_armor": _suits,
}
