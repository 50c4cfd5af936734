"""Who shares a hex with whom in a battle file: carriers and what they carry, infantry that clings to an enemy, stacking.

Rule: S-2 (stacking), S-9 (transport, swarm attacks).
"""

from __future__ import annotations

from opfor.errors import nearest
from opfor.formats.battle_file.battle_conditions import kind_words
from opfor.formats.source import Document, Path_
from opfor.rules.moving.stacking import takes_room
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState


def take_stations(document: Document, state: State) -> None:
    """Put carried and clinging units where their carriers and victims are. Raises :class:`InputError` where that cannot be."""
    room: dict[str, float] = {}
    for index, unit in enumerate(state.units):
        place: Path_ = ("units", index)
        if unit.aboard:
            carrier = _other(document, (*place, "aboard"), state, unit.aboard)
            if carrier.side != unit.side:
                raise document.error((*place, "aboard"), f"{carrier.id} is of another side, and carries nobody of {unit.id}'s")
            if not unit.spec.is_infantry:
                raise document.error((*place, "aboard"), f"{unit.id} is {kind_words(unit.spec)}: only infantry is carried")
            if unit.alive:
                _room(document, place, unit, carrier, room)
            _share(document, place, state, unit, carrier, "aboard")
        if unit.swarming:
            victim = _other(document, (*place, "swarming"), state, unit.swarming)
            if victim.side == unit.side:
                raise document.error((*place, "swarming"), f"{victim.id} is of {unit.id}'s own side")
            if not (victim.spec.is_mech or victim.spec.is_vehicle):
                raise document.error((*place, "swarming"), f"{victim.id} is {kind_words(victim.spec)}, and cannot be swarmed")
            _share(document, place, state, unit, victim, "swarming")


def _room(document: Document, place: Path_, unit: UnitState, carrier: UnitState, room: dict[str, float]) -> None:
    """The carrier must hold what it is said to carry. Rule: S-9."""
    if carrier.spec.troop_space <= 0:
        raise document.error((*place, "aboard"), f"{carrier.spec.name} has no room for infantry")
    free = room.get(carrier.id, carrier.spec.troop_space)
    if unit.spec.tons > free:
        raise document.error(
            (*place, "aboard"), f"{unit.id} weighs {unit.spec.tons} t, and {carrier.id} has room for {free:g} t"
        )
    room[carrier.id] = free - unit.spec.tons


def _other(document: Document, place: Path_, state: State, id: str) -> UnitState:
    if id not in state.by_id:
        raise document.error(place, f"there is no unit {id!r}", nearest(id, state.by_id))
    return state.unit(id)


def _share(document: Document, place: Path_, state: State, unit: UnitState, other: UnitState, key: str) -> None:
    """One hex and height for both; a hex given for the carried one must be the carrier's."""
    names = state.board.grid.names
    if state.board.grid.contains(unit.cell) and unit.cell != other.cell and unit.alive and other.alive:
        raise document.error((*place, "at"), f"{unit.id} is {key} {other.id}, which is in {names[other.cell]}")
    if unit.alive:
        unit.cell, unit.elevation = other.cell, other.elevation


def check_places(document: Document, state: State) -> None:
    """No more units in a hex than may share it: each is looked at with those that stand before it in the file. Rule: S-2."""
    limits = table("movement")["stacking"]
    names = state.board.grid.names
    seen: dict[tuple[int, int], list[UnitState]] = {}
    for index, unit in enumerate(state.units):
        if not takes_room(unit) or not state.board.grid.contains(unit.cell):
            continue
        others = seen.setdefault((unit.cell, unit.elevation), [])
        place: Path_ = ("units", index, "at")
        mech = next((other for other in others if other.spec.is_mech), None) if unit.spec.is_mech else None
        if mech is not None:
            raise document.error(place, f"{unit.id} stands in {names[unit.cell]}, where {mech.id} stands already")
        own = [other.id for other in others if other.side == unit.side]
        if len(own) >= limits["a_side"] or len(others) >= limits["in_all"]:
            crowd = ", ".join(own if len(own) >= limits["a_side"] else [other.id for other in others])
            raise document.error(place, f"{unit.id} stands in {names[unit.cell]}, which is full: {crowd}")
        others.append(unit)
