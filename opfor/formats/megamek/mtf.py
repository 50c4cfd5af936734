"""'Mechs in the text format of MegaMek's ``.mtf`` files, read into a record sheet. Rule: S-5.

Both generations of headers are read; keys in any case. Prose (overview, history and the like) is passed over.
``docs/formats.md`` tells what is repaired and what is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

from opfor.errors import InputError, nearest
from opfor.formats.megamek.mtf_words import armor_kind, cockpit_kind, engine_kind, gyro_kind, sink_kind, structure_kind
from opfor.formats.notes import Note
from opfor.tables import table
from opfor.units.names import understand
from opfor.units.sheet import BIPED, QUAD, MechSheet

_INTEGER = re.compile(r"^[+-]?[0-9]{1,5}(?:\.0+)?$")
_LINE_END = re.compile(r"\r\n|\n|\r")
_REFUSED = ("lam", "tripod", "quadvee")


@dataclass(slots=True)
class _Reader:
    """Working state of one file."""

    source: str
    line: int = 0
    notes: list[Note] = field(default_factory=list)
    #: value and line of each key that matters
    values: dict[str, tuple[str, int]] = field(default_factory=dict)
    #: the plain lines at the head: chassis and model
    head: list[tuple[str, int]] = field(default_factory=list)
    slots: dict[str, list[str]] = field(default_factory=dict)
    slot_lines: dict[str, list[int]] = field(default_factory=dict)
    weapons: list[tuple[str, int]] = field(default_factory=list)

    def refuse(self, message: str, hint: str = "", line: int = -1) -> InputError:
        return InputError(message, source=self.source, place=f"line {self.line if line < 0 else line}", hint=hint)

    def note(self, severity: str, message: str, line: int = -1) -> None:
        self.notes.append(Note(self.source, self.line if line < 0 else line, severity, message))

    def text(self, key: str, default: str | None = None) -> str:
        if key in self.values:
            self.line = self.values[key][1]
            return self.values[key][0]
        if default is None:
            raise self.refuse(f"no line '{key}:' in the file", line=1)
        self.line = 1
        return default

    def number(self, key: str, default: str | None = None) -> int:
        value = self.text(key, default)
        if not _INTEGER.match(value):
            raise self.refuse(f"{key} must be a whole number, not {value!r}")
        return int(value.partition(".")[0])


def read_mtf(text: str, source: str = "unit") -> tuple[MechSheet, list[Note]]:
    """The record sheet in an ``.mtf`` text, and what was odd about it.

    Raises :class:`InputError` with ``line N`` for a text that is no 'Mech file, for kinds of 'Mech that are not supported
    (LAM, tripod, QuadVee), and for values that cannot be.
    """
    reader = _Reader(source)
    _read_lines(reader, text.lstrip("\ufeff"))
    config = _config(reader)
    chassis, model = _names(reader)
    tech, clan_chassis = _tech(reader)
    clan = tech == "Clan" or clan_chassis
    sheet = MechSheet(chassis, model, config, tech=tech, clan_chassis=clan_chassis, source=source)
    sheet.tons = reader.number("mass")
    sheet.era = reader.number("era", "0")
    rating = re.match(r"([0-9]{1,4})\b\s*(.*)", reader.text("engine"))
    if not rating:
        raise reader.refuse(f"engine without a rating: {reader.text('engine')!r}", hint="as in: 275 Fusion Engine")
    sheet.engine_rating = int(rating.group(1))
    sheet.engine = engine_kind(rating.group(2), clan) or _unknown(reader, "engine", rating.group(2))
    sheet.gyro = gyro_kind(reader.text("gyro", "Standard Gyro")) or _unknown(reader, "gyro", reader.text("gyro"))
    cockpit = cockpit_kind(reader.text("cockpit", "Standard Cockpit"))
    if cockpit is None:
        raise reader.refuse(f"cockpit of kind {reader.text('cockpit')!r} is not supported")
    sheet.cockpit, plain = cockpit
    if not plain:
        reader.note("ignored", f"{reader.text('cockpit')}: played as a standard cockpit")
    sheet.structure = structure_kind(reader.text("structure", "Standard"))
    sheet.armor_type = armor_kind(reader.text("armor", "Standard"))
    sinks = re.match(r"([0-9]{1,3})\b\s*(.*)", reader.text("heat sinks"))
    if not sinks:
        raise reader.refuse(f"heat sinks without a number: {reader.text('heat sinks')!r}", hint="as in: 10 Single")
    sheet.heat_sinks = int(sinks.group(1))
    sheet.heat_sink_type, plain = sink_kind(sinks.group(2), clan)
    if not plain:
        reader.note("repaired", f"heat sinks of kind {sinks.group(2)!r}: read as {sheet.heat_sink_type}")
    sheet.walk = reader.number("walk mp", "0")
    sheet.primitive = any("primitive" in reader.text(key, "").lower() for key in ("engine", "cockpit"))
    sheet.slots = reader.slots
    sheet.jump = _jump(reader)
    sheet.battle_value = reader.number("bv", "0") if _INTEGER.match(reader.text("bv", "0")) else 0
    _armor(reader, sheet)
    for key, place in (
        ("engine", "engine"),
        ("mass", "mass"),
        ("walk mp", "walk"),
        ("jump mp", "jump"),
        ("heat sinks", "heat_sinks"),
    ):
        if key in reader.values:
            sheet.lines[place] = reader.values[key][1]
    for location, lines in reader.slot_lines.items():
        sheet.lines[f"slots.{location}"] = lines[0]
        for slot, line in enumerate(lines[1:]):
            sheet.lines[f"slots.{location}.{slot}"] = line
    _check_weapons(reader, sheet)
    reader.notes.sort(key=lambda note: note.line)
    return sheet, reader.notes


def _unknown(reader: _Reader, what: str, value: str) -> NoReturn:
    raise reader.refuse(f"{what} of kind {value!r} is not supported")


def _read_lines(reader: _Reader, text: str) -> None:
    """Sort the lines into keys, slots, weapons and prose."""
    words = table("mtf_keys")
    block, known = "head", False
    for number, raw in enumerate(_LINE_END.split(text), start=1):
        reader.line = number
        line = raw.strip()
        if line.startswith("#"):
            continue
        key, colon, value = line.partition(":")
        key, value = " ".join(key.lower().split()), value.strip()
        if not line:
            if block == "head" and reader.head and len(reader.head) < 2 and not known:
                # an empty model is an empty line right after the chassis
                reader.head.append(("", number))
            continue
        if colon and key in words["locations"] and not value:
            block, known = words["locations"][key], True
            if block in reader.slots:
                raise reader.refuse(f"slots of {key} again, after line {reader.slot_lines[block][0]}")
            reader.slots[block], reader.slot_lines[block] = [], [number]
        elif colon and key == "weapons":
            block, known = "weapons", True
            reader.values["weapons"] = (value, number)
        elif colon and (key in words["values"] or (key.endswith(" armor") and key.removesuffix(" armor") in words["armor"])):
            block, known = ("head", known) if key in words["head"] else ("", True)
            if key in reader.values and key not in words["repeated"]:
                reader.note("repaired", f"{key} again, after line {reader.values[key][1]}: the later one stands")
            reader.values[key] = (value, number)
            if key == "config":
                _config(reader)
        elif colon and key in words["prose"]:
            block, known = "prose", True
        else:
            _plain_line(reader, block, line, number)


def _plain_line(reader: _Reader, block: str, line: str, number: int) -> None:
    """A line that is no key: chassis, model, slot, weapon, or to be passed over."""
    if block == "head":
        if len(reader.head) < 2:
            reader.head.append((line, number))
        else:
            reader.note("ignored", f"line not understood: {line[:40]}")
    elif block == "weapons":
        reader.weapons.append((line, number))
    elif block in reader.slots:
        limit = table("mtf_keys")["slot_lines"]
        if len(reader.slots[block]) < limit:
            reader.slots[block].append(line)
            reader.slot_lines[block].append(number)
        elif understand(line).kind not in ("other", "empty"):
            raise reader.refuse(
                f"{line[:40]} is slot {len(reader.slots[block]) + 1} of {block}: there are {limit} lines at most"
            )
        else:
            reader.note("ignored", f"line {line[:40]} after the {limit} of {block}: left out")
    elif block != "prose":
        reader.note("ignored", f"line not understood: {line[:40]}")


def _config(reader: _Reader) -> str:
    value = reader.text("config")
    word = value.split()[0].lower() if value else ""
    if word in _REFUSED:
        raise reader.refuse(f"{value} 'Mechs are not supported: only biped and quad 'Mechs are")
    if word not in ("biped", "quad"):
        raise reader.refuse(
            f"configuration {value!r} is not supported: only Biped and Quad are", hint=nearest(word, ("Biped", "Quad"))
        )
    return BIPED if word == "biped" else QUAD


def _names(reader: _Reader) -> tuple[str, str]:
    """Chassis (with a Clan's name for it in brackets) and model."""
    head = [text for text, _ in reader.head]
    chassis = reader.values["chassis"][0] if "chassis" in reader.values else (head[0] if head else "")
    if not chassis:
        raise reader.refuse("no chassis: expected its name in the first lines, or a line 'chassis:'", line=1)
    if "chassis" in reader.values:
        for text, number in reader.head:
            if text:
                reader.note("ignored", f"line not understood: {text[:40]}", number)
        head = [chassis, ""]
    model = reader.values["model"][0] if "model" in reader.values else (head[1] if len(head) > 1 else "")
    clan_name = reader.text("clanname", "")
    if clan_name and f"({clan_name.lower()})" not in chassis.lower():
        chassis = f"{chassis} ({clan_name})"
    return chassis, model


def _tech(reader: _Reader) -> tuple[str, bool]:
    """Tech base, and whether a mixed unit stands on a Clan chassis."""
    value = reader.text("techbase", "Inner Sphere").lower()
    if "techbase" not in reader.values:
        reader.note("repaired", "no line 'techbase:': taken as Inner Sphere")
    if value.startswith("mixed"):
        return "Mixed", "clan" in value
    if value.startswith("clan"):
        return "Clan", False
    if value in ("inner sphere", "is", "innersphere"):
        return "Inner Sphere", False
    raise reader.refuse(
        f"techbase {value!r} is not known", hint="Inner Sphere, Clan, Mixed (IS Chassis) or Mixed (Clan Chassis)"
    )


def _jump(reader: _Reader) -> int:
    if "jump mp" in reader.values:
        return reader.number("jump mp")
    jets = sum(1 for lines in reader.slots.values() for line in lines if understand(line).kind == "jump_jet")
    reader.note("repaired", f"no line 'jump mp:': {jets} by the jump jets", 1)
    return jets


def _armor(reader: _Reader, sheet: MechSheet) -> None:
    """Armour by location, under the names of the sheet; a quad's front legs may be written as arms. Rule: S-5."""
    words = table("mtf_keys")
    quad = sheet.config == QUAD
    if quad:
        sheet.slots = {words["as_quad"].get(place, place): lines for place, lines in reader.slots.items()}
        reader.slot_lines = {words["as_quad"].get(place, place): lines for place, lines in reader.slot_lines.items()}
    for key, (value, line) in reader.values.items():
        if not key.endswith(" armor"):
            continue
        reader.line = line
        place = words["armor"][key.removesuffix(" armor")]
        if quad and place in words["as_quad"]:
            place = words["as_quad"][place]
            reader.note("repaired", f"{key} on a quad: read as {place}")
        # patchwork armour names its kind first: "Ferro-Fibrous(Inner Sphere):12"
        number = value.rpartition(":")[2].strip()
        if not _INTEGER.match(number):
            raise reader.refuse(f"{key} must be a whole number, not {value!r}")
        if place in sheet.armor:
            reader.note("repaired", f"armour of {place} again: the later one stands")
        sheet.armor[place] = int(number.partition(".")[0])
        sheet.lines[f"armor.{place}"] = line


def _check_weapons(reader: _Reader, sheet: MechSheet) -> None:
    """Compare the list of weapons with the slots, which are what counts."""
    locations = table("mtf_keys")["locations"]
    as_quad = table("mtf_keys")["as_quad"] if sheet.config == QUAD else {}
    if "weapons" not in reader.values:
        reader.note("repaired", "no list of weapons: taken from the slots", 1)
        return
    stated, line = reader.values["weapons"]
    if stated != str(len(reader.weapons)) and not any(text[:1].isdigit() for text, _ in reader.weapons):
        reader.note(
            "repaired", f"{stated or 'no number of'} weapons announced, {len(reader.weapons)} listed: the slots stand", line
        )
    for text, number in reader.weapons:
        name, _, rest = text.partition(",")
        place = locations.get(" ".join(rest.partition(",")[0].lower().replace("(r)", "").split()), "")
        place = as_quad.get(place, place)
        item = understand(re.sub(r"^\d+\s+(?=\D)", "", name))
        aboard = [understand(slot) for slot in sheet.slots.get(place, ())]
        if item.kind == "weapon" and not any(slot.key == item.key for slot in aboard):
            reader.note(
                "repaired",
                f"{name.strip()} listed for {rest.strip() or 'no location'}, not in its slots: the slots stand",
                number,
            )
