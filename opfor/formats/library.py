"""Boards that come with the program, read. Rule: S-1."""

from __future__ import annotations

from functools import cache

from opfor.board.board import Board
from opfor.board.library import board_text, find_board
from opfor.formats.megamek.board import read_board


def board_named(name: str) -> Board:
    """A built-in board by its name, as ``river-crossing``; shared, since boards never change.

    Forgiving as :func:`opfor.board.library.find_board`; raises :class:`opfor.errors.InputError` with the nearest names.
    """
    return _read(find_board(name))


@cache
def _read(name: str) -> Board:
    board, _ = read_board(board_text(name), name)
    return board
