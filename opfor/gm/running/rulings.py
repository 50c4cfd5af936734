"""Rulings at the table, kept in the battle file with the turn that they were made in, so that answers do not change."""

from __future__ import annotations

from typing import Any

from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle


def rulings_of(battle: Battle) -> list[dict[str, Any]]:
    """The rulings kept in a battle file as ``{"turn", "phase", "ruling"}``; those written by hand in any form too."""
    found = []
    for row in _kept(battle):
        if isinstance(row, dict):
            rest = [f"{key}: {value}" for key, value in row.items() if key not in ("turn", "phase")]
            words = row.get("ruling") or ", ".join(rest)
            found.append({"turn": row.get("turn", "?"), "phase": row.get("phase", ""), "ruling": str(words)})
        else:
            found.append({"turn": "?", "phase": "", "ruling": str(row)})
    return found


def rule_that(battle: Battle, words: str) -> dict[str, Any]:
    """Add a ruling to the battle with the turn and phase that it is made in. Raises :class:`InputError` for an empty one."""
    ruling = " ".join(words.split())
    if not ruling:
        raise InputError("a ruling needs words", source="ruling", hint='opfor rule-that BATTLE "smoke lasts two turns"')
    row = {"turn": battle.state.turn, "phase": battle.state.phase, "ruling": ruling}
    battle.document["rulings"] = [*_kept(battle), row]
    return row


def _kept(battle: Battle) -> list[Any]:
    kept = battle.document.get("rulings")
    return kept if isinstance(kept, list) else [] if kept is None else [kept]


def ruling_words(row: dict[str, Any]) -> str:
    """A ruling as a line."""
    when = "earlier" if row["turn"] == "?" else f"turn {row['turn']}"
    return f"{', '.join(part for part in (when, str(row['phase'])) if part)}: {row['ruling']}"
