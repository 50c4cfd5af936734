"""What binds a unit by what the game master has told its side, and why an order would break it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from opfor.directives import ALWAYS, Restraint
from opfor.game.view import seen_by, unseen
from opfor.orders import ActionOrder, CallOrder, FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.rules.barrage.artillery import aims
from opfor.rules.terrain.hexes import area_loads, near_enemies
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
