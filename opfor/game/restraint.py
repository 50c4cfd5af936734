"""Holding a side's orders to what the game master has told it: the legal orders of a decision less those that are barred.

What is left is a set of legal orders like any other (exact membership, count, sample, tree), of the same classes, so that
every policy obeys without knowing. It is never empty: to do nothing is always left. The rules know nothing of it: orders
that the game master gives are not held to it.

Where a side knows less than all (``knows``), hexes that lie open to its fire for the enemies there are left only about those
that it knows of, so that what is listed tells nothing of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from opfor.game.bounds import Bounds
from opfor.game.decision import Decision
from opfor.game.legal.calls import CallChoices
from opfor.game.legal.choices import Choices
from opfor.game.legal.either import Either
from opfor.game.legal.fire import FireChoices, UnitFire
from opfor.game.legal.mission_actions import ActionChoices
from opfor.game.legal.movement import MovementChoices
from opfor.game.legal.moves import UnitMoves
from opfor.game.legal.opportunity import OpportunityChoices
from opfor.game.legal.physical import PhysicalChoices
from opfor.orders import FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.rules.refusal import Refusal
from opfor.rules.turn.complex_actions import paused
from opfor.state import State
from opfor.units.state import UnitState


class RestrainedMoves(UnitMoves):
    """The movement of a unit less what is barred; ``bounds`` say what that is."""

    def __init__(self, state: State, unit: UnitState, *, simple: bool = False) -> None:
        super().__init__(state, unit, simple=simple)
        self.bounds = Bounds(state, unit)
        self._ends: dict[str, Sequence[int]] = {}

    def _open(self, order: MoveOrder) -> bool:
        return not self.bounds.why_not(order)

    def ends(self, mode: str) -> Sequence[int]:
        """See :meth:`UnitMoves.ends`."""
        found = self._ends.get(mode)
        if found is None:
            bounds = self.bounds
            keys: Sequence[int] = [] if bounds.still or mode in bounds.barred else super().ends(mode)
            if bounds.within or bounds.outside:
                keys = [key for key in keys if self._open(self.ground_order(mode, key))]
            found = self._ends[mode] = keys
        return found

    def stops(self, mode: str) -> list[int]:
        """See :meth:`UnitMoves.stops`."""
        if mode not in self._stops:
            open_to = set(self.ends(mode))
            self._stops[mode] = [key for key in super().stops(mode) if key in open_to]
        return self._stops[mode]

    def landings(self) -> list[int]:
        """See :meth:`UnitMoves.landings`."""
        if self._landings is None:
            bounds = self.bounds
            cells = [] if bounds.still or "jump" in bounds.barred else super().landings()
            self._landings = [cell for cell in cells if not bounds.why_not_enter((self.unit.cell, cell))]
        return self._landings

    def extra(self) -> list[tuple[str, Sequence[MoveOrder]]]:
        """See :meth:`UnitMoves.extra`."""
        if self._extra is None:
            found: list[tuple[str, Sequence[MoveOrder]]] = [
                (group, [order for order in orders if self._open(order)]) for group, orders in super().extra()
            ]
            self._extra = [(group, orders) for group, orders in found if orders]
        return self._extra

    def why_no_act(self, act: str) -> str:
        """See :meth:`UnitMoves.why_no_act`."""
        bounds = self.bounds
        if act in bounds.barred or (act == "opportunity" and bounds.hold_fire):
            return "is to leave this"
        return super().why_no_act(act)

    def open_groups(self) -> list[str]:
        """See :meth:`UnitMoves.open_groups`."""
        return [group for group, _ in self.sizes()]

    def sizes(self) -> list[tuple[str, int]]:
        """See :meth:`UnitMoves.sizes`."""
        found = super().sizes()
        return [(group, size) for group, size in found if group != "wait"] if "wait" in self.bounds.barred else found


class RestrainedMovement(MovementChoices):
    """See :class:`MovementChoices`."""

    def of(self, unit: UnitState) -> UnitMoves:
        """The movement of one unit."""
        found = self._moves.get(unit.id)
        if found is None:
            found = self._moves[unit.id] = RestrainedMoves(self.state, unit, simple=self.simple)
        return found

    def why_not(self, order: Order) -> Refusal:
        """See :meth:`MovementChoices.why_not`; what is legal may be barred."""
        refused = super().why_not(order)
        unit = self._unit(order.unit)
        if refused or unit is None:
            return refused
        moves = self.of(unit)
        assert isinstance(moves, RestrainedMoves)
        return Refusal(moves.bounds.why_not(order))


class RestrainedFire(UnitFire):
    """The fire of a unit less what is barred."""

    def __init__(self, state: State, unit: UnitState, only: str = "") -> None:
        super().__init__(state, unit, only)
        self.bounds = bounds = Bounds(state, unit)
        if "opportunity" in bounds.barred or bounds.hold_fire:
            self.tasks = tuple(task for task in self.tasks if task != "opportunity")

    def _may_fire_at(self) -> Callable[[str], bool]:
        """See :meth:`UnitFire._may_fire_at`."""
        return lambda target: not self.bounds.why_not_attack(target)

    def why_not(self, order: FireOrder) -> str:
        """See :meth:`UnitFire.why_not`."""
        return self.bounds.why_not(order) or super().why_not(order)


class RestrainedFireChoices(FireChoices):
    """See :class:`FireChoices`."""

    def unit(self, id: str) -> UnitFire:
        """The fire of one of the units."""
        known = self._fire.get(id)
        if known is None:
            known = self._fire[id] = RestrainedFire(self._state, self._units[id], self._only)
        return known


class RestrainedBlows(PhysicalChoices):
    """See :class:`PhysicalChoices`."""

    def unit(self, id: str) -> list[PhysicalOrder]:
        """The attacks of one of the units."""
        known = self._orders.get(id)
        if known is None:
            bounds = Bounds(self._state, self._units[id])
            known = [order for order in super().unit(id) if not bounds.why_not(order)]
            self._orders[id] = known
        return known

    def why_not(self, order: Order) -> str:
        """See :meth:`PhysicalChoices.why_not`."""
        if (
            order not in self
            and order.unit in self._units
            and (why := Bounds(self._state, self._units[order.unit]).why_not(order))
        ):
            return why
        return super().why_not(order)


class RestrainedCalls(CallChoices):
    """See :class:`CallChoices`."""

    def listed(self, unit: UnitState) -> list[Order]:
        """The announcements that are left."""
        bounds = Bounds(self.state, unit)
        return [order for order in super().listed(unit) if not bounds.why_not(order)]

    def refusal(self, unit: UnitState, order: Order) -> str:
        """What bars it."""
        return Bounds(self.state, unit).why_not(order) or super().refusal(unit, order)


class RestrainedActions(ActionChoices):
    """See :class:`ActionChoices`."""

    def listed(self, unit: UnitState) -> list[Order]:
        """The starts that are left."""
        bounds = Bounds(self.state, unit)
        return [order for order in super().listed(unit) if not bounds.why_not(order)]


class RestrainedOpportunity(OpportunityChoices):
    """See :class:`OpportunityChoices`."""

    def __init__(self, decision: Decision) -> None:
        assert decision.moment is not None
        super().__init__(decision._state, decision.units[0], decision.moment)
        target = decision._state.units[decision.moment.unit].id
        self.parts = [self._held(part, target) for part in self.parts]

    def _held(self, part: Choices, target: str) -> Choices:
        if isinstance(part, FireChoices):
            return RestrainedFireChoices(self.state, [self.unit], only=target)
        if isinstance(part, PhysicalChoices):
            return RestrainedBlows(self.state, [self.unit], only=target)
        return RestrainedMovement(self.state, [self.unit], simple=True)


class RestrainedDecision(Decision):
    """A decision whose legal orders are those that the game master has left to the side."""

    def narrowed(self, units: Sequence[UnitState]) -> Decision:
        """The same decision, for some of its units only."""
        return restrained(super().narrowed(units))

    @cached_property
    def legal(self) -> Choices:
        """The orders that are left."""
        state, units = self._state, self.units
        if self.kind == "opportunity":
            return RestrainedOpportunity(self)
        if self.kind == "call":
            return RestrainedCalls(state, units)
        if self.kind == "action":
            return RestrainedActions(state, units, self.kind)
        parts: list[Choices] = [self._own(state, units)]
        if self.also:
            parts.append(RestrainedMovement(state, self.also))
        if state.actions:
            parts.append(RestrainedActions(state, units, self.kind))
        return Either(parts) if len(parts) > 1 else parts[0]

    def _own(self, state: State, units: list[UnitState]) -> Choices:
        if self.kind == "movement":
            return RestrainedMovement(state, units)
        if self.kind == "physical":
            return RestrainedBlows(state, units)
        fire = RestrainedFireChoices(state, units)
        if not paused(units[0]):
            return fire
        blows = RestrainedBlows(state, units, attacks=True)
        return Either([fire, blows]) if blows.count() else fire


def restrained(decision: Decision) -> Decision:
    """The decision with the orders that the game master has left to the side, for all that it knows; the decision itself where
    nothing binds it and it knows all."""
    state = decision._state
    told = state.directive(decision.side)
    if isinstance(decision, RestrainedDecision) or not (told.restrains or told.knows != "all"):
        return decision
    return RestrainedDecision(state, decision.side, decision.units, decision.kind, moment=decision.moment, also=decision.also)


def movement_of(state: State, units: list[UnitState], *, simple: bool = False) -> MovementChoices:
    """The movement left to units of one side, for who reckons on a state of its own."""
    bound = bool(units) and state.directive(units[0].side).restrains
    return (RestrainedMovement if bound else MovementChoices)(state, units, simple=simple)


__all__ = ["Bounds", "RestrainedDecision", "movement_of", "restrained"]
