"""Simple and complex actions: what a unit may do this turn, and why not more. Rule: M-1 to M-8.

What a unit has done is read off its state: how it moved, what it fired, the complex action that it declared
(:attr:`~opfor.units.state.UnitState.complex_action`: ``opportunity``, ``pause``, ``several_targets``, ``indirect_fire``).
How much a turn holds is the switch ``action_budget``.
"""

from __future__ import annotations

from typing import NamedTuple

from opfor.orders import FireOrder
from opfor.rules.moving.modes import HASTY
from opfor.rules.target_number import Modifier
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "M-1"
#: modes with which a complex action goes: standing, and walking or cruising
_UNHURRIED = ("", "stand", "walk", "dismount", "mount")
SEVERAL = "several_targets"
INDIRECT = "indirect_fire"
_TO_HIT = table("to_hit")["target_movement"]


class Allowance(NamedTuple):
    """What a unit's fire may be. ``several``, ``indirect``: why it may not be at several targets, or indirect; "" when it may.

    ``one``: an order is one thing, fire at one target, at several in sight, or indirect at one.
    """

    several: str = ""
    indirect: str = ""
    one: bool = False


_FREE = Allowance()


def budgeted(state: State) -> bool:
    """Whether the ruleset counts actions. Rule: M-1."""
    return bool(state.ruleset.action_budget != "standard")


def paused(unit: UnitState) -> bool:
    """Whether a unit stands still in the middle of its movement, or has done so and goes on. Rule: M-8."""
    return unit.complex_action == "pause" and not unit.moved


# -- attacks ----------------------------------------------------------------------------------------------------------


def why_no_fire(state: State, unit: UnitState) -> str:
    """Why a unit may not fire at all in its regular turn, empty when it may. Rule: M-1, M-9e."""
    if unit.mode in HASTY:
        return "evading leaves no attack" if unit.mode == "evade" else "sprinting leaves no attack"
    if unit.complex_action == "opportunity":
        return "its action is held for an opportunity"
    if unit.complex_action == "pause" and unit.moved:
        return "it has acted in the middle of its movement"
    return _fired_out(state, unit)


def _fired_out(state: State, unit: UnitState) -> str:
    """Why a unit has no more fire this turn: vehicles and infantry fire once, regular or opportunity. Rule: M-9e."""
    if unit.fired and not unit.spec.is_mech and state.ruleset.opportunity_actions == "on":
        return "vehicles and infantry fire once a turn, regular or opportunity: it has fired"
    return ""


def why_no_strike(state: State, unit: UnitState) -> str:
    """Why a unit may make no physical attack in its regular turn, empty when it may. Rule: M-1."""
    if why := why_no_fire(state, unit):
        return why
    if not budgeted(state):
        return ""
    if unit.complex_action in (SEVERAL, INDIRECT):
        what = "fire at several targets" if unit.complex_action == SEVERAL else "indirect fire"
        return f"{what} is a complex action: it leaves no physical attack"
    if state.ruleset.action_budget == "mwii" and unit.fired and unit.mode not in _UNHURRIED:
        return "it has moved faster than walking, and fired: its two simple actions are used"
    return ""


def rule_of(unit: UnitState) -> str:
    """The rule behind :func:`why_no_fire`."""
    if unit.mode in HASTY:
        return HASTY[unit.mode][1]
    if unit.complex_action in ("opportunity", "pause"):
        return "M-9" if unit.complex_action == "opportunity" else "M-8"
    return RULE if unit.spec.is_mech else "M-9e"


def allowance(state: State, unit: UnitState, *, breaking_in: bool = False) -> Allowance:
    """What a unit's fire may be, as it has moved so far. Rule: M-1, M-4, M-5, M-8, M-9."""
    simple = ""
    if breaking_in:
        simple = "an opportunity action is a simple action"
    elif paused(unit):
        simple = "what is done in the middle of a movement is a simple action"
    elif budgeted(state) and unit.mode not in _UNHURRIED:
        simple = "a complex action goes with standing and walking only"
    elif not budgeted(state):
        return _FREE
    if not simple:
        return Allowance(one=True)
    if breaking_in and not budgeted(state):
        return _FREE
    return Allowance(
        f"fire at several targets is a complex action: {simple}", f"indirect fire is a complex action: {simple}", True
    )


def declared_fire(state: State, unit: UnitState, order: FireOrder) -> None:
    """Note the complex action that a unit's regular fire is, where actions are counted. Rule: M-1, M-4, M-5."""
    if not budgeted(state) or unit.complex_action or not order.attacks:
        return
    if any(attack.spotter for attack in order.attacks):
        unit.complex_action = INDIRECT
    elif any(attack.target != order.primary for attack in order.attacks):
        unit.complex_action = SEVERAL


# -- movement ---------------------------------------------------------------------------------------------------------


def open_modes(state: State) -> list[str]:
    """The hasty modes of movement that the ruleset has. Rule: M-2, M-3."""
    return [mode for mode, (switch, _) in HASTY.items() if getattr(state.ruleset, switch) == "on"]


def why_no_haste(state: State, unit: UnitState, mode: str) -> str:
    """Why a unit may not evade or sprint at all, its MP left aside; empty when it may. Rule: M-2, M-3."""
    switch, _ = HASTY[mode]
    words = switch
    if getattr(state.ruleset, switch) != "on":
        return f"the ruleset has no {words}"
    if unit.spec.is_infantry:
        return f"infantry does not run: no {words}"
    return ""


def why_no_pause(state: State, unit: UnitState) -> str:
    """Why a unit may not stop in its movement for a simple action, empty when it may. Rule: M-8."""
    if state.ruleset.action_while_moving != "on":
        return "the ruleset has no action in the middle of a movement"
    if unit.aboard or unit.swarming:
        return "it is carried by another unit"
    if unit.stunned:
        return "its crew is stunned"
    return "it has had its action in the middle of this movement" if paused(unit) else _fired_out(state, unit)


def why_no_holding(state: State, unit: UnitState) -> str:
    """Why a unit may not declare an opportunity action with its movement, empty when it may. Rule: M-9.

    One that it holds since its last turn lapses as it declares, and may be declared again.
    """
    if state.ruleset.opportunity_actions != "on":
        return "the ruleset has no opportunity actions"
    if unit.aboard or unit.swarming:
        return "it is carried by another unit"
    if unit.stunned:
        return "its crew is stunned"
    return "it has had its action in the middle of this movement" if paused(unit) else ""


def why_no_holding_fire(state: State, unit: UnitState) -> str:
    """Why a unit may not hold an opportunity action in place of its fire, empty when it may. Rule: M-9, M-1."""
    if why := why_no_holding(state, unit):
        return why
    if unit.opportunity:
        return "it holds an opportunity action already"
    if unit.mode not in _UNHURRIED:
        return "an opportunity action is a complex action: it goes with standing and walking only"
    if any(order.unit == unit.id for order in state.charges):
        return "it has declared a charge or a death from above"
    return ""


# -- evading and sprinting --------------------------------------------------------------------------------------------


def haste_modifier(state: State, target: UnitState, mode: str) -> Modifier | None:
    """What evading or sprinting adds to every attack on a unit, by weapons or physical; None for nothing. Rule: M-2, M-3."""
    if mode == "evade":
        setting = state.ruleset.evade_to_hit
        if setting == "skill":
            value = next(int(mod) for least, mod in reversed(_TO_HIT["evading"]) if target.piloting >= least)
        else:
            value = int(setting)
        return Modifier("target evades", value, "M-2") if value else None
    if mode == "sprint":
        value = int(state.ruleset.sprint_to_hit)
        return Modifier("target sprints", value, "M-3") if value else None
    return None


def sprint_modifier(state: State, mode: str) -> Modifier | None:
    """What sprinting adds to every piloting roll of the sprinter until its next turn; None for nothing. Rule: M-3."""
    value = int(state.ruleset.sprint_piloting) if mode == "sprint" else 0
    return Modifier("sprinting", value, "M-3") if value else None
