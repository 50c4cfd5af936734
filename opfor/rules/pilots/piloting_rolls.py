"""Piloting skill rolls as they are made: at once, or at the end of the phase that called for them. Rule: S-6."""

from __future__ import annotations

from collections.abc import Sequence

from opfor.rules.pilots.falls import fall
from opfor.rules.pilots.piloting import RULE, piloting_number, reasons
from opfor.rules.play import Play
from opfor.rules.target_number import Modifier
from opfor.tables import table
from opfor.units.state import UnitState


def roll_or_fall(
    play: Play, unit: UnitState, reason: str, *, extra: int = 0, levels: int = 0, also: Sequence[Modifier] = ()
) -> bool:
    """Make a piloting roll at once; the unit falls ``levels`` levels when it fails. True when it stays up. Rule: S-6.

    A prone unit cannot fall and rolls only to stand up (where failing means another fall).
    """
    if not unit.alive or (unit.prone and reason not in ("standing_up", "careful_stand")):
        return True
    number = piloting_number(play.state, unit, reason, extra, also=also)
    if play.check(unit, number, f"piloting, {reasons()[reason].what}", RULE, reason=reason):
        return True
    fall(play, unit, levels=levels, reason=reason, extra=extra, also=also)
    return False


def resolve_phase_rolls(play: Play) -> None:
    """Make every piloting roll due at the end of a phase, unit by unit in the state's order. Rule: S-6.

    Heavy damage calls for one roll. Automatic falls come first; each other cause is a roll of its own, and modifiers of
    the phase's damage count on all of them. A fall ends the unit's rolls. Clears what was due, and the damage counted.
    """
    limit: int = table("piloting_rolls")["damage_roll"]
    for unit in play.state.units:
        if not unit.psr and (unit.damage_this_phase < limit or unit.spec.kind != "mech"):
            unit.damage_this_phase = 0
            continue
        due = unit.psr[:]
        if unit.damage_this_phase >= limit:
            due.insert(0, ("damage_20", 0, RULE))
        found = {reason: reasons(play.state.ruleset.replaced)[reason] for reason, _, _ in due}
        shared = [Modifier(row.what, row.modifier, RULE) for row in found.values() if row.every_roll]
        due.sort(key=lambda entry: not reasons()[entry[0]].automatic)
        for reason, extra, _ in due:
            if unit.prone or not unit.alive:
                break
            also = () if reasons()[reason].every_roll else shared
            if not roll_or_fall(play, unit, reason, extra=extra, also=also):
                break
        unit.psr.clear()
        unit.damage_this_phase = 0
