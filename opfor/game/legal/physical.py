"""Legal physical attacks of a unit: a plain list, for they are few. Rule: S-8."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opfor.game.legal.choices import Node, Pick
from opfor.game.legal.questions import Question
from opfor.orders import Order, PhysicalOrder
from opfor.rules.melee.clubs import armed_arms, pick_ups, why_no_pick_up
from opfor.rules.melee.eligible import MULE, stomps, why_no_attacker
from opfor.rules.melee.physical import physical_attack
from opfor.rules.target_number import TargetNumber
from opfor.state import State
from opfor.units.spec import ARMS
from opfor.units.state import UnitState

BOTH = "both"
#: highest number that 2d6 reach, and the one that they always reach
_BEST_ROLL, _SURE = 12, 2


def _reachable(tn: TargetNumber) -> bool:
    return tn.possible and tn.value <= _BEST_ROLL


def limbs_for(unit: UnitState, attack: str) -> list[str]:
    """The limbs that an attack might be made with, in a stable order; "" where it takes no single limb."""
    names = unit.spec.locations
    if not unit.spec.is_mech:
        return []
    if attack == "punch":
        return [] if unit.spec.quad else [names[arm] for arm in ARMS]
    if attack == "kick":
        return [names[leg] + (MULE if unit.spec.quad and leg not in ARMS else "") for leg in unit.legs]
    if attack in ("hatchet", "sword"):
        return [] if unit.spec.quad else [names[arm] for arm in armed_arms(unit, attack)]
    if attack == "push":
        return [] if unit.spec.quad else [""]
    return [""] if attack == "club" and unit.club else []


def physical_orders(state: State, unit: UnitState, numbers: dict[PhysicalOrder, int] | None = None) -> list[PhysicalOrder]:
    """Every physical attack that a unit may make, beginning with none. Rule: S-8.

    ``numbers`` takes the number that each needs, of two punches the lower one.
    """
    if numbers is None:
        numbers = {}
    orders = [PhysicalOrder(unit.id)]
    if not unit.spec.is_mech or why_no_attacker(unit) or any(order.unit == unit.id for order in state.charges):
        return orders
    grid = state.board.grid
    for step in (0, *grid.step):
        for target in state.occupants(unit.cell + step):
            if target.side != unit.side and (step or stomps(unit, target)):
                _attacks(state, unit, target, orders, numbers)
    orders += [PhysicalOrder(unit.id, "pick_up", kind) for kind in pick_ups(state, unit)]
    return orders


def _attacks(
    state: State, unit: UnitState, target: UnitState, orders: list[PhysicalOrder], numbers: dict[PhysicalOrder, int]
) -> None:
    for attack in ("punch", "kick", "push", "club", "hatchet", "sword"):
        found: list[PhysicalOrder] = []
        for limb in limbs_for(unit, attack):
            tn = physical_attack(state, unit, attack, limb, target)
            if _reachable(tn):
                found.append(PhysicalOrder(unit.id, attack, limb, target.id))
                numbers[found[-1]] = max(tn.value, _SURE)
        if attack == "punch" and len(found) == len(ARMS):
            both = PhysicalOrder(unit.id, attack, BOTH, target.id)
            numbers[both] = min([numbers[order] for order in found])
            found.append(both)
        orders += found


class PhysicalChoices:
    """The legal physical attacks of a decision; ``only``: those on that unit, and no other order (M-9b).

    See :class:`opfor.game.legal.choices.Choices`.
    """

    def __init__(self, state: State, units: list[UnitState], *, only: str = "", attacks: bool = False) -> None:
        """``attacks``: attacks alone are listed, to make none is no order of its own (M-8)."""
        self._state = state
        self._attacks = attacks
        self._only = only
        self._units = {unit.id: unit for unit in units}
        self._orders: dict[str, list[PhysicalOrder]] = {}
        self._numbers: dict[PhysicalOrder, int] = {}

    def unit(self, id: str) -> list[PhysicalOrder]:
        """The legal orders of one of the units."""
        known = self._orders.get(id)
        if known is None:
            known = physical_orders(self._state, self._units[id], self._numbers)
            if self._only:
                known = [order for order in known if order.target == self._only]
            if self._attacks:
                known = [order for order in known if order.attack]
            self._orders[id] = known
        return known

    def __contains__(self, order: object) -> bool:
        return isinstance(order, PhysicalOrder) and order.unit in self._units and order in self.unit(order.unit)

    def why_not(self, order: Order) -> str:
        """See :meth:`opfor.game.legal.choices.Choices.why_not`."""
        if order in self:
            return ""
        if not isinstance(order, PhysicalOrder):
            return "is no physical attack"
        unit = self._units.get(order.unit)
        if unit is None:
            return "is not to attack now"
        if not order.attack:
            return "names a limb or a target but no attack"
        if any(charge.unit == unit.id for charge in self._state.charges):
            return "has declared a charge or a death from above"
        if order.attack == "pick_up":
            return why_no_pick_up(self._state, unit, order.limb) or "a club is picked up without a target"
        return self._why_no_attack(unit, order)

    def _why_no_attack(self, unit: UnitState, order: PhysicalOrder) -> str:
        state = self._state
        if order.target not in state.by_id:
            return f"there is no unit {order.target!r}" if order.target else "names no target"
        target = state.unit(order.target)
        limbs = limbs_for(unit, order.attack)
        asked = limbs if order.limb == BOTH and order.attack == "punch" else [order.limb]
        if order.attack == "club" and not unit.club:
            return "holds no club"
        if not limbs or any(limb not in limbs for limb in asked):
            listed = ", ".join(limb or "no limb named" for limb in limbs) or "nothing to do it with"
            return f"cannot {order.attack} with {order.limb or 'no limb named'}: {listed}"
        for limb in asked:
            tn = physical_attack(state, unit, order.attack, limb, target)
            if not tn.possible:
                return tn.why
            if not _reachable(tn):
                return f"needs {tn}, more than two dice show"
        return "is not among the legal attacks"

    def count(self) -> int:
        """How many orders are listed."""
        return sum(len(self.unit(id)) for id in self._units)

    def sample(self, pick: Pick) -> PhysicalOrder:
        """One of the orders, each equally likely."""
        number = pick(self.count())
        for id in self._units:
            orders = self.unit(id)
            if number < len(orders):
                return orders[number]
            number -= len(orders)
        raise IndexError(number)

    def __iter__(self) -> Iterator[PhysicalOrder]:
        for id in self._units:
            yield from self.unit(id)

    def tree(self) -> Node:
        """unit -> attack -> target -> limb; questions with one answer are left out below the attack."""
        ids = list(self._units)
        facts = {"unit": ids}
        return Question("unit", len(ids), ids.__getitem__, lambda index: self._grouped(self.unit(ids[index]), 0), lambda: facts)

    def _grouped(self, orders: list[PhysicalOrder], level: int) -> Node:
        """Options that tell orders apart by one of their fields, then by the next."""
        key = _LEVELS[level]
        groups: dict[str, list[PhysicalOrder]] = {}
        for order in orders:
            groups.setdefault(getattr(order, key), []).append(order)
        values, parts = list(groups), list(groups.values())

        def facts() -> dict[str, list[Any]]:
            found: dict[str, list[Any]] = {
                "number": [min([self._numbers.get(order, 0) for order in part]) for part in parts],
                "orders": [len(part) for part in parts],
            }
            if key == "target":
                found[key] = values
            return found

        return Question(
            key, len(values), lambda index: values[index] or "none", lambda index: self._below(parts[index], level + 1), facts
        )

    def _below(self, orders: list[PhysicalOrder], level: int) -> Node | Order:
        if len(orders) == 1:
            return orders[0]
        while level < len(_LEVELS) - 1 and len({getattr(order, _LEVELS[level]) for order in orders}) == 1:
            level += 1
        return self._grouped(orders, level)


_LEVELS = ("attack", "target", "limb")
