"""Where a hit lands. Rule: S-5 (tables by side, rear armour, through-armour criticals), S-4 / E-36 (cover)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from opfor.rules.kinds import kind_of
from opfor.rules.play import Play
from opfor.tables import table
from opfor.units.spec import BIPED_LOCATIONS, QUAD_LOCATIONS
from opfor.units.state import UnitState

SIDES = ("front", "left", "right", "rear")


class Hit(NamedTuple):
    """Where a hit lands.

    ``rear``: from behind, so that torsos take it on their rear armour. ``critical``: a critical roll even if armour
    holds. ``covered``: the leg is behind cover, which takes the damage instead. ``motive``: the side struck (front, left,
    right, rear) where the hit may damage a vehicle's motive system, or "".
    """

    location: int
    rear: bool = False
    critical: bool = False
    covered: bool = False
    motive: str = ""


@lru_cache(maxsize=1)
def _columns() -> dict[tuple[bool, str, str], tuple[int, ...]]:
    """Location indexes by (quad, table, side), in the order of the dice results."""
    found = {}
    for quad, key, names in ((False, "biped", BIPED_LOCATIONS), (True, "quad", QUAD_LOCATIONS)):
        for hit_table, sides in table("hit_locations")[key].items():
            for side, row in sides.items():
                found[quad, hit_table, side] = tuple(names.index(name) for name in row)
    return found


@lru_cache(maxsize=1)
def _inward() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For bipeds and quads: where damage to each location goes on to, -1 for nowhere."""
    rows = table("hit_locations")["transfer"]
    return (
        tuple(BIPED_LOCATIONS.index(rows[name]) if rows[name] else -1 for name in BIPED_LOCATIONS),
        tuple(QUAD_LOCATIONS.index(rows[name]) if rows[name] else -1 for name in QUAD_LOCATIONS),
    )


def transfer_of(unit: UnitState, location: int) -> int:
    """The next location inward, -1 from the head and the centre torso. Rule: S-5."""
    return _inward()[unit.spec.quad][location]


def hit_location(quad: bool, side: str, hit_table: str, result: int) -> int:
    """The location that a dice result names.

    ``result`` is 2 to 12 for the ``normal`` table, 1 to 6 for ``punch`` and ``kick``; ``side`` is the side struck.

    >>> BIPED_LOCATIONS[hit_location(False, "left", "normal", 8)], QUAD_LOCATIONS[hit_location(True, "rear", "kick", 5)]
    ('CT', 'RRL')
    """
    return _columns()[quad, hit_table, side][result - (2 if hit_table == "normal" else 1)]


def roll_hit_location(play: Play, unit: UnitState, side: str, hit_table: str, *, cover: bool = False, source: str = "") -> Hit:
    """Roll where a hit on ``unit`` lands and report it as a ``hit_location`` event. Rule: S-5.

    ``side``: front, left, right, rear. ``hit_table``: normal (2d6), punch or kick (1d6). ``cover``: partial cover, legs
    are hidden. With the switch ``floating_criticals`` the result that stands for a through-armour critical is rolled
    again until it names another location, which then takes the damage and the critical.
    """
    otherwise = kind_of(unit).roll_hit_location
    if otherwise is not None:
        hit: Hit = otherwise(play, unit, side, hit_table, cover=cover, source=source)
        return hit
    normal = hit_table == "normal"
    why = f"{unit.id}: hit location, {side} side" + (f", {source}" if source else "")
    roll = play.roll(2 if normal else 1, why)
    result = roll.total
    critical = normal and result == table("hit_locations")["through_armour"]
    dice = [list(roll.dice)]
    if critical and play.state.ruleset.floating_criticals == "on":
        mark = result
        while result == mark:
            roll = play.roll(2, f"{unit.id}: location of the floating critical, {side} side")
            result = roll.total
            dice.append(list(roll.dice))
    location = hit_location(unit.spec.quad, side, hit_table, result)
    hit = Hit(location, side == "rear", critical, cover and location in unit.legs)
    play.emit(
        "hit_location",
        unit,
        "S-5",
        table=hit_table,
        side=side,
        dice=dice[0] if len(dice) == 1 else dice,
        location=unit.spec.location_name(location),
        rear=hit.rear,
        critical=critical,
        covered=hit.covered,
    )
    return hit


def roll_aimed_location(play: Play, unit: UnitState, location: int, side: str, *, cover: bool = False) -> Hit:
    """Where an aimed shot at an immobile 'Mech lands: the location aimed at, or by the table. Rule: S-5.

    A first 2d6 decides whether the aim holds; if not, the location is rolled for as usual, ``cover`` hiding the legs.
    """
    name = unit.spec.location_name(location)
    roll = play.roll_2d6(f"{unit.id}: aimed shot at {name}")
    on_aim = roll.total in table("hit_locations")["aimed"]
    play.emit("aimed", unit, "S-5", location=name, dice=list(roll.dice), success=on_aim)
    return Hit(location, side == "rear") if on_aim else roll_hit_location(play, unit, side, "normal", cover=cover)
