"""Dangers of a way and of its end, in points of damage, that are added to the damage feared."""

from __future__ import annotations

from collections.abc import Iterable

from opfor.orders import MoveOrder
from opfor.rules.barrage.blast import rings
from opfor.rules.barrage.bombs import BOMB, blast_of
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import ARMS, CT, HD, LT, REAR_ARMOR, RT
from opfor.units.state import UnitState
from policies.princess.settings import figures

_HAZARDS = figures("hazards")
#: direction of each step from the facing
_STEPS = {"F": 0, "SR": 1, "SRB": 2, "B": 3, "SLB": 4, "SL": 5}


def way_of(state: State, unit: UnitState, order: MoveOrder) -> list[int]:
    """The hexes that a movement enters, in order; a jump only the one that it lands in."""
    cell, facing = unit.cell, unit.facing
    step = state.board.grid.step
    found = []
    for token in order.path:
        if token in ("L", "R"):
            facing = (facing + (1 if token == "R" else -1)) % 6
        elif token in _STEPS:
            cell += step[(facing + _STEPS[token]) % 6]
            found.append(cell)
    if cell != order.to:
        found.append(order.to)
    return found


def water(unit: UnitState, depth: int, *, prone: bool) -> float:
    """What deep water may do to a 'Mech: only where it has no armour left under the surface; nothing to an intact one.

    ``depth``: levels under water that it stands at.
    """
    if depth <= 0 or not unit.spec.is_mech:
        return 0.0
    bare = [leg for leg in unit.legs if not unit.lost(leg) and unit.armor[leg] <= 0]
    points = float(_HAZARDS["leg"] * len(bare))
    if depth >= 2 or prone:
        vital = (HD, CT, RT, LT)
        open_to_it = [u for u in vital if not unit.lost(u) and (unit.armor[u] <= 0 or unit.armor[REAR_ARMOR.get(u, u)] <= 0)]
        points += _HAZARDS["vital"] * len(open_to_it)
        if not unit.spec.quad:
            points += _HAZARDS["leg"] * sum(1 for arm in ARMS if not unit.lost(arm) and unit.armor[arm] <= 0)
    return points


def at_end(state: State, unit: UnitState, cell: int, elevation: int, *, prone: bool, bursts: dict[int, float]) -> float:
    """Dangers of being in a hex: water, fire, the side's own shells that come down there."""
    hex = state.board.hexes[cell]
    points = bursts.get(cell, 0.0)
    if elevation < 0:
        points += water(unit, min(-elevation, state.board.depth[cell]), prone=prone)
    if hex.fire and elevation <= 0:
        points += _HAZARDS["fire_at_end"]
    return points


def on_the_way(state: State, unit: UnitState, cells: Iterable[int], fails: float) -> float:
    """Dangers of the hexes entered: fire, mines, buildings and thin ice by the chance ``fails`` to fail a roll there."""
    points = 0.0
    for cell in cells:
        hex = state.board.hexes[cell]
        if hex.fire:
            points += _HAZARDS["fire"]
        if hex.mines and hex.mines_known >> unit.side & 1:
            points += hex.mines
        if hex.building and unit.spec.is_mech:
            points += hex.building_cf / _HAZARDS["building"] * fails
        if hex.ice and hex.water > 0 and unit.spec.is_mech:
            # one time in six it breaks, and drops the unit into what lies under it
            points += water(unit, hex.water, prone=False) / 6
    return points


def own_bursts(state: State, side: int) -> dict[int, float]:
    """Points that the side's own artillery and bombs may do this turn, by hex."""
    found: dict[int, float] = {}
    for shell in state.shells:
        order = shell.order
        if shell.side != side or shell.turn > state.turn or order.cell < 0:
            continue
        if order.what == BOMB:
            damage = [points * order.count for points in blast_of(order)]
        else:
            piece = state.unit(order.unit).spec.mounts[order.mount].id
            damage = table("artillery")["pieces"][piece]["damage"][state.ruleset.artillery_damage]
        for away, cell in rings(state, order.cell, len(damage) - 1):
            found[cell] = found.get(cell, 0.0) + damage[away]
    return found
