"""A battle from a typed list, as game masters keep it: headings for the sides, a line for each unit, map, rules and clock.

Nothing is guessed in silence: :class:`TypedBattle` says all that was assumed, and quotes each line that could not be read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from opfor.board.board import Board, Hex
from opfor.errors import InputError, nearest
from opfor.formats.battle_file.battle_turn import PHASES_OF
from opfor.formats.battle_file.battle_units import HIGHEST
from opfor.formats.words.hex_words import board_from_rows, hex_from_words
from opfor.gm.starting.deployment import EDGES
from opfor.gm.starting.muster import Recruit
from opfor.gm.starting.stock import board_from
from opfor.gm.starting.typed_fit import TypedUnit
from opfor.gm.starting.typed_units import read_unit
from opfor.hex import HexError
from opfor.rulesets import ruleset_names
from opfor.tables import table

_SIDES = (
    r"players?|player characters|pcs|player side|good guys|heroes|friend(?:ly|lies)",
    r"op[ -]?force?|opfor|enem(?:y|ies)|hostiles?|bad guys|opposition|npcs",
)
_HEADING = re.compile(
    rf"^\W*(?:the\s+)?(?:(?P<s0>{_SIDES[0]})|(?P<s1>{_SIDES[1]}))\b(?P<rest>[^:]*?)\s*(?P<colon>:)?\s*$", re.IGNORECASE
)
_HEX = re.compile(r"^\W*(\d{4}|\d+,\d+)\s*:?\s+(?=[a-z])(.+)$", re.IGNORECASE)
_KEY = re.compile(
    r"^\W*(map|board|terrain|rules?|rule ?set|turn|round|phase|name|battle|scenario|limit|last turn|size)\b\s*[:=]?\s*(.*)$",
    re.IGNORECASE,
)
#: columns and rows of a map told by its hexes alone: a standard sheet
_SHEET = (16, 17)
#: units of a side that may share a hex
_A_SIDE = int(table("movement")["stacking"]["a_side"])


@dataclass(slots=True)
class TypedBattle:
    """What a text tells: ``forces`` by side (empty: not told), ``sheets`` the texts of units' own sheets by file name."""

    name: str = ""
    board: Any = None
    ground: Board | None = None
    terrain: dict[str, str] = field(default_factory=dict)
    ruleset: str = ""
    turn: int = 0
    phase: str = ""
    limit: int = -1
    edges: dict[int, str] = field(default_factory=dict)
    forces: tuple[list[Recruit], list[Recruit]] = field(default_factory=lambda: ([], []))
    sheets: dict[str, str] = field(default_factory=dict)
    assumed: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)


def read_typed(text: str, folder: Path, sheet_folder: str = "units") -> TypedBattle:
    """Read a typed list. Boards are relative to ``folder``, and so is ``sheet_folder``, where own sheets are to lie.

    Never raises for what is typed: what cannot be read is in ``unread``.
    """
    return _Reader(folder, sheet_folder).read(text)


class _Reader:
    def __init__(self, folder: Path, sheet_folder: str) -> None:
        self.folder = folder
        self.sheet_folder = sheet_folder
        self.made = TypedBattle()
        self.side = -1
        self.hexes: list[tuple[int, str, str]] = []
        self.size = ""
        self.ids: set[str] = set()
        self.number = 0

    def read(self, text: str) -> TypedBattle:
        for number, line in enumerate(text.splitlines(), start=1):
            words = "".join(letter if letter.isprintable() else " " for letter in line).strip()
            if not words or words.startswith(("#", "//", ">")) or not re.search(r"\w", words):
                continue
            self.number = number
            try:
                self._line(words)
            except (InputError, HexError) as error:
                message, hint = (error.message, error.hint) if isinstance(error, InputError) else (str(error), "")
                self._unread(message if words in message else f"{words!r}: {message}", hint)
        self._ground()
        return self.made

    def _line(self, words: str) -> None:
        heading = _HEADING.match(words)
        if heading:
            self.side = 0 if heading["s0"] else 1
            self._edge(heading["rest"])
            return
        inline = re.match(rf"^\W*(?:(?P<s0>{_SIDES[0]})|(?P<s1>{_SIDES[1]}))\s*:\s*(.+)$", words, re.IGNORECASE)
        if inline:
            self.side = 0 if inline["s0"] else 1
            for part in re.split(r"\s*;\s*", inline[3]):
                self._unit(part)
            return
        hex = _HEX.match(words)
        if hex and not re.match(r"(?i)N[EW]?$|S[EW]?$", hex[2]):
            self.hexes.append((self.number, hex[1], hex[2]))
            return
        key = _KEY.match(words)
        if key and (":" in words or "=" in words or re.match(r"(?i)\W*(?:turn|round|phase)\s+\w+", words)):
            self._key(key[1].lower().replace(" ", ""), key[2].strip())
            return
        self._unit(words)

    def _unread(self, message: str, hint: str = "") -> None:
        self.made.unread.append(f"line {self.number}: {message}" + (f" ({hint})" if hint else ""))

    def _assume(self, message: str) -> None:
        self.made.assumed.append(f"line {self.number}: {message}" if self.number else message)

    def _edge(self, rest: str) -> None:
        edge = next((name for name in EDGES if re.search(rf"\b{name}", rest, re.IGNORECASE)), "")
        if edge:
            self.made.edges[self.side] = edge
        elif re.search(r"\w", rest):
            self._unread(f"{rest.strip(' ()-')!r} behind the heading is not understood: an edge may stand there, as (north)")

    def _key(self, key: str, value: str) -> None:
        made = self.made
        if key in ("map", "board", "terrain"):
            self._map(value)
        elif key == "size":
            self.size = value
        elif key in ("rules", "rule", "ruleset"):
            self._rules(value)
        elif key in ("turn", "round", "phase"):
            self._clock(key, value)
        elif key in ("name", "battle", "scenario"):
            made.name = value
        elif re.search(r"\d+", value):
            made.limit = int(re.search(r"\d+", value)[0])  # type: ignore[index]
        else:
            self._unread(f"{value!r} is no number of turns")

    def _map(self, value: str) -> None:
        size = re.search(r"(\d{1,3})\s*(?:x|by)\s*(\d{1,3})", value.lower())
        if size:
            self.size = f"{size[1]}x{size[2]}"
            value = (value[: size.start()] + value[size.end() :]).strip(" ,;()")
        hexes = re.findall(r"(?:^|[,;])\s*(\d{4}\s+[^,;]+)", value)
        if hexes:
            self.hexes += [(self.number, *entry.split(None, 1)) for entry in hexes]
        elif value:
            self.made.ground = board_from(value, self.folder)
            self.made.board = value if "." in value or "/" in value else self.made.ground.name

    def _rules(self, value: str) -> None:
        word = re.sub(r"(?i)\b(?:rules?|rule ?set)\b", " ", value).strip(" .").lower()
        if word in ruleset_names():
            self.made.ruleset = word
            return
        named = next((name for name in ruleset_names() if name in word), "")
        if not named:
            raise InputError(
                f"there is no ruleset {value!r}: use {', '.join(ruleset_names())}", hint=nearest(word, ruleset_names())
            )
        self.made.ruleset = named
        rest = word.replace(named, " ", 1).strip(" ,.;")
        if rest:
            self._unread(f"{rest!r} of the rules is not understood: switches are set in the file, see `opfor rules --switches`")

    def _clock(self, key: str, value: str) -> None:
        number = re.search(r"\d+", value)
        if number and key != "phase":
            self.made.turn = max(1, int(number[0]))
        word = re.sub(r"\d+|\bphase\b|[,;:.-]", " ", value.lower()).split()
        if not word:
            return
        phases = dict.fromkeys(phase for listed in PHASES_OF.values() for phase in listed)
        near = {
            "move": "movement",
            "moving": "movement",
            "weapons": "fire",
            "shooting": "fire",
            "attack": "fire",
            "firing": "fire",
            "melee": "physical",
        }
        found = near.get(word[0]) or next((phase for phase in phases if phase.startswith(word[0])), "")
        if not found:
            raise InputError(f"{value!r} names no phase: use {', '.join(phases)}", hint=nearest(word[0], phases))
        self.made.phase = found

    def _unit(self, words: str) -> None:
        unit = read_unit(words)
        if self.side < 0:
            self.side = 0
            self._assume("no heading before the first unit: taken as the players'")
        where = f"{unit.label or unit.spec.name}"
        for remark in unit.assumed:
            self._assume(f"{where}: {remark}")
        for remark in unit.unread:
            self._unread(f"{where}: {remark}")
        type_ = unit.type or self._sheet(unit)
        for index in range(unit.count):
            entry = {key: value for key, value in unit.entry.items() if key != "at" or not index}
            name = unit.label if unit.count == 1 else f"{unit.label} {index + 1}" if unit.label else ""
            id = self._id(name) if name else ""
            self.made.forces[self.side].append(Recruit(type_, unit.spec, name if name != id else "", id=id, entry=entry))

    def _id(self, label: str) -> str:
        """An id made of a label, as ``alpha-1``; none twice."""
        base = re.sub(r"[^\w]+", "-", (label.partition("(")[0].strip() or label).lower()).strip("-") or "unit"
        id, number = base, 1
        while id in self.ids:
            number += 1
            id = f"{base}-{number}"
        self.ids.add(id)
        return id

    def _sheet(self, unit: TypedUnit) -> str:
        """The name of the file for a unit's own sheet."""
        base = re.sub(r"[^a-z0-9]+", "-", (unit.label or unit.spec.chassis).lower()).strip("-") or "unit"
        name, number = f"{base}.yaml", 1
        while self.made.sheets.get(name, unit.sheet) != unit.sheet:
            number += 1
            name = f"{base}-{number}.yaml"
        self.made.sheets[name] = unit.sheet
        return f"{self.sheet_folder}/{name}"

    # -- the map ------------------------------------------------------------------------------------------------------

    def _ground(self) -> None:
        """The board: as named, changed by the hexes told; or one of these hexes alone."""
        made = self.made
        known = []
        for number, name, words in self.hexes:
            self.number = number
            try:
                hex_from_words(words)
                known.append((number, name, words))
            except InputError as error:
                self._unread(f"{name} {words!r}: {error.message}", error.hint)
        if made.ground is None and (known or self.size):
            size = self.size
            if not size:
                pairs = [
                    tuple(map(int, re.findall(r"\d+", name) if "," in name else (name[:2], name[2:]))) for _, name, _ in known
                ]
                width, height = (max(least, *(pair[axis] for pair in pairs)) for axis, least in enumerate(_SHEET))
                size = f"{width}x{height}"
                self.number = 0
                self._assume(f"a map of {width} columns and {height} rows")
            rows = [f"{name} {words}" for _, name, words in known]
            rows = [row for number, row in zip((n for n, _, _ in known), rows, strict=True) if self._attempt(number, row, size)]
            made.ground = board_from_rows("board", size, rows)
            made.board = {"size": size, "rows": rows}
            return
        if made.ground is None:
            return
        for number, name, words in known:
            self.number = number
            try:
                made.ground.grid.parse(name)
                made.terrain[name] = words
            except HexError as error:
                self._unread(str(error))
        changed = {made.ground.grid.parse(name): hex_from_words(words) for name, words in made.terrain.items()}
        made.ground = made.ground.changed(changed)

    def _attempt(self, number: int, row: str, size: str) -> bool:
        self.number = number
        try:
            board_from_rows("board", size, [row])
        except InputError as error:
            self._unread(f"{row!r}: {error.message}")
            return False
        return True


def settle(made: TypedBattle, ground: Board) -> None:
    """Take out places that cannot be on a board: off the map, where another stands already, with nothing to stand on."""
    held: dict[int, list[tuple[int, bool]]] = {}
    for side, force in enumerate(made.forces):
        for recruit in force:
            entry, who = recruit.entry, recruit.name or recruit.id or recruit.spec.name
            if "at" not in entry:
                entry.pop("elevation", None)
                continue
            try:
                cell = ground.grid.parse(entry["at"])
            except HexError as error:
                made.unread.append(f"{who}: {error}")
                del entry["at"]
                entry.pop("elevation", None)
                continue
            if entry.get("destroyed"):
                entry.pop("elevation", None)
                continue
            others = held.setdefault(cell, [])
            mech = recruit.spec.is_mech
            if (mech and any(other for _, other in others)) or sum(1 for one, _ in others if one == side) >= _A_SIDE:
                made.unread.append(f"{who}: another unit stands at {entry.pop('at')} already")
                entry.pop("elevation", None)
                continue
            others.append((side, mech))
            _height(made, recruit, who, ground.hexes[cell])


def _height(made: TypedBattle, recruit: Recruit, who: str, hex: Hex) -> None:
    """An elevation that its hex has nothing for is taken out, and a VTOL's that is too great."""
    height = recruit.entry.get("elevation")
    if height is None:
        return
    there = {
        0,
        -hex.depth,
        *(range(hex.building_height + 1) if hex.building else ()),
        *((hex.bridge_height,) if hex.bridge else ()),
    }
    if height > HIGHEST if recruit.spec.kind == "vtol" else height not in there:
        made.unread.append(f"{who}: elevation {height}, where there is nothing to stand on ({hex.describe()})")
        recruit.entry["elevation"] = 0
