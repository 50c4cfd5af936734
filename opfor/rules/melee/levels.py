"""The campaign's physical levels: how good a pilot is at close quarters, compared with another. Rule: E-9, E-10, E-11.

A level is higher for the better pilot. Unless one is given it is 8 less the piloting number (a vehicle's driving, the
anti-'Mech skill of infantry), so that a physical number of 5+ is level 3.
"""

from __future__ import annotations

from typing import Any

from opfor.rules.target_number import TargetNumber
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "E-11"
BASE_RULE = "E-10"
_HOUSE: dict[str, Any] = table("physical")["house"]
_BASE: dict[str, int] = _HOUSE["base"]
#: what a number is taken from to give the level, and a level to give the number (E-9)
LEVEL_FROM = int(_HOUSE["level_from"])
WORDS = {"dfa": "death from above"}


def physical_level(unit: UnitState) -> int:
    """The physical level of a unit's pilot or crew, options apart; 0 for a crew that is out of action. Rule: E-9."""
    if not unit.conscious:
        return 0
    return LEVEL_FROM - unit.piloting if unit.physical_level is None else unit.physical_level


def house_base(attack: str) -> int:
    """The campaign's base number of an attack. Raises KeyError for an unknown one. Rule: E-10."""
    return _BASE[attack]


def advantage(attacker: UnitState, target: UnitState) -> int:
    """How many points the attacker is ahead, options included: negative when behind. Rule: E-11.

    Levels are not compared with a target that is immobile: nobody there can do anything about the attack.
    """
    if target.immobile:
        return 0
    mine = physical_level(attacker) + attacker.melee
    return mine - physical_level(target) - max(target.melee, target.hazard)


def house_number(attacker: UnitState, target: UnitState, attack: str, base: dict[str, int] = _BASE) -> TargetNumber:
    """Base number and levels compared, item by item: the attacker's Melee, the target's Melee or Hazard. Rule: E-10, E-11.

    ``base``: the base numbers by attack.
    """
    tn = TargetNumber()
    tn.add(WORDS.get(attack, attack), base[attack], BASE_RULE)
    if target.immobile:
        return tn
    mine, theirs = physical_level(attacker), physical_level(target)
    tn.add(f"physical level {mine} against {theirs}", theirs - mine, RULE)
    tn.add("melee", -attacker.melee, RULE)
    if target.melee >= target.hazard:
        tn.add("target's melee", target.melee, RULE)
    else:
        tn.add("target's hazard", target.hazard, RULE)
    return tn
