"""What turned rules change, as text and as CSV. ``report`` is the published document of ``opfor ruletest --vary``."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from opfor.report.arena.words import aligned

Report = Mapping[str, Any]
Effect = Mapping[str, Any]

#: always told, shown or not
_ALWAYS = ("won.a", "won.first", "turns")
SHARE = "share"
_HEADS = [
    "measure", "unit", "before", "after", "difference", "95 % interval", "p", "p corrected", "shown", "games to see", "that",
]  # fmt: skip


def contrasts(report: Report) -> list[tuple[str, list[Effect]]]:
    """Every comparison in words, with its effects in the order of the measures."""
    found: dict[str, list[Effect]] = {}
    for effect in report["effects"]:
        words = f"{effect['rule']}: {effect['to']} in place of {effect['from']}"
        found.setdefault(words, []).append(effect)
    return list(found.items())


def tested(effects: Sequence[Effect]) -> list[Effect]:
    """The effects by which something is claimed."""
    return [effect for effect in effects if effect["p_holm"] is not None]


def shown(effects: Sequence[Effect]) -> list[Effect]:
    """The effects that are shown."""
    return [effect for effect in effects if effect["shown"]]


# -- words ------------------------------------------------------------------------------------------------------------


def report_words(report: Report) -> str:
    """The report as text."""
    lines = [*heading(report), ""]
    for words, effects in contrasts(report):
        lines += [words, *[f"  {line}" for line in findings(report, effects)], ""]
    lines += remarks(report)
    return "\n".join(lines).rstrip()


def heading(report: Report) -> list[str]:
    """How much was played, by whom."""
    a, b = report["policies"]
    battles = "1 battle" if report["battles"] == 1 else f"{report['battles']} battles"
    many = f"{battles}, each by {len(report['variants'])} variants of the rules"
    who = f"{a} on both sides" if a == b else f"a is {a}, b is {b}"
    seats = " and with seats changed" if report["seats_changed"] else ""
    return [f"{report['games']} games: {many}{seats}; {who}"]


def findings(report: Report, effects: Sequence[Effect]) -> list[str]:
    """What one comparison shows: every measure that differs, and what is always asked for; or plainly that nothing does."""
    count, certain = report["tests"], shown(effects)
    lines = []
    if certain:
        lines.append(f"{len(certain)} of {len(tested(effects))} measures differ by more than chance may make it:")
        lines += [f"  {effect_words(effect)}" for effect in certain]
    else:
        lines.append(
            f"Nothing is shown: no measure differs by more than chance may make it (at 95 %, corrected for {count} tests)."
        )
    for effect in effects:
        if effect["measure"] in _ALWAYS and not effect["shown"]:
            lines.append(f"{effect_words(effect)}: not shown{_needed_words(effect)}")
    return lines


def effect_words(effect: Effect) -> str:
    """An effect: what it was, what it is, the difference with its interval."""
    unit = "" if effect["unit"] in (SHARE, "number") else f" {effect['unit']}"
    edges = " to ".join(change(effect, edge) for edge in effect["interval"])
    before, after, difference = (
        level(effect, effect["before"]),
        level(effect, effect["after"]),
        change(effect, effect["difference"]),
    )
    return f"{effect['words']}: {before} -> {after}{unit}, {difference}{_points(effect)} ({edges})"


def level(effect: Effect, value: float) -> str:
    """A mean in the measure's unit."""
    return f"{100 * value:.1f} %" if effect["unit"] == SHARE else plain(value)


def change(effect: Effect, value: float) -> str:
    """A difference in the measure's unit, with its sign."""
    text = f"{100 * value:.1f}" if effect["unit"] == SHARE else plain(value)
    return text if text.startswith("-") else f"+{text}"


def plain(value: float) -> str:
    """A number to three figures or so; no minus before nothing."""
    size = abs(value)
    text = f"{value:.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"
    return text.lstrip("-") if not float(text) else text


def _points(effect: Effect) -> str:
    return " points" if effect["unit"] == SHARE else ""


def _needed_words(effect: Effect) -> str:
    wished = effect["needed"]["wished"]
    if not wished["games"] or not wished["effect"]:
        return ""
    size = change(effect, wished["effect"]).lstrip("+") + (_points(effect) or f" {effect['unit']}")
    return f"; to see {size} takes about {wished['games']} games of each variant"


def remarks(report: Report) -> list[str]:
    """What else is to be said: whether the rule occurred, how the numbers are meant, what is left out."""
    lines = []
    for rule in report["rules"]:
        if "occurred" in rule:
            words = f"{rule['rule']} ({', '.join(rule['ledger'])}) occurred in {rule['occurred']} of {rule['of']} games"
            lines.append(f"{words}: these battles cannot show what it does." if not rule["occurred"] else f"{words}.")
    if len(report["rules"]) > 1:
        how = "the mean over all that the others are at" if report["design"] == "all" else "all others at their first value"
        lines.append(f"Of several rules each effect is {how}.")
    if report["left_out"]:
        lines.append(f"{report['left_out']} battles do not count: not every game of them was played to its end.")
    if report["battles"] < 2:
        lines.append("Two whole battles are the least that anything can be said by.")
    return lines


# -- tables -----------------------------------------------------------------------------------------------------------


def table(effects: Sequence[Effect]) -> list[list[str]]:
    """The effects as rows, the first row the heads."""
    rows = [_HEADS]
    for effect in effects:
        wished = effect["needed"]["wished"]
        rows.append(
            [
                effect["words"],
                "points" if effect["unit"] == SHARE else effect["unit"],
                level(effect, effect["before"]),
                level(effect, effect["after"]),
                change(effect, effect["difference"]),
                " to ".join(change(effect, edge) for edge in effect["interval"]),
                chance(effect["p"]),
                chance(effect["p_holm"]),
                "yes" if effect["shown"] else "",
                str(wished["games"]) if wished["games"] and wished["effect"] else "-",
                change(effect, wished["effect"]).lstrip("+") if wished["games"] and wished["effect"] else "",
            ]
        )
    return rows


def table_words(effects: Sequence[Effect]) -> str:
    """The effects as text in columns."""
    return "\n".join(aligned(table(effects)))


def chance(value: float | None) -> str:
    """A p in words: a dash where nothing is claimed."""
    if value is None:
        return "-"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def effects_csv(report: Report) -> str:
    """A line for each effect."""
    keys = ("rule", "from", "to", "measure", "group", "words", "unit", "before", "after", "difference")
    rest = ("method", "p", "p_holm", "shown", "battles", "seen_from")
    rows: list[list[Any]] = [[*keys, "low", "high", *rest, "wished", "games_for_wished", "games_for_found"]]
    for effect in report["effects"]:
        needed = effect["needed"]
        games = [needed["wished"]["effect"], needed["wished"]["games"], needed["found"]["games"]]
        rows.append([*(effect[key] for key in keys), *effect["interval"], *(effect[key] for key in rest), *games])
    return _csv(rows)


def means_csv(report: Report) -> str:
    """A line for each variant, a column for each measure."""
    keys = list(dict.fromkeys(key for variant in report["variants"] for key in variant["means"]))
    rows: list[list[Any]] = [["variant", "games", *keys]]
    rows += [[one["name"], one["games"], *(one["means"].get(key, "") for key in keys)] for one in report["variants"]]
    return _csv(rows)


def measured_csv(records: Sequence[Mapping[str, Any]]) -> str:
    """A line for each game that was measured, a column for each measure."""
    played = [record for record in records if record.get("measures")]
    first = ("variant", "set", "number", "swapped", "a", "b", "seed", "winner")
    keys = list(dict.fromkeys(key for record in played for key in record["measures"]))
    rows: list[list[Any]] = [[*first, *keys]]
    rows += [[*(one[key] for key in first), *(one["measures"].get(key, "") for key in keys)] for one in played]
    return _csv(rows)


def _csv(rows: Sequence[Sequence[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
