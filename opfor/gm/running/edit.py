"""Changing any value of a battle by its path in the file: ``reaver.heat=7``, ``reaver.damage.armor.LT+=5``, ``turn=4``.

A path begins with a unit (by any of its names), ``sides`` or a key of the battle. ``=`` alone takes a value out, so that its
default holds again; ``+=`` and ``-=`` change a number. The changed battle is read as any file is, so nothing that cannot be
comes in.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import Any

from opfor.errors import InputError, nearest
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.formats.battle_file.battle_schema import (
    BattleFile,
    DamageEntry,
    Entry,
    InitiativeEntry,
    MovedEntry,
    PendingEntry,
    PilotEntry,
    SideEntry,
    ThisTurnEntry,
    UnitEntry,
)
from opfor.formats.battle_file.battle_write import battle_document
from opfor.formats.orders import find_unit
from opfor.formats.source import parse
from opfor.formats.words.unit_names import one_of, units_named
from opfor.formats.yaml_out import dump_document
from opfor.gm.running.battle_diff import battle_diff

#: keys that hold a mapping with keys of its own
_BELOW: dict[type[Entry], dict[str, type[Entry]]] = {
    BattleFile: {"initiative": InitiativeEntry, "pending": PendingEntry},
    UnitEntry: {
        "pilot": PilotEntry, "crew": PilotEntry, "damage": DamageEntry, "moved": MovedEntry, "this_turn": ThisTurnEntry,
    },
}  # fmt: skip
#: what people call some keys
_ALSO = {"hex": "at", "position": "at", "armour": "armor", "ammunition": "ammo", "crits": "criticals", "call sign": "name"}
_CHANGE = re.compile(r"(?s)^\s*(?P<path>.+?)\s*(?P<op>\+=|-=|=|:\s)\s*(?P<value>.*?)\s*$")
#: one change: path in the document, and the new value (None: taken out)
Change = tuple[tuple[str | int, ...], Any]


def edit(battle: Battle, changes: Sequence[str]) -> Battle:
    """The battle with changes made, as ``reaver.heat=7``. Nothing is written.

    Raises :class:`InputError` quoting each change that cannot be made, with the nearest key.
    """
    document = copy.deepcopy(battle_document(battle))
    faults: list[InputError] = []
    for text in changes:
        try:
            path, value = read_change(text, battle, document)
            put(document, path, value)
        except InputError as error:
            faults.append(error)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise InputError("\n".join(["nothing is changed:", *(f"  {fault}" for fault in faults)]))
    return reread(battle, document)


def reread(battle: Battle, document: dict[str, Any]) -> Battle:
    """A changed document as a battle. Raises :class:`InputError` with the key that cannot be so."""
    try:
        again = read_battle(dump_document(document, False, battle.head), source=battle.source, path=battle.path)
    except InputError as error:
        place = re.sub(r",? ?line \d+", "", error.place)
        found = re.match(r"units\[(\d+)\]", place)
        if found and int(found[1]) < len(battle.state.units):
            place = f"{battle.state.units[int(found[1])].id}{place[found.end() :]}"
        raise InputError(error.message, source="edit", place=place, hint=error.hint) from None
    again.head = battle.head
    return again


def changed_words(before: Battle, after: Battle) -> list[str]:
    """What an edit has changed, one line a change."""
    found = battle_diff(before, after)
    lines = [change["words"] for change in found["battle"]]
    return lines + [f"{id}: {change['words']}" for id, changes in found["units"].items() for change in changes]


def read_change(text: str, battle: Battle, document: dict[str, Any]) -> Change:
    """A change as typed. Raises :class:`InputError`."""
    found = _CHANGE.match(text)
    if not found:
        raise InputError(f"{text!r} is no change: write KEY=VALUE, as reaver.heat=7", source="edit")
    path = read_path(found["path"], battle)
    op, raw = found["op"].strip(), found["value"]
    if not raw:
        if op in ("=", ":"):
            return path, None
        raise InputError(f"{text!r} gives no number", source="edit")
    try:
        value = parse(f"value: {raw}", "edit").data["value"]
    except InputError as error:
        raise InputError(f"{raw!r} cannot be read: {error.message}", source="edit", place=found["path"]) from None
    if op in ("=", ":"):
        return path, value
    before = get(document, path)
    before = 0 if before is None else before
    if not all(isinstance(one, int) and not isinstance(one, bool) for one in (before, value)):
        raise InputError(f"{text!r}: {op} changes whole numbers only, and it stands at {before!r}", source="edit")
    return path, before + value if op == "+=" else before - value


def read_path(text: str, battle: Battle) -> tuple[str | int, ...]:
    """A path as typed, as a path in the document. Raises :class:`InputError` with the nearest key."""
    words = re.sub(r"\[\s*['\"]?([^\]'\"]*)['\"]?\s*\]", r".\1", text.strip())
    parts = [part.strip().strip("'\"") for part in re.findall(r"\"[^\"]*\"|'[^']*'|[^.]+", words)]
    if not parts:
        raise InputError(f"{text!r} is no path: write reaver.heat", source="edit")
    state = battle.state
    model: type[Entry] | None = BattleFile
    path: tuple[str | int, ...] = ()
    if parts[0].lower() == "units" and len(parts) > 1:
        parts = parts[1:]
        index = int(parts[0]) if parts[0].isascii() and parts[0].isdigit() and int(parts[0]) < len(state.units) else None
        unit = state.units[index] if index is not None else find_unit(state, parts[0])
        path, model, parts = ("units", unit.index), UnitEntry, parts[1:]
    elif parts[0] in state.sides and len(parts) > 1 and parts[1] in SideEntry.model_fields:
        parts = ["sides", *parts]
    elif parts[0] not in BattleFile.model_fields and parts[0] not in battle.document:
        if parts[0] in state.sides:
            parts = ["sides", *parts]
        else:
            units = units_named(state, parts[0])
            if not units:
                known = [*(unit.id for unit in state.units), *BattleFile.model_fields]
                raise InputError(
                    f"there is no unit, side or key {parts[0]!r}", source="edit", place=text, hint=nearest(parts[0], known)
                )
            path, model, parts = ("units", one_of(units, parts[0]).index), UnitEntry, parts[1:]
    if path and not parts:
        raise InputError(f"{text!r} names a unit: say what of it, as {text.strip()}.heat", source="edit")
    if not path and parts[0] == "sides":
        if len(parts) < 3 or parts[1] not in state.sides:
            near = nearest(parts[1], state.sides) if len(parts) > 1 else ""
            raise InputError(f"{text!r}: write sides.NAME.KEY", source="edit", hint=near or f"sides: {', '.join(state.sides)}")
        path, model, parts = ("sides", parts[1]), SideEntry, parts[2:]
    for number, part in enumerate(parts):
        if model is not None:
            part = _key(part, model, text)
        elif number and parts[number - 1] in ("armor", "structure", "criticals", "armour"):
            part = part.upper()
        if path and path[0] == "units" and part == "pilot" and "crew" in _entry(battle, path):
            part = "crew"
        path, model = (*path, part), _BELOW.get(model or Entry, {}).get(part)
    return path


def _entry(battle: Battle, path: tuple[str | int, ...]) -> dict[str, Any]:
    entries = battle.document.get("units", [])
    index = path[1]
    return entries[index] if isinstance(index, int) and index < len(entries) else {}


def _key(part: str, model: type[Entry], text: str) -> str:
    """A key of a mapping as it is spelt. Raises :class:`InputError` with the nearest."""
    plain = part.replace(" ", "_").replace("-", "_")
    for known in (part, plain, plain.lower(), _ALSO.get(part.lower(), "")):
        if known in model.model_fields:
            return known
    near = nearest(part, model.model_fields) or f"keys: {', '.join(list(model.model_fields)[:30])}"
    raise InputError(f"there is no key {part!r}", source="edit", place=text.strip(), hint=near)


def get(document: dict[str, Any], path: tuple[str | int, ...]) -> Any:
    """The value at a path, None where there is none."""
    value: Any = document
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def put(document: dict[str, Any], path: tuple[str | int, ...], value: Any) -> None:
    """Put a value at a path, or take it out where it is None. Raises :class:`InputError` where nothing can lie there."""
    here: Any = document
    for part in path[:-1]:
        if isinstance(here, dict) and not isinstance(here.get(part), dict | list):
            if here.get(part) not in (None, True, False, ""):
                raise InputError(f"{part} holds {here[part]!r}, and no further keys", source="edit")
            here[part] = {}
        try:
            here = here[part]
        except (KeyError, IndexError, TypeError):
            raise InputError(f"{part!r} cannot be reached", source="edit") from None
    last = path[-1]
    if isinstance(here, list):
        if not (isinstance(last, int) or str(last).isdigit()) or int(last) >= len(here):
            raise InputError(f"a list of {len(here)} has no {last!r}", source="edit")
        here[int(last)] = value
    elif value is None:
        here.pop(last, None)
    else:
        here[last] = value
