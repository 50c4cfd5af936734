"""What a movement order does: step by step, with the rolls on the way.

Rule: S-2, S-6, S-7 (heat), S-8 (charges declared), S-9 (carriers), E-13, E-14.
"""

from __future__ import annotations

from opfor.game.legal.moves import UnitMoves
from opfor.orders import MoveOrder
from opfor.rules.buildings import bears_weight, collapse, damage_building
from opfor.rules.damage import apply_in_groups, destroy
from opfor.rules.displacement import displace, displaced_to
from opfor.rules.entering import entered_hex
from opfor.rules.flight import airborne
from opfor.rules.ground import Ground, ground_for
from opfor.rules.heat import movement_heat
from opfor.rules.infantry import leave_cover
from opfor.rules.paths import Needed, Step, Walked, bog_reason
from opfor.rules.piloting import piloting_number, roll_or_fall, skill_words
from opfor.rules.play import Play
from opfor.rules.reach import landing_place
from opfor.rules.sideslip import sideslip
from opfor.rules.skidding import skid
from opfor.rules.stacking import may_end
from opfor.rules.target_number import TargetNumber
from opfor.rules.transport import carry_along, dismount, mount
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "S-2"


def apply_movement(play: Play, order: MoveOrder) -> bool:
    """Carry a legal movement order out. True when the unit's movement is finished.

    False when an attempt to stand up has failed or the unit has sideslipped, and MP are left: it is where it came to, its MP
    are counted in ``mp_spent``, and it may be given another order in the same mode.
    """
    state = play.state
    unit = state.unit(order.unit)
    names = state.board.grid.names
    if order.attack == "mount" or order.mode == "dismount":
        return _change_carrier(play, order, unit)
    if order.mode == "stand" or (not order.path and not order.attack):
        if not unit.mp_spent:
            unit.mode = "stand"
            if unit.spec.is_mech:
                unit.heat_built += movement_heat("stand", 0)
        unit.moved = True
        play.emit(
            "moved", unit, RULE, mode=unit.mode, start=names[unit.cell], to=names[unit.cell], path=[], hexes=unit.hexes_moved,
            mp=unit.mp_spent,
        )  # fmt: skip
        return True
    carrier = _Carrier(play, order, unit)
    if unit.stuck and not carrier.break_free():
        return True
    return carrier.jump() if order.mode == "jump" else carrier.walk()


def _change_carrier(play: Play, order: MoveOrder, unit: UnitState) -> bool:
    """Getting into a carrier or out of one takes the whole movement. Rule: S-9."""
    unit.mode = "walk"
    unit.moved = True
    if order.attack == "mount":
        mount(play, unit, play.state.unit(order.target))
    else:
        dismount(play, unit, order.to, order.elevation)
        entered_hex(play, unit, landed=True)
    leave_cover(unit)
    return True


class _Carrier:
    """One order being carried out."""

    def __init__(self, play: Play, order: MoveOrder, unit: UnitState) -> None:
        self.play = play
        self.state = play.state
        self.order = order
        self.unit = unit
        self.start = unit.cell
        self.spent = unit.mp_spent
        #: hexes moved before a sideslip cut an earlier order short
        self.before = unit.hexes_moved if unit.mp_spent else 0
        self.moves = UnitMoves(play.state, unit)
        self.attempts = 0
        #: hexes sideslipped, and whether the unit has
        self.slid = 0
        self.slipped = False
        #: the sideslip ran into something
        self.crashed = False
        #: direction in which the last hex was entered
        self.travelled: int | None = None

    @property
    def ground(self) -> Ground:
        """The ground as it is now: a building may have come down on the way."""
        return ground_for(self.state.board, self.unit.spec)

    def break_free(self) -> bool:
        """Roll to leave the swamp that holds the unit; the movement is over when it fails. Rule: S-6."""
        unit = self.unit
        reason = bog_reason(unit)
        number = piloting_number(self.state, unit, reason)
        if self.play.check(unit, number, f"{skill_words(unit)}, to break out of the swamp", "S-6", reason=reason):
            unit.stuck = False
            return True
        unit.mode = self.order.mode if self.order.mode != "jump" else "walk"
        if unit.spec.is_mech:
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
        done = self.before
        before: Step | None = None
        for step in walked.steps:
            going = self._step(step, before)
            if self.slipped:
                return self._after_sideslip(step, before)
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
            if needed.reason in ("skid", "sideslip"):
                self._skid(needed, before, unit.facing)
            elif unit.alive:
                roll_or_fall(self.play, unit, needed.reason, extra=needed.extra)
            if unit.prone and not order.prone:
                break
        if order.attack and (unit.prone or self.slipped or unit.skidded or not unit.active):
            self.state.charges = [c for c in self.state.charges if c is not order]
            self.play.emit("attack_lost", unit, "S-8", attack=order.attack, target=order.target)
        return True

    def _after_sideslip(self, step: Step, before: Step | None) -> bool:
        """The unit has sideslipped instead of entering the next hex; whether its movement is over. Rule: E-14.

        The hexes slipped come off its MP; with any left it may go on, in its new facing.
        """
        unit = self.unit
        moved = (before.hexes if before is not None else self.before) + self.slid
        walked = self.spent + (before.mp if before is not None else 0)
        # it may slip farther than its MP would carry it
        spent = max(walked, min(walked + self.slid, self.moves_total()))
        unit.mp_spent = spent
        unit.hexes_moved = moved
        if unit.active and not unit.immobile and spent < self.moves_total() and not self.crashed:
            return False
        self._finish(moved, spent - self.spent)
        self._make_room()
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
        ground = self.ground
        if not unit.alive or may_end(state, unit, ground, ground.place(unit.cell, unit.elevation)):
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
        if token in ("CLIMB", "DIVE"):
            return self._rise(place)
        if token == "PRONE":
            unit.prone = True
            unit.twist = 0
            return True
        if self.ground.cell(place) == unit.cell or token in ("C+", "C-", "EXIT"):
            unit.facing = facing
            return True
        for needed in step.before:
            if not self._skid(needed, before, facing):
                return False
        return self._enter(step, place)

    def _rise(self, place: int) -> bool:
        """A VTOL climbs or dives a level, off the ground or onto it. Rule: E-26."""
        unit = self.unit
        before = self.flies()
        unit.elevation = self.ground.elevation[place]
        self.state.touch()
        after = self.flies()
        if before != after:
            self.play.emit("took_off" if after else "landed", unit, "E-26", at=self.state.board.grid.names[unit.cell])
        return after or self._bears_weight()

    def flies(self) -> bool:
        """Whether the unit is a VTOL in the air."""
        unit = self.unit
        return unit.spec.kind == "vtol" and airborne(self.state.board.hexes[unit.cell], unit.elevation)

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
        cell = self.ground.cell(place)
        self.travelled = self.state.board.grid.direction_to(unit.cell, cell)
        walled = self.state.board.building[cell]
        unit.cell = cell
        unit.elevation = self.ground.elevation[place]
        unit.facing = step.stance % 6
        self.state.touch()
        drop = max(0, level - self.state.base(unit))
        if not entered_hex(self.play, unit):
            return False
        for needed in step.after:
            if needed.reason == "building":
                self._building(needed)
            elif needed.reason == bog_reason(unit):
                if not self._swamp(needed):
                    return False
            elif not unit.spec.is_mech:
                # backward over a change of level: who does not make it stops there
                if not self.play.check(unit, self._number(needed), f"driving, {needed.reason}", "S-6", reason=needed.reason):
                    return False
            elif not self._keeps_footing(needed, drop):
                return False
            if not unit.active:
                return False
        if self.flies():
            return True
        return self.state.board.building[unit.cell] == walled and self._bears_weight()

    def _number(self, needed: Needed) -> TargetNumber:
        return piloting_number(self.state, self.unit, needed.reason, needed.extra, what=needed.what)

    def _keeps_footing(self, needed: Needed, drop: int) -> bool:
        return roll_or_fall(self.play, self.unit, needed.reason, extra=needed.extra, levels=drop) and self.unit.active

    def _swamp(self, needed: Needed) -> bool:
        """Whether the unit gets through a swamp hex without bogging down. Rule: S-6."""
        unit = self.unit
        number = self._number(needed)
        if self.play.check(unit, number, f"{skill_words(unit)}, not to bog down", "S-6", reason=needed.reason):
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
        if not play.check(
            unit, self._number(needed), f"{skill_words(unit)}, through a building's wall", "S-6", reason="building"
        ):
            points = -(-cf // int(rules["damage_cf_per_point"]))
            apply_in_groups(play, unit, points, "front", "normal", rule="S-10", source="building")
        damage_building(play, unit, cell, -(-unit.spec.tons // int(rules["cf_loss_tons_per_point"])))

    def _bears_weight(self) -> bool:
        """Whether a roof or bridge carries those who stand on it; it gives way when it does not. Rule: S-10."""
        if bears_weight(self.state, self.unit.cell):
            return True
        collapse(self.play, self.unit.cell)
        return False

    def _skid(self, needed: Needed, before: Step | None, facing: int) -> bool:
        """Roll against skidding or sideslipping before the next hex is entered; what follows when it fails. Rule: S-6, E-14."""
        unit = self.unit
        number = self._number(needed)
        hexes = before.hexes if before is not None else self.before
        if needed.reason == "sideslip":
            margin = self._slip_margin(number)
            if margin <= 0:
                return True
            self.slipped = True
            direction = self.travelled if self.travelled is not None else facing
            unit.facing = facing
            self.slid, self.crashed = sideslip(self.play, unit, direction, hexes, margin)
            return False
        words = "piloting, turning on pavement at a run" if unit.spec.is_mech else "driving, turning on pavement at speed"
        if self.play.check(unit, number, words, "S-6", reason="skid"):
            return True
        unit.hexes_moved = hexes
        skid(self.play, unit, self.travelled if self.travelled is not None else facing, hexes, needed.extra)
        return False

    def _slip_margin(self, number: TargetNumber) -> int:
        """Roll against sideslipping; by how much the roll fails, 0 when it does not. It is thrown even if it cannot succeed."""
        unit = self.unit
        words = "driving, turning at speed"
        dice: list[int] = []
        if number.value > 2:
            roll = self.play.roll_2d6(f"{unit.id}: {words}, needs {number.value}")
            dice = list(roll.dice)
        margin = max(0, number.value - sum(dice)) if dice else 0
        data = {"tn": number.as_dict(), "dice": dice, "success": margin == 0}
        self.play.emit("roll", unit, "E-14", why=words, reason="sideslip", **data)
        return margin

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
        if not entered_hex(play, unit, landed=True):
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
        if not unit.spec.is_mech:
            return
        built = movement_heat(self.order.mode, hexes, self.attempts)
        if self.spent:
            built -= movement_heat(self.order.mode, 0)
        unit.heat_built += built

    def _finish(self, hexes: int, mp: int) -> None:
        unit = self.unit
        names = self.state.board.grid.names
        unit.hexes_moved = hexes
        unit.moved = True
        carry_along(self.state, unit)
        leave_cover(unit)
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
