"""How a unit stands to its enemies: the range that suits it, what looking the wrong way costs, when it has had enough."""

from __future__ import annotations

from opfor.rules.turn.victory import strength_left
from opfor.state import State
from policies.veteran.figures import GUESS_TARGET, Figure
from policies.veteran.firepower import AHEAD
from policies.veteran.lanes import Lanes
from policies.veteran.weights import Weights

#: bearing from straight ahead, in quarters of a hexside, from which an enemy is behind
_BEHIND = range(10, 15)


def best_range(me: Figure, theirs: list[Figure], outshoot: float) -> tuple[int, float]:
    """The range at which a unit outshoots its enemies most, and the worth of what it does there to one of them.

    ``outshoot``: what a point spared is worth as a share of one done; below 1, a bird in the hand counts for more.
    """
    duels = []
    for enemy in theirs:
        mine, back = me.against(enemy.versus, prone=False), enemy.against(me.versus)
        duels.append((mine, back, enemy, enemy.factors["front", True], me.factors["front", True]))
    common = me.skill + me.moved["walk"] + GUESS_TARGET
    best, at, damage_there = -99.0, 1, 0.0
    for distance in range(1, max(2, me.power.reach + 1)):
        given = taken = 0.0
        for mine, back, enemy, worth, cost in duels:
            given += worth * mine.expected(AHEAD, distance, common + enemy.target, me.spare)
            common_back = enemy.skill + enemy.moved["walk"] + GUESS_TARGET + me.target
            taken += cost * back.expected(AHEAD, distance, common_back, enemy.spare)
        score = (given - outshoot * taken) / max(1, len(duels))
        if score > best + 0.2:
            best, at, damage_there = score, distance, given / max(1, len(duels))
    return at, damage_there


def facing_cost(lanes: Lanes, theirs: list[Figure], key: int, facing: int, weights: Weights) -> float:
    """What looking the wrong way costs beyond the fire already counted: hexsides off the enemies, the nearest behind."""
    total = weight = 0.0
    nearest = (99, 0)
    for enemy in theirs:
        lane = lanes.lane(key, max(enemy.spots, key=lambda s: s.share).key)
        relative = (lane.bearing - 4 * facing) % 24
        off = min(relative, 24 - relative) / 4
        near = enemy.value / (2.0 + lane.distance)
        total += near * max(0.0, off - 0.5)
        weight += near
        nearest = min(nearest, (lane.distance, relative))
    cost = weights.facing * total / weight
    if nearest[1] in _BEHIND:
        cost += weights.back_turned
    return cost


def falls_back(state: State, me: Figure, weights: Weights) -> bool:
    """Whether a unit falls back to its home edge by its own judgement: it is hurt, or its side is, more than it cares to be.

    What the game master has told the side goes before. Leaving the map is another matter: it goes where it may (S-11).
    """
    side = me.unit.side
    if not state.edges[side] or (state.directives and state.directives[side].objective is not None):
        return False
    return me.hurt >= weights.falls_back or (weights.gives_up > 0 and strength_left(state, side) < weights.gives_up)
