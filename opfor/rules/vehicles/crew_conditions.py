"""What a vehicle's crew has taken, and what that adds to its rolls. Rules: E-16, E-20 to E-23, E-29."""

from __future__ import annotations

from functools import lru_cache

from opfor.rules.target_number import Modifier
from opfor.tables import table
from opfor.units.state import UnitState

#: bits of :attr:`UnitState.crew`
COMMANDER, DRIVER, COPILOT, PILOT, KILLED = 1, 2, 4, 8, 16
#: words and rule of each
CREW = {
    COMMANDER: ("commander", "E-20"),
    DRIVER: ("driver", "E-23"),
    COPILOT: ("co-pilot", "E-29"),
    PILOT: ("pilot", "E-29"),
    KILLED: ("crew", "E-21"),
}


@lru_cache(maxsize=256)
def gunnery_modifiers(crew: int, flight_stabilizer: bool) -> tuple[Modifier, ...]:
    """What a vehicle's damaged crew and flight stabilizer add to all its shots. Rules: E-20, E-29."""
    rows = table("vehicles")["to_hit"]
    found = []
    if crew & COMMANDER:
        found.append(Modifier("commander hit", rows["commander"], "E-20"))
    if crew & COPILOT:
        found.append(Modifier("co-pilot hit", rows["copilot"], "E-29"))
    if flight_stabilizer:
        found.append(Modifier("flight stabilizer hit", rows["flight_stabilizer"], "E-29"))
    return tuple(found)


def driving_conditions(unit: UnitState) -> list[Modifier]:
    """What modifies every driving roll: crew, motive system (each grade once), flight stabilizer. E-16, E-20, E-23, E-29."""
    rows = table("piloting_rolls")["driving"]
    found = []
    if unit.crew & COMMANDER:
        found.append(Modifier("commander hit", rows["commander"], "E-20"))
    if unit.crew & DRIVER:
        found.append(Modifier("driver hit", rows["driver"], "E-23"))
    if unit.crew & PILOT:
        found.append(Modifier("pilot hit", rows["pilot"], "E-29"))
    if unit.motive_hits:
        found += [Modifier(what, value, "E-16") for bit, what, value in rows["motive"] if unit.motive_hits & bit]
    if unit.flight_stabilizer:
        found.append(Modifier("flight stabilizer hit", rows["flight_stabilizer"], "E-29"))
    return found
