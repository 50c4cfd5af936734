"""What an attack is worth before the dice: means over the 2d6 curve, tabled. Rule: S-4, S-5.

Plans may use chances, never coming dice. Everything here is a mean of the very functions that resolve attacks.
"""

from __future__ import annotations

from functools import cache

from opfor.dice import EXACTLY_2D6, chance_2d6
from opfor.rules.cluster import cluster_hits
from opfor.rules.hit_locations import hit_location
from opfor.tables import table
from opfor.tables.arsenal import FireMode


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
