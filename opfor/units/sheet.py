"""Units as their record sheets say them: names and numbers, before anything is understood. Rule: S-5, S-8, S-9.

Importers and the catalogue both make a sheet: a :class:`MechSheet`, a :class:`VehicleSheet`, an :class:`InfantrySheet` or a
:class:`SuitsSheet`; the builders of :mod:`opfor.units` turn it into a spec (:func:`opfor.units.builders.build`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

BIPED, QUAD = "Biped", "Quad"


@dataclass(slots=True)
class MechSheet:
    """What a record sheet states.

    ``armor`` by location name (``HD CT RT LT RA LA RL LL``, of quads ``FRL FLL RRL RLL``, rear ``CTR RTR LTR``), ``slots``
    the lines of each location from the top, empty ones as ``-Empty-`` or ``""``; something mounted to the rear ends in
    ``" (R)"``. ``walk`` 0 means: as the engine gives. ``heat_sink_type``: single, double_is or double_clan.
    """

    chassis: str
    model: str
    config: str = BIPED
    tons: int = 0
    tech: str = "Inner Sphere"  # Inner Sphere, Clan, Mixed
    era: int = 0
    engine_rating: int = 0
    engine: str = "fusion"
    gyro: str = "standard"
    cockpit: str = "standard"
    structure: str = "standard"
    armor_type: str = "standard"
    heat_sinks: int = 10
    heat_sink_type: str = "single"
    walk: int = 0
    jump: int = 0
    armor: dict[str, int] = field(default_factory=dict)
    slots: dict[str, list[str]] = field(default_factory=dict)
    #: a mixed unit built on a Clan chassis: its plain names mean Clan items, and CASE comes with it
    clan_chassis: bool = False
    #: a primitive engine, which needs a higher rating for the same speed
    primitive: bool = False
    battle_value: int = 0
    #: where it was read from, for messages
    source: str = ""
    #: line in the source of ``engine``, ``walk``, ``armor.CT``, ``slots.LA`` and so on, for messages
    lines: dict[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Chassis and model, as ``Wolverine WVR-6R``."""
        return f"{self.chassis} {self.model}".strip()

    def line_of(self, place: str) -> int:
        """The line of the source that a place such as ``slots.LA`` stands in, 1 when not known."""
        return self.lines.get(place, 1)
