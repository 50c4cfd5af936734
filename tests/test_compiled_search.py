"""The compiled search against the plain one, and grounds made from earlier ones against grounds made afresh."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from opfor.board.board import Board
from opfor.rules.moving.compiling import use_compiled
from opfor.rules.moving.ground import Ground
from opfor.rules.moving.grounds import ground_of
from opfor.rules.moving.jumps import jumps_from
from opfor.rules.moving.landing import jump_cells
from opfor.rules.moving.motions import motion_named
from opfor.rules.moving.movement import ground_reach
from opfor.rules.moving.reach import Reach
from opfor.rulesets import named_ruleset
from opfor.state import State
from opfor.units.state import UnitState
from tests.test_reach import MOTIVES, mixed_position, random_hex, random_position

MOTIONS = ("mech", "tracked", "wheeled", "hover", "foot", "mechanized_hover")


@pytest.fixture
def compiled() -> Iterator[None]:
    """The compiled search is on."""
    if not use_compiled():
        pytest.skip("numba is not installed")
    yield
    use_compiled(False)


def told(reach: Reach | None) -> dict[str, Any] | None:
    """All that a reach says, orders of dictionaries included."""
    if reach is None:
        return None
    keys = list(reach.keys)
    ends = [reach.end(key) for key in keys]
    passes = (reach.safe, reach.any, *(reach.roads or ()))
    stances = sorted(reach.cheapest())[::4]
    places = reach.places(standing=True, always=False)
    return {
        "keys": keys,
        "ends": ends,
        "by number": [reach.end_at(number) for number in range(len(keys))],
        "paths": [reach.path(end) for end in ends],
        "turned": [reach.turned(end) for end in ends if end.node >= 0],
        "labels": [list(one.labels.items()) for one in passes],
        "parents": [one.parents for one in passes],
        "refused": [one.refused for one in passes],
        "unfinished": reach.unfinished(),
        "cheapest": list(reach.cheapest().items()),
        "within": [
            reach.path_within(stance, budget, road=road)
            for stance in stances
            for budget in (0, 1, reach.limit)
            for road in (False, True)
        ],
        "mp": [min(mp, 999) for road in ((False, True) if reach.bonus else (False,)) for mp in reach.mp_at(stances, road=road)],
        "places": [list(column) for column in places[:-1]],
        "numbers": [places.numbers(index) for index in range(len(places.places))],
    }


def positions(seeds: range) -> Iterator[tuple[State, UnitState]]:
    """Units of every kind, some in the middle of a movement, some that may change levels backward."""
    for seed in seeds:
        for motive in (None, *MOTIVES):
            rnd = random.Random(f"compiled {motive} {seed}")
            state, unit = random_position(rnd) if motive is None else mixed_position(rnd, motive)
            if rnd.random() < 0.3:
                unit.mp_spent, unit.mode, unit.hexes_moved = 1, rnd.choice(("walk", "run")), rnd.randint(0, 1)
            if rnd.random() < 0.3:
                state.ruleset = named_ruleset("campaign")
            if rnd.random() < 0.1 and len(state.units) > 1:
                # somebody else has come into the same place
                state.units[1].cell, state.units[1].elevation = unit.cell, unit.elevation
            yield state, unit


def check(seeds: range) -> int:
    """Compare both searches; how many ends they found."""
    found = 0
    for state, unit in positions(seeds):
        for mode in ("walk", "run", "forward", "sprint"):
            use_compiled(False)
            plain = told(ground_reach(state, unit, mode))
            use_compiled()
            assert told(ground_reach(state, unit, mode)) == plain, (seeds, unit.spec.name, mode)
            found += len(plain["keys"]) if plain is not None else 0
    return found


@pytest.mark.usefixtures("compiled")
def test_both_searches_say_the_same() -> None:
    assert check(range(8)) > 1000


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("block", range(10))
def test_both_searches_say_the_same_often(block: int) -> None:
    assert check(range(10 + block * 10, 20 + block * 10)) > 1000


@pytest.mark.usefixtures("compiled")
def test_jumps_come_down_in_the_same_hexes() -> None:
    for seed in range(20):
        rnd = random.Random(f"jumps {seed}")
        ground = Ground(random_board(rnd), motion_named(rnd.choice(MOTIONS)))
        for _ in range(4):
            place = rnd.choice(ground.board.grid.on_board) * 2 + rnd.randint(0, 1)
            limit = rnd.randint(1, 8)
            cells = jump_cells(ground, place, limit, limit)
            found = jumps_from(ground, place, limit, limit)
            assert list(found.cells.items()) == list(cells.items())


def random_board(rnd: random.Random) -> Board:
    """A board of any hexes."""
    width, height = rnd.randint(3, 8), rnd.randint(3, 8)
    return Board.from_rows("random", width, height, {(c, r): random_hex(rnd) for c in range(width) for r in range(height)})


def written(ground: Ground) -> dict[str, Any]:
    """All that a ground says."""
    stances = [cell * 12 + i for cell in ground.board.grid.on_board for i in range(12)]
    return {
        "levels": (ground.level, ground.elevation, [bool(paved) for paved in ground.paved]),
        "steps": [ground.steps(stance // 6, stance % 6) for stance in stances],
        "ahead": [ground.ahead(stance) for stance in stances],
        "behind": [(ground.behind(stance), ground.behind(stance, 1)) for stance in stances],
        "aside": [ground.aside(stance) for stance in stances],
    }


def changed_boards(rnd: random.Random, motion: str) -> Iterator[Board]:
    """A board as it changes, its ground asked for before most changes."""
    board = random_board(rnd)
    for _ in range(5):
        if rnd.random() < 0.8:
            written(ground_of(board, motion_named(motion)))
        cells = rnd.sample(board.grid.on_board, rnd.randint(1, 3))
        board = board.changed({cell: random_hex(rnd) for cell in cells})
        yield board


@pytest.mark.parametrize("motion", MOTIONS)
def test_a_ground_made_from_an_earlier_one(motion: str) -> None:
    for seed in range(6):
        for board in changed_boards(random.Random(f"{motion} {seed}"), motion):
            assert written(ground_of(board, motion_named(motion))) == written(Ground(board, motion_named(motion)))


def test_boards_of_long_ago_are_let_go() -> None:
    rnd = random.Random(1)
    boards = [random_board(rnd)]
    for _ in range(6):
        ground_of(boards[-1])
        cell = rnd.choice(boards[-1].grid.on_board)
        boards.append(boards[-1].with_hex(cell, fire=not boards[-1].hexes[cell].fire))
        boards.append(boards[-1].with_hex(cell, woods=3 - boards[-1].hexes[cell].woods))
    assert all(board.former("ground") is None for board in boards[:-2])


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("motion", MOTIONS[:4])
def test_tables_made_from_earlier_ones(motion: str) -> None:
    from opfor.rules.moving.compiled import tables_of

    for seed in range(6):
        for board in changed_boards(random.Random(f"tables {motion} {seed}"), motion):
            renewed, afresh = tables_of(ground_of(board, motion_named(motion))), tables_of(Ground(board, motion_named(motion)))
            for name in ("hexes", "marks", "steps"):
                assert (getattr(renewed, name) == getattr(afresh, name)).all()
