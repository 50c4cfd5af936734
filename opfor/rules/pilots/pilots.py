"""Pilots: hits, staying conscious, coming round, dying. Rule: S-6, E-38.

By the switch ``pilot_damage`` there are no consciousness rolls: harm makes wounds by body location
(:mod:`opfor.rules.pilots.wounds`).
"""

from __future__ import annotations

from opfor.rules.harm.destruction import destroy
from opfor.rules.pilots import wounds
from opfor.rules.play import Play
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "S-6"


def consciousness_number(hits: int) -> TargetNumber:
    """What a pilot with ``hits`` hits needs on 2d6 to stay, or to become, conscious. Impossible for a dead one. Rule: S-6."""
    rules = table("pilots")
    if hits >= rules["dead_at"]:
        return TargetNumber.impossible("the pilot is dead", RULE)
    return TargetNumber([Modifier(f"{hits} pilot hit{'s' if hits != 1 else ''}", rules["consciousness"].get(hits, 0), RULE)])


def hurt_pilot(play: Play, unit: UnitState, hits: int, why: str) -> None:
    """The pilot takes ``hits`` points of damage; too many kill. Only 'Mechs have pilots. Rule: S-6, E-38.

    Each is a hit with a roll to stay conscious, or a wound somewhere on the body.
    """
    if not unit.spec.is_mech:
        return
    if play.state.ruleset.pilot_damage == "wounds":
        _wound_pilot(play, unit, hits, why)
        return
    dead_at = int(table("pilots")["dead_at"])
    for _ in range(hits):
        if unit.destroyed:
            return
        unit.pilot_hits += 1
        play.emit("pilot_hit", unit, RULE, why=why, hits=unit.pilot_hits)
        if unit.pilot_hits >= dead_at:
            kill_pilot(play, unit, why)
        elif unit.conscious and not play.check(unit, consciousness_number(unit.pilot_hits), "to stay conscious", RULE):
            unit.conscious = False
            unit.knocked_out = True
            play.emit("unconscious", unit, RULE, why=why)


def _wound_pilot(play: Play, unit: UnitState, hits: int, why: str) -> None:
    """Wounds, one for each point of damage, until they put the pilot out. Rule: E-38."""
    for _ in range(hits):
        if unit.destroyed:
            return
        wounds.wound(play, unit, why)
        if wounds.kills(unit):
            kill_pilot(play, unit, wounds.out_of_action(unit))
        elif unit.conscious and wounds.out_of_action(unit):
            unit.conscious = False
            play.emit("unconscious", unit, wounds.RULE, why=wounds.out_of_action(unit))


def kill_pilot(play: Play, unit: UnitState, why: str) -> None:
    """The pilot dies and the unit is out of the battle. Rule: S-6."""
    unit.pilot_hits = max(unit.pilot_hits, int(table("pilots")["dead_at"]))
    unit.conscious = False
    destroy(play, unit, f"pilot killed: {why}", RULE)


def wake_pilots(play: Play) -> None:
    """In the end phase every unconscious pilot tries to come round, from the turn after the one that felled them. Rule: S-6.

    Not where harm makes wounds: who is out then stays out (E-38).
    """
    rolls = play.state.ruleset.pilot_damage == "consciousness"
    for unit in play.state.units:
        if unit.knocked_out:
            unit.knocked_out = False
        elif (
            rolls
            and unit.alive
            and unit.spec.is_mech
            and not unit.conscious
            and play.check(unit, consciousness_number(unit.pilot_hits), "to regain consciousness", RULE)
        ):
            unit.conscious = True
            play.emit("conscious", unit, RULE)
