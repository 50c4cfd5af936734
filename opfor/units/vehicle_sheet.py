"""Vehicles, platoons and suits as their record sheets say them: names and numbers, nothing understood yet. Rule: S-5, S-9.

Importers and the catalogue both make these; :mod:`opfor.units.build_vehicle` and :mod:`opfor.units.build_infantry` turn them
into specs, as :class:`opfor.units.sheet.MechSheet` is turned into one by :mod:`opfor.units.build`.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class OtherSheet:
    """What the sheets of all units that are no 'Mechs have in common. ``tech``: Inner Sphere, Clan or Mixed."""

    chassis: str
    model: str
    tech: str = "Inner Sphere"
    era: int = 0
    battle_value: int = 0
    #: where it was read from, for messages
    source: str = ""
    #: line in the source of ``engine``, ``armor.FR``, ``equipment.TU`` and so on, for messages
    lines: dict[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Chassis and model, as ``Vedette (Standard)``."""
        return f"{self.chassis} {self.model}".strip()

    def line_of(self, place: str) -> int:
        """The line of the source that a place such as ``equipment.TU`` stands in, 1 when not known."""
        return self.lines.get(place, 1)


@dataclass(slots=True)
class VehicleSheet(OtherSheet):
    """A ground vehicle or VTOL.

    ``motive``: tracked, wheeled, hover or vtol. ``armor`` by location (``FR RS LS RR`` and ``TU`` or ``RO``; a vehicle with
    armour or weapons on ``TU`` has a turret). ``equipment``: names by location (these and ``BD``), one entry an item.
    ``engine_rating`` 0 means: what the speed needs. ``troop_space`` and ``cargo`` in tons.
    """

    motive: str = "tracked"
    tons: int = 0
    engine: str = "ice"
    engine_rating: int = 0
    cruise: int = 0
    armor_type: str = "standard"
    armor: dict[str, int] = field(default_factory=dict)
    equipment: dict[str, list[str]] = field(default_factory=dict)
    troop_space: float = 0.0
    cargo: float = 0.0
    #: bombs of a VTOL, one ton each, and their kind ("" is the plain one)
    bombs: int = 0
    bomb: str = ""


@dataclass(slots=True)
class InfantrySheet(OtherSheet):
    """A platoon of conventional infantry.

    ``primary`` and ``support`` weapons are rows of ``platoon_weapons`` in ``infantry_units.yaml``; ``support_per_squad``
    troopers of each squad carry the second. ``squads`` and ``squad_size`` 0 mean: the standard platoon. ``anti_mech`` None:
    as the motive type allows.
    """

    motive: str = "foot"
    primary: str = "rifle"
    support: str = ""
    support_per_squad: int = 0
    squads: int = 0
    squad_size: int = 0
    anti_mech: bool | None = None
    #: equipment that no rule here uses
    other: list[str] = field(default_factory=list)


@dataclass(slots=True)
class SuitsSheet(OtherSheet):
    """A squad (a Clan point) of battle armour.

    ``armor`` points a suit; ``equipment`` the names of what every suit carries, ``suit_equipment`` what single suits carry by
    their number from 1; ``shots`` salvos a suit has, by the weapon's name as listed.
    """

    suits: int = 4
    tons_per_suit: float = 1.0
    walk: int = 1
    jump: int = 0
    armor: int = 0
    equipment: list[str] = field(default_factory=list)
    suit_equipment: dict[int, list[str]] = field(default_factory=dict)
    shots: dict[str, int] = field(default_factory=dict)
    anti_mech: bool = True
