"""Smaller boards for a case: open ground, or the board typed in, cut off beyond the last hex that anything happens in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from opfor.board.board import CLEAR, Board
from opfor.board.library import board_names
from opfor.errors import InputError
from opfor.formats.battle_file.battle import read_battle
from opfor.formats.library import board_named
from opfor.formats.words.hex_words import hex_in_words
from opfor.gm.ruletest.cases import Case
from opfor.gm.ruletest.sources import BattleData

#: hexes beyond the last one needed: what is displaced or skids goes there
_MARGINS = (1, 3)
_NUMBER = re.compile(r"\b(\d\d)(\d\d)\b")


def smaller_boards(case: Case, *, open_ground: bool = True) -> Iterator[BattleData]:
    """Battles on smaller boards, the smallest first; none for a board that has names of its own for its hexes.

    ``open_ground``: those without any terrain come before the others.
    """
    battle = case.battle
    board = _board(battle)
    if board is None or "map_names" in battle or board.grid.width > 99 or board.grid.height > 99:
        return
    needed = _needed(case)
    sizes = [(min(board.grid.width, needed[0] + margin), min(board.grid.height, needed[1] + margin)) for margin in _MARGINS]
    sizes.append((board.grid.width, board.grid.height))
    for columns, rows in dict.fromkeys(sizes) if open_ground else ():
        yield _on(battle, columns, rows, [])
    ground = [cell for cell in board.grid.on_board if board.hexes[cell] != CLEAR]
    every = [f"{board.grid.names[cell]} {hex_in_words(board.hexes[cell])}" for cell in ground]
    for columns, rows in dict.fromkeys(sizes):
        yield _on(battle, columns, rows, [row for row in every if _within(row, columns, rows)])


def hexes_of(board: Any, unknown: int) -> int:
    """How many hexes a board has, as a battle file names it; those with terrain of a board typed in count twice."""
    if isinstance(board, dict) and "size" in board:
        columns, rows = map(int, str(board["size"]).split("x"))
        return columns * rows + len(board.get("rows") or ())
    if isinstance(board, str) and board in board_names():
        grid = board_named(board).grid
        return 2 * grid.width * grid.height
    return unknown


def without_rows(board: dict[str, Any], rows: Sequence[str]) -> dict[str, Any]:
    """A board typed in, with those rows only."""
    return {"size": board["size"], **({"rows": list(rows)} if rows else {})}


def _on(battle: BattleData, columns: int, rows: int, terrain: Sequence[str]) -> BattleData:
    found = {**battle, "board": without_rows({"size": f"{columns}x{rows}"}, terrain)}
    for key in ("terrain", "mines", "fires"):
        value = found.get(key)
        if isinstance(value, dict):
            found[key] = {number: words for number, words in value.items() if _within(str(number), columns, rows)}
        elif isinstance(value, list):
            found[key] = [row for row in value if _within(str(row["at"] if isinstance(row, dict) else row), columns, rows)]
    return found


def _board(battle: BattleData) -> Board | None:
    try:
        return read_battle(json.dumps(battle)).base_board
    except InputError:
        return None


def _needed(case: Case) -> tuple[int, int]:
    """The last column and row that units stand in or orders name."""
    places = [str(entry.get("at", "")) for entry in case.battle["units"]]
    places += [str(step["order"].get(key, "")) for step in case.steps for key in ("to", "at")]
    found = [(int(column), int(row)) for place in places for column, row in _NUMBER.findall(place)]
    return max((column for column, _ in found), default=1), max((row for _, row in found), default=1)


def _within(words: str, columns: int, rows: int) -> bool:
    number = _NUMBER.search(words)
    return number is not None and int(number[1]) <= columns and int(number[2]) <= rows


__all__ = ["hexes_of", "smaller_boards", "without_rows"]
