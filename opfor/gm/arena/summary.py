"""What the games say: win rates, ratings, exchange of Battle Value, length, time. Only whole mirrored pairs of games count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import opfor
from opfor.gm.arena.match import Key, Record, key_of
from opfor.gm.arena.statistics import interval_mirrored, ratings, wilson

#: both games of a battle, the first with the pair in its order
Mirrored = tuple[Record, Record]


def mirrored_pairs(records: Mapping[Key, Record], wanted: Iterable[Key]) -> list[Mirrored]:
    """Both games of every battle that both were played of, in the order wanted. A game that could not be played counts not."""
    found = []
    for key in wanted:
        first, second = records.get(key._replace(swapped=False)), records.get(key._replace(swapped=True))
        if not key.swapped and first and second and not first.get("error") and not second.get("error"):
            found.append((first, second))
    return found


def points(record: Record) -> float:
    """What a of the pair gets for a game: 1, a half for a draw, 0."""
    return {"a": 1.0, "draw": 0.5, "b": 0.0}[record["winner"]]


def summary(
    labels: Sequence[str], settings: Mapping[str, Any], records: Mapping[Key, Record], wanted: Sequence[Key]
) -> dict[str, Any]:
    """The published report of a run; ``wanted`` are the games that it is made of."""
    found = mirrored_pairs(records, wanted)
    by_pair: dict[tuple[str, str], list[Mirrored]] = {}
    for pair in found:
        by_pair.setdefault((pair[0]["a"], pair[0]["b"]), []).append(pair)
    scores = {key: [(points(x) + points(y)) / 2 for x, y in ones] for key, ones in by_pair.items()}
    games = [record for pair in found for record in pair]
    ordered = [records[key] for key in wanted if key in records]
    return {
        "opfor": opfor.__version__,
        "policies": list(labels),
        "seed": settings["seed"],
        "sets": settings["sets"],
        "games": len(games),
        "pairs": [_pair(a, b, ones) for (a, b), ones in by_pair.items()],
        "ratings": ratings(labels, scores, seed=settings["seed"]),
        "standings": {label: _standing(label, games) for label in labels},
        "turns": _histogram(games),
        "faults": [{"game": key_of(one).words, **one["fault"]} for one in ordered if one.get("fault")],
        "errors": [{"game": key_of(one).words, "message": one["error"]} for one in ordered if one.get("error")],
        "replays": [],
    }


def _rates(ones: Sequence[Mirrored]) -> dict[str, Any]:
    games = [record for pair in ones for record in pair]
    score = sum(map(points, games)) / len(games)
    mirrored = interval_mirrored([(points(x) + points(y)) / 2 for x, y in ones])
    return {
        "games": len(games),
        "wins_a": sum(1 for record in games if record["winner"] == "a"),
        "wins_b": sum(1 for record in games if record["winner"] == "b"),
        "draws": sum(1 for record in games if record["winner"] == "draw"),
        "win_rate": round(score, 4),
        "interval": [round(edge, 4) for edge in wilson(score, len(games))],
        "interval_mirrored": [round(edge, 4) for edge in mirrored],
    }


def _pair(a: str, b: str, ones: Sequence[Mirrored]) -> dict[str, Any]:
    games = [record for pair in ones for record in pair]
    by_set: dict[str, list[Mirrored]] = {}
    for pair in ones:
        by_set.setdefault(pair[0]["set"], []).append(pair)
    return {
        "a": a,
        "b": b,
        **_rates(ones),
        "bv": {
            "destroyed_by_a": _mean(games, "b", "bv_lost"),
            "destroyed_by_b": _mean(games, "a", "bv_lost"),
            "exchange": _ratio(_mean(games, "b", "bv_lost"), _mean(games, "a", "bv_lost")),
            "left_a": _mean(games, "a", "bv_left"),
            "left_b": _mean(games, "b", "bv_left"),
        },
        "survivors_a": _mean(games, "a", "standing"),
        "survivors_b": _mean(games, "b", "standing"),
        "units": _mean(games, "a", "units"),
        "turns": _turns(games),
        "by_set": {name: _rates(some) for name, some in by_set.items()},
    }


def _mean(games: Sequence[Record], side: str, key: str) -> float:
    return round(float(sum(record["sides"][side][key] for record in games)) / len(games), 2)


def _ratio(over: float, under: float) -> float | None:
    """A ratio, None where nothing was lost."""
    return round(over / under, 3) if under else None


def _turns(games: Sequence[Record]) -> dict[str, float]:
    turns = [record["turns"] for record in games]
    return {"mean": round(sum(turns) / len(turns), 2), "least": min(turns), "most": max(turns)}


def _histogram(games: Sequence[Record]) -> dict[str, int]:
    """How many games ended in each turn."""
    turns = [record["turns"] for record in games]
    return {str(turn): turns.count(turn) for turn in range(min(turns), max(turns) + 1)} if turns else {}


def _standing(label: str, games: Sequence[Record]) -> dict[str, Any]:
    """A policy over all its games, and how long it thought."""
    mine = [(record, side) for record in games for side in ("a", "b") if record[side] == label]
    wins = sum(1 for record, side in mine if record["winner"] == side)
    draws = sum(1 for record, _ in mine if record["winner"] == "draw")
    destroyed = sum(record["sides"]["b" if side == "a" else "a"]["bv_lost"] for record, side in mine)
    lost = sum(record["sides"][side]["bv_lost"] for record, side in mine)
    total: dict[str, dict[str, float]] = {}
    for record, side in mine:
        for kind, row in record["sides"][side]["decisions"].items():
            for one in (kind, "all"):
                held = total.setdefault(one, {"count": 0, "seconds": 0.0, "worst": 0.0})
                held["count"] += row["count"]
                held["seconds"] += row["seconds"]
                held["worst"] = max(held["worst"], row["worst"])
    return {
        "games": len(mine),
        "wins": wins,
        "draws": draws,
        "losses": len(mine) - wins - draws,
        "win_rate": round((wins + draws / 2) / len(mine), 4) if mine else None,
        "bv_destroyed": destroyed,
        "bv_lost": lost,
        "exchange": _ratio(destroyed, lost),
        "faults": sum(1 for record, _ in mine if record["fault"] and record["fault"]["policy"] == label),
        "decisions": {
            kind: {
                "count": int(row["count"]),
                "mean_ms": round(1000 * row["seconds"] / row["count"], 3),
                "worst_ms": round(1000 * row["worst"], 3),
            }
            for kind, row in sorted(total.items())
        },
    }
