"""What the games of a run say together: who won, how long, what broke, what was met, and how fast games are played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import opfor
from opfor.gm.arena.statistics import wilson
from opfor.gm.ruletest.exercised import merge
from opfor.gm.ruletest.plays import Record
from opfor.gm.ruletest.store import fault_of

Fault = tuple[str, str, str]
#: units a side, from the first to the last number, that are told of together
_SIZES = ((1, 2), (3, 4), (5, 8), (9, 12), (13, 99))


class Tally:
    """Sums over the games of a run, taken one by one: memory does not grow with their number."""

    def __init__(self) -> None:
        self.games = 0
        self.errors: Counter[str] = Counter()
        self.exercised: dict[str, dict[str, int]] = {}
        self._variants: dict[str, dict[str, float]] = {}
        self._faults: dict[Fault, dict[str, Any]] = {}
        self._speed: dict[tuple[str, str, str], list[float]] = {}

    def take(self, record: Record) -> None:
        """Count a game."""
        if record.get("error"):
            self.errors[record["error"]] += 1
            return
        self.games += 1
        row = self._variants.setdefault(record["variant"], dict.fromkeys(("games", "a", "b", "draw", "turns", "orders"), 0.0))
        row["games"] += 1
        row[record["winner"]] += 1
        row["turns"] += record["turns"]
        row["orders"] += record["orders"]
        self.exercised = merge(self.exercised, record["exercised"])
        size = size_of(record)
        speed = self._speed.setdefault((record["a"], record["b"], size), [0, 0.0, 0])
        speed[0] += 1
        speed[1] += record["cpu"]
        speed[2] += record["orders"]
        if record["violations"]:
            first = record["violations"][0]
            found = self._faults.setdefault(fault_of(record), {**first, "games": 0, "first": _game(record)})
            found["games"] += 1

    @property
    def failed(self) -> bool:
        """Whether any game was stopped by a violation."""
        return bool(self._faults)

    def report(self, small: Mapping[Fault, Mapping[str, Any]]) -> dict[str, Any]:
        """The published document of all games; ``small``: what each fault was shrunk to."""
        return {
            "opfor": opfor.__version__,
            "games": self.games,
            "variants": [_variant(name, row) for name, row in self._variants.items()],
            "effects": [],
            "violations": [
                {**row, "shrunk": {key: value for key, value in small.get(fault, {}).items() if key not in ("battle", "steps")}}
                for fault, row in sorted(self._faults.items())
            ],
            "exercised": self.exercised,
            "errors": [{"error": error, "games": count} for error, count in self.errors.most_common()],
            "speed": [_speed(key, row) for key, row in sorted(self._speed.items())],
        }


def tally(records: Iterable[Record]) -> Tally:
    """All of some games."""
    found = Tally()
    for record in records:
        found.take(record)
    return found


def size_of(record: Record) -> str:
    """The force size of a game in words: units of the larger side, in steps."""
    most = max(side["units"] for side in record["sides"])
    low, high = next((low, high) for low, high in _SIZES if most <= high)
    return f"{low} to {high}" if high < _SIZES[-1][1] else f"{low} and more"


def _game(record: Record) -> dict[str, Any]:
    return {key: record[key] for key in ("set", "number", "swapped", "variant", "seed")}


def _variant(name: str, row: Mapping[str, float]) -> dict[str, Any]:
    games = int(row["games"])
    rate = (row["a"] + row["draw"] / 2) / games
    return {
        "name": name,
        "games": games,
        "wins_a": int(row["a"]),
        "wins_b": int(row["b"]),
        "draws": int(row["draw"]),
        "win_rate": round(rate, 4),
        "interval": [round(edge, 4) for edge in wilson(rate, games)],
        "turns": round(row["turns"] / games, 2),
        "orders": round(row["orders"] / games, 1),
    }


def _speed(key: tuple[str, str, str], row: list[float]) -> dict[str, Any]:
    """How fast one core plays: games an hour of its own time, by policies and force size."""
    a, b, size = key
    games, seconds, orders = row
    return {
        "policies": [a, b],
        "units": size,
        "games": int(games),
        "seconds": round(seconds / games, 3),
        "games_per_hour": round(3600 * games / seconds) if seconds else 0,
        "orders_per_second": round(orders / seconds) if seconds else 0,
    }


__all__ = ["Tally", "size_of", "tally"]
