"""Platoons and squads as attackers, and what they may do instead: strength, salvoes, the open, digging in. Rule: S-9.

Platoons fire with every trooper left, squads with every suit: the number that hit is read from the cluster table. Neither has
a facing, a modifier for its own movement, or heat.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from opfor.board.board import Board
from opfor.rules.play import Play
from opfor.state import State
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.spec import SQUAD, Mount
from opfor.units.state import UnitState

RULE = "S-9"
RULES: dict[str, Any] = table("infantry")
DIG_IN = "dig in"
_SAME_HEX = RULES["same_hex"]


def troopers(unit: UnitState) -> int:
    """Troopers or suits left."""
    return unit.structure[0] if unit.spec.kind == "infantry" else sum(1 for points in unit.structure if points > 0)


def is_platoon_weapon(mode: FireMode) -> bool:
    """Whether it is a weapon carried by troopers, as in the hands of a platoon."""
    flags = mode.weapon.flags
    return "infantry" in flags and "anti_mech" not in flags


def carriers(unit: UnitState, mount: Mount) -> int:
    """Troopers or suits left that carry the weapon: all of them, or the one suit that has it. Rule: S-9."""
    if mount.location == SQUAD or unit.spec.kind == "infantry":
        return troopers(unit)
    return int(unit.structure[mount.location] > 0)


def salvo_column(unit: UnitState, mount: Mount, mode: FireMode) -> int:
    """Column of the cluster hits table of an attack; 0 or 1 for a single shot. Rule: S-5, S-9.

    A platoon's is its troopers, a squad's its suits, times the salvo for missiles.
    """
    if not unit.spec.is_infantry:
        return mode.cluster
    number = carriers(unit, mount)
    return number * max(1, mode.cluster) if mode.weapon.is_missile else number


@cache
def platoon_damage(hits: int, damage_per_trooper: float) -> int:
    """Points of damage when so many troopers hit, halves rounded up. Rule: S-9.

    >>> platoon_damage(17, 0.52), platoon_damage(1, 0.28), platoon_damage(2, 0.28)
    (9, 0, 1)
    """
    return int(hits * damage_per_trooper + 0.5 + 1e-9)


def trooper_damage(unit: UnitState, mode: FireMode) -> float:
    """Points of damage a trooper does with the weapon."""
    if unit.spec.arms is not None:
        return unit.spec.arms.damage_per_trooper
    rows = table("infantry_units")["platoon_weapons"]
    return float(rows[mode.weapon.id.removeprefix("platoon_")]["damage"])


def in_groups(points: int, group: int) -> list[int]:
    """Points split into groups, the last one with what is left.

    >>> in_groups(5, 2), in_groups(0, 2)
    ([2, 2, 1], [])
    """
    return [group] * (points // group) + ([points % group] if points % group else [])


def squad_parts(unit: UnitState, mode: FireMode, hits: int, each: int) -> list[int]:
    """Points by hit location roll of an infantry attack of which ``hits`` struck for ``each`` points. Rule: S-9.

    Troopers' weapons strike in groups of two points, missiles in those of their launcher, other suit weapons each by itself.
    """
    if is_platoon_weapon(mode):
        return in_groups(platoon_damage(hits, trooper_damage(unit, mode)), int(RULES["group"]))
    if mode.weapon.is_missile and mode.group > each:
        return in_groups(hits * each, mode.group)
    return [each] * hits


def same_hex_modifier(mode: FireMode) -> int:
    """What an infantry weapon adds at a target in its own hex. Rule: S-9."""
    if not is_platoon_weapon(mode):
        return 0
    return int(_SAME_HEX["base"]) + int(_SAME_HEX["weapon"].get(mode.weapon.id.removeprefix("platoon_"), 0))


def offers_cover(board: Board, cell: int) -> bool:
    """Whether a hex hides troopers: woods, rubble, rough ground, swamp, a building. Rule: S-9."""
    record = board.hexes[cell]
    return bool(record.woods or record.rubble or record.rough or record.swamp or record.building)


def in_the_open(state: State, unit: UnitState) -> bool:
    """Whether a platoon's losses are doubled: in a hex without cover, and not dug in. Rule: S-9."""
    if unit.cell < 0 or unit.aboard or state.ruleset.infantry_in_the_open != "double":
        return False
    return not unit.dug_in and not offers_cover(state.board, unit.cell)


def physical_losses(points: int) -> int:
    """Troopers that a physical attack of so many points takes, before the open. Rule: S-9, S-8.

    >>> physical_losses(13), physical_losses(6)
    (1, 1)
    """
    row = RULES["physical"]
    return max(int(row["minimum"]), points // int(row["per"])) if points > 0 else 0


# -- in place of firing -----------------------------------------------------------------------------------------------


def why_not_dig_in(state: State, unit: UnitState) -> str:
    """Why a unit cannot dig in now, or "": platoons on foot that have not moved, where the ground can be dug. Rule: S-9."""
    if unit.spec.kind != "infantry" or unit.spec.motive.startswith("mechanized"):
        return "only platoons on foot, with jump packs or motor transport dig in"
    if unit.dug_in:
        return "it is dug in already"
    if unit.mode not in ("", "stand") or unit.hexes_moved:
        return "it has moved this turn"
    if unit.swarming or unit.aboard:
        return "it does not stand on the ground"
    record = state.board.hexes[unit.cell]
    if record.paved or record.building or record.bridge or record.ice or record.water >= 0:
        return "the ground there cannot be dug"
    return ""


def dig_in(play: Play, unit: UnitState) -> None:
    """The platoon digs in: harder to hit, and in cover, until it moves. Rule: S-9."""
    if unit.alive and not why_not_dig_in(play.state, unit):
        unit.dug_in = True
        play.emit("dug_in", unit, RULE, at=play.state.board.grid.names[unit.cell])


def leave_cover(unit: UnitState) -> None:
    """A platoon that moves is no longer dug in. Rule: S-9."""
    if unit.dug_in and (unit.hexes_moved or unit.mode not in ("", "stand")):
        unit.dug_in = False
