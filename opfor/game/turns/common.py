"""What all turn sequences share: beginning and entering phases, and what becomes of a declared order. Rule: E-1, E-6, E-7.

Whether weapon damage waits for the end of the phase, and whether physical attacks are made with fire, are switches; a sequence
says who acts when.
"""

from __future__ import annotations

from opfor.game.apply.fire import declare_fire, fire_at_once
from opfor.game.apply.physical import declare_physical, strike_at_once, strike_later
from opfor.game.legal.physical import physical_orders
from opfor.orders import ActionOrder, CallOrder, FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.rules.barrage.artillery import announce
from opfor.rules.missions.mission_actions import (
    complete,
    leaves_fire,
    may_start_after_fire,
    may_start_any,
    start,
    why_no_shooting,
)
from opfor.rules.own_phase import end_phase
from opfor.rules.pilots.piloting_rolls import resolve_phase_rolls
from opfor.rules.pilots.pilots import wake_pilots
from opfor.rules.play import Play
from opfor.rules.terrain.ground_effects import settle_ground
from opfor.rules.turn.complex_actions import why_no_fire, why_no_strike
from opfor.rules.turn.victory import check_victory
from opfor.rules.vehicles.crews import recover_crews
from opfor.state import State, Underway
from opfor.units.state import UnitState


def able_to_attack(state: State) -> list[UnitState]:
    """Units that may attack in this turn at all: who has declared a charge or a death from above does nothing else."""
    return [unit for unit in state.units if can_attack(state, unit)]


def can_attack(state: State, unit: UnitState) -> bool:
    """Whether a unit may attack in this turn at all, see :func:`able_to_attack`."""
    # a stunned crew only drives; who rides inside another unit sees nothing to attack
    if not unit.active or unit.stunned or unit.aboard:
        return False
    return not state.charges or all(order.unit != unit.id for order in state.charges)


def may_fire(state: State, unit: UnitState) -> bool:
    """Whether a unit is asked for its weapon fire. Rule: M-1, A-2."""
    return not why_no_fire(state, unit) and not (unit.action_started and why_no_shooting(unit))


def may_strike(state: State, unit: UnitState) -> bool:
    """Whether a unit has a physical attack to make, or a mission action to start in place of one. Rule: M-1, S-8, A-1."""
    if why_no_strike(state, unit):
        return False
    return len(physical_orders(state, unit)) > 1 or (bool(state.actions) and may_start_any(state, [unit], "physical"))


def strikes_with_fire(state: State) -> bool:
    """Whether physical attacks are made with fire, not in a phase of their own. Rule: E-7."""
    return state.ruleset.physical_damage == "delayed" or state.phase == "declarations"


def carry_out(play: Play, underway: Underway, order: Order) -> None:
    """Carry a declared attack, call or mission action out, or note it where it is resolved later. Rule: E-4, E-6, E-7, A-2."""
    state = play.state
    unit = state.units[underway.unit]
    at_once = not underway.regular or unit.complex_action == "pause" or state.phase == "declarations"
    if isinstance(order, FireOrder):
        if at_once or state.ruleset.fire_damage == "sequential":
            fire_at_once(play, order)
        else:
            declare_fire(play, order)
    elif isinstance(order, PhysicalOrder):
        if at_once:
            strike_at_once(play, order)
        elif strikes_with_fire(state):
            strike_later(play, order)
        else:
            declare_physical(play, order)
    elif isinstance(order, CallOrder):
        announce(play, order)
    elif isinstance(order, ActionOrder):
        start(play, order)
    if at_once:
        # falls count before anything else is done
        resolve_phase_rolls(play)


def owed_next(play: Play, underway: Underway, order: Order, over: bool) -> str:
    """The kind of decision that the unit owes after an order, "" when its declaration is finished. Rule: E-6, E-7, M-8."""
    state = play.state
    unit = state.units[underway.unit]
    if not underway.regular or not unit.active or isinstance(order, CallOrder):
        return ""
    if unit.complex_action == "pause" and not unit.moved:
        # in the middle of its movement: first the action, then the rest of the way
        return "fire" if isinstance(order, MoveOrder) and order.act == "pause" and over is False else "movement"
    if isinstance(order, MoveOrder):
        if not over:
            return "movement"
        if state.phase not in ("fire", "declarations") or order.mode == "wait" or not can_attack(state, unit):
            return ""
        if may_fire(state, unit):
            return "fire"
    elif isinstance(order, ActionOrder):
        if not unit.fired:
            # only a TITANIC unit shoots after starting an action
            fires = state.phase in ("fire", "declarations") and unit.moved and can_attack(state, unit)
            return "fire" if fires and leaves_fire(state, order) and may_fire(state, unit) else ""
    elif not isinstance(order, FireOrder):
        return ""
    elif order.attacks and may_start_after_fire(state, unit):
        return "action"
    together = strikes_with_fire(state) and state.phase != "movement"
    return "physical" if together and can_attack(state, unit) and may_strike(state, unit) else ""


def enter(play: Play, phase: str, stage: str = "") -> None:
    """Enter a phase (and the first part of it)."""
    state = play.state
    state.phase = phase
    state.stage = stage
    state.declared.clear()
    state.sightings.clear()
    state.underway.clear()
    state.touch()
    for unit in state.units:
        unit.damage_this_phase = 0
        unit.fell_this_phase = False
        unit.acted = False
    play.emit("phase", None, "E-1", phase=phase, turn=state.turn)


def enter_stage(play: Play, stage: str) -> None:
    """Enter a further part of the phase going on: what has been done before counts. Rule: E-6."""
    state = play.state
    state.stage = stage
    for unit in state.units:
        unit.acted = False
    resolve_phase_rolls(play)
    play.emit("stage", None, "E-1", stage=stage, phase=state.phase, turn=state.turn)


def end_turn(play: Play) -> bool:
    """All that comes after heat: fire and smoke, pilots, crews, missions, victory; whether the battle goes on. E-8, S-11."""
    state = play.state
    settle_ground(play)
    resolve_phase_rolls(play)
    wake_pilots(play)
    recover_crews(play)
    finish(play, "end")
    check_victory(play)
    if state.winner is not None:
        return False
    state.turn += 1
    return True


def finish(play: Play, phase: str) -> None:
    """What a phase ends with, whatever the sequence: mission actions that come to their end, and own rules. Rule: A-4."""
    complete(play, phase)
    if play.state.ruleset.own_ends is not None:
        end_phase(play, phase)


def forget_turn(unit: UnitState, *, movement: bool = True) -> None:
    """Forget what a unit did last turn. What it carries over (heat, damage, prone, a held action) stays.

    ``movement``: also how it moved. Where units move at different times of the turn, that counts until they move again.
    """
    # a turret that is stuck stays where it points
    if not unit.turret:
        unit.twist = 0
    unit.arms_flipped = False
    if movement or not unit.active:
        forget_movement(unit)
    unit.mp_spent = 0
    unit.moved = False
    unit.fired = 0
    unit.used_arms = 0
    unit.spotting = False
    unit.tagged = False
    unit.waiting = False
    unit.fell_back = False
    if not unit.opportunity:
        unit.complex_action = ""


def forget_movement(unit: UnitState) -> None:
    """Forget how a unit moved last: its next declaration has come. Rule: M-3, S-4."""
    if not (unit.opportunity and unit.mode == "stand"):
        # who stood still and holds an action may still use it to move (M-9f)
        unit.mode = ""
    unit.hexes_moved = 0
    unit.skidded = False


def forget_initiative(unit: UnitState) -> None:
    """Forget a unit's initiative, which holds for a turn. Rule: E-2."""
    unit.initiative = None
    unit.initiative_roll = 0
    unit.action_started = ""
    unit.action_broken = False
