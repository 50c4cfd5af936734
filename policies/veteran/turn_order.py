"""Which unit acts first: those that have least to gain from seeing the enemy's answer. Rule: S-2 (alternating movement)."""

from __future__ import annotations

from opfor.rules.moving.movement import movement_points
from opfor.rules.moving.transport import may_mount
from opfor.state import State
from policies.veteran.figures import Figure
from policies.veteran.loads import paints

#: hexes beyond the sum of both reaches from which nothing changes by waiting
_MARGIN = 4
#: patience of those whom waiting gains nothing, and of those who wait for another
_FIRST, _LAST = -1.0, 1000.0


def patience(state: State, me: Figure, theirs: list[Figure]) -> float:
    """How much a unit profits from waiting, the least first: slow, far, prone or long-ranged units commit themselves early.

    Fast ones near enemies that have yet to move wait, to get behind them or out of their sight.
    """
    unit = me.unit
    if unit.aboard:
        # it gets out when its carrier has come to where it goes
        carrier = state.unit(unit.aboard)
        return _LAST if carrier.active and not carrier.moved and not carrier.immobile else _FIRST
    points = movement_points(state, unit)
    best = max(points.run, points.walk, points.jump)
    if best == 0:
        return _FIRST
    distance = state.board.grid.distance
    score = 0.0
    for enemy in theirs:
        away = distance(unit.cell, enemy.unit.cell)
        if enemy.settled:
            # a target that can no longer get away: an early shot at its back is not lost by waiting either
            score += 0.2 * best / (1.0 + away)
            continue
        other = movement_points(state, enemy.unit)
        contact = max(me.power.reach, enemy.power.reach) + best + max(other.run, other.jump)
        if away > contact + _MARGIN:
            continue
        score += enemy.value * (best + 2.0) / (2.0 + away)
    # the weak hide behind what the enemy does, the strong lead
    score *= 1.0 + 0.4 * me.hurt
    if unit.prone:
        score *= 0.4
    if me.power.reach >= 15:
        score *= 0.8
    return score


def in_turn(state: State, able: list[Figure], ours: list[Figure], theirs: list[Figure]) -> list[Figure]:
    """The units that may move now, in the order in which they had better: none that waits for another, while others can go.

    A carrier waits for those who may still get in, what is inside for its carrier.
    """
    waiting = [f.unit for f in ours if f.unit.spec.is_infantry and not f.unit.moved and not f.unit.aboard]

    def rank(me: Figure) -> tuple[float, int]:
        score = patience(state, me, theirs)
        if waiting and me.unit.spec.troop_space and any(not may_mount(state, unit, me.unit) for unit in waiting):
            score += _LAST / 2
        return score, me.unit.index

    ranked = sorted(able, key=rank)
    # who must wait for another is not among those that may go before their turn
    free = [me for me in ranked if rank(me)[0] < _LAST / 4]
    return free or ranked[:1]


def first_to_move(state: State, able: list[Figure], ours: list[Figure], theirs: list[Figure]) -> Figure:
    """The unit that should move now."""
    return in_turn(state, able, ours, theirs)[0]


def first_to_fire(able: list[Figure], ours: list[Figure]) -> Figure:
    """The unit that should declare its fire now: who marks targets for others, then the strongest, for the others to fill in
    what is missing.
    """
    guided = any(f.indirect is not None for f in ours)
    return max(able, key=lambda me: (guided and paints(me), me.value, -me.unit.index))
