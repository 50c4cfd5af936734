"""Whether the rules hold, in words: what was played, what broke and what it was shrunk to, how fast games are played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opfor.report.arena.words import aligned

Report = Mapping[str, Any]


def holding_words(report: Report, *, looked: bool = True) -> str:
    """The report of a run as text. ``looked``: whether violations were looked for."""
    lines = [_played(report), ""]
    for variant in report["variants"]:
        low, high = variant["interval"]
        name = f"{variant['name']}: " if variant["name"] else ""
        lines.append(
            f"{name}a wins {variant['wins_a']}, b wins {variant['wins_b']}, draws {variant['draws']}: "
            f"{variant['win_rate']:.1%} for a ({low:.1%} to {high:.1%}); {variant['turns']:.1f} turns, "
            f"{variant['orders']:.0f} orders a game"
        )
    broken = troubles(report)
    if not broken and looked:
        broken = ["Nothing broke: every invariant held after every order, every replay came out the same."]
    lines += ["", *broken, ""]
    lines += speed_lines(report)
    return "\n".join(lines).rstrip()


def _played(report: Report) -> str:
    policies = " against ".join(report["policies"])
    return f"{report['games']} games, {policies}, from {', '.join(report['sets'])}, seed {report['seed']}"


def troubles(report: Report) -> list[str]:
    """What broke and what it was shrunk to, and games that could not be played; nothing where all went well."""
    lines = []
    for row in report["violations"]:
        rule = f" [{row['rule']}]" if row["rule"] else ""
        place = f" in {row['place']}" if row["place"] else ""
        lines.append(f"{row['kind']} {row['what']}{place}: {row['games']} games")
        lines.append(f"  {row['message'][:300]}{rule}")
        first = row["first"]
        lines.append(f"  first in {first['set']} {first['number']}, turn {row['turn']}, {row['phase']}: {row['order'] or '-'}")
        small = row["shrunk"]
        if small.get("test"):
            orders = f"{small['orders']} order{'s' * (small['orders'] != 1)}"
            units = f"{small['units']} unit{'s' * (small['units'] != 1)}"
            lines.append(f"  shrunk to {orders}, {units} ({small['tries']} tries): {small['test']}")
        elif small.get("why"):
            lines.append(f"  {small['why']}")
    for error in report["errors"]:
        lines.append(f"{error['games']} games could not be played: {error['error']}")
    return lines


def speed_lines(report: Report) -> list[str]:
    """Games an hour by policies and force size, one core."""
    if not report["speed"]:
        return []
    rows = [["policies", "units a side", "games", "seconds", "games an hour", "orders a second"]]
    for row in report["speed"]:
        names = " / ".join(row["policies"])
        rows.append(
            [names, row["units"], *(f"{row[key]}" for key in ("games", "seconds", "games_per_hour", "orders_per_second"))]
        )
    return ["How fast one core plays, in its own time:", *aligned(rows)]


__all__ = ["holding_words", "speed_lines", "troubles"]
