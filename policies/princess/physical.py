"""Choosing a physical attack: punches, kick, push, club, hatchet and sword by expected damage less the own fall. Rule: S-8.

No charge and no death from above is ever planned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from opfor.dice import chance_2d6
from opfor.orders import PhysicalOrder
from opfor.rules.melee.blows import damage_to, physical_damage
from opfor.rules.melee.physical import physical_attack
from opfor.rules.pilots.falls import fall_damage
from opfor.rules.pilots.piloting import cannot_roll, piloting_number
from opfor.state import State
from opfor.units.spec import ARMS
from opfor.units.state import UnitState

_WORDS = {"punch": "punches", "kick": "kicks", "push": "pushes", "club": "clubs"}


def fall_risk(state: State, unit: UnitState, reason: str) -> float:
    """Mean points of the fall that a failed roll for a reason brings a 'Mech; 0 for who cannot fall any more."""
    if not unit.spec.is_mech or unit.prone:
        return 0.0
    fails = 1.0 if cannot_roll(unit, reason) else 1.0 - chance_2d6(piloting_number(state, unit, reason).value)
    return fails * sum(fall_damage(unit.spec.tons, 0))


def blow_value(state: State, unit: UnitState, target: UnitState, order: PhysicalOrder) -> float:
    """Mean points of a physical attack, and of the target's fall; less those of the own fall after a kick that misses."""
    limbs = [unit.spec.location_name(arm) for arm in ARMS] if order.limb == "both" else [order.limb]
    value = 0.0
    missed = 1.0
    for limb in limbs:
        odds = physical_attack(state, unit, order.attack, limb, target).odds
        value += odds * damage_to(target, physical_damage(unit, order.attack, limb))
        missed *= 1.0 - odds
    if order.attack in ("kick", "push"):
        value += (1.0 - missed) * fall_risk(state, target, "kicked" if order.attack == "kick" else "pushed")
    if order.attack == "kick":
        value -= missed * fall_risk(state, unit, "missed_kick")
    return value


def choose_blow(
    state: State, unit: UnitState, orders: Sequence[PhysicalOrder], spares: Callable[[UnitState], bool]
) -> tuple[float, PhysicalOrder | None]:
    """The best of the legal attacks that is worth anything, and what it is worth; None for none."""
    best: tuple[float, PhysicalOrder | None] = (0.0, None)
    for order in orders:
        if order.attack and order.target and not spares(state.unit(order.target)):
            value = blow_value(state, unit, state.unit(order.target), order)
            if value > best[0]:
                words = f"{_WORDS.get(order.attack, 'swings at')} {order.target}: {value:.1f} points expected"
                best = (value, replace(order, reason=words))
    return best
