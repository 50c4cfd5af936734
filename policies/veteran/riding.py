"""Where carriers bring their infantry, and where a VTOL sets down. Rule: S-9."""

from __future__ import annotations

from opfor.rules.moving.flight import airborne, why_no_landing
from policies.veteran.mover import Mover
from policies.veteran.troops import useful_within

#: hexes over which the worth of fetching infantry fades
_FETCH_FROM = 8
#: hexes within which nobody who can help it unloads
_TOO_NEAR = 2


def place_value(mover: Mover, place: int, nearest: int) -> float:
    """What a place is worth for the infantry aboard: within its reach of the enemy; and what a VTOL on the ground risks."""
    me = mover.me
    value = 0.0
    if me.riders:
        wanted = max(useful_within(rider) for rider in me.riders)
        value -= mover.weights.ride * max(0, nearest - wanted)
        value -= mover.weights.ride * 2 * max(0, _TOO_NEAR + 1 - nearest)
    elif me.unit.spec.troop_space and mover.fetched:
        cell = mover.ground.cell(place)
        distance = mover.state.board.grid.distance
        near = min([distance(cell, unit.cell) for unit in mover.fetched])
        there = max(0.0, 1.0 - max(0, near - 1) / _FETCH_FROM)
        # nobody gets into what flies
        value += mover.weights.fetch * there * (0.5 if me.kind == "vtol" and _airborne(mover, place) else 1.0)
    if me.kind == "vtol" and not _airborne(mover, place):
        value -= mover.weights.landed
        if me.riders and nearest <= max(useful_within(rider) for rider in me.riders):
            value += mover.weights.landed + mover.weights.unload
        elif _beside_fetched(mover, place):
            value += mover.weights.landed
    return value


def _beside_fetched(mover: Mover, place: int) -> bool:
    """Whether infantry that waits to be fetched could get in from where it stands."""
    cell = mover.ground.cell(place)
    distance = mover.state.board.grid.distance
    return any(distance(cell, unit.cell) <= 1 for unit in mover.fetched)


def _airborne(mover: Mover, place: int) -> bool:
    return airborne(mover.state.board.hexes[mover.ground.cell(place)], mover.ground.elevation[place])


def lands(mover: Mover, place: int) -> bool:
    """Whether setting down in a place is worth a thought: where infantry aboard is of use, or infantry is to be fetched."""
    me = mover.me
    if not (me.riders or mover.fetched) or _airborne(mover, place) or not mover.theirs:
        return False
    cell = mover.ground.cell(place)
    if why_no_landing(mover.state.board.hexes[cell]):
        return False
    if not me.riders:
        return _beside_fetched(mover, place)
    distance = mover.state.board.grid.distance
    nearest = min([distance(cell, enemy.unit.cell) for enemy in mover.theirs])
    return _TOO_NEAR < nearest <= max(useful_within(rider) for rider in me.riders)
