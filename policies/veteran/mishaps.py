"""What a failed roll on the way costs: 'Mechs fall, vehicles skid, what floats or flies slips aside. Rule: S-6, E-13, E-14."""

from __future__ import annotations

from opfor.orders import MoveOrder
from opfor.rules.moving.flight import lowest_flight
from opfor.state import State
from policies.veteran.exchange import topple_odds
from policies.veteran.figures import Figure
from policies.veteran.mover import Mover
from policies.veteran.terrain import entry_hazard, overloads
from policies.veteran.weights import Weights

#: hexes around in which something to slip into is looked for
_AROUND = 3
_SLIPPING = ("hover", "vtol")


def fall_cost(me: Figure, weights: Weights) -> float:
    """What a fall costs a 'Mech: its damage, the pilot's risk, lying there under fire."""
    unit = me.unit
    damage = unit.spec.tons / 10
    hit = topple_odds(me) * weights.pilot_hit * (1.0 + unit.pilot_hits)
    return weights.fall + damage * me.factors["left", False] + hit


def mishap_cost(state: State, me: Figure, weights: Weights) -> float:
    """What failing a roll on the way costs the unit."""
    if me.hot:
        return fall_cost(me, weights)
    if me.unit.spec.is_infantry:
        return weights.bog
    if me.ground.motion.name not in _SLIPPING:
        return weights.skid * me.value
    return weights.slip * me.value * (1.0 + _obstacles(state, me))


def _obstacles(state: State, me: Figure) -> float:
    """How much there is around to slip into, 0 to 2: ground that is closed to a hover vehicle, what rises above a VTOL."""
    board = state.board
    grid = board.grid
    unit = me.unit
    height = state.base(unit) if me.flies else 0
    near = ruin = 0
    for cell in grid.on_board:
        if not 0 < grid.distance(unit.cell, cell) <= _AROUND:
            continue
        near += 1
        hex = board.hexes[cell]
        if me.kind == "vtol":
            ruin += hex.level + lowest_flight(hex) > max(height, board.level[unit.cell] + 1)
        else:
            ruin += me.ground.motion.terrain_cost(hex) is None or bool(hex.building) or hex.level > board.level[unit.cell]
    return min(2.0, 6.0 * ruin / near) if near else 0.0


def path_hazard(mover: Mover, order: MoveOrder, *, stops: bool = False) -> float:
    """What the hexes on the way may cost: known mines, ice, flames, bridges.

    The last one is counted with its place, but for a unit that only stops there on its way.
    """
    if not order.path or order.mode == "jump" or not mover.mind.perils(mover.state):
        return 0.0
    if mover.me.kind == "vtol":
        return 0.0
    cost = 0.0
    ground = mover.ground
    last = mover.me.unit.cell
    for step in mover.moves.walk(order).steps:
        place = step.stance // 6
        cell = ground.cell(place)
        if cell != last and (stops or cell != order.to):
            elevation = ground.elevation[place]
            if elevation <= 0:
                cost += entry_hazard(mover.state, mover.me, cell, mover.weights)
            cost += mover.weights.gives_way * overloads(mover.state, mover.me.unit, cell, elevation)
        last = cell
    return cost
