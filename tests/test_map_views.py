"""Parts, sizes, layers and orders of maps. Rule: S-1, S-2, S-3, E-4."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path

import pytest

from opfor.board.sight import sight
from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, load_battle, read_battle
from opfor.gm.advice.drawing import fire_numbers, map_bytes
from opfor.gm.advice.explain import moves
from opfor.gm.advice.layers import layer_of, reachable, seen, threat
from opfor.missions import Zone
from opfor.orders import Attack, CallOrder, FireOrder, MoveOrder
from opfor.report.drawing import Line, Text
from opfor.report.geometry import Layout, arc, clipped, common, dashes, text_width
from opfor.report.maps.map_labels import Taken
from opfor.report.maps.map_look import window_of
from opfor.report.maps.map_picture import map_drawing
from opfor.report.maps.map_png import readable
from opfor.report.maps.map_svg import to_svg
from opfor.report.maps.map_symbols import SIDES
from opfor.report.maps.map_terrain import LEVELS
from opfor.state import Shell
from tests.cli_support import opfor
from tests.pictures import battle_of, orders_of

SVG = "{http://www.w3.org/2000/svg}"
CORNER = """\
opfor: 1
name: Corner
board:
  size: 32x34
  rows: ["0303 heavy woods", "0302 heavy woods"]
phase: movement
sides: {players: {controller: gm}, opfor: {controller: opfor}}
units:
  - {id: alpha, side: players, type: Wolverine WVR-6R, at: "0306", facing: NE}
  - {id: reaver, side: opfor, type: Marauder MAD-3R, at: "0309", facing: N}
  - {id: ghost, side: opfor, type: Wasp WSP-1A, at: "3030", hidden: true}
"""


@pytest.fixture
def corner() -> Battle:
    return read_battle(CORNER)


def texts(svg: str | bytes) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


def numbers(svg: str | bytes) -> set[str]:
    return {word.split()[0] for word in texts(svg) if re.match(r"\d{4}( |$)", word)}


# -- parts of the board -------------------------------------------------------------------------------------------------


def test_a_battle_in_a_corner_is_shown_alone(corner: Battle) -> None:
    """Units stand in columns 3 and 30: only with the hidden one, which players do not know of, most of the board is shown."""
    shown = numbers(map_bytes(corner, "svg", hide_from=0))
    assert {"0306", "0309", "0711", "0111"} <= shown and "0905" not in shown and "0312" not in shown
    assert "3232" in numbers(map_bytes(corner, "svg"))
    assert "3232" in numbers(map_bytes(corner, "svg", hide_from=0, whole=True))


def test_round_a_unit(corner: Battle) -> None:
    shown = numbers(map_bytes(corner, "svg", around="ghost"))
    assert "3030" in shown and "0306" not in shown and "2323" in shown and "2222" not in shown


def test_what_players_do_not_know_of_is_not_on_their_map_by_any_way(corner: Battle) -> None:
    for asked in ({"around": "ghost"}, {"layer": "sight ghost"}, {"layer": "moves ghost"}):
        with pytest.raises(InputError, match="no unit 'ghost' on this map") as refused:
            map_bytes(corner, "svg", hide_from=0, **asked)
        assert "ghost" not in (refused.value.hint or "")
    page = map_bytes(corner, "html", hide_from=0, layer="threat alpha").decode()
    assert "ghost" not in page
    # the damage that it would do is told to the game master alone
    near = re.compile(r"2830: [\d.]+ points")
    assert near.search(map_bytes(corner, "svg", layer="threat alpha", whole=True).decode())
    assert not near.search(map_bytes(corner, "svg", layer="threat alpha", whole=True, hide_from=0).decode())


def test_shells_to_come_are_on_the_map_of_who_sent_them(corner: Battle) -> None:
    state = corner.state
    cell = state.board.grid.parse("0508")
    state.shells = [Shell(CallOrder("reaver", "artillery", 0, "", cell), state.turn + 1, 1)]
    call = CallOrder("reaver", "artillery", 0, "", cell)
    assert "shells turn 2" in texts(to_svg(map_drawing(state)))
    assert "shells turn 2" in texts(to_svg(map_drawing(state, hide_from=1)))
    assert not any(word.startswith("shells") for word in texts(to_svg(map_drawing(state, [call], hide_from=0))))
    assert "shells" in texts(to_svg(map_drawing(state, [call])))


def test_a_window_has_the_action_and_no_hex_outside_the_board() -> None:
    grid = read_battle(CORNER).state.board.grid
    for name, expected in (("0101", (0, 0, 7, 7)), ("3234", (24, 26, 31, 33)), ("1617", (12, 13, 19, 20))):
        window = window_of(grid, [grid.parse(name)])
        assert window == expected
        layout = Layout(grid, window=window)
        assert layout.shows(grid.parse(name))
        left, top, right, bottom = layout.frame
        for cell in layout.cells:
            for x, y in layout.corners(cell):
                assert left - 0.01 <= x <= right + 0.01 and top - 0.01 <= y <= bottom + 0.01
    assert window_of(grid, []) is None
    assert window_of(grid, [grid.parse("0101"), grid.parse("3234")]) is None


def test_orders_that_lead_out_of_the_part_shown_end_at_its_edge(corner: Battle) -> None:
    state = corner.state
    far = MoveOrder("alpha", "jump", ("J",), state.board.grid.parse("3030"), 2)
    drawing = map_drawing(state, [far], around_unit="alpha", distance=4)
    assert all(-1 <= x <= drawing.width + 1 for s in drawing.shapes if isinstance(s, Line) for x, _ in s.points)


def test_zones_are_shown_to_those_they_belong_to(corner: Battle) -> None:
    state = corner.state
    cell = state.board.grid.parse
    state.zones = {
        "hill": Zone("hill", frozenset({cell("0404"), cell("0405")})),
        "their line": Zone("their line", frozenset({cell("0510")}), "deployment", 1),
        "our line": Zone("our line", frozenset({cell("0502")}), "deployment", 0),
    }
    for asked, names in (
        ({}, {"hill", "their line", "our line"}),
        ({"hide_from": 0}, {"hill", "our line"}),
        ({"hide_from": 1}, {"hill", "their line"}),
        ({"public": True}, {"hill"}),
    ):
        assert set(texts(to_svg(map_drawing(state, **asked)))) & set(state.zones) == names


def test_every_hex_and_unit_tells_of_itself() -> None:
    """What the pointer is told: each hex of the board once, each living unit once, with nothing of what is not shown."""
    battle = load_battle(Path(__file__).resolve().parent.parent / "examples" / "town-24.yaml")
    state = battle.state
    told = [element.text or "" for element in ET.fromstring(map_bytes(battle, "svg", whole=True)).iter(f"{SVG}title")]
    grid = state.board.grid
    for cell in grid.on_board:
        assert sum(1 for words in told if words.startswith(f"{grid.names[cell]}: ")) == 1
    for unit in state.units:
        shown = unit.alive and not unit.aboard
        assert sum(1 for words in told if words.startswith(f"{unit.id}: ")) == shown, unit.id


# -- sizes --------------------------------------------------------------------------------------------------------------


def test_a_telephone_gets_larger_words_and_numbers_at_the_action_alone() -> None:
    state = read_battle(battle_of("large")).state
    drawing = map_drawing(state, size="phone")
    assert drawing.width * drawing.scale == pytest.approx(800)
    names = [s for s in drawing.shapes if isinstance(s, Text) and s.text in state.by_id]
    assert len(names) == len(state.units) and min(s.size * drawing.scale for s in names) > 8
    occupied = {state.board.grid.names[unit.cell] for unit in state.units}
    assert numbers(to_svg(drawing)) == occupied
    assert 'width="800"' in to_svg(drawing)


def test_paper_is_white_and_fine() -> None:
    drawing = map_drawing(read_battle(CORNER).state, size="print")
    assert drawing.background == "#ffffff" and drawing.width * drawing.scale == pytest.approx(2480)


# -- layers -------------------------------------------------------------------------------------------------------------


def test_sight_tells_what_the_rules_say(corner: Battle) -> None:
    """Every hex, seen as high as a 'Mech stands there: as the line of sight has it. Rule: S-3."""
    state = corner.state
    unit = state.unit("alpha")
    layer = seen(state, unit)
    board = state.board
    for cell in board.grid.on_board:
        if cell == unit.cell:
            assert cell not in layer.shades
            continue
        clear = sight(board, unit.cell, state.base(unit), state.top(unit), cell, board.floor[cell], board.floor[cell] + 1).clear
        assert ("does not see" not in layer.shades[cell].title) == clear
    assert "does not see" in layer.shades[board.grid.parse("0301")].title  # behind two hexes of heavy woods


def test_moves_are_those_that_are_legal(corner: Battle) -> None:
    """Each hex with its slowest way and the MP of that. Rule: S-2."""
    state = corner.state
    unit = state.unit("alpha")
    layer = reachable(state, unit)
    names = state.board.grid.names
    options = [row for row in moves(state, unit)["options"] if not row.get("attack")]
    assert {names[cell] for cell in layer.shades} == {row["to"] for row in options} - {names[unit.cell]}
    ranks = ["stand", "walk", "run", "evade", "sprint", "jump"]
    for cell, shade in layer.shades.items():
        mode, mp = min((ranks.index(row["mode"]), row["mp"]) for row in options if row["to"] == names[cell])
        assert shade.title == f"{ranks[mode]}, {mp} MP"
        assert shade.word == f"{ranks[mode][0].upper()}{mp}"


def test_threat_is_heaviest_near_the_guns_and_nothing_out_of_reach(corner: Battle) -> None:
    """A Marauder reaches 18 hexes; ahead of it all its weapons bear, behind it those of its arms, flipped."""
    state = corner.state
    layer = threat(state, state.unit("alpha"))
    grid = state.board.grid
    guns = [unit for unit in state.units if unit.side == 1]
    for cell in layer.shades:
        assert min(grid.distance(cell, unit.cell) for unit in guns) <= 18
    ahead, behind = layer.shades[grid.parse("0306")], layer.shades[grid.parse("0312")]
    assert float(ahead.word) > float(behind.word) > 0
    assert state.unit("alpha").cell == grid.parse("0306")  # nothing has been moved


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("threats", "no layer 'threats'"),
        ("sight", "say which unit"),
        ("moves", "say which unit"),
        ("sight nobody", "no unit 'nobody'"),
        ("", "no layer ''"),
    ],
)
def test_layers_that_there_are_not(corner: Battle, words: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        layer_of(corner.state, words)


def test_threat_to_nobody(corner: Battle) -> None:
    corner.state.unit("alpha").gone = True
    with pytest.raises(InputError, match="nobody is on the map"):
        layer_of(corner.state, "threat")


# -- orders -------------------------------------------------------------------------------------------------------------


def test_every_style_of_movement_looks_different() -> None:
    """By dash or by width, whatever the colour; each named in the key."""
    state = read_battle(battle_of("crossroads")).state
    drawing = map_drawing(state, [order for order in orders_of(state) if isinstance(order, MoveOrder)])
    key = [s for s in drawing.shapes if isinstance(s, Line) and s.arrow and s.stroke == "#2f2f2f"]
    assert len({(line.width, line.dash) for line in key}) == len(key) == 5
    assert {"walk, cruise", "run, flank", "jump", "evade", "sprint"} <= set(texts(to_svg(drawing)))


def test_a_second_order_begins_where_the_first_has_led(corner: Battle) -> None:
    """A movement with a pause for fire (M-8): the fire and the rest of the way start where the first part ended."""
    state = corner.state
    grid = state.board.grid
    orders = [
        MoveOrder("alpha", "walk", ("F", "F"), grid.parse("0505"), 1, act="pause"),
        FireOrder("alpha", 0, False, (Attack(0, "reaver"),), "reaver"),
        MoveOrder("alpha", "walk", ("F",), grid.parse("0604"), 1),
    ]
    drawing = map_drawing(state, orders, around_unit="alpha", numbers=fire_numbers(state, orders))
    layout = Layout(
        grid, window=window_of(grid, [c for c in grid.on_board if grid.distance(c, state.unit("alpha").cell) <= 5], 1.0)
    )
    heads = [s for s in drawing.shapes if isinstance(s, Line) and s.arrow >= 11 and s.stroke != "#ffffff"]
    middle = layout.centre(grid.parse("0505"))
    starts = [line.points[0] for line in heads]
    assert len(heads) == 3
    assert sum(1 for x, y in starts if abs(x - middle[0]) < 40 and abs(y - middle[1]) < 40) == 2


def test_lines_of_fire_have_their_target_numbers(corner: Battle) -> None:
    """The Marauder's gunnery 4 at 3 hexes, neither moved: 4 for all weapons; inside the minimum range of the PPCs 1 more."""
    state = corner.state
    state.phase = "fire"
    spec = state.unit("reaver").spec
    lasers = tuple(Attack(m.index, "alpha") for m in spec.mounts if m.name == "Medium Laser")
    guns = tuple(Attack(m.index, "alpha") for m in spec.mounts if m.name != "Medium Laser")
    assert fire_numbers(state, [FireOrder("reaver", 0, False, lasers, "alpha")]) == {("reaver", "alpha"): "4+"}
    both = FireOrder("reaver", 0, False, lasers + guns, "alpha")
    assert fire_numbers(state, [both]) == {("reaver", "alpha"): "4-5+"}
    shown = texts(map_bytes(corner, "svg", orders="reaver: fire Medium Laser (LA) at alpha", whole=True))
    assert "4+ (1)" in shown


# -- letters, lines, places ---------------------------------------------------------------------------------------------


def test_letters_that_a_font_lacks_are_never_drawn_as_boxes() -> None:
    assert readable("Ruiz −3 → ✕ \U0010ffff 漢\u202e\n") == "Ruiz -3 > x ? ???"
    assert readable("Jürgen Ñandú 5°") == "Jurgen Nandu 5°"


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a\"b'&<>", "x" * 200, "‮evil\x07", "漢字", "]]>"])
def test_hostile_names_are_only_words(name: str) -> None:
    battle = read_battle(CORNER)
    state = battle.state
    state.sides = (name, "opfor")
    for unit in state.units:
        unit.name = name
    state.units[0].id = name
    state.by_id = {unit.id: unit.index for unit in state.units}
    svg = to_svg(map_drawing(state, title=name))
    ET.fromstring(svg)
    assert "<script" not in svg
    page = map_bytes(battle, "html").decode()
    assert page.count("<script") == 1
    assert map_bytes(battle, "png", scale=0.2).startswith(b"\x89PNG")


def test_dashes_run_on_round_corners() -> None:
    assert dashes(((0, 0), (3, 0), (3, 9)), (4, 2)) == [((0, 0), (3, 0)), ((3, 0), (3, 1)), ((3, 3), (3, 7))]


def test_arcs_and_clipping() -> None:
    curve = arc((0, 0), (100, 0))
    assert curve[0] == (0, 0) and curve[-1] == (100, 0) and curve[6][1] == pytest.approx(-22)
    assert clipped(((-5, 5), (15, 5)), (0, 0, 10, 10)) == [((0, 5), (10, 5))]
    assert clipped(((-5, -5), (-1, 20)), (0, 0, 10, 10)) == []
    assert clipped(((1, 1), (5, 1), (5, 20), (20, 20)), (0, 0, 10, 10)) == [((1, 1), (5, 1), (5, 10))]


def test_labels_take_the_first_free_place_or_the_least_covered() -> None:
    taken = Taken()
    taken.add((0, 0, 10, 10))
    assert taken.place([(5, 5, 15, 15), (20, 0, 30, 10)]) == 1
    assert taken.covered((22, 2, 24, 4)) == 4
    assert taken.place([(5, 5, 15, 15), (9, 9, 19, 19)]) == 1
    assert common((0, 0, 2, 2), (1, 1, 3, 3)) == 1 and common((0, 0, 1, 1), (1, 0, 2, 1)) == 0
    assert text_width("iiii", 10) < text_width("mmmm", 10)


# -- the command --------------------------------------------------------------------------------------------------------


def test_the_command_draws_parts_and_layers(tmp_path: Path) -> None:
    battle = tmp_path / "corner.yaml"
    battle.write_text(CORNER, encoding="utf-8")
    out = tmp_path / "map.svg"
    opfor("map", battle, "-o", out, "--layer", "moves alpha", "--around", "alpha", "--size", "phone")
    assert any("where alpha can go" in word for word in texts(out.read_bytes()))
    for arguments, message in (
        (("--size", "poster"), "no map is drawn for 'poster'"),
        (("--layer", "sigh alpha"), "did you mean sight"),
        (("--around", "alfa"), "did you mean alpha"),
    ):
        assert message in opfor("map", battle, "-o", out, *arguments, code=1).stderr
    assert "a map in text shows no layers" in opfor("map", battle, "--layer", "threat", code=1).stderr


def test_every_example_is_drawn_the_same_twice() -> None:
    folder = Path(__file__).resolve().parent.parent / "examples"
    for path in sorted(folder.glob("*.yaml")):
        battle = load_battle(path)
        for size in ("screen", "phone"):
            assert map_bytes(battle, "svg", size=size) == map_bytes(load_battle(path), "svg", size=size)


#: how eyes without red or green receptors see linear light (Machado, Oliveira and Fernandes 2009, full severity)
_BLIND = {
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
}


def _linear(colour: str) -> tuple[float, ...]:
    values = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return tuple(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)


def _seen_as(colour: str, kind: str) -> tuple[float, ...]:
    light = _linear(colour)
    return tuple(max(0.0, sum(a * b for a, b in zip(row, light, strict=True))) ** (1 / 2.2) for row in _BLIND[kind])


@pytest.mark.parametrize("kind", sorted(_BLIND))
def test_sides_are_told_apart_without_red_or_green(kind: str) -> None:
    """The first three sides by colour; neighbours in the list also by their plates, filled and pale in turn."""
    for a, b in combinations(SIDES[:3], 2):
        difference = sum((x - y) ** 2 for x, y in zip(_seen_as(a, kind), _seen_as(b, kind), strict=True)) ** 0.5
        assert difference > 0.2, (a, b)


def test_white_letters_can_be_read_on_every_side() -> None:
    for colour in SIDES:
        red, green, blue = _linear(colour)
        assert 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) >= 4.5


def test_levels_grow_darker() -> None:
    """So that higher ground is darker in print without colours."""
    light = [sum(_linear(LEVELS[level])) for level in range(7)]
    assert light == sorted(light, reverse=True)
