"""Is this battle fair, in words: chances, length, losses, who is most likely to be lost, and what would change it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opfor.report.arena.words import aligned

Report = Mapping[str, Any]
#: units told of by name
_MOST = 8


def outlook_words(report: Report) -> str:
    """The outlook of a battle as text."""
    policies = ", ".join(f"{side} by {code}" for side, code in report["policies"].items())
    lines = [
        f"{report['battle']}, turn {report['turn']}, {report['phase']}: {report['games']} games from here on; {policies}",
        "",
    ]
    if not report["games"]:
        return "\n".join([*lines, "No game was played to its end."])
    lines += [_chance(row) for row in report["chances"]]
    lines += ["", _length(report), ""]
    for row in report["losses"]:
        units, worth = _range(row["lost"]), _range(row["worth_lost"])
        lines.append(f"lost by {row['side']}: {units} of {row['units']} units, worth {worth}")
    rows = [["most likely to be lost", "side", "chance", "95 % interval"]]
    for row in report["units"][:_MOST]:
        low, high = row["lost"]["interval"]
        name = row["unit"] if row["name"] in ("", row["unit"]) else f"{row['unit']} ({row['name']})"
        rows.append([name, row["side"], f"{row['lost']['chance']:.0%}", f"{low:.0%} to {high:.0%}"])
    lines += ["", *aligned(rows)]
    if report.get("budget"):
        lines += ["", *budget_lines(report["budget"])]
    return "\n".join(lines)


def budget_lines(budget: Report) -> list[str]:
    """What would bring a side to the wished chance, or plainly that nothing does."""
    wished = f"{budget['wished']:.0%} for {budget['side']}"
    if budget["fair"]:
        return [f"It cannot be told from {wished} as it stands: {_interval(budget['now'])}."]
    lines = [f"To come to {wished} (now {_interval(budget['now'])}):"]
    for row in budget["suggestions"]:
        lines.append(f"  {row['words']}: {_interval(row)}")
    if not budget["suggestions"]:
        lines = [f"Nothing that was tried comes to {wished} (now {_interval(budget['now'])})."]
        if budget["nearest"]:
            lines.append(f"  the nearest: {budget['nearest']['words']}: {_interval(budget['nearest'])}")
    lines.append(f"{budget['tried']} changes were tried, {budget['games']} games each.")
    return lines


def _chance(row: Report) -> str:
    words = "a draw" if row["side"] == "draw" else f"{row['side']} wins"
    return f"{words}: {_interval(row)}"


def _interval(row: Report) -> str:
    low, high = row["interval"]
    return f"{row['chance']:.0%} ({low:.0%} to {high:.0%})"


def _length(report: Report) -> str:
    turns = report["length"]["turns"]
    last = f"; turn {report['length']['last_turn']} is the last" if report["length"]["last_turn"] else ""
    return f"likely length: {_range(turns)} turns from here{last}; ranges hold four games of five"


def _range(spread: Report) -> str:
    low, high = spread["likely"]
    return f"{spread['median']:g} ({low:g} to {high:g})"


__all__ = ["budget_lines", "outlook_words"]
