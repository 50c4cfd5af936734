"""What happened, in words: one line an event, with hexes, numbers needed and natural dice."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import Any

from opfor.hex import DIRECTION_NAMES
from opfor.rules.events import Event
from opfor.tables import load_yaml

#: a single one of something
_ONE = re.compile(r"\b(1 )(hexes|points|wounds|critical hits|troopers|turns|levels)\b")
#: events that say what another one repeats, left out of the short account
_SILENT = ("hit_location", "fire_declared", "physical_declared")

#: words for no and for yes, by the event's key
_EITHER = {
    "hit": ("miss", "hit"),
    "success": ("fails", "succeeds"),
    "stopped": ("no", "yes"),
    "exploded": ("nothing", "they explode"),
    "broke": ("it holds", "it breaks"),
    "won": ("lost", "won"),
}
#: parts of phases in words
_STAGES = {
    "calls": "artillery and bomb runs are announced",
    "rolled": "who has lost initiative moves",
    "players": "players attack",
    "answer": "the Op Force answers",
}


@lru_cache(maxsize=1)
def _phrases() -> dict[str, str]:
    found: dict[str, str] = load_yaml(files("opfor.report.posts").joinpath("happenings.yaml").read_text(encoding="utf-8"))
    return found


class _Words(dict[str, Any]):
    """An event's data in words; what is not there is an empty word."""

    def __missing__(self, key: str) -> str:
        return ""


def event_words(event: Event) -> str:
    """An event as a line."""
    data = _Words({key: _word(key, value) for key, value in event.data.items()})
    data["unit"] = event.unit
    number = event.data.get("to_hit") or event.data.get("tn") or {}
    if number:
        data["needs"] = number["tn"] if number.get("tn") is not None else f"nothing will do ({number.get('why', '')})"
    data["dice"] = data["dice"] or "no dice"
    what = event.what
    if what == "moved" and event.data.get("mode") == "stand":
        what = "stayed"
    elif what == "fire_declared" and event.data.get("clear"):
        what = "instead"
    elif what == "heat":
        # what is built up holds the engine's heat, which the line tells apart
        data["built"] = event.data["built"] - event.data.get("engine", 0)
        data["kept"] = f"+ {event.data['held']} held over " if event.data.get("held") else ""
    elif what == "opportunity":
        at = event.data.get("at", "declared")
        data["moment"] = "as it declares" if at == "declared" else f"in {at}"
    phrase = _phrases().get(what)
    if phrase is None:
        facts = ", ".join(f"{key} {value}" for key, value in data.items() if key != "unit" and value not in ("", "no dice"))
        return f"{event.unit} {event.what.replace('_', ' ')}{f': {facts}' if facts else ''}".strip()
    return _ONE.sub(_singular, " ".join(phrase.format_map(data).split()).removesuffix(":"))


def _singular(found: re.Match[str]) -> str:
    return found[1] + ("hex" if found[2] == "hexes" else found[2][:-1])


def _word(key: str, value: Any) -> Any:
    if key in _EITHER:
        return _EITHER[key][bool(value)]
    if key == "hexes" and isinstance(value, dict):
        return ", ".join(f"{hex} {('clear', 'light', 'heavy')[min(2, density)]}" for hex, density in value.items())
    if key == "stage":
        return _STAGES.get(value, value)
    if key == "clear":
        return {"turret": "frees its turret", "opportunity": "holds an opportunity action"}.get(
            value, f"mends weapon {value}" if str(value).isdigit() else value
        )
    if key == "dice":
        return "+".join(map(str, value)) if isinstance(value, list) else value
    if key == "facing" and isinstance(value, int):
        return DIRECTION_NAMES[value % 6]
    if key == "attacks":
        return ", ".join(f"{row['weapon']} at {row['target']}" for row in value) or "nothing"
    if key == "attack":
        return str(value).replace("_", " ")
    if key == "blown_off":
        return ", blown off" if value else ""
    if key == "winner":
        return f"{value} wins" if value else "a draw"
    return value


def is_silent(event: Event) -> bool:
    """Whether an event only says what another one repeats."""
    return event.what in _SILENT


def account(events: Iterable[Event], *, short: bool = False) -> list[str]:
    """Events as lines, ``short`` without those that only repeat."""
    return [event_words(event) for event in events if not (short and is_silent(event))]
