"""Legal weapon fire: every twist, every weapon at every target it may be fired at, in every combination. Rule: S-4.

How it is counted is :mod:`opfor.game.legal.counted_fire`; here is why an order is not legal, and the fire of several units.
"""

from __future__ import annotations

from collections.abc import Iterator

from opfor.game.legal.choices import Node, Pick, Refusal
from opfor.game.legal.counted_fire import HOLD, CountedFire
from opfor.game.legal.fire_tree import fire_tree
from opfor.game.legal.questions import Question
from opfor.game.legal.volleys import Option
from opfor.orders import Attack, FireOrder, Order
from opfor.rules.shooting.to_hit import Posture
from opfor.rules.turn.complex_actions import paused, why_no_holding_fire
from opfor.state import State
from opfor.units.hex_target import names_hex
from opfor.units.state import UnitState

__all__ = ["FireChoices", "Option", "UnitFire", "forget"]


class UnitFire(CountedFire):
    """The legal fire orders of one unit. ``only``: it breaks in on that unit, so it fires, and fires at it alone (M-9b)."""

    def why_not(self, order: FireOrder) -> str:
        """Why an order is not legal; empty when it is."""
        if order.clear:
            if order.clear == HOLD and HOLD not in self.tasks:
                return Refusal(self._why_no_hold(), "M-9")
            if order.clear not in self.tasks:
                known = ", ".join(map(repr, self.tasks)) or "nothing"
                return f"cannot do {order.clear!r} instead of firing: {known} is possible"
            return "" if order == self.task(order.clear) else "whatever is done instead of firing leaves no fire and no turn"
        posture = next((p for p in self.postures if p.twist == order.twist and p.flip == order.flip), None)
        if posture is None:
            how = "with its arms flipped" if order.flip else f"with a twist of {order.twist}"
            return f"cannot fire {how}; possible: {', '.join(p.words for p in self.postures)}"
        if not order.attacks:
            if self.only:
                return f"breaks in on {self.only} by firing at it, or lets the moment pass"
            return "" if not order.primary else "names a primary target but no attack"
        if too_much := self._why_too_much(order):
            return too_much
        mounts = [a.mount for a in order.attacks]
        if mounts != sorted(set(mounts)):
            return "each weapon fires once, and attacks stand in the order of the weapons"
        if self.only and {attack.target for attack in order.attacks} != {self.only}:
            return f"breaks in on {self.only}, and fires at it alone"
        for attack in order.attacks:
            why = self._why_no_attack(posture, attack)
            if why:
                return why
        targets = {a.target for a in order.attacks}
        if any(map(names_hex, targets | {order.primary})) and targets != {order.primary}:
            return "who fires at a hex fires all that it fires at that one hex, which is the primary target"
        if names_hex(order.primary) and len({a.aim for a in order.attacks}) > 1:
            return "all fire at a hex is to one end: break down what is there, set it on fire, or clear mines"
        volley = self.volley(posture, order.primary, order.attacks[0].aim if names_hex(order.primary) else "")
        if volley is None:
            return f"{order.primary or 'nobody'} cannot be the primary target"
        walk = volley.start()
        by_mount = {a.mount: a for a in order.attacks}
        for mount, options in zip(self.unit.spec.mounts, volley.options, strict=True):
            chosen = None
            if mount.index in by_mount:
                chosen = next((o for o in options if o.attack == by_mount[mount.index]), None)
                if chosen is None:
                    target = by_mount[mount.index].target
                    return f"{mount.name} at {target} is not possible beside {order.primary} as primary target"
            below = volley.after(walk, chosen)
            if below is None:
                if self.unit.spec.is_infantry:
                    return f"{mount.name}: a leg or swarm attack takes the unit's whole fire"
                return f"{mount.name}: not enough ammunition for all, or the arm that props the 'Mech up"
            walk = below
        return "" if walk.struck else f"no weapon fires at the primary target {order.primary}"

    def _why_no_hold(self) -> str:
        if self.only or paused(self.unit):
            return "what is done here is a simple action: none is held"
        return why_no_holding_fire(self.state, self.unit)

    def _why_too_much(self, order: FireOrder) -> Refusal:
        """Why the fire is more than the unit's actions allow, empty when it is not. Rule: M-1, M-4, M-5."""
        spotted = any(attack.spotter for attack in order.attacks)
        several = len({attack.target for attack in order.attacks}) > 1
        if spotted and self.allowed.indirect:
            return Refusal(self.allowed.indirect, "M-5")
        if several and self.allowed.several and not self.only:
            return Refusal(self.allowed.several, "M-4")
        if spotted and several and self.allowed.one:
            return Refusal("fire at several targets and indirect fire are two complex actions: one is all it has", "M-1")
        return Refusal()

    def _why_no_attack(self, posture: Posture, attack: Attack) -> str:
        mounts = self.unit.spec.mounts
        if not 0 <= attack.mount < len(mounts):
            return f"has no weapon number {attack.mount}"
        if names_hex(attack.target):
            volley = self.volley(posture, attack.target, attack.aim)
            if volley is not None and any(o.attack == attack for o in volley.options[attack.mount]):
                return ""
            return self.hexes.why_not(mounts[attack.mount], posture, attack)
        if any(o.attack == attack for o in self.options(posture)[attack.mount]):
            return ""
        return self.solver.why_not(mounts[attack.mount], posture, attack)

    def tree(self) -> Node:
        """twist (or a task in place of firing) -> primary target or hold -> weapon by weapon."""
        return fire_tree(self)


def forget(kept: dict[str, UnitFire], order: FireOrder) -> None:
    """Drop from ``kept`` what a declared order outdates: units that spot now, indirect fire spotted by a unit that fires."""
    for id in [order.unit, *(attack.spotter for attack in order.attacks)]:
        kept.pop(id, None)
    if order.attacks:
        for id in [id for id, fire in kept.items() if fire.spotted_by(order.unit)]:
            del kept[id]


class FireChoices:
    """The legal fire orders of a decision: those of each unit that may act. See :class:`opfor.game.legal.choices.Choices`."""

    def __init__(
        self, state: State, units: list[UnitState], kept: dict[str, UnitFire] | None = None, *, only: str = ""
    ) -> None:
        """``kept``: what earlier decisions of the phase worked out, by unit, as far as it still holds (:func:`forget`).

        ``only``: the orders to break in on that unit, see :class:`UnitFire`.
        """
        self._only = only
        self._state = state
        self._units = {unit.id: unit for unit in units}
        self._fire = kept if kept is not None else {}

    def unit(self, id: str) -> UnitFire:
        """The legal fire of one of the units."""
        known = self._fire.get(id)
        if known is None:
            known = self._fire[id] = UnitFire(self._state, self._units[id], self._only)
        return known

    def __contains__(self, order: object) -> bool:
        return isinstance(order, FireOrder) and not self.why_not(order)

    def why_not(self, order: Order) -> str:
        """See :meth:`opfor.game.legal.choices.Choices.why_not`."""
        if not isinstance(order, FireOrder):
            return "is no fire order"
        if order.unit not in self._units:
            return "is not to fire now"
        return self.unit(order.unit).why_not(order)

    def count(self) -> int:
        """How many orders are listed."""
        return sum(self.unit(id).count() for id in self._units)

    def sample(self, pick: Pick) -> FireOrder:
        """One of the orders, each equally likely."""
        number = pick(self.count())
        for id in self._units:
            ways = self.unit(id).count()
            if number < ways:
                return self.unit(id).sample(number)
            number -= ways
        raise IndexError(number)

    def __iter__(self) -> Iterator[FireOrder]:
        for id in self._units:
            yield from self.unit(id)

    def tree(self) -> Node:
        """unit -> twist -> primary target -> weapon by weapon."""
        ids = list(self._units)
        facts = {"unit": ids}
        return Question("unit", len(ids), ids.__getitem__, lambda index: self.unit(ids[index]).tree(), lambda: facts)
