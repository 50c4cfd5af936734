"""The ground of the map: colours, marks, levels, edges. Rule: S-1 (what a hex may hold)."""

from __future__ import annotations

from collections.abc import Iterator

from opfor.board.board import Board, Hex
from opfor.report.drawing import Circle, Line, Point, Polygon, Shape, Text
from opfor.report.geometry import HALF, RADIUS, Layout, around

#: ground colours by level; lower and higher levels take the ends
LEVELS = {
    -3: "#8d9a7c",
    -2: "#a3b08e",
    -1: "#bcc9a2",
    0: "#e2ebcb",
    1: "#ecdfb2",
    2: "#dfc58d",
    3: "#cda76e",
    4: "#b78b57",
    5: "#a07348",
    6: "#87603d",
}
WATER = {0: "#bfe0ee", 1: "#93c6e2", 2: "#5fa3cf", 3: "#3b7fb3"}
_GROUND = {
    "pavement": "#c9c9c6",
    "swamp": "#a9b892",
    "mud": "#bda582",
    "sand": "#f3e3ae",
    "snow": "#f4f6f8",
    "ice": "#dff0f5",
    "tundra": "#cfd4b6",
}
INK = "#3c3c3c"
FAINT = "#8a8a80"
_TREES = {1: "#5d9a4a", 2: "#2f6b2c"}
#: where tree marks stand: direction (sixths of a circle) and share of the way to the edge
_LIGHT = ((1.2, 0.6), (4.8, 0.6), (2.0, 0.74), (4.0, 0.74))
_HEAVY = ((0.95, 0.78), (5.05, 0.78), (1.5, 0.52), (4.5, 0.52), (2.05, 0.78), (3.95, 0.78), (1.5, 0.9), (4.5, 0.9))
_ROUGH = ((1.3, 0.55), (4.7, 0.55), (2.2, 0.66), (3.8, 0.66), (0.9, 0.82), (5.1, 0.82))
_MINES = ((1.5, 0.62), (4.5, 0.62), (3.0, 0.55))
_FLAMES = ((2.4, 0.68), (3.6, 0.68))
_BUILDING = {1: "#b59f86", 2: "#a08a74", 3: "#857364", 4: "#6b6058"}


def ground_colour(record: Hex) -> str:
    """Fill of a hex."""
    if record.water >= 0 and not record.ice:
        return WATER[min(3, record.water)]
    for name, colour in _GROUND.items():
        if getattr(record, name):
            return colour
    return LEVELS[max(-3, min(6, record.level))]


def terrain_shapes(
    board: Board, layout: Layout, occupied: frozenset[int] = frozenset(), base: Board | None = None
) -> Iterator[Shape]:
    """The ground, all of it, from the hindmost to the foremost shape. In ``occupied`` hexes all words stand at the top.

    Buildings and bridges weaker than on ``base`` are shown cracked.
    """
    grid = board.grid
    for cell in grid.on_board:
        record = board.hexes[cell]
        title = f"{grid.names[cell]}: {record.describe()}"
        if record.mines and "mines" not in title:
            title += f", mines {record.mines} that nobody knows of"
        yield Polygon(layout.corners(cell), ground_colour(record), "#b9bba6", 1.0, title=title)
    for cell in grid.on_board:
        yield from _marks(board, layout, cell)
        if base is not None and _weaker(board.hexes[cell], base.hexes[cell]):
            yield from _cracks(layout.centre(cell))
    yield from _steps(board, layout)
    for cell in grid.on_board:
        yield from _words(board, layout, cell, cell in occupied)


def _marks(board: Board, layout: Layout, cell: int) -> Iterator[Shape]:
    record = board.hexes[cell]
    centre = layout.centre(cell)
    if record.road:
        yield from _exits(board, layout, cell, "road_exits", "#8f8f8a", 9.0)
    if record.rough or record.rubble:
        colour = "#8a7a5c" if record.rough else "#77736e"
        for direction, share in _ROUGH:
            x, y = around(centre, direction, HALF * share)
            if record.rough:
                yield Polygon(((x - 5, y + 4), (x, y - 4), (x + 5, y + 4)), colour)
            else:
                yield Polygon(((x - 4, y - 4), (x + 3, y - 3), (x + 4, y + 4), (x - 3, y + 3)), colour)
    if record.swamp or record.mud:
        for direction, share in _ROUGH[:4]:
            x, y = around(centre, direction, HALF * share)
            yield Line(((x - 6, y), (x - 2, y - 3), (x + 2, y), (x + 6, y - 3)), "#4f6f5c", 1.4)
    if record.woods:
        woods = min(2, record.woods)
        yield Polygon(layout.corners(cell, 0.9), _TREES[woods], opacity=0.2 if woods == 1 else 0.35)
        for direction, share in _LIGHT if woods == 1 else _HEAVY:
            yield Circle(around(centre, direction, HALF * share), 6.5 if woods == 1 else 7.0, _TREES[woods], "#2a4a24", 0.8)
    if record.building:
        size = 0.55
        corners = tuple(around(centre, d, HALF * size * 1.25) for d in (0.75, 2.25, 3.75, 5.25))
        yield Polygon(corners, _BUILDING[min(4, record.building)], "#3b332c", 1.5)
    if record.bridge:
        yield from _exits(board, layout, cell, "bridge_exits", "#7b5b3a", 13.0)
        yield from _exits(board, layout, cell, "bridge_exits", "#c8ab85", 8.0)
    if record.mines:
        for direction, share in _MINES:
            x, y = around(centre, direction, HALF * share)
            yield Circle((x, y), 4.2, "#26262b")
            for dx, dy in ((5.6, 0), (0, 5.6), (4.0, 4.0), (4.0, -4.0)):
                yield Line(((x - dx, y - dy), (x + dx, y + dy)), "#26262b", 1.2)
    if record.smoke:
        for direction, share in _LIGHT:
            yield Circle(
                around(centre, direction, HALF * share), 10.0, "#707070" if record.smoke > 1 else "#9a9a9a", opacity=0.55
            )
    if record.fire:
        for direction, share in _FLAMES:
            x, y = around(centre, direction, HALF * share)
            flame = (
                (x - 8, y + 9),
                (x - 9, y + 1),
                (x - 4, y - 5),
                (x - 2, y),
                (x + 2, y - 12),
                (x + 8, y + 1),
                (x + 7, y + 9),
            )
            yield Polygon(flame, "#e2571e", "#8c2b0a", 0.8)
            yield Polygon(((x - 4, y + 9), (x - 3, y + 4), (x + 1, y - 2), (x + 4, y + 5), (x + 3, y + 9)), "#ffc53d")


def _weaker(now: Hex, then: Hex) -> bool:
    """Whether a building or bridge has been damaged, and still stands. Rule: S-10."""
    building = bool(now.building and then.building) and now.building_cf < then.building_cf
    return building or (now.bridge and then.bridge and now.bridge_cf < then.bridge_cf)


def _cracks(centre: Point) -> Iterator[Shape]:
    x, y = centre
    for side in (-1, 1):
        crack = (
            (x + side * 4, y - 20),
            (x + side * 9, y - 11),
            (x + side * 5, y - 4),
            (x + side * 11, y + 4),
            (x + side * 8, y + 12),
        )
        yield Line(crack, "#1d1713", 2.0)


def _exits(board: Board, layout: Layout, cell: int, field: str, colour: str, width: float) -> Iterator[Shape]:
    exits = getattr(board.hexes[cell], field)
    centre = layout.centre(cell)
    if not exits:
        yield Circle(centre, width, colour)
    for direction in range(6):
        if exits >> direction & 1:
            yield Line((centre, layout.toward(cell, direction)), colour, width)


def _steps(board: Board, layout: Layout) -> Iterator[Shape]:
    """Lines along hexsides where the level changes, thicker where it changes by two or more."""
    grid = board.grid
    for cell in grid.on_board:
        for direction in (1, 2, 3):
            other = cell + grid.step[direction]
            if not grid.contains(other):
                continue
            step = abs(board.level[cell] - board.level[other])
            if step:
                yield Line(layout.edge(cell, direction), "#7a5a32", min(6.0, 1.0 + 1.5 * step), opacity=0.9)


def _words(board: Board, layout: Layout, cell: int, occupied: bool) -> Iterator[Shape]:
    """Hex number above, level or depth below; beside the number where a unit's name stands below."""
    record = board.hexes[cell]
    x, y = layout.centre(cell)
    words = []
    if record.level:
        words.append(f"L{record.level}".replace("-", "−"))
    if record.water > 0:
        words.append(f"D{record.water}")
    if record.building:
        words.append(f"B{record.building_height} CF{record.building_cf}")
    if record.bridge:
        words.append(f"+{record.bridge_height} CF{record.bridge_cf}")
    if record.mines:
        words.append(f"M{record.mines}")
    number = " ".join([board.grid.names[cell], *words]) if occupied else board.grid.names[cell]
    yield Text((x, y - HALF + 11.5), number, 9.5 if len(number) < 11 else 8.0, "#55584a", bold=occupied and bool(words))
    if words and not occupied:
        yield Text((x, y + HALF - 4.5), " ".join(words), 10.0 if len(words) == 1 else 8.5, INK, bold=True, halo="#ffffff")


def legend_shapes(board: Board, x: float, y: float, width: float) -> Iterator[Shape]:
    """A key to the marks that the board uses, in rows from (x, y)."""
    used = [board.hexes[cell] for cell in board.grid.on_board]
    entries: list[tuple[str, str]] = []
    for level in sorted({h.level for h in used if h.water < 0}):
        entries.append((LEVELS[max(-3, min(6, level))], f"level {level}"))
    for depth in sorted({h.water for h in used if h.water >= 0}):
        entries.append((WATER[min(3, depth)], f"water, depth {depth}"))
    entries += [(colour, name) for name, colour in _GROUND.items() if any(getattr(h, name) for h in used)]
    entries += [(_TREES[w], ("light", "heavy")[w - 1] + " woods") for w in (1, 2) if any(min(2, h.woods) == w for h in used)]
    if any(h.rough for h in used):
        entries.append(("#8a7a5c", "rough"))
    if any(h.rubble for h in used):
        entries.append(("#77736e", "rubble"))
    if any(h.building for h in used):
        entries.append((_BUILDING[2], "building: height, CF"))
    if any(h.mines for h in used):
        entries.append(("#26262b", "mines: density"))
    if any(h.fire for h in used):
        entries.append(("#e2571e", "fire"))
    entries += [
        (("#9a9a9a", "#707070")[s - 1], ("light", "heavy")[s - 1] + " smoke") for s in (1, 2) if any(h.smoke == s for h in used)
    ]
    at = x
    for colour, name in entries:
        step = 30 + len(name) * 7.2
        if at + step > x + width:
            at, y = x, y + 20
        yield Polygon(((at, y - 11), (at + 14, y - 11), (at + 14, y + 2), (at, y + 2)), colour, "#7d7d75", 0.8)
        yield Text((at + 20, y), name, 11.0, INK, anchor="start")
        at += step


def legend_height(board: Board, width: float) -> float:
    """Room that :func:`legend_shapes` takes."""
    return 20.0 + max((shape.at[1] for shape in legend_shapes(board, 0, 0, width) if isinstance(shape, Text)), default=0.0)


__all__ = ["RADIUS", "ground_colour", "legend_height", "legend_shapes", "terrain_shapes"]
