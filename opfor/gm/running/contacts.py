"""Where sides that go by contacts last saw each enemy: kept up as orders are played."""

from __future__ import annotations

from dataclasses import replace

from opfor.game.view import unseen
from opfor.state import State


def note_contacts(state: State) -> None:
    """Remember where each enemy in sight stands now; of one out of sight, where it was last seen."""
    if not any(directive.knows == "contacts" for directive in state.directives):
        return
    found = list(state.directives)
    for side, directive in enumerate(found):
        if directive.knows != "contacts":
            continue
        out = unseen(state, side)
        contacts = {id: cell for id, cell in directive.contacts if state.unit(id).alive}
        for unit in state.units:
            if unit.side != side and unit.alive and not unit.hidden and unit.cell >= 0 and unit.id not in out:
                contacts[unit.id] = unit.cell
        found[side] = replace(directive, contacts=tuple(contacts.items()))
    state.directives = tuple(found)
