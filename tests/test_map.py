"""The map: its geometry, what it shows, the same bytes every time. Rule: S-1."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from io import BytesIO
from math import dist, sqrt

import pytest
from PIL import Image

from opfor.board.library import board_names
from opfor.formats.battle_file.battle import read_battle
from opfor.formats.library import board_named
from opfor.hex import Grid
from opfor.orders import Attack, FireOrder, MoveOrder, PhysicalOrder
from opfor.report.drawing import Drawing, Line, Polygon
from opfor.report.geometry import HALF, RADIUS, Layout, arrow_head, dashes
from opfor.report.maps.map_html import to_html
from opfor.report.maps.map_orders import path_cells
from opfor.report.maps.map_picture import map_drawing
from opfor.report.maps.map_png import to_png
from opfor.report.maps.map_svg import to_svg
from opfor.report.maps.map_text import board_text_map, map_text
from opfor.state import State

SVG = "{http://www.w3.org/2000/svg}"
BATTLE = """\
opfor: 1
name: Map
board:
  size: 16x17
  rows:
    - 0505 level 2, light woods
    - 0606 heavy woods
    - 0707 water 2
    - 0808 rough
    - 0909 medium building height 3 cf 40
    - 1010 road road_exits=9
    - 1111 fire smoke 2
    - 1212 swamp
    - 1313 level -1 rubble
    - 1414 water 1 bridge bridge_height=1 bridge_cf=40 bridge_exits=9
sides: {players: {}, opfor: {}}
units:
  - {id: "<alpha&1>", side: players, type: Wolverine WVR-6R, at: "0305", facing: NE, moved: {mode: walk, hexes: 3}}
  - {id: reaver, side: opfor, type: Marauder MAD-3R, at: "0309", facing: S, prone: true, twist: left}
  - {id: ghost, side: opfor, type: Wasp WSP-1A, at: "1510", hidden: true}
  - {id: wreck, side: opfor, type: Wasp WSP-1A, at: "1601", destroyed: engine destroyed}
"""


@pytest.fixture
def state() -> State:
    return read_battle(BATTLE).state


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


def test_hexes_lie_as_on_a_printed_sheet() -> None:
    """Flat tops, columns to the right, even columns half a hex lower, neighbours one hex apart in their direction."""
    grid = Grid(5, 5)
    layout = Layout(grid)
    at = {name: layout.centre(grid.parse(name)) for name in ("0101", "0102", "0201", "0301")}
    assert at["0102"][1] - at["0101"][1] == pytest.approx(2 * HALF)
    assert at["0201"][0] - at["0101"][0] == pytest.approx(1.5 * RADIUS)
    assert at["0201"][1] - at["0101"][1] == pytest.approx(HALF)
    assert at["0301"][1] == at["0101"][1]
    cell = grid.parse("0303")
    for direction in range(6):
        other = layout.centre(cell + grid.step[direction])
        assert dist(layout.centre(cell), other) == pytest.approx(RADIUS * sqrt(3))
        middle = layout.toward(cell, direction)
        assert middle == pytest.approx(tuple((a + b) / 2 for a, b in zip(layout.centre(cell), other, strict=True)))
        start, end = layout.edge(cell, direction)
        assert ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2) == pytest.approx(middle)


def test_every_hex_has_its_number(state: State) -> None:
    shown = texts(to_svg(map_drawing(state)))
    numbers = {word.split()[0] for word in shown if re.match(r"\d{4}", word)}
    assert numbers == {f"{c:02d}{r:02d}" for c in range(1, 17) for r in range(1, 18)}


def test_terrain_is_marked(state: State) -> None:
    shown = texts(to_svg(map_drawing(state)))
    for words in ("L2", "L−1", "D2", "M3", "CF40", "D1 +1 CF40", "light woods", "heavy woods", "rough", "rubble", "swamp"):
        assert words in shown, words


def test_units_are_shown_with_what_they_did(state: State) -> None:
    shown = texts(to_svg(map_drawing(state)))
    assert {"<alpha&1>", "reaver", "ghost", "wreck", "W3", "prone"} <= set(shown)


def test_a_side_does_not_see_what_is_hidden_from_it(state: State) -> None:
    assert "ghost" not in to_svg(map_drawing(state, hide_from=0))
    assert "ghost" in to_svg(map_drawing(state, hide_from=1))
    assert "ghost" not in map_text(state, hide_from=0)
    assert "ghost" not in to_html(map_drawing(state, hide_from=0), state, hide_from=0)


def arrows_of(drawing: Drawing) -> list[Line]:
    """Lines with a head, without the pale ones below them."""
    return [s for s in drawing.shapes if isinstance(s, Line) and s.arrow and s.stroke != "#ffffff"]


def test_orders_are_arrows(state: State) -> None:
    grid = state.board.grid
    plain = map_drawing(state)
    orders = [
        MoveOrder("<alpha&1>", "walk", ("F", "R", "F"), grid.parse("0505"), 2),
        MoveOrder("reaver", "jump", ("J",), grid.parse("0508"), 2),
        FireOrder("reaver", 0, False, (Attack(0, "<alpha&1>"), Attack(1, "<alpha&1>")), "<alpha&1>"),
        PhysicalOrder("reaver", "kick", "LL", "<alpha&1>"),
    ]
    drawing = map_drawing(state, orders)
    arrows = arrows_of(drawing)
    # two movements with the facing at their ends, fire, a kick; the key's walk and jump
    assert len(arrows) - len(arrows_of(plain)) == 8
    assert {"kick", "W2", "J2", "2"} <= set(texts(to_svg(drawing)))
    jump = next(line for line in arrows if line.dash)
    assert len(jump.points) > 2 and jump.points[0][1] > jump.points[6][1]


def test_the_arrow_of_a_movement_goes_through_the_hexes_of_its_path(state: State) -> None:
    grid = state.board.grid
    cells = path_cells(grid, grid.parse("0611"), 0, ("F", "F", "R", "F", "B", "L", "SR"))
    assert [grid.names[cell] for cell in cells] == ["0611", "0610", "0609", "0709", "0609", "0709"]


def test_the_same_battle_gives_the_same_bytes(state: State) -> None:
    assert to_svg(map_drawing(state)) == to_svg(map_drawing(read_battle(BATTLE).state))
    assert to_png(map_drawing(state), 0.3) == to_png(map_drawing(state), 0.3)


@pytest.mark.parametrize("name", board_names())
def test_every_built_in_board_is_drawn(name: str) -> None:
    board = board_named(name)
    drawing = map_drawing(State(board, read_battle(BATTLE).state.ruleset, ("a", "b"), []))
    root = ET.fromstring(to_svg(drawing))
    polygons = [element for element in root.iter(f"{SVG}polygon") if element.find(f"{SVG}title") is not None]
    assert len(polygons) == board.grid.width * board.grid.height
    assert name in board_text_map(board)


def test_png_has_the_size_asked_for(state: State) -> None:
    drawing = map_drawing(state)
    image = Image.open(BytesIO(to_png(drawing, 0.5)))
    assert image.format == "PNG"
    assert image.size == (round(drawing.width) // 2, round(drawing.height) // 2)
    # the water of 0707 is blue in the picture
    layout = Layout(state.board.grid)
    x, y = layout.centre(state.board.grid.parse("0707"))
    red, _, blue = image.convert("RGB").getpixel((round(x / 2), round(y / 2)))  # type: ignore[misc]
    assert blue > red + 50


def test_html_escapes_names_and_needs_nothing_from_elsewhere(state: State) -> None:
    page = to_html(map_drawing(state, title="<b>Map</b>"), state)
    assert "&lt;alpha&amp;1&gt;" in page and "<alpha" not in page
    assert "<b>Map" not in page and page.count("<script") == 1
    assert not re.search(r"(?:src|href)=|url\(|https?:(?!//www\.w3\.org/2000/svg)", page)


def test_text_map_stands_half_a_hex_lower_in_even_columns(state: State) -> None:
    lines = map_text(state).splitlines()
    row5 = next(i for i, line in enumerate(lines) if line.startswith("05"))
    assert lines[row5][4 + 4 * 4 :].startswith("2w")  # 0505
    assert lines[row5][4 + 4 * 2 :].startswith("A↗")  # 0305
    row6 = next(i for i, line in enumerate(lines) if line.startswith("06"))
    assert lines[row6 + 1][4 + 4 * 5 :].startswith("W")  # 0606, on the lower line
    assert any(line.startswith("B  reaver") and "prone" in line for line in lines)


def test_shapes() -> None:
    tip, left, right = arrow_head(((0, 0), (10, 0)), 4)
    assert tip == (12, 0) and left == (8, 2) and right == (8, -2)
    assert dashes(((0, 0), (10, 0)), (4, 2)) == [((0, 0), (4, 0)), ((6, 0), (10, 0))]
    drawing = Drawing(10, 10, "t", shapes=[Polygon(((0, 0), (1, 0), (0, 1)), "#123456", title="<x>")])
    assert "<title>&lt;x&gt;</title>" in to_svg(drawing)
