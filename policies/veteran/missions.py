"""Mission actions: what starting one is worth, where one can be started, standing still until it is done. Rule: A-1 to A-6."""

from __future__ import annotations

from opfor.game.legal.mission_actions import ActionChoices
from opfor.missions import UNDERWAY, MissionAction
from opfor.orders import ActionOrder
from opfor.rules.missions.engaged import keywords_of
from opfor.rules.missions.mission_actions import action_named
from opfor.state import State
from opfor.units.state import UnitState
from policies.veteran.weights import Weights

#: units of a side that make for the same places at once
_ERRANDS = 2
#: hexes from a place over which it draws
_DRAWS = 16
#: worth of being inside, where being next to it is worth 1 or less
_INSIDE = 1.5


def action_value(state: State, action: MissionAction, weights: Weights) -> float:
    """What completing an action is worth, 0 for one that does nothing."""
    effect = action.effect
    worth = weights.point * effect.score
    if effect.placing is not None or effect.reveal or effect.tag:
        worth += weights.mission
    return worth


def best_start(state: State, choices: ActionChoices | None, weights: Weights) -> tuple[float, ActionOrder | None]:
    """The best mission action that one of the units may start now, and what it is worth."""
    best: tuple[float, ActionOrder | None] = (0.0, None)
    if choices is None:
        return best
    away = state.board.grid.distance
    for order in choices:
        if not isinstance(order, ActionOrder) or not order.action:
            continue
        action = action_named(state, order.action)
        if action is None:
            continue
        value = action_value(state, action, weights)
        if order.cell >= 0:
            enemies = state.enemies(state.unit(order.unit).side)
            near = min([away(order.cell, enemy.cell) for enemy in enemies if enemy.cell >= 0], default=0)
            # what is set up lies the safer, the farther from the enemy
            value += 0.01 * near
            if action.effect.remove is not None:
                side = state.unit(order.unit).side
                value += any(mark.cell == order.cell and mark.side not in (side, -1) for mark in state.markers)
        if value > best[0]:
            best = value, order
    return best


def start_words(order: ActionOrder, state: State) -> str:
    """Starting an action in a clause."""
    where = f" at {state.board.grid.names[order.cell]}" if order.cell >= 0 else ""
    return f"starts {order.action}{where}"


def at_work(state: State, unit: UnitState) -> bool:
    """Whether a unit has an action under way that moving would break. Rule: A-3."""
    return any(made.unit == unit.id and made.status == UNDERWAY for made in state.actions_started)


def goals(state: State, unit: UnitState) -> frozenset[int]:
    """Hexes in which a unit might start an action that its side may still start; none for units that others are nearer for."""
    found: set[int] = set()
    for action in state.actions:
        if not _open_to(state, unit, action) or not action.within:
            continue
        cells = {cell for name in action.within for cell in state.zones[name].cells}
        for name in action.outside:
            cells -= state.zones[name].cells
        if action.outside_own_deployment:
            for zone in state.zones.values():
                if zone.kind == "deployment" and zone.side == unit.side:
                    cells -= zone.cells
        if cells and _among_nearest(state, unit, action, cells):
            found |= cells
    return frozenset(found)


def _open_to(state: State, unit: UnitState, action: MissionAction) -> bool:
    if (action.sides and unit.side not in action.sides) or not unit.oc or unit.oc < action.least_oc:
        return False
    known = keywords_of(state, unit)
    if any(word not in known for word in action.keywords):
        return False
    for by, most in action.limits:
        if by == "battle" and sum(s.side == unit.side and s.action == action.name for s in state.actions_started) >= most:
            return False
    return True


def _among_nearest(state: State, unit: UnitState, action: MissionAction, cells: set[int]) -> bool:
    """Whether a unit is one of the few of its side that are nearest to the places."""
    away = state.board.grid.distance

    def far(one: UnitState) -> tuple[int, int]:
        return min([away(one.cell, cell) for cell in cells]), one.index

    able = [u for u in state.friends(unit.side) if u.cell >= 0 and u.active and _open_to(state, u, action)]
    return unit in sorted(able, key=far)[:_ERRANDS]


def pull(state: State, cells: frozenset[int], cell: int) -> float:
    """How much a hex is worth for what is to be done in places, most within them."""
    away = state.board.grid.distance
    near = min([away(cell, goal) for goal in cells])
    return max(0.0, 1.0 - near / _DRAWS) if near else _INSIDE
