"""What depends on the kind of a unit: one table from kind to the functions of its family. Rule: S-5, S-9, S-10.

'Mechs are the plain case and are worked out where the rule stands; :func:`kind_of` names what stands in for it for the other
kinds. A family fills in its row in its own module, loaded when first asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from opfor.units.state import UnitState


@dataclass(frozen=True, slots=True)
class Kind:
    """The functions of a kind of unit; None: as for a 'Mech, or nothing to do.

    ``roll_hit_location(play, unit, side, hit_table, *, cover, source) -> Hit``;
    ``apply_damage(play, target, location, points, *, rear, critical, rule, source) -> points wasted``;
    ``damage_structure(play, target, location, points, *, rule, source)`` deals damage from inside; ``roll_criticals(play, unit,
    location, *, modifier, why) -> hits``; ``destroyed(play, unit, why, rule)`` follows a unit's destruction;
    ``crippled(state, unit) -> why, or ""``; ``remaining(unit) -> (points left, points when whole)``;
    ``take_salvo(play, shot, parts)`` deals a weapon's whole hit, ``parts`` points by hit location roll, where locations and
    groups are not how the kind takes damage; ``tasks(state, unit) -> (words, ...)`` what the unit may do in the fire phase
    instead of firing (:attr:`opfor.orders.FireOrder.clear`) and ``do_task(play, unit, words)`` does it.
    """

    roll_hit_location: Callable[..., Any] | None = None
    apply_damage: Callable[..., int] | None = None
    damage_structure: Callable[..., int] | None = None
    roll_criticals: Callable[..., int] | None = None
    destroyed: Callable[..., None] | None = None
    crippled: Callable[..., str] | None = None
    remaining: Callable[[UnitState], tuple[int, int]] | None = None
    take_salvo: Callable[..., None] | None = None
    tasks: Callable[..., tuple[str, ...]] | None = None
    do_task: Callable[..., None] | None = None


MECH = Kind()
#: module of each other kind, with a KIND of this shape
_MODULES = {
    "hex": "opfor.rules.terrain.hex_fire",
    "infantry": "opfor.rules.troops.infantry_damage",
    "battle_armor": "opfor.rules.troops.battle_armor",
    "vehicle": "opfor.rules.vehicles.vehicle_damage",
    "vtol": "opfor.rules.vehicles.vehicle_damage",
}


@cache
def kind_named(kind: str) -> Kind:
    """The functions of a kind. Raises KeyError for an unknown one."""
    if kind == "mech":
        return MECH
    found: Kind = import_module(_MODULES[kind]).KIND
    return found


def kind_of(unit: UnitState) -> Kind:
    """The functions of a unit's kind."""
    return kind_named(unit.spec.kind)
