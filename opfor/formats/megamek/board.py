"""Boards in the text format of MegaMek's ``.board`` files, read and written. Rule: S-1.

A line ``hex CCRR level "terrain:level:exits;..." "theme"`` stands for each hex; ``docs/formats.md`` tells what is repaired
and what is refused. Exits that a file leaves out are worked out from the neighbours, as the format means it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from opfor.board.board import BUILDING_TYPES, Board, Hex
from opfor.errors import InputError
from opfor.formats.megamek.board_exits import LEFT_OUT, work_out_exits
from opfor.formats.megamek.board_join import join_boards, write_board
from opfor.formats.notes import Note
from opfor.hex import AXIAL_STEPS, Grid, format_ccrr
from opfor.tables import table

_HEX = re.compile(r'^hex\s+(\S+)\s+(\S+)\s*(?:"([^"]*)"\s*(?:"([^"]*)"\s*)?)?$', re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\n|\r")
_SIZE = re.compile(r"^size\s+(\S+)\s+(\S+)\s*$", re.IGNORECASE)
_INTEGER = re.compile(r"^[+-]?[0-9]{1,6}$")
_HEADERS = ("tag", "option", "background", "theme", "desc", "description", "note", "name", "version")
_ALL_EXITS = 63

At = tuple[int, int]


@dataclass(slots=True)
class _Reader:
    """Working state of one file."""

    source: str
    line: int = 0
    width: int = 0
    height: int = 0
    size_line: int = 0
    road_to_pavement: bool = True
    ended: bool = False
    notes: list[Note] = field(default_factory=list)
    hexes: dict[At, dict[str, Any]] = field(default_factory=dict)
    lines: dict[At, int] = field(default_factory=dict)
    #: terrain that has no use here: name -> (hexes, first hex, first line, whether it is kept)
    unused: dict[str, list[Any]] = field(default_factory=dict)
    #: hexes whose exits the file leaves out: (at, kind) -> terrain level
    open_exits: dict[tuple[At, str], int] = field(default_factory=dict)

    def refuse(self, message: str, hint: str = "", line: int = -1) -> InputError:
        line = self.line if line < 0 else line
        return InputError(message, source=self.source, place=f"line {line}" if line else "", hint=hint)

    def note(self, severity: str, message: str, line: int = -1) -> None:
        self.notes.append(Note(self.source, self.line if line < 0 else line, severity, message))

    def integer(self, text: str, what: str) -> int:
        if not _INTEGER.match(text):
            raise self.refuse(f"{what} must be a whole number, not {text!r}")
        return int(text)

    def not_used(self, name: str, at: At, kept: bool) -> None:
        entry = self.unused.setdefault(name, [0, format_ccrr(*at), self.line, kept])
        entry[0] += 1


def read_board(text: str, source: str = "board") -> tuple[Board, list[Note]]:
    """The board in a ``.board`` text, and what was odd about it.

    Raises :class:`InputError` with ``line N`` for a text that is no board or whose meaning is not clear.
    """
    reader = _Reader(source)
    for number, line in enumerate(_LINE_END.split(text.lstrip("\ufeff")), start=1):
        reader.line = number
        _read_line(reader, line.strip())
    if not reader.size_line:
        raise reader.refuse("no size line: this is no board file", hint="expected a line such as: size 16 17", line=0)
    if not reader.ended:
        reader.note("repaired", "no line 'end': taken as ending here")
    _note_missing(reader)
    for name, (count, first, line, kept) in reader.unused.items():
        use = "kept, but no rule here uses it" if kept else "a picture only, left out"
        reader.note("ignored", f"terrain {name} in {count} hex{'es' if count > 1 else ''} from {first}: {use}", line)
    grid = Grid(reader.width, reader.height)
    cells = {grid.cell(*at): fields for at, fields in reader.hexes.items()}
    left_out = {(grid.cell(*at), kind): level for (at, kind), level in reader.open_exits.items()}
    work_out_exits(grid, cells, left_out, reader.road_to_pavement)
    _check_exits(reader, grid, cells)
    board = Board(_board_name(source), grid, {cell: Hex(**fields) for cell, fields in cells.items()})
    board.tables[LEFT_OUT] = (left_out, reader.road_to_pavement)
    reader.notes.sort(key=lambda note: note.line)
    return board, reader.notes


def _board_name(source: str) -> str:
    name = re.split(r"[\\/]", source)[-1]
    return name[: -len(".board")] if name.lower().endswith(".board") else name


def _read_line(reader: _Reader, line: str) -> None:
    if not line or line.startswith(("#", "//")):
        return
    word = line.split(None, 1)[0].lower()
    if reader.ended:
        reader.note("ignored", f"text after 'end': {_short(line)}")
    elif word == "end":
        reader.ended = True
    elif word == "size":
        _read_size(reader, line)
    elif word == "hex":
        _read_hex(reader, line)
    elif word in _HEADERS:
        if line.lower().split()[:2] == ["option", "exit_roads_to_pavement"]:
            reader.road_to_pavement = not line.lower().endswith("false")
    else:
        reader.note("ignored", f"line not understood: {_short(line)}")


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def _read_size(reader: _Reader, line: str) -> None:
    found = _SIZE.match(line)
    if reader.size_line:
        raise reader.refuse(f"a second size line; the first is line {reader.size_line}")
    if not found:
        raise reader.refuse(f"size needs two numbers, columns and rows: {_short(line)}", hint="as in: size 16 17")
    width, height = (reader.integer(number, "a board's size") for number in found.groups())
    most = table("board_terrain")["largest"]
    if width < 1 or height < 1 or width * height > most:
        raise reader.refuse(f"a board of {width} by {height} hexes: at least 1 by 1, at most {most} hexes")
    reader.width, reader.height, reader.size_line = width, height, reader.line


def _read_hex(reader: _Reader, line: str) -> None:
    found = _HEX.match(line)
    if not found:
        raise reader.refuse(f"hex line not understood: {_short(line)}", hint='as in: hex 0101 0 "woods:1;foliage_elev:2" ""')
    if not reader.size_line:
        raise reader.refuse("a hex before the size line: the board's size must come first")
    number, level, terrain, _theme = found.groups()
    at = _hex_number(reader, number)
    if at in reader.hexes:
        earlier = reader.lines[at]
        reader.note("repaired", f"hex {format_ccrr(*at)} again, after line {earlier}: the later line stands")
        for kind in ("road", "building", "bridge"):
            reader.open_exits.pop((at, kind), None)
    reader.lines[at] = reader.line
    reader.hexes[at] = _terrain(reader, at, reader.integer(level, "a hex's level"), terrain or "")


def _hex_number(reader: _Reader, number: str) -> At:
    """Column and row, counted from 0, of a hex number of any length. Rule: S-1.

    Beyond 99 columns or rows a number can often be split in one way only; where several fit, the hex that follows the one
    before is meant, and else the column has as many digits as the board's last one.
    """
    if re.fullmatch(r"[0-9]+,[0-9]+", number) and len(number) < 16:
        column, row = (int(part) for part in number.split(","))
        splits = [(column - 1, row - 1)]
    elif re.fullmatch(r"[0-9]{4,12}", number):
        splits = [(int(number[:cut]) - 1, int(number[cut:]) - 1) for cut in range(2, len(number) - 1)]
    else:
        raise reader.refuse(f"{number!r} is no hex number", hint="column and row, as 0611")
    fitting = [at for at in splits if 0 <= at[0] < reader.width and 0 <= at[1] < reader.height]
    if not fitting:
        last = format_ccrr(reader.width - 1, reader.height - 1)
        raise reader.refuse(f"hex {number} lies off the board, which ends at {last} by its size line")
    if len(fitting) == 1:
        return fitting[0]
    if reader.lines:
        column, row = next(reversed(reader.lines))
        following = ((column + 1, row), (0, row + 1), (column, row + 1), (column + 1, 0))
        for at in fitting:
            if at in following:
                return at
    digits = max(2, len(str(reader.width)))
    column, row = int(number[:digits]) - 1, int(number[digits:] or 0) - 1
    return (column, row) if (column, row) in fitting else fitting[0]


def _terrain(reader: _Reader, at: At, level: int, text: str) -> dict[str, Any]:
    """The fields of a :class:`Hex` from the terrain list of its line."""
    found: dict[str, tuple[int, int | None]] = {}
    for entry in text.split(";"):
        if not entry.strip():
            continue
        name, *numbers = (part.strip() for part in entry.split(":"))
        name = name.lower()
        if not name or len(numbers) > 2:
            raise reader.refuse(f"terrain {_short(entry)!r} not understood", hint="name:level or name:level:exits")
        if not numbers or numbers[0] == "":
            reader.note("repaired", f"terrain {name} without a level: taken as level 1")
            numbers = ["1", *numbers[1:]]
        exits = reader.integer(numbers[1], f"the exits of {name}") if len(numbers) > 1 and numbers[1] else None
        if name in found:
            reader.note("repaired", f"terrain {name} twice in a hex: the later one stands")
        found[name] = (reader.integer(numbers[0], f"the level of {name}"), exits)
    fields: dict[str, Any] = {"level": level}
    other: list[str] = []
    rules = table("board_terrain")
    for name, (value, exits) in found.items():
        if name in rules["decoration"]:
            reader.not_used(name, at, kept=False)
        elif name in rules["flags"]:
            if value > 0:
                fields[rules["flags"][name]] = True
            if value > 1 and name in rules["graded"]:
                other.append(f"{name}:{value}")
                reader.not_used(f"{name}:{value}", at, kept=True)
        elif name in _READERS:
            _READERS[name](reader, at, fields, found, other)
        elif name not in rules["parts"]:
            other.append(f"{name}:{value}" + (f":{exits}" if exits is not None else ""))
            reader.not_used(name, at, kept=True)
    if other:
        fields["other"] = tuple(sorted(other))
    return fields


Found = dict[str, tuple[int, int | None]]


def _woods(reader: _Reader, at: At, fields: dict[str, Any], found: Found, other: list[str]) -> None:
    rules = table("board_terrain")["woods"]
    value = found["woods"][0]
    if value <= 0:
        return
    fields["woods"] = min(value, rules["heaviest"])
    if value > rules["heaviest"]:
        other.append(f"woods:{value}")
        reader.not_used(f"woods:{value}, taken as heavy woods,", at, kept=True)
    height = found.get("foliage_elev", (rules["foliage"], None))[0]
    if height < 0:
        raise reader.refuse(f"foliage_elev {height}: trees cannot end below the ground")
    fields["foliage"] = height


def _water(reader: _Reader, at: At, fields: dict[str, Any], found: Found, other: list[str]) -> None:
    depth = found["water"][0]
    if depth < 0:
        raise reader.refuse(f"water of depth {depth}: depth counts from 0 downward without a sign")
    fields["water"] = depth


def _smoke(reader: _Reader, at: At, fields: dict[str, Any], found: Found, other: list[str]) -> None:
    value = found["smoke"][0]
    known = table("board_terrain")["smoke"]
    if value <= 0:
        return
    if value not in known:
        raise reader.refuse(f"smoke of level {value}: 1 is light, 2 is heavy")
    fields["smoke"] = known[value]
    if value != known[value]:
        reader.not_used(f"smoke:{value}, taken as {'light' if known[value] == 1 else 'heavy'} smoke,", at, kept=True)
        other.append(f"smoke:{value}")


def _exits(reader: _Reader, at: At, kind: str, found: Found) -> int:
    value, exits = found[kind]
    if exits is None:
        reader.open_exits[(at, kind)] = value
        return 0
    if not 0 <= exits <= _ALL_EXITS:
        reader.note("repaired", f"exits {exits} of {kind}: only the six sides of a hex count")
    return exits & _ALL_EXITS


def _road(reader: _Reader, at: At, fields: dict[str, Any], found: Found, other: list[str]) -> None:
    if found["road"][0] > 0:
        fields["road"] = True
        fields["road_exits"] = _exits(reader, at, "road", found)


def _building(reader: _Reader, at: At, fields: dict[str, Any], found: Found, other: list[str]) -> None:
    kind = found["building"][0]
    rules = table("board_terrain")
    if kind <= 0:
        return
    if kind >= len(BUILDING_TYPES):
        other.append(f"building:{kind}")
        reader.not_used(f"building:{kind}", at, kept=True)
        return
    if "bldg_elev" not in found:
        reader.note("repaired", f"building without bldg_elev: taken as {rules['default_building_height']} high")
    if "bldg_cf" not in found:
        reader.note("repaired", f"building without bldg_cf: taken as {rules['construction_factor'][kind]}, usual for its type")
    fields["building"] = kind
    fields["building_height"] = found.get("bldg_elev", (rules["default_building_height"], None))[0]
    fields["building_cf"] = found.get("bldg_cf", (rules["construction_factor"][kind], None))[0]
    if fields["building_height"] < 1 or fields["building_cf"] < 1:
        raise reader.refuse("a building needs a height and a construction factor of at least 1")
    fields["building_exits"] = _exits(reader, at, "building", found)


def _bridge(reader: _Reader, at: At, fields: dict[str, Any], found: Found, other: list[str]) -> None:
    kind = found["bridge"][0]
    factors = table("board_terrain")["construction_factor"]
    if kind <= 0:
        return
    if "bridge_elev" not in found:
        reader.note("repaired", "bridge without bridge_elev: its deck taken as level with the hex")
    usual = factors[min(kind, len(factors) - 1)]
    if "bridge_cf" not in found:
        reader.note("repaired", f"bridge without bridge_cf: taken as {usual}, usual for its type")
    fields["bridge"] = True
    fields["bridge_height"] = found.get("bridge_elev", (0, None))[0]
    fields["bridge_cf"] = found.get("bridge_cf", (usual, None))[0]
    if fields["bridge_cf"] < 1:
        raise reader.refuse("a bridge needs a construction factor of at least 1")
    fields["bridge_exits"] = _exits(reader, at, "bridge", found)


_READERS = {"woods": _woods, "water": _water, "smoke": _smoke, "road": _road, "building": _building, "bridge": _bridge}


def _note_missing(reader: _Reader) -> None:
    missing = [(c, r) for r in range(reader.height) for c in range(reader.width) if (c, r) not in reader.hexes]
    if missing:
        first = format_ccrr(*missing[0])
        reader.note(
            "repaired", f"{len(missing)} hex lines missing, the first is {first}: taken as clear, level 0", reader.size_line
        )


def _check_exits(reader: _Reader, grid: Grid, cells: dict[int, dict[str, Any]]) -> None:
    """A building goes on only where a building stands."""
    changed: list[At] = []
    for cell, fields in cells.items():
        exits = fields.get("building_exits", 0)
        for direction in range(len(AXIAL_STEPS)):
            near = cells.get(grid.neighbour(cell, direction), {})
            if exits >> direction & 1 and not near.get("building"):
                exits &= ~(1 << direction)
        if exits != fields.get("building_exits", 0):
            fields["building_exits"] = exits
            changed.append((grid.columns[cell], grid.rows[cell]))
    if changed:
        first = format_ccrr(*changed[0])
        what = (
            f"{len(changed)} building hexes, the first is {first}, exit" if len(changed) > 1 else f"building in {first} exits"
        )
        reader.note("repaired", f"{what} to a hex without a building: exit left out", reader.lines[changed[0]])


__all__ = ["join_boards", "read_board", "write_board"]
