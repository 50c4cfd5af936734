"""Line of sight again, plainly: exact geometry for every pair, nothing tabled. It checks the fast one.

The plane: x counts columns to the east, y half rows to the south, so that the centres of hexes are whole numbers (an even
printed column lies one half row lower). A line is walked by cutting every hex of the board with it, in exact fractions.
"""

from __future__ import annotations

from fractions import Fraction

from opfor.board.board import Board
from opfor.board.sight import EITHER, LEFT, RIGHT, UNDIVIDED, Sight

Point = tuple[int, int]


def centre(board: Board, cell: int) -> Point:
    """x in columns, y in half rows; odd columns (counted from 0) lie half a row lower."""
    column, row = board.grid.columns[cell], board.grid.rows[cell]
    return column, 2 * row + (column & 1)


def distance(a: Point, b: Point) -> int:
    """Steps between two hexes: each step sideways also covers one half row."""
    across = abs(a[0] - b[0])
    down = abs(a[1] - b[1])
    return across + max(0, (down - across) // 2)


def crossing(a: Point, b: Point, at: Point) -> tuple[Fraction, Fraction, bool] | None:
    """Where the line from ``a`` to ``b`` runs inside the closed hex at ``at``: from, to, and whether along one of its sides.

    About its centre a hex has corners at x = +-2/3, y = 0 and at x = +-1/3, y = +-1; its sides lie on y = +-1 and on
    3 x + y = +-2, 3 x - y = +-2.
    """
    low, high = Fraction(0), Fraction(1)
    along = False
    dx, dy = b[0] - a[0], b[1] - a[1]
    x, y = a[0] - at[0], a[1] - at[1]
    for start, step, reach in ((y, dy, 1), (3 * x + y, 3 * dx + dy, 2), (3 * x - y, 3 * dx - dy, 2)):
        if step == 0:
            if abs(start) > reach:
                return None
            along = along or abs(start) == reach
            continue
        ends = sorted((Fraction(-reach - start, step), Fraction(reach - start, step)))
        low, high = max(low, ends[0]), min(high, ends[1])
    if low > high:
        return None
    return low, high, along and low < high


def line(board: Board, a_cell: int, t_cell: int) -> list[tuple[int, int]]:
    """Cells on the line but for its ends, each with its side: UNDIVIDED, or LEFT or RIGHT where it runs along a hexside."""
    a, b = centre(board, a_cell), centre(board, t_cell)
    found = []
    for cell in board.grid.on_board:
        if cell in (a_cell, t_cell):
            continue
        at = centre(board, cell)
        met = crossing(a, b, at)
        if met is None:
            continue
        side = UNDIVIDED
        if met[2]:
            # y grows to the south: a positive turn is to the right
            turn = (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0])
            side = RIGHT if turn > 0 else LEFT
        found.append((cell, side))
    return found


def one_side(board: Board, a_cell: int, a_base: int, a_top: int, t_cell: int, t_base: int, t_top: int, side: int) -> Sight:
    """The line with its left or its right hexes alone where it is divided."""
    a_hex, t_hex = board.hexes[a_cell], board.hexes[t_cell]
    a_under = a_hex.depth > 0 and a_top < a_hex.level
    t_under = t_hex.depth > 0 and t_top < t_hex.level
    if a_under and not t_under and not (t_hex.depth > 0 and t_top == t_hex.level):
        return Sight(False, "water")
    if t_under and not a_under and not (a_hex.depth > 0 and a_top == a_hex.level):
        return Sight(False, "water")
    under = a_under or t_under
    shared = _rooms(board, a_cell, a_base) & _rooms(board, t_cell, t_base)
    counts = {"light_woods": 0, "heavy_woods": 0, "light_smoke": 0, "heavy_smoke": 0}
    inside = 0
    target_cover = attacker_cover = False
    for cell, where in line(board, a_cell, t_cell):
        if where not in (UNDIVIDED, side):
            continue
        here = board.hexes[cell]
        near_a = distance(centre(board, cell), centre(board, a_cell)) == 1
        near_t = distance(centre(board, cell), centre(board, t_cell)) == 1

        def rises(height: int, near_a: bool = near_a, near_t: bool = near_t) -> bool:
            return (height > a_top and height > t_top) or (near_a and height > a_top) or (near_t and height > t_top)

        ground = here.floor if under else here.level
        height = ground + (here.building_height if here.building else 0)
        if cell in shared:
            inside += 1
            height = here.level
        if rises(height):
            return Sight(False, "building" if here.building and not rises(here.level) else "hill")
        if under and here.depth < 1:
            return Sight(False, "underwater")
        if near_t and height == t_top and a_top <= height and t_top == t_base + 1:
            target_cover = True
        if near_a and height == a_top and t_top <= height and a_top == a_base + 1:
            attacker_cover = True
        if not under:
            if here.woods and rises(here.level + here.foliage):
                counts["light_woods" if here.woods == 1 else "heavy_woods"] += 1
            if here.smoke and rises(here.level + 2):
                counts["light_smoke" if here.smoke == 1 else "heavy_smoke"] += 1
    woods = counts["light_woods"] + 2 * counts["heavy_woods"]
    smoke = counts["light_smoke"] + 2 * counts["heavy_smoke"]
    if woods + smoke > 2:
        return Sight(False, "woods" if not smoke else "smoke" if not woods else "woods_smoke")
    if shared and a_cell != t_cell:
        inside += 1
    return Sight(
        True, "", *counts.values(), same_building=inside, target_cover=target_cover, attacker_cover=attacker_cover
    )  # fmt: skip


def plain_sight(board: Board, a_cell: int, a_base: int, a_top: int, t_cell: int, t_base: int, t_top: int) -> Sight:
    """The same question as :func:`opfor.board.sight.sight`."""
    places = (board, a_cell, a_base, a_top, t_cell, t_base, t_top)
    left = one_side(*places, LEFT)
    if left.why == "water" or not any(side != UNDIVIDED for _, side in line(board, a_cell, t_cell)):
        return left
    right = one_side(*places, RIGHT)
    if left == right or (not left.clear and not right.clear):
        return right._replace(side=EITHER)
    if not left.clear or not right.clear:
        return left._replace(side=LEFT) if not left.clear else right._replace(side=RIGHT)
    bad = [s.points + s.same_building + s.target_cover for s in (left, right)]
    if bad[0] > bad[1] or (bad[0] == bad[1] and left.attacker_cover):
        return left._replace(side=LEFT)
    return right._replace(side=RIGHT)


def _rooms(board: Board, cell: int, base: int) -> set[int]:
    """Every cell of the building that a unit is inside of; empty when it is not inside one."""
    here = board.hexes[cell]
    if not here.building or not here.level <= base < here.level + here.building_height:
        return set()
    found = {cell}
    while True:
        more = {
            beyond
            for known in found
            for direction in range(6)
            for beyond in (board.grid.neighbour(known, direction),)
            if board.hexes[beyond].building
            and (
                board.hexes[known].building_exits >> direction & 1
                or board.hexes[beyond].building_exits >> (direction + 3) % 6 & 1
            )
        }
        if more <= found:
            return found
        found |= more
