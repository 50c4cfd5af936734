"""How kinds of unit take the ground: what terrain costs each, and what it may not enter. Rule: S-2, S-9.

A motion is a row of ``motions`` in ``opfor/tables/movement.yaml``; what its steps cost is in
:mod:`opfor.rules.moving.ground`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from opfor.board.board import BUILDING_TYPES, Hex
from opfor.tables import table
from opfor.units.spec import UnitSpec

_COSTS = table("movement")
_TERRAIN = _COSTS["terrain"]
_WATER = _TERRAIN["water"]
_BUILDING_COST = [0] + [_COSTS["building"][name] for name in BUILDING_TYPES[1:]]
_FLAGGED = ("rough", "rubble", "swamp", "mud", "sand", "snow", "ice", "tundra")
_WOODS_NAMES = ("", "light_woods", "heavy_woods", "ultra_heavy_woods")
_WOODS = (0, _TERRAIN["light_woods"], _TERRAIN["heavy_woods"], _TERRAIN["ultra_heavy_woods"])


class Motion(NamedTuple):
    """How a kind of unit takes the ground; a row of ``motions`` in ``opfor/tables/movement.yaml``. Rule: S-2, S-9.

    ``turn``: MP a hexside, 0 for infantry, which has no facing. ``water``: ``wades`` (any depth, on the bottom), ``over``
    (on its surface) or ``no``. ``roll_rubble``, ``roll_swamp``: reason ids of rolls, "" for none. ``roofs``: steps onto them.
    """

    name: str
    level_cost: int
    max_levels: int
    turn: int
    clearance: int
    water: str
    prohibited: frozenset[str]
    extra: dict[str, int]
    woods_less: int
    #: MP by building type
    buildings: tuple[int, ...]
    roll_water: bool
    roll_rubble: str
    roll_swamp: str
    roll_building: bool
    roofs: bool

    @property
    def infantry(self) -> bool:
        """Moves without facing."""
        return self.turn == 0

    def terrain_cost(self, hex: Hex) -> int | None:
        """Extra MP for the terrain of a hex entered at its ground, building not counted; None where it may not be entered."""
        woods = min(3, hex.woods)
        prohibited = self.prohibited
        if woods and _WOODS_NAMES[woods] in prohibited:
            return None
        cost = max(0, _WOODS[woods] - self.woods_less)
        if hex.depth:
            if self.water == "no":
                return None
            if self.water == "wades":
                cost += water_cost(hex.depth)
        for name in _FLAGGED:
            if getattr(hex, name):
                if name in prohibited:
                    return None
                cost += self.extra.get(name, _TERRAIN[name])
        return int(cost)

    def standing(self, hex: Hex) -> int:
        """Elevation above a hex's surface of a unit on its ground: 0, or the bottom of water for one that wades."""
        return 0 if self.water == "over" else -hex.depth


@cache
def motion_named(name: str) -> Motion:
    """A motion by its name. Raises KeyError for an unknown one."""
    row = _COSTS["motions"][name]
    rolls = row["rolls"]
    charge = row["building"]
    return Motion(
        name,
        row["level"],
        row["levels"],
        row["turn"],
        row["clearance"],
        row["water"],
        frozenset(row.get("not", ())),
        dict(row.get("terrain", {})),
        row.get("woods_less", 0),
        tuple(_BUILDING_COST) if charge == "type" else (0, *[int(charge)] * (len(_BUILDING_COST) - 1)),
        bool(rolls.get("water")),
        rolls.get("rubble", ""),
        rolls.get("swamp", ""),
        bool(rolls.get("building")),
        row.get("roofs", True),
    )


MECH = motion_named("mech")


def motion_of(spec: UnitSpec) -> Motion:
    """The motion of a unit type."""
    return _motion_of(spec.motive)


@cache
def _motion_of(motive: str) -> Motion:
    return motion_named(_COSTS["motion_of"].get(motive, motive))


def water_cost(depth: int) -> int:
    """Extra MP for entering water of a depth in levels."""
    return int(_WATER[min(depth, max(_WATER))]) if depth > 0 else 0


def terrain_cost(hex: Hex) -> int:
    """Extra MP of a 'Mech for the terrain of a hex entered at its ground, building not counted."""
    return MECH.terrain_cost(hex) or 0
