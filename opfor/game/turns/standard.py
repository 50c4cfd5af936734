"""The standard turn: initiative, movement by turns, fire, physical attacks, heat and the end. Rule: E-1, S-2.

Who acts when: the side that lost initiative acts first, then the sides alternate. While one side has at least twice as
many units left to act as the other, it acts with two for each one of the other's, with three times as many three, and so on.
"""

from __future__ import annotations

from opfor.game.apply.fire import resolve_declared
from opfor.game.apply.physical import resolve_physical
from opfor.game.decision import Decision
from opfor.game.legal.fire import UnitFire
from opfor.game.turns.common import (
    able_to_attack,
    end_turn,
    enter,
    finish,
    forget_initiative,
    forget_turn,
    may_fire,
    may_strike,
)
from opfor.rules.barrage.artillery import calls_of, land_shells
from opfor.rules.pilots.heat import settle_heat
from opfor.rules.pilots.piloting_rolls import resolve_phase_rolls
from opfor.rules.play import Play
from opfor.rules.turn.initiative import roll_initiative
from opfor.state import State
from opfor.units.state import UnitState

#: kind of decision in each phase
_KINDS = {"initiative": "call", "movement": "movement", "fire": "fire", "physical": "physical"}
#: where a game at the table halts, for dice that nobody's decision calls for
HALTS: tuple[str, ...] = ("initiative",)


def eligible(state: State) -> list[UnitState]:
    """Units still to act in this phase: able to act, not yet done, and in the physical phase with something to do."""
    phase = state.phase
    if phase == "movement":
        return [u for u in state.units if not u.moved and u.active]
    if phase == "initiative":
        return [u for u in state.units if u.active and not u.acted and calls_of(state, u)]
    done = {order.unit for order in state.declared}
    if phase == "fire":
        return [u for u in able_to_attack(state) if u.id not in done and not u.acted and may_fire(state, u)]
    if phase == "physical" and state.ruleset.physical_damage == "phase":
        return [u for u in able_to_attack(state) if u.id not in done and not u.acted and may_strike(state, u)]
    return []


def build_queue(state: State, waiting: list[UnitState]) -> list[int]:
    """The sides in the order in which they act, one entry a unit. Rule: S-2.

    >>> alternate([0, 1], {0: 3, 1: 2})
    [0, 1, 0, 0, 1]
    """
    counts: dict[int, int] = dict.fromkeys(state.initiative, 0)
    for unit in waiting:
        counts[unit.side] = counts.get(unit.side, 0) + 1
    return alternate(state.initiative, counts)


def alternate(order: list[int], counts: dict[int, int]) -> list[int]:
    """Alternate sides in ``order`` with unequal numbers: each round a side acts with as many units as it outnumbers the
    smallest side still acting, rounded down."""
    left = {side: counts.get(side, 0) for side in order}
    queue: list[int] = []
    while any(left.values()):
        fewest = min(n for n in left.values() if n)
        for side in order:
            acting = left[side] // fewest
            queue.extend([side] * acting)
            left[side] -= acting
    return queue


def due(state: State, waiting: list[UnitState], kept: dict[str, UnitFire]) -> Decision:
    """The decision of the side whose turn it is, for any of its units."""
    side = state.queue[0]
    return Decision(state, side, [u for u in waiting if u.side == side], _KINDS[state.phase], kept=kept)


def call(play: Play, side: int, kind: str) -> bool:
    """Phases have no parts here."""
    return False


def close_phase(play: Play) -> None:
    """Resolve the phase that has run out of units to act, and enter the next. Rule: E-1."""
    state = play.state
    phase = state.phase
    if phase == "initiative":
        roll_initiative(play)
        finish(play, phase)
        enter(play, "movement")
    elif phase == "movement":
        # falls and skids on the way may have done enough to call for rolls of their own
        resolve_phase_rolls(play)
        finish(play, phase)
        enter(play, "fire")
    elif phase == "fire":
        resolve_declared(play)
        resolve_phase_rolls(play)
        finish(play, phase)
        enter(play, "physical")
    elif phase == "physical":
        resolve_physical(play)
        land_shells(play)
        resolve_phase_rolls(play)
        finish(play, phase)
        enter(play, "end")
    else:
        settle_heat(play)
        if end_turn(play):
            state.charges.clear()
            for unit in state.units:
                forget_turn(unit)
                forget_initiative(unit)
            enter(play, "initiative")
