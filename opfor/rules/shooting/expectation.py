"""What an attack is worth before the dice: means over the 2d6 curve, tabled. Rule: S-4, S-5.

Plans may use chances, never coming dice. Everything here is a mean of the very functions that resolve attacks.
"""

from __future__ import annotations

from functools import cache

from opfor.dice import EXACTLY_2D6, chance_2d6
from opfor.rules.harm.hit_locations import hit_location
from opfor.rules.loads.munition_harm import harm_of_hits
from opfor.rules.loads.munitions import points_by_load
from opfor.rules.shooting.cluster import cluster_hits
from opfor.rules.shooting.weapon_fire import salvo
from opfor.rules.terrain.buildings import shelter_of
from opfor.rules.troops.anti_mech import LEG_ATTACK, is_anti_mech, swarm_damage
from opfor.rules.troops.infantry import in_groups, in_the_open, salvo_column, squad_parts
from opfor.rules.troops.infantry_damage import burst_dice, damage_class, extra_dice, is_mechanized, losses, plain_losses
from opfor.state import State
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.munition_loads import FRAGMENTATION
from opfor.units.spec import Mount
from opfor.units.state import UnitState


@cache
def mean_cluster(column: int, modifier: int = 0) -> float:
    """Mean number of hits of a salvo of size ``column`` with a modified cluster roll.

    >>> round(mean_cluster(20), 2), mean_cluster(2, 0) < 2
    (12.69, True)
    """
    return sum(EXACTLY_2D6[roll] * cluster_hits(column, roll, modifier) for roll in range(2, 13))


def damage_on_hit(
    mode: FireMode, bracket: int, cluster_modifier: int = 0, *, inside_minimum: bool = False, met: bool = False
) -> float:
    """Mean points of damage of one hit at a range bracket; heat put into the target counts nothing here.

    ``met``: an anti-missile system meets the salvo.
    """
    each = mode.damage(bracket, inside_minimum=inside_minimum)
    defence = table("combat")["anti_missile"]
    if met:
        cluster_modifier += defence["cluster"]
    if not mode.cluster:
        return each * ((defence["single_destroyed_at"] - 1) / 6 if met else 1.0)
    if "streak" in mode.weapon.flags:
        return float(each * cluster_hits(mode.cluster, table("combat")["streak_cluster_roll"], cluster_modifier))
    return each * mean_cluster(mode.cluster, mode.cluster_mod + cluster_modifier)


def expected_damage(
    mode: FireMode,
    target_number: int,
    bracket: int,
    cluster_modifier: int = 0,
    *,
    inside_minimum: bool = False,
    met: bool = False,
) -> float:
    """Mean points of damage of an attack that needs ``target_number`` on 2d6; the rest as for :func:`damage_on_hit`."""
    hit = damage_on_hit(mode, bracket, cluster_modifier, inside_minimum=inside_minimum, met=met)
    return chance_2d6(target_number) * hit


@cache
def location_odds(quad: bool, side: str, hit_table: str) -> tuple[float, ...]:
    """Chance of each of the eight locations to be struck by a hit from ``side`` on a hit table."""
    odds = [0.0] * 8
    if hit_table == "normal":
        for result in range(2, 13):
            odds[hit_location(quad, side, hit_table, result)] += EXACTLY_2D6[result]
    else:
        for result in range(1, 7):
            odds[hit_location(quad, side, hit_table, result)] += 1 / 6
    return tuple(odds)


@cache
def critical_odds() -> tuple[float, ...]:
    """Chance of 0, 1, 2 and 3 critical hits (a blown-off limb counts as 3) of one critical roll."""
    odds = [0.0, 0.0, 0.0, 0.0]
    for roll, hits in table("criticals")["roll"].items():
        odds[hits if isinstance(hits, int) else 3] += EXACTLY_2D6[roll]
    return tuple(odds)


#: mean of a die
_DIE = 3.5

# -- infantry, as attacker and as target ------------------------------------------------------------------------------


def outcomes(unit: UnitState, mount: Mount, mode: FireMode, each: int, modifier: int = 0) -> list[tuple[float, list[int]]]:
    """Every way that a hit may turn out with its chance: points by hit location roll, ``each`` a shot. Rule: S-5, S-9.

    ``modifier`` is that of the cluster roll beside the mode's own.
    """
    infantry = unit.spec.is_infantry

    def parts(hits: int) -> list[int]:
        return squad_parts(unit, mode, hits, each) if infantry else salvo(mode, hits, each)

    return [(odds, parts(hits)) for odds, hits in hit_odds(unit, mount, mode, modifier)]


def hit_odds(unit: UnitState, mount: Mount, mode: FireMode, modifier: int = 0) -> list[tuple[float, int]]:
    """Every number of missiles, shots or pellets that may strike by a hit, with its chance. Rule: S-5, S-9."""
    column = salvo_column(unit, mount, mode)
    if column <= 1:
        return [(1.0, min(1, column) if unit.spec.is_infantry else 1)]
    modifier += mode.cluster_mod
    if "streak" in mode.weapon.flags:
        return [(1.0, cluster_hits(column, table("combat")["streak_cluster_roll"], modifier))]
    chances: dict[int, float] = {}
    for roll in range(2, 13):
        hits = cluster_hits(column, roll, modifier)
        chances[hits] = chances.get(hits, 0.0) + EXACTLY_2D6[roll]
    return [(odds, hits) for hits, odds in chances.items()]


@cache
def dice_odds(count: int, halved: bool = False) -> tuple[tuple[int, float], ...]:
    """Each sum of ``count`` dice with its chance; ``halved``: each die is halved, rounded up.

    >>> round(dict(dice_odds(2))[7] * 36, 6), [total for total, _ in dice_odds(1, True)]
    (6.0, [1, 2, 3])
    """
    ways = {0: 1}
    for _ in range(count):
        after: dict[int, int] = {}
        for total, number in ways.items():
            for die in range(1, 7):
                sum_ = total + (-(-die // 2) if halved else die)
                after[sum_] = after.get(sum_, 0) + number
        ways = after
    return tuple((total, number / 6**count) for total, number in sorted(ways.items()))


@cache
def _mean_losses(
    name: str, parts: tuple[int, ...], dice: int, mechanized: bool, open_ground: bool, percent: int, most: int
) -> float:
    # of the dice only the sum counts, whatever the class; halves are taken die by die beforehand
    halved = name != "infantry" and bool(table("infantry")["damage_received"][name].get("half"))
    total = 0.0
    for thrown, odds in dice_odds(dice, halved):
        plain = thrown if halved else plain_losses(name, list(parts), [thrown] if dice else [])
        total += odds * min(most, losses(name, plain, mechanized=mechanized, open_ground=open_ground) * percent // 100)
    return total


def plasma_dice(mode: FireMode) -> int:
    """Dice that a plasma weapon does beside its damage to what does not heat up. Rule: S-4."""
    return sum(count for flag, count in table("combat")["plasma"]["dice"].items() if flag in mode.weapon.flags)


def mean_losses(state: State, unit: UnitState, mode: FireMode, parts: list[int], target: UnitState) -> float:
    """Mean troopers that a platoon loses by a hit of ``parts`` points, never more than it has. Rule: S-9."""
    name = damage_class(mode)
    dice = burst_dice(name, len(parts)) or (extra_dice(unit, mode) if sum(parts) else 0)
    shelter = shelter_of(state, unit, target)
    percent = 100 if shelter is None or shelter.percent is None else shelter.percent
    open_ground = in_the_open(state, target)
    return _mean_losses(name, tuple(parts), dice, is_mechanized(target), open_ground, percent, target.structure[0])


def harm_on_hit(
    state: State, unit: UnitState, mount: Mount, mode: FireMode, target: UnitState, distance: int, modifier: int = 0
) -> float:
    """What one hit does to a target on the mean: points of damage, or troopers of a platoon. Rule: S-5, S-9.

    A suit holds no more than its armour and its trooper; what is more is lost. Leg attacks and swarming do what they do in
    a turn; taking hold does nothing yet. ``modifier``: of the cluster roll, beside the mode's own.
    """
    if is_anti_mech(mount):
        if mount.id == LEG_ATTACK:
            return float(table("infantry")["anti_mech"][LEG_ATTACK]["damage"])
        return float(swarm_damage(unit)) if unit.swarming == target.id else 0.0
    bracket = mode.weapon.bracket(distance) or 0
    inside = distance <= mode.weapon.minimum
    burns = 0 if target.spec.is_mech else plasma_dice(mode)
    if mode.munition:
        plain = mode.damage(bracket, inside_minimum=inside)
        of_load = [
            (odds, harm_of_hits(state, unit, mode, target, hits, plain)) for odds, hits in hit_odds(unit, mount, mode, modifier)
        ]
        if all(harm is not None for _, harm in of_load):
            return sum(odds * (harm or 0.0) for odds, harm in of_load)
    if not unit.spec.is_infantry and not target.spec.is_infantry and mode.munition == FRAGMENTATION:
        ways = outcomes(unit, mount, mode, mode.damage(bracket, inside_minimum=inside), modifier)
        return sum(odds * sum(points_by_load(state, mode, target, parts)) for odds, parts in ways)
    if not unit.spec.is_infantry and not target.spec.is_infantry:
        return damage_on_hit(mode, bracket, modifier, inside_minimum=inside) + _DIE * burns
    each = mode.damage(bracket, inside_minimum=inside)
    ways = outcomes(unit, mount, mode, each, modifier)
    if burns and target.spec.kind != "infantry":
        group = int(table("combat")["plasma"]["group"])
        ways = [(a * b, in_groups(sum(parts) + thrown, group)) for a, parts in ways for thrown, b in dice_odds(burns)]
    total = 0.0
    if mode.munition:
        ways = [(odds, points_by_load(state, mode, target, parts)) for odds, parts in ways]
    for odds, parts in ways:
        if target.spec.kind == "infantry":
            total += odds * mean_losses(state, unit, mode, parts, target)
        elif target.spec.kind == "battle_armor":
            held = [a + s for a, s in zip(target.armor, target.structure, strict=True) if s > 0]
            total += odds * sum(min(points, most) for points in parts for most in held) / max(1, len(held))
        else:
            total += odds * sum(parts)
    return total
