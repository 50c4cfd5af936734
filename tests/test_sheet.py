"""Record sheets: every kind of unit, its damage drawn and told, hostile names, the same bytes. Rule: S-5 to S-9, E-38."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from opfor.formats.battle_file.battle import Battle, load_battle, read_battle
from opfor.gm.advice.sheets import sheet_bytes, sheet_names
from opfor.report.drawing import Circle
from opfor.report.sheets.sheet_bubbles import LOST, location, spots
from opfor.report.sheets.sheet_facts import body_rows, heat_effects, movement_rows, slot_rows, weapon_rows
from opfor.report.sheets.sheet_outlines import parts_of
from opfor.report.sheets.sheet_picture import sheet_drawing
from opfor.report.sheets.sheet_text import sheet_text
from opfor.rules.pilots.heat import scale
from opfor.state import State
from opfor.units.state import UnitState
from tests.cli_support import ROOT, opfor, opfor_json
from tests.support import test_mech

SVG = "{http://www.w3.org/2000/svg}"
TOWN = ROOT / "examples" / "town-24.yaml"
BATTLE = """\
opfor: 1
name: Worn
board: crossroads
turn: 5
phase: fire
ruleset: standard
sides: {players: {controller: gm}, opfor: {controller: opfor}}
units:
  - id: alpha-1
    side: players
    type: Marauder MAD-3R
    at: "0711"
    facing: N
    heat: 16
    pilot: {gunnery: 4, piloting: 5, hits: 2}
    damage:
      armor: {LT: 15, CT: 30, LA: 22, HD: 3, CTR: 6}
      structure: {LA: 12, LT: 4}
      criticals: {RL: [Upper Leg Actuator]}
      ammo: {Autocannon/5: 0}
  - {id: reaver, side: opfor, type: Wasp WSP-1A, at: "0807", facing: S, destroyed: engine destroyed}
"""


@pytest.fixture
def worn() -> Battle:
    return read_battle(BATTLE)


@pytest.fixture(scope="module")
def town() -> State:
    return load_battle(TOWN).state


def quad() -> UnitState:
    spec = test_mech(
        name="Quad",
        tons=80,
        quad=True,
        weapons={"LT": ["is_ppc"], "CT": ["is_medium_laser (R)"]},
        armor={"HD": 9, "CT": 30, "RT": 20, "LT": 20, "FRL": 18, "FLL": 18, "RRL": 18, "RLL": 18, "CTR": 8, "RTR": 6, "LTR": 6},
    )
    return UnitState(spec, "quad", 0)


def texts(svg: bytes) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


def bubbles(state: State, unit: UnitState) -> tuple[int, int]:
    """Bubbles of points left and of points lost."""
    found = [s for s in sheet_drawing(state, unit).shapes if isinstance(s, Circle) and not s.title]
    return sum(1 for s in found if s.fill == "#ffffff"), sum(1 for s in found if s.fill == LOST)


# -- what is drawn ------------------------------------------------------------------------------------------------------


def test_a_bubble_for_every_point(worn: Battle) -> None:
    """A Marauder has 184 points of armour and 114 of structure; 22 + 15 + 30 + 3 + 6 and 12 + 4 are lost here."""
    unit = worn.state.unit("alpha-1")
    built = sum(unit.spec.armor) + sum(unit.spec.structure)
    assert bubbles(worn.state, unit) == (built - 92, 92)
    assert {"LA 0/22", "LT 2/17", "CT 5/35", "HD 6/9", "CT rear 4/10", "LA 0/12", "LT 12/16"} <= set(
        texts(sheet_bytes(worn.state, unit, "svg"))
    )


def test_every_vehicle_has_all_its_points(town: State) -> None:
    for unit in town.units:
        if unit.spec.is_vehicle:
            spec = unit.spec
            left, lost = bubbles(town, unit)
            # the body, inside all locations, is not drawn
            assert left + lost == sum(spec.armor) + sum(spec.structure[1:]), unit.id
            assert lost == sum(spec.armor) - sum(unit.armor) + sum(spec.structure[1:]) - sum(unit.structure[1:]), unit.id


def test_a_platoon_has_a_figure_for_each_trooper(town: State) -> None:
    unit = town.unit("second-platoon")
    figures = [s for s in sheet_drawing(town, unit).shapes if isinstance(s, Circle)]
    assert len(figures) == unit.spec.structure[0] == 21
    assert "Troopers: 15 of 21" in texts(sheet_bytes(town, unit, "svg"))


def test_a_squad_has_a_row_for_each_suit(town: State) -> None:
    words = texts(sheet_bytes(town, town.unit("elementals"), "svg"))
    assert {"Suits: 4 of 5", "S1 0/10", "S2 10", "S3 6/10"} <= set(words)


def test_four_legs(town: State) -> None:
    unit = quad()
    unit.structure[6] = 0
    unit.armor[6] = 0
    words = texts(sheet_bytes(town, unit, "svg"))
    assert {"FLL 18", "FRL 18", "RLL 18", "RRL 0/18", "RRL - gone"} <= set(words)
    assert "rear" in next(row.place for row in weapon_rows(unit) if row.name.endswith("is_medium_laser") or "edium" in row.name)


@pytest.mark.parametrize("count", [1, 2, 3, 9, 18, 47, 62])
def test_bubbles_lie_within_their_outline_and_apart(count: int) -> None:
    for part in (*parts_of(quad().spec), *parts_of(test_mech())):
        outline = part[0]
        radius, places = spots(outline, count)
        assert len(places) == count
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        for x, y in places:
            assert min(xs) <= x - radius and x + radius <= max(xs) and min(ys) <= y - radius and y + radius <= max(ys)
        for index, (x, y) in enumerate(places):
            assert all((x - a) ** 2 + (y - b) ** 2 >= (2 * radius) ** 2 for a, b in places[:index])


def test_a_location_that_is_gone_is_crossed_out() -> None:
    outline = ((0.0, 0.0), (50.0, 0.0), (50.0, 50.0), (0.0, 50.0))
    whole = list(location(outline, "LA", 3, 5, (25, -4)))
    gone = list(location(outline, "LA", 0, 5, (25, -4), whole=False))
    assert len(gone) == len(whole) + 2 + 3 * 2  # two strokes across, and two through each of the three bubbles more


# -- what is told -------------------------------------------------------------------------------------------------------


def test_criticals_ammunition_and_weapons(worn: Battle) -> None:
    unit = worn.state.unit("alpha-1")
    rows = {row.name: row for row in weapon_rows(unit)}
    assert rows["PPC (LA)"].state == "destroyed" and rows["PPC (LA)"].out
    assert rows["Autocannon/5"].state == "no ammunition" and rows["Autocannon/5"].ammo == "0"
    assert rows["PPC (RA)"].ranges == "3: 6/12/18" and rows["PPC (RA)"].damage == "10" and not rows["PPC (RA)"].out
    legs = [row.name for row in slot_rows(unit, 6) if row.hit]
    assert legs == ["Upper Leg Actuator"]
    assert all(row.hit for row in slot_rows(unit, 5) if not row.empty)


def test_heat_and_what_it_does(worn: Battle) -> None:
    """The words of the scale are its numbers (S-7): 15 costs 3 MP, 13 adds 2 to hit, 14 needs 4+."""
    effects = heat_effects()
    assert effects[15] == ["-3 MP"] and effects[13] == ["+2 to hit"] and effects[14] == ["shutdown 4+"]
    for heat, words in effects.items():
        for word in words:
            if word.endswith("MP"):
                assert word == f"-{scale('mp', heat)} MP"
            elif word.endswith("to hit"):
                assert word == f"+{scale('to_hit', heat)} to hit"
    assert "Heat 16" in texts(sheet_bytes(worn.state, worn.state.unit("alpha-1"), "svg"))


def test_movement_now_and_as_built(worn: Battle) -> None:
    """Walk 4: 1 less for the leg actuator, 3 less for heat 16."""
    assert movement_rows(worn.state, worn.state.unit("alpha-1")) == [("Walk", 4, 0), ("Run", 6, 0)]


def test_pilots_by_hits_and_by_wounds(worn: Battle) -> None:
    unit = worn.state.unit("alpha-1")
    assert "Pilot hits: 2" in sheet_text(worn.state, unit)
    assert {"3+", "5+", "7+", "10+", "11+", "dead"} <= set(texts(sheet_bytes(worn.state, unit, "svg")))
    battle = read_battle(
        BATTLE.replace("ruleset: standard", "ruleset: campaign").replace(
            "hits: 2", "wounds: {head: {nl: 2}, left_arm: {nl: 2, L: 1}}"
        )
    )
    unit = battle.state.unit("alpha-1")
    assert body_rows(unit)[:3] == [("head", 2, 0), ("torso", 0, 0), ("left arm", 2, 1)]
    assert "Wounds: head 0 L 2 nl, left arm 1 L 2 nl" in sheet_text(battle.state, unit)
    words = texts(sheet_bytes(battle.state, unit, "svg"))
    assert {"head: 2 nl", "left arm: 1 L 2 nl", "Wounds add", "+1"} <= set(words)


def test_the_text_has_every_location_and_weapon(town: State) -> None:
    for unit in town.units:
        told = sheet_text(town, unit)
        for index, name in enumerate(unit.spec.locations):
            if unit.spec.structure[index]:
                assert f"  {name}: " in told
        for row in weapon_rows(unit):
            assert f"  {row.name} (" in told
        assert told == sheet_text(town, unit) and told.isprintable() is False and "None" not in told


def test_a_wreck_has_a_sheet(worn: Battle) -> None:
    unit = worn.state.unit("reaver")
    assert "destroyed: engine destroyed" in sheet_text(worn.state, unit)
    assert any("engine destroyed" in word for word in texts(sheet_bytes(worn.state, unit, "svg")))


# -- files --------------------------------------------------------------------------------------------------------------


def test_the_same_unit_gives_the_same_bytes(town: State) -> None:
    again = load_battle(TOWN).state
    for unit in town.units:
        assert sheet_bytes(town, unit, "svg") == sheet_bytes(again, again.unit(unit.id), "svg")
    first = sheet_bytes(town, town.units[0], "png", 0.4)
    assert first == sheet_bytes(again, again.units[0], "png", 0.4)
    assert Image.open(BytesIO(first)).size[0] == 376


@pytest.mark.parametrize("name", ["<script>x</script>", "\"'&]]>", "y" * 300, "‮\x07", "漢字"])
def test_hostile_names_are_only_words(town: State, name: str) -> None:
    state = load_battle(TOWN).state
    unit = state.units[0]
    unit.name = unit.id = name
    svg = sheet_bytes(state, unit, "svg")
    ET.fromstring(svg)
    assert b"<script" not in svg
    assert sheet_bytes(state, unit, "png", 0.3).startswith(b"\x89PNG")


def test_names_of_files_are_safe_and_different() -> None:
    names = sheet_names(["alpha 1", "alpha/1", "../../etc/passwd", "ALPHA-1", "//", "漢"], "svg")
    assert len({name.lower() for name in names.values()}) == 6
    assert all(re.fullmatch(r"[\w-]+\.svg", name) for name in names.values())
    assert names["alpha 1"] == "alpha-1.svg" and names["//"] == "unit.svg"


def test_the_command(tmp_path: Path) -> None:
    assert opfor("sheet", TOWN, "alpha-1").stdout == sheet_text(
        load_battle(TOWN).state, load_battle(TOWN).state.unit("alpha-1")
    )
    for name, start in (("s.svg", b"<svg"), ("s.png", b"\x89PNG"), ("s.txt", b"alpha-1")):
        opfor("sheet", TOWN, "alpha-1", "-o", tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)
    assert opfor("sheet", TOWN, "alpha-1", "--format", "svg").stdout.startswith("<svg")
    written = opfor_json("sheet", TOWN, "--all", tmp_path / "all", "--side", "players")["written"]
    state = load_battle(TOWN).state
    assert len(written) == sum(1 for unit in state.units if unit.side == 0) == len(list((tmp_path / "all").iterdir()))
    opfor("sheet", TOWN, "--all", tmp_path / "text", "--format", "text")
    assert (tmp_path / "text" / "kestrel.txt").exists()


def test_what_the_command_refuses(tmp_path: Path) -> None:
    for arguments, message in (
        ((), "name one unit, or ask for --all"),
        (("alpha-1", "--all", tmp_path), "name one unit, or ask for --all"),
        (("kestral",), "did you mean kestrel"),
        (("alpha-1", "-o", tmp_path / "x.gif"), "no sheet is drawn as 'gif'"),
        (("alpha-1", "--format", "png"), "a .png needs a file"),
        (("--all", tmp_path, "--side", "player"), "did you mean players"),
    ):
        assert message in opfor("sheet", TOWN, *arguments, code=1).stderr
