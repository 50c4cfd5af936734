"""Infantry and those who carry it: where it is better off on its feet, who had better be fetched. Rule: S-9."""

from __future__ import annotations

from opfor.rules.moving.transport import room_left, weight
from opfor.state import State
from opfor.units.state import UnitState
from policies.veteran.figures import Figure

#: infantry is of use on its feet where it comes within range, no farther than so many hexes, in so many turns
_FAR_SHOT, _TURNS = 6, 2
#: hexes beyond that from which it is fetched
_WORTH_A_RIDE = 4


def useful_within(unit: UnitState) -> int:
    """Hexes from the enemy at which infantry is better off on its feet."""
    reach = max((mount.weapon.long for mount in unit.spec.mounts), default=0)
    return min(reach, _FAR_SHOT) + _TURNS * max(1, unit.spec.walk, unit.spec.jump)


def to_fetch(state: State, me: Figure, friends: list[Figure], theirs: list[Figure]) -> list[UnitState]:
    """The infantry on foot that an empty carrier had better fetch: with a long way to go, and room for it inside."""
    if not me.unit.spec.troop_space or me.riders or not theirs:
        return []
    distance = state.board.grid.distance
    room = room_left(state, me.unit)
    found = []
    for friend in friends:
        unit = friend.unit
        if not unit.spec.is_infantry or unit.swarming or weight(unit) > room:
            continue
        nearest = min([distance(unit.cell, enemy.unit.cell) for enemy in theirs])
        if nearest > useful_within(unit) + _WORTH_A_RIDE:
            found.append(unit)
    return found
