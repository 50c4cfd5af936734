"""How kinds of unit take the ground: what terrain costs each, and what it may not enter. Rule: S-2, S-9.

A motion is a row of ``motions`` in ``opfor/tables/movement.yaml``; what its steps cost is in
:mod:`opfor.rules.moving.ground`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from opfor.board.board import BUILDING_TYPES, Hex
from opfor.own_rules.replaceable import Replaced
from opfor.tables import table
from opfor.units.spec import UnitSpec

_COSTS = table("movement")
_FLAGGED = ("rough", "rubble", "swamp", "mud", "sand", "snow", "ice", "tundra")
_WOODS_NAMES = ("", "light_woods", "heavy_woods", "ultra_heavy_woods")


class Motion(NamedTuple):
    """How a kind of unit takes the ground; a row of ``motions`` in ``opfor/tables/movement.yaml``. Rule: S-2, S-9.

    ``extra`` are MP by terrain, ``woods`` by density, ``water_costs`` by depth, the last for all deeper.
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
    woods: tuple[int, ...]
    water_costs: tuple[int, ...]
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
        cost = self.woods[woods]
        if hex.depth:
            if self.water == "no":
                return None
            if self.water == "wades":
                cost += self.water_costs[min(hex.depth, len(self.water_costs) - 1)]
        for name in _FLAGGED:
            if getattr(hex, name):
                if name in prohibited:
                    return None
                cost += self.extra[name]
        return cost

    def standing(self, hex: Hex) -> int:
        """Elevation above a hex's surface of a unit on its ground: 0, or the bottom of water for one that wades."""
        return 0 if self.water == "over" else -hex.depth


@cache
def motion_named(name: str, replaced: Replaced | None = None) -> Motion:
    """A motion by its name; ``replaced``: numbers that a ruleset puts in the place of the table's.

    Raises KeyError for an unknown one.
    """
    costs = _COSTS if replaced is None else replaced.table("movement")
    row, terrain = costs["motions"][name], costs["terrain"]
    less = row.get("woods_less", 0)
    buildings = [costs["building"][kind] for kind in BUILDING_TYPES[1:]]
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
        {flag: row.get("terrain", {}).get(flag, terrain[flag]) for flag in _FLAGGED},
        tuple([max(0, terrain[woods] - less) if woods else 0 for woods in _WOODS_NAMES]),
        tuple([terrain["water"][depth] for depth in sorted(terrain["water"])]),
        (0, *buildings) if charge == "type" else (0, *[int(charge)] * len(buildings)),
        bool(rolls.get("water")),
        rolls.get("rubble", ""),
        rolls.get("swamp", ""),
        bool(rolls.get("building")),
        row.get("roofs", True),
    )


MECH = motion_named("mech")


def motion_of(spec: UnitSpec, replaced: Replaced | None = None) -> Motion:
    """The motion of a unit type; ``replaced`` as for :func:`motion_named`."""
    return _motion_of(spec.motive, replaced)


@cache
def _motion_of(motive: str, replaced: Replaced | None) -> Motion:
    return motion_named(_COSTS["motion_of"].get(motive, motive), replaced)


def terrain_cost(hex: Hex) -> int:
    """Extra MP of a 'Mech for the terrain of a hex entered at its ground, building not counted."""
    return MECH.terrain_cost(hex) or 0
