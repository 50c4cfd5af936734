"""Record sheets in our own words: a YAML file as easy to write as the sheet is to read. Rule: S-5 (critical slots).

A sheet names what is mounted where; the slots follow from it: the fixed ones of ``record_sheet.yaml`` first, then the
equipment in the order written, then whatever armour and structure take. See ``docs/content.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import yaml

from opfor.errors import InputError, nearest
from opfor.tables import load_yaml, table
from opfor.tables.arsenal import launchers
from opfor.units.names import CLAN, IS, understand, weapon_id
from opfor.units.sheet import BIPED, QUAD, MechSheet
from opfor.units.spec import BIPED_LOCATIONS, QUAD_LOCATIONS

_KEYS = {
    "chassis", "model", "config", "tons", "tech", "era", "engine", "gyro", "cockpit", "structure", "armor_type", "heat_sinks",
    "walk", "jump", "armor", "actuators", "equipment", "battle_value",
}  # fmt: skip
_NEEDED = ("chassis", "tons", "engine", "armor")
_ITEM = re.compile(r"^(?:(\d+)\s*x?\s+)?(.+?)(?:\s*\((\d+) slots?\))?$")
_NUMBER_AND_KIND = re.compile(r"^\s*(\d+)\s*([A-Za-z][A-Za-z -]*)?$")
_ENTRY = re.compile(r"^(\s*)([\w ]+?)\s*:")
EMPTY = "-Empty-"


class SheetReader:
    """One sheet being read: its data, and how to refuse it."""

    def __init__(self, data: dict[str, Any], source: str) -> None:
        self.data = data
        self.source = source
        self.rules = table("record_sheet")

    def refuse(self, message: str, place: str = "", hint: str = "") -> InputError:
        return InputError(message, source=self.source, place=place, hint=hint)

    def check_keys(self, known: Iterable[str], needed: Iterable[str]) -> None:
        """Refuse keys that no such sheet has, and sheets without those that they need."""
        known = set(known)
        for key in self.data:
            if key not in known:
                raise self.refuse(f"{key!r} is no entry of a record sheet", place=str(key), hint=nearest(str(key), known))
        for key in needed:
            if key not in self.data:
                raise self.refuse(f"{key} is missing")

    def number(self, key: str, default: int = 0) -> int:
        value = self.data.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.refuse(f"{value!r} is no whole number", place=key)
        return value

    def word(self, key: str, default: str, known: Iterable[str]) -> str:
        """One of the known words, told apart without case, hyphens and underscores."""
        by_shape = {_shape(k): k for k in known}
        value = str(self.data.get(key, default))
        if _shape(value) not in by_shape:
            raise self.refuse(f"{value!r} is not known", place=key, hint=_known(value, by_shape.values()))
        return by_shape[_shape(value)]

    def number_and_kind(self, key: str, default: str, kinds: dict[str, dict[str, str]], tech: str) -> tuple[int, str]:
        """``260 fusion`` or ``17 double`` as number and the kind's id under a tech base."""
        written = str(self.data.get(key, default))
        found = _NUMBER_AND_KIND.match(written)
        if not found:
            raise self.refuse(f"{written!r}: a number and a kind are expected", place=key, hint=f"as {default!r}")
        kind = (found.group(2) or next(iter(kinds))).strip().lower()
        if kind not in kinds:
            raise self.refuse(f"{kind!r} is not known", place=key, hint=_known(kind, kinds))
        if tech not in kinds[kind]:
            raise self.refuse(f"{kind!r} is not made with {tech} technology", place=key)
        return int(found.group(1)), kinds[kind][tech]


def read_sheet(text: str, source: str = "") -> MechSheet:
    """The record sheet that a YAML text describes; ``source`` names it in messages.

    Raises :class:`opfor.errors.InputError` naming the key or location that cannot be read. What the sheet says about
    weights and armour is checked when it is built (:func:`opfor.units.build.build_mech`).
    """
    return mech_sheet(SheetReader(sheet_data(text, source), source), text)


def sheet_data(text: str, source: str) -> dict[str, Any]:
    """Keys and values of a sheet. Raises :class:`opfor.errors.InputError`."""
    try:
        data = load_yaml(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it cannot be read"
        place = f"line {mark.line + 1}" if mark else ""
        raise InputError(f"no proper YAML: {problem}", source=source, place=place) from None
    if not isinstance(data, dict):
        raise InputError("a record sheet is a list of keys and values", source=source, hint="as `chassis: Wolverine`")
    return data


def mech_sheet(read: SheetReader, text: str) -> MechSheet:
    """The 'Mech that a sheet's data describe; ``text`` as they stood, for the lines of its entries."""
    read.check_keys(_KEYS, _NEEDED)
    data, source = read.data, read.source
    structure_rules = table("structure")
    tech = read.word("tech", "Inner Sphere", ("Inner Sphere", "Clan", "Mixed"))
    rating, engine = read.number_and_kind("engine", "200 fusion", read.rules["engines"], tech)
    sinks, sink_type = read.number_and_kind("heat_sinks", "10 single", read.rules["heat_sinks"], tech)
    sheet = MechSheet(
        chassis=str(data["chassis"]),
        model=str(data.get("model", "")),
        config=read.word("config", BIPED, (BIPED, QUAD)),
        tons=read.number("tons"),
        tech=tech,
        era=read.number("era"),
        engine_rating=rating,
        engine=engine,
        gyro=read.word("gyro", "standard", structure_rules["gyros"]),
        cockpit=read.word("cockpit", "standard", structure_rules["cockpits"]),
        structure=read.word("structure", "standard", structure_rules["plain_structure"]),
        armor_type=read.word("armor_type", "standard", structure_rules["plain_armor"]),
        heat_sinks=sinks,
        heat_sink_type=sink_type,
        walk=read.number("walk"),
        jump=read.number("jump"),
        battle_value=read.number("battle_value"),
        source=source,
    )
    sheet.armor = armor_points(read)
    sheet.slots = _slots(read, sheet)
    sheet.lines = _lines(text, sheet)
    return sheet


def _lines(text: str, sheet: MechSheet) -> dict[str, int]:
    """Where each entry stands in the text, and the slots of each location: the line that lists its equipment."""
    lines: dict[str, int] = {}
    within = ""
    for number, line in enumerate(text.splitlines(), start=1):
        found = _ENTRY.match(line)
        if found and not found[1]:
            within = found[2]
            lines[within] = number
        elif found and within == "equipment" and found[2] in sheet.slots:
            lines[f"slots.{found[2]}"] = number
    for place, slots in sheet.slots.items():
        start = lines.get(f"slots.{place}", lines.get("equipment", 1))
        lines.update({f"slots.{place}.{index}": start for index in range(len(slots))})
    return lines


def _shape(word: str) -> str:
    return re.sub(r"[\s_-]+", "", word.lower())


def _known(word: str, known: Iterable[str]) -> str:
    names = sorted(known)
    return nearest(word, names) or f"known: {', '.join(names)}"


def armor_points(read: SheetReader) -> dict[str, int]:
    """Points by location; a key may name several with the same points, as ``RA LA: 16``."""
    given = read.data["armor"]
    if not isinstance(given, dict):
        raise read.refuse("armour is given by location", place="armor", hint="as {HD: 9, CT: 24, CTR: 8, ...}")
    armor: dict[str, int] = {}
    for places, points in given.items():
        for place in str(places).replace(",", " ").split():
            if isinstance(points, bool) or not isinstance(points, int):
                raise read.refuse(f"{points!r} is no number of armour points", place=f"armor.{place}")
            armor[place] = points
    return armor


def _slots(read: SheetReader, sheet: MechSheet) -> dict[str, list[str]]:
    """All eight locations: fixed slots, then the equipment in order, then armour and structure that were not placed."""
    locations = QUAD_LOCATIONS if sheet.config == QUAD else BIPED_LOCATIONS
    for key in ("equipment", "actuators"):
        given = read.data.get(key) or {}
        if not isinstance(given, dict):
            raise read.refuse("a list by location is expected", place=key, hint="as {RA: Medium Laser}")
        for place in given:
            if place not in locations:
                raise read.refuse(f"{place!r} is no location", place=key, hint=f"known: {', '.join(locations)}")
    equipment = read.data.get("equipment") or {}
    slots = {place: _location(read, sheet, place, _items(read, sheet, place, equipment.get(place))) for place in locations}
    for material in (sheet.structure, sheet.armor_type):
        if material in read.rules["spread"]:
            _spread(read, sheet, material, slots)
    return slots


def _items(read: SheetReader, sheet: MechSheet, place: str, given: object) -> list[str]:
    """The slot lines of one location's equipment: ``2 LRM 20 Ammo`` gives two lines, ``PPC`` the three that it takes."""
    lines: list[str] = []
    for count, name, stated in counted_items(read, f"equipment.{place}", given):
        lines += [name] * (count * (stated or _size(read, sheet, place, name)))
    return lines


def counted_items(read: SheetReader, place: str, given: object) -> list[tuple[int, str, int]]:
    """Number, name and stated slots (0: not stated) of each entry of a list: ``2 LRM 20 Ammo, Hatchet (4 slots)``."""
    written = given.split(",") if isinstance(given, str) else given or []
    if not isinstance(written, list):
        raise read.refuse("equipment is a list of names", place=place, hint="as PPC, 2 Heat Sink")
    items = []
    for entry in written:
        found = _ITEM.match(str(entry).strip())
        if not found:
            raise read.refuse("a name is missing", place=place)
        items.append((int(found.group(1) or 1), found.group(2), int(found.group(3) or 0)))
    return items


def _size(read: SheetReader, sheet: MechSheet, place: str, name: str) -> int:
    """Critical slots of one item of that name."""
    item = understand(name)
    if item.kind in ("other", "engine", "gyro", "cockpit"):
        raise read.refuse(f"{name!r} is not known as equipment", place=f"equipment.{place}", hint=near_equipment(name))
    clan = (item.tech or (CLAN if sheet.tech == "Clan" else IS)) == CLAN
    if item.kind == "weapon":
        return launchers()[weapon_id(item.key, CLAN if clan else IS)][0].weapon.crits
    if item.kind == "heat_sink":
        kind = "single" if item.key == "single" else "double_clan" if clan else "double_is"
        return int(table("structure")["heat_sinks"]["crits"][kind])
    if item.kind == "equipment":
        names = table("equipment_names")
        row = names["light_probe"] if item.key == "light_probe" else names["equipment"][item.key]
        size = int(row["slots"][1 if clan else 0])
        if not size:
            raise read.refuse(
                f"the slots of {name!r} depend on the unit: state them", place=f"equipment.{place}", hint=f"as {name} (3 slots)"
            )
        return size
    return 1


def near_equipment(name: str) -> str:
    weapons = {modes[0].weapon.name.removesuffix(" (Clan)") for modes in launchers().values()}
    others = {row["names"][0] for row in table("equipment_names")["equipment"].values()}
    plain = {"Heat Sink", "Double Heat Sink", "Jump Jet", "Ferro-Fibrous", "Endo Steel"}
    return f"{nearest(name, weapons | others | plain)} To carry it without rules, state its slots: {name} (2 slots)".strip()


def _location(read: SheetReader, sheet: MechSheet, place: str, items: list[str]) -> list[str]:
    """A location's slots from the top: the fixed ones with the equipment in the gaps and after them."""
    rules, sizes = read.rules, table("structure")["slots"]
    if place == "HD":
        fixed, size = list(rules["head"][sheet.cockpit]), sizes["head"]
    elif place == "CT":
        before, after = rules["center_engine"].get(sheet.engine, rules["center_engine"]["default"])
        engine = "Fusion Engine" if sheet.engine not in ("ice", "fission", "fuel_cell") else "Engine"
        fixed = [engine] * before + ["Gyro"] * rules["gyro_slots"][sheet.gyro] + [engine] * after
        fixed, size = fixed + (["Cockpit"] if sheet.cockpit == "torso_mounted" else []), sizes["torso"]
    elif place in ("RT", "LT"):
        fixed, size = ["Fusion Engine"] * table("structure")["engine_side_slots"][sheet.engine], sizes["torso"]
    elif place in ("RA", "LA"):
        fixed, size = _actuators(read, place, rules["arm"]), sizes["arm"]
    else:
        fixed, size = _actuators(read, place, rules["leg"]), sizes["leg"]
    lines = list(fixed) + [None] * (size - len(fixed))
    gaps = [index for index, line in enumerate(lines) if line is None]
    if len(items) > len(gaps):
        raise read.refuse(
            f"{len(items)} slots of equipment, {len(gaps)} are free: {', '.join(dict.fromkeys(items))}",
            place=f"equipment.{place}",
        )
    for index, item in zip(gaps, items, strict=False):
        lines[index] = item
    return [EMPTY if line is None else line for line in lines]


def _actuators(read: SheetReader, place: str, all_of_them: list[str]) -> list[str]:
    said = (read.data.get("actuators") or {}).get(place)
    if said is None:
        return all_of_them
    missing = read.rules["missing_actuators"]
    if said not in missing:
        raise read.refuse(f"{said!r} is not known", place=f"actuators.{place}", hint=f"known: {', '.join(missing)}")
    return [actuator for actuator in all_of_them if actuator not in missing[said]]


def _spread(read: SheetReader, sheet: MechSheet, material: str, slots: dict[str, list[str]]) -> None:
    """Give armour or structure its slots, unless the sheet places all of them itself."""
    row = read.rules["spread"][material]
    name = row["name"]
    kind = understand(name).kind
    placed = sum(1 for lines in slots.values() for line in lines if line and understand(line).kind == kind)
    wanted = row.get(sheet.tech, 0)
    if placed and placed != wanted:
        raise read.refuse(f"{placed} slots of {name} are placed, it takes {wanted}", place="equipment")
    left = wanted - placed
    for place in read.rules["fill_order"][sheet.config]:
        for index, line in enumerate(slots[place]):
            if left and line == EMPTY:
                slots[place][index] = name
                left -= 1
    if left:
        raise read.refuse(f"{name} takes {wanted} slots, {left} too few are free", place="equipment")
