"""The side's fire as a whole: what each unit's choice of target leaves for the others to do. Rule: S-4, E-5.

Fire of one phase lands together, so that the order in which a side declares it decides nothing but who knows of whom. Each
of the best ways to fire is followed by the best that the others can then do; the sum says which way it is to be.
"""

from __future__ import annotations

from collections.abc import Sequence

from opfor.game.legal.fire import FireChoices
from opfor.orders import FireOrder
from opfor.state import State
from policies.veteran.figures import Figure
from policies.veteran.fire import FirePlan, Plan
from policies.veteran.mind import Mind


class SideFire:
    """The fire of the units that may declare theirs now. ``ways``: plans of the unit that declares that are followed up."""

    def __init__(
        self, state: State, legal: FireChoices, ours: list[Figure], theirs: list[Figure], mind: Mind, ways: int
    ) -> None:
        self.state = state
        self.legal = legal
        self.ours = ours
        self.theirs = theirs
        self.mind = mind
        self.ways = ways

    def plan(self, me: Figure) -> FirePlan:
        """The fire of one unit beside what has been declared."""
        plan = FirePlan(self.state, me, self.ours, self.theirs, self.legal.unit(me.unit.id), self.mind)
        plan.choose()
        return plan

    def choose(self, me: Figure, others: Sequence[Figure]) -> tuple[FirePlan, FireOrder, list[tuple[float, Plan]]]:
        """The best way for ``me`` to fire, ``others`` yet to declare theirs: its plan, the order, and what the ways come to."""
        mine = self.plan(me)
        rated: list[tuple[float, Plan]] = []
        for option in self._distinct(mine):
            value = option.value
            if others:
                value += self._followed(me, mine, option, others)
            rated.append((value, option))
        rated.sort(key=lambda pair: -pair[0])
        for _, option in rated:
            order = mine._order(option)
            if not mine.legal.why_not(order):
                hold = next(p for p in mine.plans if not p.uses and p.order is None)
                mine.gain = option.value - hold.value
                return mine, order, rated
        return mine, mine._order(mine.plans[0]), rated

    def _distinct(self, mine: FirePlan) -> list[Plan]:
        """The best plan at each primary target, best first."""
        found: dict[str, Plan] = {}
        for option in mine.plans:
            found.setdefault(option.primary if option.uses else f"{option.words}/", option)
        return list(found.values())[: self.ways]

    def _followed(self, me: Figure, mine: FirePlan, option: Plan, others: Sequence[Figure]) -> float:
        """What the others do best once ``me`` has declared that, one after the other."""
        state = self.state
        kept = [(f.unit, f.unit.twist, f.unit.arms_flipped) for f in (me, *others)]
        declared = len(state.declared)
        total = 0.0
        try:
            self._declare(me, mine._order(option))
            for other in others:
                plan = self.plan(other)
                best = next((p for p in plan.plans if not plan.legal.why_not(plan._order(p))), None)
                if best is not None:
                    total += best.value
                    self._declare(other, plan._order(best))
        finally:
            del state.declared[declared:]
            for unit, twist, flipped in kept:
                unit.twist, unit.arms_flipped = twist, flipped
        return total

    def _declare(self, me: Figure, order: FireOrder) -> None:
        me.unit.twist = order.twist
        me.unit.arms_flipped = order.flip
        self.state.declared.append(order)
