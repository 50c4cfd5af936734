"""The standard turn: initiative, movement by turns, simultaneous fire, physical attacks, heat and the end. Rule: E-1, S-2.

Who acts when: the side that lost initiative acts first, then the sides alternate. While one side has at least twice as
many units left to act as the other, it acts with two for each one of the other's, with three times as many three, and so on.
"""

from __future__ import annotations

from opfor.game.apply.physical import resolve_physical
from opfor.game.legal.physical import PhysicalChoices
from opfor.rules.crews import recover_crews
from opfor.rules.ground_effects import settle_ground
from opfor.rules.heat import settle_heat
from opfor.rules.piloting import resolve_phase_rolls
from opfor.rules.pilots import wake_pilots
from opfor.rules.play import Play
from opfor.rules.victory import check_victory
from opfor.rules.weapon_fire import resolve_fire
from opfor.state import State
from opfor.units.state import UnitState


def eligible(state: State) -> list[UnitState]:
    """Units still to act in this phase: able to act, not yet done, and in the physical phase with something to do."""
    phase = state.phase
    if phase == "movement":
        return [u for u in state.units if not u.moved and u.active]
    # who has declared a charge or a death from above neither fires nor strikes otherwise
    done = {order.unit for order in state.declared} | {order.unit for order in state.charges}
    # a stunned crew only drives
    able = [u for u in state.units if u.active and u.id not in done and not u.stunned]
    if phase == "fire":
        # who rides inside another unit sees nothing to fire at
        return [u for u in able if not u.aboard]
    if phase == "physical":
        return [u for u in able if PhysicalChoices(state, [u]).count() > 1]
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


def roll_initiative(play: Play) -> None:
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


def close_phase(play: Play) -> None:
    """Resolve the phase that has run out of units to act, and enter the next. Rule: E-1."""
    state = play.state
    phase = state.phase
    if phase == "initiative":
        roll_initiative(play)
        _enter(play, "movement")
    elif phase == "movement":
        # falls and skids on the way may have done enough to call for rolls of their own
        resolve_phase_rolls(play)
        _enter(play, "fire")
    elif phase == "fire":
        resolve_fire(play)
        resolve_phase_rolls(play)
        _enter(play, "physical")
    elif phase == "physical":
        resolve_physical(play)
        resolve_phase_rolls(play)
        _enter(play, "end")
    else:
        settle_heat(play)
        settle_ground(play)
        resolve_phase_rolls(play)
        wake_pilots(play)
        recover_crews(play)
        check_victory(play)
        if state.winner is None:
            state.turn += 1
            _begin_turn(state)
            _enter(play, "initiative")


def _enter(play: Play, phase: str) -> None:
    state = play.state
    state.phase = phase
    state.declared.clear()
    state.current = -1
    state.touch()
    for unit in state.units:
        unit.damage_this_phase = 0
        unit.fell_this_phase = False
    play.emit("phase", None, "E-1", phase=phase, turn=state.turn)


def _begin_turn(state: State) -> None:
    """Forget what a unit did last turn. What it carries over (heat, damage, prone) stays."""
    state.charges.clear()
    for unit in state.units:
        # a turret that is stuck stays where it points
        if not unit.turret:
            unit.twist = 0
        unit.arms_flipped = False
        unit.mode = ""
        unit.hexes_moved = 0
        unit.mp_spent = 0
        unit.moved = False
        unit.skidded = False
        unit.fired = 0
        unit.used_arms = 0
        unit.spotting = False
        unit.tagged = False
