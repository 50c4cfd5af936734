"""The flight of a VTOL written as plainly as it can be, to check the search against: every path, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from opfor.board.board import Board, Hex
from opfor.units.state import UnitState
from tests.plain_reach import Best, neighbour

Place = tuple[int, int, int]  # column, row, level above the board's zero


class Flight(NamedTuple):
    """One moment of a flight."""

    at: Place
    facing: int
    mp: int
    hexes: int
    entry_facing: int
    backward: bool = False
    moved: bool = False
    rolled: bool = False


class Air:
    """The air over a board as the plain search sees it."""

    def __init__(self, board: Board) -> None:
        grid = board.grid
        self.hexes = {(c, r): board.hexes[grid.cell(c, r)] for c in range(grid.width) for r in range(grid.height)}
        highest = max(hex.level + self.landed(hex) for hex in self.hexes.values())
        self.ceiling = max(highest + 5, *(hex.level + self.lowest(hex) for hex in self.hexes.values()))

    @staticmethod
    def landed(hex: Hex) -> int:
        """Height above the hex's surface of one that has landed."""
        if hex.building:
            return hex.building_height
        return hex.bridge_height if hex.bridge else 0

    @classmethod
    def lowest(cls, hex: Hex) -> int:
        """The lowest height above the hex's surface at which it flies."""
        trees = hex.foliage if hex.woods else 0
        bridge = hex.bridge_height if hex.bridge else 0
        return max(trees, bridge, hex.building_height if hex.building else 0) + 1

    def flies(self, at: Place) -> bool:
        hex = self.hexes[at[0], at[1]]
        return at[2] - hex.level > self.landed(hex)

    def may_stop(self, at: Place) -> bool:
        """Whether it can be in a place at all: in the air high enough, or landed where it can."""
        hex = self.hexes[at[0], at[1]]
        height = at[2] - hex.level
        if height >= self.lowest(hex):
            return True
        open_ground = not (hex.woods or hex.depth or hex.rubble or hex.swamp)
        return height == self.landed(hex) and bool(open_ground or hex.building or hex.bridge)

    def onward(self, here: Flight, flank: bool) -> Iterator[Flight]:
        """Every step on: turns, climbing and diving, hexes ahead, and behind in cruising."""
        for side in (1, 5):
            yield here._replace(facing=(here.facing + side) % 6, mp=here.mp + 1)
        column, row, level = here.at
        hex = self.hexes[column, row]
        if level + 1 <= self.ceiling and level + 1 - hex.level <= 50:
            yield here._replace(at=(column, row, level + 1), mp=here.mp + 1)
        if not self.flies(here.at):
            return
        if self.may_stop((column, row, level - 1)):
            yield here._replace(at=(column, row, level - 1), mp=here.mp + 1)
        for turned, backward in ((0, False),) if flank else ((0, False), (3, True)):
            to = neighbour(column, row, (here.facing + turned) % 6)
            if to not in self.hexes or level - self.hexes[to].level < self.lowest(self.hexes[to]):
                continue
            slips = flank and here.facing != here.entry_facing and here.hexes > 0
            hexes = here.hexes + 1 if not here.moved or here.backward == backward else 1
            yield Flight((*to, level), here.facing, here.mp + 1, hexes, here.facing, backward, True, here.rolled or slips)


def flights(board: Board, unit: UnitState, limit: int, flank: bool) -> dict[tuple[Place, int], Best]:
    """Every listed end of cruising or flanking with what reaching it takes."""
    grid = board.grid
    air = Air(board)
    start = (grid.columns[unit.cell], grid.rows[unit.cell], board.level[unit.cell] + unit.elevation)
    first = Flight(start, unit.facing, 0, 0, unit.facing)
    found: dict[tuple[Place, int], Best] = {}
    seen = {first}
    todo = [first]
    while todo:
        here = todo.pop()
        hex = air.hexes[here.at[0], here.at[1]]
        if here.at[2] <= start[2] or here.at[2] - hex.level - air.landed(hex) <= 5:
            pair = (here.mp, here.hexes)
            best = found.setdefault((here.at, here.facing), Best(pair))
            best.any = min(best.any, pair, key=lambda p: (p[0], -p[1]))
            if not here.rolled:
                best.safe = min(best.safe or pair, pair, key=lambda p: (p[0], -p[1]))
        for after in air.onward(here, flank):
            if after.mp <= limit and after not in seen:
                seen.add(after)
                todo.append(after)
    found.pop((start, unit.facing))
    return found


def count_flights(board: Board, unit: UnitState, points: tuple[int, int, int]) -> int:
    """How many movement orders a VTOL has: standing still, every end of cruising and flanking."""
    cruise = flights(board, unit, points[0], False)
    flank = flights(board, unit, points[1], True) if points[1] > points[0] else {}
    return 1 + len(cruise) + len(flank)
