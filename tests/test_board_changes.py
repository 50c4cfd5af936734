"""A changed board is the board that one would build afresh, and keeps what the change does not touch."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from opfor.board.board import QUIET, TABLE_READS, Board, Hex
from opfor.board.sight import sight
from opfor.rules.moving.grounds import ground_of
from tests.support import make_board

LISTS = ("level", "depth", "floor", "woods", "building", "building_top", "bridge")
CHANGES: tuple[dict[str, Any], ...] = (
    {"woods": 1},
    {"woods": 0, "rough": True},
    {"smoke": 2},
    {"fire": True, "smoke": 2},
    {"building": 2, "building_height": 2, "building_cf": 40},
    {"building": 0, "building_height": 0, "building_cf": 0, "rubble": True},
    {"building_cf": 3},
    {"water": 2},
    {"water": 2, "ice": True},
    {"bridge": True, "bridge_height": 1, "bridge_cf": 40},
    {"level": 3},
    {"mines": 10, "mines_known": 1},
)


def same(one: Board, other: Board) -> None:
    """Equal in every hex and every list."""
    assert one.hexes == other.hexes
    for name in LISTS:
        assert getattr(one, name) == getattr(other, name), name


def test_changed_boards_are_those_built_afresh() -> None:
    """Through long rows of changes, one hex or several at a time; the boards before stay as they were."""
    draw = random.Random(3)
    board = make_board({"0505-0808": "light woods", "0303": "level 2"}, (10, 10))
    for _ in range(120):
        before = board.hexes
        cells = draw.sample(list(board.grid.on_board), draw.randint(1, 3))
        changes = {cell: replace(board.hexes[cell], **draw.choice(CHANGES)) for cell in cells}
        changed = board.changed(changes)
        assert board.hexes == before
        same(changed, Board(board.name, board.grid, {c: changed.hexes[c] for c in board.grid.on_board}))
        same(board, Board(board.name, board.grid, {c: before[c] for c in board.grid.on_board}))
        board = changed


def test_a_change_to_nothing_is_no_change() -> None:
    """Hexes that stay what they are make no new board."""
    board = make_board({"0505": "light woods"})
    cell = board.grid.parse("0505")
    assert board.with_hex(cell, woods=1) is board


def test_lists_that_do_not_change_are_shared() -> None:
    """A building that weakens copies no list of levels."""
    board = make_board({"0505": "heavy building"})
    weaker = board.with_hex(board.grid.parse("0505"), building_cf=10)
    assert all(getattr(board, name) is getattr(weaker, name) for name in LISTS)


@pytest.mark.parametrize("name", sorted(QUIET))
def test_quiet_changes_keep_every_table(name: str) -> None:
    """What nobody walks over or looks through leaves sight and ground alone."""
    board = make_board({"0505": "heavy building"})
    cells = [board.grid.parse(at) for at in ("0504", "0506")]
    sight(board, cells[0], 0, 1, cells[1], 0, 1)
    ground_of(board)
    cell = board.grid.parse("0505")
    other = board.with_hex(cell, **{name: True if name == "fire" else 7})
    assert other.tables["sight"] is board.tables["sight"]
    assert other.tables["ground"] is board.tables["ground"]


def test_smoke_keeps_the_ground_and_drops_the_sight() -> None:
    """Who looks through it counts it; who walks through it does not."""
    board = make_board({})
    a, b, between = (board.grid.parse(at) for at in ("0504", "0507", "0505"))
    assert sight(board, a, 0, 1, b, 0, 1).points == 0
    ground = ground_of(board)
    smoky = board.with_hex(between, smoke=2)
    assert sight(smoky, a, 0, 1, b, 0, 1).points == 2
    assert sight(board, a, 0, 1, b, 0, 1).points == 0
    assert ground_of(smoky) is ground


def test_woods_shot_down_open_the_sight_and_the_way() -> None:
    """Both tables start afresh, and say what is so now."""
    board = make_board({"0505-0506": "heavy woods"})
    a, b = (board.grid.parse(at) for at in ("0504", "0507"))
    assert not sight(board, a, 0, 1, b, 0, 1).clear
    start = ground_of(board)
    opened = board.changed({c: replace(board.hexes[c], woods=0, rough=True) for c in map(board.grid.parse, ("0505", "0506"))})
    assert sight(opened, a, 0, 1, b, 0, 1).clear
    assert ground_of(opened) is not start
    assert [cost for _, cost, _ in ground_of(opened).steps(a * 2, 3)] == [2]
    assert [cost for _, cost, _ in start.steps(a * 2, 3)] == [3]


def test_tables_read_fields_that_there_are() -> None:
    """A misspelt field would keep a table for ever."""
    fields = set(Hex.__slots__)
    assert fields >= QUIET
    for name, read in TABLE_READS.items():
        assert read <= fields, name
