"""What platoons suffer: troopers lost by the class of the weapon, doubled in the open. Rule: S-9."""

from __future__ import annotations

from typing import Any

from opfor.rules.harm.destruction import destroy
from opfor.rules.harm.hit_locations import Hit
from opfor.rules.kinds import Kind
from opfor.rules.play import Play
from opfor.rules.shooting.shot import Shot
from opfor.rules.terrain.buildings import share_inside
from opfor.rules.troops.anti_mech import do_task, infantry_tasks
from opfor.rules.troops.clinging import forget
from opfor.rules.troops.infantry import RULE, RULES, in_the_open, is_platoon_weapon
from opfor.state import State
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.state import UnitState

_CLASSES: dict[str, dict[str, Any]] = RULES["damage_received"]
_MECHANIZED: dict[str, int] = RULES["mechanized"]


def is_mechanized(unit: UnitState) -> bool:
    """Whether the platoon rides in vehicles of its own."""
    return unit.spec.motive.startswith("mechanized")


def damage_class(mode: FireMode) -> str:
    """The class by which a weapon hurts platoons, a key of ``damage_received``: ``infantry`` for troopers' weapons."""
    return "infantry" if is_platoon_weapon(mode) else mode.weapon.vs_infantry


def burst_dice(name: str, shots: int) -> int:
    """How many dice a class rolls for so many shots that hit; 0 for a class without dice. Rule: S-9."""
    return 0 if name == "infantry" else int(_CLASSES[name].get("dice", 0)) * shots


def plain_losses(name: str, parts: list[int], dice: list[int]) -> int:
    """Troopers lost before what the platoon and its hex change. ``parts``: points of each shot or group; ``dice``: thrown.

    >>> plain_losses("direct", [15], []), plain_losses("pulse", [9], []), plain_losses("cluster_missile", [2, 2, 2, 2], [])
    (2, 3, 2)
    >>> plain_losses("burst_0_5d6", [1], [5])
    3
    """
    if name == "infantry":
        return sum(parts) + sum(dice)
    row = _CLASSES[name]
    if "dice" in row:
        return sum(-(-die // 2) for die in dice) if row.get("half") else sum(dice)
    shots = [sum(parts)] if row.get("total") else parts
    if "times" in row:
        return sum(points * int(row["times"]) for points in shots)
    per = int(row["per"])
    return sum(-(-points // per) + int(row.get("plus", 0)) for points in shots if points > 0) if per else 0


def losses(name: str, plain: int, *, mechanized: bool, open_ground: bool) -> int:
    """Troopers lost in the end: mechanized platoons, the open. Rule: S-9.

    >>> losses("direct", 2, mechanized=True, open_ground=True), losses("burst_2d6", 7, mechanized=True, open_ground=True)
    (8, 4)
    >>> losses("infantry", 5, mechanized=True, open_ground=False), losses("burst_2d6", 7, mechanized=False, open_ground=True)
    (3, 14)
    """
    burst = name != "infantry" and "dice" in _CLASSES[name]
    if mechanized:
        if burst:
            return -(-plain // _MECHANIZED["burst_divisor"])
        if name == "infantry":
            plain = -(-plain // _MECHANIZED["infantry_divisor"])
        else:
            plain *= _MECHANIZED["times"]
    return plain * int(RULES["open"]) if open_ground else plain


def extra_dice(attacker: UnitState, mode: FireMode) -> int:
    """Dice that a platoon with machine guns does more to another platoon. Rule: S-9."""
    arms = attacker.spec.arms
    if arms is None or arms.weapon != "machine_gun" or not is_platoon_weapon(mode):
        return 0
    return int(RULES["machine_gun_dice"])


def take_salvo(play: Play, shot: Shot, parts: list[int]) -> None:
    """A weapon's whole hit on a platoon. ``parts``: points of each shot that hits. Rule: S-9."""
    target, mode = shot.target, shot.mode
    name = damage_class(mode)
    count = burst_dice(name, len(parts)) or (extra_dice(shot.attacker, mode) if sum(parts) else 0)
    dice: list[int] = []
    if count:
        dice = list(play.roll(count, f"{shot.attacker.id}: troopers of {target.id} hit by {shot.mount.name}").dice)
    plain = plain_losses(name, parts, dice)
    open_ground = in_the_open(play.state, target)
    lost = losses(name, plain, mechanized=is_mechanized(target), open_ground=open_ground)
    lost = share_inside(play.state, shot.attacker, target, lost)
    lose_troopers(
        play, target, lost, source=f"{shot.attacker.id} {shot.mount.name}", by=name, dice=dice, open_ground=open_ground
    )


def lose_troopers(
    play: Play,
    unit: UnitState,
    number: int,
    *,
    source: str,
    by: str = "",
    dice: list[int] | None = None,
    open_ground: bool = False,
    rule: str = RULE,
) -> int:
    """Take troopers off a platoon, which is destroyed with the last. Returns how many more there were to lose. Rule: S-9."""
    lost = min(number, unit.structure[0])
    unit.structure[0] -= lost
    unit.damage_this_phase += lost
    play.emit(
        "troopers_lost", unit, rule, source=source, by=by, dice=dice or [], open=open_ground, lost=lost, left=unit.structure[0]
    )
    if unit.structure[0] <= 0:
        destroy(play, unit, "no troopers left", rule)
    return number - lost


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
    """Damage that is not a weapon's: ``points`` troopers, doubled in the open. Returns what was too much. Rule: S-9."""
    if points <= 0 or target.destroyed:
        return max(0, points)
    open_ground = in_the_open(play.state, target)
    number = points * int(RULES["open"]) if open_ground else points
    return lose_troopers(play, target, number, source=source, open_ground=open_ground, rule=rule)


def roll_hit_location(play: Play, unit: UnitState, side: str, hit_table: str, *, cover: bool = False, source: str = "") -> Hit:
    """A platoon has no locations: no roll. Rule: S-9."""
    return Hit(0)


def crippled(state: State, unit: UnitState) -> str:
    """Why a platoon counts as crippled, or "": too few troopers left. Rule: S-11."""
    if unit.structure[0] < table("withdrawal")["troopers_below"] * unit.spec.structure[0]:
        return f"{unit.structure[0]} of {unit.spec.structure[0]} troopers left"
    return ""


def remaining(unit: UnitState) -> tuple[int, int]:
    """Troopers left and at full strength."""
    return unit.structure[0], unit.spec.structure[0]


KIND = Kind(
    roll_hit_location=roll_hit_location,
    apply_damage=apply_damage,
    crippled=crippled,
    remaining=remaining,
    take_salvo=take_salvo,
    destroyed=forget,
    tasks=infantry_tasks,
    do_task=do_task,
)
