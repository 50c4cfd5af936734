"""How large a map is drawn and which part of it: the sizes of letters, the hexes that have numbers, the part worth seeing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from opfor.hex import Grid
from opfor.orders import CallOrder, FireOrder, MoveOrder, Order
from opfor.state import State

#: sizes to ask for: a desk's screen, a telephone, a sheet of paper
SIZES = ("screen", "phone", "print")
#: pixels that a telephone's picture is wide, and those across a printed one
PHONE, PRINT = 800, 2480
#: hexes round the action that are shown with it, and the fewest columns and rows
_ROUND, _LEAST = 2, 8
#: a part of the board this large is not cut out: the whole of it is shown
_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Look:
    """``letters``: how much larger labels are than on a screen; ``numbered``: the hexes with a number, None for all."""

    letters: float = 1.0
    numbered: frozenset[int] | None = None

    def numbers(self, cell: int) -> bool:
        """Whether a hex has its number written."""
        return self.numbered is None or cell in self.numbered


def busy_cells(state: State, orders: Sequence[Order]) -> list[int]:
    """The hexes where something is: units that live, markers, and where orders lead."""
    grid = state.board.grid
    cells = [unit.cell for unit in state.units if unit.alive]
    cells += [marker.cell for marker in state.markers]
    for order in orders:
        if isinstance(order, MoveOrder):
            cells.append(order.to)
        elif isinstance(order, CallOrder):
            cells.append(order.cell)
        elif isinstance(order, FireOrder):
            cells += [grid.parse(attack.target[1:]) for attack in order.attacks if attack.target.startswith("@")]
    return [cell for cell in cells if grid.contains(cell)]


def window_of(grid: Grid, cells: Sequence[int], share: float = _SHARE) -> tuple[int, int, int, int] | None:
    """The part of the board round some hexes; None when that is most of the board, or there are none."""
    if not cells:
        return None
    columns, rows = [grid.columns[cell] for cell in cells], [grid.rows[cell] for cell in cells]
    left, right = _span(min(columns), max(columns), grid.width)
    top, bottom = _span(min(rows), max(rows), grid.height)
    if (right - left + 1) * (bottom - top + 1) > share * grid.width * grid.height:
        return None
    return left, top, right, bottom


def _span(first: int, last: int, size: int) -> tuple[int, int]:
    """First and last column or row shown, of ``size``."""
    first, last = first - _ROUND, last + _ROUND
    lacking = _LEAST - (last - first + 1)
    if lacking > 0:
        first, last = first - lacking // 2, last + (lacking + 1) // 2
    if first < 0:
        first, last = 0, last - first if last - first + 1 <= _LEAST else last
    if last >= size:
        first, last = (size - 1 - (last - first) if last - first + 1 <= _LEAST else first), size - 1
    return max(0, first), min(size - 1, last)


def neighbourhood(grid: Grid, cell: int, distance: int) -> list[int]:
    """The hexes within a distance of a hex."""
    return [other for other in grid.on_board if grid.distance(cell, other) <= distance]
