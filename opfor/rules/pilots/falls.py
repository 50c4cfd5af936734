"""Falls: damage, the side it strikes, the facing afterwards, the pilot. Rule: S-6."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from opfor.rules.harm.damage import apply_in_groups
from opfor.rules.pilots.piloting import injury_number
from opfor.rules.pilots.pilots import hurt_pilot
from opfor.rules.play import Play
from opfor.rules.target_number import Modifier
from opfor.rules.troops.clinging import shaken_off
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "S-6"


class FallDamage(NamedTuple):
    """Points of damage: on landing (or on the water's surface), and on the bottom after falling into water from above."""

    landing: int
    bottom: int


def fall_damage(tons: int, levels: int, depth: int = 0) -> FallDamage:
    """Damage of a fall of ``levels`` down to where the unit comes to rest, at the bottom of water ``depth`` deep. Rule: S-6.

    Water halves it, rounded down. A fall that starts above the surface strikes first the surface, then the bottom.

    >>> tuple(fall_damage(55, 0)), tuple(fall_damage(55, 3)), tuple(fall_damage(55, 3, 2)), tuple(fall_damage(45, 1, 1))
    ((6, 0), (24, 0), (6, 9), (5, 0))
    """
    rules = table("piloting_rolls")["fall"]
    points = -(-tons // int(rules["tons_per_point"]))
    divisor = int(rules["water_divisor"])
    if depth <= 0:
        return FallDamage(points * (levels + 1), 0)
    if levels <= depth:
        return FallDamage(points * (levels + 1) // divisor, 0)
    return FallDamage(points * (levels - depth + 1) // divisor, points * (depth + 1) // divisor)


def facing_after_fall(facing: int, die: int) -> tuple[int, str]:
    """Facing after a fall and the side that strikes the ground, by 1d6. Rule: S-6.

    >>> facing_after_fall(5, 3)
    (1, 'right')
    """
    turn, side = table("piloting_rolls")["fall"]["facing"][die]
    return (facing + turn) % 6, side


def fall(
    play: Play,
    unit: UnitState,
    *,
    levels: int = 0,
    into_water: int | None = None,
    reason: str = "fall",
    extra: int = 0,
    rule: str = RULE,
    why: str = "",
    die: int | None = None,
    also: Sequence[Modifier] = (),
) -> None:
    """The unit falls where it is now: facing, damage in groups, the pilot's roll; it lies prone afterwards. Rule: S-6.

    ``levels`` is the whole drop to where it comes to rest; ``into_water`` the depth there (None: of its hex, when it
    stands on the bottom of it). ``reason``, ``extra`` and ``also`` are those of the failed roll, whose modifiers the pilot's
    roll keeps. ``die`` settles the facing without a roll, as 4 for a fall on the back.
    """
    state = play.state
    if any(other.swarming == unit.id for other in state.units):
        shaken_off(play, unit, "its target fell")
    depth = into_water
    if depth is None:
        depth = state.board.depth[unit.cell] if unit.elevation < 0 else 0
    dice: list[int] = []
    if die is None:
        die = play.roll(1, f"{unit.id}: facing after the fall").dice[0]
        dice = [die]
    unit.facing, side = facing_after_fall(unit.facing, die)
    unit.prone = unit.spec.is_mech
    unit.fell_this_phase = True
    if not unit.turret:
        unit.twist = 0
    unit.arms_flipped = False
    damage = fall_damage(unit.spec.tons, levels, depth)
    play.emit(
        "fall",
        unit,
        rule,
        reason=reason,
        why=why,
        at=state.board.grid.names[unit.cell],
        levels=levels,
        depth=depth,
        dice=dice,
        facing=unit.facing,
        side=side,
        damage=damage.landing,
        damage_bottom=damage.bottom,
    )
    for points in damage:
        apply_in_groups(play, unit, points, side, "normal", rule=rule, source="fall")
    # vehicles and infantry cannot lie prone, and have no pilot to be shaken
    if unit.destroyed or not unit.spec.is_mech:
        return
    number = injury_number(state, unit, reason, extra, levels, also)
    if not play.check(unit, number, "piloting, to avoid injury in the fall", RULE):
        hurt_pilot(play, unit, int(table("piloting_rolls")["fall"]["pilot_hits"]), "fall")
