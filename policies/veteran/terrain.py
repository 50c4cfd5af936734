"""What the planner knows of the ground beside lines of fire: the way to the enemy, edges, hazards, company. Rule: S-1, S-2."""

from __future__ import annotations

from collections.abc import Iterable

from opfor.rules.ground import Ground
from opfor.state import State
from opfor.units.spec import CT, LT, REAR_ARMOR, RT
from opfor.units.state import UnitState
from policies.veteran.weights import Weights

#: what the field says of places from which there is no way
FAR = 200


def field_to(ground: Ground, cells: Iterable[int]) -> list[int]:
    """MP from every cell to the nearest of ``cells``, turning left aside; :data:`FAR` where no way leads."""
    size = ground.board.grid.size
    best = [FAR] * size
    buckets: list[list[int]] = [[]]
    for cell in cells:
        best[cell] = 0
        buckets[0].append(cell)
    cost = 0
    while cost < len(buckets):
        for cell in buckets[cost]:
            if best[cell] != cost:
                continue
            for place in (cell * 2, cell * 2 + 1):
                if ground.level[place] is None:
                    continue
                for direction in range(6):
                    for to, step, _ in ground.steps(place, direction):
                        there = to >> 1
                        total = cost + step
                        if total < best[there]:
                            best[there] = total
                            while len(buckets) <= total:
                                buckets.append([])
                            buckets[total].append(there)
        cost += 1
    return best


def edge_sides(ground: Ground) -> list[int]:
    """By cell: how many of its six sides the edge of the map closes."""
    grid = ground.board.grid
    found = [0] * grid.size
    for cell in grid.on_board:
        found[cell] = sum([1 for step in grid.step if grid.columns[cell + step] < 0])
    return found


def to_edge(state: State, cell: int, edge: str) -> int:
    """Hexes from a cell to an edge of the map."""
    grid = state.board.grid
    column, row = grid.columns[cell], grid.rows[cell]
    return {"north": row, "south": grid.height - 1 - row, "west": column, "east": grid.width - 1 - column}.get(edge, 0)


def hazard(state: State, unit: UnitState, place: int, weights: Weights) -> float:
    """What standing in a place may cost: water and open armour, buildings, swamp, fire."""
    board = state.board
    cell = place >> 1
    hex = board.hexes[cell]
    cost = 0.0
    if not place & 1:
        depth = hex.depth
        if depth:
            cost += weights.water[min(depth, len(weights.water) - 1)]
            cost += weights.breach * _open(unit, depth)
        if hex.building:
            cost += weights.building
        if hex.swamp:
            cost += weights.swamp
    if hex.fire:
        cost += weights.burning
    return cost


def _open(unit: UnitState, depth: int) -> int:
    """Locations without armour that the water would reach."""
    wet = list(unit.legs) if depth == 1 else list(range(1, 8))
    found = sum([1 for location in wet if unit.armor[location] <= 0 and not unit.lost(location)])
    if depth > 1:
        found += sum([1 for torso in (CT, RT, LT) if unit.armor[REAR_ARMOR[torso]] <= 0 and not unit.lost(torso)])
    return found
