"""Mission actions: who may start one, what that bars it from, and what completing it does. Rule: A-1 to A-8."""

from __future__ import annotations

from collections.abc import Sequence

from opfor.orders import ActionOrder
from opfor.rules.play import Play
from opfor.state import State
from opfor.units.state import UnitState


def may_start_any(state: State, units: Sequence[UnitState], kind: str) -> bool:
    """Whether any of the units may start some mission action in a decision of a kind."""
    return any(starts_of(state, unit, kind) for unit in units)


def starts_of(state: State, unit: UnitState, kind: str) -> list[ActionOrder]:
    """The mission actions that a unit may start now. Rule: A-1."""
    return []


def why_no_start(state: State, unit: UnitState, order: ActionOrder, kind: str) -> str:
    """Why a unit may not start an action. Rule: A-1, A-4."""
    return "the scenario has no such action"


def start(play: Play, order: ActionOrder) -> None:
    """Start an action. Rule: A-2."""


def complete(play: Play, when: str) -> None:
    """Complete the actions that complete at a time: a phase's name, or ``end``. Rule: A-3, A-5."""
