"""Attacks that are made by moving: charges, rams and deaths from above. Rule: S-8, M-6, M-7."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, overload

from opfor.orders import MoveOrder
from opfor.rules.melee.charges import why_not_declare
from opfor.rules.melee.eligible import inside_building
from opfor.rules.moving.flight import airborne as flies
from opfor.rules.moving.ground import PAVED, Ground
from opfor.rules.moving.landing import landing_place
from opfor.rules.moving.longer import Longest
from opfor.rules.moving.movement import Movement
from opfor.rules.moving.reach import Reach
from opfor.rules.moving.stacking import may_end
from opfor.rules.turn.complex_actions import paused
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

_CHARGE_LEVELS: int = table("movement")["charge_levels"]
#: kinds of unit that charge (vehicles: ram)
_CHARGERS = ("mech", "vehicle")


class Charge(NamedTuple):
    """A charge that can be made, its way not worked out yet: from a place in a direction, with MP left to get there."""

    target: UnitState
    place: int
    direction: int
    mode: str
    reach: Reach
    budget: int
    road: bool


class Made(Sequence[MoveOrder]):
    """Orders that are made when they are asked for. ``head`` gives all of one but the way."""

    def __init__(self, count: int, make: Callable[[int], MoveOrder], head: Callable[[int], MoveOrder]) -> None:
        self._made: list[MoveOrder | None] = [None] * count
        self._make = make
        self._head = head

    def heads(self) -> list[MoveOrder]:
        """The orders but for their ways."""
        return [self._head(number) for number in range(len(self))]

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, number: int) -> MoveOrder: ...

    @overload
    def __getitem__(self, number: slice) -> list[MoveOrder]: ...

    def __getitem__(self, number: int | slice) -> MoveOrder | list[MoveOrder]:
        if isinstance(number, slice):
            return [self[i] for i in range(*number.indices(len(self)))]
        order = self._made[number]
        if order is None:
            order = self._made[number] = self._make(number)
        return order

    def __iter__(self) -> Iterator[MoveOrder]:
        for number in range(len(self)):
            yield self[number]


class Assaults:
    """The charges and deaths from above of one unit, over what its movement can reach."""

    state: State
    unit: UnitState
    ground: Ground
    place: int
    points: Movement

    def reach(self, mode: str) -> Reach | None:
        """The search of a mode."""
        raise NotImplementedError

    def jumps(self) -> dict[int, int]:
        """Cells that a jump can come down in, with their distance."""
        raise NotImplementedError

    def longest(self, reach: Reach) -> Longest:
        """The longest ways of a mode."""
        raise NotImplementedError

    def why_no_victim(self, target: UnitState, attack: str) -> str:
        """Why a unit cannot be charged (or jumped on) now, distance and way left aside. Rule: S-8."""
        what = "charge" if attack == "charge" else "death from above"
        if self.unit.spec.kind not in _CHARGERS or (attack == "dfa" and not self.unit.spec.is_mech):
            return f"{what}: only a 'Mech{' or a ground vehicle' if attack == 'charge' else ''} makes one"
        if target.spec.is_infantry and attack == "charge":
            return "charge: nobody charges infantry"
        if paused(self.unit):
            return f"{what}: it has had its action in the middle of this movement"
        if target.aboard or target.swarming:
            return f"{what}: the target is no target of its own"
        if attack == "charge" and self.state.ruleset.charge_at_vehicles != "on" and target.spec.is_vehicle:
            return "charge: the ruleset has no charges at vehicles"
        if target.spec.kind == "vtol" and flies(self.state.board.hexes[target.cell], target.elevation):
            return f"{what}: the target flies"
        if why := why_not_declare(self.state, self.unit, target):
            return f"{what}: {why}"
        if attack == "charge" and target.prone:
            return "charge: the target is prone"
        place = self.ground.place(target.cell, target.elevation)
        if attack == "dfa" and place != landing_place(self.ground, target.cell):
            return f"{what}: the target stands under a roof or a bridge"
        return ""

    def _victims(self, attack: str, within: int) -> list[UnitState]:
        grid = self.state.board.grid
        here = self.unit.cell
        return [
            u
            for u in self.state.units
            if u.side != self.unit.side
            and u.cell >= 0
            and (u.moved or not u.active)
            and grid.distance(here, u.cell) <= within
            and not self.why_no_victim(u, attack)
        ]

    def charges(self) -> Sequence[MoveOrder]:
        """Every charge: walking or running ahead to a hex beside the target, facing it, with the MP left to enter.

        Their ways are worked out only when asked for: see :class:`Made`.
        """
        found = self._charges()
        return Made(len(found), lambda number: self._charge_order(found[number]), lambda number: self._head(found[number]))

    def _charges(self) -> list[Charge]:
        if self.unit.spec.kind not in _CHARGERS:
            return []
        near = self._victims("charge", max(self.points.walk, self.points.run))
        approaches = [(target, self._approaches(target)) for target in near]
        distance = self.state.board.grid.distance
        found = []
        for mode, searched in (("walk", "forward"), ("run", "run")) if near else ():
            within = self.points.walk if mode == "walk" else self.points.run
            open_to = [pair for pair in approaches if distance(self.unit.cell, pair[0].cell) <= within]
            reach = self.reach(searched) if open_to else None
            if reach is None:
                continue
            tried = [
                (target, place, direction, cost, flags)
                for target, ways in open_to
                for place, direction, cost, flags in ways
                if not flags & reach.rules.barred
                and (place not in reach.friends or place == self.place)
                and place not in reach.held
            ]
            stances = [place * 6 + direction for _, place, direction, _, _ in tried]
            on_foot = reach.mp_at(stances)
            on_road = reach.mp_at(stances, road=True) if reach.bonus else on_foot
            for (target, place, direction, cost, flags), mp, mp_road in zip(tried, on_foot, on_road, strict=True):
                budget = reach.limit - cost
                if mp <= budget:
                    found.append(Charge(target, place, direction, mode, reach, budget, False))
                elif reach.bonus and flags & PAVED and mp_road <= budget + reach.bonus:
                    found.append(Charge(target, place, direction, mode, reach, budget + reach.bonus, True))
        return found

    def _approaches(self, target: UnitState) -> list[tuple[int, int, int, int]]:
        """The places beside a target from which it can be charged: each with direction, MP and flags of the last step."""
        ground = self.ground
        level = ground.level
        into = ground.place(target.cell, target.elevation)
        top = level[into] or 0
        inside = inside_building(self.state, target)
        found = []
        for direction, step in enumerate(self.state.board.grid.step):
            cell = target.cell - step
            for place in ground.places(cell):
                here = level[place]
                if here is None or abs(top - here) > _CHARGE_LEVELS:
                    continue
                if inside and not (place & 1 == 0 and self.state.board.hexes[cell].building_exits >> direction & 1):
                    continue
                for to, cost, flags in ground.steps(place, direction):
                    if to == into:
                        found.append((place, direction, cost, flags))
        return found

    def _head(self, charge: Charge) -> MoveOrder:
        ground, place = self.ground, charge.place
        return MoveOrder(
            self.unit.id, charge.mode, (), ground.cell(place), charge.direction, ground.elevation[place], False, "charge",
            charge.target.id,
        )  # fmt: skip

    def _charge_order(self, charge: Charge) -> MoveOrder:
        reach = charge.reach
        stance = charge.place * 6 + charge.direction
        # the longest way without a roll, for the damage; else the cheapest
        best = None if charge.road else self.longest(reach).best(stance, charge.budget, straight=True)
        path = best[1] if best is not None else reach.path_within(stance, charge.budget, road=charge.road)
        assert path is not None
        return replace(self._head(charge), path=path)

    def deaths(self) -> list[MoveOrder]:
        """Every death from above: a jump that comes down on the target from each hex on a shortest way to it."""
        victims = self._victims("dfa", self.points.jump) if self.points.jump and self.unit.spec.is_mech else []
        jumps = self.jumps() if victims else {}
        grid = self.state.board.grid
        found = []
        for target in victims:
            distance = jumps.get(target.cell)
            if distance is None:
                continue
            for direction in range(6):
                cell = target.cell - grid.step[direction]
                if cell == self.unit.cell:
                    place = self.place
                elif jumps.get(cell) == distance - 1:
                    place = landing_place(self.ground, cell)
                    if not may_end(self.state, self.unit, self.ground, place):
                        continue
                else:
                    continue
                found.append(
                    MoveOrder(
                        self.unit.id, "jump", ("J",), cell, direction, self.ground.elevation[place], False, "dfa", target.id
                    )
                )
        return found
