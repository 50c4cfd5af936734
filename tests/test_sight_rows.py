"""Rows of sight against single lines, on random boards."""

from __future__ import annotations

import random

import pytest

from opfor.board.board import Board, Hex
from opfor.board.sight import sight
from tests.test_reach import random_hex

pytest.importorskip("numba")

from opfor.board.sight_rows import SightRow, sight_row


def random_board(rnd: random.Random) -> Board:
    """A board of any hexes, some in smoke; buildings that stand beside each other are one more often than not."""
    width, height = rnd.randint(1, 12), rnd.randint(1, 12)
    hexes = {}
    for column in range(width):
        for row in range(height):
            hex = random_hex(rnd)
            if rnd.random() < 0.2:
                hex = Hex(level=rnd.randint(0, 1), smoke=rnd.randint(1, 2), woods=rnd.randint(0, 2))
            if rnd.random() < 0.15:
                hex = Hex(building=1, building_height=rnd.randint(1, 3), building_exits=rnd.randrange(64), building_cf=15)
            hexes[column, row] = hex
    return Board.from_rows("random", width, height, hexes)


def compare(board: Board, cell: int, base: int, top: int) -> int:
    """Compare a row with its lines; how many of them are clear."""
    row = sight_row(board, cell, base, top)
    clear = 0
    for target in board.grid.on_board:
        floor = board.floor[target]
        seen = sight(board, cell, base, top, target, floor, floor + 1)
        assert bool(row.clear[target]) == seen.clear, (board.grid.names[cell], board.grid.names[target])
        if seen.clear:
            clear += 1
            for name in SightRow._fields[1:]:
                assert getattr(row, name)[target] == getattr(seen, name), (
                    name,
                    board.grid.names[cell],
                    board.grid.names[target],
                )
            assert row.points[target] == seen.points
    return clear


def test_rows_and_lines_say_the_same() -> None:
    clear = 0
    for seed in range(40):
        rnd = random.Random(seed)
        board = random_board(rnd)
        for _ in range(4):
            cell = rnd.choice(board.grid.on_board)
            base = board.floor[cell] + rnd.choice((0, 0, 0, 1, 2, board.depth[cell]))
            clear += compare(board, cell, base, base + rnd.randint(0, 1))
    assert clear > 2000


def test_a_row_is_kept_until_the_ground_changes() -> None:
    board = Board.from_rows("plain", 4, 4, {})
    cell = board.grid.parse("0101")
    row = sight_row(board, cell, 0, 1)
    assert sight_row(board, cell, 0, 1) is row
    assert sight_row(board.with_hex(board.grid.parse("0404"), fire=True), cell, 0, 1) is row
    # a hill between the two hides the one from the other
    hill = board.with_hex(board.grid.parse("0102"), level=3)
    assert sight_row(hill, cell, 0, 1).clear[board.grid.parse("0103")] == 0
    assert row.clear[board.grid.parse("0103")] == 1
