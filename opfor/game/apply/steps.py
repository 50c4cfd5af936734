"""What each step of a movement does: standing up, rising, entering a hex, and the rolls that these call for.

Rule: S-2, S-6, S-10 (walls, roofs), E-13, E-14, E-26.
"""

from __future__ import annotations

from opfor.orders import MoveOrder
from opfor.rules.harm.damage import apply_in_groups
from opfor.rules.moving.entering import entered_hex
from opfor.rules.moving.flight import airborne
from opfor.rules.moving.ground import Ground
from opfor.rules.moving.grounds import ground_for
from opfor.rules.moving.path_rolls import Needed, bog_reason
from opfor.rules.moving.paths import Step
from opfor.rules.moving.sideslip import sideslip
from opfor.rules.moving.skidding import skid
from opfor.rules.pilots.piloting import piloting_number, skill_words
from opfor.rules.pilots.piloting_rolls import roll_or_fall
from opfor.rules.play import Play
from opfor.rules.target_number import TargetNumber
from opfor.rules.terrain.buildings import bears_weight, collapse, damage_building
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

#: steps that leave a unit where it is but for its facing
_TURNS = frozenset({"L", "R", "C+", "C-", "EXIT"})


class Stride:
    """A unit that is taking the steps of an order. The way itself is :class:`opfor.game.apply.carrier.Carrier`'s."""

    play: Play
    state: State
    unit: UnitState
    order: MoveOrder
    #: hexes moved before a sideslip cut an earlier order short
    before: int
    #: attempts to stand up
    attempts: int
    #: hexes sideslipped, whether the unit has, and whether it ran into something
    slid: int
    slipped: bool
    crashed: bool
    #: direction in which the last hex was entered
    travelled: int | None

    #: the ground that :attr:`ground` gave last
    known: Ground

    @property
    def ground(self) -> Ground:
        """The ground as it is now: a building may have come down on the way."""
        board = self.state.board
        if self.known.board is not board:
            self.known = ground_for(board, self.unit.spec, self.state.ruleset)
        return self.known

    def _step(self, step: Step, before: Step | None) -> bool:
        """Take a step; False when it ends the movement."""
        unit = self.unit
        token = step.token
        place, facing = divmod(step.stance, 6)
        if token in _TURNS:
            unit.facing = facing
            return True
        if token in ("UP", "CAREFUL"):
            return self._stand(step)
        if token in ("CLIMB", "DIVE"):
            return self._rise(place)
        if token == "PRONE":
            unit.prone = True
            unit.twist = 0
            return True
        if self.ground.cell(place) == unit.cell:
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
        unit, state, ground = self.unit, self.state, self.ground
        board = state.board
        level = state.base(unit)
        cell = ground.cell(place)
        self.travelled = board.grid.direction_to(unit.cell, cell)
        walled = board.building[cell]
        unit.cell = cell
        unit.elevation = ground.elevation[place]
        unit.facing = step.stance % 6
        state.touch()
        drop = max(0, level - state.base(unit))
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
        return state.board.building[unit.cell] == walled and self._bears_weight()

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
        data = {"tn": number, "dice": dice, "success": margin == 0}
        self.play.emit("roll", unit, "E-14", why=words, reason="sideslip", **data)
        return margin
