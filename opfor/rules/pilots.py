"""Pilots: hits, staying conscious, coming round, dying. Rule: S-6."""

from __future__ import annotations

from opfor.rules import damage
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
    """The pilot takes ``hits`` hits, each with its own roll to stay conscious; too many kill. Only 'Mechs have pilots. S-6."""
    if not unit.spec.is_mech:
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


def kill_pilot(play: Play, unit: UnitState, why: str) -> None:
    """The pilot dies and the unit is out of the battle. Rule: S-6."""
    unit.pilot_hits = max(unit.pilot_hits, int(table("pilots")["dead_at"]))
    unit.conscious = False
    damage.destroy(play, unit, f"pilot killed: {why}", RULE)


def wake_pilots(play: Play) -> None:
    """In the end phase every unconscious pilot tries to come round, from the turn after the one that felled them. Rule: S-6."""
    for unit in play.state.units:
        if unit.knocked_out:
            unit.knocked_out = False
        elif (
            unit.alive
            and unit.spec.is_mech
            and not unit.conscious
            and play.check(unit, consciousness_number(unit.pilot_hits), "to regain consciousness", RULE)
        ):
            unit.conscious = True
            play.emit("conscious", unit, RULE)
