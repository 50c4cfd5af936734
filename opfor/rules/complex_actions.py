"""Simple and complex actions: what a unit may still do this turn, and why not more. Rule: M-1 to M-8.

What a unit has done is read off its state: how it moved, what it fired, the complex action that it declared.
"""

from __future__ import annotations

from opfor.state import State
from opfor.units.state import UnitState

RULE = "M-1"


def why_no_fire(state: State, unit: UnitState) -> str:
    """Why a unit may not fire at all in its regular turn, empty when it may. Rule: M-1."""
    if unit.mode in ("evade", "sprint"):
        return "evading leaves no attack" if unit.mode == "evade" else "sprinting leaves no attack"
    if unit.complex_action == "opportunity":
        return "its action is held for an opportunity"
    if unit.complex_action == "pause" and unit.moved:
        return "it has acted in the middle of its movement"
    return ""


def why_no_strike(state: State, unit: UnitState) -> str:
    """Why a unit may make no physical attack in its regular turn, empty when it may. Rule: M-1."""
    return why_no_fire(state, unit)


def may_pause(state: State, unit: UnitState) -> bool:
    """Whether a unit may stop in its movement for a simple action. Rule: M-8."""
    return state.ruleset.action_while_moving == "on" and not unit.complex_action and not unit.aboard
