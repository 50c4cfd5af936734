"""Attacks that are made by moving: charges, rams and deaths from above. Rule: S-8, M-6, M-7."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, overload

from opfor.orders import MoveOrder
from opfor.rules.melee.charges import why_not_declare
from opfor.rules.melee.physical import inside_building
from opfor.rules.moving.flight import airborne as flies
from opfor.rules.moving.ground import PAVED, Ground
from opfor.rules.moving.longer import Longest
from opfor.rules.moving.movement import Movement
from opfor.rules.moving.reach import Reach, landing_place
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
    """Orders that are made when they are asked for. ``heads`` say all of them but the way."""

    def __init__(self, heads: list[MoveOrder], make: Callable[[int], MoveOrder]) -> None:
        self.heads = heads
        self._made: list[MoveOrder | None] = [None] * len(heads)
        self._make = make

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
        return Made([self._head(charge) for charge in found], lambda number: self._charge_order(found[number]))

    def _charges(self) -> list[Charge]:
        if self.unit.spec.kind not in _CHARGERS:
            return []
        most = max(self.points.walk, self.points.run)
        near = self._victims("charge", most)
        found = []
        for mode, searched in (("walk", "forward"), ("run", "run")) if near else ():
            within = self.points.walk if mode == "walk" else self.points.run
            victims = [u for u in near if self.state.board.grid.distance(self.unit.cell, u.cell) <= within]
            reach = self.reach(searched) if victims else None
            if reach is None:
                continue
            for target in victims:
                found += self._charges_at(target, mode, reach)
        return found

    def _charges_at(self, target: UnitState, mode: str, reach: Reach) -> list[Charge]:
        ground = self.ground
        into = ground.place(target.cell, target.elevation)
        found = []
        for direction in range(6):
            cell = target.cell - self.state.board.grid.step[direction]
            for place in ground.places(cell):
                if ground.level[place] is None or (place in reach.friends and place != self.place):
                    continue
                step = next((s for s in ground.steps(place, direction) if s[0] == into), None)
                if step is None or step[2] & reach.rules.barred:
                    continue
                inside = inside_building(self.state, target)
                if inside and not (place & 1 == 0 and self.state.board.hexes[cell].building_exits >> direction & 1):
                    continue
                if abs((ground.level[into] or 0) - (ground.level[place] or 0)) > _CHARGE_LEVELS:
                    continue
                if place in reach.held:
                    continue
                stance = place * 6 + direction
                budget = reach.limit - step[1]
                road = False
                if not reach.within(stance, budget):
                    budget += reach.bonus
                    road = True
                    if not (reach.bonus and step[2] & PAVED and reach.within(stance, budget, road=True)):
                        continue
                found.append(Charge(target, place, direction, mode, reach, budget, road))
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
