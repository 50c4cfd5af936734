"""Initiative: by sides, by each player unit against its own number, or by every unit. Rule: E-2, E-3, M-10.

A unit's number is its piloting (the campaign's Physical) target number plus the battle's modifier, less its Tactics option;
wounds count. The game master may give results: a unit whose margin is set before the roll is not rolled for.
"""

from __future__ import annotations

from opfor.rules.pilots.wounds import penalty
from opfor.rules.play import Play
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.state import State
from opfor.units.state import UnitState

RULE = "E-2"


def initiative_number(state: State, unit: UnitState) -> TargetNumber:
    """What a unit must roll to win initiative. Rule: E-2.

    The Physical number stands for itself whatever the pilot's skill is called; hidden facts of the unit do not enter.
    """
    number = TargetNumber([Modifier("physical", unit.piloting, RULE)])
    number.add("tactics", -unit.tactics, RULE)
    number.add("wounds", penalty(unit), "E-38")
    number.add("battle", state.initiative_modifier, RULE)
    return number


def roll_initiative(play: Play) -> None:
    """Roll initiative as the ruleset has it, and settle in which order sides and units act. Rule: E-2."""
    how = play.state.ruleset.initiative
    if how == "sides":
        roll_sides(play)
        return
    state = play.state
    for unit in state.units:
        if unit.active and (how == "units" or unit.side != state.opforce):
            roll_unit(play, unit)
    order_sides(state)


def roll_unit(play: Play, unit: UnitState) -> None:
    """Roll a unit's own initiative, unless the game master has given it. Rule: E-2."""
    if unit.initiative is not None:
        return
    number = initiative_number(play.state, unit)
    roll = play.roll_2d6(f"{unit.id}: initiative, needs {number.value}")
    unit.initiative = roll.total - number.value
    unit.initiative_roll = roll.total
    play.emit(
        "unit_initiative", unit, RULE, tn=number, dice=list(roll.dice), total=roll.total,
        won=unit.initiative >= 0, turn=play.state.turn,
    )  # fmt: skip


def won(state: State, unit: UnitState) -> bool:
    """Whether a unit has won initiative and may wait. Rule: E-3."""
    if state.ruleset.initiative == "sides":
        return state.initiative.index(unit.side) > state.initiative.index(state.opforce)
    return unit.initiative is not None and unit.initiative >= 0


def why_no_wait(state: State, unit: UnitState) -> str:
    """Why a unit may not wait with its movement until the fire phase, empty when it may. Rule: E-3."""
    if state.ruleset.turn_sequence != "eridani":
        return "nobody waits in this turn sequence"
    if unit.side == state.opforce or state.phase != "initiative":
        return "only players wait, as they have won initiative"
    if unit.mp_spent or (unit.complex_action == "pause" and not unit.moved):
        return "it has begun to move"
    return "" if won(state, unit) else "it has lost initiative and moves at once"


def may_wait(state: State, unit: UnitState) -> bool:
    """Whether a unit may wait with its movement until the fire phase. Rule: E-3."""
    return state.phase == "initiative" and not unit.waiting and not why_no_wait(state, unit)


def order_sides(state: State) -> None:
    """Put the sides in order, lowest first, by their best unit's margin; equal ones keep their order. Rule: E-2."""
    best = [
        max((u.initiative for u in state.units if u.side == side and u.alive and u.initiative is not None), default=-99)
        for side in range(len(state.sides))
    ]
    state.initiative = sorted(range(len(state.sides)), key=lambda side: best[side])


def roll_sides(play: Play) -> None:
    """Each side rolls 2d6; ties roll again among themselves; the lowest acts first. Rule: E-2 (standard), S-2."""
    state = play.state
    pending = [s for s in range(len(state.sides)) if any(u.side == s and u.alive for u in state.units)]
    totals: dict[int, list[int]] = {side: [] for side in pending}
    while pending:
        for side in pending:
            roll = play.roll_2d6(f"initiative of {state.sides[side]}")
            totals[side].append(roll.total)
            play.emit(
                "initiative", None, "E-2", side=state.sides[side], dice=list(roll.dice), total=roll.total, turn=state.turn
            )
        results = [tuple(totals[side]) for side in pending]
        pending = [side for side in pending if results.count(tuple(totals[side])) > 1]
    missing = [s for s in range(len(state.sides)) if s not in totals]
    state.initiative = sorted(totals, key=lambda side: totals[side]) + missing
