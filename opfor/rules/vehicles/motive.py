"""Motive systems of vehicles: the roll, what it costs, and vehicles that move no more. Rule: E-16."""

from __future__ import annotations

from opfor.rules.harm.destruction import destroy
from opfor.rules.play import Play
from opfor.rules.vehicles import vtol
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "E-16"


def motive_modifier(motive: str, side: str) -> int:
    """What the kind of drive and the side struck (front, rear, left, right) add to the roll. Rule: E-16.

    >>> motive_modifier("hover", "left"), motive_modifier("tracked", "rear"), motive_modifier("vtol", "front")
    (5, 1, 0)
    """
    rows = table("vehicles")["motive"]
    return int(rows["side"][side]) + int(rows["type"][motive])


def motive_effect(total: int) -> str:
    """The effect of a modified roll: none, minor, moderate, heavy or major.

    >>> [motive_effect(n) for n in (2, 5, 6, 8, 11, 12, 17)]
    ['none', 'none', 'minor', 'moderate', 'heavy', 'major', 'major']
    """
    effect = "none"
    for start, name in table("vehicles")["motive"]["results"]:
        if total >= start:
            effect = str(name)
    return effect


def roll_motive(play: Play, unit: UnitState, side: str, *, why: str = "hit") -> str:
    """Roll for motive damage by a hit from a side and apply it. Returns the effect, ``none`` too for what cannot move. E-16."""
    if unit.destroyed or unit.immobilized or not unit.spec.is_vehicle:
        return "none"
    modifier = motive_modifier(unit.spec.motive, side)
    roll = play.roll_2d6(f"{unit.id}: motive damage, {side} side")
    effect = motive_effect(roll.total + modifier)
    play.emit("motive_roll", unit, RULE, why=why, side=side, dice=list(roll.dice), modifier=modifier, effect=effect)
    damage_motive(play, unit, effect)
    return effect


def damage_motive(play: Play, unit: UnitState, effect: str) -> None:
    """Apply an effect of the motive damage table. Rule: E-16.

    The driving penalty of a grade counts once, lost cruising MP add up: one for moderate, half of what is left for heavy
    damage (what stays is rounded up).
    """
    if effect == "none":
        return
    bits: dict[str, int] = table("vehicles")["motive"]["bits"]
    unit.motive_hits |= bits.get(effect, 0)
    if effect == "major":
        immobilize(play, unit, "motive system destroyed", RULE)
    elif effect == "moderate":
        lose_cruise(play, unit, 1, RULE)
    elif effect == "heavy":
        lose_cruise(play, unit, cruise_left(unit) // 2, RULE)


def cruise_left(unit: UnitState) -> int:
    """Cruising MP after what damage has cost."""
    return max(0, unit.spec.walk - unit.cruise_lost)


def lose_cruise(play: Play, unit: UnitState, points: int, rule: str) -> None:
    """Cruising MP are lost for good; a vehicle without any left moves no more. Rules: E-16, E-28, E-29."""
    points = min(points, cruise_left(unit))
    if not points:
        return
    unit.cruise_lost += points
    play.emit("cruise_lost", unit, rule, points=points, left=cruise_left(unit))
    if not cruise_left(unit):
        immobilize(play, unit, "no cruising MP left", rule)


def immobilize(play: Play, unit: UnitState, why: str, rule: str) -> None:
    """The vehicle moves no more. In the air it lands or crashes; a hover vehicle on open water sinks. E-16, E-24, E-29."""
    if unit.destroyed or unit.immobilized:
        return
    unit.immobilized = True
    play.emit("immobilized", unit, rule, why=why)
    if vtol.airborne(play.state, unit):
        vtol.forced_down(play, unit, why, rule)
    elif unit.spec.motive == "hover" and on_water(play, unit):
        destroy(play, unit, "sank", rule)


def on_water(play: Play, unit: UnitState) -> bool:
    """Whether a unit is on the surface of open water, not on a bridge over it."""
    return unit.cell >= 0 and unit.elevation == 0 and play.state.board.depth[unit.cell] > 0
