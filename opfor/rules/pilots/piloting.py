"""Piloting skill rolls: for what reasons, and against what number. Rule: S-6.

They are made in :mod:`opfor.rules.pilots.piloting_rolls`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from opfor.own_rules.replaceable import Replaced
from opfor.rules.own import add_to_roll
from opfor.rules.pilots.wounds import penalty
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.rules.turn.complex_actions import sprint_modifier
from opfor.rules.vehicles.crew_conditions import driving_conditions
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import HD
from opfor.units.state import UnitState

RULE = "S-6"


class Reason(NamedTuple):
    """Why a roll is made. ``automatic``: no roll, the unit falls. ``every_roll``: adds to every roll of its phase.

    ``base``: the number in place of the unit's skill, 0 for none.
    """

    id: str
    what: str
    modifier: int
    automatic: bool
    every_roll: bool
    base: int = 0


@lru_cache(maxsize=64)
def reasons(replaced: Replaced | None = None) -> dict[str, Reason]:
    """Every reason for a piloting roll, by id; with a ruleset's own numbers where it has any."""
    return {
        key: Reason(
            key,
            row["what"],
            row.get("modifier", 0),
            row.get("automatic", False),
            row.get("every_roll", False),
            row.get("base", 0),
        )
        for key, row in _figures(replaced)["reasons"].items()
    }


def _figures(replaced: Replaced | None) -> dict[str, Any]:
    found: dict[str, Any] = table("piloting_rolls") if replaced is None else replaced.table("piloting_rolls")
    return found


def gyro_steps(unit: UnitState) -> int:
    """Gyro hits that count: 0 sound, 1 damaged, 2 or more destroyed. A heavy-duty gyro takes one hit more. Rule: S-5."""
    if not unit.gyro_hits:
        return 0
    spare: int = table("criticals")["gyro_spare"].get(unit.spec.gyro, 0)
    return max(0, unit.gyro_hits - spare)


def gyro_destroyed(unit: UnitState) -> bool:
    """Whether the gyro is past use: the unit falls and never stands again. Rule: S-5."""
    return gyro_steps(unit) >= int(table("criticals")["destroyed_at"]["gyro"])


def legs_missed(unit: UnitState) -> int:
    """Lost legs that count against balance: every one of a biped, all but the first of a quad. Rule: S-6."""
    lost = unit.legs_lost
    return max(0, lost - int(table("piloting_rolls")["conditions"]["quad_spare_legs"])) if unit.spec.quad else lost


def conditions(unit: UnitState, replaced: Replaced | None = None) -> list[Modifier]:
    """Lasting conditions that modify every piloting roll of a unit: gyro, legs, cockpit, four legs, its pilot's wounds;
    a vehicle's crew and drive. ``replaced``: numbers that a ruleset puts in the place of the table's.

    Rule: S-6, E-16, E-38.
    """
    spec = unit.spec
    if spec.is_vehicle:
        return driving_conditions(unit)
    if spec.kind != "mech":
        return []
    rows: dict[str, Any] = _figures(replaced)["conditions"]
    found = []
    steps = gyro_steps(unit)
    if steps:
        what = "gyro destroyed" if gyro_destroyed(unit) else "gyro damaged"
        found.append(Modifier(what, rows["gyro"] * min(steps, 2), RULE))
    missed = legs_missed(unit)
    if missed:
        found.append(Modifier("leg lost" if missed == 1 else "legs lost", rows["leg_lost"], RULE))
    for leg in unit.legs:
        if unit.structure[leg] <= 0 or not unit.slots_hit[leg]:
            continue
        name = spec.location_name(leg)
        if unit.hit(leg, "hip"):
            found.append(Modifier(f"{name} hip destroyed", rows["hip"], RULE))
            continue
        for kind, what in (("upper_leg", "upper leg"), ("lower_leg", "lower leg"), ("foot", "foot")):
            if unit.hit(leg, kind):
                found.append(Modifier(f"{name} {what} actuator destroyed", rows[kind], RULE))
    if spec.cockpit == "small":
        found.append(Modifier("small cockpit", rows["small_cockpit"], RULE))
    elif spec.cockpit == "torso_mounted" and (unit.hit(HD, "sensors") or unit.lost(HD)):
        found.append(Modifier("head sensors lost", rows["torso_cockpit_sensors"], RULE))
    if spec.quad and unit.legs_lost == 0:
        found.append(Modifier("four legs", rows["quad"], RULE))
    if unit.wounds:
        found.append(Modifier("wounds", penalty(unit), "E-38"))
    return found


def cannot_roll(unit: UnitState, reason: str) -> str:
    """Why a unit fails every piloting roll without dice, or "". Rule: S-6.

    The roll that a shutdown itself calls for is made by the pilot as the reactor goes.
    """
    if unit.spec.kind != "mech":
        return "" if unit.conscious else "the crew is dead"
    if not unit.conscious:
        return "the pilot is unconscious"
    if unit.shutdown and reason != "shutdown_standing":
        return "the 'Mech is shut down"
    if gyro_destroyed(unit):
        return "the gyro is destroyed"
    return "too few legs" if legs_missed(unit) > 1 else ""


def piloting_number(
    state: State,
    unit: UnitState,
    reason: str,
    extra: int = 0,
    *,
    what: str | None = None,
    also: Sequence[Modifier] = (),
) -> TargetNumber:
    """The number to roll for a reason of ``opfor/tables/piloting_rolls.yaml``. Rule: S-6.

    ``extra`` is a further modifier of the circumstances (hexes moved before a skid, a building's type), named ``what`` or
    else after the reason; ``also`` are modifiers that count on every roll of the phase. Impossible for an automatic fall, a
    shut down unit, an unconscious pilot, without a gyro or with too few legs. Raises KeyError for an unknown reason.
    """
    row = reasons(state.ruleset.replaced)[reason]
    why = f"automatic fall: {row.what}" if row.automatic else cannot_roll(unit, reason)
    return TargetNumber.impossible(why, RULE) if why else _number(state, unit, row, extra, what, also)


def skill_words(unit: UnitState) -> str:
    """What the skill behind piloting rolls is called: piloting, driving, or the anti-'Mech skill of infantry."""
    return "driving" if unit.spec.is_vehicle else "piloting" if unit.spec.is_mech else "anti-'Mech"


def _number(state: State, unit: UnitState, row: Reason, extra: int, what: str | None, also: Sequence[Modifier]) -> TargetNumber:
    if row.base:
        number = TargetNumber([Modifier(row.what, row.base, RULE), *also])
        add_to_roll(state, number, unit, row.id)
        return number
    number = TargetNumber([Modifier(skill_words(unit), unit.piloting, RULE), *conditions(unit, state.ruleset.replaced)])
    if what is None:
        number.add(row.what, row.modifier + extra, RULE)
    else:
        number.add(row.what, row.modifier, RULE)
        number.add(what, extra, RULE)
    if unit.mode == "sprint" and (hasty := sprint_modifier(state, unit.mode)) is not None:
        number.modifiers.append(hasty)
    number.modifiers.extend(also)
    add_to_roll(state, number, unit, row.id)
    return number


def injury_number(
    state: State, unit: UnitState, reason: str, extra: int, levels: int, also: Sequence[Modifier] = ()
) -> TargetNumber:
    """The number that saves the pilot from harm in a fall of ``levels``. Rule: S-6.

    It keeps the modifiers of the roll that failed, and adds one for each level above the first. Unlike the roll to stay
    up it is possible without a gyro; impossible for a shut down unit or an unconscious pilot.
    """
    row = reasons(state.ruleset.replaced)[reason]
    if not unit.conscious:
        return TargetNumber.impossible("the pilot is unconscious", RULE)
    if unit.shutdown and reason != "shutdown_standing":
        return TargetNumber.impossible("the 'Mech is shut down", RULE)
    number = _number(state, unit, row, extra, None, also)
    number.add("levels fallen", max(0, levels - 1) * int(table("piloting_rolls")["fall"]["pilot_per_level"]), RULE)
    return number


def need_roll(unit: UnitState, reason: str, extra: int = 0) -> None:
    """Note that a piloting roll is due at the end of the phase. Raises KeyError for an unknown reason. Rule: S-6.

    Only 'Mechs have any: nothing else can fall.
    """
    reasons()[reason]
    if unit.spec.kind != "mech":
        return
    unit.psr.append((reason, extra, RULE))
