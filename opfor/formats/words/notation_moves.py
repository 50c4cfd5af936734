"""Movement in words: ``0611 N walk F2 R1 F1 -> 0709 NE``. Written and read back. Rule: S-2 (the steps).

Steps: ``F3`` forward, ``B1`` backward, ``L1`` / ``R1`` turn, ``SL`` / ``SR`` / ``SLB`` / ``SRB`` sidestep, ``SU`` try to stand,
``CAREFUL`` with care, ``PRONE`` drop, ``EXIT`` off the map, ``C+`` / ``C-`` onto or under roofs and bridges, ``CLIMB2`` /
``DIVE1`` a VTOL's levels. ``+2`` after the end: that many levels above the hex. Infantry has no facing: its steps are the
directions themselves, ``0611 walk NE2 N1 -> 0709``. Vehicles ``cruise`` and ``flank``, which is read as ``walk`` and ``run``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby

from opfor.errors import InputError, nearest
from opfor.formats.orders import find_unit, mode_word, usual_elevation
from opfor.formats.words.notation_lookup import Wish, look_up
from opfor.formats.words.notation_steps import STEPS, WRITTEN, path_in_words
from opfor.game.legal.choices import Choices
from opfor.hex import DIRECTION_NAMES, Grid, HexError, parse_direction
from opfor.orders import MoveOrder
from opfor.rules.moving.reach import turns
from opfor.state import State
from opfor.units.state import UnitState

MODES = {
    "walk": "walk",
    "cruise": "walk",
    "run": "run",
    "flank": "run",
    "jump": "jump",
    "stand": "stand",
    "evade": "evade",
    "evading": "evade",
    "sprint": "sprint",
    "sprinting": "sprint",
    "wait": "wait",
    "waiting": "wait",
}
#: what goes on with a movement: holding an opportunity action (M-9), or stopping for a simple action (M-8)
_ACT = re.compile(
    r"(?i)(?:[,;]\s*|\s+|^)(?:(?:and|then|with)\s+)*"
    r"(?:(?P<opportunity>(?:(?:holds?|keeps?|ready|declares?)\s+)?(?:an?\s+)?opportunity(?:\s+action)?)"
    r"|(?P<pause>(?:a\s+)?paus(?:es?|ing)))\s*\.?$"
)
_READ = {"SU": "UP", "DROP": "PRONE", "DOWN": "PRONE"}
_TOKEN = re.compile(
    r"(?i)(SLB|SRB|SL|SR|SU|UP|PRONE|DROP|CAREFUL|EXIT|CLIMB|DIVE|C\+|C-|F|B|L|R|J)(\d{0,2})(?=$|[\s,FfBbLlRrSsUuPpDdCcEeJj])"
)
#: an infantry unit's step: its direction and how often
_DIRECTION = re.compile(r"(?i)(NE|NW|SE|SW|N|S)(\d{0,2})(?=$|[\s,NnSs])")
_MODE = re.compile(
    r"(?i)(walk|run|jump|evade|evading|sprint|sprinting|wait|waiting|stand(?:s|ing)?(?: still)?|cruise|flank"
    r"|hold(?:s)?(?: position)?|no move(?:ment)?)s?\b\s*"
)
_HEX = r"(?:\d{2}\d{2}|\d+,\d+)"
_END = r"(?i)^({})\s*(NE|NW|SE|SW|N|S|[0-5])?\s*([+-]\d+)?\s*(prone)?\s*$"


def move_in_words(order: MoveOrder, unit: UnitState, state: State) -> str:
    """The movement as words, without the unit's name."""
    names = state.board.grid.names
    infantry = unit.spec.is_infantry
    start = names[unit.cell] if infantry else f"{names[unit.cell]} {DIRECTION_NAMES[unit.facing]}"
    words = f"{start} {mode_word(unit.spec, order.mode)}"
    if order.attack == "mount":
        return f"{start} mount {order.target}"
    steps = directions_in_words(order.path, unit.facing) if infantry else path_in_words(order.path)
    if steps and order.mode != "jump":
        words += f" {steps}"
    usual = usual_elevation(state, unit, order.to, order.path)
    gets_out = order.mode == "dismount"
    if order.path or order.attack or gets_out or (order.to, order.facing) != (unit.cell, unit.facing):
        words += f" -> {names[order.to]}"
        if not infantry or order.facing != (unit.facing + sum(STEPS[step][0] for step in order.path)) % 6:
            words += f" {DIRECTION_NAMES[order.facing]}"
        if order.elevation != usual or (unit.spec.kind == "vtol" and order.path):
            words += f" {order.elevation:+d}"
    if order.prone != _lies(order.path, order.mode, unit):
        words += " prone" if order.prone else " standing"
    if order.attack:
        words += f" {'DFA' if order.attack == 'dfa' else order.attack} {order.target}".rstrip()
    return f"{words}, {order.act}" if order.act else words


def _lies(path: tuple[str, ...], mode: str, unit: UnitState) -> bool:
    """Whether the unit is prone after a path, as far as the steps tell."""
    rises = "UP" in path or "CAREFUL" in path or mode == "jump"
    return "PRONE" in path or (unit.prone and not rises)


def directions_in_words(path: tuple[str, ...], facing: int) -> str:
    """An infantry unit's steps as the directions they lead in: it turns for nothing. Other steps stand by their own names.

    >>> directions_in_words(("R", "F", "F", "L", "C-", "F", "R", "EXIT"), 0)
    'NE2 C- N1 R1 EXIT'
    """
    words: list[str] = []
    turned = facing
    for step in path:
        turned = (turned + STEPS[step][0]) % 6
        if step == "F":
            words.append(DIRECTION_NAMES[turned])
        elif step not in ("L", "R"):
            words.append(WRITTEN.get(step, step))
    parts = []
    for word, run in groupby(words):
        count = len(list(run))
        parts.extend([f"{word}{count}"] if word in DIRECTION_NAMES else [word] * count)
    text = " ".join(parts)
    left = path[len(path) - next((n for n, step in enumerate(reversed(path)) if step == "F"), len(path)) :]
    if any(step in ("L", "R") for step in left):
        # turns after the last step lead nowhere, and are said as such
        walked = len(path) - len(left)
        text = f"{directions_in_words(path[:walked], facing)} {path_in_words(left)}".strip()
    return text if path_from_directions(text, facing) == path else path_in_words(path)


def path_from_directions(text: str, facing: int) -> tuple[str, ...]:
    """Read an infantry unit's steps. Raises :class:`InputError` quoting what is none.

    >>> path_from_directions("ne2 C- N exit", 0)
    ('R', 'F', 'F', 'L', 'C-', 'F', 'EXIT')
    """
    steps: list[str] = []
    held: list[str] = []
    for word in text.replace(",", " ").split():
        position = 0
        while position < len(word):
            found = _DIRECTION.match(word, position)
            if found:
                towards = DIRECTION_NAMES.index(found[1].upper())
                steps += [*turns(facing, towards), *held, *["F"] * (int(found[2]) if found[2] else 1)]
                facing, held, position = towards, [], found.end()
                continue
            others = path_from_words(word[position:])
            if others in (("C+",), ("C-",)):
                # the way in or up is said after the turn that leads to it
                held += others
            else:
                steps += [*held, *others]
                facing, held = (facing + sum(STEPS[step][0] for step in others)) % 6, []
            break
    return (*steps, *held)


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
            raise _error(f"{word!r} is no step", nearest(word, STEPS) or "steps: F2 B1 L1 R1 SL SR SU PRONE C+ C- CLIMB DIVE")
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


def read_move(words: str, unit: UnitState, state: State, choices: Choices | None, notes: list[str] | None = None) -> MoveOrder:
    """Read a movement. ``choices``: the legal orders, among which one given by its end alone is looked up."""
    found = _ACT.search(words)
    if found is None:
        return _read_plain(words, unit, state, choices, notes=notes)
    act = "opportunity" if found["opportunity"] else "pause"
    rest = words[: found.start()].strip() or "stand"
    if re.fullmatch(rf"(?i)(?:{state.board.grid.pattern})(?:\s+(?:NE|NW|SE|SW|N|S|[0-5]))?", rest):
        rest += " stand"
    return replace(_read_plain(rest, unit, state, choices, act, notes), act=act)


def _read_plain(
    words: str, unit: UnitState, state: State, choices: Choices | None, act: str = "", notes: list[str] | None = None
) -> MoveOrder:
    """Read a movement without what goes on with it."""
    text, attack, target = _read_attack(words, state)
    text = _read_start(text, unit, state)
    if rides := re.match(r"(?i)(?:walk\s+)?(mount|board|embark|get in|dismount|disembark|get out)s?\b\s*", text):
        return _read_ride(rides[1].lower(), text[rides.end() :], unit, state)
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
    path = path_from_directions(steps, unit.facing) if unit.spec.is_infantry else path_from_words(steps)
    if mode == "wait" and not path and not arrow:
        return MoveOrder(unit.id, "wait", (), unit.cell, unit.facing, unit.elevation, unit.prone)
    if mode == "stand" and not path and cell in (None, unit.cell) and facing in (None, unit.facing) and not arrow:
        return MoveOrder(unit.id, "stand", (), unit.cell, unit.facing, unit.elevation, unit.prone)
    if mode == "jump":
        path = ()
    stays = cell in (None, unit.cell) and facing in (None, unit.facing)
    if not path and mode != "jump" and not attack and stays:
        lies = unit.prone if prone is None else prone
        return MoveOrder(unit.id, mode or "stand", (), unit.cell, unit.facing, unit.elevation, lies)
    charge_from_here = attack == "charge" and mode in ("walk", "run") and (cell, facing) == (unit.cell, unit.facing)
    if mode == "jump" and facing is None and cell is not None and unit.spec.is_infantry:
        facing = unit.facing
    if not path and not charge_from_here and (mode != "jump" or cell is None or facing is None):
        wish = Wish(mode, cell, facing, attack, target, act, prone, elevation)
        return look_up(words, unit, state, choices, wish, notes)
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
        elevation = usual_elevation(state, unit, to, path)
    return MoveOrder(unit.id, mode, path, to, faced, elevation, prone, attack, target)


def _read_ride(word: str, rest: str, unit: UnitState, state: State) -> MoveOrder:
    """``mount apc-1``: into a carrier; ``dismount 0612``: out of it, into its own hex unless another is named. Rule: S-9."""
    rest = re.sub(r"(?i)^(?:into|onto|to|in|->|=>)\s*", "", rest.strip(" .,"))
    if word in ("mount", "board", "embark", "get in"):
        if not rest:
            raise _error(f"{unit.id}: {word} names no carrier", "write mount UNIT")
        carrier = find_unit(state, rest)
        return MoveOrder(
            unit.id, "walk", (), carrier.cell, unit.facing, carrier.elevation, False, attack="mount", target=carrier.id
        )
    cell, facing, elevation, _ = _read_end(rest, unit, state)
    to = unit.cell if cell is None else cell
    if elevation is None:
        elevation = usual_elevation(state, unit, to, ())
    return MoveOrder(unit.id, "dismount", (), to, unit.facing if facing is None else facing, elevation)


def _read_attack(words: str, state: State) -> tuple[str, str, str]:
    """Cut a charge or death from above off the end: (rest, attack, target)."""
    found = re.search(r"(?i)[,;]?\s*\b(charge|ram|dfa|death from above)\b(?:\s+(?:on|at)\b)?\s*(.*)$", words)
    if not found:
        return words, "", ""
    attack = "charge" if found[1].lower() in ("charge", "ram") else "dfa"
    target = found[2].strip(" .,")
    if not target:
        raise _error(f"{words!r} names no target", f"write {found[1]} UNIT")
    # the end may stand behind the target: charge alpha-2 -> 0709 NE
    target, arrow, end = target.partition("->")
    return words[: found.start()] + (f" -> {end}" if arrow else ""), attack, find_unit(state, target.strip()).id


def _read_start(text: str, unit: UnitState, state: State) -> str:
    """Cut the start hex and facing off; they must be where the unit stands."""
    # infantry has no facing: what follows its hex is a step
    faced = "" if unit.spec.is_infantry else r"(?:\s+(NE|NW|SE|SW|N|S|[0-5])\b)?"
    found = re.match(rf"(?i)\s*({state.board.grid.pattern})\b{faced or '()'}\s*", text)
    if not found:
        return text.strip()
    names = state.board.grid.names
    if not found[1][0].isdigit() and state.board.grid.read.get(found[1].upper()) != unit.cell and _TOKEN.match(found[1]):
        # a step that looks like a hex of a lettered map
        return text.strip()
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
    found = re.match(_END.format(state.board.grid.pattern), end)
    if not found:
        raise _error(f"{unit.id}: cannot read the end {end!r}", "write hex and facing, as 0709 NE")
    try:
        cell = state.board.grid.parse(found[1])
    except HexError as error:
        raise _error(f"{unit.id}: {error}") from None
    facing = parse_direction(found[2]) if found[2] else None
    return cell, facing, int(found[3]) if found[3] else None, bool(found[4])


def _error(message: str, hint: str = "") -> InputError:
    return InputError(message, source="order", hint=hint)
