"""What a step costs: the ground of a board as places and prebuilt steps between them, by kind of motion. Rule: S-2, S-9.

A *place* is a hex and where in it a unit stands: ``2 * cell`` low (the ground, the bottom of water, the ground floor of a
building), ``2 * cell + 1`` high (a roof or a bridge's deck). ``place * 6 + facing`` is a *stance*. The tables hang on
the board (``board.tables``) and are filled as they are asked for, so that a search touches plain lists of integers only.
VTOLs have the same between levels of the air: :mod:`opfor.rules.moving.flight`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from opfor.board.board import RENEWED, TABLE_READS, Board, Hex, reads_all_but
from opfor.own_rules.bundle import Active
from opfor.rules.moving.motions import MECH, Motion
from opfor.rules.own import own_cost
from opfor.tables import table

TABLE_READS["ground"] = reads_all_but("smoke")
RENEWED.add("ground")
#: flags of a step; OFF_ROAD: not on road or pavement
ROLL, WATER, LEVEL, PAVED, OFF_ROAD = 1, 2, 4, 8, 16
#: a label is ``MP * HEXES + (HEXES - 1 - hexes moved)``: fewer MP first, then more hexes
HEXES = 64

_COSTS = table("movement")
MAX_LEVELS_BACKWARD: int = _COSTS["level_change"]["max_levels_backward"]
BASE_COST: int = _COSTS["base_cost"]
SIDESTEP_COST: int = _COSTS["manoeuvres"]["sidestep"]
#: what the tokens of a step are by its direction less the facing
TOKENS = ("F", "SR", "SRB", "B", "SLB", "SL")


class Edge(NamedTuple):
    """A step: the stance it leads to, what it adds to a label, its flags, and its MP."""

    stance: int
    delta: int
    flags: int
    cost: int


class Ground:
    """The places of one board and the steps between them, for one kind of motion."""

    __slots__ = (
        "_steps", "backward", "backward_levels", "board", "compiled", "elevation", "forward", "level", "motion",
        "own", "paved", "sidesteps", "stances",
    )  # fmt: skip

    def __init__(self, board: Board, motion: Motion = MECH, own: Active | None = None) -> None:
        self.board = board
        self.motion = motion
        #: own rules on the cost of steps
        self.own = own
        size = board.grid.size
        #: level of each place above the board's zero, None where there is no such place
        self.level: list[int | None] = [None] * (size * 2)
        #: level of each place above its hex's surface
        self.elevation = [0] * (size * 2)
        #: places on road, pavement or a bridge: where a turn in running may skid
        self.paved = [False] * (size * 2)
        for cell in board.grid.on_board:
            self._measure(cell)
        self.stances = size * 12
        #: steps ahead from each stance, None where not yet asked for
        self.forward: list[tuple[Edge, ...] | None] = [None] * self.stances
        self.backward: list[tuple[Edge, ...] | None] = [None] * self.stances
        self.backward_levels: list[tuple[Edge, ...] | None] = [None] * self.stances
        self.sidesteps: list[tuple[tuple[Edge, ...], tuple[Edge, ...]] | None] = [None] * self.stances
        self._steps: dict[int, tuple[tuple[int, int, int], ...]] = {}
        self._begin()

    def _measure(self, cell: int) -> None:
        """Work out the places of a hex."""
        hex = self.board.hexes[cell]
        motion = self.motion
        low, high = cell * 2, cell * 2 + 1
        top = hex.bridge_height if hex.bridge else hex.building_height if hex.building else None
        standing = motion.standing(hex)
        self.level[low] = self.level[high] = None
        self.elevation[low] = self.elevation[high] = 0
        self.paved[low] = self.paved[high] = False
        if not (hex.bridge and hex.bridge_height - standing < motion.clearance):
            self.level[low] = hex.level + standing
            self.elevation[low] = standing
            self.paved[low] = hex.paved
        if top is not None:
            self.level[high] = hex.level + top
            self.elevation[high] = top
            self.paved[high] = hex.bridge

    def renewed(self, board: Board, cells: frozenset[int]) -> Ground:
        """The ground of a board that differs from this one's in ``cells`` alone, made from this one."""
        twin = Ground.__new__(Ground)
        twin.board, twin.motion, twin.own, twin.stances = board, self.motion, self.own, self.stances
        twin.level, twin.elevation, twin.paved = self.level[:], self.elevation[:], self.paved[:]
        for cell in cells:
            twin._measure(cell)
        twin.forward, twin.backward = self.forward[:], self.backward[:]
        twin.backward_levels, twin.sidesteps = self.backward_levels[:], self.sidesteps[:]
        twin._steps = self._steps.copy()
        # steps out of those hexes and into them
        for cell in {cell + by for cell in cells for by in (0, *board.grid.step)}:
            for stance in range(cell * 12, cell * 12 + 12) if board.grid.contains(cell) else ():
                twin.forward[stance] = twin.backward[stance] = twin.backward_levels[stance] = twin.sidesteps[stance] = None
                twin._steps.pop(stance, None)
        twin._begin()
        if self.compiled is not None:
            tables, since = self.compiled if isinstance(self.compiled, tuple) else (self.compiled, frozenset())
            twin.compiled = (tables, since | cells)
        return twin

    def _begin(self) -> None:
        """Nothing has been worked out from the ground yet."""
        #: what the compiled search keeps here: its tables, or those of an earlier board and the hexes changed since
        self.compiled: Any = None

    def cell(self, place: int) -> int:
        """The hex of a place."""
        return place >> 1

    def place(self, cell: int, elevation: int) -> int:
        """The place of a hex at an elevation above its surface."""
        high = cell * 2 + 1
        return high if self.level[high] is not None and self.elevation[high] == elevation else cell * 2

    def places(self, cell: int) -> tuple[int, ...]:
        """The places of a hex that a unit may come to on foot or on wheels."""
        return (cell * 2, cell * 2 + 1)

    def inside(self, place: int) -> bool:
        """Whether a place is inside a building."""
        return not place & 1 and bool(self.board.building[place >> 1])

    def listed(self, place: int, start: int) -> bool:
        """Whether orders that end in a place are listed, for a movement from ``start``."""
        return True

    def unturned(self, place: int) -> Any:
        """By place, whether turning there may bring on a sideslip: anywhere but where the movement starts."""
        return _AllBut(place)

    def steps(self, place: int, direction: int) -> tuple[tuple[int, int, int], ...]:
        """The steps from a place in a direction: (place, MP, flags) for each place in the next hex that can be entered."""
        key = place * 6 + direction
        found = self._steps.get(key)
        if found is None:
            found = self._steps[key] = self._build(place, direction)
        return found

    def _build(self, place: int, direction: int) -> tuple[tuple[int, int, int], ...]:
        level = self.level[place]
        motion = self.motion
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
            if there_level is None or abs(there_level - level) > motion.max_levels:
                continue
            flags = LEVEL if there_level != level else 0
            cost = BASE_COST + abs(there_level - level) * motion.level_cost
            if target & 1:
                if there.bridge:
                    if not there.bridge_exits >> back & 1:
                        continue
                    flags |= PAVED
                elif not motion.roofs:
                    continue
            else:
                if paved:
                    flags |= PAVED
                else:
                    extra = motion.terrain_cost(there)
                    if extra is None:
                        continue
                    cost += extra
                    if there.depth and motion.roll_water:
                        flags |= ROLL | WATER
                    if (there.rubble and motion.roll_rubble) or (there.swamp and motion.roll_swamp):
                        flags |= ROLL
                if there.building:
                    cost += motion.buildings[there.building]
                    if motion.roll_building:
                        flags |= ROLL
            if self.own is not None:
                levels = there_level - level
                cost = own_cost(self.own, motion.name, self.board, place >> 1, cell, levels, bool(flags & PAVED), cost)
            found.append((target, cost, flags if flags & PAVED else flags | OFF_ROAD))
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

    def vertical(self, place: int, token: str) -> int | str:
        """The place above or below that a VTOL climbs or dives to, or why it does not."""
        return "only a VTOL climbs and dives"

    def tokens(self, a: int, b: int, climb: str) -> tuple[list[str], str]:
        """The tokens of a step between stances, ``C+`` or ``C-`` before it where the way up and the way in both exist."""
        place, facing = divmod(a, 6)
        to = b // 6
        direction = self.board.grid.step.index((to >> 1) - (place >> 1))
        tokens: list[str] = []
        way = self.way(self.steps(place, direction), climb)
        if way is None or way[0] != to:
            climb = "+" if to & 1 else "-"
            tokens.append("C" + climb)
        tokens.append(TOKENS[(direction - facing) % 6])
        return tokens, climb

    def why_no_step(self, place: int, direction: int) -> str:
        """Why no step leads from a place in a direction."""
        board = self.board
        motion = self.motion
        cell = (place >> 1) + board.grid.step[direction]
        if not board.grid.contains(cell):
            return "the map ends there"
        if place & 1 and board.bridge[place >> 1] and not board.hexes[place >> 1].bridge_exits >> direction & 1:
            return "the bridge has no exit there"
        here = self.level[place] or 0
        levels = [level for level in (self.level[cell * 2], self.level[cell * 2 + 1]) if level is not None]
        rise = min((level - here for level in levels), key=abs)
        if abs(rise) > motion.max_levels:
            return (
                f"it is {abs(rise)} level{'s' if abs(rise) > 1 else ''} {'up' if rise > 0 else 'down'} and "
                f"{_WHO.get(motion.name, 'it')} changes at most {motion.max_levels} a hex"
            )
        hex = board.hexes[cell]
        if not board.bridge[cell] and motion.terrain_cost(hex) is None:
            return f"{hex.describe()} is closed to {_WHO_PLURAL.get(motion.name, motion.name + ' vehicles')}"
        if board.bridge[cell]:
            return "the bridge is entered by its ends only, and under it there is no room"
        return "it cannot get in there on this level"


_WHO = {"mech": "a 'Mech", "foot": "infantry"}
_WHO_PLURAL = {
    "mech": "'Mechs",
    "foot": "infantry",
    "mechanized_tracked": "tracked infantry",
    "mechanized_wheeled": "wheeled infantry",
    "mechanized_hover": "hover infantry",
}


class _AllBut:
    """A look-up by place that is true everywhere but in one."""

    __slots__ = ("place",)

    def __init__(self, place: int) -> None:
        self.place = place

    def __getitem__(self, place: int) -> bool:
        return place != self.place


def _leads(hex: Hex, high: int, direction: int) -> bool:
    """Whether a paved way leaves (or enters) the hex on that side."""
    if high:
        return hex.bridge
    return hex.pavement or bool(hex.road and hex.road_exits >> direction & 1)


def _levels(ground: Ground, a: int, b: int) -> int:
    return (ground.level[a] or 0) - (ground.level[b] or 0)
