"""Shapes filled with a bubble for each point, as on a record sheet: those of points lost are dark and crossed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from opfor.report.drawing import Circle, Line, Point, Polygon, Shape, Text
from opfor.report.geometry import text_width

INK = "#1c1c1c"
LOST = "#8c2d19"
PALE = "#fdfcf7"
GONE = "#d9d5cc"


@lru_cache(maxsize=4096)
def spots(outline: tuple[Point, ...], count: int) -> tuple[float, tuple[Point, ...]]:
    """Radius and centres of ``count`` bubbles in rows within an outline, as large as they fit."""
    if count <= 0:
        return 0.0, ()
    ys = [y for _, y in outline]
    step = 16.0
    while True:
        found: list[Point] = []
        # rows as far apart as bubbles are, the rest of the height shared by top and bottom
        high = max(ys) - min(ys)
        rows = max(1, int((high - step * 0.5) // step))
        top = min(ys) + (high - (rows - 1) * step) / 2
        for row in range(rows):
            y = top + row * step
            left, right = _across(outline, y, step * 0.55)
            wide = right - left
            fits = int(wide // step) + 1 if wide >= 0 else 0
            start = (left + right) / 2 - (fits - 1) * step / 2
            found += ((start + k * step, y) for k in range(fits))
        if len(found) >= count or step < 2.5:
            return step * 0.42, _spread(found, count)
        step *= 0.96


def _spread(found: Sequence[Point], count: int) -> tuple[Point, ...]:
    """``count`` of the places, those nearest to the middle of all, in the order of reading."""
    if not found:
        return ()
    mx = sum(x for x, _ in found) / len(found)
    my = sum(y for _, y in found) / len(found)
    near = sorted(found, key=lambda p: (round((p[0] - mx) ** 2 + (p[1] - my) ** 2, 3), p[1], p[0]))[:count]
    return tuple(sorted(near, key=lambda p: (round(p[1], 2), p[0])))


def _across(outline: tuple[Point, ...], y: float, margin: float) -> Point:
    """From where to where a row of bubbles may reach, their rims within the outline."""
    left, right = -1e9, 1e9
    for level in (y - margin, y, y + margin):
        crossed = []
        for (x1, y1), (x2, y2) in zip(outline, (*outline[1:], outline[0]), strict=True):
            if (y1 <= level < y2) or (y2 <= level < y1):
                crossed.append(x1 + (x2 - x1) * (level - y1) / (y2 - y1))
        if len(crossed) < 2:
            return 1.0, -1.0
        left, right = max(left, min(crossed) + margin), min(right, max(crossed) - margin)
    return left, right


def location(
    outline: tuple[Point, ...], name: str, left: int, total: int, label: Point, *, whole: bool = True, fill: str = PALE
) -> Iterator[Shape]:
    """A location's outline with its bubbles, and its name with the points left at ``label``; a location gone is crossed out."""
    left = max(0, left)
    yield Polygon(outline, fill if whole else GONE, INK, 1.6, title=f"{name}: {left} of {total}")
    radius, places = spots(outline, total)
    for index, (x, y) in enumerate(places):
        # points are lost from the last bubble on
        if index < left:
            yield Circle((x, y), radius, "#ffffff", INK, 1.0)
            continue
        yield Circle((x, y), radius, LOST, INK, 0.8)
        arm = radius * 0.6
        yield Line(((x - arm, y - arm), (x + arm, y + arm)), "#ffffff", 0.9)
        yield Line(((x - arm, y + arm), (x + arm, y - arm)), "#ffffff", 0.9)
    if not whole:
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        yield Line(((min(xs), min(ys)), (max(xs), max(ys))), INK, 2.2)
        yield Line(((min(xs), max(ys)), (max(xs), min(ys))), INK, 2.2)
    words = f"{name} {left}/{total}" if left != total else f"{name} {total}"
    yield Text(label, words, 11.0, LOST if left < total else INK, bold=True, halo=PALE, fit=text_width(words, 11.0, True))


def boxes(count: int, marked: int, at: Point, size: float = 13.0, words: Sequence[str] = ()) -> Iterator[Shape]:
    """A row of boxes, the first ``marked`` crossed, each with its word below."""
    x, y = at
    for index in range(count):
        left = x + index * (size + 7)
        corners = ((left, y), (left + size, y), (left + size, y + size), (left, y + size))
        hit = index < marked
        yield Polygon(corners, LOST if hit else "#ffffff", INK, 1.2)
        if hit:
            yield Line((corners[0], corners[2]), "#ffffff", 1.6)
            yield Line((corners[3], corners[1]), "#ffffff", 1.6)
        if index < len(words):
            yield Text((left + size / 2, y + size + 10), words[index], 9.0, INK)
