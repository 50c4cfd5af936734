"""Line of sight: what lies between two units, and whether they see each other. Rule: S-3.

:func:`sight` is a look-up: answers are kept on the board they belong to, under the two cells and the levels that the units
fill, and the cells that a line crosses are tabled by offset. Everything is an integer. Heights are absolute levels: a
unit's *base* is the level it stands on, its *top* the highest level it fills (one above its base for a standing 'Mech).

* A hex blocks when its ground or building rises above both tops, or stands next to a unit and rises above that unit's top.
* Woods and smoke that rise as high add up: one point a light hex, two a heavy one; three points block.
* A hex of exactly a standing unit's top, next to it, hides its legs from whoever is not higher: partial cover.
* A line that runs between two hexes goes by the side that is worse for the attacker: the defender chooses.
* A unit wholly under water and one on land never see each other; under water only water lets the line through.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from opfor.board.board import RENEWED, TABLE_READS, Board, reads_all_but
from opfor.hex import line_offsets
from opfor.tables import table

TABLE_READS["sight"] = reads_all_but()
RENEWED.add("sight")
TABLE_READS["building_cells"] = reads_all_but("smoke", "woods")

#: sides of a divided line, as seen along it; UNDIVIDED where no hexside is followed, EITHER where both sides are alike
UNDIVIDED, LEFT, RIGHT, EITHER = range(4)
SIDE_NAMES = ("undivided", "left", "right", "either")


class Sight(NamedTuple):
    """What a line of sight meets. Counts are hexes; they and the covers mean something only where ``clear``.

    ``why``: hill, building, woods, smoke, woods_smoke, water, underwater, or "" where the line is clear.
    """

    clear: bool
    why: str
    light_woods: int = 0
    heavy_woods: int = 0
    light_smoke: int = 0
    heavy_smoke: int = 0
    #: hexes of the building that both units are inside of, the target's included
    same_building: int = 0
    target_cover: bool = False
    attacker_cover: bool = False
    #: which side of a divided line counts: UNDIVIDED, LEFT, RIGHT or EITHER
    side: int = UNDIVIDED

    @property
    def points(self) -> int:
        """Points of woods and smoke on the line."""
        return self.light_woods + self.light_smoke + 2 * (self.heavy_woods + self.heavy_smoke)


#: a line as (cell delta, nearness): nearness 1 adjacent to the start, 2 adjacent to the end, 3 both, 0 neither
_Line = tuple[tuple[int, int], ...]


@cache
def lines_of(stride: int, dq: int, dr: int) -> tuple[_Line, ...]:
    """The line of an offset on grids of that stride: one line, or its left and its right reading where it is divided."""
    groups = line_offsets(dq, dr)
    divided = any(len(group) == 2 for group in groups)
    readings = []
    for pick in (0, 1) if divided else (0,):
        line = []
        for group in groups:
            q, r = group[pick if len(group) == 2 else 0]
            near = 1 if max(abs(q), abs(r), abs(q + r)) == 1 else 0
            far_q, far_r = dq - q, dr - r
            if max(abs(far_q), abs(far_r), abs(far_q + far_r)) == 1:
                near += 2
            line.append((q * stride + r, near))
        readings.append(tuple(line))
    return tuple(readings)


class Terrain:
    """A board's heights as sight reads them, and its answers so far."""

    __slots__ = (
        "answers", "before", "changed", "floor", "interned", "limit", "obstacle", "points", "q", "r", "screen", "solid",
        "stride",
    )  # fmt: skip

    def __init__(self, board: Board, former: Terrain | None = None, cells: Collection[int] = ()) -> None:
        """``former``: that of a board which differs in ``cells`` alone; its answers are good where those are far off."""
        rules = table("terrain")["sight"]
        self.limit: int = rules["blocked_above"]
        self.points: dict[str, int] = rules["points"]
        self.stride = board.grid.stride
        self.q = board.grid.q
        self.r = board.grid.r
        if former is None:
            #: level of the top of ground or building
            self.solid = [level + top for level, top in zip(board.level, board.building_top, strict=True)]
            self.floor = [floor + top for floor, top in zip(board.floor, board.building_top, strict=True)]
            #: (level of the tree tops, light woods, heavy woods, level of the smoke's top, light, heavy), or None
            self.screen: list[tuple[int, int, int, int, int, int] | None] = [None] * board.grid.size
            #: the highest that anything in the hex reaches: below this a hex cannot matter
            self.obstacle = self.solid[:]
            cells = board.grid.on_board
        else:
            self.solid, self.floor = former.solid[:], former.floor[:]
            self.screen, self.obstacle = former.screen[:], former.obstacle[:]
        for cell in cells:
            self._measure(board, cell, rules["smoke_height"])
        self.answers: dict[tuple[int, int, int, int, int, int], Sight] = {}
        self.interned: dict[Sight, Sight] = {}
        #: answers of the earlier board, and the hexes that have changed since
        self.before: dict[tuple[int, int, int, int, int, int], Sight] | None = None
        self.changed: list[tuple[int, int]] = []
        if former is not None and len(cells) <= _FEW and not any(board.building[cell] for cell in cells):
            self.before = former.answers
            self.interned = former.interned
            self.changed = [(self.q[cell], self.r[cell]) for cell in cells]

    def _measure(self, board: Board, cell: int, smoke_height: int) -> None:
        """Work out the heights of a hex."""
        record = board.hexes[cell]
        solid = self.solid[cell] = board.level[cell] + board.building_top[cell]
        self.floor[cell] = board.floor[cell] + board.building_top[cell]
        self.screen[cell] = None
        self.obstacle[cell] = solid
        if record.woods or record.smoke:
            trees, smoke = record.level + record.foliage, record.level + smoke_height
            self.screen[cell] = (
                trees,
                int(record.woods == 1),
                int(record.woods > 1),
                smoke,
                int(record.smoke == 1),
                int(record.smoke > 1),
            )
            self.obstacle[cell] = max(solid, trees if record.woods else solid, smoke if record.smoke else solid)

    def recalled(self, key: tuple[int, int, int, int, int, int]) -> Sight | None:
        """The earlier board's answer, where no hex that has changed can lie on the line; else None."""
        assert self.before is not None
        seen = self.before.get(key)
        if seen is None:
            return None
        aq, ar, tq, tr = self.q[key[0]], self.r[key[0]], self.q[key[3]], self.r[key[3]]
        q, r = tq - aq, tr - ar
        # a hex that a line touches lies on a shortest way
        most = max(abs(q), abs(r), abs(q + r))
        for cq, cr in self.changed:
            q, r = cq - aq, cr - ar
            way = max(abs(q), abs(r), abs(q + r))
            q, r = tq - cq, tr - cr
            if way + max(abs(q), abs(r), abs(q + r)) <= most:
                return None
        return seen


def terrain_of(board: Board) -> Terrain:
    """What sight reads of a board; made on first use and kept with it."""
    found = board.tables.get("sight")
    if found is None:
        former, cells = board.former("sight") or (None, frozenset())
        if former is not None and any(former.solid[cell] != board.level[cell] for cell in cells):
            # a building that has fallen, or ground that has: what belongs to one building may be another than before
            former = None
        found = board.tables["sight"] = Terrain(board, former, cells)
    assert isinstance(found, Terrain)
    return found


#: changed hexes from which on looking at a line anew is as good as asking whether they lie on it
_FEW = 12
#: answers kept a board before its table starts afresh: bounds the memory of long runs
_KEEP = 600_000


def sight(board: Board, a_cell: int, a_base: int, a_top: int, t_cell: int, t_base: int, t_top: int) -> Sight:
    """What an attacker at ``a_cell`` sees of a target at ``t_cell``, both given by base and top level. Rule: S-3.

    ``clear`` is the same both ways; the counts may differ where a divided line leaves the defender a choice.
    """
    try:
        return board.tables["sight"].answers[a_cell, a_base, a_top, t_cell, t_base, t_top]  # type: ignore[no-any-return]
    except KeyError:
        pass
    terrain = terrain_of(board)
    seen = terrain.recalled((a_cell, a_base, a_top, t_cell, t_base, t_top)) if terrain.before is not None else None
    if seen is None:
        seen = _look(board, terrain, a_cell, a_base, a_top, t_cell, t_base, t_top)
        seen = terrain.interned.setdefault(seen, seen)
    if len(terrain.answers) >= _KEEP:
        terrain.answers.clear()
    terrain.answers[a_cell, a_base, a_top, t_cell, t_base, t_top] = seen
    return seen


def _look(board: Board, terrain: Terrain, a_cell: int, a_base: int, a_top: int, t_cell: int, t_base: int, t_top: int) -> Sight:
    """The uncached answer."""
    a_under = _submerged(board, a_cell, a_top)
    t_under = _submerged(board, t_cell, t_top)
    if a_under != t_under and not _in_water(board, t_cell if a_under else a_cell, t_top if a_under else a_top):
        return Sight(False, "water")
    if a_cell == t_cell:
        # in one hex nothing stands between
        return Sight(True, "")
    under = a_under or t_under
    dq = terrain.q[t_cell] - terrain.q[a_cell]
    dr = terrain.r[t_cell] - terrain.r[a_cell]
    lines = lines_of(terrain.stride, dq, dr)
    same = None
    if board.building[a_cell] and board.building[t_cell]:
        same = _shared_building(board, a_cell, a_base, t_cell, t_base)
    if len(lines) == 1:
        return _along(board, terrain, lines[0], a_cell, a_base, a_top, t_cell, t_base, t_top, under, same)
    left = _along(board, terrain, lines[0], a_cell, a_base, a_top, t_cell, t_base, t_top, under, same)
    right = _along(board, terrain, lines[1], a_cell, a_base, a_top, t_cell, t_base, t_top, under, same)
    if left == right or not (left.clear or right.clear):
        return right._replace(side=EITHER)
    good_left, good_right = _worth(left), _worth(right)
    # on a tie the right side counts, unless the left one shelters the attacker: a settled reading of an open point
    if good_left > good_right or (good_left == good_right and left.clear and left.attacker_cover):
        return left._replace(side=LEFT)
    return right._replace(side=RIGHT)


def _worth(seen: Sight) -> int:
    """How good a side of a divided line is for the defender: the modifiers it gives, a blocked one above all."""
    return seen.points + seen.same_building + seen.target_cover if seen.clear else _BLOCKED


_BLOCKED = 1000


def _along(
    board: Board,
    terrain: Terrain,
    line: _Line,
    a_cell: int,
    a_base: int,
    a_top: int,
    t_cell: int,
    t_base: int,
    t_top: int,
    under: bool,
    same: frozenset[int] | None,
) -> Sight:
    """Walk one reading of a line."""
    high, low = (a_top, t_top) if a_top > t_top else (t_top, a_top)
    limits = (high, a_top, t_top, low)
    obstacle = terrain.floor if under else terrain.obstacle
    solid = terrain.floor if under else terrain.solid
    screen = terrain.screen
    light_woods = heavy_woods = light_smoke = heavy_smoke = inside = 0
    target_cover = attacker_cover = False
    for delta, near in line:
        cell = a_cell + delta
        limit = limits[near]
        if obstacle[cell] < limit and not under and not (same and cell in same):
            continue
        top = solid[cell]
        if same and cell in same:
            inside += 1
            top = board.level[cell]
        if top > limit:
            return Sight(False, "building" if board.building_top[cell] and board.level[cell] <= limit else "hill")
        if under and board.depth[cell] < 1 and board.level[cell] > OFF_LEVEL:
            return Sight(False, "underwater")
        if near:
            if near & 2 and top == t_top and a_top <= t_top and t_top > t_base:
                target_cover = True
            if near & 1 and top == a_top and t_top <= a_top and a_top > a_base:
                attacker_cover = True
        screened = screen[cell]
        if screened is not None and not under:
            tree_top, light, heavy, smoke_top, thin, thick = screened
            if tree_top > limit:
                light_woods += light
                heavy_woods += heavy
            if smoke_top > limit:
                light_smoke += thin
                heavy_smoke += thick
    points = terrain.points
    woods = light_woods * points["light_woods"] + heavy_woods * points["heavy_woods"]
    smoke = light_smoke * points["light_smoke"] + heavy_smoke * points["heavy_smoke"]
    if woods + smoke > terrain.limit:
        return Sight(False, "woods" if not smoke else "smoke" if not woods else "woods_smoke")
    if same is not None and a_cell != t_cell:
        inside += 1
    return Sight(True, "", light_woods, heavy_woods, light_smoke, heavy_smoke, inside, target_cover, attacker_cover)


#: anything this low is off the board
OFF_LEVEL = -1000


def _submerged(board: Board, cell: int, top: int) -> bool:
    """Whether a unit with that top is wholly under the surface. Rule: S-3."""
    return board.depth[cell] > 0 and top < board.level[cell]


def _in_water(board: Board, cell: int, top: int) -> bool:
    """Whether a unit with that top is partly in the water, or floats on it."""
    return board.depth[cell] > 0 and top == board.level[cell]


def inside_building(board: Board, cell: int, base: int) -> bool:
    """Whether a unit that stands on that level is inside the hex's building (not on its roof, not under it)."""
    return board.building[cell] > 0 and board.level[cell] <= base < board.level[cell] + board.building_top[cell]


def building_cells(board: Board, cell: int) -> frozenset[int]:
    """All cells of the building that stands in a hex; empty where none does."""
    table_of: dict[int, frozenset[int]] = board.tables.setdefault("building_cells", {})
    if cell in table_of:
        return table_of[cell]
    if not board.building[cell]:
        return frozenset()
    step = board.grid.step
    found = {cell}
    queue = [cell]
    while queue:
        here = queue.pop()
        exits = board.hexes[here].building_exits
        for direction in range(6):
            beyond = here + step[direction]
            if beyond in found or not board.building[beyond]:
                continue
            if exits >> direction & 1 or board.hexes[beyond].building_exits >> ((direction + 3) % 6) & 1:
                found.add(beyond)
                queue.append(beyond)
    cells = frozenset(found)
    for here in cells:
        table_of[here] = cells
    return cells


def _shared_building(board: Board, a_cell: int, a_base: int, t_cell: int, t_base: int) -> frozenset[int] | None:
    """The cells of the building that both units are inside of, or None."""
    if not (inside_building(board, a_cell, a_base) and inside_building(board, t_cell, t_base)):
        return None
    cells = building_cells(board, a_cell)
    return cells if t_cell in cells else None


def between(board: Board, a_cell: int, t_cell: int, side: int = UNDIVIDED) -> tuple[int, ...]:
    """The cells that the line from one hex to another crosses, ends left out, in order, off-board cells left out.

    On a divided line: those of one side, as :attr:`Sight.side` names it (the right one where both are alike).
    """
    grid = board.grid
    lines = lines_of(grid.stride, *grid.offset(a_cell, t_cell))
    line = lines[0] if side == LEFT or len(lines) == 1 else lines[1]
    return tuple(a_cell + delta for delta, _ in line if grid.columns[a_cell + delta] >= 0)


def covering_cells(board: Board, a_cell: int, t_cell: int, t_top: int, side: int) -> tuple[int, ...]:
    """The cells next to the target that give it partial cover on that line: they are what leg hits strike."""
    terrain = terrain_of(board)
    near = set(board.grid.step)
    return tuple(
        cell for cell in between(board, a_cell, t_cell, side) if t_cell - cell in near and terrain.solid[cell] == t_top
    )
