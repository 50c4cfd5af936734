"""The report of a league: members by rating, and how each has fared against each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from opfor.gm.arena.statistics import interval_mirrored, ratings
from opfor.report.arena.words import aligned, percent, percents
from training.league_book import Book, Entry

Pairs = Mapping[tuple[str, str], Sequence[float]]


def report(book: Book) -> dict[str, Any]:
    """Members, the best first, and pairs, with 95 % intervals.

    ``members``: ``[{"name", "code", "file", "here", "rating", "interval", "mu", "sigma", "games", "wins", "draws",
    "losses", "win_rate", "faults"}]``; ``rating`` is None for whom no chain of games joins to the others. ``pairs``: ``[{"a",
    "b", "games", "win_rate", "interval"}]``, ``interval`` by mirrored pairs. ``rounds``, ``games``, ``due`` (games left of a
    round that was begun), ``errors`` and ``versions`` of the program that have played.
    """
    joined = largest_group(list(book.entries), book.pairs)
    pairs = {key: not_one_sided(one) for key, one in book.pairs.items() if key[0] in joined}
    rated = ratings(joined, pairs) if len(joined) > 1 else {}
    order = sorted(book.entries.values(), key=lambda entry: -_worth(entry, rated))
    return {
        "members": [_member(entry, rated.get(entry.name)) for entry in order],
        "pairs": [_pair(a, b, scores) for (a, b), scores in sorted(book.pairs.items())],
        "rounds": book.rounds,
        "games": book.games,
        "due": len(book.open.due) if book.open else 0,
        "errors": list(book.errors),
        "versions": list(book.versions),
    }


def largest_group(names: Sequence[str], pairs: Pairs) -> list[str]:
    """The most members that a chain of games joins; a rating says nothing between groups. Of groups of one size the older."""
    joined = {name: {name} for name in names}
    for a, b in pairs:
        if joined[a] is not joined[b]:
            joined[a] |= joined[b]
            for name in joined[b]:
                joined[name] = joined[a]
    most = max(joined.values(), key=len, default=set())
    return [name for name in names if name in most]


def not_one_sided(scores: Sequence[float]) -> list[float]:
    """The scores of a pairing for a fit; one that the same side has won throughout counts a drawn pair of games more.

    The next might have gone otherwise, and without it ratings would lie apart without end.

    >>> not_one_sided([1.0, 1.0]), not_one_sided([1.0, 0.5])
    ([1.0, 1.0, 0.5], [1.0, 0.5])
    """
    return [*scores, 0.5] if set(scores) in ({0.0}, {1.0}) else list(scores)


def _worth(entry: Entry, rated: Mapping[str, Any]) -> float:
    """What members are ordered by: those without a rating come last."""
    row = rated.get(entry.name)
    return float(row["rating"]) if row else entry.skill.mu - 1e6


def _member(entry: Entry, rated: Mapping[str, Any] | None) -> dict[str, Any]:
    return {
        "name": entry.name,
        "code": entry.code,
        "file": entry.file,
        "here": not entry.dropped,
        "rating": rated["rating"] if rated else None,
        "interval": rated["interval"] if rated else None,
        "mu": round(entry.skill.mu, 3),
        "sigma": round(entry.skill.sigma, 3),
        "games": entry.games,
        "wins": entry.wins,
        "draws": entry.draws,
        "losses": entry.losses,
        "win_rate": round((entry.wins + entry.draws / 2) / entry.games, 4) if entry.games else None,
        "faults": entry.faults,
    }


def _pair(a: str, b: str, scores: Sequence[float]) -> dict[str, Any]:
    return {
        "a": a,
        "b": b,
        "games": 2 * len(scores),
        "win_rate": round(sum(scores) / len(scores), 4),
        "interval": [round(edge, 4) for edge in interval_mirrored(scores)],
    }


def words(document: Mapping[str, Any]) -> str:
    """The report as text."""
    rows = [["member", "rating", "95 %", "skill", "games", "won", "drawn", "lost", "win rate"]]
    for row in document["members"]:
        interval = row["interval"]
        rows.append(
            [
                row["name"] if row["here"] else f"{row['name']} (gone)",
                "-" if row["rating"] is None else f"{row['rating']:.0f}",
                "-" if interval is None else f"{interval[0]:.0f} to {interval[1]:.0f}",
                f"{row['mu']:.1f} ± {row['sigma']:.1f}",
                *(str(row[key]) for key in ("games", "wins", "draws", "losses")),
                percent(row["win_rate"]),
            ]
        )
    lines = ["Members (Elo scale, mean 1500)", *aligned(rows)]
    if document["pairs"]:
        rows = [["a", "b", "games", "win rate of a", "by mirrored pairs"]]
        for one in document["pairs"]:
            rows.append([one["a"], one["b"], str(one["games"]), percent(one["win_rate"]), percents(one["interval"])])
        lines += ["", "Games of each pair", *aligned(rows)]
    lines += ["", f"{document['games']} games in {document['rounds']} rounds"]
    if document["due"]:
        lines.append(f"{document['due']} games of the last round are still to be played")
    lines += [f"could not be played, does not count: {error}" for error in document["errors"]]
    lines += [f"{row['name']} failed in {row['faults']} games and lost them" for row in document["members"] if row["faults"]]
    if len(document["versions"]) > 1:
        lines.append(f"Games of several versions of the program count together: {', '.join(document['versions'])}.")
    return "\n".join(lines)


__all__ = ["largest_group", "not_one_sided", "report", "words"]
