"""Vehicles, infantry and battle armour in the text format of MegaMek's ``.blk`` files, read into record sheets. Rule: S-5, S-9.

Blocks in any order and case; what a file says beyond the rules here is noted. ``docs/formats.md`` tells what is repaired and
what is refused.
"""

from __future__ import annotations

import re

from opfor.errors import nearest
from opfor.formats.megamek.blk_text import Blocks, read_blocks
from opfor.formats.notes import Note
from opfor.tables import table
from opfor.units.build_infantry import infantry_weapon_key, suit_item
from opfor.units.builders import AnySheet
from opfor.units.names import bare, understand
from opfor.units.vehicle_sheet import InfantrySheet, OtherSheet, SuitsSheet, VehicleSheet

_MARKS = re.compile(r":(?:OMNI|FIXED|SIZE:[0-9.]+)\b", re.IGNORECASE)
_SHOTS = re.compile(r":Shots?([0-9]{1,3})#?", re.IGNORECASE)
_TYPE = re.compile(r"^(mixed|clan|is|inner sphere)\b(?:.*?\b(clan)\s+chassis)?", re.IGNORECASE)
#: engine_type of what is towed
_NO_ENGINE = 8
_YES = ("1", "true", "yes")


def read_blk(text: str, source: str = "unit") -> tuple[AnySheet, list[Note]]:
    """The record sheet in a ``.blk`` text, and what was odd about it.

    Raises :class:`InputError` with ``line N`` for a text without blocks, for kinds of unit that are not supported (naval,
    support, aerospace and others, by name), and for values that cannot be read.
    """
    blocks = read_blocks(text, source)
    words = table("blk_keys")
    kind = _kind(blocks)
    motive = _motive(blocks, kind)
    sheet: VehicleSheet | InfantrySheet | SuitsSheet
    if kind in ("vehicle", "vtol"):
        sheet = _vehicle(blocks, motive)
    elif kind == "infantry":
        sheet = _infantry(blocks, motive)
    else:
        sheet = _suits(blocks)
    for place, name in words["line_places"].items():
        if name in blocks.found:
            sheet.lines.setdefault(place, blocks.line_of(name))
    _pass_over(blocks)
    blocks.notes.sort(key=lambda note: note.line)
    return sheet, blocks.notes


def _kind(blocks: Blocks) -> str:
    words = table("blk_keys")
    value = blocks.text("unittype")
    word = bare(value)
    if word in words["refused_units"]:
        raise blocks.refuse(f"{words['refused_units'][word]} are not supported ({value})", blocks.line_of("unittype"))
    if word not in words["units"]:
        hint = nearest(value, ("Tank", "VTOL", "Infantry", "BattleArmor"))
        raise blocks.refuse(f"unit type {value!r} is not supported", blocks.line_of("unittype"), hint)
    return str(words["units"][word])


def _motive(blocks: Blocks, kind: str) -> str:
    words = table("blk_keys")
    value = blocks.text("motion_type", {"vtol": "VTOL", "battle_armor": "Jump"}.get(kind))
    word, known = " ".join(value.lower().split()), words["motion"][kind]
    if word in known:
        return str(known[word])
    if word in words["refused_motion"]:
        raise blocks.refuse(f"{words['refused_motion'][word]} are not supported ({value})", blocks.line_of("motion_type"))
    raise blocks.refuse(f"motion type {value!r} is not known", blocks.line_of("motion_type"), nearest(word, known))


def _common(blocks: Blocks, sheet: OtherSheet) -> bool:
    """Names, year and tech base; whether plain names mean Clan items."""
    sheet.source = blocks.source
    sheet.chassis = blocks.text("name")
    sheet.model = blocks.text("model", "")
    sheet.era = blocks.whole("year", "0")
    value = blocks.text("type", "IS")
    found = _TYPE.match(value)
    if not found:
        raise blocks.refuse(f"type {value!r} names no tech base", blocks.line_of("type"), "as in: IS Level 1, Clan Level 2")
    base = found.group(1).lower()
    sheet.tech = {"mixed": "Mixed", "clan": "Clan"}.get(base, "Inner Sphere")
    return base == "clan" or bool(found.group(2))


def _vehicle(blocks: Blocks, motive: str) -> VehicleSheet:
    words = table("blk_keys")
    sheet = VehicleSheet("", "", motive=motive)
    clan = _common(blocks, sheet)
    sheet.tons = blocks.whole("tonnage")
    sheet.cruise = blocks.whole("cruisemp")
    sheet.engine = _engine(blocks, clan)
    if blocks.text("trailer", "0").lower() in _YES:
        raise blocks.refuse("trailers are not supported", blocks.line_of("trailer"))
    code = blocks.whole("armor_type", "0")
    sheet.armor_type = words["armor"].get(code, f"kind {code}")
    points = blocks.numbers("armor")
    top = "RO" if motive == "vtol" else "TU"
    places = ("FR", "RS", "LS", "RR", top)
    least = 5 if motive == "vtol" else 4
    if not least <= len(points) <= len(places):
        raise blocks.refuse(
            f"{len(points)} values of armour: front, right, left, rear{' and rotor' if motive == 'vtol' else ''} are expected"
            + ("" if motive == "vtol" else ", and turret if it has one")
            + (": a second turret is not supported" if len(points) > len(places) else ""),
            blocks.line_of("armor"),
        )
    sheet.armor = dict(zip(places, points, strict=False))
    for (_, line), place in zip(blocks.lines("armor"), places, strict=False):
        sheet.lines[f"armor.{place}"] = line
    for name, block in blocks.found.items():
        if not name.endswith(" equipment"):
            continue
        where = name.removesuffix(" equipment")
        if where in words["refused_places"] and block.lines:
            raise blocks.refuse(f"{words['refused_places'][where]} is not supported", block.line)
        if where not in words["places"]:
            if block.lines:
                raise blocks.refuse(f"equipment for unknown location {where!r}", block.line, nearest(where, words["places"]))
            continue
        place = words["places"][where]
        if place in ("TU", "RO") and place != top:
            if block.lines:
                blocks.note(
                    "ignored", f"<{name}>: it has none, left out: {', '.join(text for text, _ in block.lines)}", block.line
                )
            continue
        sheet.lines[f"slots.{place}"] = sheet.lines[f"equipment.{place}"] = block.line
        sheet.equipment[place] = [_item(sheet, raw, line) for raw, line in block.lines]
    if motive != "vtol" and sheet.equipment.get("TU") and "TU" not in sheet.armor:
        blocks.note("repaired", "a turret without armour: taken as 0", blocks.line_of("turret equipment"))
        sheet.armor["TU"] = 0
    _transporters(blocks, sheet)
    return sheet


def _item(sheet: OtherSheet, raw: str, line: int) -> str:
    """A line of equipment without the marks of pods and sizes; shots of a bin in brackets."""
    name = _SHOTS.sub(r" (\1)", _MARKS.sub("", raw)).strip()
    sheet.lines.setdefault(f"item:{understand(name).name}", line)
    return name


def _engine(blocks: Blocks, clan: bool) -> str:
    kinds = table("blk_keys")["engines"]
    code = blocks.whole("engine_type", "1")
    if code == _NO_ENGINE:
        raise blocks.refuse("trailers are not supported: it has no engine", blocks.line_of("engine_type"))
    if "clan_engine" in blocks.found:
        clan = blocks.text("clan_engine").lower() in _YES
    if "engine_type" not in blocks.found:
        blocks.note("repaired", "no <engine_type>: taken as an internal combustion engine")
    if not 0 <= code < len(kinds):
        raise blocks.refuse(f"engine type {code} is not supported", blocks.line_of("engine_type"))
    kind = str(kinds[code])
    return f"{kind}_{'clan' if clan else 'is'}" if kind in ("xl", "xxl") else kind


def _transporters(blocks: Blocks, sheet: VehicleSheet) -> None:
    """Tons of room for infantry and of cargo. Rule: S-9 (transport)."""
    for text, line in blocks.lines("transporters"):
        name, _, rest = text.partition(":")
        try:
            tons = float(rest.split(":")[0])
        except ValueError:
            raise blocks.refuse(f"room without tons: {text!r}", line, "as in: troopspace:6.0") from None
        if bare(name) == "troopspace":
            sheet.troop_space += tons
            sheet.lines["troops"] = line
        elif bare(name) in ("cargobay", "liquidcargobay", "insulatedcargobay", "refrigeratedcargobay", "livestockcargobay"):
            sheet.cargo += tons
            sheet.lines["cargo"] = line
        else:
            blocks.note("ignored", f"{name.strip()}: no rule here carries anything in it", line)


def _infantry(blocks: Blocks, motive: str) -> InfantrySheet:
    sheet = InfantrySheet("", "", motive=motive)
    _common(blocks, sheet)
    sheet.squads = blocks.whole("squadn")
    sheet.squad_size = blocks.whole("squad_size")
    if sheet.squads < 1 or sheet.squad_size < 1:
        raise blocks.refuse(f"{sheet.squads} squads of {sheet.squad_size} are no platoon", blocks.line_of("squadn"))
    name = blocks.text("primary", "Auto-Rifle")
    sheet.primary = infantry_weapon_key(name) or "rifle"
    if not infantry_weapon_key(name):
        blocks.note("repaired", f"{name}: no rule here knows it, played as rifles", blocks.line_of("primary"))
    name, carriers = blocks.text("secondary", ""), blocks.whole("secondn", "0")
    if name and carriers:
        sheet.support, sheet.support_per_squad = infantry_weapon_key(name), carriers
        if not sheet.support:
            sheet.support_per_squad = 0
            blocks.note(
                "repaired", f"{name}: no rule here knows it, its bearers fight as the others", blocks.line_of("secondary")
            )
    for text, line in blocks.lines("field guns equipment"):
        sheet.other.append(text)
        sheet.lines[f"item:{text}"] = line
    kit = blocks.text("armorkit", "GenericKit")
    if kit.lower() != "generickit":
        sheet.other.append(kit)
        sheet.lines[f"item:{kit}"] = blocks.line_of("armorkit")
    for name in ("armordivisor", "specialization", "augmentation"):
        for text, line in blocks.lines(name):
            if not (name == "armordivisor" and text in ("1", "1.0")):
                sheet.other.append(f"{name} {text}")
                sheet.lines[f"item:{name} {text}"] = line
    return sheet


def _suits(blocks: Blocks) -> SuitsSheet:
    words = table("blk_keys")
    sheet = SuitsSheet("", "", anti_mech=False)
    _common(blocks, sheet)
    sheet.suits = blocks.whole("trooper count")
    sheet.walk, sheet.jump = blocks.whole("cruisemp", "1"), blocks.whole("jumpingmp", "0")
    points = blocks.numbers("armor")
    if not points:
        raise blocks.refuse("no <armor> in the file")
    sheet.armor = points[0]
    weight = blocks.whole("weightclass", "2")
    if not 0 <= weight < len(words["suit_tons"]):
        raise blocks.refuse(f"weight class {weight} is not known", blocks.line_of("weightclass"), "0 to 4")
    sheet.tons_per_suit = words["suit_tons"][weight]
    code = blocks.whole("armor_type", "28")
    if code not in words["plain_suit_armor"]:
        blocks.note("ignored", f"armour of kind {code}: treated as standard", blocks.line_of("armor_type"))
    if blocks.text("chassis", "biped").lower() != "biped":
        blocks.note("ignored", "suits on four legs: played as others are", blocks.line_of("chassis"))
    said, claws = False, False
    for name, block in blocks.found.items():
        if not name.endswith(" equipment"):
            continue
        where = name.removesuffix(" equipment")
        suit = re.match(r"^trooper ([1-9])$", where)
        if where not in words["squads"] and not suit:
            if block.lines:
                raise blocks.refuse(f"equipment for {where!r}, which is no part of a squad", block.line)
            continue
        names = [(text, line) for text, line in block.lines if bare(text.partition(":")[0]) not in words["anti_mech"]]
        said = said or len(names) != len(block.lines)
        claws = claws or any(claw in text.lower() for text, _ in names for claw in words["claws"])
        listed = _suit_equipment(blocks, sheet, names)
        if suit and listed:
            sheet.suit_equipment[int(suit.group(1))] = listed
        elif not suit:
            sheet.equipment += listed
    sheet.anti_mech = said or claws
    if claws and not said:
        blocks.note("repaired", "no word of leg and swarm attacks: suits with hands make them")
    return sheet


def _suit_equipment(blocks: Blocks, sheet: SuitsSheet, lines: list[tuple[str, int]]) -> list[str]:
    """Names of what suits carry; ammunition becomes salvos of its weapon."""
    words = table("blk_keys")
    names: list[str] = []
    ammunition: list[tuple[str, int, int]] = []
    for text, line in lines:
        shots = _SHOTS.search(text)
        name = _SHOTS.sub("", text).partition(":")[0].strip()
        if bare(name) in words["plain_parts"]:
            continue
        if suit_item(name).kind == "ammo":
            if not shots:
                blocks.note("repaired", f"{name} without a number of shots: one", line)
            ammunition.append((name, int(shots.group(1)) if shots else 1, line))
            continue
        names.append(name)
        sheet.lines.setdefault(f"item:{name}", line)
    for name, shots_each, line in ammunition:
        key = suit_item(name).key
        weapon = next((w for w in (*names, *sheet.equipment) if suit_item(w).kind == "weapon" and suit_item(w).key == key), "")
        if weapon:
            sheet.shots[weapon] = sheet.shots.get(weapon, 0) + shots_each
        else:
            blocks.note("ignored", f"{name}: no suit carries the weapon", line)
    return names


def _pass_over(blocks: Blocks) -> None:
    """Tell of blocks that mean nothing here."""
    words = table("blk_keys")
    for name, block in blocks.found.items():
        known = name in words["read"] or name in words["passed"] or name.endswith(" equipment")
        if not known and block.lines:
            blocks.note("ignored", f"<{name}> is not used", block.line)
