"""How a unit is told of in a word or two: how it moves, what is wrong with it, whom it carries. For maps, posts and lists."""

from __future__ import annotations

from opfor.state import State
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState

#: crew hits by bit, as in rules.crews
_CREW = ("commander hit", "driver hit", "co-pilot hit", "pilot hit", "crew killed")
_TURRETS = ("", "turret jammed", "turret locked")


def kind_word(spec: UnitSpec) -> str:
    """A unit's kind with its motive type, as ``tracked vehicle`` or ``jump platoon``."""
    if spec.kind == "mech":
        return "four-legged 'Mech" if spec.quad else "'Mech"
    if spec.kind == "vehicle":
        return f"{spec.motive} vehicle"
    if spec.kind == "vtol":
        return "VTOL"
    if spec.kind == "infantry":
        return f"{spec.motive.replace('_', ' ')} platoon"
    return "battle armour"


def strength_words(unit: UnitState) -> str:
    """How much of an infantry unit is left, as ``19 of 28 troopers``; empty for other kinds."""
    spec = unit.spec
    if spec.kind == "infantry":
        return f"{unit.structure[0]} of {spec.structure[0]} troopers"
    if spec.kind == "battle_armor":
        return f"{sum(1 for points in unit.structure if points > 0)} of {len(spec.structure)} suits"
    return ""


def remaining_share(unit: UnitState) -> tuple[float, float]:
    """What is left of a unit's armour and of its structure, 0 to 1; armour -1 where the type has none."""
    spec = unit.spec
    worn, built = sum(spec.armor), sum(spec.structure)
    structure = sum(max(0, points) for points in unit.structure) / built if built else 0.0
    return (sum(max(0, points) for points in unit.armor) / worn if worn else -1.0), structure


def height_words(unit: UnitState) -> str:
    """How high a VTOL is, as ``3 levels up``; empty for all else."""
    if unit.spec.kind != "vtol":
        return ""
    if not unit.elevation:
        return "landed"
    return f"{unit.elevation} {'level' if unit.elevation == 1 else 'levels'} up"


def condition_words(unit: UnitState) -> list[str]:
    """What is the matter with a unit, the gravest last."""
    spec = unit.spec
    killed = bool(unit.crew >> 4 & 1)
    found = [word for index, word in enumerate(_CREW) if unit.crew >> index & 1]
    if unit.stunned:
        found.append(f"crew stunned for {unit.stunned} {'turn' if unit.stunned == 1 else 'turns'}")
    found += [word for word in (_TURRETS[unit.turret],) if word]
    found += [
        word
        for word, so in (
            (f"{unit.cruise_lost} cruising MP lost", bool(unit.cruise_lost)),
            ("engine dead", unit.engine_dead),
            ("immobile", unit.immobilized),
            ("prone", unit.prone),
            ("stuck", unit.stuck),
            ("dug in", unit.dug_in),
            ("waits with its movement", unit.waiting and not unit.moved),
            ("holds an opportunity action", unit.opportunity),
            ("battle-shocked", unit.battle_shocked),
            ("shut down", unit.shutdown),
            ("pilot unconscious" if spec.is_mech else "crew out", not unit.conscious and not killed),
            (f"pilot has {unit.wounds} L {'wound' if unit.wounds == 1 else 'wounds'}", bool(unit.wounds)),
            (f"destroyed: {unit.destroyed}", bool(unit.destroyed)),
        )
        if so
    ]
    return found


def aboard(state: State, unit: UnitState) -> list[UnitState]:
    """The living units that a unit carries. Rule: S-9."""
    return [other for other in state.units if other.aboard == unit.id and other.alive]


def company_words(state: State, unit: UnitState) -> list[str]:
    """Who is with the unit: its carrier, whom it clings to, whom it carries, who clings to it."""
    found = []
    if unit.aboard:
        found.append(f"aboard {unit.aboard}")
    if unit.swarming:
        found.append(f"clings to {unit.swarming}")
    carried = aboard(state, unit)
    if carried:
        found.append(f"carries {', '.join(other.id for other in carried)}")
    clinging = [other.id for other in state.units if other.swarming == unit.id and other.alive]
    if clinging:
        found.append(f"swarmed by {', '.join(clinging)}")
    return found
