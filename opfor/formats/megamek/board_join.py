"""Boards joined to one, and boards written as ``.board`` text. Rule: S-1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opfor.board.board import BUILDING_TYPES, Board, Hex
from opfor.errors import InputError
from opfor.formats.megamek.board_exits import LEFT_OUT, work_out_exits
from opfor.hex import Grid
from opfor.tables import table


def join_boards(boards: Sequence[Board] | Sequence[Sequence[Board]], name: str = "") -> Board:
    """One board of several: a list stands side by side from the left, a list of lists row by row from the top. Rule: S-1.

    The half-hex step of even columns must go on across the seam, so every board but the last of a row needs an even number
    of columns. Raises :class:`InputError` for that and for edges that do not meet.
    """
    rows = [[item] if isinstance(item, Board) else list(item) for item in boards]
    if boards and isinstance(boards[0], Board):
        rows = [[board for row in rows for board in row]]
    if not rows or not all(rows):
        raise InputError("no boards to join")
    width = sum(board.grid.width for board in rows[0])
    height = sum(row[0].grid.height for row in rows)
    most = table("board_terrain")["largest"]
    if width * height > most:
        raise InputError(f"boards joined to {width} by {height} hexes: at most {most} hexes")
    grid = Grid(width, height)
    cells: dict[int, dict[str, Any]] = {}
    left_out: dict[tuple[int, str], int] = {}
    onto_pavement = True
    top = 0
    for row in rows:
        if sum(board.grid.width for board in row) != width:
            raise InputError(f"rows of boards differ in width: {width} and {sum(b.grid.width for b in row)} columns")
        left = 0
        for index, board in enumerate(row):
            if board.grid.height != row[0].grid.height:
                raise InputError(f"{row[0].name} is {row[0].grid.height} rows high, {board.name} beside it {board.grid.height}")
            if board.grid.width % 2 and index < len(row) - 1:
                raise InputError(
                    f"{board.name} is {board.grid.width} columns wide: a board with another to its right needs an even number"
                )
            moved = {c: grid.cell(board.grid.columns[c] + left, board.grid.rows[c] + top) for c in board.grid.on_board}
            for cell, new in moved.items():
                cells[new] = {f: getattr(board.hexes[cell], f) for f in Hex.__slots__}
            open_exits, paved = board.tables.get(LEFT_OUT, ({}, True))
            onto_pavement = onto_pavement and paved
            left_out.update({(moved[cell], kind): level for (cell, kind), level in open_exits.items()})
            left += board.grid.width
        top += row[0].grid.height
    work_out_exits(grid, cells, left_out, onto_pavement)
    title = name or " + ".join(board.name for row in rows for board in row)
    joined = Board(title, grid, {cell: Hex(**fields) for cell, fields in cells.items()})
    joined.tables[LEFT_OUT] = (left_out, onto_pavement)
    return joined


def write_board(board: Board) -> str:
    """The board as a ``.board`` text; reading it gives the same hexes again."""
    grid = board.grid
    digits = max(2, len(str(grid.width)))
    lines = [f"size {grid.width} {grid.height}"]
    for row in range(grid.height):
        for column in range(grid.width):
            record = board.hexes[grid.cell(column, row)]
            number = f"{column + 1:0{digits}d}{row + 1:02d}"
            lines.append(f'hex {number} {record.level} "{_terrain_text(record)}" ""')
    return "\n".join([*lines, "end", ""])


def _terrain_text(record: Hex) -> str:
    rules = table("board_terrain")
    exact = {entry.partition(":")[0]: entry for entry in record.other}
    parts: list[str] = []
    if record.woods:
        parts += [exact.pop("woods", f"woods:{record.woods}"), f"foliage_elev:{record.foliage}"]
    if record.water >= 0:
        parts.append(f"water:{record.water}")
    for name, attribute in rules["flags"].items():
        if getattr(record, attribute):
            parts.append(exact.pop(name, f"{name}:1"))
    if record.smoke:
        parts.append(exact.pop("smoke", f"smoke:{record.smoke}"))
    if record.road:
        parts.append(f"road:1:{record.road_exits}")
    if record.building:
        parts += [
            f"building:{record.building}:{record.building_exits}",
            f"bldg_elev:{record.building_height}",
            f"bldg_cf:{record.building_cf}",
        ]
    if record.bridge:
        kind = next((k for k, cf in enumerate(rules["construction_factor"]) if cf >= record.bridge_cf), len(BUILDING_TYPES) - 1)
        parts += [
            f"bridge:{kind}:{record.bridge_exits}",
            f"bridge_elev:{record.bridge_height}",
            f"bridge_cf:{record.bridge_cf}",
        ]
    return ";".join(parts + list(exact.values()))
