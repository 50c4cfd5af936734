"""Writing into a battle what a side or a unit is told, and taking it back. Raises InputError for what cannot be read."""

from __future__ import annotations

from typing import Any

from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.formats.battle_file.battle_write import battle_document
from opfor.formats.words.directives import who
from opfor.formats.yaml_out import dump_document

#: keys of a side that may be set in words
_KEYS = ("objective", "knows", "difficulty", "character", "policy")


def direct(battle: Battle, line: str) -> None:
    """``reaver: do not move``, ``opfor: hold fire``, ``opfor: objective hold 0812``, ``opfor: knows sees``."""
    head, colon, words = line.partition(":")
    words = " ".join(words.split())
    if not colon or not words:
        raise InputError(f"{line!r} tells nobody anything", source="direct", hint="write UNIT: do not move, or SIDE: hold fire")
    document = battle_document(battle)
    entry, unit = _entry(battle, document, head)
    key, _, value = words.partition(" ")
    if key.lower() in _KEYS and not unit:
        if value.lower() in ("", "none"):
            entry.pop(key.lower(), None)
        else:
            entry[key.lower()] = value
    else:
        former = entry.get("orders") or []
        entry["orders"] = [*([former] if isinstance(former, str) else former), words]
    _take(battle, document)


def release(battle: Battle, head: str) -> None:
    """Take back all restraints of a unit or a side."""
    document = battle_document(battle)
    _entry(battle, document, head)[0].pop("orders", None)
    _take(battle, document)


def _entry(battle: Battle, document: dict[str, Any], head: str) -> tuple[dict[str, Any], str]:
    """The entry of a side or unit, and the unit's id."""
    side, unit = who(head, battle.state)
    if not unit:
        return document["sides"][battle.state.sides[side]], ""
    return next(entry for entry in document["units"] if entry["id"] == unit), unit


def _take(battle: Battle, document: dict[str, Any]) -> None:
    """Read the changed battle again, so that nothing is kept that could not be read."""
    again = read_battle(dump_document(document, False, battle.head), source=battle.source, path=battle.path)
    battle.document, battle.state = again.document, again.state
    battle.policies, battle.controllers = again.policies, again.controllers
