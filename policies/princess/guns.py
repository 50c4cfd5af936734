"""What a unit's weapons need and do by range, as the bot reckons: cluster weapons at their rack's whole size.

Numbers come from the rules (:func:`opfor.rules.shooting.to_hit.number`); here they are only kept by range, so that thousands of
positions are look-ups.
"""

from __future__ import annotations

from typing import NamedTuple

from opfor.board.sight import Sight
from opfor.rules.shooting.arcs import ALL_ARCS, ARC_BITS, arc_bits, can_flip_arms, twists
from opfor.rules.shooting.frame import Frame
from opfor.rules.shooting.to_hit import IMPOSSIBLE, Gun, number
from opfor.rules.troops.infantry import salvo_column, squad_parts
from opfor.tables.arsenal import FireMode
from opfor.units.spec import Mount
from opfor.units.state import UnitState

#: stands beside the bits of the arcs for arms flipped to the rear
FLIPPED = ALL_ARCS + 1
_FRONT = ARC_BITS["front"]
#: farthest range tabled
_FAR = 60
_CLEAR = Sight(True, "")


def rack_damage(unit: UnitState, mount: Mount, mode: FireMode, distance: int) -> float:
    """Points of a hit as the bot counts them: every missile, shot or pellet of the salvo strikes."""
    bracket = mode.weapon.bracket(distance)
    if bracket is None:
        return 0.0
    each = mode.damage(bracket, inside_minimum=distance <= mode.weapon.minimum)
    column = max(1, salvo_column(unit, mount, mode))
    return float(sum(squad_parts(unit, mode, column, each)) if unit.spec.is_infantry else column * each)


def rounds_left(unit: UnitState, mount: Mount, mode: FireMode) -> int | None:
    """How often a weapon can still be fired in a mode by its ammunition, None where it needs none."""
    if not mode.ammo or mount.one_shot or mode.shots <= 0:
        return None
    return unit.shots(mode.ammo) // mode.shots


class Mode(NamedTuple):
    """One way to fire a weapon: by range what it adds to the modifiers common to all weapons, and the points of a hit."""

    mode: FireMode
    rounds: int | None
    rapid: bool
    numbers: tuple[int, ...]
    damage: tuple[float, ...]


class Piece(NamedTuple):
    """A weapon that can be fired: its arc's bit with arms as they are and flipped, its modes."""

    mount: Mount
    bit: int
    flipped_bit: int
    modes: tuple[Mode, ...]


class Battery:
    """The weapons of a unit in its present state, standing or ``prone``, against a kind of target; see the module.

    ``most`` is the sum over all weapons of the most that each does at a range, arcs and target left aside.
    """

    def __init__(self, unit: UnitState, target: UnitState, *, prone: bool = False) -> None:
        shooter = unit
        if unit.prone != prone:
            shooter = unit.copy()
            shooter.prone = prone
        pieces = [self._piece(shooter, mount, target) for mount in unit.spec.mounts]
        self.pieces = [piece for piece in pieces if piece is not None]
        self.reach = max((len(mode.damage) - 1 for piece in self.pieces for mode in piece.modes), default=0)
        self.most = tuple(
            sum(
                max((mode.damage[away] for mode in piece.modes if away < len(mode.damage)), default=0.0)
                for piece in self.pieces
            )
            for away in range(self.reach + 1)
        )
        #: facings of the torso or turret from the hull's, and whether the arms may be flipped
        self.twists = twists(shooter)
        self.flips = can_flip_arms(shooter)
        self.relevant = FLIPPED
        for piece in self.pieces:
            self.relevant |= piece.bit | piece.flipped_bit
        self._postures: dict[int, tuple[int, ...]] = {}

    @staticmethod
    def _piece(unit: UnitState, mount: Mount, target: UnitState) -> Piece | None:
        modes = []
        gun: Gun | None = None
        for mode in mount.modes:
            fired = Gun(unit, mount, mode, unit.prone, False, False)
            if fired.why or fired.anti_mech:
                continue
            numbers = tuple(number(_at(unit, target, away), fired) for away in range(min(fired.long, _FAR) + 1))
            damage = tuple(rack_damage(unit, mount, mode, away) for away in range(len(numbers)))
            if any(damage):
                gun = fired
                modes.append(Mode(mode, rounds_left(unit, mount, mode), mode.jam_at > 0, numbers, damage))
        return Piece(mount, gun.bit, gun.flipped_bit, tuple(modes)) if gun is not None else None

    def at_range(self, distance: int) -> float:
        """The most that all its weapons do at a range."""
        return self.most[distance] if distance <= self.reach else 0.0

    def postures(self, relative: int) -> tuple[int, ...]:
        """The arcs that a target lies in, by every twist and with arms flipped; ``relative``: its bearing from ahead."""
        found = self._postures.get(relative)
        if found is None:
            bits = [arc_bits(relative, 0, twist) & self.relevant for twist in self.twists]
            if self.flips:
                bits.append((arc_bits(relative, 0, 0) | FLIPPED) & self.relevant)
            found = self._postures[relative] = tuple(dict.fromkeys(bits))
        return found


def ahead(relative: int) -> bool:
    """Whether a bearing from straight ahead lies in the front arc of an untwisted unit."""
    return bool(arc_bits(relative, 0, 0) & _FRONT)


def _at(unit: UnitState, target: UnitState, distance: int) -> Frame:
    """An attacker and a target at a distance with a clear line, and nothing else that counts."""
    seen = Frame(unit, target)
    seen.distance = distance
    seen.seen = _CLEAR
    return seen


def signature(unit: UnitState, target: UnitState, prone: bool) -> tuple[object, ...]:
    """All of a unit that its battery depends on, and of the target."""
    return (
        unit.spec,
        tuple(unit.ammo),
        tuple([points > 0 for points in unit.structure]) if unit.spec.kind != "infantry" else unit.structure[0],
        tuple([unit.slots_hit[arm] for arm in (4, 5)]) if unit.spec.is_mech else (),
        (unit.mounts_lost, unit.jammed, unit.one_shot_used, unit.equipment_lost, unit.malfunctioned),
        (unit.engine_dead, unit.stabilizers, unit.turret, unit.twist if unit.turret or not unit.spec.is_mech else 0),
        unit.used_arms if prone else 0,
        bool(unit.swarming),
        prone,
        (target.spec.kind, target.elevation > 0),
    )


class Arsenal:
    """Batteries of all units, kept by what they depend on."""

    def __init__(self, most: int = 256) -> None:
        self._known: dict[tuple[object, ...], Battery] = {}
        self._most = most

    def of(self, unit: UnitState, target: UnitState, *, prone: bool = False) -> Battery:
        """The battery of a unit as it is now, against a kind of target."""
        key = signature(unit, target, prone)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= self._most:
                self._known.clear()
            found = self._known[key] = Battery(unit, target, prone=prone)
        return found


__all__ = ["FLIPPED", "IMPOSSIBLE", "Arsenal", "Battery", "Mode", "Piece", "ahead", "rack_damage", "rounds_left"]
