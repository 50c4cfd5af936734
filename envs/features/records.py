"""What follows from a unit alone, worked out once and kept for as long as the unit stays as it is.

From one decision to the next most units do not change: comparing what they are made of costs far less than working it out.
"""

from __future__ import annotations

from itertools import count
from operator import attrgetter

import numpy as np

from envs.features.damage import CIRCLE, FireTable, FireTables, heat_to_spare
from envs.features.geometry import Floats
from envs.features.modifiers import dodge_by_mode, own_fire
from envs.features.reaches import Reaches
from opfor.rules.kinds import kind_of
from opfor.rules.pilots.heat import dissipation
from opfor.rules.shooting.arcs import side_struck
from opfor.rules.turn.victory import crippled, usable
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState
from policies.veteran.figures import BY_HEXES
from policies.veteran.firepower import Firepower, skill
from policies.veteran.harm import class_of
from policies.veteran.spots import key_of, posture_of
from policies.veteran.worth import factors, value_of

#: what is added to every number to hit a unit that is immobile
_IMMOBILE: int = table("to_hit")["immobile"]
#: heat that a unit without a heat scale may build up
_NO_HEAT = 999
#: a number that is never rolled: what one needs who cannot fire
NEVER = 90
#: damage and losses first, then how it stands and what it has done; prone and used arms change what can be fired
_HURT = (
    "spec", "side", "armor", "structure", "ammo", "slots_hit", "mounts_lost", "jammed", "one_shot_used", "equipment_lost",
    "sinks_lost", "engine_hits", "gyro_hits", "sensor_hits", "pilot_hits", "wounds", "crew", "motive_hits", "cruise_lost",
    "immobilized", "turret", "malfunctioned", "stabilizers", "engine_dead", "flight_stabilizer", "swarming", "prone",
    "used_arms",
)  # fmt: skip
_WATCHED = attrgetter(
    *_HURT, "cell", "elevation", "facing", "twist", "heat", "heat_built", "shutdown", "conscious", "mode", "hexes_moved",
    "mp_spent", "moved", "waiting", "opportunity", "stuck", "aboard", "fired", "club", "stunned", "gunnery", "piloting",
    "arms_flipped",
)  # fmt: skip


class Record:
    """A unit and what follows from it. ``stamp`` is another number whenever anything of it has changed.

    ``left``, ``core``: share left in all and where it is weakest, 0 to 1; ``lame``: crippled; ``working``: weapons that work;
    ``skill``: what it brings to its shots; ``fire``: what its own movement adds to them; ``dodge``: what it adds to shots at
    it; ``heat``: heat that it can build up; ``key``: its spot.
    """

    __slots__ = (
        "core", "dodge", "fire", "fires_by", "heat", "key", "lame", "left", "powers", "skill", "stamp", "tables",
        "unit", "watched", "working", "worths",
    )  # fmt: skip

    unit: UnitState
    left: float
    core: float
    lame: bool
    working: int
    skill: int
    fire: int
    dodge: int
    heat: int
    key: int

    def __init__(self) -> None:
        self.watched: tuple[object, ...] = ()
        self.stamp = 0
        self.fires_by = (0, 0)
        self.powers: dict[str, Firepower] = {}
        self.tables: dict[str, FireTable] = {}
        #: worth of a point of damage by bearing, and what it was worked out for
        self.worths: tuple[tuple[bool, bool, int], Floats] | None = None


class Records:
    """The records of a battle's units, by id."""

    def __init__(self, fire: FireTables) -> None:
        self.fire = fire
        self.reaches = Reaches()
        self._known: dict[str, Record] = {}
        self._battle: object = None
        self._stamps = count(1)

    def begin(self, battle: object) -> None:
        """Forget the units of another battle: ``battle`` is any object that stands for the present one."""
        if battle is not self._battle:
            self._battle = battle
            self._known.clear()

    def of(self, state: State, unit: UnitState) -> Record:
        """The record of a unit as it is now."""
        known = self._known.get(unit.id)
        if known is None:
            known = self._known[unit.id] = Record()
        known.unit = unit
        watched = _WATCHED(unit)
        if watched == known.watched:
            return known
        hurt = watched[: len(_HURT)] != known.watched[: len(_HURT)]
        # the unit may be the game's own: what it is compared with must not change with it
        known.watched = tuple([value[:] if type(value) is list else value for value in watched])
        if hurt:
            known.powers = {}
            known.worths = None
        known.stamp = next(self._stamps)
        if hurt:
            known.left, known.core = share_left(unit), weakest(unit)
            known.lame = bool(crippled(state, unit))
            known.working = sum([usable(unit, mount.index) for mount in unit.spec.mounts])
        known.skill = skill(unit) if unit.active else NEVER
        known.fire = own_fire(unit, unit.mode)
        hexes = unit.hexes_moved
        known.dodge = BY_HEXES[hexes if hexes < 63 else 63] + dodge_by_mode(state, unit, unit.mode)
        if unit.immobile:
            known.dodge += _IMMOBILE
        known.heat = heat_to_spare(state, unit)
        fires_by = (known.heat, unit.twist if unit.spec.is_vehicle else 0)
        if hurt or fires_by != known.fires_by:
            # beside the weapons these are all that tables of fire depend on
            known.tables = {}
            known.fires_by = fires_by
        known.key = key_of(unit.cell, unit.elevation, posture_of(unit.spec, unit.prone))
        return known

    def power(self, record: Record, versus: UnitSpec) -> Firepower:
        """The weapons of a unit against a type of target."""
        name = class_of(versus)
        found = record.powers.get(name)
        if found is None:
            found = record.powers[name] = self.fire.power(record.unit, name)
        return found

    def table(self, record: Record, versus: UnitSpec) -> FireTable:
        """What its fire does to a type of target, with the heat that it can build up."""
        name = class_of(versus)
        found = record.tables.get(name)
        if found is None:
            found = record.tables[name] = self.fire.of(record.unit, self.power(record, versus), record.heat)
        return found

    def worths(self, state: State, record: Record) -> Floats:
        """What a point of damage to a unit is worth by the bearing that it comes from, 0 for straight ahead, shape (24,).

        As :mod:`policies.veteran.worth` has it: to a sound 55-ton 'Mech with middling weapons, from the front, 1.
        """
        unit = record.unit
        spec = unit.spec
        cool = dissipation(state, unit) if spec.is_mech else _NO_HEAT
        key = (unit.immobile, unit.dug_in, cool)
        if record.worths is None or record.worths[0] != key:
            worth = factors(unit, value_of(unit, self.fire.power(unit, ""), cool))
            sides = [side_struck(bearing, 0, 0, spec.is_vehicle) for bearing in range(CIRCLE)]
            record.worths = key, np.array([worth[side, False] for side in sides], dtype=np.float32)
        return record.worths[1]


def share_left(unit: UnitState) -> float:
    """The share of a unit's armour and structure that is left: of a platoon its troopers, of a squad its suits. Rule: S-11."""
    otherwise = kind_of(unit).remaining
    if otherwise is not None:
        left, full = otherwise(unit)
    else:
        spec = unit.spec
        left, full = sum(unit.armor) + sum(unit.structure), sum(spec.armor) + sum(spec.structure)
    return left / full if full else 0.0


def weakest(unit: UnitState) -> float:
    """The least share of armour and structure left of any location that the unit was built with, 0 to 1."""
    spec = unit.spec
    # troopers, or suits: what is left of the whole
    if spec.is_infantry:
        return share_left(unit)
    least = 1.0
    for location, whole in enumerate(spec.structure):
        full = whole + spec.armor[location]
        if full > 0 and whole > 0:
            least = min(least, (unit.structure[location] + unit.armor[location]) / full)
    return least
