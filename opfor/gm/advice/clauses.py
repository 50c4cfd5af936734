"""Why a unit does what it does, in a clause that anybody at the table could have written.

Made from the position that all sides know, never a policy's own reason, which may rest on what players do not know.
"""

from __future__ import annotations

from opfor.board.sight import Sight, sight
from opfor.orders import FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.state import State
from opfor.units.hex_target import names_hex
from opfor.units.state import UnitState

#: names listed one by one in a clause; more are counted
MOST = 3


def clause(state: State, order: Order) -> str:
    """The clause of an order, "" where nothing is to be said. ``state`` is what all sides know; it is left as it is.

    Distances and sight are to units of other sides that stand on the map.
    """
    if isinstance(order, MoveOrder):
        return "; ".join(_movement(state, order))
    if isinstance(order, FireOrder):
        return _fire(state, order)
    return _physical(state, order) if isinstance(order, PhysicalOrder) else ""


def _enemies(state: State, unit: UnitState) -> list[UnitState]:
    return [one for one in state.enemies(unit.side) if one.cell >= 0 and not one.aboard and one.active]


def _seen(state: State, unit: UnitState, other: UnitState) -> Sight:
    return sight(state.board, unit.cell, state.base(unit), state.top(unit), other.cell, state.base(other), state.top(other))


def _movement(state: State, order: MoveOrder) -> list[str]:
    if "EXIT" in order.path:
        return ["leaves the map"]
    if order.mode == "wait":
        return []
    unit = state.unit(order.unit).copy()
    found = []
    if unit.prone and not order.prone:
        found.append("gets to its feet")
    elif order.prone and not unit.prone:
        found.append("drops prone")
    higher = state.board.level[order.to] - state.board.level[unit.cell] if unit.spec.kind != "vtol" else 0
    unit.cell, unit.facing, unit.elevation, unit.prone = order.to, order.facing, order.elevation, order.prone
    if order.attack == "mount":
        return found
    found += _ground(state, unit, higher)
    enemies = _enemies(state, unit)
    if not enemies:
        return found
    distance = state.board.grid.distance
    near = sorted(enemies, key=lambda one: (distance(unit.cell, one.cell), one.index))
    views = {one.id: _seen(state, unit, one) for one in near}
    clear = [one for one in near if views[one.id].clear]
    dark = [one.id for one in near if not views[one.id].clear]
    if not clear:
        return [*found, "out of sight of every enemy"]
    first = clear[0]
    away = distance(unit.cell, first.cell)
    found.append(f"next to {first.id}" if away <= 1 else f"{away} hexes from {first.id}")
    if views[first.id].attacker_cover and not unit.prone:
        found.append(f"partial cover from {first.id}")
    if dark:
        found.append(f"out of sight of {_listed(dark, len(near))}")
    return found


def _ground(state: State, unit: UnitState, higher: int) -> list[str]:
    record = state.board.hexes[unit.cell]
    found: list[str] = []
    if unit.spec.kind == "vtol":
        return found
    if record.woods:
        found.append(f"{'light' if record.woods == 1 else 'heavy'} woods")
    if record.smoke:
        found.append("smoke")
    if record.building:
        found.append("inside a building" if unit.elevation < record.building_height else "on a roof")
    if record.water > 0 and unit.spec.is_mech:
        found.append("standing in water")
    if higher > 0:
        found.append("higher ground")
    return found


def _fire(state: State, order: FireOrder) -> str:
    unit = state.unit(order.unit)
    if unit.cell < 0 or unit.aboard:
        return ""
    distance = state.board.grid.distance
    enemies = _enemies(state, unit)
    clear = [one for one in enemies if _seen(state, unit, one).clear]
    if not order.attacks:
        return "" if order.clear or clear or not enemies else "no enemy in sight"
    if names_hex(order.primary):
        cell = state.target(order.primary).cell
        there = [one.id for one in enemies if one.cell == cell]
        return f"{_listed(there, len(enemies))} is in that hex" if len(there) == 1 else ""
    target = state.unit(order.primary)
    found = []
    if [target] == clear:
        found.append("the only enemy in sight")
    elif target in clear and all(distance(unit.cell, target.cell) <= distance(unit.cell, one.cell) for one in clear):
        found.append("the nearest enemy in sight")
    elif target not in clear:
        found.append("out of its own sight")
    found += [word for word, so in (("prone", target.prone), ("shut down", target.shutdown)) if so]
    if not found:
        away = distance(unit.cell, target.cell)
        found.append(f"in sight, {away} {'hex' if away == 1 else 'hexes'} away")
    return f"{target.id} is {' and '.join(found)}"


def _physical(state: State, order: PhysicalOrder) -> str:
    if not order.attack or not order.target or names_hex(order.target):
        return ""
    target = state.unit(order.target)
    unit = state.unit(order.unit)
    if target.cell < 0 or unit.cell < 0:
        return ""
    away = state.board.grid.distance(unit.cell, target.cell)
    where = "next to it" if away == 1 else "in its hex" if away == 0 else ""
    words = [word for word in (where, "prone" if target.prone else "") if word]
    return f"{target.id} is {' and '.join(words)}" if words else ""


def _listed(ids: list[str], every: int) -> str:
    return ", ".join(ids) if len(ids) <= MOST else f"{len(ids)} of {every} enemies"
