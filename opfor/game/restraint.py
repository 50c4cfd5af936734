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
from itertools import pairwise

from opfor.directives import ALWAYS, Restraint
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
from opfor.game.view import seen_by, unseen
from opfor.orders import ActionOrder, CallOrder, FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.rules.barrage.artillery import aims
from opfor.rules.refusal import Refusal
from opfor.rules.terrain.hexes import area_loads, near_enemies
from opfor.rules.turn.complex_actions import paused
from opfor.state import State
from opfor.units.hex_target import MARK
from opfor.units.state import UnitState

#: the direction of a step from the facing
_STEPS = {"F": 0, "SR": 1, "SRB": 2, "B": 3, "SLB": 4, "SL": 5}


class Bounds:
    """What binds one unit now: the restraints of its side and its own."""

    def __init__(self, state: State, unit: UnitState) -> None:
        self.state = state
        self.unit = unit
        self.all: tuple[Restraint, ...] = state.directive(unit.side).of(unit.id)
        self.barred = frozenset().union(*(r.barred for r in self.all))
        self.still = any(r.still for r in self.all)
        #: hexes of a hold-within that binds, and those not to be entered
        self.within = [area for r in self.all for area in r.within if unit.cell in area]
        self.outside = [area for r in self.all for area in r.outside]
        self.hold_fire = next((r.hold_fire for r in self.all if self._holds(r)), "")
        self.only = frozenset().union(*(r.only for r in self.all))
        self.ignore = frozenset().union(*(r.ignore for r in self.all))
        shells = [r.shell for r in self.all if r.shell is not None]
        self.shell = frozenset.intersection(*shells) if shells else None

    @cached_property
    def known(self) -> State | None:
        """What the side sees, None where it knows all that is not hidden."""
        side = self.unit.side
        return None if self.state.directive(side).knows == "all" else seen_by(self.state, side)

    @cached_property
    def near(self) -> set[int]:
        """The hexes at and next to the enemies that the side knows of."""
        return near_enemies(self.known or self.state, self.unit)

    @cached_property
    def aims(self) -> set[int]:
        """The hexes that the side may shell for what it knows."""
        return aims(self.known or self.state, self.unit.side)

    def _holds(self, restraint: Restraint) -> bool:
        if not restraint.hold_fire or restraint.hold_fire == ALWAYS:
            return bool(restraint.hold_fire)
        # whoever holds its fire with its side is released when any of the side is fired on
        own = restraint is not self.state.directive(self.unit.side).restraint
        asked = [self.unit.id] if own else [u.id for u in self.state.units if u.side == self.unit.side]
        return not self.state.fired_on.intersection(asked)

    def why_not_attack(self, target: str) -> str:
        """Why a target may not be attacked, "" when it may."""
        if self.hold_fire:
            return f"holds its fire{' until fired on' if self.hold_fire != ALWAYS else ''}"
        if target in self.ignore:
            return f"is to ignore {target}"
        if self.only and target not in self.only:
            return f"attacks only {', '.join(sorted(self.only))}"
        if target.startswith(MARK) and self.known is not None and self._goes_by_enemies():
            return "" if self.state.target(target).cell in self.near else "knows of no enemy there"
        return ""

    def _goes_by_enemies(self) -> bool:
        """Whether where enemies are says which hexes the unit may fire at. Rule: S-10, E-33a."""
        return self.state.ruleset.hex_targets == "near" or bool(area_loads(self.unit))

    def why_not_enter(self, cells: Sequence[int]) -> str:
        """Why a way may not be gone, given by the hexes of it, "" when it may."""
        names = self.state.board.grid.names
        for area in self.within:
            out = next((cell for cell in cells if cell not in area), None)
            if out is not None:
                return f"is not to leave where it is for {names[out]}"
        for area in self.outside:
            for before, cell in pairwise(cells):
                if cell in area and before not in area:
                    return f"is not to enter {names[cell]}"
        return ""

    def why_not(self, order: Order) -> str:
        """Why the unit may not be given an order, "" when it may. To do nothing never is barred."""
        if isinstance(order, MoveOrder):
            return self._why_not_move(order)
        if isinstance(order, FireOrder):
            if order.clear == "opportunity" and ("opportunity" in self.barred or self.hold_fire):
                return self._no("opportunity")
            return next((why for a in order.attacks if (why := self.why_not_attack(a.target))), "")
        if isinstance(order, PhysicalOrder):
            if order.attack and "physical" in self.barred:
                return self._no("physical")
            return self.why_not_attack(order.target) if order.target else ""
        if isinstance(order, CallOrder) and order.what:
            return self._why_not_call(order)
        return self._no("action") if isinstance(order, ActionOrder) and order.action and "action" in self.barred else ""

    @staticmethod
    def _no(what: str) -> str:
        return f"is to leave this: {what}"

    def _why_not_call(self, order: CallOrder) -> str:
        if "artillery" in self.barred:
            return self._no("artillery")
        if self.shell is not None and order.cell not in self.shell:
            names = self.state.board.grid.names
            return f"shells only {', '.join(sorted(names[c] for c in self.shell))}" if self.shell else "is to stop shelling"
        if self.known is not None and not self._known_of(order, self.known):
            return "knows of no enemy there"
        return self.why_not_attack(order.target)

    def _known_of(self, order: CallOrder, known: State) -> bool:
        """Whether what is called for lies on a hex, or a unit in sight, that the side knows of."""
        if not order.target:
            return order.cell in self.aims
        return order.target not in unseen(self.state, self.unit.side) and known.unit(order.target).alive

    def _why_not_move(self, order: MoveOrder) -> str:
        idle = not order.path and not order.attack and order.mode != "dismount"
        if order.act and order.act in self.barred:
            return self._no(order.act)
        if order.act == "opportunity" and self.hold_fire:
            return self.why_not_attack("")
        if order.mode == "wait" and "wait" in self.barred:
            return self._no("wait")
        if idle:
            return ""
        if self.still:
            return "is not to move"
        if order.mode in self.barred or order.attack in self.barred or ("EXIT" in order.path and "exit" in self.barred):
            return self._no(order.attack if order.attack in self.barred else order.mode)
        if order.attack in ("charge", "dfa"):
            if "physical" in self.barred:
                return self._no("physical")
            if why := self.why_not_attack(order.target):
                return why
        if self.within and "EXIT" in order.path:
            return "is not to leave where it is for the edge of the map"
        return self.why_not_enter(self.way(order)) if self.within or self.outside else ""

    def way(self, order: MoveOrder) -> list[int]:
        """The hexes of a movement in order, beginning with where the unit stands; a jump has its two ends alone."""
        cells = [self.unit.cell]
        facing, step = self.unit.facing, self.state.board.grid.step
        for token in order.path:
            if token == "R":
                facing = (facing + 1) % 6
            elif token == "L":
                facing = (facing - 1) % 6
            elif token in _STEPS:
                cells.append(cells[-1] + step[(facing + _STEPS[token]) % 6])
        if order.to != cells[-1]:
            cells.append(order.to)
        if order.attack in ("charge", "dfa"):
            cells.append(self.state.unit(order.target).cell)
        return cells


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
