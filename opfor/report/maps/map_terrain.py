"""The ground of the map: colours by level, roads, edges, and the words in each hex. Rule: S-1 (what a hex may hold)."""

from __future__ import annotations

from collections.abc import Container, Iterator

from opfor.board.board import Board, Hex
from opfor.report.drawing import Circle, Line, Polygon, Shape, Text
from opfor.report.geometry import HALF, Layout
from opfor.report.maps.map_ground import TREES, cracks, ground_marks, standing_marks
from opfor.report.maps.map_look import Look

#: ground colours by level; lower and higher levels take the ends. Each is darker than the one before it toward the ends
LEVELS = {
    -3: "#7f9280",
    -2: "#9bac96",
    -1: "#b8c7ac",
    0: "#e6eed2",
    1: "#f0e2b4",
    2: "#e2c78c",
    3: "#cfa669",
    4: "#b78852",
    5: "#9c6c42",
    6: "#805537",
}
WATER = {0: "#c3e2f0", 1: "#94c8e6", 2: "#5b9fd0", 3: "#2f74b0"}
GROUND = {
    "pavement": "#d2d2cf",
    "swamp": "#b3c09b",
    "mud": "#c6ae88",
    "sand": "#f5e7b8",
    "snow": "#f6f8fb",
    "ice": "#e2f3f8",
    "tundra": "#d6dcc0",
}
INK = "#2f2f2f"
#: colour and width of the edges of roads and bridges, then of their middles
_ROAD = (("#77756f", 11.0), ("#b9b6ad", 8.0))
_BRIDGE = (("#4e3820", 15.0), ("#d3b78f", 10.0))
#: letters of the types of building: light, medium, heavy, hardened
_WALLS = " LMHX"


def ground_colour(record: Hex) -> str:
    """Fill of a hex."""
    if record.water >= 0 and not record.ice:
        return WATER[min(3, record.water)]
    for name, colour in GROUND.items():
        if getattr(record, name):
            return colour
    return LEVELS[max(-3, min(6, record.level))]


def number_colour(record: Hex) -> str:
    """A colour in which a number can be read on a hex's ground."""
    ground = ground_colour(record)
    red, green, blue = (int(ground[i : i + 2], 16) for i in (1, 3, 5))
    light = (0.3 * red + 0.59 * green + 0.11 * blue) / 255
    if light < 0.5:
        return "#ffffff"
    return "#1f1f1f" if light < 0.72 or record.woods else "#4c4f43"


def terrain_shapes(board: Board, layout: Layout, base: Board | None = None) -> Iterator[Shape]:
    """The ground, from the hindmost to the foremost shape, without words.

    Buildings and bridges weaker than on ``base`` are shown cracked.
    """
    for cell in layout.cells:
        record = board.hexes[cell]
        title = f"{board.grid.names[cell]}: {record.describe()}"
        if record.mines and "mines" not in title:
            title += f", mines {record.mines} that nobody knows of"
        yield Polygon(layout.corners(cell), ground_colour(record), "#a9ab98", 0.8, title=title)
        if record.woods:
            yield Polygon(layout.corners(cell, 0.97), TREES[min(2, record.woods)], opacity=0.16 if record.woods == 1 else 0.36)
    for cell in layout.cells:
        yield from ground_marks(board.hexes[cell], layout.centre(cell))
    # all edges of roads before all their middles, so that they run on from hex to hex
    roads = [cell for cell in layout.cells if board.hexes[cell].road]
    for colour, width in _ROAD:
        for cell in roads:
            yield from _exits(board, layout, cell, "road_exits", colour, width)
    for cell in layout.cells:
        yield from _standing(board, layout, cell)
        if base is not None and _weaker(board.hexes[cell], base.hexes[cell]):
            yield from cracks(layout.centre(cell))
    yield from _steps(board, layout)


def terrain_words(
    board: Board, layout: Layout, occupied: Container[int] = (), look: Look | None = None, told: Container[int] = ()
) -> Iterator[Shape]:
    """Numbers of hexes and what is to be read in them; those of ``occupied`` ones are left to :func:`occupied_words`.

    In ``told`` hexes a layer has its word in the middle.
    """
    look = look or Look()
    for cell in layout.cells:
        if cell not in occupied:
            yield from _words(board, layout, cell, look, cell not in told)


def hex_marks(board: Board, layout: Layout, cell: int) -> Iterator[Shape]:
    """All that lies and stands in a single hex, without words."""
    yield from ground_marks(board.hexes[cell], layout.centre(cell))
    if board.hexes[cell].road:
        for colour, width in _ROAD:
            yield from _exits(board, layout, cell, "road_exits", colour, width)
    yield from _standing(board, layout, cell)


def _standing(board: Board, layout: Layout, cell: int) -> Iterator[Shape]:
    record = board.hexes[cell]
    yield from standing_marks(record, layout.centre(cell))
    if record.bridge:
        for colour, width in _BRIDGE:
            yield from _exits(board, layout, cell, "bridge_exits", colour, width)


def _weaker(now: Hex, then: Hex) -> bool:
    """Whether a building or bridge has been damaged, and still stands. Rule: S-10."""
    building = bool(now.building and then.building) and now.building_cf < then.building_cf
    return building or (now.bridge and then.bridge and now.bridge_cf < then.bridge_cf)


def _exits(board: Board, layout: Layout, cell: int, field: str, colour: str, width: float) -> Iterator[Shape]:
    exits = getattr(board.hexes[cell], field)
    centre = layout.centre(cell)
    yield Circle(centre, width if not exits else width / 2, colour)
    for direction in range(6):
        if exits >> direction & 1:
            yield Line((centre, layout.toward(cell, direction, 1.01)), colour, width, round=False)


def _steps(board: Board, layout: Layout) -> Iterator[Shape]:
    """Lines along hexsides where the level changes, thicker where it changes by two or more."""
    grid = board.grid
    for cell in layout.cells:
        for direction in (1, 2, 3):
            other = cell + grid.step[direction]
            if not layout.shows(other):
                continue
            step = abs(board.level[cell] - board.level[other])
            if step:
                yield Line(layout.edge(cell, direction), "#6b4a22", min(6.5, 0.8 + 1.6 * step), opacity=0.9)


def _facts(record: Hex) -> list[str]:
    """What is written in a hex: level, depth, building, bridge, mines."""
    words = []
    if record.level:
        words.append(f"L{record.level}".replace("-", "\N{MINUS SIGN}"))
    if record.water > 0:
        words.append(f"D{record.water}")
    if record.building:
        words.append(f"{_WALLS[min(4, record.building)]}{record.building_height} CF{record.building_cf}")
    if record.bridge:
        words.append(f"+{record.bridge_height} CF{record.bridge_cf}")
    if record.mines:
        words.append(f"M{record.mines}")
    return words


def _words(board: Board, layout: Layout, cell: int, look: Look, middle: bool) -> Iterator[Shape]:
    """Hex number above, level or depth below."""
    record, (x, y) = board.hexes[cell], layout.centre(cell)
    k = min(1.6, look.letters)
    if look.numbers(cell):
        size = 10.0 * k
        yield Text((x, y - HALF + 3.5 + size * 0.8), board.grid.names[cell], size, number_colour(record))
    words = _facts(record)
    if record.building and len(words) == 1 and middle:
        # on the roof itself
        light = record.building >= 3
        for line, word in enumerate(words[0].split()):
            at = (x, y - 2 + line * 12)
            yield Text(at, word, 11.5 if not line else 9.5, "#ffffff" if light else "#1c1712", bold=not line, fit=HALF)
    elif words:
        size = (10.5 if len(words) == 1 else 9.0) * k
        yield Text((x, y + HALF - 4.5), " ".join(words), size, INK, bold=True, halo="#ffffff", fit=HALF * 1.7)


def occupied_words(board: Board, layout: Layout, cell: int, look: Look, facing: int = -1) -> Iterator[Shape]:
    """Hex number and all else that is to be read of a hex where a unit stands: at the top, beside an arrow there."""
    x, y = layout.centre(cell)
    k = min(1.6, look.letters)
    words = _facts(board.hexes[cell])
    shown = " ".join([*([board.grid.names[cell]] if look.numbers(cell) else []), *words])
    if not shown:
        return
    size = (9.5 if len(shown) < 6 else 8.5 if len(shown) < 11 else 7.8) * k
    left = 0.0 if facing or words or k > 1.2 else HALF * 0.36
    yield Text((x - left, y - HALF + 3.0 + size * 0.8), shown, size, INK, bold=bool(words), halo="#ffffff", fit=HALF * 1.5)
