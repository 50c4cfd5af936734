"""The report of an arena as text and as CSV. ``report`` is the published document of ``opfor arena --json``."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

Report = Mapping[str, Any]


def percent(part: float | None) -> str:
    """A part of one as a percentage."""
    return "-" if part is None else f"{100 * part:.1f} %"


def percents(interval: Sequence[float]) -> str:
    """An interval of parts as percentages."""
    return f"{100 * interval[0]:.1f}-{100 * interval[1]:.1f} %"


def ratio(value: float | None) -> str:
    """A ratio of exchange; a dash where nothing was lost."""
    return "-" if value is None else f"{value:.2f}"


def rating_words(row: Mapping[str, Any]) -> str:
    """A rating's interval."""
    return f"{row['interval'][0]:.0f} to {row['interval'][1]:.0f}"


def tables(report: Report) -> list[tuple[str, list[list[str]]]]:
    """Title and rows of each table, the first row the heads."""
    standings, ratings = report["standings"], report["ratings"]
    first = [["policy", "rating", "95 %", "games", "won", "drawn", "lost", "win rate", "exchange"]]
    for label, row in ratings.items():
        one = standings[label]
        first.append(
            [
                label,
                f"{row['rating']:.0f}",
                rating_words(row),
                *(str(one[key]) for key in ("games", "wins", "draws", "losses")),
                percent(one["win_rate"]),
                ratio(one["exchange"]),
            ]
        )
    second = [["a", "b", "games", "won", "drawn", "lost", "win rate of a", "95 % by games", "by mirrored pairs"]]
    third = [["a", "b", "destroyed by a", "by b", "exchange", "left of a", "of b", "units left", "turns"]]
    for pair in report["pairs"]:
        names = [pair["a"], pair["b"]]
        second.append(
            [
                *names,
                *(str(pair[key]) for key in ("games", "wins_a", "draws", "wins_b")),
                percent(pair["win_rate"]),
                percents(pair["interval"]),
                percents(pair["interval_mirrored"]),
            ]
        )
        bv, turns = pair["bv"], pair["turns"]
        third.append(
            [
                *names,
                f"{bv['destroyed_by_a']:.0f}",
                f"{bv['destroyed_by_b']:.0f}",
                ratio(bv["exchange"]),
                f"{bv['left_a']:.0f}",
                f"{bv['left_b']:.0f}",
                f"{pair['survivors_a']:.1f} : {pair['survivors_b']:.1f} of {pair['units']:.1f}",
                f"{turns['mean']:.1f} ({turns['least']:.0f} to {turns['most']:.0f})",
            ]
        )
    fourth = [["policy", "decision", "number", "mean ms", "worst ms"]]
    for label in ratings:
        for kind, row in standings[label]["decisions"].items():
            fourth.append([label, kind, str(row["count"]), f"{row['mean_ms']:.2f}", f"{row['worst_ms']:.1f}"])
    found = [
        ("Ratings (Elo scale, mean 1500)", first),
        ("Games of each pair", second),
        ("Battle Value a game, survivors, length", third),
        ("Time for a decision", fourth),
    ]
    if len(report["sets"]) > 1:
        rows = [["a", "b", "set", "games", "win rate of a", "by mirrored pairs"]]
        for pair in report["pairs"]:
            for name, one in pair["by_set"].items():
                rate = [str(one["games"]), percent(one["win_rate"]), percents(one["interval_mirrored"])]
                rows.append([pair["a"], pair["b"], name, *rate])
        found.insert(2, ("By set of battles", rows))
    return found


def report_words(report: Report) -> str:
    """The report as text."""
    lines = []
    for title, rows in tables(report):
        lines += [title, *aligned(rows), ""]
    lines += remarks(report)
    return "\n".join(lines)


def remarks(report: Report) -> list[str]:
    """What is to be said about the results: failures of policies (the first of each; all are in the document), and doubts."""
    lines = []
    for label in report["policies"]:
        faults = [fault for fault in report["faults"] if fault["policy"] == label]
        if faults:
            first = f"{faults[0]['game']}, {faults[0]['message']}"
            lines.append(f"{label} failed in {len(faults)} games and lost them; the first: {first}")
    lines += [f"could not be played, does not count: {error['game']}: {error['message']}" for error in report["errors"]]
    if not all(row["bounded"] for row in report["ratings"].values()):
        lines.append("Somebody won every point against others: ratings lie as far apart as so many games can tell, or farther.")
    return lines


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows in columns: the first left, numbers right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    left = [not any(sign.isdigit() for sign in rows[-1][column][:1]) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if flush else cell.rjust(width) for cell, width, flush in zip(row, widths, left, strict=True)
        ).rstrip()
        for row in rows
    ]


def pairs_csv(report: Report) -> str:
    """A line for each pair of policies and set of battles, ``all`` for all of them together."""
    keys = ("games", "wins_a", "wins_b", "draws", "win_rate")
    rows: list[list[Any]] = [["a", "b", "set", *keys, "low", "high", "low_mirrored", "high_mirrored"]]
    for pair in report["pairs"]:
        for name, one in (("all", pair), *pair["by_set"].items()):
            rates = [one[key] for key in keys]
            rows.append([pair["a"], pair["b"], name, *rates, *one["interval"], *one["interval_mirrored"]])
    return _csv(rows)


def ratings_csv(report: Report) -> str:
    """A line for each policy."""
    keys = ("games", "wins", "draws", "losses", "win_rate", "bv_destroyed", "bv_lost", "exchange", "faults")
    rows: list[list[Any]] = [["policy", "rating", "low", "high", *keys, "mean_ms", "worst_ms"]]
    for label, row in report["ratings"].items():
        one = report["standings"][label]
        time = one["decisions"].get("all", {"mean_ms": "", "worst_ms": ""})
        rows.append([label, row["rating"], *row["interval"], *(one[key] for key in keys), time["mean_ms"], time["worst_ms"]])
    return _csv(rows)


def games_csv(records: Sequence[Mapping[str, Any]]) -> str:
    """A line for each game."""
    keys = ("a", "b", "set", "number", "swapped", "seed", "winner", "turns")
    each = ("units", "standing", "left_map", "bv", "bv_lost", "bv_left")
    rows: list[list[Any]] = [[*keys, *(f"{key}_{side}" for side in "ab" for key in each), "why"]]
    for one in records:
        if not one.get("error"):
            rows.append([*(one[key] for key in keys), *(one["sides"][side][key] for side in "ab" for key in each), one["why"]])
    return _csv(rows)


def _csv(rows: Sequence[Sequence[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
