"""What a step costs a 'Mech: the ground of a board as places and prebuilt steps between them. Rule: S-2.

A *place* is a hex and where in it a unit stands: ``2 * cell`` low (the ground, the bottom of water, the ground floor of a
building), ``2 * cell + 1`` high (a roof or a bridge's deck). ``place * 6 + facing`` is a *stance*. The tables hang on
the board (``board.tables``) and are filled as they are asked for, so that a search touches plain lists of integers only.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from opfor.board.board import BUILDING_TYPES, TABLE_READS, Board, Hex, reads_all_but
from opfor.tables import table

TABLE_READS["ground"] = reads_all_but("smoke")
#: flags of a step
ROLL, WATER, LEVEL, PAVED = 1, 2, 4, 8
#: a label is ``MP * HEXES + (HEXES - 1 - hexes moved)``: fewer MP first, then more hexes
HEXES = 64

_COSTS = table("movement")
_TERRAIN = _COSTS["terrain"]
_WATER = _TERRAIN["water"]
_LEVEL_COST = _COSTS["level_change"]["cost_per_level"]
MAX_LEVELS: int = _COSTS["level_change"]["max_levels"]
MAX_LEVELS_BACKWARD: int = _COSTS["level_change"]["max_levels_backward"]
_BASE = _COSTS["base_cost"]
_CLEARANCE = _COSTS["clearance"]
_BUILDING_COST = [0] + [_COSTS["building"][name] for name in BUILDING_TYPES[1:]]
_FLAGGED = ("rough", "rubble", "swamp", "mud", "sand", "snow", "ice", "tundra")
_WOODS = (0, _TERRAIN["light_woods"], _TERRAIN["heavy_woods"], _TERRAIN["ultra_heavy_woods"])
SIDESTEP_COST: int = _COSTS["manoeuvres"]["sidestep"]


class Edge(NamedTuple):
    """A step: the stance it leads to, what it adds to a label, its flags, and its MP."""

    stance: int
    delta: int
    flags: int
    cost: int


def water_cost(depth: int) -> int:
    """Extra MP for entering water of a depth in levels."""
    return int(_WATER[min(depth, max(_WATER))]) if depth > 0 else 0


def terrain_cost(hex: Hex) -> int:
    """Extra MP for the terrain of a hex entered at its ground, building not counted."""
    cost = _WOODS[min(3, hex.woods)] + water_cost(hex.depth)
    for name in _FLAGGED:
        if getattr(hex, name):
            cost += _TERRAIN[name]
    return int(cost)


class Ground:
    """The places of one board and the steps between them, for 'Mechs."""

    __slots__ = (
        "_steps", "backward", "backward_levels", "board", "elevation", "forward", "level", "paved", "searches", "sidesteps",
    )  # fmt: skip

    def __init__(self, board: Board) -> None:
        self.board = board
        size = board.grid.size
        #: level of each place above the board's zero, None where there is no such place
        self.level: list[int | None] = [None] * (size * 2)
        #: level of each place above its hex's surface
        self.elevation = [0] * (size * 2)
        #: places on road, pavement or a bridge: where a turn in running may skid
        self.paved = [False] * (size * 2)
        for cell in board.grid.on_board:
            hex = board.hexes[cell]
            low, high = cell * 2, cell * 2 + 1
            top = hex.bridge_height if hex.bridge else hex.building_height if hex.building else None
            if not (hex.bridge and hex.bridge_height + hex.depth < _CLEARANCE):
                self.level[low] = hex.floor
                self.elevation[low] = -hex.depth
                self.paved[low] = hex.paved
            if top is not None:
                self.level[high] = hex.level + top
                self.elevation[high] = top
                self.paved[high] = hex.bridge
        stances = size * 12
        #: steps ahead from each stance, None where not yet asked for
        self.forward: list[tuple[Edge, ...] | None] = [None] * stances
        self.backward: list[tuple[Edge, ...] | None] = [None] * stances
        self.backward_levels: list[tuple[Edge, ...] | None] = [None] * stances
        self.sidesteps: list[tuple[tuple[Edge, ...], tuple[Edge, ...]] | None] = [None] * stances
        #: searches made on this ground, by all that they depend on: see :class:`opfor.rules.reach.Reach`
        self.searches: dict[tuple[Any, ...], Any] = {}
        self._steps: dict[int, tuple[tuple[int, int, int], ...]] = {}

    def place(self, cell: int, elevation: int) -> int:
        """The place of a hex at an elevation above its surface."""
        high = cell * 2 + 1
        return high if self.level[high] is not None and self.elevation[high] == elevation else cell * 2

    def steps(self, place: int, direction: int) -> tuple[tuple[int, int, int], ...]:
        """The steps from a place in a direction: (place, MP, flags) for each place in the next hex that can be entered."""
        key = place * 6 + direction
        found = self._steps.get(key)
        if found is None:
            found = self._steps[key] = self._build(place, direction)
        return found

    def _build(self, place: int, direction: int) -> tuple[tuple[int, int, int], ...]:
        level = self.level[place]
        cell = (place >> 1) + self.board.grid.step[direction]
        if level is None or not self.board.grid.contains(cell):
            return ()
        here = self.board.hexes[place >> 1]
        there = self.board.hexes[cell]
        back = (direction + 3) % 6
        if place & 1 and here.bridge and not here.bridge_exits >> direction & 1:
            return ()
        paved = _leads(here, place & 1, direction) and _leads(there, 0, back)
        found = []
        for target in (cell * 2, cell * 2 + 1):
            there_level = self.level[target]
            if there_level is None or abs(there_level - level) > MAX_LEVELS:
                continue
            flags = LEVEL if there_level != level else 0
            cost = _BASE + abs(there_level - level) * _LEVEL_COST
            if target & 1:
                if there.bridge:
                    if not there.bridge_exits >> back & 1:
                        continue
                    flags |= PAVED
            else:
                if paved:
                    flags |= PAVED
                else:
                    cost += terrain_cost(there)
                    if there.depth:
                        flags |= ROLL | WATER
                    if there.rubble or there.swamp:
                        flags |= ROLL
                if there.building:
                    cost += _BUILDING_COST[there.building]
                    flags |= ROLL
            found.append((target, cost, flags))
        return tuple(found)

    def way(self, steps: tuple[tuple[int, int, int], ...], climb: str) -> tuple[int, int, int] | None:
        """The step that a path takes where there are several: ``+`` onto roofs and decks, ``-`` in at the ground and under.

        With ``+`` a building is entered by its roof or not at all, so that nobody breaks through a wall unasked; with
        ``-`` a bridge is passed under or not at all.
        """
        low = next((s for s in steps if not s[0] & 1), None)
        high = next((s for s in steps if s[0] & 1), None)
        if climb == "-":
            return high if low is None and high is not None and self.board.building[high[0] >> 1] else low
        if high is not None or low is None:
            return high
        return None if self.board.building[low[0] >> 1] else low

    def ahead(self, stance: int) -> tuple[Edge, ...]:
        """The forward steps of a stance."""
        found = self.forward[stance]
        if found is None:
            place, facing = divmod(stance, 6)
            found = self.forward[stance] = tuple(
                Edge(to * 6 + facing, cost * HEXES - 1, flags, cost) for to, cost, flags in self.steps(place, facing)
            )
        return found

    def behind(self, stance: int, max_levels: int = 0) -> tuple[Edge, ...]:
        """The backward steps of a stance; those over a level change, which call for a roll, where ``max_levels`` allows."""
        cache = self.backward_levels if max_levels else self.backward
        found = cache[stance]
        if found is None:
            place, facing = divmod(stance, 6)
            found = cache[stance] = tuple(
                [
                    Edge(to * 6 + facing, cost * HEXES - 1, flags | (ROLL if flags & LEVEL else 0), cost)
                    for to, cost, flags in self.steps(place, (facing + 3) % 6)
                    if not flags & LEVEL or abs(_levels(self, to, place)) <= max_levels
                ]
            )
        return found

    def aside(self, stance: int) -> tuple[tuple[Edge, ...], tuple[Edge, ...]]:
        """The sidesteps of a stance, (forward ones, backward ones): left before right. Backward ones change no level."""
        found = self.sidesteps[stance]
        if found is None:
            place, facing = divmod(stance, 6)
            sides = []
            for turns, level in (((5, 1), True), ((4, 2), False)):
                edges = []
                for turn in turns:
                    for to, cost, flags in self.steps(place, (facing + turn) % 6):
                        if level or not flags & LEVEL:
                            total = cost + SIDESTEP_COST
                            edges.append(Edge(to * 6 + facing, total * HEXES - 1, flags, total))
                sides.append(tuple(edges))
            found = self.sidesteps[stance] = (sides[0], sides[1])
        return found


def _leads(hex: Hex, high: int, direction: int) -> bool:
    """Whether a paved way leaves (or enters) the hex on that side."""
    if high:
        return hex.bridge
    return hex.pavement or bool(hex.road and hex.road_exits >> direction & 1)


def _levels(ground: Ground, a: int, b: int) -> int:
    return (ground.level[a] or 0) - (ground.level[b] or 0)


def ground_of(board: Board) -> Ground:
    """The ground of a board; built on first use and kept with it."""
    found: Ground | None = board.tables.get("ground")
    if found is None:
        found = board.tables["ground"] = Ground(board)
    return found
