"""Reactors that shut down from heat, and that start again. Rule: S-7."""

from __future__ import annotations

from typing import Any

from opfor.rules.pilots.piloting_rolls import roll_or_fall
from opfor.rules.play import Play
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "S-7"


def avoid_number(unit: UnitState, rules: dict[str, Any] | None = None) -> TargetNumber | None:
    """What the unit must roll to keep its reactor running, or to start it; None where no roll is called for. Rule: S-7.

    Impossible at the top of the heat scale, and for an unconscious pilot. ``rules``: a ruleset's own table of heat.
    """
    rules = table("heat") if rules is None else rules
    if unit.heat >= rules["shutdown_automatic"]:
        return TargetNumber.impossible(f"heat {unit.heat} shuts the reactor down", RULE)
    avoid = 0
    for start, value in rules["shutdown"]:
        if unit.heat >= start:
            avoid = value
    if not avoid:
        return None
    if not unit.conscious:
        return TargetNumber.impossible("the pilot is unconscious", RULE)
    return TargetNumber([Modifier(f"heat {unit.heat}", avoid, RULE)])


def shut_down(play: Play, unit: UnitState) -> None:
    """Shut a running reactor down if its heat does so; a standing unit must then keep its balance. Rule: S-7, S-6."""
    number = avoid_number(unit, play.state.ruleset.table("heat"))
    if number is None or play.check(unit, number, "to avoid shutdown", RULE):
        return
    unit.shutdown = True
    play.emit("shutdown", unit, RULE, heat=unit.heat)
    roll_or_fall(play, unit, "shutdown_standing")


def start_up(play: Play, unit: UnitState) -> None:
    """Start a reactor that is shut down, if its heat allows: by itself when cool, else with a roll. Rule: S-7."""
    if unit.heat >= table("heat")["startup_below"]:
        number = avoid_number(unit, play.state.ruleset.table("heat"))
        if number is not None and not play.check(unit, number, "to start up", RULE):
            return
    unit.shutdown = False
    play.emit("startup", unit, RULE, heat=unit.heat)
