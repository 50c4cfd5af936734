"""The air over a board: where a VTOL may fly, climb, dive and land. Rule: E-26, S-2.

A place is a hex and a level of the air, ``cell + size * (level + OFFSET)``; the steps between them have the shape of those on
the ground (:mod:`opfor.rules.moving.ground`), so that one search serves both. Climbing and diving are steps of one MP that
enter no hex. A VTOL flies a level above whatever is below it: trees, roofs, bridges; from the ground it may only rise to
level one.
"""

from __future__ import annotations

from typing import Any

from opfor.board.board import Board, Hex
from opfor.rules.moving.ground import HEXES, TOKENS, Edge, Ground
from opfor.rules.moving.motions import Motion
from opfor.tables import table

_ROWS = table("movement")["vtol"]
_BASE: int = table("movement")["base_cost"]
_ABOVE: int = _ROWS["above"]
_HIGHEST: int = _ROWS["highest"]
_LISTED: int = _ROWS["listed"]
_CLOSED: tuple[str, ...] = tuple(_ROWS["no_landing_in"])
#: levels below the board's zero that a place may lie
OFFSET = 64


def obstacle_top(hex: Hex) -> int:
    """Levels above a hex's surface that trees, a building or a bridge rise. Rule: E-26."""
    trees = hex.foliage if hex.woods else 0
    return max(trees, hex.building_height if hex.building else 0, hex.bridge_height if hex.bridge else 0)


def lowest_flight(hex: Hex) -> int:
    """The lowest elevation above a hex's surface at which a VTOL flies there. Rule: E-26."""
    return obstacle_top(hex) + _ABOVE


def landing_elevation(hex: Hex) -> int:
    """Elevation above a hex's surface at which a VTOL stands when it has landed: the ground, a roof, a bridge's deck."""
    return hex.building_height if hex.building else hex.bridge_height if hex.bridge else 0


def why_no_landing(hex: Hex) -> str:
    """Why a VTOL cannot land in a hex, or "". Rule: E-26, E-29."""
    if hex.building or hex.bridge:
        return ""
    for name in _CLOSED:
        if hex.depth if name == "water" else getattr(hex, name):
            return f"nobody lands in {name}"
    return ""


def airborne(hex: Hex, elevation: int) -> bool:
    """Whether a VTOL at that elevation over a hex flies. Rule: E-26."""
    return elevation > landing_elevation(hex)


class _Empty(dict[int, Any]):
    """A dictionary whose missing entries are None: a list with holes."""

    def __missing__(self, key: int) -> None:
        return None


class _Levels:
    """By place, its level above the board's zero or above its hex's surface; places are numbers, nothing is stored."""

    __slots__ = ("above", "size")

    def __init__(self, size: int, above: list[int] | None) -> None:
        self.size = size
        self.above = above

    def __getitem__(self, place: int) -> int:
        high, cell = divmod(place, self.size)
        return high - OFFSET - (self.above[cell] if self.above is not None else 0)


class _Nowhere:
    """False for every place: nothing in the air is paved."""

    def __getitem__(self, place: int) -> bool:
        return False


class _AllButHex:
    """A look-up by place that is true everywhere but over one hex."""

    __slots__ = ("cell", "size")

    def __init__(self, cell: int, size: int) -> None:
        self.cell = cell
        self.size = size

    def __getitem__(self, place: int) -> bool:
        return place % self.size != self.cell


class Sky(Ground):
    """The places of the air over one board and the steps between them."""

    __slots__ = ("_ceiling", "_lowest", "_size")

    def __init__(self, board: Board, motion: Motion) -> None:
        self.board = board
        self.motion = motion
        size = self._size = board.grid.size
        self.level: Any = _Levels(size, None)
        self.elevation: Any = _Levels(size, board.level)
        self.paved: Any = _Nowhere()
        self.forward: Any = _Empty()
        self.backward: Any = _Empty()
        self.backward_levels: Any = self.backward
        self.sidesteps: Any = _Empty()
        self._steps = {}
        self._begin()
        #: lowest level of flight by cell
        self._lowest = [record.level + lowest_flight(record) for record in board.hexes]
        on_board = board.grid.on_board
        #: no search climbs above this level: what may be listed over the highest hex, and what clears all that there is
        self._ceiling = max(
            max(board.level[cell] + landing_elevation(board.hexes[cell]) for cell in on_board) + _LISTED,
            max(self._lowest[cell] for cell in on_board),
        )
        self.stances = size * (self._ceiling + _HIGHEST + 2 * OFFSET) * 6

    def cell(self, place: int) -> int:
        return place % self._size

    def place(self, cell: int, elevation: int) -> int:
        return cell + self._size * (self.board.level[cell] + elevation + OFFSET)

    def places(self, cell: int) -> tuple[int, ...]:
        return ()

    def inside(self, place: int) -> bool:
        return False

    def listed(self, place: int, start: int) -> bool:
        """Whether orders that end in a place are listed: up to a few levels above what is below, or where it was before."""
        if self.level[place] <= self.level[start]:
            return True
        return bool(self.elevation[place] - landing_elevation(self.board.hexes[place % self._size]) <= _LISTED)

    def unturned(self, place: int) -> Any:
        return _AllButHex(place % self._size, self._size)

    def flies(self, place: int) -> bool:
        """Whether a VTOL in a place is in the air."""
        return airborne(self.board.hexes[place % self._size], self.elevation[place])

    def _build(self, place: int, direction: int) -> tuple[tuple[int, int, int], ...]:
        cell = place % self._size
        to = cell + self.board.grid.step[direction]
        if not self.flies(place) or not self.board.grid.contains(to) or self.level[place] < self._lowest[to]:
            return ()
        return ((place - cell + to, _BASE, 0),)

    def way(self, steps: tuple[tuple[int, int, int], ...], climb: str) -> tuple[int, int, int] | None:
        return steps[0] if steps else None

    def vertical(self, place: int, token: str) -> int | str:
        """The place above or below that a VTOL climbs or dives to, or why it does not. Rule: E-26."""
        cell = place % self._size
        hex = self.board.hexes[cell]
        if token == "CLIMB":
            if self.elevation[place] >= _HIGHEST:
                return f"no VTOL flies above level {_HIGHEST}"
            return place + self._size
        if not self.flies(place):
            return "it has landed"
        below = place - self._size
        elevation = self.elevation[below]
        if elevation >= lowest_flight(hex):
            return below
        if elevation == landing_elevation(hex):
            return why_no_landing(hex) or below
        return f"{hex.describe()}: it flies no lower there"

    def _verticals(self, stance: int) -> list[Edge]:
        place, facing = divmod(stance, 6)
        found = []
        for token in ("CLIMB", "DIVE"):
            to = self.vertical(place, token)
            if isinstance(to, int) and (token == "DIVE" or self.level[to] <= self._ceiling):
                found.append(Edge(to * 6 + facing, _BASE * HEXES, 0, _BASE))
        return found

    def ahead(self, stance: int) -> tuple[Edge, ...]:
        found: tuple[Edge, ...] | None = self.forward[stance]
        if found is None:
            place, facing = divmod(stance, 6)
            flown = [Edge(to * 6 + facing, cost * HEXES - 1, flags, cost) for to, cost, flags in self.steps(place, facing)]
            found = self.forward[stance] = (*flown, *self._verticals(stance))
        return found

    def behind(self, stance: int, max_levels: int = 0) -> tuple[Edge, ...]:
        found: tuple[Edge, ...] | None = self.backward[stance]
        if found is None:
            place, facing = divmod(stance, 6)
            flown = [
                Edge(to * 6 + facing, cost * HEXES - 1, flags, cost) for to, cost, flags in self.steps(place, (facing + 3) % 6)
            ]
            found = self.backward[stance] = (*flown, *self._verticals(stance))
        return found

    def tokens(self, a: int, b: int, climb: str) -> tuple[list[str], str]:
        size = self._size
        place, facing = divmod(a, 6)
        here, there = place % size, b // 6 % size
        if here == there:
            return ["CLIMB" if b > a else "DIVE"], climb
        direction = self.board.grid.step.index(there - here)
        return [TOKENS[(direction - facing) % 6]], climb

    def why_no_step(self, place: int, direction: int) -> str:
        cell = place % self._size
        to = cell + self.board.grid.step[direction]
        if not self.flies(place):
            return "it has landed: it must climb before it flies on"
        if not self.board.grid.contains(to):
            return "the map ends there"
        needed = self._lowest[to] - self.level[place]
        return f"{self.board.hexes[to].describe()}: it must fly {needed} level{'s' if needed > 1 else ''} higher to pass"
