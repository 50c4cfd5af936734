"""Unit files made of what a saved game says of a unit, for types that no catalogue or folder holds. Rule: S-5.

A 'Mech becomes a ``.mtf`` text, all else a ``.blk`` text: both may be kept and used like any other. Only figures are taken
over; the prose that saves carry is passed by.
"""

from __future__ import annotations

from opfor.errors import InputError
from opfor.formats.megamek.save_data import SavedItem, SavedUnit
from opfor.tables import table
from opfor.units.names import understand

_LONG = {
    "HD": "Head", "CT": "Center Torso", "RT": "Right Torso", "LT": "Left Torso", "RA": "Right Arm", "LA": "Left Arm",
    "RL": "Right Leg", "LL": "Left Leg", "FRL": "Front Right Leg", "FLL": "Front Left Leg", "RRL": "Rear Right Leg",
    "RLL": "Rear Left Leg",
}  # fmt: skip
_REAR = {"CT": "RTC", "RT": "RTR", "LT": "RTL"}
_PLACES = {"BD": "Body", "FR": "Front", "RS": "Right", "LS": "Left", "RR": "Rear", "TU": "Turret", "RO": "Rotor"}


def unit_file(unit: SavedUnit) -> tuple[str, str]:
    """File name and text for a unit. Raises :class:`InputError` for a kind that cannot be told from a save."""
    name = "".join(c if c.isalnum() or c in " -_()[]." else "_" for c in unit.name)[:80].strip(" .") or f"unit {unit.id}"
    if unit.layout in ("biped", "quad"):
        return f"{name}.mtf", mtf_text(unit)
    if unit.layout in ("vehicle", "vtol", "infantry", "battle_armor"):
        return f"{name}.blk", blk_text(unit)
    raise InputError(f"{unit.name} is nothing that can be played")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _is_clan(unit: SavedUnit) -> bool:
    return bool(unit.build["clan"]) or unit.build["tech"] in table("mm_names")["clan_tech"]


def mtf_text(unit: SavedUnit) -> str:
    """A 'Mech."""
    names, build = table("mm_names"), unit.build
    clan = _is_clan(unit)
    base = "Clan" if clan else "Inner Sphere"
    if build["mixed"]:
        base = f"Mixed ({'Clan' if clan else 'IS'} Chassis)"
    if build["engine"] not in names["engines"]:
        raise InputError(f"the engine of {unit.name} is of a kind that nothing here knows ({build['engine']})")
    clan_engine = bool(build["engine_flags"] & names["clan_engine"])
    engine = f"{names['engines'][build['engine']]}{' (Clan)' if clan_engine else ''} Engine{'' if clan_engine else '(IS)'}"
    sinks = [item for item in unit.items if understand(item.type).kind == "heat_sink"]
    double = any("double" in item.type.lower() or "laser" in item.type.lower() for item in sinks)
    kind = "Double" if double else "Single"
    clan_sinks = any(item.type.lower().startswith(("cl", "clan")) for item in sinks)
    armor = names["armors"].get(unit.armor_types[1] if len(unit.armor_types) > 1 else 0, "Standard")
    lines = [
        "Version:1.0",
        _one_line(unit.chassis),
        _one_line(unit.model),
        "",
        f"Config:{'Quad' if unit.layout == 'quad' else 'Biped'}",
        f"TechBase:{base}",
        f"Era:{build['year']}",
        "",
        f"Mass:{round(unit.tons)}",
        f"Engine:{build['rating']} {engine}",
        f"Gyro:{names['gyros'].get(build['gyro'], 'Standard Gyro')}",
        f"Cockpit:{names['cockpits'].get(build['cockpit'], 'Standard Cockpit')}",
        f"Structure:{names['structures'].get(build['structure'], 'Standard')}",
        "",
        f"Heat Sinks:{len(sinks)} {'Clan' if clan_sinks else 'IS'} {kind}" if double else f"Heat Sinks:{len(sinks)} Single",
        f"Walk MP:{unit.walk}",
        f"Jump MP:{unit.jump}",
        "",
        f"Armor:{armor}",
    ]
    for one in unit.locations:
        lines.append(f"{one.name} Armor:{one.armor_start or 0}")
        if one.rear_start is not None and one.name in _REAR:
            lines.append(f"{_REAR[one.name]} Armor:{one.rear_start}")
    weapons = [item for item in unit.items if item.kind == "weapon" and 0 <= item.location < len(unit.locations)]
    lines += ["", f"Weapons:{len(weapons)}"]
    lines += [f"{_one_line(item.type)}, {_LONG[unit.locations[item.location].name]}" for item in weapons]
    for location, slots in enumerate(unit.slots[: len(unit.locations)]):
        lines += ["", f"{_LONG[unit.locations[location].name]}:"]
        held = {slot.number: slot for slot in slots}
        for number in range(1, 13):
            slot = held.get(number)
            if slot is None:
                lines.append("-Empty-")
            elif slot.system:
                lines.append(names["system_lines"].get(slot.system, slot.system))
            elif 0 <= slot.item < len(unit.items):
                item = unit.items[slot.item]
                lines.append(_one_line(item.type) + (" (R)" if item.rear else ""))
            else:
                lines.append("-Empty-")
    return "\n".join([*lines, ""])


def blk_text(unit: SavedUnit) -> str:
    """A vehicle, VTOL, platoon or squad of battle armour."""
    names, build = table("mm_names"), unit.build
    blocks: list[tuple[str, list[str]]] = []

    def block(name: str, *lines: object) -> None:
        blocks.append((name, [_one_line(str(line)) for line in lines]))

    clan = _is_clan(unit)
    kinds = {"vehicle": "Tank", "vtol": "VTOL", "infantry": "Infantry", "battle_armor": "BattleArmor"}
    block("UnitType", kinds[unit.layout])
    block("Name", unit.chassis)
    block("Model", unit.model)
    block("year", build["year"])
    block("type", f"{'Clan' if clan else 'IS'} Level 2" if not build["mixed"] else "Mixed (IS Chassis)")
    motive = motive_of(unit)
    if unit.layout == "infantry":
        block("motion_type", names["blk_motion"].get(motive, unit.movement_mode))
        block("squad_size", unit.numbers["squadSize"])
        block("squadn", unit.numbers["squadCount"])
        arms = [item.type for item in unit.items if item.kind == "weapon" and item.type not in names["infantry_attacks"]]
        if not arms:
            raise InputError(f"the save does not tell what {unit.name} is armed with")
        block("Primary", arms[0])
        second = unit.numbers["secondaryWeaponsPerSquad"]
        if second and len(set(arms)) > 1:
            block("Secondary", next(arm for arm in arms if arm != arms[0]))
            block("secondn", second)
        block("antimek", unit.crew.piloting)
    elif unit.layout == "battle_armor":
        troopers = [one for one in unit.locations[1:] if one.structure_start]
        block("motion_type", "Jump" if unit.jump else "Leg")
        block("cruiseMP", unit.walk)
        block("jumpingMP", unit.jump)
        block("Trooper Count", len(troopers))
        block("weightclass", unit.numbers["weightClass"])
        block("armor", max((one.armor_start or 0) for one in troopers) if troopers else 0)
        _equipment(unit, blocks, {0: "Squad"} | {index: f"Trooper {index}" for index in range(1, 7)})
    else:
        block("motion_type", names["blk_motion"].get(motive, unit.movement_mode))
        block("cruiseMP", unit.walk)
        block("engine_type", names["blk_engines"].get(build["engine"], 0))
        block("armor_type", max(unit.armor_types[1] if len(unit.armor_types) > 1 else 0, 0))
        block("tonnage", unit.tons)
        places = [one for one in unit.locations[1:] if one.structure_start]
        block("armor", *(one.armor_start or 0 for one in places))
        _equipment(unit, blocks, {one.index: _PLACES[one.name] for one in unit.locations if one.name in _PLACES})
    return "\n".join(line for name, lines in blocks for line in (f"<{name}>", *lines, f"</{name}>", ""))


def _equipment(unit: SavedUnit, blocks: list[tuple[str, list[str]]], places: dict[int, str]) -> None:
    """Blocks of equipment by location."""
    for index, place in places.items():
        held = [_line(item) for item in unit.items if item.location == index and item.kind != "none" and item.type]
        if held or unit.layout != "battle_armor":
            blocks.append((f"{place} Equipment", held))


def _line(item: SavedItem) -> str:
    return _one_line(item.type)


def motive_of(unit: SavedUnit) -> str:
    """How it moves, in the words of the rules here; empty when nothing here moves so."""
    names = table("mm_names")
    if unit.layout == "infantry":
        return str(names["infantry_motives"].get(unit.movement_mode) or names["motives"].get(unit.movement_mode, ""))
    return str(names["motives"].get(unit.movement_mode, ""))
