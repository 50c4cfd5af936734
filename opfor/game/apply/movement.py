"""What a movement order does: step by step, with the rolls on the way. Rule: S-2, S-6, S-7 (heat), S-8 (charges declared)."""

from __future__ import annotations

from opfor.game.legal.moves import UnitMoves
from opfor.orders import MoveOrder
from opfor.rules.damage import apply_in_groups, destroy
from opfor.rules.displacement import displace, displaced_to, others_in_the_way
from opfor.rules.ground import Ground, ground_of
from opfor.rules.heat import movement_heat
from opfor.rules.paths import Needed, Step, Walked
from opfor.rules.piloting import piloting_number, roll_or_fall
from opfor.rules.play import Play
from opfor.rules.reach import landing_place
from opfor.rules.skidding import collapse, damage_building, skid
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "S-2"


def apply_movement(play: Play, order: MoveOrder) -> bool:
    """Carry a legal movement order out. True when the unit's movement is finished.

    False when an attempt to stand up has failed and MP are left: the unit is prone where it was, its MP are counted in
    ``mp_spent``, and it may be given another order in the same mode.
    """
    state = play.state
    unit = state.unit(order.unit)
    names = state.board.grid.names
    if order.mode == "stand" or (not order.path and not order.attack):
        if not unit.mp_spent:
            unit.mode = "stand"
            unit.heat_built += movement_heat("stand", 0)
        unit.moved = True
        play.emit("moved", unit, RULE, mode=unit.mode, start=names[unit.cell], to=names[unit.cell], path=[], hexes=0, mp=0)
        return True
    carrier = _Carrier(play, order, unit)
    if unit.stuck and not carrier.break_free():
        return True
    return carrier.jump() if order.mode == "jump" else carrier.walk()


class _Carrier:
    """One order being carried out."""

    def __init__(self, play: Play, order: MoveOrder, unit: UnitState) -> None:
        self.play = play
        self.state = play.state
        self.order = order
        self.unit = unit
        self.start = unit.cell
        self.spent = unit.mp_spent
        self.moves = UnitMoves(play.state, unit)
        self.attempts = 0
        #: direction in which the last hex was entered
        self.travelled: int | None = None

    @property
    def ground(self) -> Ground:
        """The ground as it is now: a building may have come down on the way."""
        return ground_of(self.state.board)

    def break_free(self) -> bool:
        """Roll to leave the swamp that holds the unit; the movement is over when it fails. Rule: S-6."""
        unit = self.unit
        number = piloting_number(self.state, unit, "swamp")
        if self.play.check(unit, number, "piloting, to break out of the swamp", "S-6", reason="swamp"):
            unit.stuck = False
            return True
        unit.mode = self.order.mode if self.order.mode != "jump" else "walk"
        unit.heat_built += movement_heat(unit.mode, 0)
        self._finish(0, 0)
        return False

    # -- walking and running --------------------------------------------------------------------------------------------

    def walk(self) -> bool:
        """Walk or run the order's path."""
        unit = self.unit
        order = self.order
        walked = self.moves.walk(order)
        unit.mode = order.mode
        done = 0
        before: Step | None = None
        for step in walked.steps:
            going = self._step(step, before)
            unit.mp_spent = self.spent + step.mp
            before = step
            done = step.hexes
            if not going:
                return self._stopped(step, walked)
        if walked.left_map:
            unit.gone = True
            self.state.touch()
        unit.mp_spent = self.spent + walked.mp
        self._heat(done)
        self._finish(done, walked.mp)
        self._declare()
        for needed in walked.last:
            if needed.reason == "skid":
                self._skid(needed, before, unit.facing)
            elif unit.alive:
                roll_or_fall(self.play, unit, needed.reason, extra=needed.extra)
            if unit.prone and not order.prone:
                break
        if order.attack and (unit.prone or not unit.active):
            self.state.charges = [c for c in self.state.charges if c is not order]
            self.play.emit("attack_lost", unit, "S-8", attack=order.attack, target=order.target)
        return True

    def _stopped(self, step: Step, walked: Walked) -> bool:
        """The movement was cut short at a step; whether it is over."""
        unit = self.unit
        again = step.token in ("UP", "CAREFUL") and not step.hexes and unit.active and unit.mp_spent < self.moves_total()
        self._heat(step.hexes)
        if again:
            return False
        hexes = unit.hexes_moved if unit.skidded else step.hexes
        self._finish(hexes, step.mp)
        self._make_room()
        return True

    def _make_room(self) -> None:
        """Cut short while passing through a friend: the unit is displaced the way it went. Rule: S-2."""
        unit, state = self.unit, self.state
        if not unit.alive or not others_in_the_way(state, unit, unit.cell, unit.elevation):
            return
        direction = self.travelled if self.travelled is not None else unit.facing
        to = displaced_to(state, unit, unit.cell, direction)
        if to is None:
            destroy(self.play, unit, "nowhere to be displaced to", RULE)
        else:
            displace(self.play, unit, to, direction, why="its movement ended where another stands")

    def moves_total(self) -> int:
        """MP of the unit's mode this turn."""
        points = self.moves.points
        return points.walk if self.order.mode == "walk" else points.run

    def _step(self, step: Step, before: Step | None) -> bool:
        """Take a step; False when it ends the movement."""
        unit = self.unit
        token = step.token
        if token in ("UP", "CAREFUL"):
            return self._stand(step)
        place, facing = divmod(step.stance, 6)
        if token == "PRONE":
            unit.prone = True
            unit.twist = 0
            return True
        if place >> 1 == unit.cell or token in ("C+", "C-", "EXIT"):
            unit.facing = facing
            return True
        for needed in step.before:
            if not self._skid(needed, before, facing):
                return False
        return self._enter(step, place)

    def _stand(self, step: Step) -> bool:
        unit = self.unit
        self.attempts += 1
        for needed in step.after:
            if not roll_or_fall(self.play, unit, needed.reason, extra=needed.extra):
                return False
        unit.prone = False
        self.play.emit("stood_up", unit, "S-6", at=self.state.board.grid.names[unit.cell])
        return True

    def _enter(self, step: Step, place: int) -> bool:
        """Go into another hex, and make the rolls it calls for."""
        unit = self.unit
        level = self.state.base(unit)
        self.travelled = self.state.board.grid.direction_to(unit.cell, place >> 1)
        walled = self.state.board.building[place >> 1]
        unit.cell = place >> 1
        unit.elevation = self.ground.elevation[place]
        unit.facing = step.stance % 6
        self.state.touch()
        drop = max(0, level - self.state.base(unit))
        for needed in step.after:
            if needed.reason == "building":
                self._building(needed)
            elif needed.reason == "swamp":
                if not self._swamp(needed):
                    return False
            elif not self._keeps_footing(needed, drop):
                return False
            if not unit.active:
                return False
        return self.state.board.building[unit.cell] == walled and self._bears_weight()

    def _keeps_footing(self, needed: Needed, drop: int) -> bool:
        return roll_or_fall(self.play, self.unit, needed.reason, extra=needed.extra, levels=drop) and self.unit.active

    def _swamp(self, needed: Needed) -> bool:
        """Whether the unit gets through a swamp hex without bogging down. Rule: S-6."""
        unit = self.unit
        number = piloting_number(self.state, unit, "swamp", needed.extra)
        if self.play.check(unit, number, "piloting, not to bog down", "S-6", reason="swamp"):
            return True
        unit.stuck = True
        self.play.emit("bogged_down", unit, "S-6", at=self.state.board.grid.names[unit.cell])
        return False

    def _building(self, needed: Needed) -> None:
        """Through a wall: the building is damaged, the unit too when its roll fails. Rule: S-6, S-10."""
        play, unit = self.play, self.unit
        rules = table("movement")["building_entry"]
        cell = unit.cell
        cf = self.state.board.hexes[cell].building_cf
        number = piloting_number(self.state, unit, "building", needed.extra, what=needed.what)
        if not play.check(unit, number, "piloting, through a building's wall", "S-6", reason="building"):
            points = -(-cf // int(rules["damage_cf_per_point"]))
            apply_in_groups(play, unit, points, "front", "normal", rule="S-10", source="building")
        damage_building(play, unit, cell, -(-unit.spec.tons // int(rules["cf_loss_tons_per_point"])))

    def _bears_weight(self) -> bool:
        """Whether a roof or bridge carries those who stand on it; it gives way when it does not. Rule: S-10."""
        unit = self.unit
        hex = self.state.board.hexes[unit.cell]
        if hex.bridge and unit.elevation == hex.bridge_height:
            bears = hex.bridge_cf
        elif hex.building and unit.elevation == hex.building_height:
            bears = hex.building_cf
        else:
            return True
        if sum(u.spec.tons for u in self.state.occupants(unit.cell) if u.elevation == unit.elevation) <= bears:
            return True
        collapse(self.play, unit.cell)
        return False

    def _skid(self, needed: Needed, before: Step | None, facing: int) -> bool:
        """Roll against skidding before the next hex is entered; the skid itself when it fails. Rule: S-6."""
        unit = self.unit
        number = piloting_number(self.state, unit, "skid", needed.extra, what=needed.what)
        if self.play.check(unit, number, "piloting, turning on pavement at a run", "S-6", reason="skid"):
            return True
        hexes = before.hexes if before is not None else 0
        unit.hexes_moved = hexes
        skid(self.play, unit, self.travelled if self.travelled is not None else facing, hexes, needed.extra)
        return False

    # -- jumping --------------------------------------------------------------------------------------------------------

    def jump(self) -> bool:
        """Jump, and land."""
        play, unit, order = self.play, self.unit, self.order
        distance = self.moves.jump_distance(order)
        unit.mode = "jump"
        unit.mp_spent = distance
        place = self.moves.place if order.attack and order.to == unit.cell else landing_place(self.ground, order.to)
        unit.cell = place >> 1
        unit.elevation = self.ground.elevation[place]
        unit.facing = order.facing
        self.state.touch()
        self._heat(distance)
        self._finish(distance, distance)
        self._declare()
        if order.attack:
            return True
        hex = self.state.board.hexes[unit.cell]
        for needed in self.moves.landing(order):
            levels = hex.depth if needed.reason.startswith("water") else 0
            if not roll_or_fall(play, unit, needed.reason, extra=needed.extra, levels=levels):
                return True
        if hex.swamp and not place & 1:
            unit.stuck = True
            play.emit("bogged_down", unit, "S-6", at=self.state.board.grid.names[unit.cell])
        self._bears_weight()
        return True

    # -- keeping the books ----------------------------------------------------------------------------------------------

    def _heat(self, hexes: int) -> None:
        """Heat of the movement; that of the mode counts once, however many orders it took."""
        unit = self.unit
        built = movement_heat(self.order.mode, hexes, self.attempts)
        if self.spent:
            built -= movement_heat(self.order.mode, 0)
        unit.heat_built += built

    def _finish(self, hexes: int, mp: int) -> None:
        unit = self.unit
        names = self.state.board.grid.names
        unit.hexes_moved = hexes
        unit.moved = True
        self.play.emit(
            "left_map" if unit.gone else "moved",
            unit,
            RULE,
            mode=unit.mode,
            start=names[self.start],
            to=names[unit.cell],
            path=list(self.order.path),
            hexes=hexes,
            mp=mp,
            facing=unit.facing,
            elevation=unit.elevation,
            prone=unit.prone,
        )

    def _declare(self) -> None:
        order = self.order
        if order.attack:
            self.state.charges.append(order)
            self.play.emit(f"{order.attack}_declared", self.unit, "S-8", target=order.target)
