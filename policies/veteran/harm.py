"""What a hit of a weapon does by the class of its target: points to armour, troopers, what suits can hold. Rule: S-5, S-9.

Means over the very functions that resolve hits. A class is a word: ``""`` for anything with armour of its own, ``air`` for
what may be in flight, ``troops`` and ``mechanized`` for platoons (in troopers, before the open doubles them),
``suits:N`` for battle armour of which each can hold N points.
"""

from __future__ import annotations

from functools import cache

from opfor.rules.shooting.expectation import damage_on_hit, dice_odds, mean_cluster, outcomes
from opfor.rules.troops.infantry_damage import burst_dice, damage_class, extra_dice, losses, plain_losses
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.spec import Mount, UnitSpec
from opfor.units.state import UnitState

_CLUSTER = table("combat")["cluster"]
_CLASSES = table("infantry")["damage_received"]
ARMOR, AIR, TROOPS, MECHANIZED, SUITS = "", "air", "troops", "mechanized", "suits:"


def class_of(spec: UnitSpec) -> str:
    """The class of a unit type as a target."""
    known: str | None = spec.tables.get("veteran_class")
    if known is None:
        known = spec.tables["veteran_class"] = _class_of(spec)
    return known


def _class_of(spec: UnitSpec) -> str:
    if spec.kind == "infantry":
        return MECHANIZED if spec.motive.startswith("mechanized") else TROOPS
    if spec.kind == "battle_armor":
        return f"{SUITS}{max(spec.armor) + 1}"
    return AIR if spec.kind == "vtol" else ARMOR


def cluster_bonus(unit: UnitState, mount: Mount, mode: FireMode, bracket: int) -> int:
    """Modifier of the cluster roll that the unit's own fire control gives, hostile ECM left aside. Rule: S-4."""
    bonus = 0
    if mode.cluster:
        if mount.artemis >= 0 and not unit.equipment_lost >> mount.artemis & 1:
            bonus += int(_CLUSTER["artemis_iv"])
        if "cluster_plus2_short_minus2_long" in mode.weapon.flags:
            bonus += int(_CLUSTER["hag"][bracket])
    return bonus


def mean_damage(unit: UnitState, mount: Mount, mode: FireMode, bracket: int, distance: int, versus: str = ARMOR) -> float:
    """Mean damage of one hit of a weapon at a range bracket and distance, to a class of target. Rule: S-5, S-9."""
    inside = distance <= mode.weapon.minimum
    if versus in (ARMOR, AIR) and not unit.spec.is_infantry:
        return damage_on_hit(mode, bracket, cluster_bonus(unit, mount, mode, bracket), inside_minimum=inside)
    each = mode.damage(bracket, inside_minimum=inside)
    guided = cluster_bonus(unit, mount, mode, bracket)
    return sum([odds * _harm(unit, mode, parts, versus) for odds, parts in outcomes(unit, mount, mode, each, guided)])


def _harm(unit: UnitState, mode: FireMode, parts: list[int], versus: str) -> float:
    """What a hit with these parts does to a class of target."""
    if versus.startswith(SUITS):
        holds = int(versus.removeprefix(SUITS))
        return float(sum([min(points, holds) for points in parts]))
    if versus in (ARMOR, AIR):
        return float(sum(parts))
    name = damage_class(mode)
    dice = burst_dice(name, len(parts)) or (extra_dice(unit, mode) if sum(parts) else 0)
    mechanized = versus == MECHANIZED
    halved = name != "infantry" and bool(_CLASSES[name].get("half"))
    mean = 0.0
    for thrown, odds in dice_odds(dice, halved):
        plain = thrown if halved else plain_losses(name, parts, [thrown] if dice else [])
        mean += odds * losses(name, plain, mechanized=mechanized, open_ground=False)
    return mean


def groups_of(unit: UnitState, mount: Mount, mode: FireMode, bracket: int, *, indirect: bool = False) -> tuple[float, float]:
    """A hit of a weapon as (mean number of groups, mean points of a group), for what has armour. Rule: S-5."""
    if not unit.spec.is_infantry:
        return _mode_groups(mode, bracket, 0 if indirect else cluster_bonus(unit, mount, mode, bracket))
    groups = points = 0.0
    for odds, parts in outcomes(unit, mount, mode, mode.damage(bracket)):
        groups += odds * len(parts)
        points += odds * sum(parts)
    return max(1.0, groups), points / max(1.0, groups)


@cache
def _mode_groups(mode: FireMode, bracket: int, bonus: int) -> tuple[float, float]:
    each = mode.damage(bracket)
    if not mode.cluster:
        return 1.0, float(each)
    hits = float(mode.cluster) if "streak" in mode.weapon.flags else mean_cluster(mode.cluster, mode.cluster_mod + bonus)
    if mode.each_hit_separate:
        return hits, float(each)
    group = max(mode.group, 1)
    return max(1.0, hits * each / group), float(min(group, hits * each))
