"""Crews of vehicles: who is hit, what that costs, stunned crews. Rules: E-20 to E-23, E-29."""

from __future__ import annotations

from opfor.rules.play import Play
from opfor.rules.vehicles import vtol
from opfor.rules.vehicles.crew_conditions import COMMANDER, COPILOT, DRIVER, KILLED, PILOT
from opfor.units.state import UnitState


def stun_crew(play: Play, unit: UnitState, why: str) -> None:
    """The crew is stunned for a turn from the next one on, or for one more; killed if commander and driver are hit. E-22."""
    if unit.destroyed or unit.crew & KILLED:
        return
    if unit.crew & COMMANDER and unit.crew & DRIVER:
        kill_crew(play, unit, "stunned with commander and driver hit", "E-22")
        return
    _stun(play, unit, why)


def _stun(play: Play, unit: UnitState, why: str) -> None:
    unit.stunned_next += 1
    # turns of this battle's count that are lost, whatever is left of this one
    play.emit("crew_stunned", unit, "E-22", why=why, turns=max(0, unit.stunned - 1) + unit.stunned_next)


def hit_commander(play: Play, unit: UnitState) -> None:
    """The commander is hit: the crew is stunned, and shoots and drives worse for good; again, it is stunned. E-20."""
    if unit.crew & COMMANDER:
        stun_crew(play, unit, "commander hit again")
        return
    unit.crew |= COMMANDER
    play.emit("crew_hit", unit, "E-20", who="commander")
    # part of the same hit: not one that a crew without commander and driver takes
    _stun(play, unit, "commander hit")


def hit_driver(play: Play, unit: UnitState) -> None:
    """The driver is hit: worse driving for good; again, the crew is stunned. E-23."""
    if unit.crew & DRIVER:
        stun_crew(play, unit, "driver hit again")
        return
    unit.crew |= DRIVER
    play.emit("crew_hit", unit, "E-23", who="driver")


def hit_copilot(play: Play, unit: UnitState) -> None:
    """A VTOL's co-pilot is hit: worse shooting for good; again, the crew is killed. E-29."""
    if unit.crew & COPILOT:
        kill_crew(play, unit, "co-pilot hit again", "E-29")
        return
    unit.crew |= COPILOT
    play.emit("crew_hit", unit, "E-29", who="co-pilot")


def hit_pilot(play: Play, unit: UnitState) -> None:
    """A VTOL's pilot is hit: worse driving for good, a driving roll or it drops a level; again, the crew is killed. E-29."""
    if unit.crew & PILOT:
        kill_crew(play, unit, "pilot hit again", "E-29")
        return
    unit.crew |= PILOT
    play.emit("crew_hit", unit, "E-29", who="pilot")
    vtol.roll_or_drop(play, unit)


def kill_crew(play: Play, unit: UnitState, why: str, rule: str = "E-21") -> None:
    """The crew dies: the vehicle stands there, immobile, and counts as destroyed for victory. Rule: E-21.

    Those aboard are unharmed and its electronics go on. A VTOL in the air crashes, for nobody flies it.
    """
    if unit.destroyed or unit.crew & KILLED:
        return
    unit.crew |= KILLED
    unit.conscious = False
    unit.stunned = unit.stunned_next = 0
    play.emit("crew_killed", unit, rule, why=why)
    if vtol.airborne(play.state, unit):
        vtol.crash(play, unit, why="crew killed", rule=rule)


def recover_crews(play: Play) -> None:
    """At the end of a turn: one turn of being stunned is over, what this turn added begins. Rule: E-22."""
    for unit in play.state.units:
        if not unit.stunned and not unit.stunned_next:
            continue
        before = unit.stunned
        unit.stunned = max(0, unit.stunned - 1) + unit.stunned_next
        unit.stunned_next = 0
        if before and not unit.stunned and unit.alive and unit.conscious:
            play.emit("crew_recovered", unit, "E-22")
