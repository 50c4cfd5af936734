"""Choosing a physical attack: what it may do, and what missing it may cost. Rule: S-8."""

from __future__ import annotations

from dataclasses import replace

from opfor.game.legal.physical import limbs_for
from opfor.orders import PhysicalOrder
from opfor.rules.melee.blows import damage_to, physical_damage, physical_hit_table, physical_side
from opfor.rules.melee.physical import physical_attack
from opfor.state import State
from opfor.units.spec import ARMS
from policies.veteran.exchange import topple_odds
from policies.veteran.figures import Figure
from policies.veteran.weights import Weights
from policies.veteran.worth import table_factor

_WORDS = {
    "punch": "punches",
    "kick": "kicks",
    "push": "pushes",
    "club": "clubs",
    "hatchet": "swings its hatchet at",
    "sword": "swings its sword at",
}


def choose_blow(
    state: State, me: Figure, theirs: list[Figure], orders: list[PhysicalOrder], weights: Weights
) -> tuple[float, PhysicalOrder, list[str]]:
    """The best of the legal attacks, or none: what it is worth, the order, and all of them in words, the best first."""
    figures = {figure.unit.id: figure for figure in theirs}
    rated = []
    for number, order in enumerate(orders):
        if not order.attack:
            rated.append((0.0, -number, order, "no blow is worth its risk"))
        elif order.target in figures:
            value, words = blow_value(state, me, figures[order.target], order, weights)
            rated.append((value, -number, order, words))
    if not rated:
        return 0.0, PhysicalOrder(me.unit.id, reason="nobody in reach"), []
    rated.sort(key=lambda item: (item[0], item[1]), reverse=True)
    best, _, order, words = rated[0]
    if not order.attack and len(rated) == 1:
        words = "nobody in reach" if me.hot else "fights with its weapons only"
    return best, replace(order, reason=words), [f"{words or 'none'}: {value:+z.1f}" for value, _, _, words in rated]


def blow_value(state: State, me: Figure, target: Figure, order: PhysicalOrder, weights: Weights) -> tuple[float, str]:
    """What a physical attack is worth, and the attack in words."""
    unit, foe = me.unit, target.unit
    attack = order.attack
    limbs = [unit.spec.location_name(arm) for arm in ARMS] if order.limb == "both" else [order.limb]
    numbers = [physical_attack(state, unit, attack, limb, foe) for limb in limbs]
    side = physical_side(state, unit, attack, foe)
    factor = table_factor(foe, target.value, side, physical_hit_table(state, unit, attack, foe))
    value = 0.0
    points = 0
    missed = 1.0
    for limb, number in zip(limbs, numbers, strict=True):
        damage = physical_damage(unit, attack, limb)
        points += damage
        value += number.odds * damage_to(foe, damage) * factor
        missed *= 1.0 - number.odds
    if attack in ("kick", "push") and target.hot and not foe.prone:
        value += (1.0 - missed) * weights.topple * target.value * topple_odds(target)
    if attack == "kick":
        value -= missed * topple_odds(me) * (weights.fall + unit.spec.tons / 10 * me.factors["left", False])
    best = max(2, min(number.value for number in numbers))
    words = f"{_WORDS.get(attack, attack)} {foe.id} at {best}+"
    return value, words + (f", {points} points" if points else "")


def blow_here(state: State, me: Figure, theirs: list[Figure], weights: Weights) -> tuple[float, dict[int, float]]:
    """What the coming physical phase promises: the best kick, and for each arm that holds a hatchet or a sword its blow."""
    unit = me.unit
    best = 0.0
    arms: dict[int, float] = {}
    if not me.hot:
        return best, arms
    for target in theirs:
        if state.board.grid.distance(unit.cell, target.unit.cell) != 1:
            continue
        for attack in ("kick", "hatchet", "sword"):
            for limb in limbs_for(unit, attack):
                if not physical_attack(state, unit, attack, limb, target.unit).possible:
                    continue
                value, _ = blow_value(state, me, target, PhysicalOrder(unit.id, attack, limb, target.unit.id), weights)
                if attack == "kick":
                    best = max(best, value)
                else:
                    arm = unit.spec.locations.index(limb)
                    arms[arm] = max(arms.get(arm, 0.0), value)
    return best, arms
