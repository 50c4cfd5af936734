"""What the planner knows of the ground beside lines of fire: the way to the enemy, edges, hazards, company. Rule: S-1, S-2."""

from __future__ import annotations

from collections.abc import Iterable

from opfor.board.board import BUILDING_TYPES, Board
from opfor.rules.moving.ground import Ground
from opfor.rules.terrain.buildings import absorbed
from opfor.rules.terrain.ice import breaks_ice
from opfor.rules.terrain.minefields import trigger_number
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import CT, LT, REAR_ARMOR, RT
from opfor.units.state import UnitState
from policies.veteran.figures import Figure
from policies.veteran.weights import Weights

#: what the field says of places from which there is no way
FAR = 200
_CAUGHT: dict[str, int] = table("fire")["caught"]
_PERCENT: dict[str, int] = table("terrain")["buildings"]["infantry_from_outside"]
_ICE_BREAKS: int = table("terrain")["ice"]["breaks"]
#: points of a middling attack, of which walls keep off theirs
_ATTACK = 8.0
#: the least share of fire that gets through walls
_LEAST_THROUGH = 0.25


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


def hexes_to(board: Board, cells: Iterable[int]) -> list[int]:
    """Hexes from every cell to the nearest of ``cells``: the way of whoever flies."""
    grid = board.grid
    there = list(cells)
    found = [FAR] * grid.size
    for cell in grid.on_board:
        found[cell] = min([grid.distance(cell, other) for other in there])
    return found


def edge_sides(board: Board) -> list[int]:
    """By cell: how many of its six sides the edge of the map closes."""
    grid = board.grid
    found = [0] * grid.size
    for cell in grid.on_board:
        found[cell] = sum([1 for step in grid.step if grid.columns[cell + step] < 0])
    return found


def to_edge(state: State, cell: int, edge: str) -> int:
    """Hexes from a cell to an edge of the map."""
    grid = state.board.grid
    column, row = grid.columns[cell], grid.rows[cell]
    return {"north": row, "south": grid.height - 1 - row, "west": column, "east": grid.width - 1 - column}.get(edge, 0)


def hazard(state: State, me: Figure, place: int, weights: Weights) -> float:
    """What ending in a place may cost: water and open armour, walls and floors that may give way, swamp, ice, fire, mines."""
    unit = me.unit
    board = state.board
    ground = me.ground
    cell = ground.cell(place)
    hex = board.hexes[cell]
    elevation = ground.elevation[place]
    if me.kind == "vtol" and elevation > 0 and not hex.building:
        return 0.0
    cost = weights.gives_way * overloads(state, unit, cell, elevation)
    if elevation <= 0:
        depth = hex.depth
        if depth and me.hot:
            cost += weights.water[min(depth, len(weights.water) - 1)]
            cost += weights.breach * _open(unit, depth)
        elif depth:
            # what floats sinks when it is stopped
            cost += weights.afloat * me.value
        if hex.building and not unit.spec.is_infantry:
            cost += weights.building
        if hex.swamp and (me.hot or ground.motion.roll_swamp):
            cost += weights.swamp
        if cell != unit.cell:
            cost += entry_hazard(state, me, cell, weights)
    if hex.fire:
        cost += weights.burning
        if not me.hot:
            cost += _CAUGHT[me.kind] * me.factors["front", False]
    return cost


def entry_hazard(state: State, me: Figure, cell: int, weights: Weights) -> float:
    """What coming into a hex on the ground may cost: known mines, ice, flames."""
    hex = state.board.hexes[cell]
    cost = 0.0
    if hex.mines and not hex.building:
        number = trigger_number(state, me.unit, cell)
        if number.possible:
            cost += number.odds * (hex.mines * me.factors["front", False] + weights.mined * me.value)
    if hex.ice and hex.water > 0 and breaks_ice(me.unit):
        odds = (7 - _ICE_BREAKS) / 6
        cost += odds * (weights.water[min(hex.water, len(weights.water) - 1)] if me.hot else weights.gives_way)
    if hex.fire and me.hot:
        cost += weights.scorched
    return cost


def shelter(state: State, me: Figure, place: int) -> float:
    """The share of the fire at a place that gets through the walls around it."""
    ground = me.ground
    hex = state.board.hexes[ground.cell(place)]
    if not hex.building or ground.elevation[place] >= hex.building_height:
        return 1.0
    if me.kind == "infantry":
        return max(0.02, _PERCENT[BUILDING_TYPES[hex.building]] / 100)
    return max(_LEAST_THROUGH, 1.0 - absorbed(hex.building_cf) / _ATTACK)


def overloads(state: State, unit: UnitState, cell: int, elevation: int) -> bool:
    """Whether a roof or a bridge's deck at that elevation would carry more tons than it bears."""
    hex = state.board.hexes[cell]
    if hex.bridge and elevation == hex.bridge_height:
        bears = hex.bridge_cf
    elif hex.building and elevation == hex.building_height:
        bears = hex.building_cf
    else:
        return False
    others = sum([u.spec.tons for u in state.occupants(cell) if u is not unit and u.elevation == elevation and not u.aboard])
    return others + unit.spec.tons > bears


def _open(unit: UnitState, depth: int) -> int:
    """Locations without armour that the water would reach."""
    wet = list(unit.legs) if depth == 1 else list(range(1, 8))
    found = sum([1 for location in wet if unit.armor[location] <= 0 and not unit.lost(location)])
    if depth > 1:
        found += sum([1 for torso in (CT, RT, LT) if unit.armor[REAR_ARMOR[torso]] <= 0 and not unit.lost(torso)])
    return found
