"""Wounds of pilots by body location, in place of hits and consciousness rolls. Rule: E-38.

Each point of pilot damage hurts one location, by 2d6, for 2 nl. In a location that has 2 nl already they become an L wound,
and so again for each further pair. L wounds make everything harder that goes by gunnery or piloting, and initiative.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from opfor.rules.play import Play
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "E-38"
_RULES: dict[str, Any] = table("pilots")["wounds"]
_LOCATION: dict[int, str] = _RULES["location"]
#: body locations, in the order of :attr:`opfor.units.state.UnitState.body`
BODY = ("head", "torso", "left_arm", "right_arm", "left_leg", "right_leg")
#: nl that one point of pilot damage does
NONLETHAL = int(_RULES["nonlethal"])
_EACH = int(_RULES["each_lethal"])
_WORDS = {"left_arm": "left arm", "right_arm": "right arm", "left_leg": "left leg", "right_leg": "right leg"}


class Wound(NamedTuple):
    """What a body location has: points nl, and L wounds."""

    nonlethal: int
    lethal: int


def wounds_of(unit: UnitState) -> dict[str, Wound]:
    """The wounds of a pilot by body location, those that are hurt only. Rule: E-38."""
    return {name: Wound(hits % 2 * NONLETHAL, hits // 2) for name, hits in zip(BODY, unit.body, strict=False) if hits}


def set_wounds(unit: UnitState, wounds: dict[str, Wound]) -> None:
    """Give a pilot these wounds, and no others."""
    hits = tuple(2 * w.lethal + w.nonlethal // NONLETHAL for w in (wounds.get(name, Wound(0, 0)) for name in BODY))
    _set(unit, hits)


def _set(unit: UnitState, hits: tuple[int, ...]) -> None:
    unit.body = hits if any(hits) else ()
    unit.wounds = sum([n // 2 for n in hits])


def penalty(unit: UnitState) -> int:
    """What a pilot's wounds add to gunnery, piloting, physical and initiative numbers. Rule: E-38."""
    return unit.wounds * _EACH


def out_of_action(unit: UnitState) -> str:
    """Why wounds put a pilot out of action, or "": so many L wounds in all, or at the head. Rule: E-38."""
    if not unit.wounds:
        return ""
    if unit.body[0] // 2 >= int(_RULES["out_at_head"]):
        return f"{unit.body[0] // 2} L wounds at the head"
    return f"{unit.wounds} L wounds" if unit.wounds >= int(_RULES["out_at"]) else ""


def kills(unit: UnitState) -> bool:
    """Whether its wounds have killed a pilot. Rule: E-38."""
    return bool(unit.wounds) and _RULES["out"] == "dead" and bool(out_of_action(unit))


def wound(play: Play, unit: UnitState, why: str) -> None:
    """One point of pilot damage: roll where it hurts, and count it there. Rule: E-38."""
    roll = play.roll_2d6(f"{unit.id}: where the pilot is hurt")
    location = _LOCATION[roll.total]
    hits = list(unit.body or (0,) * len(BODY))
    index = BODY.index(location)
    hits[index] += 1
    _set(unit, tuple(hits))
    grave = hits[index] % 2 == 0
    play.emit(
        "wounded", unit, RULE, location=location, dice=list(roll.dice), grave=grave, wounds=unit.wounds, why=why,
        harm="an L wound" if grave else f"{NONLETHAL} nl", where=_WORDS.get(location, location),
    )  # fmt: skip
