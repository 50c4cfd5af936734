"""The battle file written: the full present state, and whatever it holds beside that (rulings, log, keys of later rules)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle
from opfor.formats.battle_file.battle_blows import blow_entries
from opfor.formats.battle_file.battle_board import board_entries
from opfor.formats.battle_file.battle_directives import keep_directives
from opfor.formats.battle_file.battle_entries import unit_entry
from opfor.formats.battle_file.battle_missions import mission_entries
from opfor.formats.battle_file.battle_schema import (
    FORMAT_VERSION,
    BattleFile,
)
from opfor.formats.battle_file.battle_shells import shell_entries
from opfor.formats.battle_file.battle_turn import write_turn
from opfor.formats.battle_file.history import write_kept
from opfor.formats.orders import order_as_dict
from opfor.formats.yaml_out import dump_document
from opfor.hex import DIRECTION_NAMES


def battle_document(battle: Battle) -> dict[str, Any]:
    """The whole battle as plain data in the form of the file, keys in a settled order."""
    state, former = battle.state, battle.document
    names = state.sides
    document: dict[str, Any] = {"opfor": FORMAT_VERSION}
    for key in ("name", "post", "ruleset", "board", "map_names"):
        if key in former or key == "ruleset":
            document[key] = former.get(key, state.ruleset.name)
    document.update(board_entries(battle.base_board or state.board, state.board, names))
    if state.wind >= 0:
        document["wind"] = DIRECTION_NAMES[state.wind]
    document["turn"], document["phase"] = state.turn, state.phase
    former_initiative = former.get("initiative") or {}
    document["initiative"] = {
        **former_initiative,
        "modifier": state.initiative_modifier,
        "order": [names[side] for side in state.initiative],
    }
    if state.queue:
        document["queue"] = [names[side] for side in state.queue]
    document.update(write_turn(state))
    if state.limit:
        document["limit"] = state.limit
    if state.winner is not None:
        document["winner"] = "draw" if state.winner < 0 else names[state.winner]
    document.update(mission_entries(state, former))
    document["sides"] = {}
    for index, name in enumerate(names):
        side = {k: v for k, v in (former.get("sides", {}).get(name) or {}).items() if k not in ("edge", "withdrawing")}
        side["controller"] = battle.controllers[index]
        side.update({"edge": state.edges[index]} if state.edges[index] else {})
        side.update({"withdrawing": True} if state.withdrawing[index] else {})
        document["sides"][name] = side
    entries = former.get("units", [])
    document["units"] = [
        unit_entry(unit, names, state.board, entries[unit.index] if unit.index < len(entries) else {}) for unit in state.units
    ]
    keep_directives(state, document, former)
    pending: dict[str, Any] = {
        key: [order_as_dict(order, state) for order in getattr(state, key)]
        for key in ("declared", "charges")
        if getattr(state, key)
    }
    if state.pending:
        pending["blows"] = blow_entries(state)
    pending.update(shell_entries(state))
    if pending:
        document["pending"] = pending
    owned = set(BattleFile.model_fields)
    document.update({key: value for key, value in former.items() if key not in owned})
    return document


def save_battle(battle: Battle, path: str | Path | None = None) -> Path | None:
    """Write the battle, at once or not at all; the former file is kept for :func:`opfor.formats.battle_file.history.undo`.

    Returns where the former file went (None when there was none). JSON when the name ends in ``.json``, else YAML.
    """
    where = Path(path) if path is not None else battle.path
    if where is None:
        raise InputError("this battle was not read from a file: say where to write it")
    document = battle_document(battle)
    text = dump_document(document, where.suffix.lower() == ".json", battle.head)
    kept = write_kept(where, text)
    battle.document, battle.path = document, where
    return kept
