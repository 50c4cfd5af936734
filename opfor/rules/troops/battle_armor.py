"""Squads of battle armour as targets: a suit for each hit, what it cannot hold is lost with it. Rule: S-9."""

from __future__ import annotations

from opfor.rules.harm.destruction import destroy
from opfor.rules.harm.hit_locations import Hit
from opfor.rules.kinds import Kind
from opfor.rules.play import Play
from opfor.rules.troops.anti_mech import do_task, infantry_tasks
from opfor.rules.troops.clinging import forget
from opfor.rules.troops.infantry import RULE, troopers
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState


def roll_hit_location(play: Play, unit: UnitState, side: str, hit_table: str, *, cover: bool = False, source: str = "") -> Hit:
    """The suit that a hit strikes: 1d6, again for suits that are dead or were never there. Rule: S-9."""
    dice: list[list[int]] = []
    why = f"{unit.id}: suit hit" + (f", {source}" if source else "")
    while True:
        roll = play.roll(1, why)
        dice.append(list(roll.dice))
        suit = roll.total - 1
        if suit < len(unit.structure) and unit.structure[suit] > 0:
            break
        if not troopers(unit):
            suit = 0
            break
    shown = dice[0] if len(dice) == 1 else dice
    play.emit("hit_location", unit, RULE, table="suits", side=side, dice=shown, location=unit.spec.location_name(suit))
    return Hit(suit)


def apply_damage(
    play: Play,
    target: UnitState,
    location: int,
    points: int,
    *,
    rear: bool = False,
    critical: bool = False,
    rule: str = RULE,
    source: str = "",
) -> int:
    """Damage to one suit: armour, then the trooper in it; the rest is lost. Returns what was lost. Rule: S-9."""
    if points <= 0 or target.destroyed or target.structure[location] <= 0:
        return max(0, points)
    off = min(target.armor[location], points)
    deep = min(target.structure[location], points - off)
    target.armor[location] -= off
    target.structure[location] -= deep
    target.damage_this_phase += off + deep
    name = target.spec.location_name(location)
    over = points - off - deep
    play.emit(
        "damage",
        target,
        rule,
        source=source,
        location=name,
        rear=False,
        armor=off,
        structure=deep,
        armor_left=target.armor[location],
        structure_left=target.structure[location],
        goes_on=0,
    )
    if target.structure[location] <= 0:
        target.armor[location] = 0
        lost = []
        for mount in target.spec.mounts:
            if mount.location == location and not target.mounts_lost >> mount.index & 1:
                target.mounts_lost |= 1 << mount.index
                lost.append(mount.name)
        play.emit("location_lost", target, rule, location=name, why="suit destroyed", lost=lost)
        if not troopers(target):
            destroy(play, target, "no suits left", rule)
    return over


def crippled(state: State, unit: UnitState) -> str:
    """Why a squad counts as crippled, or "": too few suits left. Rule: S-11."""
    left, full = troopers(unit), len(unit.spec.structure)
    return f"{left} of {full} suits left" if left < table("withdrawal")["suits_below"] * full else ""


def remaining(unit: UnitState) -> tuple[int, int]:
    """Armour and structure points left and in all."""
    return sum(unit.armor) + sum(unit.structure), sum(unit.spec.armor) + sum(unit.spec.structure)


KIND = Kind(
    roll_hit_location=roll_hit_location,
    apply_damage=apply_damage,
    crippled=crippled,
    remaining=remaining,
    destroyed=forget,
    tasks=infantry_tasks,
    do_task=do_task,
)
