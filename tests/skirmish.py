"""Small battles for tests: two sides at opposite edges of a board, facing each other, drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence

from opfor.board.board import Board
from opfor.board.library import board_names
from opfor.formats.library import board_named
from opfor.rulesets import Ruleset, named_ruleset
from opfor.state import State
from opfor.units.catalogue import unit_named, unit_names
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState

#: facing of each side: the first stands at the north edge and looks south, the second the other way
_FACING = (3, 0)
_EDGES = ("north", "south")
_PREFIX = ("alpha", "bravo")
#: standard map sheets: larger boards make for long games
_LARGEST = 20


def small_boards() -> tuple[str, ...]:
    """Built-in boards of one map sheet."""
    return tuple(name for name in board_names() if max(board_named(name).grid.width, board_named(name).grid.height) <= _LARGEST)


def skirmish(
    seed: int,
    board: Board | str | None = None,
    a: Sequence[str | UnitSpec] | None = None,
    b: Sequence[str | UnitSpec] | None = None,
    *,
    size: int = 4,
    kinds: Sequence[str] = ("mech",),
    limit: int = 0,
    ruleset: Ruleset | str = "standard",
) -> State:
    """A battle before its first turn: side 0 at the north edge, side 1 at the south edge, all else by ``seed``.

    ``a`` and ``b`` name the units of the sides; without them both sides get the same ``size`` units of the given
    ``kinds`` from the catalogue.
    ``board`` is a board or the name of a built-in one. ``limit`` is the last turn (0: none). The same arguments give the
    same battle.
    """
    draw = random.Random(seed).random
    if board is None:
        names = small_boards()
        board = names[int(draw() * len(names))]
    ground = board_named(board) if isinstance(board, str) else board
    if a is None:
        every = [name for kind in kinds for name in unit_names(kind)]
        a = [every[int(draw() * len(every))] for _ in range(size)]
    sides = (a, a if b is None else b)
    units = []
    for side, members in enumerate(sides):
        cells = _front(ground, side, len(members), draw())
        for number, (member, cell) in enumerate(zip(members, cells, strict=True), start=1):
            spec = unit_named(member) if isinstance(member, str) else member
            unit = UnitState(spec, f"{_PREFIX[side]}-{number}", side)
            unit.cell = cell
            unit.facing = _FACING[side]
            units.append(unit)
    rules = named_ruleset(ruleset) if isinstance(ruleset, str) else ruleset
    state = State(ground, rules, _PREFIX, units)
    state.edges = list(_EDGES)
    state.limit = limit
    return state


def _front(board: Board, side: int, count: int, shift: float) -> list[int]:
    """Cells for a line of units along an edge: dry, open, spread over its width, the nearest rows first."""
    grid = board.grid
    found: list[int] = []
    step = grid.width / count
    for number in range(count):
        column = min(grid.width - 1, int((number + 0.25 + 0.5 * shift) * step))
        found.append(_open_cell(board, side, column, found))
    return found


def _open_cell(board: Board, side: int, column: int, taken: list[int]) -> int:
    grid = board.grid
    for depth in range(grid.height):
        row = depth if side == 0 else grid.height - 1 - depth
        for aside in range(grid.width):
            for there in (column - aside, column + aside) if aside <= depth + 1 else ():
                if not 0 <= there < grid.width:
                    continue
                cell = grid.cell(there, row)
                hex = board.hexes[cell]
                if cell not in taken and hex.depth == 0 and not hex.building and not hex.bridge and not hex.swamp:
                    return cell
    raise ValueError("the board has no dry ground left")
