"""The .board importer and exporter: what is read, repaired, refused; joining boards. Rule: S-1."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opfor.board.board import Board, Hex
from opfor.errors import InputError
from opfor.formats.boards import load_board
from opfor.formats.megamek.board import join_boards, read_board, write_board

N, NE, SE, S, SW, NW = (1 << d for d in range(6))


def board(*hexes: str, size: str = "4 4", head: str = "") -> Board:
    return read_board(text(*hexes, size=size, head=head))[0]


def text(*hexes: str, size: str = "4 4", head: str = "") -> str:
    """A file with the named hexes (``0203 1 "woods:1"``) and all others clear."""
    width, height = map(int, size.split())
    given = {entry.split()[0]: entry for entry in hexes}
    lines = [f"size {size}"]
    if head:
        lines.append(head)
    for row in range(1, height + 1):
        for column in range(1, width + 1):
            number = f"{column:02d}{row:02d}"
            lines.append("hex " + given.get(number, f'{number} 0 ""') + ' ""')
    return "\n".join([*lines, "end"])


def notes(content: str) -> list[str]:
    return [f"{n.line} {n.severity} {n.message}" for n in read_board(content, "x.board")[1]]


def same(a: Board, b: Board) -> bool:
    return (a.grid.width, a.grid.height, a.hexes) == (b.grid.width, b.grid.height, b.hexes)


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ('0203 0 ""', {}),
        ('0203 -3 ""', {"level": -3}),
        ('0203 2 "woods:1;foliage_elev:2"', {"level": 2, "woods": 1}),
        ('0203 0 "woods:2;foliage_elev:1"', {"woods": 2, "foliage": 1}),
        ('0203 0 "woods:2"', {"woods": 2, "foliage": 2}),
        ('0203 0 "water:0"', {"water": 0}),
        ('0203 -1 "water:2;ice:1"', {"level": -1, "water": 2, "ice": True}),
        ('0203 0 "rough:1"', {"rough": True}),
        ('0203 0 "rubble:3"', {"rubble": True}),
        ('0203 0 "swamp:1"', {"swamp": True}),
        ('0203 0 "mud:1"', {"mud": True}),
        ('0203 0 "sand:1"', {"sand": True}),
        ('0203 0 "snow:1"', {"snow": True}),
        ('0203 0 "tundra:1"', {"tundra": True}),
        ('0203 0 "pavement:1"', {"pavement": True}),
        ('0203 0 "smoke:1"', {"smoke": 1}),
        ('0203 0 "smoke:2;fire:1"', {"smoke": 2, "fire": True}),
        ('0203 0 "pavement:1;road:1:9"', {"pavement": True, "road": True, "road_exits": N | S}),
        (
            '0203 0 "bldg_elev:3;building:2:0;bldg_cf:35"',
            {"building": 2, "building_height": 3, "building_cf": 35},
        ),
        (
            '0203 0 "water:2;bridge:1:36;bridge_cf:40;bridge_elev:1"',
            {"water": 2, "bridge": True, "bridge_exits": SE | NW, "bridge_cf": 40, "bridge_height": 1},
        ),
    ],
)
def test_terrain(line: str, fields: dict[str, object]) -> None:
    content = text(line)
    assert read_board(content)[0].at("0203") == Hex(**fields)  # type: ignore[arg-type]
    assert notes(content) == []


@pytest.mark.parametrize(
    ("line", "fields", "note"),
    [
        ('0203 0 "jungle:1"', {"other": ("jungle:1",)}, "ignored terrain jungle in 1 hex from 0203: kept"),
        ('0203 0 "magma:2:5"', {"other": ("magma:2:5",)}, "ignored terrain magma in 1 hex from 0203: kept"),
        ('0203 0 "rough:2"', {"rough": True, "other": ("rough:2",)}, "ignored terrain rough:2 in 1 hex"),
        (
            '0203 0 "woods:3;foliage_elev:3"',
            {"woods": 2, "foliage": 3, "other": ("woods:3",)},
            "ignored terrain woods:3, taken",
        ),
        ('0203 0 "smoke:3"', {"smoke": 1, "other": ("smoke:3",)}, "ignored terrain smoke:3, taken as light smoke"),
        ('0203 0 "ground_fluff:1:2"', {}, "ignored terrain ground_fluff in 1 hex from 0203: a picture only"),
        ('0203 0 "building:5:0;bldg_elev:1;bldg_cf:5"', {"other": ("building:5",)}, "ignored terrain building:5"),
        ('0203 0 "rough"', {"rough": True}, "repaired terrain rough without a level"),
        ('0203 0 "water:1;water:2"', {"water": 2}, "repaired terrain water twice"),
        ('0203 0 "road:1:73"', {"road": True, "road_exits": 9}, "repaired exits 73 of road"),
        (
            '0203 0 "building:2:0;bldg_elev:2"',
            {"building": 2, "building_height": 2, "building_cf": 40},
            "repaired building without bldg_cf: taken as 40",
        ),
        (
            '0203 0 "building:1:0;bldg_cf:9"',
            {"building": 1, "building_height": 1, "building_cf": 9},
            "repaired building without bldg_elev",
        ),
        (
            '0203 0 "building:1:1;bldg_elev:1;bldg_cf:9"',
            {"building": 1, "building_height": 1, "building_cf": 9},
            "repaired building in 0203 exits to a hex without a building",
        ),
        (
            '0203 0 "bridge:3:9"',
            {"bridge": True, "bridge_cf": 90, "bridge_exits": 9},
            "repaired bridge without bridge_cf: taken as 90",
        ),
    ],
)
def test_odd_terrain_is_noted(line: str, fields: dict[str, object], note: str) -> None:
    content = text(line)
    assert read_board(content)[0].at("0203") == Hex(**fields)  # type: ignore[arg-type]
    # the hex 0203 is the tenth of the file, below its size line
    assert any(found.startswith(f"11 {note}") for found in notes(content)), notes(content)


def test_exits_left_out_lead_to_the_same_terrain() -> None:
    # 0202 is an even column: its neighbours are 0201 N, 0302 NE, 0303 SE, 0203 S, 0103 SW, 0102 NW
    found = board('0202 0 "road:1"', '0201 0 "road:1"', '0303 0 "road:1:1"', '0103 0 "rough:1"')
    assert found.at("0202").road_exits == N | SE
    assert found.at("0201").road_exits == S
    assert found.at("0303").road_exits == N


def test_roads_lead_onto_pavement_unless_the_board_says_no() -> None:
    hexes = ('0202 0 "road:1"', '0203 0 "pavement:1"')
    assert board(*hexes).at("0202").road_exits == S
    assert board(*hexes, head="option exit_roads_to_pavement false").at("0202").road_exits == 0


def test_buildings_go_on_where_their_type_stands() -> None:
    rest = ";bldg_elev:1;bldg_cf:20"
    found = board(f'0202 0 "building:1{rest}"', f'0203 0 "building:1{rest}"', f'0201 0 "building:2{rest}"')
    assert found.at("0202").building_exits == S
    assert found.at("0201").building_exits == 0


def test_bridges_lead_to_bridges_and_a_single_one_to_its_roads() -> None:
    bridge = '"water:1;bridge:1;bridge_elev:0;bridge_cf:40"'
    pair = board(f"0202 0 {bridge}", f"0203 0 {bridge}", '0201 0 "road:1"')
    assert pair.at("0202").bridge_exits == S
    single = board(f"0202 0 {bridge}", '0201 0 "road:1"', '0203 0 "road:1"')
    assert single.at("0202").bridge_exits == N | S


@pytest.mark.parametrize(
    "content",
    [
        text('0101 1 ""').replace("\n", "\r\n"),
        "\ufeff" + text('0101 1 ""'),
        "# comment\n\n" + text('0101 1 ""').replace("end", "// more\nend"),
        text('0101 1 ""', head='tag "Woods (Auto)"\noption x true\nbackground sky.png\ntheme grass'),
        text('0101 1 ""').upper(),
        text('0101 1 ""').replace("hex ", "  hex\t"),
    ],
)
def test_spellings_that_need_no_note(content: str) -> None:
    assert notes(content) == []
    assert read_board(content)[0].at("0101").level == 1


def test_missing_end_missing_and_repeated_hexes() -> None:
    assert notes(text().replace("\nend", "")) == ["17 repaired no line 'end': taken as ending here"]
    assert notes(text().replace('hex 0203 0 "" ""\n', "")) == [
        "1 repaired 1 hex lines missing, the first is 0203: taken as clear, level 0"
    ]
    content = text('0203 1 "road:1"').replace("\nend", '\nhex 0203 2 "rough:1" ""\nend')
    assert notes(content) == ["18 repaired hex 0203 again, after line 11: the later line stands"]
    assert read_board(content)[0].at("0203") == Hex(level=2, rough=True)
    assert notes(text() + "\nhex 0101 0") == ["19 ignored text after 'end': hex 0101 0"]
    assert notes(text(head="hello there")) == ["2 ignored line not understood: hello there"]


BAD = Path(__file__).parent / "data" / "bad"


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("no_size.board", 1, "a hex before the size line"),
        ("size_in_words.board", 1, "a board's size must be a whole number, not 'two'"),
        ("size_of_one_number.board", 1, "size needs two numbers"),
        ("size_zero.board", 1, "a board of 0 by 3 hexes"),
        ("size_huge.board", 1, "a board of 90000 by 90000 hexes"),
        ("size_twice.board", 4, "a second size line; the first is line 1"),
        ("hex_off_board.board", 3, "hex 0401 lies off the board, which ends at 0202"),
        ("hex_number_in_words.board", 2, "'A1B1' is no hex number"),
        ("level_missing.board", 3, "a hex's level must be a whole number"),
        ("level_in_words.board", 3, "a hex's level must be a whole number, not 'high'"),
        ("quote_open.board", 4, "hex line not understood"),
        ("terrain_level.board", 2, "the level of woods must be a whole number, not 'thick'"),
        ("too_many_parts.board", 3, "terrain 'road:1:9:2' not understood"),
        ("negative_water.board", 5, "water of depth -2"),
        ("worthless_building.board", 2, "a building needs a height"),
        ("smoke_nine.board", 2, "smoke of level 9"),
    ],
)
def test_broken_files_are_refused(name: str, line: int, words: str) -> None:
    with pytest.raises(InputError) as caught:
        load_board(BAD / name)
    assert (caught.value.source, caught.value.place) == (name, f"line {line}")
    assert words in str(caught.value)


def test_a_text_that_is_no_board() -> None:
    with pytest.raises(InputError, match="no size line: this is no board file"):
        read_board("It was a dark night.\n")


def test_missing_file(tmp_path: Path) -> None:
    (tmp_path / "lake.board").write_text(text())
    with pytest.raises(InputError, match=r"no such file \(did you mean lake.board\?\)"):
        load_board(tmp_path / "like.board")
    with pytest.raises(InputError, match="is a folder"):
        load_board(tmp_path)
    assert load_board(tmp_path / "lake.board")[0].name == "lake"


@pytest.mark.parametrize(("width", "height"), [(1, 1), (3, 120), (120, 3), (110, 101)])
def test_boards_beyond_99(width: int, height: int) -> None:
    hexes = {(c, r): Hex(level=(c * 7 + r * 3) % 5 - 2) for c in range(width) for r in range(height)}
    made = Board.from_rows("big", width, height, hexes)
    again, found = read_board(write_board(made))
    assert found == []
    assert same(again, made)


def test_hex_numbers_beyond_99_without_leading_noughts() -> None:
    lines = ["size 101 11"] + [f'hex {c:02d}{r:02d} {c + r} "" ""' for r in range(1, 12) for c in range(1, 102)]
    made, found = read_board("\n".join([*lines, "end"]))
    assert found == []
    assert all(made.at(f"{c},{r}").level == c + r for c in range(1, 102) for r in range(1, 12))


def grid_of(levels: list[list[int]], name: str) -> Board:
    """Rows of levels as a board."""
    hexes = {(c, r): Hex(level=level) for r, row in enumerate(levels) for c, level in enumerate(row)}
    return Board.from_rows(name, len(levels[0]), len(levels), hexes)


def test_join_side_by_side_and_in_a_column() -> None:
    a, b = grid_of([[1, 2], [3, 4]], "a"), grid_of([[5, 6, 7], [8, 9, 10]], "b")
    assert same(join_boards([a, b]), grid_of([[1, 2, 5, 6, 7], [3, 4, 8, 9, 10]], ""))
    assert same(join_boards([[a], [a]]), grid_of([[1, 2], [3, 4], [1, 2], [3, 4]], ""))
    assert same(join_boards([[a, b], [a, b]]), join_boards([join_boards([[a], [a]]), join_boards([[b], [b]])]))
    assert join_boards([a, b]).name == "a + b"
    assert join_boards([a, b], "field").name == "field"


def test_roads_meet_across_a_seam() -> None:
    a = board('0402 0 "road:1"', '0302 0 "road:1:4"')
    b = board('0103 0 "road:1"')
    joined = join_boards([a, b])
    # 0402 is an even column: to its south-east lies 0503, the first column of the board to the right
    assert joined.at("0402").road_exits == SE | NW
    assert joined.at("0503").road_exits == NW
    assert joined.at("0302").road_exits == SE


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([[(3, 2), (2, 2)]], "3 columns wide: a board with another to its right needs an even number"),
        ([[(2, 2), (2, 3)]], "is 2 rows high"),
        ([[(2, 2)], [(4, 2)]], "rows of boards differ in width: 2 and 4 columns"),
        ([], "no boards to join"),
        ([[]], "no boards to join"),
    ],
)
def test_boards_that_do_not_fit_are_refused(rows: list[list[tuple[int, int]]], words: str) -> None:
    with pytest.raises(InputError, match=words):
        join_boards([[Board.from_rows("x", width, height, {}) for width, height in row] for row in rows])


HEXES = st.builds(
    Hex,
    level=st.integers(-9, 9),
    woods=st.integers(0, 2),
    foliage=st.just(2),
    water=st.integers(-1, 4),
    rough=st.booleans(),
    rubble=st.booleans(),
    ice=st.booleans(),
    pavement=st.booleans(),
    fire=st.booleans(),
    smoke=st.integers(0, 2),
    road=st.just(True),
    road_exits=st.integers(0, 63),
    building=st.integers(1, 4),
    building_height=st.integers(1, 9),
    building_cf=st.integers(1, 150),
    bridge=st.just(True),
    bridge_height=st.integers(0, 5),
    bridge_cf=st.integers(1, 200),
    bridge_exits=st.integers(0, 63),
    other=st.sampled_from([(), ("jungle:2",), ("magma:1:3", "rapids:2")]),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(st.just(Hex()), HEXES), min_size=6, max_size=6))
def test_written_boards_read_the_same(hexes: list[Hex]) -> None:
    made = Board.from_rows("made", 3, 2, {(i % 3, i // 3): record for i, record in enumerate(hexes)})
    assert same(read_board(write_board(made))[0], made)


LINES = [
    *text('0203 1 "road:1"', '0101 0 "building:1;bldg_elev:2;bldg_cf:9"').splitlines(),
    "hex 0101",
    "size",
    "hex 9999 0",
    "end",
]


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(), st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=12)), max_size=40).map("\n".join)))
def test_arbitrary_text_raises_nothing_but_input_errors(content: str) -> None:
    try:
        read_board(content, "any.board")
        read_board(f"size 4 4\n{content}", "any.board")
    except InputError as error:
        assert error.source == "any.board"


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='0123456789:;"woadsbrige_clfnvt -', max_size=40))
def test_arbitrary_terrain_raises_nothing_but_input_errors(terrain: str) -> None:
    try:
        read_board(f'size 2 2\nhex 0101 0 "{terrain}" ""', "any.board")
    except InputError as error:
        assert error.place == "line 2"


@pytest.mark.oracle
def test_reference_boards_load_and_round_trip(reference: Path) -> None:
    paths = sorted((reference / "boards").glob("*.board"))
    assert len(paths) >= 17
    for path in paths:
        found, said = load_board(path)
        assert {n.severity for n in said} <= {"ignored"}, path.name
        width, height = map(int, path.name.split()[0].split("x"))
        assert (found.grid.width, found.grid.height) == (width, height)
        again, said = read_board(write_board(found), path.name)
        assert {n.severity for n in said} <= {"ignored"}
        assert same(again, found)


@pytest.mark.oracle
def test_reference_boards_join(reference: Path) -> None:
    a, _ = load_board(reference / "boards" / "16x17 BattleTech.board")
    b, _ = load_board(reference / "boards" / "16x17 CityTech.board")
    joined = join_boards([[a, b], [b, a]])
    assert (joined.grid.width, joined.grid.height) == (32, 34)
    assert joined.at("1701") == b.at("0101")
    assert joined.at("1718") == a.at("0101")
    assert joined.at("0118") == b.at("0101")
