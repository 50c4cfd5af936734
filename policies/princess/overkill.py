"""The memory of fire already assigned: nobody fires at what is to be destroyed anyway, and everybody less at what is half so.

What has been declared and not yet resolved stands in the state, so that nothing has to be remembered.
"""

from __future__ import annotations

from opfor.dice import chance_2d6
from opfor.orders import FireOrder
from opfor.rules.shooting.to_hit import weapon_attack
from opfor.state import State
from opfor.units.hex_target import names_hex
from opfor.units.state import UnitState
from policies.princess.guns import rack_damage
from policies.princess.settings import figures

_FIRE = figures("fire")


def toughness(unit: UnitState) -> int:
    """Points of armour and structure that a unit has left."""
    return sum(max(0, points) for points in (*unit.armor, *unit.structure))


def overkill(assigned: float, damage: float, points: int) -> float:
    """The overkill term of a volley, to be taken 30 times. Infantry is exempt.

    ``assigned``: points that fire declared before is expected to do, ``damage`` those of the volley itself, ``points`` those
    that the target has left.

    >>> overkill(0, 40, 100), overkill(20, 40, 100), overkill(120, 10, 100)
    (0.0, 0.6, 100.0)
    """
    if assigned > points:
        return float(_FIRE["wasted"])
    share = (assigned + damage) / max(1, points)
    return share if share >= _FIRE["from_share"] else 0.0


class Assigned:
    """Points that a side's declared fire is expected to do, by target."""

    def __init__(self, state: State | None = None, side: int = -1) -> None:
        """Nothing at all without a state."""
        self._points: dict[str, float] = {}
        for order in state.declared if state is not None else ():
            if isinstance(order, FireOrder) and state is not None and state.unit(order.unit).side == side:
                self._add(state, order)

    def _add(self, state: State, order: FireOrder) -> None:
        unit = state.unit(order.unit)
        for attack in order.attacks:
            if names_hex(attack.target):
                continue
            target = state.unit(attack.target)
            mount = unit.spec.mounts[attack.mount]
            mode = next(mode for mode in mount.modes if mode.name == attack.mode)
            spotter = state.unit(attack.spotter) if attack.spotter else None
            number = weapon_attack(
                state, unit, mount, mode, target, twist=order.twist, flip=order.flip, spotter=spotter, aim=attack.aim
            )
            if number.possible:
                away = state.board.grid.distance(unit.cell, target.cell)
                points = chance_2d6(number.value) * rack_damage(unit, mount, mode, away)
                self._points[target.id] = self._points.get(target.id, 0.0) + points

    def add(self, target: UnitState, points: float) -> None:
        """Count so many points more at a target."""
        self._points[target.id] = self._points.get(target.id, 0.0) + points

    def at(self, target: UnitState) -> float:
        """Points that what is assigned is expected to do to a target."""
        return self._points.get(target.id, 0.0)
