"""Movement in words: ``0611 N walk F2 R1 F1 -> 0709 NE``. Written and read back. Rule: S-2 (the steps).

Steps: ``F3`` forward, ``B1`` backward, ``L1`` / ``R1`` turn, ``SL`` / ``SR`` / ``SLB`` / ``SRB`` sidestep, ``SU`` try to stand,
``CAREFUL`` with care, ``PRONE`` drop, ``EXIT`` off the map, ``C+`` / ``C-`` onto or under roofs and bridges. ``+2`` after the
end: that many levels above the hex.
"""

from __future__ import annotations

import re
from itertools import groupby

from opfor.errors import InputError, nearest
from opfor.formats.orders import find_unit
from opfor.game.legal.choices import Choices
from opfor.hex import DIRECTION_NAMES, Grid, HexError, parse_direction
from opfor.orders import MoveOrder
from opfor.state import State
from opfor.units.state import UnitState

MODES = {"walk": "walk", "cruise": "walk", "run": "run", "flank": "run", "jump": "jump", "stand": "stand"}
#: turn of the facing, direction stepped in relative to the facing (None: stays in the hex)
STEPS: dict[str, tuple[int, int | None]] = {
    "F": (0, 0),
    "B": (0, 3),
    "L": (-1, None),
    "R": (1, None),
    "SL": (0, -1),
    "SR": (0, 1),
    "SLB": (0, -2),
    "SRB": (0, 2),
    "UP": (0, None),
    "CAREFUL": (0, None),
    "PRONE": (0, None),
    "EXIT": (0, None),
    "C+": (0, None),
    "C-": (0, None),
    "J": (0, None),
}
_WRITTEN = {"UP": "SU"}
_READ = {"SU": "UP", "DROP": "PRONE", "DOWN": "PRONE"}
_COUNTED = ("F", "B", "L", "R", "SL", "SR", "SLB", "SRB")
_TOKEN = re.compile(
    r"(?i)(SLB|SRB|SL|SR|SU|UP|PRONE|DROP|CAREFUL|EXIT|C\+|C-|F|B|L|R|J)(\d{0,2})(?=$|[\s,FfBbLlRrSsUuPpDdCcEeJj])"
)
_MODE = re.compile(
    r"(?i)(walk|run|jump|stand(?:s|ing)?(?: still)?|cruise|flank|hold(?:s)?(?: position)?|no move(?:ment)?)\b\s*"
)
_HEX = r"(?:\d{2}\d{2}|\d+,\d+)"
_END = re.compile(rf"(?i)^({_HEX})\s*(NE|NW|SE|SW|N|S|[0-5])?\s*([+-]\d+)?\s*(prone)?\s*$")


def move_in_words(order: MoveOrder, unit: UnitState, state: State) -> str:
    """The movement as words, without the unit's name."""
    names = state.board.grid.names
    words = f"{names[unit.cell]} {DIRECTION_NAMES[unit.facing]} {order.mode}"
    steps = path_in_words(order.path)
    if steps and order.mode != "jump":
        words += f" {steps}"
    if order.path or order.attack or (order.to, order.facing) != (unit.cell, unit.facing):
        words += f" -> {names[order.to]} {DIRECTION_NAMES[order.facing]}"
        if order.elevation != -state.board.depth[order.to]:
            words += f" {order.elevation:+d}"
    if order.prone != _lies(order.path, order.mode, unit):
        words += " prone" if order.prone else " standing"
    if order.attack:
        words += f" {'DFA' if order.attack == 'dfa' else order.attack} {order.target}".rstrip()
    return words


def _lies(path: tuple[str, ...], mode: str, unit: UnitState) -> bool:
    """Whether the unit is prone after a path, as far as the steps tell."""
    rises = "UP" in path or "CAREFUL" in path or mode == "jump"
    return "PRONE" in path or (unit.prone and not rises)


def path_in_words(path: tuple[str, ...]) -> str:
    """Steps with repeats counted.

    >>> path_in_words(("UP", "F", "F", "R", "F"))
    'SU F2 R1 F1'
    """
    parts = []
    for step, run in groupby(path):
        count = len(list(run))
        name = _WRITTEN.get(step, step)
        parts.extend([f"{name}{count}"] if step in _COUNTED else [name] * count)
    return " ".join(parts)


def path_from_words(text: str) -> tuple[str, ...]:
    """Read steps, with or without spaces between them. Raises :class:`InputError` quoting what is no step.

    >>> path_from_words("f2 R F"), path_from_words("F2R1F1")
    (('F', 'F', 'R', 'F'), ('F', 'F', 'R', 'F'))
    """
    steps: list[str] = []
    position = 0
    text = text.strip()
    while position < len(text):
        if text[position] in " ,":
            position += 1
            continue
        found = _TOKEN.match(text, position)
        if not found:
            word = text[position:].split()[0]
            raise _error(f"{word!r} is no step", nearest(word, STEPS) or "steps: F2 B1 L1 R1 SL SR SU PRONE C+ C-")
        name = _READ.get(found[1].upper(), found[1].upper())
        steps.extend([name] * (int(found[2]) if found[2] else 1))
        position = found.end()
    return tuple(steps)


def walk_path(grid: Grid, cell: int, facing: int, path: tuple[str, ...]) -> tuple[int, int]:
    """Where steps lead: (cell, facing). Raises :class:`InputError` when they leave the board."""
    for number, step in enumerate(path, start=1):
        turned, direction = STEPS[step]
        facing = (facing + turned) % 6
        if direction is not None:
            cell += grid.step[(facing + direction) % 6]
            if not grid.contains(cell):
                raise _error(f"step {number} of {path_in_words(path)} leaves the board")
    return cell, facing


def read_move(words: str, unit: UnitState, state: State, choices: Choices | None) -> MoveOrder:
    """Read a movement. ``choices``: the legal orders, among which one given by its end alone is looked up."""
    text, attack, target = _read_attack(words, state)
    text = _read_start(text, unit, state)
    found = _MODE.match(text)
    mode = ""
    if found:
        word = found[1].lower()
        mode = MODES.get(word, "stand")
        text = text[found.end() :]
    elif attack == "dfa":
        mode = "jump"
    steps, arrow, end = text.partition("->")
    if not arrow:
        bare = re.match(rf"(?i)(.*?)(?:\bto\b\s*|(?=\b{_HEX}\b))(.*)$", text)
        if bare and not re.match(r"(?i)stand", text):
            steps, arrow, end = bare[1], "to", bare[2]
    prone: bool | None = None
    standing = re.search(r"(?i)\s*\bstanding\s*$", end)
    if standing:
        end, prone = end[: standing.start()], False
    cell, facing, elevation, dropped = _read_end(end, unit, state)
    if dropped:
        prone = True
    path = path_from_words(steps)
    if mode == "stand" and not path and cell in (None, unit.cell) and facing in (None, unit.facing) and not arrow:
        return MoveOrder(unit.id, "stand", (), unit.cell, unit.facing, unit.elevation, unit.prone)
    if mode == "jump":
        path = ()
    stays = cell in (None, unit.cell) and facing in (None, unit.facing)
    if not path and mode != "jump" and not attack and stays:
        lies = unit.prone if prone is None else prone
        return MoveOrder(unit.id, mode or "stand", (), unit.cell, unit.facing, unit.elevation, lies)
    charge_from_here = attack == "charge" and mode in ("walk", "run") and (cell, facing) == (unit.cell, unit.facing)
    if not path and not charge_from_here and (mode != "jump" or cell is None or facing is None):
        return _look_up(words, unit, state, choices, mode, cell, facing, attack, target)
    if mode == "jump":
        assert cell is not None and facing is not None
        to, faced, path = cell, facing, ("J",)
    else:
        mode = mode or "walk"
        to, faced = walk_path(state.board.grid, unit.cell, unit.facing, path)
        names = state.board.grid.names
        if (cell is not None and cell != to) or (facing is not None and facing != faced):
            given = f"{names[cell] if cell is not None else ''} {DIRECTION_NAMES[facing] if facing is not None else ''}".strip()
            raise _error(
                f"{unit.id}: {path_in_words(path)} from {names[unit.cell]} {DIRECTION_NAMES[unit.facing]} "
                f"ends at {names[to]} {DIRECTION_NAMES[faced]}, not at {given}"
            )
    if prone is None:
        prone = _lies(path, mode, unit)
    if elevation is None:
        elevation = -state.board.depth[to]
    return MoveOrder(unit.id, mode, path, to, faced, elevation, prone, attack, target)


def _read_attack(words: str, state: State) -> tuple[str, str, str]:
    """Cut a charge or death from above off the end: (rest, attack, target)."""
    found = re.search(r"(?i)[,;]?\s*\b(charge|dfa|death from above)\b(?:\s+(?:on|at)\b)?\s*(.*)$", words)
    if not found:
        return words, "", ""
    attack = "charge" if found[1].lower() == "charge" else "dfa"
    target = found[2].strip(" .,")
    if not target:
        raise _error(f"{words!r} names no target", f"write {found[1]} UNIT")
    # the end may stand behind the target: charge alpha-2 -> 0709 NE
    target, arrow, end = target.partition("->")
    return words[: found.start()] + (f" -> {end}" if arrow else ""), attack, find_unit(state, target.strip()).id


def _read_start(text: str, unit: UnitState, state: State) -> str:
    """Cut the start hex and facing off; they must be where the unit stands."""
    found = re.match(rf"(?i)\s*({_HEX})(?:\s+(NE|NW|SE|SW|N|S|[0-5])\b)?\s*", text)
    if not found:
        return text.strip()
    names = state.board.grid.names
    here = f"{names[unit.cell]} {DIRECTION_NAMES[unit.facing]}"
    try:
        cell = state.board.grid.parse(found[1])
        facing = parse_direction(found[2]) if found[2] else unit.facing
    except HexError as error:
        raise _error(f"{unit.id}: {error}") from None
    if (cell, facing) != (unit.cell, unit.facing):
        raise _error(f"{unit.id} stands in {here}, not in {found[1]} {found[2] or ''}".rstrip())
    return text[found.end() :].strip()


def _read_end(end: str, unit: UnitState, state: State) -> tuple[int | None, int | None, int | None, bool]:
    """Read where a movement ends: (cell, facing, elevation, prone), None for what is not given."""
    end = end.strip(" .")
    if not end:
        return None, None, None, False
    found = _END.match(end)
    if not found:
        raise _error(f"{unit.id}: cannot read the end {end!r}", "write hex and facing, as 0709 NE")
    try:
        cell = state.board.grid.parse(found[1])
    except HexError as error:
        raise _error(f"{unit.id}: {error}") from None
    facing = parse_direction(found[2]) if found[2] else None
    return cell, facing, int(found[3]) if found[3] else None, bool(found[4])


def _look_up(
    words: str,
    unit: UnitState,
    state: State,
    choices: Choices | None,
    mode: str,
    cell: int | None,
    facing: int | None,
    attack: str,
    target: str,
) -> MoveOrder:
    """The listed movement that ends there: of several, the one of the given (or slowest) mode with the fewest steps."""
    if cell is None and not attack:
        raise _error(f"{unit.id}: {words!r} says not where to", "write walk F2 R1 or walk to 0709 NE")
    if choices is None:
        raise _error(f"{unit.id}: {words!r} gives the end alone, and no legal movements are at hand to look it up in")
    ways = [
        order
        for order in choices
        if isinstance(order, MoveOrder)
        and order.unit == unit.id
        and (not mode or order.mode == mode)
        and (cell is None or order.to == cell)
        and (facing is None or order.facing == facing)
        and (order.attack, order.target) == (attack, target)
    ]
    if not ways:
        names = state.board.grid.names
        where = f"{names[cell]} {DIRECTION_NAMES[facing] if facing is not None else ''}".strip() if cell is not None else ""
        reach = sorted({o.mode for o in choices if isinstance(o, MoveOrder) and o.unit == unit.id and o.to == cell})
        hint = f"but it can {' or '.join(reach)} into that hex" if reach and not attack else ""
        what = f"{attack} {target}" if attack else f"{mode or 'move'} to"
        raise _error(f"{unit.id} cannot {what} {where}".rstrip(), hint)
    speed = ["stand", "walk", "run", "jump"]
    return min(ways, key=lambda o: (speed.index(o.mode) if o.mode in speed else 9, o.prone, len(o.path), o.path, o.facing))


def _error(message: str, hint: str = "") -> InputError:
    return InputError(message, source="order", hint=hint)
