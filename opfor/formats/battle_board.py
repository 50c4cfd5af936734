"""The board of a battle file: by path, by name, joined, or typed in; and what has changed on it in play. Rule: S-1."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from opfor.board.board import Board
from opfor.errors import InputError
from opfor.formats.battle_schema import BattleFile
from opfor.formats.hex_words import board_from_rows, hex_from_words, hex_in_words
from opfor.formats.notes import Note
from opfor.formats.source import Document, Path_
from opfor.hex import HexError


def read_battle_board(document: Document, model: BattleFile, folder: Path) -> tuple[Board, Board, list[Note]]:
    """The board as it stands, the board as named, and notes. Raises :class:`InputError` with the place."""
    notes: list[Note] = []
    base = _board(document, ("board",), model.board, folder, notes)
    changes = {}
    for number, words in model.terrain.items():
        place: Path_ = ("terrain", number)
        try:
            cell = base.grid.parse(number)
            changes[cell] = hex_from_words(words)
        except HexError as error:
            raise document.error(place, str(error)) from None
        except InputError as error:
            raise document.error(place, error.message, error.hint) from None
    return (base.changed(changes) if changes else base), base, notes


def terrain_changes(base: Board, board: Board) -> dict[str, str]:
    """Hexes in which ``board`` differs from ``base``, in words."""
    if board is base:
        return {}
    return {
        board.grid.names[cell]: hex_in_words(board.hexes[cell])
        for cell in board.grid.on_board
        if board.hexes[cell] != base.hexes[cell]
    }


def _board(document: Document, place: Path_, value: Any, folder: Path, notes: list[Note]) -> Board:
    try:
        if isinstance(value, dict):
            return _typed(document, place, value)
        if isinstance(value, list):
            return _joined(document, place, value, folder, notes)
        if "\n" in value:
            return _text(value, document.source, notes)
        if value.lower().endswith(".board") or "/" in value or "\\" in value:
            from opfor.formats.boards import load_board

            board, found = load_board(folder / value)
            notes.extend(found)
            return board
        from opfor.formats.library import board_named

        return board_named(value)
    except InputError as error:
        if error.source == document.source:
            raise
        where = ", ".join(part for part in (error.source, error.place) if part)
        raise document.error(place, f"{where}: {error.message}" if where else error.message, error.hint) from None


def _typed(document: Document, place: Path_, value: dict[str, Any]) -> Board:
    """``{size: 16x17, rows: ["0510 woods1 level2", ...]}``."""
    unknown = [key for key in value if key not in ("size", "rows", "name")]
    if unknown:
        raise document.error((*place, unknown[0]), "a board typed in has the keys size and rows, and no other")
    if "size" not in value:
        raise document.error(place, "size is missing: write columns and rows, as size: 16x17")
    rows = value.get("rows") or []
    if not isinstance(rows, list):
        raise document.error((*place, "rows"), 'must be a list, as ["0510 woods1 level2"]')
    try:
        return board_from_rows(str(value.get("name", "board")), str(value["size"]), rows)
    except InputError as error:
        key, _, index = error.place.partition("[")
        at = (*place, key, int(index.rstrip("]"))) if index else (*place, key)
        raise document.error(at, error.message, error.hint) from None


def _joined(document: Document, place: Path_, value: list[Any], folder: Path, notes: list[Note]) -> Board:
    """A list of boards side by side, or a list of such rows."""
    from opfor.formats.board import join_boards

    rows = value if value and all(isinstance(item, list) for item in value) else [value]
    if not value or not all(rows) or len({len(row) for row in rows}) != 1:
        raise document.error(place, "boards to join stand in rows of equal length")
    boards = []
    for y, row in enumerate(rows):
        below: Path_ = (*place, y) if rows is value else place
        boards.append([_board(document, (*below, x), item, folder, notes) for x, item in enumerate(row)])
    return join_boards(boards)


def _text(text: str, source: str, notes: list[Note]) -> Board:
    from opfor.formats.board import read_board

    board, found = read_board(text, source)
    notes.extend(found)
    return board
