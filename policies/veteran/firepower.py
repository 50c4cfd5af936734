"""Expected damage as a look-up: what a unit's weapons do, by arcs, range, sum of modifiers and heat to spare. Rule: S-4, S-5.

A :class:`Firepower` belongs to a unit in its present state (weapons, ammunition, actuators). A number of the table is the
mean damage of the weapons that bear, each in its best fire mode, chosen by damage per heat when the heat does not suffice
for all. Filled as it is asked for; what a position is worth is then one look-up for each enemy.

``common`` is the sum of all modifiers that do not depend on the weapon, gunnery included, as in
:attr:`opfor.rules.shooting.frame.Frame.common`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from opfor.dice import chance_2d6
from opfor.rules.pilots.wounds import penalty
from opfor.rules.shooting.arcs import ALL_ARCS, CIRCLE, arc_bits, twists
from opfor.rules.shooting.numbers import steps_at
from opfor.rules.shooting.to_hit import IMPOSSIBLE, Gun
from opfor.rules.vehicles.crew_conditions import gunnery_modifiers
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.spec import ARMS, Mount, UnitSpec
from opfor.units.state import UnitState
from policies.veteran.harm import AIR, ARMOR, mean_damage

#: stands beside the bits of the arcs for arms flipped to the rear
FLIPPED = ALL_ARCS + 1
#: arcs of whatever lies straight ahead
AHEAD = arc_bits(0, 0, 0)
#: farthest hex tabled, sums of modifiers tabled
_RANGES = 64
_SUMS = 48
#: sums may be negative: tables begin this far below 0
_BELOW = 8
_RANGE = tuple(table("to_hit")["range"])
_SENSORS = table("to_hit")["sensors"]
_VEHICLE_SENSORS: int = table("vehicles")["to_hit"]["sensors"]
_VEHICLE_BLIND: int = table("vehicles")["criticals"]["sensors_blind"]
_FLAK: int = table("to_hit")["flak_vs_airborne"]
#: what a hit stabilizer adds to the fire of a vehicle that has moved, as a rule
_UNSTEADY: int = table("to_hit")["attacker_movement"]["walk"]
_HEAT = table("heat")["to_hit"]
#: chance by the sum of everything, from the lowest sum on; unreachable ones are 0
_CHANCE = tuple(chance_2d6(n - 2 * _BELOW) for n in range(_SUMS + IMPOSSIBLE + 2 * _BELOW))


class Mode(NamedTuple):
    """One fire mode of a mounted weapon, tabled by range: number to add to the common modifiers, mean damage on a hit."""

    mode: FireMode
    heat: int
    offset: tuple[int, ...]
    damage: tuple[float, ...]


class Barrel(NamedTuple):
    """A mounted weapon that can fire: its arc's bit with arms as they are and flipped, and its modes."""

    mount: Mount
    bit: int
    flipped_bit: int
    modes: tuple[Mode, ...]


def _mode_row(
    unit: UnitState, mount: Mount, mode: FireMode, prone: bool, legs_wet: bool, versus: str
) -> tuple[Gun, Mode] | None:
    gun = Gun(unit, mount, mode, prone, legs_wet, False, _UNSTEADY if unit.stabilizers else 0)
    if gun.why or gun.wet or gun.anti_mech or (mode.target_heat and versus != ARMOR):
        # under water only what else lies under water could be fired at: no plan is made of that; leg and swarm attacks
        # are weighed by themselves
        return None
    total = gun.total + (_FLAK if gun.flak and versus == AIR else 0)
    offsets = []
    damages = []
    for distance in range(_RANGES):
        if distance > gun.long:
            break
        bracket = 0 if distance <= gun.short else 1 if distance <= gun.medium else 2
        offset = total + _RANGE[bracket]
        if not distance:
            offset += gun.same_hex
        if distance <= gun.minimum:
            offset += gun.minimum - distance + 1
        offsets.append(offset)
        damages.append(mean_damage(unit, mount, mode, bracket, distance, versus))
    if not any(damages):
        return None
    missing = _RANGES - len(offsets)
    return gun, Mode(mode, mode.heat, tuple(offsets) + (IMPOSSIBLE,) * missing, tuple(damages) + (0.0,) * missing)


class Firepower:
    """What one unit can do with its weapons as they are; see the module. ``reach`` is the range of its longest weapon."""

    __slots__ = ("_around", "_bearing", "_hot", "_known", "_postures", "_relevant", "barrels", "heat", "reach", "rounds")

    def __init__(
        self,
        unit: UnitState,
        *,
        prone: bool = False,
        legs_wet: bool = False,
        indirect: bool = False,
        versus: str = ARMOR,
    ) -> None:
        """``prone`` and ``legs_wet`` as supposed; ``indirect``: only what can be fired indirectly; ``versus``: the class of
        target (:mod:`policies.veteran.harm`), by which damage counts."""
        self.barrels: list[Barrel] = []
        for mount in unit.spec.mounts:
            modes = [mode for mode in mount.modes if not indirect or "indirect" in mode.weapon.flags]
            rows = [row for mode in modes if (row := _mode_row(unit, mount, mode, prone, legs_wet, versus)) is not None]
            if rows:
                gun = rows[0][0]
                self.barrels.append(Barrel(mount, gun.bit, gun.flipped_bit, tuple(row for _, row in rows)))
        if prone and unit.spec.is_mech and not unit.spec.quad:
            self._prop()
        self.reach = max((sum(1 for o in m.offset if o < IMPOSSIBLE) - 1 for b in self.barrels for m in b.modes), default=0)
        #: heat of everything fired at its hottest
        self.heat = sum(max(m.heat for m in b.modes) for b in self.barrels) if unit.spec.is_mech else 0
        self._hot = unit.spec.is_mech
        #: rounds left of ammunition that does not suffice for every launcher that shares it
        self.rounds = self._scarce(unit)
        self._relevant = FLIPPED
        for barrel in self.barrels:
            self._relevant |= barrel.bit | barrel.flipped_bit
        self._bearing: dict[int, list[Barrel]] = {}
        self._known: dict[int, float] = {}
        self._postures = _postures(unit, prone)
        self._around: dict[int, float] = {}

    def around(self, relative: int, distance: int, common: int, heat: int) -> float:
        """As :meth:`expected`, in the best posture (twist, flipped arms) against a target at a bearing relative to the hull,
        0 to 23 clockwise from straight ahead."""
        if distance > self.reach:
            return 0.0
        if heat > self.heat:
            heat = self.heat
        elif heat < 0:
            heat = 0
        key = ((relative * _RANGES + distance) * 256 + common + _BELOW) * 256 + heat
        found = self._around.get(key)
        if found is None:
            postures = self._postures[relative] if distance else (ALL_ARCS,)
            found = self._around[key] = max([self.expected(bits, distance, common, heat) for bits in postures])
        return found

    def _prop(self) -> None:
        """A prone 'Mech props itself up on the arm that fires less. Rule: S-4."""
        arms: dict[int, float] = {}
        for barrel in self.barrels:
            if not barrel.mount.rear and barrel.mount.location in ARMS:
                arms[barrel.mount.location] = arms.get(barrel.mount.location, 0.0) + max(max(m.damage) for m in barrel.modes)
        if len(arms) == 2:
            less = min(arms, key=lambda arm: (arms[arm], arm))
            self.barrels = [b for b in self.barrels if b.mount.location != less]

    def _scarce(self, unit: UnitState) -> dict[str, int]:
        demand: dict[str, int] = {}
        for barrel in self.barrels:
            most: dict[str, int] = {}
            for row in barrel.modes:
                if row.mode.ammo and not barrel.mount.one_shot:
                    most[row.mode.ammo] = max(most.get(row.mode.ammo, 0), row.mode.shots)
            for kind, shots in most.items():
                demand[kind] = demand.get(kind, 0) + shots
        return {kind: unit.shots(kind) for kind, shots in demand.items() if shots > unit.shots(kind)}

    def expected(self, bits: int, distance: int, common: int, heat: int) -> float:
        """Mean damage to a target that lies in the arcs ``bits`` (:data:`FLIPPED` set: arms flipped) at ``distance`` hexes.

        ``heat`` is what the volley may build up in all.
        """
        if distance > self.reach:
            return 0.0
        if heat >= self.heat:
            heat = self.heat
        elif heat < 0:
            heat = 0
        common += _BELOW
        if common < 0:
            common = 0
        elif common >= _SUMS:
            return 0.0
        key = (((bits & self._relevant) * _RANGES + distance) * _SUMS + common) * 256 + heat
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._work_out(bits & self._relevant, distance, common, heat)
        return found

    def bearing(self, bits: int) -> list[Barrel]:
        """The weapons that bear on a target in those arcs."""
        found = self._bearing.get(bits)
        if found is None:
            flipped = bits & FLIPPED
            found = self._bearing[bits] = [b for b in self.barrels if bits & (b.flipped_bit if flipped else b.bit)]
        return found

    def _work_out(self, bits: int, distance: int, common: int, heat: int) -> float:
        best = []
        hottest = 0
        for barrel in self.bearing(bits):
            rows = [(_CHANCE[common + _BELOW + row.offset[distance]] * row.damage[distance], row) for row in barrel.modes]
            rows = [row for row in rows if row[0] > 0.0]
            if rows:
                rows.sort(key=lambda row: (-row[0], row[1].heat))
                best.append(rows)
                hottest += rows[0][1].heat
        if not self._hot:
            heat = hottest
        if hottest <= heat and not self.rounds:
            return sum([rows[0][0] for rows in best])
        # the most damage for the heat first; what no longer fits is left silent, or fired in a cooler mode
        best.sort(key=lambda rows: -rows[0][0] / (rows[0][1].heat + 0.01))
        rounds = dict(self.rounds)
        total = 0.0
        for rows in best:
            for damage, row in rows:
                kind = row.mode.ammo
                if row.heat > heat or (kind in rounds and rounds[kind] < row.mode.shots):
                    continue
                heat -= row.heat
                if kind in rounds:
                    rounds[kind] -= row.mode.shots
                total += damage
                break
        return total


@cache
def _arcs(facings: tuple[int, ...], flippable: bool) -> tuple[tuple[int, ...], ...]:
    """By relative bearing: the arcs that a target lies in, in every posture."""
    found = []
    for relative in range(CIRCLE):
        bits = [arc_bits(relative, 0, facing % 6) for facing in facings]
        found.append(tuple(dict.fromkeys(bits + [bits[0] | FLIPPED] * flippable)))
    return tuple(found)


def _postures(unit: UnitState, prone: bool) -> tuple[tuple[int, ...], ...]:
    spec = unit.spec
    if spec.is_mech:
        able = not prone and not spec.quad
        flippable = able and not any(spec.has(arm, actuator) for arm in ARMS for actuator in ("lower_arm", "hand"))
        return _arcs((0, 1, 5) if able else (0,), flippable)
    # a turret that is stuck points where it points
    return _arcs(twists(unit), False)


def skill(unit: UnitState) -> int:
    """What a unit brings to every shot it fires: gunnery, wounds, heat, sensors, the state of its crew.

    Rule: S-4, S-7, E-20, E-24a, E-38.
    """
    if unit.spec.is_mech:
        sensors = int(_SENSORS[unit.sensor_hits]) if unit.sensor_hits < len(_SENSORS) else IMPOSSIBLE
        return unit.gunnery + penalty(unit) + steps_at(_HEAT, unit.heat) + sensors
    if unit.stunned:
        return unit.gunnery + IMPOSSIBLE
    if not unit.spec.is_vehicle:
        return unit.gunnery
    crew = sum([item.value for item in gunnery_modifiers(unit.crew, unit.flight_stabilizer)])
    blind = unit.sensor_hits >= _VEHICLE_BLIND
    return unit.gunnery + crew + (IMPOSSIBLE if blind else unit.sensor_hits * _VEHICLE_SENSORS)


class Arsenal:
    """The tables of all units, kept by what they depend on; the same weapons in the same state share one."""

    def __init__(self, most: int = 512) -> None:
        self._known: dict[tuple[object, ...], Firepower] = {}
        self._demand: dict[UnitSpec, dict[str, int]] = {}
        self._most = most

    def of(
        self,
        unit: UnitState,
        *,
        prone: bool = False,
        legs_wet: bool = False,
        indirect: bool = False,
        versus: str = ARMOR,
    ) -> Firepower:
        """The table of a unit as it is against a class of target; ``prone`` and ``legs_wet`` (standing in water one level deep)
        as supposed."""
        key = (*self._signature(unit, prone), legs_wet, indirect, versus)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= self._most:
                self._known.clear()
            found = self._known[key] = Firepower(unit, prone=prone, legs_wet=legs_wet, indirect=indirect, versus=versus)
        return found

    def _signature(self, unit: UnitState, prone: bool) -> tuple[object, ...]:
        spec = unit.spec
        demand = self._demand.get(spec)
        if demand is None:
            demand = {}
            for mount in spec.mounts:
                for mode in mount.modes:
                    if mode.ammo:
                        demand[mode.ammo] = demand.get(mode.ammo, 0) + mode.shots
            self._demand[spec] = demand
        rounds = tuple([min(unit.shots(kind), most) for kind, most in demand.items()])
        masks = (unit.mounts_lost, unit.jammed, unit.one_shot_used, unit.equipment_lost)
        if spec.is_infantry:
            # troopers, or which suits are left
            return (spec, rounds, masks, unit.structure[0] if spec.kind == "infantry" else _standing(unit), bool(unit.swarming))
        if spec.is_vehicle:
            stuck = unit.twist if unit.turret else 9
            return (spec, rounds, masks, unit.malfunctioned, unit.stabilizers, stuck, unit.engine_dead)
        arms = tuple([unit.slots_hit[arm] for arm in ARMS])
        return (spec, _standing(unit), arms, masks, unit.used_arms if prone else 0, rounds, prone)


def _standing(unit: UnitState) -> int:
    """Mask of the locations (or suits) that are left."""
    return sum([1 << location for location, points in enumerate(unit.structure) if points > 0])
