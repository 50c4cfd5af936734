"""To-hit numbers of weapon attacks, every modifier named. Rule: S-4.

Three steps, so that thousands of questions stay cheap: a :class:`~opfor.rules.frame.Frame` for attacker and target, a
:class:`Gun` for the attacker's weapon and fire mode, and their meeting, which adds range, arc and secondary target.
:func:`weapon_attack` does all three and itemises; :class:`FireSolver` keeps the parts for all shots of one unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from opfor.orders import Attack
from opfor.rules.arcs import ARCS, FRONT_BIT, arc_bits, arc_of_mount, can_flip_arms, mount_arc_bit, twists
from opfor.rules.frame import RULE, Frame, frame, modifier
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.state import State
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.spec import ARMS, LEGS, Mount
from opfor.units.state import UnitState

__all__ = ["FireSolver", "Frame", "Gun", "Posture", "cover_and_side", "frame", "gun", "number", "weapon_attack"]

_RULES = table("to_hit")
_RANGE = _RULES["range"]
_RANGE_MODS = tuple(modifier(name, _RANGE[i]) for i, name in enumerate(("short range", "medium range", "long range")))
_SECONDARY = _RULES["secondary"]
_TC = _RULES["targeting_computer"]
_TC_KINDS = frozenset(_TC["kinds"])
_TC_NEVER = frozenset(_TC["never"])
#: a sum that no dice reach: stands for "impossible" among bare numbers
IMPOSSIBLE = 99
#: highest number that 2d6 reach
HIGHEST = 12


class Gun:
    """A weapon in one fire mode on its unit, as far as the target does not matter. ``why``: it cannot be fired at all.

    ``bit`` and ``flipped_bit`` are its arc's bits (:data:`opfor.rules.arcs.ARC_BITS`) with arms as they are and flipped;
    ``wet``: it is under water, and its ranges are those under water.
    """

    __slots__ = (
        "bit",
        "flipped_bit",
        "indirect",
        "leg",
        "long",
        "medium",
        "minimum",
        "mode",
        "modifiers",
        "mount",
        "short",
        "total",
        "wet",
        "why",
    )

    def __init__(self, unit: UnitState, mount: Mount, mode: FireMode, prone: bool, legs_wet: bool, all_wet: bool) -> None:
        weapon = mode.weapon
        quad = unit.spec.quad
        places = (mount.location,) if mount.split_location < 0 else (mount.location, mount.split_location)
        self.mount = mount
        self.mode = mode
        self.leg = any(place in LEGS or (quad and place in ARMS) for place in places)
        self.wet = all_wet or (legs_wet and self.leg)
        self.indirect = "indirect" in weapon.flags
        self.minimum = weapon.minimum
        self.short, self.medium, self.long = weapon.short, weapon.medium, weapon.long
        if self.wet and weapon.water is not None:
            self.short, self.medium, self.long = weapon.water
        self.bit = mount_arc_bit(quad, mount.location, mount.split_location, mount.rear, False)
        self.flipped_bit = mount_arc_bit(quad, mount.location, mount.split_location, mount.rear, True)
        self.modifiers: list[Modifier] = []
        self.why = self._why(unit, places, prone)
        if not self.why:
            self._itemise(unit, places)
        self.total = sum(m.value for m in self.modifiers)

    def _why(self, unit: UnitState, places: tuple[int, ...], prone: bool) -> str:
        mount, mode, weapon = self.mount, self.mode, self.mode.weapon
        bit = 1 << mount.index
        if not weapon.is_attack:
            return f"{mount.name} is no weapon to attack with"
        if unit.mounts_lost & bit or any(unit.lost(place) for place in places):
            return f"{mount.name} is destroyed"
        if unit.jammed & bit:
            return f"{mount.name} is jammed"
        if (mount.one_shot or "one_shot" in weapon.flags) and unit.one_shot_used & bit:
            return f"{mount.name} has been fired"
        if mode.ammo and not mount.one_shot and unit.shots(mode.ammo) < mode.shots:
            return f"{mount.name} is out of ammunition"
        if self.wet and weapon.water is None:
            return f"{mount.name} cannot be fired under water"
        return _why_not_prone(unit, mount, places) if prone else ""

    def _itemise(self, unit: UnitState, places: tuple[int, ...]) -> None:
        mode, weapon = self.mode, self.mode.weapon
        if mode.to_hit:
            self.modifiers.append(modifier(_weapon_words(mode), mode.to_hit))
        if not unit.spec.quad:
            worst = max((_arm(unit, place) for place in places if place in ARMS), key=_total, default=None)
            if worst:
                self.modifiers += worst
        if (
            weapon.kinds & _TC_KINDS
            and (not mode.cluster or mode.each_hit_separate)
            and weapon.id not in _TC_NEVER
            and unit.has_equipment("targeting_computer")
        ):
            self.modifiers.append(modifier("targeting computer", _TC["modifier"]))

    def bracket(self, frame: Frame) -> int | None:
        """Range bracket against the frame's target: 0 short, 1 medium, 2 long; None out of range. Rule: S-4."""
        distance = frame.distance
        if distance > self.long:
            return None
        if frame.c3 is not None and frame.c3 < distance and not self.wet:
            distance = frame.c3
        return 0 if distance <= self.short else 1 if distance <= self.medium else 2

    def why_not_at(self, frame: Frame) -> str:
        """Why this weapon cannot be fired at the frame's target, arcs apart; empty when it can. Rule: S-4."""
        if self.why:
            return self.why
        if frame.spotter is not None and not self.indirect:
            return f"{self.mount.name} cannot be fired indirectly"
        if self.wet:
            if not frame.target_wet:
                return f"{self.mount.name} is under water and the target is not"
        elif frame.target_submerged:
            return "the target is under water"
        if self.leg and frame.spotter is None and frame.seen.attacker_cover:
            return f"{self.mount.name} sits in a leg, behind the attacker's own cover"
        if frame.distance > self.long:
            return f"out of range: {frame.distance} hexes, reach {self.long}"
        return ""


def gun(unit: UnitState, mount: Mount, mode: FireMode, seen: Frame) -> Gun:
    """The weapon as the frame's attacker would fire it, water and posture considered. Rule: S-4."""
    return Gun(unit, mount, mode, seen.prone, seen.legs_wet, seen.all_wet)


def _weapon_words(mode: FireMode) -> str:
    flags = mode.weapon.flags
    if "pulse" in flags:
        return "pulse laser"
    if "heavy_laser" in flags:
        return "heavy laser"
    return "cluster ammunition" if mode.name.startswith("cluster") else mode.weapon.name


def _arm(unit: UnitState, arm: int) -> list[Modifier]:
    """Modifiers of an arm's actuators; a hit shoulder stands for them all. Rule: S-4."""
    if unit.hit(arm, "shoulder"):
        return [modifier("shoulder hit", _RULES["shoulder"])]
    found = []
    if unit.hit(arm, "upper_arm"):
        found.append(modifier("upper arm actuator hit", _RULES["upper_arm"]))
    if unit.hit(arm, "lower_arm"):
        found.append(modifier("lower arm actuator hit", _RULES["lower_arm"]))
    return found


def _total(modifiers: list[Modifier]) -> int:
    return sum(m.value for m in modifiers)


def _why_not_prone(unit: UnitState, mount: Mount, places: tuple[int, ...]) -> str:
    """What a prone 'Mech may not fire: its legs' weapons, and those of the arm that props it up. Rule: S-4."""
    spec = unit.spec
    if spec.quad and not unit.legs_lost:
        return ""
    if any(place in LEGS for place in places):
        return f"{mount.name} sits in a leg of a prone 'Mech"
    for place in places:
        if place in ARMS:
            other = ARMS[1] if place == ARMS[0] else ARMS[0]
            if unit.lost(other):
                return f"{mount.name} sits in the arm that props the 'Mech up"
            if unit.used_arms >> other & 1:
                return "the other arm's weapons have been fired, so this one props the 'Mech up"
    return ""


def number(seen: Frame, fired: Gun) -> int:
    """The sum against a primary target inside the weapon's arc, without the items; :data:`IMPOSSIBLE` if it cannot be fired."""
    if seen.why or fired.why_not_at(seen):
        return IMPOSSIBLE
    bracket = fired.bracket(seen)
    assert bracket is not None
    total: int = seen.common + fired.total + _RANGE[bracket]
    if seen.distance <= fired.minimum:
        total += fired.minimum - seen.distance + 1
    return total


def weapon_attack(
    state: State,
    attacker: UnitState,
    mount: Mount,
    mode: FireMode,
    target: UnitState,
    *,
    primary: UnitState | None = None,
    twist: int | None = None,
    flip: bool | None = None,
    spotter: UnitState | None = None,
    spotter_attacks: bool = False,
    known: Frame | None = None,
) -> TargetNumber:
    """The target number of one weapon at one target, itemised, or why the attack cannot be made. Rule: S-4.

    ``primary``: the unit's primary target (None: this one). ``twist`` and ``flip`` stand in for the unit's own torso and
    arms. ``spotter``: the attack is indirect. ``known``: the frame of attacker and target, where the caller has it.
    """
    seen = frame(state, attacker, target, spotter=spotter, spotter_attacks=spotter_attacks) if known is None else known
    if seen.why:
        return TargetNumber.impossible(seen.why, seen.rule)
    fired = gun(attacker, mount, mode, seen)
    why = fired.why_not_at(seen)
    if why:
        return TargetNumber.impossible(why, RULE)
    turned = attacker.twist if twist is None else twist
    flipped = attacker.arms_flipped if flip is None else flip
    if flipped and turned:
        return TargetNumber.impossible("with its arms flipped a 'Mech cannot twist its torso", RULE)
    bits = _bits(seen, turned)
    if not bits & (fired.flipped_bit if flipped else fired.bit):
        arc = arc_of_mount(attacker, mount, flipped)
        return TargetNumber.impossible(f"out of arc: {mount.name} fires into the {_ARC_WORDS[arc]} arc", RULE)
    bracket = fired.bracket(seen)
    assert bracket is not None
    items = seen.modifiers + fired.modifiers
    if _RANGE[bracket]:
        items.append(_RANGE_MODS[bracket])
    if seen.distance <= fired.minimum:
        items.append(modifier("minimum range", fired.minimum - seen.distance + 1))
    if primary is not None and primary is not target:
        extra, rule = secondary_modifier(state, bits & FRONT_BIT != 0)
        if extra:
            items.append(modifier("secondary target", extra, rule))
    return TargetNumber(items)


_ARC_WORDS = {name: name.replace("_", " ") for name in ARCS}


def _bits(seen: Frame, twist: int) -> int:
    """Arcs that the target lies in; in the attacker's own hex it lies in all of them."""
    if not seen.distance:
        return (1 << len(ARCS)) - 1
    return arc_bits(seen.bearing, seen.facing, seen.facing + twist)


def secondary_modifier(state: State, front: bool) -> tuple[int, str]:
    """Modifier of an attack at another target than the primary one, and its rule. Rule: S-4, M-4."""
    setting = state.ruleset.secondary_target
    if setting == "standard":
        return _SECONDARY["front" if front else "other"], RULE
    return int(setting), "M-4"


def cover_and_side(state: State, attacker: UnitState, target: UnitState, spotter: UnitState | None = None) -> tuple[bool, str]:
    """Whether the target's legs are hidden from the attack, and which side of it is struck. Rule: S-3, S-4."""
    seen = frame(state, attacker, target, spotter=spotter)
    return seen.cover, seen.side


class Posture(NamedTuple):
    """How a unit holds itself to fire: torso twist (-1 left, 1 right) or arms flipped to the rear."""

    twist: int = 0
    flip: bool = False

    @property
    def words(self) -> str:
        """The posture in words."""
        if self.flip:
            return "arms flipped"
        return ("straight ahead", "twisted right", "twisted left")[self.twist]


class Shot(NamedTuple):
    """One possible shot: ``numbers`` are (target in the front arc, number needed as primary, as secondary); 0: impossible."""

    target: UnitState
    mode: FireMode
    spotter: str
    numbers: tuple[bool, int, int]


class FireSolver:
    """Every shot open to a unit, in every posture. Frames and guns are worked out once and kept. Rule: S-4."""

    def __init__(self, state: State, unit: UnitState) -> None:
        self.state = state
        self.unit = unit
        self._direct: list[Frame] | None = None
        self._spotted: list[Frame] | None = None
        self._shots: dict[int, list[tuple[Frame, Gun, int]]] = {}

    def postures(self) -> list[Posture]:
        """Straight ahead first, then the twists, then flipped arms where the unit can do that."""
        found = [Posture(twist) for twist in twists(self.unit)]
        if can_flip_arms(self.unit):
            found.append(Posture(0, True))
        return found

    @property
    def direct(self) -> list[Frame]:
        """The frame of every enemy on the map, in the order of the units."""
        if self._direct is None:
            state, unit = self.state, self.unit
            self._direct = [frame(state, unit, target) for target in state.units if _is_target(unit, target)]
        return self._direct

    @property
    def spotted(self) -> list[Frame]:
        """The indirect frames: every enemy out of sight with each unit that may spot for it."""
        if self._spotted is None:
            state, unit = self.state, self.unit
            friends = [u for u in state.units if u is not unit and u.side == unit.side and u.cell >= 0 and u.active]
            self._spotted = [
                seen
                for blocked in self.direct
                if blocked.blocked
                for friend in friends
                for seen in (frame(state, unit, blocked.target, spotter=friend, spotter_attacks=friend.fired != 0),)
                if not seen.why
            ]
        return self._spotted

    def _open(self, mount: Mount) -> list[tuple[Frame, Gun, int]]:
        """What the weapon can be fired at, arcs apart, with the number needed."""
        known = self._shots.get(mount.index)
        if known is None:
            known = self._shots[mount.index] = []
            if not self.direct:
                return known
            for mode in mount.modes:
                fired = gun(self.unit, mount, mode, self.direct[0])
                if fired.why:
                    continue
                for seen in self.direct:
                    if seen.distance <= fired.long and not seen.why:
                        needed = number(seen, fired)
                        if needed <= HIGHEST:
                            known.append((seen, fired, needed))
                if fired.indirect:
                    for seen in self.spotted:
                        needed = number(seen, fired)
                        if needed <= HIGHEST:
                            known.append((seen, fired, needed))
        return known

    def shots(self, mount: Mount, posture: Posture) -> Iterator[Shot]:
        """The shots of a weapon in a posture that dice can make, as primary or as secondary attack."""
        for seen, fired, needed in self._open(mount):
            bits = _bits(seen, posture.twist)
            if not bits & (fired.flipped_bit if posture.flip else fired.bit):
                continue
            front = bits & FRONT_BIT != 0
            second = needed + secondary_modifier(self.state, front)[0]
            # 2 or less always hits
            numbers = (front, max(needed, 2), max(second, 2) if second <= HIGHEST else 0)
            yield Shot(seen.target, fired.mode, seen.spotter.id if seen.spotter is not None else "", numbers)

    def why_not(self, mount: Mount, posture: Posture, attack: Attack) -> str:
        """Why a shot is not among those of the posture, in words."""
        by_id = self.state.by_id
        if attack.target not in by_id:
            return f"there is no unit {attack.target!r}"
        if attack.spotter and attack.spotter not in by_id:
            return f"there is no unit {attack.spotter!r} to spot"
        mode = next((m for m in mount.modes if m.name == attack.mode), None)
        if mode is None:
            names = ", ".join(repr(m.name) for m in mount.modes)
            return f"{mount.name} has no fire mode {attack.mode!r}: use {names}"
        spotter = self.state.unit(attack.spotter) if attack.spotter else None
        answer = weapon_attack(
            self.state,
            self.unit,
            mount,
            mode,
            self.state.unit(attack.target),
            twist=posture.twist,
            flip=posture.flip,
            spotter=spotter,
            spotter_attacks=spotter is not None and spotter.fired != 0,
        )
        if not answer.possible:
            return f"{mount.name} at {attack.target}: {answer.why}"
        return f"{mount.name} at {attack.target} needs {answer.value}, more than two dice show"


def _is_target(unit: UnitState, target: UnitState) -> bool:
    return target.side != unit.side and target.cell >= 0 and not target.destroyed and not target.gone
