"""What differs between two battle files: unit by unit, in words and as data. Nothing is told of the log of either."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opfor.formats.battle_file.battle import Battle
from opfor.formats.battle_file.battle_write import battle_document

#: keys of the whole battle that are told of as they are; the log and what only the program reads is left out
_BATTLE = (
    "name", "ruleset", "board", "turn", "phase", "stage", "limit", "winner", "wind", "terrain", "mines", "fires", "zones",
    "markers", "scores", "actions_started", "pending", "rulings", "sides",
)  # fmt: skip
#: parts of a unit's entry that the program keeps for itself
_WITHIN = ("this_turn",)
#: paths of a unit's entry in words
_WORDS = {
    "at": "hex", "moved.mode": "movement", "moved.hexes": "hexes moved", "moved.mp": "MP spent",
    "pilot.hits": "pilot hits", "damage.troopers": "troopers lost",
}  # fmt: skip


def battle_diff(a: Battle, b: Battle) -> dict[str, Any]:
    """Changes from ``a`` to ``b``: ``{"battle": [change], "units": {id: [change]}, "gone": [id], "new": [id]}``.

    A change is ``{"what", "was", "now", "words"}``; None stands for what is not there.
    """
    old, new = battle_document(a), battle_document(b)
    before = {entry["id"]: entry for entry in old["units"]}
    after = {entry["id"]: entry for entry in new["units"]}
    changes = {}
    for id in before:
        if id in after and (found := _changes(_flat(before[id], _WITHIN), _flat(after[id], _WITHIN))):
            changes[id] = found
    kept = [{key: document[key] for key in _BATTLE if key in document} for document in (old, new)]
    return {
        "battle": _changes(_flat(kept[0]), _flat(kept[1])),
        "units": changes,
        "gone": [id for id in before if id not in after],
        "new": [id for id in after if id not in before],
    }


def _flat(entry: Mapping[str, Any], without: tuple[str, ...] = (), path: str = "") -> dict[str, Any]:
    """A mapping as one level of paths; lists of plain things are counted by what is in them, others stand whole."""
    found: dict[str, Any] = {}
    for key, value in entry.items():
        if key in without:
            continue
        where = f"{path}.{key}" if path else str(key)
        if isinstance(value, Mapping):
            found |= _flat(value, (), where)
        else:
            found[where] = value
    return found


def _changes(before: dict[str, Any], after: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    for what in dict.fromkeys((*before, *after)):
        was, now = before.get(what), after.get(what)
        if was != now:
            found.append({"what": what, "was": was, "now": now, "words": _words(what, was, now)})
    return found


def _words(what: str, was: Any, now: Any) -> str:
    """A change as a clause."""
    *path, last = what.split(".")
    if path in (["damage", "armor"], ["damage", "structure"]):
        part = "armour" if path[1] == "armor" else "structure"
        if "gone" in (was, now) or not isinstance(now or 0, int):
            return f"{part} of {last} {_value(now)}, before {_lost(was)}"
        more = (now or 0) - (was or 0)
        return f"{part} of {last} {'loses' if more > 0 else 'regains'} {abs(more)} ({_lost(was)} -> {_lost(now)})"
    if path == ["damage", "criticals"] and isinstance(now or [], list) and isinstance(was or [], list):
        fresh = _beyond(now or [], was or [])
        mended = _beyond(was or [], now or [])
        parts = [*(f"hit: {one}" for one in fresh), *(f"whole again: {one}" for one in mended)]
        return f"{last}: {', '.join(map(str, parts)) or 'order of criticals'}"
    if path == ["damage", "ammo"]:
        return f"{last}: {_value(was)} -> {_value(now)} rounds"
    if what == "rulings":
        parts = [*(f"new: {_row(one)}" for one in _beyond(now or [], was or []))]
        parts += [f"gone: {_row(one)}" for one in _beyond(was or [], now or [])]
        return f"rulings, {'; '.join(parts)}"
    if isinstance(was, bool) or isinstance(now, bool):
        return f"{'is' if now else 'is no longer'} {last.replace('_', ' ')}"
    if what == "destroyed":
        return f"is destroyed: {now}" if now else "is no longer destroyed"
    name = _WORDS.get(what, what.replace("_", " "))
    return f"{name} {_value(was)} -> {_value(now)}"


def _row(one: Any) -> str:
    return str(one.get("ruling", one)) if isinstance(one, dict) else str(one)


def _beyond(one: Any, other: Any) -> list[Any]:
    """What one list holds more than another; a value that is no list is a list of one."""
    one, other = (value if isinstance(value, list) else [value] for value in (one, other))
    left = list(other)
    found = []
    for item in one:
        if item in left:
            left.remove(item)
        else:
            found.append(item)
    return found


def _lost(value: Any) -> str:
    return "none lost" if value in (None, 0) else f"{value} lost" if isinstance(value, int) else str(value)


def _value(value: Any) -> str:
    return "none" if value is None or value == [] else ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def diff_words(found: dict[str, Any]) -> list[str]:
    """The changes as text: the battle's, then a line a unit."""
    lines = [f"{change['words']}" for change in found["battle"]]
    lines += [f"{id}: {'; '.join(change['words'] for change in changes)}" for id, changes in found["units"].items()]
    lines += [f"{id}: is not there any more" for id in found["gone"]]
    lines += [f"{id}: is new" for id in found["new"]]
    return lines or ["no difference"]
