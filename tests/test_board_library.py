"""The boards that come with the program: complete, consistent and playable. Rule: S-1."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from opfor.board.board import Board
from opfor.board.library import board_about, board_names, board_text, find_board
from opfor.errors import InputError
from opfor.formats.library import board_named
from opfor.formats.megamek.board import read_board

LINE = re.compile(r'^hex (\d{2})(\d{2}) (-?\d+) "([^"]*)" ""$')
TERRAIN = {
    "woods", "foliage_elev", "rough", "rubble", "water", "swamp", "pavement", "road", "building", "bldg_elev", "bldg_cf",
    "bridge", "bridge_elev", "bridge_cf",
}  # fmt: skip
#: construction factor of a whole building by its type, light to hardened
FACTORS = {1: 15, 2: 40, 3: 90, 4: 120}
#: a 'Mech climbs or descends at most two levels in one step
STEP = 2


def rows(name: str) -> list[tuple[str, int, dict[str, str]]]:
    """(hex number, level, terrain with the text after the first colon) of each line of a board's text."""
    found = []
    for line in board_text(name).splitlines():
        if line.startswith(("#", "size ")) or line == "end":
            continue
        match = LINE.match(line)
        assert match, f"{name}: {line}"
        terrain = dict(part.split(":", 1) for part in match[4].split(";") if part)
        found.append((match[1] + match[2], int(match[3]), terrain))
    return found


def cells(board: Board) -> dict[str, int]:
    return {board.grid.names[cell]: cell for cell in board.grid.on_board}


def test_there_are_boards_of_each_kind_of_ground() -> None:
    kinds = {name: Counter(word for _, _, terrain in rows(name) for word in terrain) for name in board_names()}
    assert len(kinds) >= 8
    woods = sum(kinds["deep-woods"][w] for w in ("woods",))
    assert woods >= 100
    assert max(level for _, level, _ in rows("high-hills")) >= 4
    assert kinds["lake-shore"]["water"] >= 60
    assert {"1", "2"} <= {terrain["water"] for _, _, terrain in rows("river-crossing") if "water" in terrain}
    assert {"bridge", "road"} <= set(kinds["river-crossing"])
    assert {terrain["building"][0] for _, _, terrain in rows("city-blocks") if "building" in terrain} == set("1234")
    assert {"road", "pavement", "rubble"} <= set(kinds["city-blocks"])
    assert sum(kinds["open-plain"].values()) < 50
    assert max(level for _, level, _ in rows("red-canyon")) >= 5


@pytest.mark.parametrize("name", board_names())
def test_every_hex_stands_once_and_in_order(name: str) -> None:
    lines = board_text(name).splitlines()
    size = next(line for line in lines if line.startswith("size ")).split()
    width, height = int(size[1]), int(size[2])
    assert (width, height) == ((32, 34) if name == "frontier" else (16, 17))
    assert lines[-1] == "end"
    assert [number for number, _, _ in rows(name)] == [
        f"{c:02d}{r:02d}" for r in range(1, height + 1) for c in range(1, width + 1)
    ]
    assert board_about(name)


@pytest.mark.parametrize("name", board_names())
def test_terrain_is_written_whole(name: str) -> None:
    for number, _, terrain in rows(name):
        where = f"{name} {number}: {terrain}"
        assert set(terrain) <= TERRAIN, where
        assert ("woods" in terrain) == ("foliage_elev" in terrain), where
        if "building" in terrain:
            assert int(terrain["bldg_cf"]) == FACTORS[int(terrain["building"].split(":")[0])], where
            assert int(terrain["bldg_elev"]) >= 1, where
        if "bridge" in terrain:
            assert {"water", "bridge_elev", "bridge_cf"} <= set(terrain), where


@pytest.mark.parametrize("name", board_names())
def test_boards_read_without_a_remark(name: str) -> None:
    board, notes = read_board(board_text(name), name)
    assert not notes
    assert not any(board.hex(cell).other for cell in board.grid.on_board)
    assert board.name == name


@pytest.mark.parametrize("name", board_names())
def test_roads_meet_roads_and_keep_to_gentle_slopes(name: str) -> None:
    board = board_named(name)
    for cell in board.grid.on_board:
        record = board.hex(cell)
        exits = record.road_exits | record.bridge_exits
        deck = record.level + (record.bridge_height if record.bridge else 0)
        for direction in range(6):
            other = board.grid.neighbour(cell, direction)
            if not exits >> direction & 1 or not board.grid.contains(other):
                continue
            beyond = board.hex(other)
            where = f"{name} {board.grid.names[cell]} direction {direction}"
            assert (beyond.road_exits | beyond.bridge_exits) >> (direction + 3) % 6 & 1, where
            assert abs(deck - beyond.level - (beyond.bridge_height if beyond.bridge else 0)) <= 1, where


@pytest.mark.parametrize("name", board_names())
def test_buildings_of_several_hexes_are_one_building(name: str) -> None:
    board = board_named(name)
    for cell in board.grid.on_board:
        record = board.hex(cell)
        for direction in range(6):
            if record.building and record.building_exits >> direction & 1:
                other = board.hex(board.grid.neighbour(cell, direction))
                assert (other.building, other.building_height) == (record.building, record.building_height)
                assert other.building_exits >> (direction + 3) % 6 & 1


@pytest.mark.parametrize("name", board_names())
def test_a_mech_can_walk_from_any_hex_to_any_other(name: str) -> None:
    board = board_named(name)
    on_board = set(board.grid.on_board)
    seen, todo = set(), [board.grid.on_board[0]]
    while todo:
        cell = todo.pop()
        if cell in seen:
            continue
        seen.add(cell)
        for direction in range(6):
            other = board.grid.neighbour(cell, direction)
            if other in on_board and abs(board.floor[cell] - board.floor[other]) <= STEP:
                todo.append(other)
    assert seen == on_board


@pytest.mark.parametrize("name", board_names())
def test_the_edges_leave_room_to_deploy(name: str) -> None:
    board = board_named(name)
    width, height = board.grid.width, board.grid.height
    edges = {
        "north": [(c, 0) for c in range(width)],
        "south": [(c, height - 1) for c in range(width)],
        "west": [(0, r) for r in range(height)],
        "east": [(width - 1, r) for r in range(height)],
    }
    for edge, places in edges.items():
        records = [board.hex(board.grid.cell(*at)) for at in places]
        free = sum(1 for record in records if record.water < 1 and not record.building and not record.swamp)
        assert free >= 0.75 * len(records), (name, edge)


def test_cliffs_stand_where_the_description_says() -> None:
    for name in ("high-hills", "red-canyon"):
        board = board_named(name)
        steps = [
            abs(board.floor[cell] - board.floor[board.grid.neighbour(cell, d)])
            for cell in board.grid.on_board
            for d in range(6)
            if board.grid.contains(board.grid.neighbour(cell, d))
        ]
        assert max(steps) > STEP, name


def test_a_bridge_leads_over_the_river_from_bank_to_bank() -> None:
    board = board_named("river-crossing")
    for number in ("0708", "0808"):
        record = board.at(number)
        assert record.bridge and record.depth >= 1
        assert record.bridge_exits.bit_count() == 2
        assert record.level + record.bridge_height == board.at("0608").level == board.at("0908").level == 1


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("river-crossing", "river-crossing"),
        ("River Crossing", "river-crossing"),
        ("RIVER_CROSSING.board", "river-crossing"),
        ("river", "river-crossing"),
        ("woods", "deep-woods"),
        ("city", "city-blocks"),
    ],
)
def test_names_are_forgiving(said: str, meant: str) -> None:
    assert find_board(said) == meant


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean river-crossing"):
        board_text("rivver-crosing")
    with pytest.raises(InputError, match="known: city-blocks"):
        board_text("xyz")
    with pytest.raises(InputError, match="there is no board"):
        find_board("")


def test_a_board_is_read_once_and_shared() -> None:
    assert board_named("frontier") is board_named("Frontier")
