"""The map as plain text, for terminals and posts: two lines a row of hexes, even columns on the lower one."""

from __future__ import annotations

from opfor.board.board import Board, Hex
from opfor.formats.orders import mode_word
from opfor.game.view import seen_by
from opfor.hex import DIRECTION_NAMES
from opfor.report.maps.map_missions import mission_lines
from opfor.report.unit_words import company_words, condition_words, height_words, kind_word, strength_words
from opfor.state import State
from opfor.units.state import UnitState

ARROWS = "↑↗↘↓↙↖"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_WIDTH = 4
_SIGNS = (
    ("rough", "r"),
    ("rubble", "x"),
    ("swamp", "s"),
    ("mud", "m"),
    ("sand", ":"),
    ("snow", "*"),
    ("ice", "i"),
    ("tundra", "t"),
    ("pavement", "p"),
    ("road", "="),
    ("bridge", "#"),
    ("fire", "!"),
    ("mines", "^"),
    ("smoke", "%"),
)
_KEY = "w/W light/heavy woods  ~n water of depth n  Bn building n high  " + "  ".join(f"{sign} {name}" for name, sign in _SIGNS)


def hex_sign(record: Hex) -> str:
    """A hex in three letters or so: level, then what lies there; a dot where there is nothing."""
    words = str(record.level) if record.level else ""
    words += ("", "w", "W", "W")[min(3, record.woods)]
    if record.water >= 0:
        words += f"~{record.water}"
    if record.building:
        words += f"B{record.building_height}"
    words += "".join(sign for name, sign in _SIGNS if getattr(record, name))
    return words or "."


def map_text(state: State, *, hide_from: int | None = None) -> str:
    """The map, then its units. ``hide_from``: a side whose enemies' hidden units, and mines it does not know, are left out.

    Units that share a hex stand there letter by letter, with the first one's arrow; carried ones are in the list alone.
    """
    if hide_from is not None:
        state = seen_by(state, hide_from)
    grid = state.board.grid
    shown = [u for u in state.units if grid.contains(u.cell) and not u.gone]
    letters = {unit.id: _LETTERS[i % len(_LETTERS)] for i, unit in enumerate(shown)}
    signs: dict[int, str] = {}
    for unit in shown:
        if unit.destroyed or unit.aboard:
            continue
        letter = letters[unit.id]
        arrow = "" if unit.spec.is_infantry else ARROWS[unit.facing]
        signs[unit.cell] = letter + signs[unit.cell] if unit.cell in signs else letter + arrow
    wind = f", wind toward {DIRECTION_NAMES[state.wind]}" if state.wind >= 0 else ""
    lines = [f"{state.board.name}, turn {state.turn}, {state.phase}{wind}", *_rows(state.board, signs), ""]
    lines.extend(f"{letters[unit.id]}  {unit_words(unit, state)}" for unit in shown)
    lines += mission_lines(state)
    lines.append(f"Key: {_KEY}")
    return "\n".join(lines) + "\n"


def board_text_map(board: Board) -> str:
    """A board alone."""
    return "\n".join([board.name, *_rows(board, {}), f"Key: {_KEY}"]) + "\n"


def _rows(board: Board, signs: dict[int, str]) -> list[str]:
    grid = board.grid
    lines = []
    for half in (0, 1):
        numbers = (f"{c + 1:02d}" if c % 2 == half else "" for c in range(grid.width))
        lines.append(("    " + "".join(number.ljust(_WIDTH) for number in numbers)).rstrip())
    for row in range(grid.height):
        for half in (0, 1):
            line = [" "] * (4 + _WIDTH * (grid.width + 1))
            if half == 0:
                line[:2] = f"{row + 1:02d}"
            for column in range(half, grid.width, 2):
                cell = grid.cell(column, row)
                sign = hex_sign(board.hexes[cell])
                if cell in signs:
                    sign = signs[cell] + ("" if sign == "." else sign)
                # a long sign runs on into the empty place to its right
                start = 4 + _WIDTH * column
                line[start : start + len(sign[: 2 * _WIDTH - 1])] = sign[: 2 * _WIDTH - 1]
            lines.append("".join(line).rstrip())
    return lines


def unit_words(unit: UnitState, state: State) -> str:
    """A unit in a line: where it stands and how."""
    spec = unit.spec
    where = state.board.grid.names[unit.cell]
    facts = [where if spec.is_infantry else f"{where} {DIRECTION_NAMES[unit.facing]}"]
    if not spec.is_mech:
        facts.append(kind_word(spec))
    facts += [word for word in (height_words(unit), strength_words(unit)) if word]
    if spec.turret and unit.twist:
        facts.append(f"turret {DIRECTION_NAMES[unit.torso_facing]}")
    if unit.moved:
        mode = mode_word(spec, unit.mode)
        facts.append(f"{mode} {unit.hexes_moved}" if unit.hexes_moved else mode or "stand")
    if unit.heat:
        facts.append(f"heat {unit.heat}")
    facts += company_words(state, unit) + condition_words(unit)
    return f"{unit.id} ({unit.name}, {state.sides[unit.side]}): {', '.join(facts)}"
