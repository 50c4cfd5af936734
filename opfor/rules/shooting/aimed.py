"""Aimed shots: at a location of an immobile 'Mech, or with a targeting computer of one that moves. Rule: S-5, S-4.

Only single shots can be aimed: no missiles, no clusters, no weapon fired several times at once.
"""

from __future__ import annotations

from functools import cache

from opfor.rules.harm.hit_locations import Hit, roll_aimed_location
from opfor.rules.play import Play
from opfor.rules.target_number import Modifier
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.spec import HD
from opfor.units.state import UnitState

RULE = "S-5"
_AIMED = table("to_hit")["aimed"]


@cache
def single_shot(mode: FireMode) -> bool:
    """Whether a fire mode is one shot that can be aimed: no missiles, no clusters, no weapon fired several times at once."""
    kinds = mode.weapon.kinds
    return not mode.cluster and not mode.each_hit_separate and not kinds & frozenset(_AIMED["never"]) and mode.damage(0) > 0


def aimable(unit: UnitState, mode: FireMode, target: UnitState, cover: bool, helped: bool) -> tuple[tuple[int, int], ...]:
    """Locations that a shot may be aimed at, each with what that adds to the number needed; empty for none.

    ``helped``: the targeting computer helps this weapon. ``cover``: the target's legs are hidden. Rule: S-5.
    """
    if not target.spec.is_mech:
        return ()
    immobile = target.immobile
    if not (immobile or helped) or not single_shot(mode):
        return ()
    if immobile:
        head, other = _AIMED["immobile_head"], 0
    elif not mode.weapon.kinds & frozenset(_AIMED["computer_never"]):
        # aiming takes the computer's own bonus away
        head, other = None, _AIMED["computer"] - table("to_hit")["targeting_computer"]["modifier"]
    else:
        return ()
    legs = target.legs
    return tuple(
        (location, head if location == HD else other)
        for location in range(len(target.structure))
        if target.structure[location] > 0 and not (cover and location in legs) and (location != HD or head is not None)
    )


def aim_modifier(target: UnitState, location: int, value: int) -> list[Modifier]:
    """The modifier of an aimed shot by name; none where it changes nothing."""
    return [Modifier(f"aimed at the {target.spec.location_name(location)}", value, RULE)] if value else []


def aimed_location(unit: UnitState, name: str) -> int | None:
    """The location of a unit by its short name, or None."""
    names = unit.spec.locations
    return names.index(name) if name in names else None


def roll_aimed(play: Play, target: UnitState, location: int, side: str, *, sure: bool, cover: bool = False) -> Hit:
    """Where an aimed hit lands. Rule: S-5.

    ``sure``: aimed by a targeting computer at a 'Mech that could move; otherwise a further roll decides, and where it fails
    the hit lands by the table, where ``cover`` hides the legs.
    """
    if not sure:
        return roll_aimed_location(play, target, location, side, cover=cover)
    play.emit("aimed", target, RULE, location=target.spec.location_name(location), dice=[], success=True)
    return Hit(location, side == "rear")
