"""The order that does nothing: listed in every decision for every unit that is asked, and made without listing the rest."""

from __future__ import annotations

from collections.abc import Callable

from opfor.orders import ActionOrder, CallOrder, FireOrder, MoveOrder, Order, PassOrder, PhysicalOrder
from opfor.rules.shooting.to_hit import FireSolver
from opfor.state import State
from opfor.units.state import UnitState


def idle_order(state: State, unit: UnitState, kind: str) -> Order:
    """To stand (or to end the movement begun), hold fire, strike nobody, announce or start nothing, let the moment pass.

    ``kind`` is the decision's. Rule: S-2, S-4, S-8, E-4, A-8, M-9.
    """
    return _IDLE[kind](state, unit)


def _still(state: State, unit: UnitState) -> Order:
    begun = unit.mp_spent and not unit.moved
    return MoveOrder(unit.id, unit.mode if begun else "stand", (), unit.cell, unit.facing, unit.elevation, unit.prone)


def _hold(state: State, unit: UnitState) -> Order:
    """Hold fire, as straight ahead as it can be."""
    posture = min(FireSolver(state, unit, "").postures(), key=lambda p: (abs(p.twist), p.flip))
    return FireOrder(unit.id, posture.twist, posture.flip)


_IDLE: dict[str, Callable[[State, UnitState], Order]] = {
    "call": lambda state, unit: CallOrder(unit.id),
    "movement": _still,
    "fire": _hold,
    "physical": lambda state, unit: PhysicalOrder(unit.id),
    "action": lambda state, unit: ActionOrder(unit.id),
    "opportunity": lambda state, unit: PassOrder(unit.id),
}
