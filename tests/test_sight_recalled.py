"""Answers about lines of sight that are kept when the ground changes elsewhere are those of the ground as it is now."""

from __future__ import annotations

import random
from dataclasses import replace

from opfor.board.board import Board, Hex
from opfor.board.sight import sight, terrain_of
from opfor.hex import line_offsets
from tests.test_reach import random_hex


def distance(q: int, r: int) -> int:
    return max(abs(q), abs(r), abs(q + r))


def test_a_line_touches_hexes_on_shortest_ways_only() -> None:
    for dq in range(-16, 17):
        for dr in range(-16, 17):
            for group in line_offsets(dq, dr):
                for q, r in group:
                    assert distance(q, r) + distance(dq - q, dr - r) == distance(dq, dr)


def another(rnd: random.Random, hex: Hex) -> Hex:
    """The hex with smoke, without its trees, or another one altogether."""
    kind = rnd.random()
    if kind < 0.6:
        return replace(hex, smoke=rnd.randint(0, 2))
    return replace(hex, woods=0) if kind < 0.9 else random_hex(rnd)


def test_answers_as_the_ground_changes() -> None:
    recalled = 0
    for seed in range(25):
        rnd = random.Random(seed)
        width, height = rnd.randint(4, 9), rnd.randint(4, 9)
        hexes = {(c, r): random_hex(rnd) for c in range(width) for r in range(height)}
        board = Board.from_rows("random", width, height, hexes)
        cells = board.grid.on_board
        lines = []
        for _ in range(150):
            a, b = rnd.choice(cells), rnd.choice(cells)
            a_base, b_base = board.floor[a] + rnd.randint(0, 1), board.floor[b] + rnd.randint(0, 1)
            lines.append((a, a_base, a_base + rnd.randint(0, 1), b, b_base, b_base + rnd.randint(0, 1)))
        for _ in range(5):
            for line in lines[:100]:
                sight(board, *line)
            for _ in range(rnd.randint(1, 2)):
                board = board.changed({cell: another(rnd, board.hexes[cell]) for cell in rnd.sample(cells, rnd.randint(1, 4))})
            afresh = Board("afresh", board.grid, {cell: board.hexes[cell] for cell in cells})
            recalled += sum(
                terrain_of(board).before is not None and terrain_of(board).recalled(line) is not None for line in lines
            )
            assert [sight(board, *line) for line in lines] == [sight(afresh, *line) for line in lines], seed
            for name in ("solid", "floor", "screen", "obstacle"):
                assert getattr(terrain_of(board), name) == getattr(terrain_of(afresh), name)
    assert recalled > 500
