"""The campaign's turn. Rule: E-1 to E-8.

Initiative: artillery and bomb runs are announced; every player unit rolls; losers move at once, winners may wait. Movement: the
Op Force moves. Fire: waiting players move, just before their own attacks, players attack; then the Op Force answers; physical
attacks are made with fire, and their damage waits. Physical: that damage, artillery and bombs, heat.
"""

from __future__ import annotations

from opfor.game.apply.fire import resolve_declared
from opfor.game.apply.movement import apply_movement
from opfor.game.apply.physical import resolve_physical
from opfor.game.decision import Decision
from opfor.game.legal.fire import UnitFire
from opfor.game.turns.common import (
    able_to_attack,
    can_attack,
    end_turn,
    enter,
    enter_stage,
    finish,
    forget_initiative,
    forget_movement,
    forget_turn,
    may_fire,
    may_strike,
    strikes_with_fire,
)
from opfor.orders import MoveOrder
from opfor.rules.barrage.artillery import calls_of, land_shells
from opfor.rules.pilots.heat import settle_heat
from opfor.rules.pilots.piloting_rolls import resolve_phase_rolls
from opfor.rules.play import Play
from opfor.rules.turn.initiative import roll_initiative
from opfor.state import State
from opfor.units.state import UnitState

#: the parts of a phase in which different units act
CALLS, ROLLED, PLAYERS, ANSWER = "calls", "rolled", "players", "answer"
#: where a game at the table halts, for dice that nobody's decision calls for
HALTS: tuple[str, ...] = ("initiative", "physical")


def eligible(state: State) -> list[UnitState]:
    """Units still to act in this part of the turn. Rule: E-3 to E-6."""
    phase, stage, opforce = state.phase, state.stage, state.opforce
    if phase == "initiative":
        if stage != ROLLED:
            return [u for u in state.units if u.active and not u.acted and calls_of(state, u)]
        return [u for u in state.units if u.side != opforce and u.active and not u.moved and not u.waiting]
    if phase == "movement":
        # whoever of the players has been left unmoved by the file goes with the Op Force
        return [u for u in state.units if u.active and not u.moved and not u.waiting]
    if phase == "fire":
        answers = stage == ANSWER
        mine = [u for u in state.units if (u.side == opforce) is answers]
        return [u for u in mine if not u.acted and u.active and _has_part(state, u)]
    if phase == "physical" and state.ruleset.physical_damage == "phase":
        done = {order.unit for order in state.declared}
        return [u for u in able_to_attack(state) if u.id not in done and not u.acted and may_strike(state, u)]
    return []


def _has_part(state: State, unit: UnitState) -> bool:
    """Whether a unit has anything to say in the fire phase."""
    if unit.waiting and not unit.moved:
        return True
    if any(order.unit == unit.id for order in state.declared) or not can_attack(state, unit):
        return False
    return may_fire(state, unit) or (strikes_with_fire(state) and may_strike(state, unit))


def build_queue(state: State, waiting: list[UnitState]) -> list[int]:
    """Sides in the order in which they act: players before the Op Force; calls the other way round. Rule: E-4 to E-6."""
    first = state.phase == "initiative" and state.stage != ROLLED
    sides = sorted(range(len(state.sides)), key=lambda side: ((side != state.opforce) == first, side))
    return [side for side in sides for unit in waiting if unit.side == side]


def due(state: State, waiting: list[UnitState], kept: dict[str, UnitFire]) -> Decision:
    """The decision of the side whose part it is: with any of its units, those who wait moving first. Rule: E-3, E-6."""
    side = state.queue[0]
    mine = [u for u in waiting if u.side == side]
    if state.phase == "initiative":
        return Decision(state, side, mine, "movement" if state.stage == ROLLED else "call")
    if state.phase != "fire":
        return Decision(state, side, mine, state.phase)
    waits = [u for u in mine if u.waiting and not u.moved]
    ready = [u for u in mine if u not in waits]
    if not ready:
        return Decision(state, side, waits, "movement")
    firing = [u for u in ready if may_fire(state, u)]
    if not firing:
        # nothing but physical attacks is open to them
        return Decision(state, side, ready, "physical", also=waits)
    return Decision(state, side, firing, "fire", kept=kept, also=waits)


def call(play: Play, side: int, kind: str) -> bool:
    """Go on to the part in which a side gives an order of a kind, as orders come in at a table. Rule: E-3 to E-6.

    A player's movement ends the announcements, the Op Force's the movement of those who lost initiative, its fire the players'
    part: whoever still waits stands. Whether there was anything to do.
    """
    state = play.state
    phase, answers = state.phase, side == state.opforce
    if phase == "initiative" and kind == "move" and answers == (state.stage == ROLLED):
        close_phase(play)
        return True
    if phase == "fire" and state.stage != ANSWER and answers and kind in ("fire", "physical", "action"):
        for unit in state.units:
            if unit.side != side and unit.active and unit.waiting and not unit.moved:
                apply_movement(play, MoveOrder(unit.id, "stand", (), unit.cell, unit.facing, unit.elevation, unit.prone))
        close_phase(play)
        return True
    return False


def close_phase(play: Play) -> None:
    """Resolve the part of the turn that has run out of units to act, and go on to the next. Rule: E-1."""
    state = play.state
    phase, stage = state.phase, state.stage
    if phase == "initiative":
        if stage != ROLLED:
            roll_initiative(play)
            enter_stage(play, ROLLED)
            return
        finish(play, phase)
        enter(play, "movement")
    elif phase == "movement":
        resolve_phase_rolls(play)
        finish(play, phase)
        for unit in state.units:
            if not unit.moved and not unit.waiting and not unit.mp_spent:
                forget_movement(unit)
        enter(play, "fire", PLAYERS)
    elif phase == "fire":
        if stage != ANSWER:
            enter_stage(play, ANSWER)
            return
        resolve_declared(play)
        resolve_phase_rolls(play)
        finish(play, phase)
        enter(play, "physical")
    else:
        resolve_physical(play)
        land_shells(play)
        resolve_phase_rolls(play)
        finish(play, phase)
        settle_heat(play)
        if end_turn(play):
            state.charges.clear()
            for unit in state.units:
                # what it is to hit, and to balance, goes by its last movement until its next one
                forget_turn(unit, movement=False)
                forget_initiative(unit)
            enter(play, "initiative", CALLS)
