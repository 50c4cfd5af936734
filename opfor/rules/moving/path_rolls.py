"""The rolls that a movement calls for on its way: entering hexes, skids, landings. Rule: S-6, E-13, E-14."""

from __future__ import annotations

from typing import NamedTuple

from opfor.board.board import BUILDING_TYPES
from opfor.rules.moving.ground import ROLL, WATER, Ground
from opfor.rules.moving.motions import motion_of
from opfor.rules.moving.movement import (
    leg_damage,
)
from opfor.tables import table
from opfor.units.state import UnitState

_ROLLS = table("movement")["rolls"]


class Needed(NamedTuple):
    """A roll that a step calls for: reason id, further modifier, and words for that modifier (None: none)."""

    reason: str
    extra: int = 0
    what: str | None = None


def by_hexes(rows: list[list[int]], hexes: int) -> int:
    """The modifier of the last row whose first number of hexes is reached."""
    return next(m for first, m in reversed(rows) if hexes >= first)


def after_hexes(hexes: int) -> str:
    """Hexes moved, in words."""
    return f"after {hexes} {'hex' if hexes == 1 else 'hexes'}"


def skid_modifier(hexes: int) -> int:
    """Modifier of a skid roll by the hexes moved before it. Rule: S-6, E-13."""
    return int(next(m for most, m in table("piloting_rolls")["skid_by_hexes"] if hexes <= most))


def bog_reason(unit: UnitState) -> str:
    """Reason id of the roll to break out of a swamp."""
    return motion_of(unit.spec).roll_swamp or "swamp"


def entry_rolls(ground: Ground, place: int, flags: int, hexes: int) -> tuple[Needed, ...]:
    """The rolls that entering a place calls for, given the step's flags and the hexes moved with it. Rule: S-6."""
    if not flags & ROLL:
        return ()
    hex = ground.board.hexes[ground.cell(place)]
    motion = ground.motion
    needed = []
    if flags & WATER:
        needed.append(Needed(_ROLLS["water"][min(hex.depth, len(_ROLLS["water"])) - 1]))
    if hex.building:
        kind = BUILDING_TYPES[hex.building]
        extra = _ROLLS["building"][kind] + by_hexes(_ROLLS["building_hexes"], hexes)
        needed.append(Needed("building", extra, f"{kind} building, {after_hexes(hexes)}"))
    else:
        if hex.rubble and motion.roll_rubble:
            needed.append(Needed(motion.roll_rubble))
        if hex.swamp and motion.roll_swamp:
            needed.append(Needed(motion.roll_swamp))
    return tuple(needed)


def landing_rolls(ground: Ground, unit: UnitState, place: int) -> tuple[Needed, ...]:
    """The rolls that landing from a jump calls for. Rule: S-6.

    Landing in a swamp bogs down without a roll.
    """
    needed = [Needed("jump_damaged")] if leg_damage(unit) else []
    hex = ground.board.hexes[ground.cell(place)]
    if not place & 1:
        if hex.depth and ground.motion.roll_water:
            needed.append(Needed(_ROLLS["water"][min(hex.depth, len(_ROLLS["water"])) - 1]))
        elif hex.rubble and ground.motion.roll_rubble:
            needed.append(Needed(ground.motion.roll_rubble))
    return tuple(needed)
