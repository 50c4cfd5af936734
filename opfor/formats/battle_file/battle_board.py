"""The board of a battle file: by path, by name, joined, or typed in; and what has changed on it in play. Rule: S-1."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from opfor.board.board import CLEAR, Board, Hex
from opfor.errors import InputError, nearest
from opfor.formats.battle_file.battle_schema import MOST_MINES, BattleFile, MineEntry
from opfor.formats.notes import Note
from opfor.formats.source import Document, Path_
from opfor.formats.words.hex_words import board_from_rows, hex_from_words, hex_in_words
from opfor.hex import HexError


def read_battle_board(document: Document, model: BattleFile, folder: Path) -> tuple[Board, Board, list[Note]]:
    """The board as it stands, the board as named, and notes. Raises :class:`InputError` with the place."""
    notes: list[Note] = []
    base = _named(document, model, _board(document, ("board",), model.board, folder, notes))
    changes: dict[int, Hex] = {}
    for number, words in model.terrain.items():
        place: Path_ = ("terrain", number)
        try:
            cell = base.grid.parse(number)
            changes[cell] = hex_from_words(words)
        except HexError as error:
            raise document.error(place, str(error)) from None
        except InputError as error:
            raise document.error(place, error.message, error.hint) from None
    _fires(document, model, base, changes)
    _mines(document, model, base, changes)
    return (base.changed(changes) if changes else base), base, notes


def _named(document: Document, model: BattleFile, board: Board) -> Board:
    """The board with the names that its map has for the hexes."""
    if model.map_names is None:
        return board
    from opfor.formats.words.hex_names import read_hex_names

    try:
        return read_hex_names(model.map_names).board(board)
    except InputError as error:
        raise document.error(
            ("map_names", *error.place.split(".")) if error.place else ("map_names",), error.message, error.hint
        ) from None


def _fires(document: Document, model: BattleFile, base: Board, changes: dict[int, Hex]) -> None:
    """Hexes that burn. Rule: S-10."""
    for index, number in enumerate(model.fires):
        cell = _cell(document, ("fires", index), base, number)
        changes[cell] = replace(changes.get(cell, base.hexes[cell]), fire=True)


def _mines(document: Document, model: BattleFile, base: Board, changes: dict[int, Hex]) -> None:
    """Minefields, as ``{"0812": 10}`` or ``[{at: "0812", density: 10, known: [players]}]``. Rule: S-10, E-33a."""
    sides = list(model.sides)
    rows = model.mines.items() if isinstance(model.mines, dict) else enumerate(model.mines)
    for key, given in rows:
        place: Path_ = ("mines", key)
        if isinstance(given, int):
            if given > MOST_MINES:
                raise document.error(place, f"{given} is out of bounds: at most {MOST_MINES}")
            entry = MineEntry.model_validate({"density": given}) if given else None
        else:
            entry = given
        at = key if isinstance(model.mines, dict) else entry.at if entry is not None else None
        if entry is None:
            raise document.error(place, "a minefield has a density of at least 1")
        if at is None:
            raise document.error(place, 'the hex of the minefield is missing: write at: "0812"')
        cell = _cell(document, place, base, at)
        known = 0
        for number, name in enumerate(sides if entry.known == "all" else () if entry.known == "none" else entry.known):
            if name not in sides:
                raise document.error(
                    (*place, "known", number), f"there is no side {name!r}: use {' or '.join(sides)}", nearest(name, sides)
                )
            known |= 1 << sides.index(name)
        changes[cell] = replace(changes.get(cell, base.hexes[cell]), mines=entry.density, mines_known=known)


def _cell(document: Document, place: Path_, board: Board, number: str | int) -> int:
    try:
        return board.grid.parse(number)
    except HexError as error:
        raise document.error(place, str(error)) from None


def board_entries(base: Board, board: Board, sides: tuple[str, ...]) -> dict[str, Any]:
    """What has changed on the board since the battle began, under the keys ``terrain``, ``mines`` and ``fires``."""
    if board is base:
        return {}
    terrain: dict[str, str] = {}
    mines: list[dict[str, Any]] = []
    fires: list[str] = []
    for cell in board.grid.on_board:
        now, then = board.hexes[cell], base.hexes[cell]
        if now == then:
            continue
        name = board.grid.names[cell]
        mined = now.mines > 0 and (now.mines, now.mines_known) != (then.mines, then.mines_known)
        burns = now.fire and not then.fire
        if _with(now, then, mined, burns) != then:
            terrain[name] = hex_in_words(_with(now, CLEAR, mined, burns))
        if mined:
            row: dict[str, Any] = {"at": name, "density": now.mines}
            known = [side for index, side in enumerate(sides) if now.mines_known >> index & 1]
            mines.append({**row, "known": known} if known else row)
        if burns:
            fires.append(name)
    return {key: value for key, value in (("terrain", terrain), ("mines", mines), ("fires", fires)) if value}


def _board(document: Document, place: Path_, value: Any, folder: Path, notes: list[Note]) -> Board:
    try:
        if isinstance(value, dict):
            return _typed(document, place, value)
        if isinstance(value, list):
            return _joined(document, place, value, folder, notes)
        if not isinstance(value, str):
            raise document.error(place, f"{value!r} is no board: write its name or the path of a .board file")
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


def _with(now: Hex, other: Hex, mined: bool, burns: bool) -> Hex:
    """A hex with the mines and the fire of another."""
    if mined:
        now = replace(now, mines=other.mines, mines_known=other.mines_known)
    return replace(now, fire=other.fire) if burns else now


def _joined(document: Document, place: Path_, value: list[Any], folder: Path, notes: list[Note]) -> Board:
    """A list of boards side by side, or a list of such rows."""
    from opfor.formats.megamek.board import join_boards

    rows = value if value and all(isinstance(item, list) for item in value) else [value]
    if not value or not all(rows) or len({len(row) for row in rows}) != 1:
        raise document.error(place, "boards to join stand in rows of equal length")
    boards = []
    for y, row in enumerate(rows):
        below: Path_ = (*place, y) if rows is value else place
        boards.append([_board(document, (*below, x), item, folder, notes) for x, item in enumerate(row)])
    return join_boards(boards)


def _text(text: str, source: str, notes: list[Note]) -> Board:
    from opfor.formats.megamek.board import read_board

    board, found = read_board(text, source)
    notes.extend(found)
    return board
