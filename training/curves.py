"""The curves of a run as one picture, from its tables: scores with their intervals, and how learning went. For who has no
tensorboard, and for a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from opfor.formats.battle_file.history import write_atomic
from training.logs import STEPS, Table

#: where the picture stands in a run's folder
PICTURE = "curves.svg"
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _GAP = 820, 190, 60, 250, 30, 54
#: told apart on white and on black
_COLOURS = ("#2a78c2", "#d1622b", "#3a9a5b", "#8a5bb5", "#b8432f", "#6f7d1c", "#c25a93", "#4c8f96")
_STYLE = (
    "svg{background:#fff;font:12px system-ui,sans-serif}text{fill:#333}.title{font-weight:600}.tick{fill:#666}"
    ".grid{stroke:#ddd}.half{stroke:#999;stroke-dasharray:4 3}"
)
#: columns of progress.csv: what they are called, and how they are written
_LEARNING: tuple[tuple[str, str, str], ...] = (
    ("won", "battles won while learning", "{:.0%}"),
    ("entropy", "entropy of its choices", "{:.2f}"),
    ("explained", "spread of what came of it that the critic explains", "{:.0%}"),
)
#: rollouts that are averaged over, as a share of all
_SMOOTH = 0.05


class Line(NamedTuple):
    """A line: its name, (steps, value) and, where known, the edges of an interval for each point."""

    name: str
    points: Sequence[tuple[float, float]]
    edges: Sequence[tuple[float, float]] = ()


def write_curves(folder: Path) -> None:
    """Draw what a run's tables hold into ``curves.svg``; nothing where they hold nothing yet."""
    picture = drawn(Table(folder / "progress.csv").rows(), Table(folder / "evaluations.csv").rows())
    if picture:
        write_atomic(folder / PICTURE, picture)


def drawn(progress: Sequence[Mapping[str, str]], evaluations: Sequence[Mapping[str, str]]) -> str:
    """Rows of both tables as SVG, empty where there are none."""
    charts = []
    for scenario in dict.fromkeys(row["scenario"] for row in evaluations):
        rows = [row for row in evaluations if row["scenario"] == scenario]
        lines = [_score(opponent, rows) for opponent in dict.fromkeys(row["opponent"] for row in rows)]
        charts.append((f"score on held-out battles of {scenario}", lines, (0.0, 1.0), "{:.0%}"))
    for column, title, words in _LEARNING:
        # what the critic explains may begin far below 0: how far is of no use
        points = [(float(row[STEPS]), max(0.0, float(row[column]))) for row in progress if row.get(column)]
        if points:
            most = max(value for _, value in points)
            charts.append((title, [Line("", _smooth(points))], (0.0, max(1.0, most)), words))
    if not charts:
        return ""
    last = max(x for _, lines, _, _ in charts for line in lines for x, _ in line.points)
    parts = [_chart(number, *chart, last) for number, chart in enumerate(charts)]
    tall = len(charts) * (_TOP + _HEIGHT + _GAP)
    box = f'viewBox="0 0 {_WIDTH} {tall}" role="img" aria-label="curves of a training run"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}><style>{_STYLE}</style>{"".join(parts)}</svg>\n'


def round_marks(last: float) -> list[int]:
    """From 0 up to ``last`` in at most five steps of 1, 2, 2.5 or 5 times a power of ten."""
    least = max(1.0, last / 5)
    power = 10 ** (len(str(int(least))) - 1)
    step = next(int(power * times) for times in (1, 2, 2.5, 5, 10) if power * times >= least and power * times % 1 == 0)
    return list(range(0, int(last) + 1, step))


def _score(opponent: str, rows: Sequence[Mapping[str, str]]) -> Line:
    mine = [row for row in rows if row["opponent"] == opponent]
    return Line(
        opponent,
        [(float(row[STEPS]), float(row["score"])) for row in mine],
        [(float(row["low"]), float(row["high"])) for row in mine],
    )


def _smooth(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    reach = max(1, round(len(points) * _SMOOTH))
    found = []
    for number, (x, _) in enumerate(points):
        around = [value for _, value in points[max(0, number - reach) : number + reach + 1]]
        found.append((x, sum(around) / len(around)))
    return found


def _chart(number: int, title: str, lines: Sequence[Line], span: tuple[float, float], words: str, last: float) -> str:
    top = number * (_TOP + _HEIGHT + _GAP) + _TOP
    low, high = span

    def across(x: float) -> str:
        return f"{_LEFT + (_WIDTH - _LEFT - _RIGHT) * (x / last if last else 0.0):.1f}"

    def down(y: float) -> str:
        return f"{top + _HEIGHT * (1.0 - (y - low) / (high - low)):.1f}"

    right = _WIDTH - _RIGHT
    parts = [f'<text class="title" x="{_LEFT}" y="{top - 12}">{escape(title)}</text>']
    for step in range(5):
        value = low + (high - low) * step / 4
        kind = "half" if step == 2 and span == (0.0, 1.0) else "grid"
        parts.append(f'<line class="{kind}" x1="{_LEFT}" x2="{right}" y1="{down(value)}" y2="{down(value)}"/>')
        parts.append(
            f'<text class="tick" x="{_LEFT - 6}" y="{down(value)}" dy="4" text-anchor="end">{words.format(value)}</text>'
        )
    for x in round_marks(last):
        parts.append(f'<text class="tick" x="{across(x)}" y="{top + _HEIGHT + 18}" text-anchor="middle">{x:,}</text>')
    parts.append(f'<text class="tick" x="{right + 44}" y="{top + _HEIGHT + 18}">steps</text>')
    for place, line in enumerate(lines):
        parts += _line(line, _COLOURS[place % len(_COLOURS)], across, down)
        if line.name:
            told = words.format(line.points[-1][1])
            y = top + 14 + 18 * place
            parts.append(f'<rect x="{right + 14}" y="{y - 9}" width="12" height="4" fill="{_COLOURS[place % len(_COLOURS)]}"/>')
            parts.append(f'<text x="{right + 32}" y="{y - 3}">{escape(line.name)}: {told} at last</text>')
    return "".join(parts)


def _line(line: Line, colour: str, across: Callable[[float], str], down: Callable[[float], str]) -> list[str]:
    parts = []
    if line.edges:
        upper = [f"{across(x)},{down(high)}" for (x, _), (_, high) in zip(line.points, line.edges, strict=True)]
        lower = [f"{across(x)},{down(low)}" for (x, _), (low, _) in zip(line.points, line.edges, strict=True)]
        parts.append(f'<polygon points="{" ".join([*upper, *reversed(lower)])}" fill="{colour}" opacity="0.14"/>')
        parts += [f'<circle cx="{across(x)}" cy="{down(y)}" r="3" fill="{colour}"/>' for x, y in line.points]
    path = " ".join(f"{across(x)},{down(y)}" for x, y in line.points)
    parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
    return parts


__all__ = ["PICTURE", "drawn", "write_curves"]
