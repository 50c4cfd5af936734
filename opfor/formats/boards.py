"""Boards from files on disk. Rule: S-1."""

from __future__ import annotations

from pathlib import Path

from opfor.board.board import Board
from opfor.formats.files import read_text
from opfor.formats.megamek.board import read_board
from opfor.formats.notes import Note


def load_board(path: str | Path) -> tuple[Board, list[Note]]:
    """The board in a ``.board`` file and notes of its oddities. Raises :class:`opfor.errors.InputError`."""
    text, notes = read_text(path)
    board, more = read_board(text, Path(path).name)
    return board, notes + more
