"""Which rows of the tables events show to have been read: the groups with what can occur, and the counting.

What an event or a modifier does not tell (the price of a step, the weight of a part) is no group here;
``coverage.yaml`` names those tables with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from opfor.tables import table
from opfor.tables.arsenal import launchers, weapons

Count = Callable[[str, str], None]
Steps = list[list[int]]

#: what an attack without a named fire mode is called
PLAIN_MODE = "plain"
#: and one with missiles that follow a beacon
NARC = "narc"
_SPECIAL = frozenset(table("munitions")["munitions"])
_DICE = range(2, 13)
#: special missiles that have a way of their own with troopers
_MISSILES = ("inferno", "fragmentation")
#: by 2d6 number of a fire that spreads
_SPREAD = {number: way for way, number in table("fire")["spread"].items()}
_HEAT_ROWS = ("mp", "to_hit", "shutdown", "ammunition", "inferno_ammunition", "life_support")
#: heat from which the steps of all tables are behind a unit
_HOTTEST = int(table("heat")["shutdown_automatic"])
_EVADING = {value for _, value in table("to_hit")["target_movement"]["evading"]}


def table_groups() -> list[tuple[str, tuple[str, ...]]]:
    """The groups with what can occur in each."""
    return [
        ("cluster rows", tuple(f"{column}: {total}" for column in table("cluster_hits")["columns"] for total in _DICE)),
        ("target movement", tuple(_from(row) for row, _ in _by_hexes() if row)),
        ("evading", tuple(f"{value:+d}" for value in sorted(_EVADING) if value)),
        ("heat reached", tuple(dict.fromkeys(_heat_rows()))),
        ("staying conscious", tuple(str(hits) for hits in table("pilots")["consciousness"])),
        ("wound rows", tuple(f"{total}: {place}" for total, place in table("pilots")["wounds"]["location"].items())),
        ("falls to a side", tuple(str(die) for die in table("piloting_rolls")["fall"]["facing"])),
        ("minefields", (*(_from(density) for density, _ in table("mines")["trigger"]), "hover")),
        ("fire spreads", tuple(table("fire")["spread"])),
        ("caught in flames", tuple(table("fire")["caught"])),
        ("troopers lost to", (*[name for name in table("infantry")["damage_received"] if name != "none"], *_MISSILES)),
        ("artillery pieces", tuple(weapons()[id].name for id in table("artillery")["pieces"])),
        ("bombs", tuple(table("artillery")["bombs"]["kinds"])),
        ("fire modes", tuple(sorted({NARC, *[mode.name or PLAIN_MODE for modes in launchers().values() for mode in modes]}))),
        ("special missiles", tuple(table("munitions")["munitions"])),
    ]  # fmt: skip


def count_rows(count: Count, what: str, data: dict[str, Any], kind: str) -> None:
    """Count the rows that an event shows; ``kind`` is that of its unit, "" for none."""
    if what == "cluster":
        if not data["dice"]:
            # a Streak salvo that an anti-missile system has met
            return
        total = min(12, max(2, sum(_dice(data["dice"])) + int(data["modifier"])))
        count("cluster rows", f"{data['column']}: {total}")
    elif what == "heat":
        for row in _heat_at(min(int(data["after"]), _HOTTEST)):
            count("heat reached", row)
    elif what == "wounded":
        total = sum(_dice(data["dice"]))
        count("wound rows", f"{total}: {data['location']}")
    elif what == "fall":
        if data.get("dice"):
            count("falls to a side", str(_dice(data["dice"])[-1]))
    elif what == "fire_spreads":
        count("fire spreads", _SPREAD.get(data["number"], str(data["number"])))
    elif what == "scorched":
        count("caught in flames", kind)
    elif what == "troopers_lost":
        if data.get("by"):
            count("troopers lost to", str(data["by"]))
    elif what == "shell":
        count("artillery pieces", str(data["weapon"]))
    elif what == "bombs":
        count("bombs", data["kind"] or table("artillery")["bombs"]["plain"])
    elif what == "attack":
        ways = data.get("mode", "").split()
        for special in _SPECIAL.intersection(ways):
            count("special missiles", special)
        count("fire modes", next((way for way in ways if way not in _SPECIAL), PLAIN_MODE))


#: events that show rows
SHOWING = frozenset({
    "cluster", "heat", "wounded", "fall", "fire_spreads", "scorched", "troopers_lost", "shell", "bombs", "attack",
})  # fmt: skip


def rows_of_modifier(what: str, value: int) -> Iterator[tuple[str, str]]:
    """The rows, with their groups, that a part of a target number shows.

    >>> list(rows_of_modifier("target moved 5", 2)), list(rows_of_modifier("2 pilot hits", 5))
    ([('target movement', '5 or more')], [('staying conscious', '2')])
    """
    first, _, rest = what.partition(" ")
    if what.startswith("target moved "):
        yield "target movement", _from(_last(_by_hexes(), int(what.split()[-1])))
    elif what == "target evades":
        yield "evading", f"{value:+d}"
    elif rest in ("pilot hit", "pilot hits"):
        yield "staying conscious", first
    elif what.startswith("mines of density "):
        yield "minefields", _from(_last(table("mines")["trigger"], int(what.split()[-1])))
    elif what == "hover vehicle over mines":
        yield "minefields", "hover"


def _from(number: int) -> str:
    return f"{number} or more"


def _last(steps: Steps, number: int) -> int:
    """The start of the last step at or below a number; 0 below the first."""
    return max((start for start, _ in steps if start <= number), default=0)


def _by_hexes() -> Steps:
    found: Steps = table("to_hit")["target_movement"]["by_hexes"]
    return found


def _heat_rows() -> Iterator[str]:
    for name in _HEAT_ROWS:
        yield from (f"{name} {start}" for start, _ in table("heat")[name])
    yield f"shutdown_automatic {_HOTTEST}"


@lru_cache(maxsize=64)
def _heat_at(heat: int) -> tuple[str, ...]:
    """The heat rows that a unit of that heat has reached."""
    return tuple(row for row in _heat_rows() if int(row.rpartition(" ")[2]) <= heat)


def _dice(dice: Any) -> list[int]:
    """The roll that counted, of several that were made again."""
    return list(dice[-1]) if dice and isinstance(dice[-1], list) else list(dice)


__all__ = ["SHOWING", "count_rows", "rows_of_modifier", "table_groups"]
