"""The movement search against a plain one, on random boards; and the number of legal orders on fixed positions."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from opfor.board.board import Board, Hex
from opfor.dice import Roll, SeededDice
from opfor.game.apply.movement import apply_movement
from opfor.game.legal.movement import MovementChoices
from opfor.game.legal.moves import UnitMoves
from opfor.rules.ground import HEXES
from opfor.rules.play import Play
from opfor.rulesets import named_ruleset
from opfor.state import State
from opfor.units.state import UnitState
from tests import plain_reach
from tests.plain_reach import Best, Mover, Plain, Spot, Stop
from tests.support import test_mech

COUNTS = Path(__file__).parent / "cases" / "movement" / "counts.txt"


# -- random positions ---------------------------------------------------------------------------------------------------


def random_hex(rnd: random.Random) -> Hex:
    """A hex of any kind, each often enough to matter."""
    level = rnd.choice((0, 0, 0, 0, 1, 1, 2, 3, -1))
    kind = rnd.random()
    if kind < 0.35:
        return Hex(level=level)
    if kind < 0.5:
        return Hex(level=level, woods=rnd.choice((1, 1, 2)))
    if kind < 0.62:
        return Hex(level=level, water=rnd.choice((0, 1, 1, 2, 3)))
    if kind < 0.72:
        return Hex(level=level, rough=rnd.random() < 0.4, rubble=rnd.random() < 0.4, swamp=rnd.random() < 0.4)
    if kind < 0.88:
        if rnd.random() < 0.5:
            return Hex(level=level, pavement=True)
        return Hex(level=level, road=True, road_exits=rnd.randrange(64), woods=rnd.choice((0, 0, 1)))
    if kind < 0.95:
        return Hex(level=level, building=rnd.randint(1, 4), building_height=rnd.randint(1, 4), building_cf=40)
    return Hex(
        level=level, water=rnd.choice((-1, 1, 2)), bridge=True, bridge_height=rnd.randint(0, 3), bridge_cf=90,
        bridge_exits=rnd.randrange(64),
    )  # fmt: skip


def random_position(rnd: random.Random) -> tuple[State, UnitState]:
    """A unit of any condition among others on a small board."""
    width, height = rnd.randint(4, 9), rnd.randint(4, 9)
    board = Board.from_rows("random", width, height, {(c, r): random_hex(rnd) for c in range(width) for r in range(height)})
    quad = rnd.random() < 0.25
    units = []
    for index in range(rnd.randint(1, 6)):
        spec = test_mech(
            quad=quad and index == 0, walk=rnd.randint(1, 5), jump=rnd.choice((0, 0, 1, 2, 3)) if index == 0 else 0
        )
        unit = UnitState(spec, f"u{index}", 0 if index == 0 else rnd.randint(0, 1))
        unit.moved = index > 0 and rnd.random() < 0.7
        unit.facing = rnd.randrange(6)
        unit.prone = rnd.random() < 0.15
        put(rnd, board, unit, units)
        units.append(unit)
    units[0].gyro_hits = rnd.choice((0, 0, 0, 0, 1, 2 if units[0].prone else 1))
    if rnd.random() < 0.2:
        units[0].heat = rnd.randint(0, 14)
    state = State(board, named_ruleset("standard"), ("a", "b"), units)
    state.phase = "movement"
    return state, units[0]


def put(rnd: random.Random, board: Board, unit: UnitState, others: list[UnitState]) -> None:
    """Place a unit on any free spot."""
    plain = Plain(board)
    taken = {spot_of(board, other) for other in others}
    while True:
        column, row, high = rnd.randrange(board.grid.width), rnd.randrange(board.grid.height), rnd.random() < 0.3
        spot = (column, row, high)
        level = plain.level(spot)
        if level is not None and spot not in taken:
            unit.cell = board.grid.cell(column, row)
            unit.elevation = level - board.level[unit.cell]
            return


def spot_of(board: Board, unit: UnitState) -> Spot:
    """Where a unit stands, as the plain search says it."""
    hex = board.hexes[unit.cell]
    top = hex.bridge_height if hex.bridge else hex.building_height if hex.building else None
    return board.grid.columns[unit.cell], board.grid.rows[unit.cell], top is not None and unit.elevation == top


def mover_of(state: State, unit: UnitState, moves: UnitMoves) -> Mover:
    """The unit as the plain search wants it."""
    board = state.board
    others = [(u, spot_of(board, u)) for u in state.units if u is not unit and u.alive]
    enemies = [(u, spot) for u, spot in others if u.side != unit.side]
    plain = Plain(board)
    ready = [(u, spot) for u, spot in enemies if u.moved or not u.active]
    return Mover(
        at=spot_of(board, unit),
        facing=unit.facing,
        walk=moves.points.walk,
        run=moves.points.run,
        jump=moves.points.jump,
        prone=unit.prone,
        quad=unit.spec.quad,
        may_stand=unit.gyro_hits < 2,
        enemies=frozenset(spot for _, spot in enemies),
        friends=frozenset(spot for u, spot in others if u.side == unit.side),
        charged=frozenset(spot for u, spot in ready if not u.prone),
        jumped_on=frozenset(spot for u, spot in ready if plain.level((*spot[:2], True)) is None or spot[2]),
    )


def searched(state: State, moves: UnitMoves, mode: str) -> dict[Stop, Best]:
    """The ends of the search in the plain search's words."""
    reach = moves.reach(mode)
    found: dict[Stop, Best] = {}
    if reach is None:
        return found
    grid = state.board.grid
    for end in map(reach.end, reach.keys):
        stance, prone = end.stance, end.prone
        place, facing = divmod(stance, 6)
        stop = Stop((grid.columns[place >> 1], grid.rows[place >> 1], bool(place & 1)), facing, prone)
        best = Best((end.mp, end.hexes), None if end.rolls else (end.mp, end.hexes))
        cheapest = reach.cheapest().get(stance)
        if cheapest is not None and end.node >= 0:
            best.any = (cheapest[0] + (1 if prone else 0), cheapest[1])
        found[stop] = best
    return found


def check(seed: int) -> int:
    """Compare one random position; how many orders it has."""
    rnd = random.Random(seed)
    state, unit = random_position(rnd)
    moves = UnitMoves(state, unit)
    plain = Plain(state.board)
    mover = mover_of(state, unit, moves)
    for mode in ("walk", "run"):
        assert searched(state, moves, mode) == plain_reach.ends(plain, mover, mode), (seed, mode)
    choices = MovementChoices(state, [unit])
    orders = list(choices)
    assert len(orders) == len(set(orders)) == choices.count() == plain_reach.count(plain, mover), seed
    for order in rnd.sample(orders, min(12, len(orders))):
        applies(state, unit, choices, order)
        longer = moves.longer(order)
        if longer is not None:
            assert choices.option(longer).hexes > choices.option(order).hexes
            applies(state, unit, choices, longer)
    return len(orders)


class Sixes(SeededDice):
    """Nothing but sixes: every roll succeeds."""

    def roll(self, count: int, why: str) -> Roll:
        self.log.append(Roll((6,) * count, why))
        return self.log[-1]


def applies(state: State, unit: UnitState, choices: MovementChoices, order: object) -> None:
    """A listed order is legal, costs what it says, and leads where it says when every roll succeeds."""
    assert order in choices
    option = choices.option(order)  # type: ignore[arg-type]
    order = option.order
    points = choices.of(unit).points
    limit = {"stand": 0, "walk": points.walk, "run": points.run, "jump": points.jump}[order.mode]
    assert option.mp <= limit or (option.hexes == 1 and order.path[-1] == "F"), order
    twin = state.copy()
    play = Play(twin, Sixes(0))
    assert apply_movement(play, order)
    after = twin.unit(order.unit)
    if any(event.what in ("bogged_down", "building_collapsed", "fall", "pilot_hit") for event in play.events):
        return
    assert (after.cell, after.facing, after.elevation, after.prone) == (order.to, order.facing, order.elevation, order.prone)
    assert (after.mp_spent, after.hexes_moved, after.heat_built) == (option.mp, option.hexes, option.heat), order
    rolls = [event for event in play.events if event.what == "roll"]
    assert [event.data["tn"] for event in rolls] == [number.as_dict() for _, number in option.rolls], order


@pytest.mark.parametrize("block", range(5))
def test_random_positions(block: int) -> None:
    assert sum(check(seed) for seed in range(block * 40, block * 40 + 40)) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_many_random_positions(block: int) -> None:
    for seed in range(1000 + block * 100, 1100 + block * 100):
        check(seed)


def test_labels_hold_every_path() -> None:
    """A label leaves room for the hexes of the longest movement."""
    assert HEXES > 40
