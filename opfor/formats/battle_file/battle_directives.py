"""What the game master has told sides and units, in the battle file: orders, objective, knows, contacts, victory.

sides:
  opfor: {orders: [hold fire until fired on], objective: hold 0812, knows: contacts, contacts: {alpha-3: '0812'}}
units:
- {id: reaver, side: opfor, orders: do not leave 0810-0814}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opfor.directives import NOTHING, Directive, Restraint
from opfor.errors import InputError, nearest
from opfor.formats.battle_file.battle_schema import BattleFile, SideEntry
from opfor.formats.source import Document, Path_
from opfor.formats.words.directives import read_objective, read_restraint
from opfor.hex import HexError
from opfor.state import State


def read_directives(document: Document, model: BattleFile, state: State) -> None:
    """Take what sides and units have been told. Raises :class:`InputError` with the place of what cannot be."""
    units: dict[int, list[tuple[str, Restraint]]] = {}
    for index, (entry, unit) in enumerate(zip(model.units, state.units, strict=True)):
        if entry.orders:
            made = _restraint(document, ("units", index, "orders"), entry.orders, state)
            units.setdefault(unit.side, []).append((unit.id, made))
        if entry.fired_on:
            state.fired_on |= {unit.id}
    found = [
        _side(document, ("sides", name), given, state, tuple(units.get(index, ())))
        for index, (name, given) in enumerate(model.sides.items())
    ]
    if any(directive != NOTHING for directive in found):
        state.directives = tuple(found)


def _side(
    document: Document, at: Path_, entry: SideEntry | None, state: State, units: tuple[tuple[str, Restraint], ...]
) -> Directive:
    if entry is None:
        return Directive(units=units)
    restraint = _restraint(document, (*at, "orders"), entry.orders, state) if entry.orders else Restraint()
    objective = None
    if entry.objective:
        try:
            objective = read_objective(entry.objective, state)
        except InputError as error:
            raise document.error((*at, "objective"), error.message, error.hint) from None
    if entry.victory and objective is None:
        raise document.error((*at, "victory"), "there is no objective whose reaching could decide the battle")
    contacts = []
    for id, where in entry.contacts.items():
        if id not in state.by_id:
            raise document.error((*at, "contacts", id), f"there is no unit {id!r}", nearest(id, state.by_id))
        try:
            contacts.append((id, state.board.grid.parse(where)))
        except HexError as error:
            raise document.error((*at, "contacts", id), str(error)) from None
    return Directive(restraint, units, objective, entry.knows, tuple(contacts), entry.victory)


def _restraint(document: Document, at: Path_, words: str | Sequence[str], state: State) -> Restraint:
    lines = [words] if isinstance(words, str) else list(words)
    for index, line in enumerate(lines):
        try:
            read_restraint(line, state)
        except InputError as error:
            place = at if isinstance(words, str) else (*at, index)
            raise document.error(place, error.message, error.hint) from None
    return read_restraint(lines, state)


def keep_directives(state: State, document: dict[str, Any], former: dict[str, Any]) -> None:
    """Put into a document what sides and units have been told: words as they were, contacts as they are now."""
    names = state.board.grid.names
    for index, name in enumerate(state.sides):
        directive = state.directive(index)
        if directive.knows == "contacts":
            document["sides"][name].pop("contacts", None)
        if directive.contacts:
            document["sides"][name]["contacts"] = {id: names[cell] for id, cell in directive.contacts}
    entries = former.get("units", [])
    for unit, entry in zip(state.units, document["units"], strict=True):
        old = entries[unit.index] if unit.index < len(entries) else {}
        if old.get("orders"):
            entry["orders"] = old["orders"]
        if unit.id in state.fired_on:
            entry["fired_on"] = True
