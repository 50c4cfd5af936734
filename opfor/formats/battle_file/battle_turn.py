"""Where the turn stands, in the battle file: who has its initiative, who waits, who holds an action, who is in mid-turn.

A unit's keys are ``initiative``, ``waiting``, ``opportunity``, ``battle_shocked``, ``heat_carried`` and part of ``this_turn``;
the battle's are ``stage`` and ``acting``. A declaration is written between two orders only, where it rests: a unit owes its
next decision. Rule: E-2, E-3, M-8, M-9, M-9e, M-10, A-1, A-3, E-33.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opfor.errors import nearest
from opfor.formats.battle_file.battle_schema import ActingEntry, BattleFile, UnitEntry, UnitInitiativeEntry
from opfor.formats.source import Document
from opfor.state import State, Underway
from opfor.units.state import UnitState

#: parts of phases, by the turn sequence that has them
STAGES = {
    "eridani": {"initiative": ("calls", "rolled"), "fire": ("players", "answer")},
    "standard": {},
    "mwii": {},
}
#: phases of each turn sequence
PHASES_OF = {
    "standard": ("initiative", "movement", "fire", "physical", "end"),
    "eridani": ("initiative", "movement", "fire", "physical"),
    "mwii": ("initiative", "declarations"),
}
#: keys of ``this_turn`` that are a unit's own fields, with what they are when nothing is said
_NOW: tuple[tuple[str, Any], ...] = (
    ("acted", False),
    ("complex_action", ""),
    ("heat_held", 0),
    ("fell_back", False),
    ("action_started", ""),
    ("action_broken", False),
)
_FLAGS = ("waiting", "opportunity", "battle_shocked")


def read_unit_turn(unit: UnitState, entry: UnitEntry) -> None:
    """Take a unit's initiative, what it holds ready, and what it has done this turn."""
    for name in _FLAGS:
        setattr(unit, name, getattr(entry, name))
    unit.heat_carried = entry.heat_carried
    said = entry.initiative
    if isinstance(said, UnitInitiativeEntry):
        unit.initiative, unit.initiative_roll = said.margin, said.roll
    elif said is not None:
        unit.initiative = said
    now = entry.this_turn
    if now is not None:
        for name, _ in _NOW:
            setattr(unit, name, getattr(now, name))


def write_unit_turn(unit: UnitState) -> dict[str, Any]:
    """The keys of a unit that :func:`read_unit_turn` reads, those under ``this_turn`` left out."""
    entry: dict[str, Any] = {name: True for name in _FLAGS if getattr(unit, name)}
    if unit.heat_carried:
        entry["heat_carried"] = unit.heat_carried
    if unit.initiative is not None or unit.initiative_roll:
        entry["initiative"] = {"margin": unit.initiative, "roll": unit.initiative_roll}
    return entry


def write_now(unit: UnitState) -> dict[str, Any]:
    """The part of ``this_turn`` that :func:`read_unit_turn` reads."""
    return {name: getattr(unit, name) for name, usual in _NOW if getattr(unit, name) != usual}


def read_stage(document: Document, model: BattleFile, state: State) -> None:
    """Check the phase against the turn sequence, and take the part of the phase. Raises :class:`InputError`. Rule: E-1."""
    turns = state.ruleset.turn_sequence
    phases = PHASES_OF.get(turns, ())
    if state.phase not in phases:
        raise document.error(
            ("phase",),
            f"there is no phase {state.phase!r} in the turn of ruleset {state.ruleset.name}: use {', '.join(phases)}",
        )
    parts = STAGES.get(turns, {}).get(state.phase, ())
    if model.stage and model.stage not in parts:
        words = f"use {', '.join(parts)}" if parts else "it has no parts"
        raise document.error(("stage",), f"there is no part {model.stage!r} of the {state.phase} phase here: {words}")
    state.stage = model.stage


def opforce_of(controllers: Sequence[str]) -> int:
    """The side that is the Op Force: the one with that controller, else the last. Rule: E-5."""
    return controllers.index("opfor") if list(controllers).count("opfor") == 1 else len(controllers) - 1


def read_acting(document: Document, model: BattleFile, state: State) -> None:
    """Take the unit that is in the middle of its turn. Raises :class:`InputError` when there is no such unit."""
    given = model.acting
    if given is None:
        return
    id, due = (given.unit, given.due) if isinstance(given, ActingEntry) else (given, "movement")
    if id not in state.by_id:
        raise document.error(("acting",), f"there is no unit {id!r}", nearest(id, state.by_id))
    state.underway.append(Underway(state.by_id[id], due))


def write_turn(state: State) -> dict[str, Any]:
    """``stage`` and ``acting`` of the battle. An order that is being carried out is not written: see :func:`resting`."""
    document: dict[str, Any] = {}
    if state.stage:
        document["stage"] = state.stage
    if state.underway:
        last = state.underway[0]
        unit = state.units[last.unit].id
        document["acting"] = unit if last.due == "movement" else {"unit": unit, "due": last.due}
    return document


def resting(state: State) -> bool:
    """Whether the battle can be written as it stands: no order is in the middle of being carried out."""
    return all(one.order is None for one in state.underway) and len(state.underway) <= 1


__all__ = [
    "PHASES_OF",
    "opforce_of",
    "read_acting",
    "read_stage",
    "read_unit_turn",
    "resting",
    "write_now",
    "write_turn",
    "write_unit_turn",
]
