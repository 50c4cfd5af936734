"""The map as plain text, for terminals and posts: two lines a row of hexes, even columns on the lower one."""

from __future__ import annotations

from opfor.board.board import Board, Hex
from opfor.hex import DIRECTION_NAMES
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
    """The map, then its units. ``hide_from``: a side whose enemies' hidden units are left out."""
    grid = state.board.grid
    shown = [u for u in state.units if grid.contains(u.cell) and not u.gone]
    if hide_from is not None:
        shown = [u for u in shown if not u.hidden or u.side == hide_from]
    letters = {unit.id: _LETTERS[i % len(_LETTERS)] for i, unit in enumerate(shown)}
    signs = {unit.cell: letters[unit.id] + ARROWS[unit.facing] for unit in shown if not unit.destroyed}
    lines = [f"{state.board.name}, turn {state.turn}, {state.phase}", *_rows(state.board, signs), ""]
    lines.extend(f"{letters[unit.id]}  {unit_words(unit, state)}" for unit in shown)
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
    facts = [f"{state.board.grid.names[unit.cell]} {DIRECTION_NAMES[unit.facing]}"]
    if unit.moved:
        facts.append(f"{unit.mode} {unit.hexes_moved}" if unit.hexes_moved else unit.mode or "stand")
    if unit.heat:
        facts.append(f"heat {unit.heat}")
    facts += [
        word
        for word, is_so in (
            ("prone", unit.prone),
            ("shut down", unit.shutdown),
            ("pilot unconscious", not unit.conscious),
            (f"destroyed: {unit.destroyed}", bool(unit.destroyed)),
        )
        if is_so
    ]
    return f"{unit.id} ({unit.name}, {state.sides[unit.side]}): {', '.join(facts)}"
