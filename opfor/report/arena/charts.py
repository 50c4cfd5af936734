"""Plots as SVG: values with intervals, bars that answer each other, a histogram. Colours and fonts are the page's classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

WIDTH, ROW, LEFT, RIGHT, TOP, FOOT = 760, 30, 220, 96, 12, 30
#: a label longer than this is cut; its full text is the tooltip
_LONGEST = 30

#: label, value, low and high edge
Measured = tuple[str, float, float, float]


def intervals(title: str, rows: Sequence[Measured], low: float, high: float, mark: float, words: Callable[[float], str]) -> str:
    """A dot and a whisker a row on an axis from ``low`` to ``high``, with a line at ``mark``."""
    scale = _Scale(low, high)
    parts = _axis(scale, len(rows), words)
    parts.append(f'<line class="mark" x1="{scale(mark)}" y1="{TOP}" x2="{scale(mark)}" y2="{TOP + ROW * len(rows)}"/>')
    for number, (label, value, least, most) in enumerate(rows):
        y = TOP + ROW * number + ROW / 2
        told = f"{label}: {words(value)} ({words(least)} to {words(most)})"
        parts += [
            f"<g><title>{escape(told)}</title>{_label(label, y)}",
            f'<line class="whisker" x1="{scale(least)}" y1="{y}" x2="{scale(most)}" y2="{y}"/>',
            f'<circle class="dot" cx="{scale(value)}" cy="{y}" r="5"/>',
            f'<text class="value" x="{WIDTH - RIGHT + 12}" y="{y + 4}">{escape(words(value))}</text></g>',
        ]
    return _svg(title, parts, len(rows))


def exchange(title: str, rows: Sequence[tuple[str, float, float]]) -> str:
    """Two bars a row from a middle line: what the first destroyed to the right, what it lost to the left."""
    most = max([1.0, *(max(gained, lost) for _, gained, lost in rows)])
    scale = _Scale(-most, most)
    parts = _axis(scale, len(rows), lambda value: f"{abs(value):.0f}")
    zero = scale(0)
    for number, (label, gained, lost) in enumerate(rows):
        y = TOP + ROW * number
        parts += [
            f"<g><title>{escape(f'{label}: destroyed {gained:.0f}, lost {lost:.0f}')}</title>{_label(label, y + ROW / 2)}",
            f'<rect class="lost" x="{scale(-lost)}" y="{y + 6}" width="{round(zero - scale(-lost), 1)}" height="{ROW - 12}"/>',
            f'<rect class="gained" x="{zero}" y="{y + 6}" width="{round(scale(gained) - zero, 1)}" height="{ROW - 12}"/></g>',
        ]
    parts.append(f'<line class="mark" x1="{zero}" y1="{TOP}" x2="{zero}" y2="{TOP + ROW * len(rows)}"/>')
    return _svg(title, parts, len(rows))


def histogram(title: str, counts: Sequence[tuple[str, int]]) -> str:
    """A column for each label, its number above."""
    high, foot = 160, 26
    most = max([1, *(count for _, count in counts)])
    width = (WIDTH - 20) / max(1, len(counts))
    parts = []
    for number, (label, count) in enumerate(counts):
        x = 10 + width * number
        tall = round(high * count / most, 1)
        parts.append(
            f"<g><title>{escape(f'turn {label}: {count} games')}</title>"
            f'<rect class="gained" x="{x + width * 0.1:.1f}" y="{TOP + 14 + high - tall}" '
            f'width="{width * 0.8:.1f}" height="{tall}"/>'
            f'<text class="tick" x="{x + width / 2:.1f}" y="{TOP + high + 30}">{escape(label)}</text>'
            f'<text class="tick" x="{x + width / 2:.1f}" y="{TOP + 10 + high - tall:.1f}">{count or ""}</text></g>'
        )
    return _frame(title, parts, TOP + 14 + high + foot)


class _Scale:
    """Values to places across the picture."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, max(high, low + 1e-9)

    def __call__(self, value: float) -> float:
        part = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(LEFT + part * (WIDTH - LEFT - RIGHT), 1)


def _axis(scale: _Scale, rows: int, words: Callable[[float], str]) -> list[str]:
    foot = TOP + ROW * rows
    parts = []
    for step in range(5):
        value = scale.low + (scale.high - scale.low) * step / 4
        x = scale(value)
        parts.append(f'<line class="grid" x1="{x}" y1="{TOP}" x2="{x}" y2="{foot}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{foot + 18}">{escape(words(value))}</text>')
    return parts


def _label(label: str, y: float) -> str:
    shown = label if len(label) <= _LONGEST else label[: _LONGEST - 1] + "…"
    return f'<text class="label" x="{LEFT - 10}" y="{y + 4}">{escape(shown)}</text>'


def _svg(title: str, parts: Sequence[str], rows: int) -> str:
    return _frame(title, parts, TOP + ROW * rows + FOOT)


def _frame(title: str, parts: Sequence[str], height: float) -> str:
    inside = "".join(parts)
    words = escape(title, quote=True)
    box = f"0 0 {WIDTH} {height:g}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img" aria-label="{words}">{inside}</svg>'
