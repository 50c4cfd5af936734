"""A weapon as its unit can fire it: condition, ranges, arcs, and the modifiers that are its own. Rule: S-4."""

from __future__ import annotations

from opfor.rules.missions.engaged import close_quarters
from opfor.rules.refusal import Refusal
from opfor.rules.shooting.arcs import ALL_ARCS, ARC_BITS, mount_arc_bit, vehicle_arc
from opfor.rules.shooting.common_modifiers import modifier
from opfor.rules.shooting.counter_fire import REACH
from opfor.rules.shooting.frame import Frame
from opfor.rules.target_number import Modifier
from opfor.rules.troops.infantry import carriers, same_hex_modifier
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.munition_loads import THUNDER
from opfor.units.spec import ARMS, LEGS, Mount, UnitSpec
from opfor.units.state import UnitState

_RULES = table("to_hit")
_RANGE: list[int] = _RULES["range"]
_TC = _RULES["targeting_computer"]
_TC_KINDS = frozenset(_TC["kinds"])
_TC_NEVER = frozenset(_TC["never"])
_FLAK = _RULES["flak_vs_airborne"]
#: type codes of weapons that a vehicle's dead engine stops
_ENGINE_WEAPONS = frozenset(table("vehicles")["criticals"]["engine_weapons"])


class _Make:
    """What of a gun its unit's state never changes; kept in the spec's tables."""

    __slots__ = (
        "anti_mech",
        "arms",
        "beacon",
        "bit",
        "dry",
        "flak",
        "flipped_bit",
        "indirect",
        "infantry",
        "is_attack",
        "leg",
        "modifiers",
        "munition",
        "one_shot",
        "places",
        "same_hex",
        "tc",
    )

    def __init__(self, spec: UnitSpec, mount: Mount, mode: FireMode) -> None:
        weapon = mode.weapon
        quad = spec.quad
        self.anti_mech = "anti_mech" in weapon.flags
        self.beacon = "beacon" in weapon.flags
        self.infantry = spec.is_infantry
        self.same_hex = same_hex_modifier(mode)
        self.places = (mount.location,) if mount.split_location < 0 else (mount.location, mount.split_location)
        mech = spec.is_mech
        self.arms = tuple(place for place in self.places if place in ARMS) if mech and not quad else ()
        self.leg = mech and any(place in LEGS or (quad and place in ARMS) for place in self.places)
        self.indirect = "indirect" in weapon.flags
        self.munition = mode.munition
        self.is_attack = weapon.is_attack
        self.one_shot = mount.one_shot or "one_shot" in weapon.flags
        self.dry = (weapon.short, weapon.medium, weapon.long)
        if self.infantry:
            self.bit = self.flipped_bit = ALL_ARCS
        elif spec.is_vehicle:
            self.bit = self.flipped_bit = ARC_BITS[vehicle_arc(mount.location)]
        else:
            self.bit = mount_arc_bit(quad, mount.location, mount.split_location, mount.rear, False)
            self.flipped_bit = mount_arc_bit(quad, mount.location, mount.split_location, mount.rear, True)
        self.modifiers = [modifier(_weapon_words(mode), mode.to_hit)] if mode.to_hit else []
        self.flak = "F" in weapon.kinds and (mode.name == "cluster" or "lbx_slug_or_cluster" not in weapon.flags)
        #: whether a targeting computer helps it
        self.tc = bool(weapon.kinds & _TC_KINDS and (not mode.cluster or mode.each_hit_separate) and weapon.id not in _TC_NEVER)


def _make(unit: UnitState, mount: Mount, mode: FireMode) -> _Make:
    makes: dict[tuple[int, str], _Make] = unit.spec.tables.setdefault("guns", {})
    found = makes.get((mount.index, mode.name))
    if found is None:
        found = makes[mount.index, mode.name] = _Make(unit.spec, mount, mode)
    return found


class Gun:
    """A weapon in one fire mode on its unit, as far as the target does not matter. ``why``: it cannot be fired at all.

    ``bit`` and ``flipped_bit`` are its arc's bits (:data:`opfor.rules.shooting.arcs.ARC_BITS`) with arms as they are and
    flipped; ``wet``: it is under water, and its ranges are those under water.
    """

    __slots__ = (
        "anti_mech",
        "beacon",
        "bit",
        "flak",
        "flipped_bit",
        "helped",
        "indirect",
        "leg",
        "long",
        "medium",
        "minimum",
        "mode",
        "modifiers",
        "mount",
        "munition",
        "same_hex",
        "short",
        "total",
        "wet",
        "why",
    )

    def __init__(
        self, unit: UnitState, mount: Mount, mode: FireMode, prone: bool, legs_wet: bool, all_wet: bool, moved: int = 0
    ) -> None:
        make = _make(unit, mount, mode)
        weapon = mode.weapon
        #: a targeting computer helps it
        self.helped = False
        self.mount = mount
        self.mode = mode
        self.leg = make.leg
        #: a leg or swarm attack: :mod:`opfor.rules.troops.anti_mech` says what it needs
        self.anti_mech = make.anti_mech
        self.beacon = make.beacon
        #: added at a target in the attacker's own hex
        self.same_hex = make.same_hex
        #: bursts among targets in flight
        self.flak = make.flak
        self.wet = all_wet or (legs_wet and make.leg)
        self.indirect = make.indirect
        #: the special missiles that it fires in this mode
        self.munition = make.munition
        self.minimum = weapon.minimum
        self.short, self.medium, self.long = weapon.water if self.wet and weapon.water is not None else make.dry
        self.bit = make.bit
        self.flipped_bit = make.flipped_bit
        self.modifiers: list[Modifier] = make.modifiers
        self.why = self._why(unit, make, prone)
        if not self.why:
            self._add_condition(unit, make, moved)
        self.total = sum([m[1] for m in self.modifiers])

    def _why(self, unit: UnitState, make: _Make, prone: bool) -> str:
        mount, mode = self.mount, self.mode
        bit = 1 << mount.index
        if not make.is_attack:
            return f"{mount.name} is no weapon to attack with"
        structure = unit.structure
        if make.infantry:
            if unit.mounts_lost & bit or not carriers(unit, mount):
                return f"{mount.name} is destroyed"
            if unit.swarming and not make.anti_mech:
                return f"it clings to {unit.swarming}"
        elif unit.mounts_lost & bit or structure[make.places[0]] <= 0 or structure[make.places[-1]] <= 0:
            return f"{mount.name} is destroyed"
        if unit.jammed & bit:
            return f"{mount.name} is jammed"
        if unit.malfunctioned & bit:
            return f"{mount.name} malfunctions until the crew mends it"
        if unit.engine_dead and mode.weapon.kinds & _ENGINE_WEAPONS:
            return f"{mount.name} has no power: the engine is dead"
        if make.one_shot and unit.one_shot_used & bit:
            return f"{mount.name} has been fired"
        if mode.ammo and not mount.one_shot and unit.shots(mode.ammo) < mode.shots:
            return f"{mount.name} is out of ammunition"
        if self.wet and mode.weapon.water is None:
            return f"{mount.name} cannot be fired under water"
        return _why_not_prone(unit, mount, make.places) if prone else ""

    def _add_condition(self, unit: UnitState, make: _Make, moved: int) -> None:
        """Damage of the arm that carries the weapon or of the stabilizer, and the targeting computer."""
        found: list[Modifier] = []
        if moved and unit.stabilizers >> make.places[0] & 1:
            found.append(modifier("stabilizer hit", moved, "E-24a"))
        if make.arms:
            worst = max([_arm(unit, arm) for arm in make.arms if unit.slots_hit[arm]], key=_total, default=None)
            if worst:
                found += worst
        if make.tc and unit.spec.equipment and unit.has_equipment("targeting_computer"):
            self.helped = True
            found.append(modifier("targeting computer", _TC["modifier"]))
        if found:
            self.modifiers = self.modifiers + found

    def bracket(self, frame: Frame) -> int | None:
        """Range bracket against the frame's target: 0 short, 1 medium, 2 long; None out of range. Rule: S-4."""
        distance = frame.distance
        if distance > self.long:
            return None
        if frame.c3 is not None and frame.c3 < distance and not self.wet:
            distance = frame.c3
        return 0 if distance <= self.short else 1 if distance <= self.medium else 2

    def at(self, distance: int, bracket: int) -> int:
        """What the gun adds to the frame's modifiers: its own, range bracket, minimum range at a distance in hexes."""
        total: int = self.total + _RANGE[bracket]
        return total + self.minimum - distance + 1 if distance <= self.minimum > 0 else total

    def own_bracket(self, frame: Frame) -> int:
        """Bracket of the attacker's own distance, by which damage goes: a C3 network lends no more than the number to hit."""
        distance = frame.distance
        return 0 if distance <= self.short else 1 if distance <= self.medium else 2

    def why_not_at(self, frame: Frame) -> str:
        """Why this weapon cannot be fired at the frame's target, arcs apart; empty when it can. Rule: S-4."""
        if self.why:
            return self.why
        if frame.close_only and not self.anti_mech and not close_quarters(self.mode.weapon.id):
            why = f"engaged with {frame.target.id}, and {self.mount.name} is no weapon for close quarters"
            return Refusal(why, "A-7")
        if frame.bombing and self.long < REACH:
            return f"a VTOL on a bomb run is fired at with weapons that reach {REACH} hexes"
        if frame.spotter is not None and not self.indirect:
            return f"{self.mount.name} cannot be fired indirectly"
        if self.wet:
            if not frame.target_wet:
                return f"{self.mount.name} is under water and the target is not"
        elif frame.target_submerged:
            return "the target is under water"
        if self.mode.target_heat and not frame.target.spec.is_mech:
            return "only 'Mechs heat up"
        if self.munition == THUNDER and frame.target.spec.kind != "hex":
            return "thunder missiles are fired at hexes, to lay mines there"
        if self.beacon and frame.target.spec.is_infantry:
            return f"{self.mount.name} finds nothing to hold on to on infantry"
        if self.leg and frame.spotter is None and frame.seen.attacker_cover:
            return f"{self.mount.name} sits in a leg, behind the attacker's own cover"
        if frame.distance > self.long:
            return f"out of range: {frame.distance} hexes, reach {self.long}"
        return ""


def gun(unit: UnitState, mount: Mount, mode: FireMode, seen: Frame) -> Gun:
    """The weapon as the frame's attacker would fire it, water and posture considered. Rule: S-4."""
    return Gun(unit, mount, mode, seen.prone, seen.legs_wet, seen.all_wet, seen.moved)


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
