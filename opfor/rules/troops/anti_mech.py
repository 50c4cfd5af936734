"""Leg attacks and swarming: infantry at a 'Mech in its own hex. Rule: S-9.

Both are weapons of the unit as far as orders go (mounts ``leg_attack`` and ``swarm``), rolled for with the anti-'Mech skill. A
unit that swarms clings to its target, is carried about with it, and strikes it in every fire phase until it lets go, is
shaken off (a fall; a piloting roll after running or jumping; water), or one of the two is no more. One unit at a time
swarms a target; the target itself cannot fire at what clings to it.
"""

from __future__ import annotations

from typing import Any

from opfor.rules.harm.damage import apply_damage
from opfor.rules.harm.hit_locations import Hit, roll_hit_location
from opfor.rules.pilots.piloting import piloting_number
from opfor.rules.play import Play
from opfor.rules.shooting.common_modifiers import modifier
from opfor.rules.shooting.frame import Frame
from opfor.rules.shooting.numbers import steps_at
from opfor.rules.shooting.shot import Shot
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.rules.terrain.minefields import CLEAR_MINES, clear_by_hand, why_not_clear
from opfor.rules.troops.clinging import let_go, swarmer_of
from opfor.rules.troops.infantry import (
    DIG_IN,
    RULE,
    RULES,
    dig_in,
    in_groups,
    leave_cover,
    platoon_damage,
    trooper_damage,
    troopers,
    why_not_dig_in,
)
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import BIPED_LOCATIONS, QUAD_LOCATIONS, SQUAD, Mount
from opfor.units.state import UnitState

LEG_ATTACK, SWARM = "leg_attack", "swarm"
LET_GO = "let go"
_FIGURES: dict[str, Any] = RULES["anti_mech"]
_TO_HIT: dict[str, Any] = table("to_hit")


def is_anti_mech(mount: Mount) -> bool:
    """Whether a mount stands for a leg or swarm attack."""
    return "anti_mech" in mount.weapon.flags


def clings(unit: UnitState, target: UnitState, mount: Mount) -> bool:
    """Whether the unit swarms the target already, so that the attack needs no roll. Rule: S-9."""
    return mount.id == SWARM and unit.swarming == target.id


# -- what it needs ----------------------------------------------------------------------------------------------------


def why_not(attacker: UnitState, mount: Mount, seen: Frame) -> str:
    """Why a leg or swarm attack cannot be made, or "". Rule: S-9."""
    target = seen.target
    if attacker.swarming:
        if attacker.swarming != target.id:
            return f"it clings to {attacker.swarming}"
        return "" if mount.id == SWARM else "it clings to the target already"
    if seen.distance:
        return "the target is not in the same hex"
    if mount.id == LEG_ATTACK and not target.spec.is_mech:
        return "only 'Mechs have legs to attack"
    if target.spec.is_infantry:
        return "only 'Mechs and vehicles can be swarmed"
    if attacker.cell == target.cell and attacker.elevation != target.elevation:
        return "the target is above or below"
    if mount.id == SWARM and seen.swarmer and seen.swarmer != attacker.id:
        return f"{seen.swarmer} swarms the target already"
    if strength_modifier(attacker, mount) is None:
        return "too few are left for that"
    return ""


def strength_modifier(attacker: UnitState, mount: Mount) -> int | None:
    """Modifier by the troopers or suits left, None when they are too few. Rule: S-9."""
    rows = _FIGURES[mount.id]["troopers" if attacker.spec.kind == "infantry" else "suits"]
    number = troopers(attacker)
    return None if number < rows[0][0] else steps_at(rows, number)


def anti_mech_number(attacker: UnitState, mount: Mount, seen: Frame) -> TargetNumber:
    """The number of a leg or swarm attack, itemised, or why it cannot be made. Rule: S-9.

    Anti-'Mech skill, those left, how the target moved and stands; neither range nor terrain. A unit that clings already needs
    nothing.
    """
    why = why_not(attacker, mount, seen)
    if why:
        return TargetNumber.impossible(why, RULE)
    target = seen.target
    if attacker.swarming:
        return TargetNumber([modifier("clings to the target", 0, RULE)])
    row = _FIGURES[mount.id]
    items = [modifier("anti-'Mech skill", attacker.piloting, RULE)]
    _add(items, "troopers left" if attacker.spec.kind == "infantry" else "suits left", strength_modifier(attacker, mount) or 0)
    moved = steps_at(_TO_HIT["target_movement"]["by_hexes"], target.hexes_moved)
    _add(items, f"target moved {target.hexes_moved}", moved)
    if target.mode == "jump":
        _add(items, "target jumped", _TO_HIT["target_movement"]["jumped"])
    if target.skidded:
        _add(items, "target skidded", _TO_HIT["target_movement"]["skidded"])
    if target.immobile:
        _add(items, "target immobile", _TO_HIT["immobile"])
    if target.prone:
        _add(items, "prone target, adjacent", row["prone"])
    if target.spec.is_vehicle:
        _add(items, "vehicle", row.get("vehicle", 0))
    return TargetNumber(items)


def _add(items: list[Modifier], what: str, value: int) -> None:
    if value:
        items.append(modifier(what, value, RULE))


# -- what it does -----------------------------------------------------------------------------------------------------


def strike(play: Play, shot: Shot) -> None:
    """A leg or swarm attack that hits. Rule: S-9."""
    unit, target = shot.attacker, shot.target
    if target.destroyed:
        return
    if shot.mount.id == LEG_ATTACK:
        hit = roll_hit_location(play, target, "front", "kick", source=f"{unit.id} leg attack")
        points = int(_FIGURES[LEG_ATTACK]["damage"])
        apply_damage(play, target, hit.location, points, critical=True, rule=RULE, source=f"{unit.id} leg attack")
    elif shot.clinging:
        strike_swarmed(play, unit, target, shot.clinging)
    elif unit.alive and swarmer_of(play.state, target) is None:
        unit.swarming = target.id
        unit.dug_in = False
        play.state.touch()
        play.emit("swarms", unit, RULE, target=target.id)


def swarm_damage(unit: UnitState) -> int:
    """Points that a clinging unit does in a turn: all troopers hit, suits with all but their missiles. Rule: S-9."""
    if unit.spec.kind == "infantry":
        return platoon_damage(troopers(unit), trooper_damage(unit, unit.spec.mounts[0].modes[0]))
    total = 0
    for mount in unit.spec.mounts:
        if (
            is_anti_mech(mount)
            or mount.weapon.is_missile
            or unit.mounts_lost >> mount.index & 1
            or "infantry" in mount.weapon.flags
        ):
            continue
        carried = troopers(unit) if mount.location == SQUAD else int(unit.structure[mount.location] > 0)
        total += carried * mount.modes[0].damage(0)
    return total


def strike_swarmed(play: Play, unit: UnitState, target: UnitState, points: int) -> None:
    """A clinging unit strikes its target: a platoon in groups of two points, suits all at one place. Rule: S-9."""
    group = int(RULES["group"]) if unit.spec.kind == "infantry" else max(1, points)
    for part in in_groups(points, group):
        if target.destroyed:
            return
        hit = roll_swarm_location(play, target, source=f"{unit.id} swarming")
        apply_damage(
            play, target, hit.location, part, rear=hit.rear, critical=hit.critical, rule=RULE, source=f"{unit.id} swarming"
        )


def roll_swarm_location(play: Play, target: UnitState, source: str) -> Hit:
    """Where troopers that cling to a 'Mech strike; a vehicle is struck on a side by chance. Rule: S-9, S-5."""
    if not target.spec.is_mech:
        return roll_hit_location(play, target, random_side(play, target), "normal", source=source)
    roll = play.roll_2d6(f"{target.id}: hit location, {source}")
    name = RULES["swarm_hits"]["quad" if target.spec.quad else "biped"][roll.total - 2]
    rear = len(name) == 3 and name.endswith("R") and name[:2] in ("CT", "RT", "LT")
    location = (QUAD_LOCATIONS if target.spec.quad else BIPED_LOCATIONS).index(name[:2] if rear else name)
    play.emit(
        "hit_location",
        target,
        RULE,
        table="swarm",
        side="rear" if rear else "front",
        dice=list(roll.dice),
        location=target.spec.location_name(location),
        rear=rear,
        critical=False,
        covered=False,
    )
    return Hit(location, rear)


def random_side(play: Play, target: UnitState) -> str:
    """The side that an attack from the target's own hex strikes: by 1d6, as a fall does. Rule: S-9."""
    roll = play.roll(1, f"{target.id}: side struck from its own hex")
    return str(table("piloting_rolls")["fall"]["facing"][roll.total][1])


# -- holding on -------------------------------------------------------------------------------------------------------


def under_water(state: State, target: UnitState) -> bool:
    """Whether a unit lies or stands in water that closes over it."""
    return target.cell >= 0 and target.elevation < 0 and state.top(target) < state.board.level[target.cell]


def after_movement(play: Play, target: UnitState) -> None:
    """A unit that has moved: water washes off what clings to it, after running or jumping a roll shakes it off. Rule: S-9.

    A platoon that moves leaves the trenches that it dug.
    """
    leave_cover(target)
    unit = swarmer_of(play.state, target)
    if unit is None:
        return
    if target.gone:
        unit.gone = True
        unit.swarming = ""
        play.state.touch()
        return
    if not target.alive:
        let_go(play, unit, "its target is destroyed")
    elif under_water(play.state, target):
        let_go(play, unit, "washed off")
    elif (
        target.mode in RULES["shaken_off_by"]
        and target.active
        and play.check(
            target, shake_off_number(play.state, target), "piloting, to shake off what clings to it", RULE, reason="shake_off"
        )
    ):
        let_go(play, unit, "shaken off")


def shake_off_number(state: State, target: UnitState) -> TargetNumber:
    """The roll to shake off troopers: piloting of a 'Mech, driving of a vehicle. Rule: S-9, S-6."""
    if target.spec.is_mech:
        return piloting_number(state, target, "shake_off")
    return TargetNumber([Modifier("driving", target.piloting, RULE)])


# -- in place of firing -----------------------------------------------------------------------------------------------


def infantry_tasks(state: State, unit: UnitState) -> tuple[str, ...]:
    """What infantry may do in the fire phase instead of firing: let go of what it clings to, dig in. Rule: S-9."""
    if unit.swarming:
        return (LET_GO,)
    found = () if why_not_dig_in(state, unit) else (DIG_IN,)
    return found if why_not_clear(state, unit) else (*found, CLEAR_MINES)


def do_task(play: Play, unit: UnitState, words: str) -> None:
    """Do it, when the fire of the phase is over. Rule: S-9."""
    if words == LET_GO:
        let_go(play, unit, "by order")
    elif words == DIG_IN:
        dig_in(play, unit)
    elif words == CLEAR_MINES:
        clear_by_hand(play, unit)
