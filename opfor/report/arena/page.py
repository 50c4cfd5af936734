"""The report of an arena as one page that needs nothing else: tables and plots, no script, nothing fetched."""

from __future__ import annotations

from opfor.report.arena.charts import exchange, histogram, intervals
from opfor.report.arena.words import Report, remarks, tables
from opfor.report.pages import page


def report_page(report: Report) -> str:
    """The page as HTML."""
    from markupsafe import Markup

    # the plots escape their own text
    plots = [(title, note, Markup(svg)) for title, note, svg in _plots(report)]
    return page("opfor.report.arena", "arena", report=report, plots=plots, tables=tables(report), remarks=remarks(report))


def _plots(report: Report) -> list[tuple[str, str, str]]:
    """Title, what it shows, and the picture."""
    rated = [(label, row["rating"], *row["interval"]) for label, row in report["ratings"].items()]
    edges = [edge for _, _, low, high in rated for edge in (low, high)] or [1500.0]
    # four steps of whole hundreds
    low = 100 * (min(edges) // 100)
    high = low + 400 * ((max(edges) - low) // 400 + 1)
    pairs = report["pairs"]
    rates = [(f"{pair['a']} : {pair['b']}", pair["win_rate"], *pair["interval_mirrored"]) for pair in pairs]
    traded = [(f"{p['a']} : {p['b']}", p["bv"]["destroyed_by_a"], p["bv"]["destroyed_by_b"]) for p in pairs]
    return [
        (
            "Ratings",
            "Elo scale, with 95 % intervals. 191 points are odds of three to one.",
            intervals("Ratings", rated, low, high, 1500, lambda value: f"{value:.0f}"),
        ),
        (
            "Win rates",
            "Of the first of each pair, a draw counting half, with 95 % intervals by mirrored pairs.",
            intervals("Win rates", rates, 0, 1, 0.5, lambda value: f"{100 * value:.0f} %"),
        ),
        (
            "Exchange of Battle Value",
            "A game, by the first of each pair: destroyed to the right, lost to the left.",
            exchange("Exchange of Battle Value", traded),
        ),
        (
            "Length",
            "Games by the turn in which they ended.",
            histogram("Length of the games in turns", list(report["turns"].items())),
        ),
    ]
