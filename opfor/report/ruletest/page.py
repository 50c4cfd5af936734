"""What turned rules change as one page that needs nothing else: plots and tables, no script, nothing fetched."""

from __future__ import annotations

from collections.abc import Sequence

from opfor.report.arena.charts import Measured, intervals
from opfor.report.pages import page
from opfor.report.ruletest.words import (
    SHARE,
    Effect,
    Report,
    contrasts,
    findings,
    heading,
    remarks,
    table,
    tested,
)

#: percent: an axis is no shorter, and no longer, whatever the effects
_LEAST, _MOST = 10.0, 200.0
#: the part of all edges that an axis holds
_INSIDE = 0.85
_POINTS, _CHANGE = "in points", "in percent of what it was"


def report_page(report: Report) -> str:
    """The page as HTML."""
    from markupsafe import Markup

    # the plots escape their own text
    sections = [
        {
            "title": words,
            "findings": findings(report, effects),
            "plots": [(title, note, Markup(svg)) for title, note, svg in _plots(effects)],
            "table": table(effects),
        }
        for words, effects in contrasts(report)
    ]
    return page(
        "opfor.report.ruletest",
        "ruletest",
        report=report,
        heading=heading(report),
        remarks=remarks(report),
        sections=sections,
        means=_means(report),
    )


def _plots(effects: Sequence[Effect]) -> list[tuple[str, str, str]]:
    """A plot for each group: shares of games and of shots by their points, all else by its change in percent."""
    groups: dict[str, list[Effect]] = {}
    for effect in effects:
        groups.setdefault(effect["group"], []).append(effect)
    found = []
    for group, some in groups.items():
        points = [effect for effect in some if effect["unit"] == SHARE]
        rest = [effect for effect in some if effect["unit"] != SHARE and effect["before"]]
        for kind, ones in ((_POINTS, points), (_CHANGE, rest)):
            if ones:
                rows = [_row(effect, 100.0 if kind == _POINTS else 100 / abs(effect["before"])) for effect in ones]
                found.append((f"{group[:1].upper()}{group[1:]}, {kind}", _note(ones), _plot(group, rows)))
    return found


def _row(effect: Effect, scale: float) -> Measured:
    name = f"{'* ' if effect['shown'] else ''}{effect['words']}"
    low, high = effect["interval"]
    return name, effect["difference"] * scale, low * scale, high * scale


def _plot(title: str, rows: Sequence[Measured]) -> str:
    # a few rare things with wide intervals must not press all others together
    edges = sorted(abs(value) for _, *values in rows for value in values)
    edge = max(_LEAST, edges[int(_INSIDE * (len(edges) - 1))])
    # four steps of whole numbers
    reach = min(_MOST, 2 * -(-edge // 2))
    return intervals(title, rows, -reach, reach, 0, lambda value: f"{value:+z.0f}" if abs(value) >= 10 else f"{value:+z.1f}")


def _note(effects: Sequence[Effect]) -> str:
    words = "Difference with its 95 % interval"
    if any(effect["shown"] for effect in effects):
        words += "; * is shown"
    if not tested(effects):
        words += "; nothing is claimed by these"
    return f"{words}. What reaches beyond an edge ends there; point at a row for its numbers."


def _means(report: Report) -> list[list[str]]:
    """A row for each measure that occurred, a column for each variant."""
    units = {effect["measure"]: effect for effect in report["effects"]}
    names = [variant["name"] for variant in report["variants"]]
    rows = [["measure", "unit", *names]]
    for key, effect in units.items():
        means = [variant["means"].get(key) for variant in report["variants"]]
        rows.append([effect["words"], effect["unit"], *("-" if mean is None else f"{mean:.4g}" for mean in means)])
    return rows
