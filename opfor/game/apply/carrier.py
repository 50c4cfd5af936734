"""A movement order being carried out: its way, where it may be left and gone on with, and the books that are kept of it.

Rule: S-2, S-7 (heat), S-8 (charges declared), M-8, M-9a.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from opfor.game.apply.steps import Stride
from opfor.game.legal.moves import UnitMoves
from opfor.orders import MoveOrder
from opfor.rules.harm.destruction import destroy
from opfor.rules.missions.mission_actions import enemies_before
from opfor.rules.moving.displacement import displace, displaced_to
from opfor.rules.moving.entering import entered_hex
from opfor.rules.moving.grounds import ground_for
from opfor.rules.moving.landing import landing_place
from opfor.rules.moving.movement import mode_points, movement_points
from opfor.rules.moving.path_rolls import bog_reason
from opfor.rules.moving.paths import Step, Walked
from opfor.rules.moving.stacking import may_end, occupied_places
from opfor.rules.moving.transport import carry_along
from opfor.rules.pilots.heat import movement_heat
from opfor.rules.pilots.piloting import piloting_number, skill_words
from opfor.rules.pilots.piloting_rolls import roll_or_fall
from opfor.rules.play import Play
from opfor.rules.troops.infantry import leave_cover
from opfor.units.state import UnitState

RULE = "S-2"
#: what :meth:`Carrier.bind` sets
_BOUND = frozenset({"play", "state", "unit", "points", "known", "_moves"})
#: steps that neither enter a hex nor turn the unit
_IN_PLACE = ("UP", "CAREFUL", "PRONE", "C+", "C-")


class Carrier(Stride):
    """One order being carried out. It may be left at a moment, copied with its state, and gone on with."""

    def __init__(self, play: Play, order: MoveOrder, unit: UnitState) -> None:
        self.order = order
        self.engaged: tuple[UnitState, ...] = ()
        self.bind(play)
        self.start = unit.cell
        #: enemies that it was engaged with (A-1)
        self.engaged = enemies_before(play.state, unit)
        self.spent = unit.mp_spent
        #: hexes moved before a sideslip cut an earlier order short
        self.before = unit.hexes_moved if unit.mp_spent else 0
        self.attempts = 0
        #: the way, how many steps of it are done, and the last of them
        self.walked: Walked | None = None
        self.index = 0
        self.previous: Step | None = None
        self.done = self.before
        #: MP of the mode as the movement began, and the hex and posture in which others could last break in
        self.total = self.moves_total()
        self.left_at = (unit.cell, unit.prone)
        #: others have broken in since it was ordered
        self.disturbed = False
        #: hexes sideslipped, and whether the unit has
        self.slid = 0
        self.slipped = False
        #: the sideslip ran into something
        self.crashed = False
        #: direction in which the last hex was entered
        self.travelled: int | None = None

    def bind(self, play: Play) -> None:
        """Belong to a play: the one it began in, or one on a copy of its state."""
        self.play = play
        self.state = play.state
        self.unit = play.state.unit(self.order.unit)
        self.engaged = tuple(play.state.units[enemy.index] for enemy in self.engaged)
        self.known = ground_for(play.state.board, self.unit.spec, play.state.ruleset)
        #: MP as it is bound, and the orders that there were to choose from, where they are asked for
        self.points = movement_points(play.state, self.unit)
        self._moves: UnitMoves | None = None

    @property
    def moves(self) -> UnitMoves:
        """The unit's movement orders as it is bound; to be asked for before anything changes."""
        if self._moves is None:
            self._moves = UnitMoves(self.state, self.unit)
        return self._moves

    def copy(self) -> Carrier:
        """A copy to be bound to a copy of the state."""
        return copy(self)

    def __getstate__(self) -> dict[str, Any]:
        """What is left when it is taken out of its play; :meth:`bind` gives it another."""
        return {name: value for name, value in self.__dict__.items() if name not in _BOUND}

    @property
    def turned(self) -> bool:
        """Whether it has entered a hex so far, or turned on the spot. Rule: A-3."""
        if self.order.mode == "jump" or self.unit.cell != self.start:
            return True
        steps = self.walked.steps[: self.index] if self.walked is not None else ()
        return any(step.token not in _IN_PLACE for step in steps)

    def break_free(self) -> bool:
        """Roll to leave the swamp that holds the unit; the movement is over when it fails. Rule: S-6."""
        unit = self.unit
        reason = bog_reason(unit)
        unit.mode = self.order.mode if self.order.mode != "jump" else "walk"
        number = piloting_number(self.state, unit, reason)
        if self.play.check(unit, number, f"{skill_words(unit)}, to break out of the swamp", "S-6", reason=reason):
            unit.stuck = False
            return True
        if unit.spec.is_mech:
            unit.heat_built += movement_heat(unit.mode, 0)
        self._finish(0, 0)
        return False

    def walk(self, stops: bool) -> bool | None:
        """Walk or run the order's path; None when it is left at a moment."""
        unit = self.unit
        if self.walked is None:
            self.walked = self.moves.walk(self.order)
            unit.mode = self.order.mode
        steps = self.walked.steps
        while self.index < len(steps):
            step = steps[self.index]
            before, cell = self.previous, unit.cell
            going = self._step(step, before)
            if self.slipped:
                return self._after_sideslip(step, before)
            unit.mp_spent = self.spent + step.mp
            self.index += 1
            self.previous = step
            self.done = step.hexes
            if not going:
                return self._stopped(step, self.walked)
            if stops and unit.cell != cell:
                # where it is seen so far: what it has moved until now counts
                unit.hexes_moved = self.done
                self.left_at = (unit.cell, unit.prone)
                return None
        return self._arrived(self.walked)

    def go_on(self, stops: bool) -> bool | None:
        """Go on after a moment, if the unit still can: what broke in may have changed much. Rule: M-9a."""
        unit = self.unit
        assert self.walked is not None
        steps = self.walked.steps
        if (unit.cell, unit.prone) != self.left_at or not unit.active or unit.immobile:
            return self._cut_short()
        if self.index < len(steps):
            step = steps[self.index]
            most = max(self.total, self.spent + self.walked.mp) - (self.total - self.moves_total())
            place = step.stance // 6
            closed, _, _ = occupied_places(self.state, unit, self.ground)
            if self.spent + step.mp > most or (place in closed and self.ground.cell(place) != unit.cell):
                return self._cut_short()
        return self.walk(stops)

    def _cut_short(self) -> bool:
        """What broke in has ended the movement where the unit is now."""
        unit = self.unit
        if not unit.alive:
            return True
        mp = self.previous.mp if self.previous is not None else 0
        self._heat(self.done)
        self._finish(self.done, mp)
        self._make_room()
        self._lose_attack()
        return True

    def _arrived(self, walked: Walked) -> bool:
        """The whole path is walked: what comes at its end."""
        unit, order = self.unit, self.order
        before = self.previous
        done = self.done
        if walked.left_map:
            unit.gone = True
            self.state.touch()
        unit.mp_spent = self.spent + walked.mp
        self._heat(done)
        pausing = order.act == "pause" and unit.alive
        if pausing:
            unit.hexes_moved = done
            unit.complex_action = order.act
            self.play.emit("paused", unit, "M-8", at=self.state.board.grid.names[unit.cell], hexes=done, mp=unit.mp_spent)
        else:
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
            self._lose_attack()
        if self.disturbed and not order.attack:
            # who broke in may have led another of its side to where it was going
            self._make_room()
        if pausing and (unit.prone or not unit.active):
            # it has fallen as it stopped: there it stays, and acts when others do
            unit.complex_action = ""
            self._finish(done, walked.mp)
            return True
        return not pausing

    def _lose_attack(self) -> None:
        """The charge that the movement was to end in does not come about. Rule: S-8."""
        order = self.order
        if order.attack:
            self.state.charges = [c for c in self.state.charges if c is not order]
            self.play.emit("attack_lost", self.unit, "S-8", attack=order.attack, target=order.target)

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
        return mode_points(self.points, self.order.mode)

    def jump(self) -> bool:
        """Jump, and land. A jump has no hexes on the way: others break in as it is declared."""
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
        if self.disturbed:
            self._make_room()
        if unit.cell != place >> 1 or not entered_hex(play, unit, landed=True):
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
        # more MP than it has: it has kept to pavement all the way (E-12)
        bonus = {"pavement": True} if self.order.mode != "jump" and self.spent + mp > self.total else {}
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
            **bonus,
        )

    def _declare(self) -> None:
        order = self.order
        if order.attack:
            self.state.charges.append(order)
            self.play.emit(f"{order.attack}_declared", self.unit, "S-8", target=order.target)
