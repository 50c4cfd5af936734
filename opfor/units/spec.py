"""What a unit is: the record sheet as immutable, shared data. Rule: S-5 (locations, slots), S-2 (movement).

Locations are small integers. 'Mechs have the same eight, two-legged or four-legged: a quad's front legs stand where a
biped's arms do; their armour has eleven entries, the eight locations from the front, then the rear of the three torsos.
Vehicles have six (the turret, or a VTOL's rotor, is the last), a platoon one (its structure counts troopers), a squad of
battle armour one for each suit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from opfor.tables.arsenal import FireMode, Weapon

HD, CT, RT, LT, RA, LA, RL, LL = range(8)
LOCATION_COUNT = 8
#: armour index of a torso's rear, by location
REAR_ARMOR = {CT: 8, RT: 9, LT: 10}
ARMOR_COUNT = 11
BIPED_LOCATIONS = ("HD", "CT", "RT", "LT", "RA", "LA", "RL", "LL")
QUAD_LOCATIONS = ("HD", "CT", "RT", "LT", "FRL", "FLL", "RRL", "RLL")
#: locations of vehicles; a VTOL's rotor stands where a tank's turret does
BODY, FRONT, RIGHT, LEFT, REAR, TURRET = range(6)
ROTOR = TURRET
VEHICLE_LOCATIONS = ("BD", "FR", "RS", "LS", "RR", "TU")
VTOL_LOCATIONS = ("BD", "FR", "RS", "LS", "RR", "RO")
PLATOON_LOCATIONS = ("TR",)
#: location of what every suit of a squad carries: no suit of its own
SQUAD = -1
SUIT_LOCATIONS = ("S1", "S2", "S3", "S4", "S5", "S6")
#: kinds of unit, and the motive types of each
KINDS = {
    "mech": ("biped", "quad"),
    "vehicle": ("tracked", "wheeled", "hover"),
    "vtol": ("vtol",),
    "infantry": ("foot", "jump", "motorized", "mechanized_tracked", "mechanized_wheeled", "mechanized_hover"),
    "battle_armor": ("suits",),
}
ARMOR_NAMES = ("HD", "CT", "RT", "LT", "RA", "LA", "RL", "LL", "CTR", "RTR", "LTR")
ARMS = (RA, LA)
LEGS = (RL, LL)
TORSOS = (CT, RT, LT)


class Slot(NamedTuple):
    """One critical slot.

    ``kind`` is ``empty``, ``armour`` or ``structure`` (not hittable: rolled again), a system (``engine``, ``gyro``,
    ``cockpit``, ``life_support``, ``sensors``), an actuator (``shoulder``, ``upper_arm``, ``lower_arm``, ``hand``, ``hip``,
    ``upper_leg``, ``lower_leg``, ``foot``), or something mounted (``weapon``, ``ammo``, ``heat_sink``, ``jump_jet``,
    ``equipment``) with ``ref`` its index in the spec's tuple of that kind. Slots of one item share a ``ref``.
    """

    kind: str
    name: str
    ref: int = -1

    @property
    def hittable(self) -> bool:
        """Whether a critical hit here counts; if not, the slot is rolled again."""
        return self.kind not in ("empty", "armour", "structure")


EMPTY = Slot("empty", "empty")


@dataclass(frozen=True, slots=True)
class Mount:
    """A weapon on a unit. ``modes`` are the ways of firing it that the unit's ammunition and links allow."""

    index: int
    id: str
    name: str
    weapon: Weapon
    modes: tuple[FireMode, ...]
    location: int
    rear: bool = False
    #: second location of a weapon split over two, or -1
    split_location: int = -1
    #: linked to an Artemis IV fire control system: index in ``spec.equipment``, or -1
    artemis: int = -1
    one_shot: bool = False


@dataclass(frozen=True, slots=True)
class AmmoBin:
    """A ton (or less) of ammunition in one critical slot. ``kind`` matches :attr:`FireMode.ammo`."""

    index: int
    kind: str
    name: str
    shots: int
    location: int
    #: damage that one shot does when the bin explodes (missiles x damage), 0 if it cannot explode
    explosion_per_shot: int


@dataclass(frozen=True, slots=True)
class Equipment:
    """Anything mounted that is neither weapon, ammunition, heat sink nor jump jet.

    ``kind``: artemis_iv, targeting_computer, ecm, probe, case, c3_slave, c3_master, c3i, masc, supercharger, tsm, hatchet,
    sword, tag_link, or ``other`` for what the rules here do not use (also listed in ``spec.unmodelled``).
    """

    index: int
    kind: str
    name: str
    location: int


@dataclass(frozen=True, slots=True)
class PlatoonArms:
    """What the troopers of a platoon carry. Rule: S-9.

    ``weapon``: rifle, laser, machine_gun, flamer, srm or lrm; ``range_class`` a row of the infantry range table;
    ``damage_per_trooper`` in points before rounding.
    """

    weapon: str
    range_class: str
    damage_per_trooper: float
    squads: int
    squad_size: int


@dataclass(frozen=True, eq=False)
class UnitSpec:
    """A unit type. Compare by identity; build once and share.

    MP in movement points, armour and structure in points by location index, heat sinks by number and rating.
    """

    name: str
    chassis: str
    model: str
    kind: str  # a key of KINDS
    tons: int
    tech: str  # IS, Clan, mixed
    era: int
    quad: bool
    walk: int
    run: int
    jump: int
    armor: tuple[int, ...]
    structure: tuple[int, ...]
    slots: tuple[tuple[Slot, ...], ...]
    mounts: tuple[Mount, ...]
    bins: tuple[AmmoBin, ...]
    equipment: tuple[Equipment, ...]
    #: kind of engine: fusion, xl_is, xl_clan, light, compact, xxl_is, xxl_clan, ice, fission, fuel_cell
    engine: str
    engine_rating: int
    gyro: str  # standard, compact, heavy_duty, extra_light
    cockpit: str  # standard, small, torso_mounted
    #: heat shed by each heat sink: 1 or 2
    sink_rating: int
    #: all heat sinks, those inside the engine included
    sinks: int
    #: location of each heat sink that takes slots, index = Slot.ref
    sink_locations: tuple[int, ...]
    #: location of each jump jet, index = Slot.ref
    jet_locations: tuple[int, ...]
    #: locations protected by CASE
    case: frozenset[int] = frozenset()
    #: equipment named in the source that no rule here uses
    unmodelled: tuple[str, ...] = ()
    battle_value: int = 0
    source: str = ""
    #: motive type, one of those that KINDS lists for the kind
    motive: str = "biped"
    #: a vehicle with a turret (weapons in it are mounted in TURRET)
    turret: bool = False
    #: tons of room for infantry, and tons of cargo
    troop_space: float = 0.0
    cargo: float = 0.0
    #: a platoon's weapons
    arms: PlatoonArms | None = None
    #: bombs carried under a VTOL, and their kind ("" is the plain one)
    bombs: int = 0
    bomb: str = ""
    #: infantry trained and equipped for leg and swarm attacks
    anti_mech: bool = False
    #: special missiles loaded in place of what the sheet gives: a word for each bin, "" where nothing is changed (E-32)
    loads: tuple[str, ...] = ()
    #: with other loads: the type as its sheet gives it
    base: UnitSpec | None = field(default=None, repr=False)
    #: derived: bit of each actuator and system slot by (location, kind)
    slot_bits: dict[tuple[int, str], int] = field(default_factory=dict, repr=False)
    #: caches of whatever is computed from the spec alone, by the name of their owner; never part of the value
    tables: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        for location, slots in enumerate(self.slots):
            for index, slot in enumerate(slots):
                key = (location, slot.kind)
                self.slot_bits[key] = self.slot_bits.get(key, 0) | (1 << index)

    def __getstate__(self) -> dict[str, Any]:
        """All that makes the type up; caches are filled anew."""
        return {**self.__dict__, "tables": {}}

    @property
    def locations(self) -> tuple[str, ...]:
        """Names of the locations."""
        if self.kind == "mech":
            return QUAD_LOCATIONS if self.quad else BIPED_LOCATIONS
        if self.kind == "vehicle":
            return VEHICLE_LOCATIONS
        if self.kind == "vtol":
            return VTOL_LOCATIONS
        return PLATOON_LOCATIONS if self.kind == "infantry" else SUIT_LOCATIONS[: len(self.structure)]

    @property
    def is_mech(self) -> bool:
        """A 'Mech: the only kind that tracks heat, has a torso to twist and falls. Rule: S-7, E-9."""
        return self.kind == "mech"

    @property
    def is_vehicle(self) -> bool:
        """A ground vehicle or VTOL."""
        return self.kind in ("vehicle", "vtol")

    @property
    def is_infantry(self) -> bool:
        """A platoon or a squad of battle armour."""
        return self.kind in ("infantry", "battle_armor")

    @property
    def heat_capacity(self) -> int:
        """Heat shed a turn, undamaged and dry."""
        return self.sinks * self.sink_rating

    @property
    def weight_class(self) -> str:
        """light, medium, heavy or assault."""
        tons = self.tons
        return "light" if tons < 40 else "medium" if tons < 60 else "heavy" if tons < 80 else "assault"

    def has(self, location: int, kind: str) -> bool:
        """Whether the location was built with a slot of that kind, as a lower arm actuator."""
        return (location, kind) in self.slot_bits

    def location_name(self, location: int) -> str:
        """Short name of a location, as ``LA`` or ``FLL``; ``SQ`` for the whole squad."""
        return "SQ" if location < 0 else self.locations[location]
