"""Opportunity actions and preemption: who may break in on whom, when, and with what. Rule: M-9, M-9a to M-9f, M-10.

A unit that holds an opportunity action may take one simple action against an enemy that is declaring: once it has declared, or
in any hex that it enters. Only another opportunity action, by a unit of higher initiative, preempts it.
"""

from __future__ import annotations

from opfor.rules.missions.mission_actions import why_no_shooting
from opfor.rules.play import Play
from opfor.rules.turn.initiative import roll_unit
from opfor.state import State, Underway
from opfor.units.state import UnitState

RULE = "M-9"


def may_break_in(state: State) -> bool:
    """Whether anybody at all might break in on anybody now."""
    if state.phase == "declarations":
        return True
    for unit in state.units:  # noqa: SIM110 - asked several times an order, and twice as fast so
        if unit.opportunity:
            return True
    return False


def holders(play: Play, moment: Underway) -> list[UnitState]:
    """Units that may break in on a declaration at its present moment and have not let it pass, highest initiative first.

    Rule: M-9b (only against the unit that is declaring), M-9d, M-10.
    """
    state = play.state
    declaring = state.units[moment.unit]
    found = [
        unit
        for unit in state.units
        if unit.side != declaring.side
        and unit.index not in moment.asked
        and unit.active
        and not unit.stunned
        and unit.cell >= 0
        and not any(one.unit == unit.index for one in state.underway)
        and (unit.opportunity or may_preempt(state, unit, moment))
    ]
    if not moment.regular:
        # an opportunity action is preempted by another of higher initiative alone (M-9d)
        found = [unit for unit in found if unit.opportunity and _compared(play, unit, declaring)]
    return sorted(found, key=lambda unit: rank(state, unit), reverse=True)


def _compared(play: Play, unit: UnitState, other: UnitState) -> bool:
    """Whether a unit outranks another; those that have not rolled for initiative do so now that it matters. Rule: M-9d."""
    if play.state.ruleset.initiative != "sides":
        for one in (unit, other):
            roll_unit(play, one)
    return outranks(play.state, unit, other)


def rank(state: State, unit: UnitState) -> tuple[int, int, bool, int]:
    """What units compare in initiative: margin of the roll, the roll, players before the Op Force, the battle file's order.

    Rule: M-9d.
    """
    margin = unit.initiative if unit.initiative is not None else 0
    if state.ruleset.initiative == "sides":
        margin = state.initiative.index(unit.side)
    return (margin, unit.initiative_roll, unit.side != state.opforce, -unit.index)


def outranks(state: State, unit: UnitState, other: UnitState) -> bool:
    """Whether a unit has the higher initiative. Rule: M-9d."""
    return rank(state, unit)[:3] > rank(state, other)[:3]


def may_hold(state: State, unit: UnitState) -> bool:
    """Whether a unit may declare an opportunity action. Rule: M-9."""
    return state.ruleset.opportunity_actions == "on" and not unit.opportunity and not unit.aboard and not unit.stunned


def may_fire(state: State, unit: UnitState, target: UnitState) -> bool:
    """Whether a unit may fire as an opportunity action: vehicles and infantry once a turn only. Rule: M-9e, A-2."""
    return not (unit.fired and not unit.spec.is_mech) and not unit.aboard and not why_no_shooting(unit)


def may_strike(state: State, unit: UnitState, target: UnitState) -> bool:
    """Whether a unit may make a physical attack as an opportunity action: on a neighbour. Rule: M-9."""
    return unit.spec.is_mech and state.board.grid.distance(unit.cell, target.cell) <= 1


def may_move(state: State, unit: UnitState) -> bool:
    """Whether a unit may move as an opportunity action: it did not in its own declaration. Rule: M-9f."""
    return unit.mode == "stand" and not unit.mp_spent


def may_preempt(state: State, unit: UnitState, moment: Underway) -> bool:
    """Whether a unit may take its own turn before the declaring one goes on. Rule: M-10.

    It has higher initiative and has not declared; an opportunity action is not preempted so.
    """
    return (
        state.phase == "declarations"
        and moment.regular
        and not unit.acted
        and all(one.regular for one in state.underway)
        and outranks(state, unit, state.units[moment.unit])
    )


def why_no_opportunity(state: State, unit: UnitState, moment: Underway, kind: str) -> str:
    """Why a unit may not break in with an order of a kind. Rule: M-9."""
    declaring = state.units[moment.unit]
    if not unit.opportunity:
        return "holds no opportunity action"
    if kind == "fire" and (why := why_no_shooting(unit)):
        return why
    if kind == "fire":
        return "vehicles and infantry fire once a turn, regular or opportunity" if unit.fired else "may not fire now"
    if kind == "physical":
        return f"{declaring.id} is not beside it"
    if kind == "move":
        return "moved in its own declaration: only a unit that did not may move as an opportunity action"
    return f"breaks in on {declaring.id} with one simple action: fire, a physical attack, or movement"


def broke_in(play: Play, unit: UnitState, moment: Underway) -> None:
    """A unit uses its opportunity action up. Rule: M-9."""
    unit.opportunity = False
    declaring = play.state.units[moment.unit]
    nested = {} if moment.regular else {"nested": True}
    play.emit("opportunity", unit, RULE if moment.regular else "M-9d", against=declaring.id, at=moment.moment, **nested)


def hold_heat(state: State, unit: UnitState, built: int) -> None:
    """Put the heat that an opportunity action has just built up where the ruleset has it: it is not shed this turn. Rule: M-9e.

    Where a unit's own declaration sheds its heat, it counts at once, and the next declaration sheds it.
    """
    if not built or state.ruleset.opportunity_heat == "normal":
        return
    unit.heat_built -= built
    if state.phase == "declarations":
        unit.heat += built
    else:
        unit.heat_held += built
