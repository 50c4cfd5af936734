"""Movement written as plainly as it can be, to check the search and the counts of legal orders against.

Nothing of :mod:`opfor.rules` is used: hexes are (column, row), neighbours come from the column's parity, every path is tried
step by step, and the costs are written out again from the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from opfor.board.board import Board, Hex

Spot = tuple[int, int, bool]  # column, row, on a roof or bridge


@dataclass(frozen=True)
class Mover:
    """The unit that moves: where it is, what it has, who else is about (spots of enemies and friends)."""

    at: Spot
    facing: int
    walk: int
    run: int
    jump: int = 0
    prone: bool = False
    quad: bool = False
    may_stand: bool = True
    #: spots that may not be entered, and those where there is no room to end
    enemies: frozenset[Spot] = frozenset()
    friends: frozenset[Spot] = frozenset()
    #: spots that may be entered, and not left again
    held: frozenset[Spot] = frozenset()
    #: MP more on road and pavement all the way
    bonus: int = 0
    #: spots of standing enemies that may be charged, and of those that may be jumped on
    charged: frozenset[Spot] = frozenset()
    jumped_on: frozenset[Spot] = frozenset()


@dataclass(frozen=True)
class Stop:
    """An end: where, facing, prone."""

    at: Spot
    facing: int
    prone: bool


@dataclass
class Best:
    """What reaching an end takes: least MP, with it most hexes; the same over paths without rolls (None: there are none)."""

    any: tuple[int, int]
    safe: tuple[int, int] | None = None


@dataclass(frozen=True)
class _Here:
    """One moment of a path."""

    at: Spot
    facing: int
    mp: int
    hexes: int
    backward: bool = False
    entry_facing: int = 0
    rolled: bool = False
    moved: bool = False
    paved: bool = False
    just_stood: bool = field(default=False)


def neighbour(column: int, row: int, direction: int) -> tuple[int, int]:
    """The hex next to one. Columns are counted from 0: the odd ones (even as printed) lie half a hex lower."""
    low = column % 2 == 1
    return [
        (column, row - 1),
        (column + 1, row if low else row - 1),
        (column + 1, row + 1 if low else row),
        (column, row + 1),
        (column - 1, row + 1 if low else row),
        (column - 1, row if low else row - 1),
    ][direction]


#: terrain that each motion may not enter but by road or bridge, and what differs in its costs
CLOSED = {
    "mech": (),
    "tracked": ("heavy woods", "water"),
    "wheeled": ("heavy woods", "water", "light woods", "rough", "rubble"),
    "hover": ("heavy woods", "light woods"),
    "foot": ("water",),
    "mechanized_tracked": ("heavy woods", "water"),
    "mechanized_wheeled": ("heavy woods", "water", "light woods", "rough", "rubble"),
    "mechanized_hover": ("heavy woods", "light woods"),
}


class Plain:
    """The board as the plain search sees it, for one kind of motion."""

    def __init__(self, board: Board, motion: str = "mech") -> None:
        self.motion = motion
        self.mech = motion == "mech"
        self.infantry = motion == "foot" or motion.startswith("mechanized")
        self.floats = "hover" in motion
        self.width = board.grid.width
        self.height = board.grid.height
        self.hexes = {
            (column, row): board.hexes[board.grid.cell(column, row)]
            for column in range(self.width)
            for row in range(self.height)
        }

    def level(self, at: Spot) -> int | None:
        """Level of a spot; None where there is none."""
        hex = self.hexes[at[0], at[1]]
        if at[2]:
            if hex.bridge:
                return hex.level + hex.bridge_height
            return hex.level + hex.building_height if hex.building else None
        depth = 0 if self.floats else hex.depth
        if hex.bridge and hex.bridge_height + depth < (2 if self.mech else 1):
            return None
        return hex.level - depth

    def paved(self, at: Spot) -> bool:
        hex = self.hexes[at[0], at[1]]
        return hex.bridge if at[2] else hex.pavement or hex.road

    def ground(self, hex: Hex) -> int | None:
        """Extra MP of terrain; None where it is closed."""
        has = {
            "light woods": hex.woods == 1, "heavy woods": hex.woods >= 2, "water": hex.depth > 0, "rough": hex.rough,
            "rubble": hex.rubble,
        }  # fmt: skip
        if any(has[name] for name in CLOSED[self.motion]):
            return None
        cost = {0: 0, 1: 1, 2: 2, 3: 3}[hex.woods]
        if cost and self.motion == "foot":
            cost -= 1
        cost += int(hex.rough) + int(hex.rubble)
        if hex.swamp:
            cost += 1 if self.mech else 0 if self.floats else 2
        if hex.depth and self.mech:
            cost += 1 if hex.depth == 1 else 3
        return cost

    def step(self, at: Spot, direction: int) -> Iterator[tuple[Spot, int, bool, bool, bool, bool]]:
        """Where a step leads: (spot, MP, calls for a roll, is water, changes level, is paved)."""
        to = neighbour(at[0], at[1], direction)
        if to not in self.hexes:
            return
        here, there = self.hexes[at[0], at[1]], self.hexes[to]
        back = (direction + 3) % 6
        if at[2] and here.bridge and not here.bridge_exits & (1 << direction):
            return
        for high in (False, True):
            spot = (*to, high)
            a, b = self.level(at), self.level(spot)
            if a is None or b is None or abs(a - b) > (2 if self.mech else 1):
                continue
            cost = 1 + abs(a - b) * (1 if self.mech else 2)
            if high:
                if there.bridge and not there.bridge_exits & (1 << back):
                    continue
                if not there.bridge and self.motion in ("tracked", "wheeled", "hover"):
                    continue
                yield spot, cost, False, False, a != b, there.bridge
                continue
            on_road = self._out(here, at[2], direction) and self._in(there, back)
            roll = water = False
            if not on_road:
                extra = self.ground(there)
                if extra is None:
                    continue
                cost += extra
                roll = water = self.mech and there.depth > 0
                roll = roll or (self.mech and there.rubble) or (not self.floats and there.swamp)
            if there.building:
                if not self.infantry:
                    cost += there.building
                    roll = True
                elif self.motion != "foot":
                    cost += 1
            yield spot, cost, roll, water, a != b, on_road

    @staticmethod
    def _out(hex: Hex, high: bool, direction: int) -> bool:
        if high:
            return hex.bridge
        return hex.pavement or (hex.road and bool(hex.road_exits & (1 << direction)))

    @staticmethod
    def _in(hex: Hex, direction: int) -> bool:
        return hex.pavement or (hex.road and bool(hex.road_exits & (1 << direction)))


def moments(plain: Plain, mover: Mover, mode: str) -> Iterator[_Here]:
    """Every moment of every path of a mode (walk, run, or forward: walking ahead only) within the MP, standing."""
    limit = mover.run if mode == "run" else mover.walk
    first = _Here(mover.at, mover.facing, 0, 0, entry_facing=mover.facing, paved=plain.paved(mover.at))
    if mover.prone:
        cost = 1 if max(mover.walk, mover.run) == 1 else 2
        if not mover.may_stand or cost > limit:
            return
        todo = [_Here(mover.at, f, cost, 0, entry_facing=f) for f in range(6)]
    else:
        todo = [first]
    seen = set(todo)
    while todo:
        here = todo.pop()
        yield here
        for after in _onward(plain, mover, mode, here):
            if after.mp <= limit + (mover.bonus if after.paved else 0) and after not in seen:
                seen.add(after)
                todo.append(after)


def _onward(plain: Plain, mover: Mover, mode: str, here: _Here) -> Iterator[_Here]:
    for side in (1, 5):
        yield _Here(
            here.at,
            (here.facing + side) % 6,
            here.mp + (0 if plain.infantry else 1),
            here.hexes,
            here.backward,
            here.entry_facing,
            here.rolled,
            here.moved,
            here.paved,
        )
    if here.at in mover.held:
        return
    ways = [(0, False, 0)]
    if mode == "walk" and not plain.infantry:
        ways.append((3, True, 0))
    if mover.quad:
        ways += [(1, False, 1), (5, False, 1)]
        if mode == "walk":
            ways += [(2, True, 1), (4, True, 1)]
    for turned, backward, more in ways:
        for spot, cost, roll, water, level, paved in plain.step(here.at, (here.facing + turned) % 6):
            if spot in mover.enemies or (backward and level) or (mode == "run" and water):
                continue
            slips = here.hexes > 0 if plain.floats else plain.paved(here.at)
            skid = mode == "run" and here.facing != here.entry_facing and slips
            same = not here.moved or backward == here.backward
            yield _Here(
                spot,
                here.facing,
                here.mp + cost + more,
                here.hexes + 1 if same else 1,
                backward,
                here.facing,
                here.rolled or roll or skid,
                True,
                here.paved and paved,
            )


def ends(plain: Plain, mover: Mover, mode: str) -> dict[Stop, Best]:
    """Every end of a mode with what reaching it takes."""
    limit = mover.run if mode == "run" else mover.walk
    found: dict[Stop, Best] = {}
    if limit <= 0 or (mode == "run" and mover.run <= mover.walk):
        return found
    blocked = mover.friends | mover.enemies
    start = Stop(mover.at, mover.facing, mover.prone)
    for here in moments(plain, mover, mode):
        if here.at in blocked:
            continue
        _note(found, Stop(here.at, here.facing, False), here.mp, here.hexes, here.rolled)
        if plain.mech and not mover.prone and here.mp + 1 <= limit:
            _note(found, Stop(here.at, here.facing, True), here.mp + 1, here.hexes, here.rolled)
    if mover.prone:
        for facing in range(6):
            turns = min((facing - mover.facing) % 6, (mover.facing - facing) % 6)
            if turns <= limit:
                _note(found, Stop(mover.at, facing, True), turns, 0, False)
    found.pop(start, None)
    if not mover.prone and (mode == "run") == (mover.run > mover.walk):
        known = {stop.at for stop in found}
        for facing in range(6) if plain.infantry else (mover.facing,):
            for spot, cost, roll, water, _, _ in plain.step(mover.at, facing):
                dear = cost > limit or (mode == "run" and water and cost > mover.walk)
                stop = Stop(spot, facing, False)
                if dear and spot not in blocked and stop not in found and not (plain.infantry and spot in known):
                    found[stop] = Best((cost, 1), None if roll else (cost, 1))
    if plain.infantry:
        return _faceless(mover, found)
    return found


def _faceless(mover: Mover, found: dict[Stop, Best]) -> dict[Stop, Best]:
    """The ends of infantry, which has no facing: one a spot, its own left out."""
    merged: dict[Stop, Best] = {}
    for stop, best in found.items():
        if stop.at != mover.at:
            for pair, safe in ((best.any, False), (best.safe, True)):
                if pair is not None:
                    _note(merged, Stop(stop.at, 0, False), *pair, not safe)
    return merged


def _note(found: dict[Stop, Best], stop: Stop, mp: int, hexes: int, rolled: bool) -> None:
    best = found.setdefault(stop, Best((mp, hexes)))
    best.any = min(best.any, (mp, hexes), key=lambda pair: (pair[0], -pair[1]))
    if not rolled:
        best.safe = min(best.safe or (mp, hexes), (mp, hexes), key=lambda pair: (pair[0], -pair[1]))


def distance(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Distance in hexes, by cube coordinates."""

    def cube(at: tuple[int, int]) -> tuple[int, int]:
        return at[0], at[1] - (at[0] - at[0] % 2) // 2

    (q1, r1), (q2, r2) = cube(a), cube(b)
    dq, dr = q2 - q1, r2 - r1
    return max(abs(dq), abs(dr), abs(dq + dr))


def flights(plain: Plain, mover: Mover) -> set[tuple[tuple[int, int], ...]]:
    """Every shortest line of hexes that a jump can take."""
    start = (mover.at[0], mover.at[1])
    top = (plain.level(mover.at) or 0) + mover.jump
    found: set[tuple[tuple[int, int], ...]] = set()
    if mover.prone:
        return found
    todo: list[tuple[tuple[int, int], ...]] = [(start,)]
    while todo:
        line = todo.pop()
        if len(line) > mover.jump:
            continue
        for direction in range(6):
            to = neighbour(*line[-1], direction)
            if to in plain.hexes and distance(start, to) == len(line) and (plain.level(landing(plain, to)) or 0) <= top:
                found.add((*line, to))
                todo.append((*line, to))
    return found


def landing(plain: Plain, at: tuple[int, int]) -> Spot:
    """Where a jump into a hex comes down."""
    high = (*at, True)
    return high if plain.level(high) is not None else (*at, False)


def count(plain: Plain, mover: Mover) -> int:
    """How many movement orders there are: standing still, every end of every mode, charges, deaths from above."""
    total = 1 + len(ends(plain, mover, "walk")) + len(ends(plain, mover, "run"))
    lines = flights(plain, mover)
    spots = {landing(plain, line[-1]) for line in lines} - mover.enemies - mover.friends
    spots = {spot for spot in spots if spot[2] or _open(plain, plain.hexes[spot[0], spot[1]])}
    total += (1 if plain.infantry else 6) * len(spots)
    total += len(charges(plain, mover))
    approaches = set()
    for line in lines:
        target = landing(plain, line[-1])
        if target in mover.jumped_on:
            last = line[-2]
            spot = mover.at if len(line) == 2 else landing(plain, last)
            if spot == mover.at or spot not in mover.enemies | mover.friends:
                approaches.add((target, spot))
    return total + len(approaches)


def _open(plain: Plain, hex: Hex) -> bool:
    return hex.pavement or hex.road or plain.ground(hex) is not None


def charges(plain: Plain, mover: Mover) -> set[tuple[str, Spot, int, Spot]]:
    """Every charge: mode, last spot, facing, target's spot."""
    found = set()
    blocked = mover.friends | mover.enemies
    for mode, searched in (("walk", "forward"), ("run", "run")):
        limit = mover.run if mode == "run" else mover.walk
        if limit <= 0 or (mode == "run" and mover.run <= mover.walk):
            continue
        for here in moments(plain, mover, searched):
            if here.at in blocked or here.at in mover.held:
                continue
            for spot, cost, _, water, _, paved in plain.step(here.at, here.facing):
                most = limit + (mover.bonus if here.paved and paved else 0)
                if spot not in mover.charged or (mode == "run" and water) or here.mp + cost > most:
                    continue
                a, b = plain.level(here.at), plain.level(spot)
                hex = plain.hexes[spot[0], spot[1]]
                inside = hex.building and not spot[2]
                own = plain.hexes[here.at[0], here.at[1]]
                if inside and not (own.building and not here.at[2] and own.building_exits & (1 << here.facing)):
                    continue
                if a is not None and b is not None and abs(a - b) <= 1:
                    found.add((mode, here.at, here.facing, spot))
    return found
