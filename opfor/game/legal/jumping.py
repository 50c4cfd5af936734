"""Where a unit's jets carry it, and its orders to jump. Rule: S-2, S-9."""

from __future__ import annotations

from opfor.orders import MoveOrder
from opfor.rules.moving.ground import Ground
from opfor.rules.moving.jumps import Jumps, jumps_from
from opfor.rules.moving.landing import landing_place, may_land
from opfor.rules.moving.movement import Movement, has_moved
from opfor.rules.moving.path_rolls import Needed, landing_rolls
from opfor.rules.moving.stacking import Taken
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

_RISE: int = table("movement")["jump"]["rise_beyond_mp"]


class Jumping:
    """The jumps of one unit as the state stands now."""

    state: State
    unit: UnitState
    ground: Ground
    place: int
    points: Movement
    #: facings in which a jump may end
    facings: tuple[int, ...]
    _jumps: dict[int, int] | None
    _landings: list[int] | None
    _landed: frozenset[int] | None

    @property
    def taken(self) -> Taken:
        """The places that others hold."""
        raise NotImplementedError

    def why_no_jump(self) -> str:
        """Why the unit cannot jump now, empty when it can."""
        unit = self.unit
        if unit.spec.jump <= 0:
            return "it has no jump jets"
        if self.points.jump <= 0:
            return "it has no jump MP"
        if unit.prone:
            return "a prone 'Mech must stand up first, and cannot jump in the same turn"
        if unit.mp_spent or has_moved(unit):
            return "it has moved already this turn"
        return ""

    def jumped(self) -> Jumps:
        """Where its jets would carry it."""
        return jumps_from(self.ground, self.place, self.points.jump, self.points.jump + _RISE)

    def jumps(self) -> dict[int, int]:
        """Cells that a jump can come down in, units left aside, with their distance."""
        if self._jumps is None:
            self._jumps = {} if self.why_no_jump() else self.jumped().cells
        return self._jumps

    def landings(self) -> list[int]:
        """Cells where a jump may end."""
        if self._landings is None:
            limit = 0 if self.why_no_jump() else self.points.jump
            cells: list[int] = []
            if limit:
                ground, distance = self.ground, self.state.board.grid.distance
                cells = self.jumped().open
                full = {*self.taken.closed, *self.taken.full}
                near = [cell for place in full if distance(self.unit.cell, cell := ground.cell(place)) <= limit]
                taken = {cell for cell in near if landing_place(ground, cell) in full}
                if taken:
                    cells = [cell for cell in cells if cell not in taken]
            self._landings = cells
        return self._landings

    def landing_order(self, cell: int, facing: int) -> MoveOrder | None:
        """The order to jump to a cell; None where there is no room, or the terrain is closed to the unit."""
        if self._landed is None:
            self._landed = frozenset(self.landings())
        if cell not in self._landed:
            return None
        place = landing_place(self.ground, cell)
        return MoveOrder(self.unit.id, "jump", ("J",), cell, facing, self.ground.elevation[place])

    def jump_distance(self, order: MoveOrder) -> int:
        """Hexes of a jump, the target's for a death from above."""
        cell = self.state.unit(order.target).cell if order.attack else order.to
        return self.state.board.grid.distance(self.unit.cell, cell)

    def landing(self, order: MoveOrder) -> tuple[Needed, ...]:
        """Rolls that a jump's landing calls for."""
        return landing_rolls(self.ground, self.unit, landing_place(self.ground, order.to))

    def why_not_there(self, cell: int) -> str:
        """Why a jump cannot come down in a cell."""
        grid = self.state.board.grid
        if not grid.contains(cell):
            return "that is off the map"
        distance = grid.distance(self.unit.cell, cell)
        if distance == 0:
            return "a jump ends in another hex"
        if distance > self.points.jump:
            return f"{grid.names[cell]} is {distance} hexes away and it has {self.points.jump} jump MP"
        hex = self.state.board.hexes[cell]
        if not may_land(self.ground, cell):
            return f"{hex.describe()} is closed to it"
        if hex.fire and not self.unit.spec.is_mech:
            return "only a 'Mech goes into a burning hex"
        top = self.points.jump + _RISE
        return f"every shortest way to {grid.names[cell]} rises more than {top} levels above the start"
