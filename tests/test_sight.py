"""The fast line of sight against the plain one on random boards, and what must hold for any line."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from opfor.board.board import Board, Hex
from opfor.board.sight import LEFT, RIGHT, between, building_cells, covering_cells, inside_building, sight
from opfor.hex import Grid
from tests.plain_sight import plain_sight
from tests.support import make_board


def random_board(rng: random.Random, width: int, height: int) -> Board:
    """Hills, woods, water, smoke and buildings, dense enough that lines meet all of them."""
    grid = Grid(width, height)
    hexes = {}
    for cell in grid.on_board:
        kind = rng.random()
        level = rng.choice((0, 0, 0, 1, 1, 2, 3, -1))
        record = Hex(level=level)
        if kind < 0.3:
            record = replace(record, woods=rng.choice((1, 1, 2)), foliage=rng.choice((2, 2, 2, 1, 3)))
        elif kind < 0.5:
            record = replace(record, water=rng.choice((0, 1, 1, 2, 3)))
        elif kind < 0.62:
            record = replace(
                record, building=rng.choice((1, 2)), building_height=rng.choice((1, 2, 4)), building_exits=rng.randrange(64)
            )
        if rng.random() < 0.1:
            record = replace(record, smoke=rng.choice((1, 2)))
        hexes[cell] = record
    return Board("random", grid, hexes)


def random_stand(rng: random.Random, board: Board) -> tuple[int, int, int]:
    """Cell, base and top of some unit: on the ground or bottom, on a roof or the surface of water, standing or prone."""
    cell = rng.choice(board.grid.on_board)
    base = board.floor[cell]
    if rng.random() < 0.25:
        base = board.level[cell] + rng.choice((0, board.building_top[cell]))
    return cell, base, base + rng.choice((1, 1, 0))


def check(board: Board, a: tuple[int, int, int], t: tuple[int, int, int]) -> None:
    """Fast and plain agree; of several things that block a line either may name another one."""
    fast, plain = sight(board, *a, *t), plain_sight(board, *a, *t)
    assert bool(fast.why) == bool(plain.why) == (not fast.clear)
    assert fast._replace(why="") == plain._replace(why=""), (a, t)


@pytest.mark.parametrize("seed", range(6))
def test_fast_and_plain_agree(seed: int) -> None:
    rng = random.Random(seed)
    board = random_board(rng, rng.randrange(5, 13), rng.randrange(5, 13))
    for _ in range(160):
        a, t = random_stand(rng, board), random_stand(rng, board)
        check(board, a, t)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 130))
def test_fast_and_plain_agree_more(seed: int) -> None:
    rng = random.Random(seed)
    board = random_board(rng, rng.randrange(3, 20), rng.randrange(3, 20))
    for _ in range(300):
        a, t = random_stand(rng, board), random_stand(rng, board)
        check(board, a, t)


@pytest.mark.parametrize("seed", range(4))
def test_sight_is_mutual(seed: int) -> None:
    rng = random.Random(1000 + seed)
    board = random_board(rng, 14, 15)
    for _ in range(1500):
        a, t = random_stand(rng, board), random_stand(rng, board)
        there, back = sight(board, *a, *t), sight(board, *t, *a)
        assert there.clear == back.clear
        if there.clear and there.side == 0:
            assert there[2:7] == back[2:7]
            assert (there.target_cover, there.attacker_cover) == (back.attacker_cover, back.target_cover)


def test_answers_are_kept_with_the_board() -> None:
    board = make_board({"0503": "heavy woods"})
    a, t = board.grid.parse("0501"), board.grid.parse("0505")
    assert sight(board, a, 0, 1, t, 0, 1) is sight(board, a, 0, 1, t, 0, 1)
    cleared = board.with_hex(board.grid.parse("0503"), woods=0)
    assert sight(board, a, 0, 1, t, 0, 1).heavy_woods == 1
    assert sight(cleared, a, 0, 1, t, 0, 1).heavy_woods == 0


def test_between_lists_one_side_of_a_divided_line() -> None:
    board = make_board()
    a, t = board.grid.parse("0505"), board.grid.parse("0705")
    names = board.grid.names
    # due east from 0505: the hexside between 0604 (north, left) and 0605 (south, right)
    assert [names[c] for c in between(board, a, t, LEFT)] == ["0604"]
    assert [names[c] for c in between(board, a, t, RIGHT)] == ["0605"]
    assert [names[c] for c in between(board, t, a, LEFT)] == ["0605"]


def test_covering_cells() -> None:
    board = make_board({"0504": "level 1"})
    a, t = board.grid.parse("0502"), board.grid.parse("0505")
    assert covering_cells(board, a, t, 1, 0) == (board.grid.parse("0504"),)
    assert covering_cells(board, a, t, 2, 0) == ()


def test_buildings_are_joined_by_their_exits() -> None:
    board = make_board(
        {
            "0505": {"building": 2, "building_height": 2, "building_exits": 1 << 3},
            "0506": {"building": 2, "building_height": 2},
            "0507": {"building": 2, "building_height": 2},
        }
    )
    here = board.grid.parse("0505")
    assert building_cells(board, here) == {here, board.grid.parse("0506")}
    assert building_cells(board, board.grid.parse("0507")) == {board.grid.parse("0507")}
    assert building_cells(board, board.grid.parse("0101")) == frozenset()
    assert inside_building(board, here, 0) and inside_building(board, here, 1)
    assert not inside_building(board, here, 2)
