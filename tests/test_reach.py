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
from opfor.rules.moving.flight import airborne, landing_elevation, lowest_flight, why_no_landing
from opfor.rules.moving.ground import HEXES
from opfor.rules.moving.motions import motion_of
from opfor.rules.moving.movement import pavement_bonus
from opfor.rules.play import Play
from opfor.rulesets import named_ruleset
from opfor.state import State
from opfor.units.state import UnitState
from tests import plain_flight, plain_reach
from tests.plain_reach import Best, Mover, Plain, Spot, Stop
from tests.support import test_mech, test_platoon, test_suits, test_vehicle, test_vtol

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
    units: list[UnitState] = []
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


#: every kind of unit, by motive type
MOTIVES = {
    "tracked": lambda mp: test_vehicle(motive="tracked", cruise=mp),
    "wheeled": lambda mp: test_vehicle(motive="wheeled", cruise=mp),
    "hover": lambda mp: test_vehicle(motive="hover", cruise=mp),
    "foot": lambda mp: test_platoon(motive="foot"),
    "jump": lambda mp: test_platoon(motive="jump"),
    "motorized": lambda mp: test_platoon(motive="motorized"),
    "mechanized_tracked": lambda mp: test_platoon(motive="mechanized_tracked"),
    "mechanized_wheeled": lambda mp: test_platoon(motive="mechanized_wheeled"),
    "mechanized_hover": lambda mp: test_platoon(motive="mechanized_hover"),
    "suits": lambda mp: test_suits(walk=mp % 3 + 1, jump=mp % 4),
    "biped": lambda mp: test_mech(walk=mp, jump=mp % 3),
}


def mixed_position(rnd: random.Random, motive: str) -> tuple[State, UnitState]:
    """A unit of a motive type among others of any kind on a small board."""
    width, height = rnd.randint(4, 8), rnd.randint(4, 8)
    board = Board.from_rows("random", width, height, {(c, r): random_hex(rnd) for c in range(width) for r in range(height)})
    units: list[UnitState] = []
    for index in range(rnd.randint(1, 7)):
        spec = MOTIVES[motive if index == 0 else rnd.choice(list(MOTIVES))](rnd.randint(1, 5))
        unit = UnitState(spec, f"u{index}", 0 if index == 0 else rnd.randint(0, 1))
        unit.moved = index > 0 and rnd.random() < 0.7
        unit.facing = rnd.randrange(6)
        put(rnd, board, unit, units if unit.spec.is_mech else [])
        units.append(unit)
    units[0].stunned = int(units[0].spec.is_vehicle and rnd.random() < 0.1)
    units[0].cruise_lost = int(units[0].spec.is_vehicle and rnd.random() < 0.1)
    state = State(board, named_ruleset("standard"), ("a", "b"), units)
    state.phase = "movement"
    return state, units[0]


def flies(board: Board, unit: UnitState) -> bool:
    """Whether a unit is a VTOL in the air."""
    return unit.spec.kind == "vtol" and airborne(board.hexes[unit.cell], unit.elevation)


def put(rnd: random.Random, board: Board, unit: UnitState, others: list[UnitState]) -> None:
    """Place a unit on any free spot."""
    plain = Plain(board, motion_of(unit.spec).name)
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
    mech = unit.spec.is_mech
    others = [(u, spot_of(board, u)) for u in state.units if u is not unit and u.alive and not flies(board, u)]
    enemies = [(u, spot) for u, spot in others if u.side != unit.side]
    plain = Plain(board, motion_of(unit.spec).name)
    ready = [(u, spot) for u, spot in enemies if u.moved or not u.active]
    crowded = set()
    for _, spot in others:
        there = [u for u, other in others if other == spot]
        own = [u for u in there if u.side == unit.side]
        if len(own) >= 2 or len(there) >= 4 or (mech and any(u.spec.is_mech for u in own)):
            crowded.add(spot)
    here = spot_of(board, unit)
    return Mover(
        at=spot_of(board, unit),
        facing=unit.facing,
        walk=moves.points.walk,
        run=moves.points.run,
        jump=moves.points.jump,
        prone=unit.prone,
        quad=unit.spec.quad,
        may_stand=unit.gyro_hits < 2,
        enemies=frozenset(spot for u, spot in enemies if mech and u.spec.is_mech),
        friends=frozenset(crowded),
        held=frozenset(spot for u, spot in enemies if spot != here and (not mech or u.spec.is_vehicle)),
        bonus=1 if unit.spec.kind == "vehicle" and plain.paved(here) else 0,
        charged=frozenset(spot for u, spot in ready if not u.prone and not u.spec.is_infantry)
        if unit.spec.kind in ("mech", "vehicle")
        else frozenset(),
        jumped_on=frozenset(spot for u, spot in ready if mech and (plain.level((*spot[:2], True)) is None or spot[2])),
    )


def searched(state: State, moves: UnitMoves, mode: str) -> dict[Stop, Best]:
    """The ends of the search in the plain search's words."""
    reach = moves.reach(mode)
    found: dict[Stop, Best] = {}
    if reach is None:
        return found
    grid = state.board.grid
    all = reach.cheapest()
    free: dict[int, tuple[int, int]] = {}
    for stance, pair in all.items():
        free[stance // 6] = min(free.get(stance // 6, pair), pair, key=lambda p: (p[0], -p[1]))
    for end in map(reach.end, reach.keys):
        stance, prone = end.stance, end.prone
        place, facing = divmod(stance, 6)
        facing = 0 if reach.rules.free else facing
        stop = Stop((grid.columns[place >> 1], grid.rows[place >> 1], bool(place & 1)), facing, prone)
        best = Best((end.mp, end.hexes), None if end.rolls else (end.mp, end.hexes))
        cheapest = free.get(place) if reach.rules.free else all.get(stance)
        if cheapest is not None and end.node >= 0:
            best.any = (cheapest[0] + (1 if prone else 0), cheapest[1])
        found[stop] = best
    return found


def check(seed: int) -> int:
    """Compare one random position; how many orders it has."""
    rnd = random.Random(seed)
    return compare(rnd, *random_position(rnd), seed)


def compare(rnd: random.Random, state: State, unit: UnitState, seed: object) -> int:
    """Compare the search with the plain one in a position; how many orders it has."""
    moves = UnitMoves(state, unit)
    plain = Plain(state.board, motion_of(unit.spec).name)
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
    """Sixes where two dice are thrown: every roll succeeds. Single dice go round, so that a suit is found that is there."""

    def roll(self, count: int, why: str) -> Roll:
        dice = (6,) * count if count > 1 else (len(self.log) % 6 + 1,)
        self.log.append(Roll(dice, why))
        return self.log[-1]


def applies(state: State, unit: UnitState, choices: MovementChoices, order: object) -> None:
    """A listed order is legal, costs what it says, and leads where it says when every roll succeeds."""
    assert order in choices
    option = choices.option(order)  # type: ignore[arg-type]
    order = option.order
    points = choices.of(unit).points
    limit = {"stand": 0, "walk": points.walk, "run": points.run, "jump": points.jump}[order.mode]
    if order.mode in ("walk", "run"):
        limit += pavement_bonus(state, unit, choices.of(unit).ground)
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


@pytest.mark.parametrize("motive", MOTIVES)
def test_random_mixed_positions(motive: str) -> None:
    assert sum(mixed(motive, seed) for seed in range(25)) > 50


@pytest.mark.slow
@pytest.mark.parametrize("motive", MOTIVES)
def test_many_random_mixed_positions(motive: str) -> None:
    for seed in range(100, 400):
        mixed(motive, seed)


def mixed(motive: str, seed: int) -> int:
    rnd = random.Random(f"{motive} {seed}")
    return compare(rnd, *mixed_position(rnd, motive), (motive, seed))


@pytest.mark.parametrize("seed", range(12))
def test_random_flights(seed: int) -> None:
    """A VTOL over a random board: every end, with what it takes; what is listed can be flown."""
    rnd = random.Random(f"flight {seed}")
    width, height = rnd.randint(3, 6), rnd.randint(3, 6)
    board = Board.from_rows("random", width, height, {(c, r): random_hex(rnd) for c in range(width) for r in range(height)})
    unit = UnitState(test_vtol(cruise=rnd.randint(1, 3)), "u0", 0)
    unit.cell = board.grid.cell(rnd.randrange(width), rnd.randrange(height))
    unit.facing = rnd.randrange(6)
    hex = board.hexes[unit.cell]
    unit.elevation = lowest_flight(hex) + rnd.randint(0, 2)
    if not why_no_landing(hex) and rnd.random() < 0.4:
        unit.elevation = landing_elevation(hex)
    state = State(board, named_ruleset("standard"), ("a", "b"), [unit])
    state.phase = "movement"
    moves = UnitMoves(state, unit)
    for mode, limit in (("walk", moves.points.walk), ("run", moves.points.run)):
        reach = moves.reach(mode)
        found: dict[object, Best] = {}
        if reach is not None:
            cheapest = reach.cheapest()
            for end in map(reach.end, reach.keys):
                place, facing = divmod(end.stance, 6)
                cell = reach.ground.cell(place)
                at = (board.grid.columns[cell], board.grid.rows[cell], reach.ground.level[place])
                safe = None if end.rolls else (end.mp, end.hexes)
                found[at, facing] = Best(cheapest[end.stance], safe)
        flank = mode == "run"
        wanted = plain_flight.flights(board, unit, limit, flank) if not flank or limit > moves.points.walk else {}
        assert found == wanted, (seed, mode)
    choices = MovementChoices(state, [unit])
    orders = list(choices)
    assert len(orders) == len(set(orders)) == plain_flight.count_flights(board, unit, moves.points)
    for order in rnd.sample(orders, min(25, len(orders))):
        applies(state, unit, choices, order)


def test_labels_hold_every_path() -> None:
    """A label leaves room for the hexes of the longest movement."""
    assert HEXES > 40
