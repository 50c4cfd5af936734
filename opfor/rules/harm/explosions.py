"""Explosions inside a unit: ammunition and weapons that hold a charge. Rule: S-5."""

from __future__ import annotations

from opfor.rules.harm import damage
from opfor.rules.loads.inferno import explosion_heat
from opfor.rules.pilots import pilots
from opfor.rules.play import Play
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "S-5"


def bin_damage(unit: UnitState, index: int) -> int:
    """Damage that an ammunition bin would do if it exploded now. Rule: S-5."""
    return unit.ammo[index] * unit.spec.bins[index].explosion_per_shot


def worst_bin(unit: UnitState) -> int:
    """The bin that would do the most damage, the first of equals, or -1 when nothing aboard can explode. Rule: S-7."""
    best, most = -1, 0
    for bin in unit.spec.bins:
        points = bin_damage(unit, bin.index)
        if points > most:
            best, most = bin.index, points
    return best


def explode_bin(play: Play, unit: UnitState, index: int, shots: int, why: str) -> bool:
    """An ammunition bin with ``shots`` left goes up: damage to its location's structure and on inward, and the pilot is hurt.

    Nothing happens to an empty bin or one that cannot explode; False then. Rule: S-5.
    """
    bin = unit.spec.bins[index]
    unit.ammo[index] = 0
    points = shots * bin.explosion_per_shot
    if points <= 0 or unit.destroyed:
        return False
    hits = int(table("criticals")["explosion"]["ammunition_pilot_hits"])
    _explode(play, unit, bin.location, points, hits, bin.name, why, shots)
    explosion_heat(play, unit, index, shots)
    return True


def explode_weapon(play: Play, unit: UnitState, mount: int, location: int) -> bool:
    """A weapon that holds a charge is struck and discharges into the location hit. False when it cannot explode. Rule: S-5."""
    item = unit.spec.mounts[mount]
    if not item.weapon.explodes or unit.destroyed:
        return False
    hits = int(table("criticals")["explosion"]["weapon_pilot_hits"])
    _explode(play, unit, location, item.weapon.explodes, hits, item.name, "critical hit", 0)
    return True


def _explode(play: Play, unit: UnitState, location: int, points: int, pilot_hits: int, name: str, why: str, shots: int) -> None:
    spec = unit.spec
    play.emit(
        "explosion",
        unit,
        RULE,
        location=spec.location_name(location),
        name=name,
        why=why,
        shots=shots,
        damage=points,
        case=location in spec.case,
    )
    damage.damage_structure(play, unit, location, points, rule=RULE, source=f"{name} explosion")
    if not unit.destroyed:
        pilots.hurt_pilot(play, unit, pilot_hits, f"{name} explosion")
