"""Vehicles, VTOLs, platoons and battle armour in the battle file; mines, fires and wind. Rule: E-16 to E-26, S-9, S-10."""

from __future__ import annotations

from pathlib import Path

import pytest

from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.formats.battle_file.battle_write import battle_document
from opfor.game.view import seen_by
from opfor.gm.starting.checking import findings
from opfor.report.drawing import Text
from opfor.report.maps.map_html import to_html
from opfor.report.maps.map_picture import map_drawing
from opfor.report.maps.map_svg import to_svg
from opfor.report.maps.map_symbols import unit_mark
from opfor.report.maps.map_text import map_text
from tests.cli_support import ROOT, opfor, opfor_json

BATTLE = """\
opfor: 1
board: {size: 16x17, rows: [0805 water 2, 0905 woods1, 1005 medium building cf 40, 0404 pavement, 0303 fire mines=5]}
sides: {players: {}, opfor: {controller: opfor}}
TOP
units:
  - {id: alpha, side: players, type: Wolverine WVR-6R, at: 0611, facing: N}
  - {id: tank, side: opfor, type: Scorpion Light Tank (Standard), at: 0204, facing: S, TANK}
  - {id: maxim, side: opfor, type: Maxim Heavy Hover Transport (Standard), at: 0805, facing: S}
  - {id: vtol, side: opfor, type: Warrior Attack Helicopter H-7, at: 0206, facing: S, VTOL}
  - {id: foot, side: opfor, type: Foot Platoon (Rifle), FOOT}
  - {id: suits, side: opfor, type: "Elemental Battle Armor [Laser](Sqd5)", SUITS}
"""
USUAL = {"TOP": "turn: 1", "TANK": "turn_in: 0", "VTOL": "elevation: 4", "FOOT": "at: 0207", "SUITS": "at: 0307"}


def battle(**parts: str) -> Battle:
    text = BATTLE
    for key, words in {**USUAL, "TANK": "hidden: false", **parts}.items():
        text = text.replace(key, words)
    return read_battle(text)


def test_what_a_vehicle_may_have_suffered() -> None:
    damage = (
        "armor: {FR: 5, turret: 2}, structure: {rear: 1}, crew: [commander, driver hit], stunned: 1, motive: [minor, heavy], "
        "sensors: 2, stabilizers: [TU], malfunctions: [Machine Gun], turret: locked, ammo: {Autocannon/5: 7}"
    )
    unit = battle(TANK=f"turret: NW, damage: {{{damage}}}").state.unit("tank")
    assert unit.spec.armor[1] - unit.armor[1] == 5 and unit.spec.armor[5] - unit.armor[5] == 2
    assert unit.spec.structure[4] - unit.structure[4] == 1
    assert (unit.crew, unit.stunned, unit.motive_hits, unit.sensor_hits, unit.stabilizers) == (3, 1, 5, 2, 32)
    assert unit.spec.mounts[unit.malfunctioned.bit_length() - 1].name == "Machine Gun"
    # the hull faces S, the turret NW: two hexsides to the right
    assert (unit.turret, unit.twist, unit.torso_facing) == (2, 2, 5)
    assert unit.shots("is_ac5") == 7
    assert not unit.destroyed and unit.active


@pytest.mark.parametrize(
    ("motive", "lost"),
    [("[minor]", 0), ("[moderate]", 1), ("[heavy]", 2), ("[moderate, heavy]", 2), ("[minor], cruise_lost: 3", 3)],
)
def test_motive_damage_costs_cruising_points(motive: str, lost: int) -> None:
    """A Scorpion cruises 4: one less is 3, half of 4 lost is 2, half of the 3 left (2 stay) is 1 more."""
    assert battle(TANK=f"damage: {{motive: {motive}}}").state.unit("tank").cruise_lost == lost


def test_a_dead_crew_leaves_the_vehicle_out_of_action() -> None:
    unit = battle(TANK="damage: {crew: [killed]}").state.unit("tank")
    assert not unit.destroyed and not unit.active and unit.immobile


def test_a_dead_engine_leaves_the_vehicle_immobile() -> None:
    unit = battle(TANK="damage: {engine: hit}").state.unit("tank")
    assert unit.engine_dead and unit.immobilized and unit.active
    assert not battle(TANK="damage: {engine: hit, immobilized: false}").state.unit("tank").immobilized


def test_a_location_gone_ends_the_vehicle() -> None:
    assert battle(TANK="damage: {structure: {FR: gone}}").state.unit("tank").destroyed == "front destroyed"
    assert battle(VTOL="elevation: 2, damage: {structure: {LS: gone}}").state.unit("vtol").destroyed == "left side destroyed"
    without = battle(VTOL="elevation: 2, damage: {structure: {RO: gone}}")
    assert not without.state.unit("vtol").destroyed
    assert any("without a rotor" in row["message"] for row in findings(without))


def test_troopers_and_suits_lost() -> None:
    state = battle(FOOT="at: 0207, damage: {troopers: 9}", SUITS="at: 0307, damage: {suits: {S1: gone, suit 2: 4}}").state
    assert state.unit("foot").structure == [19]
    suits = state.unit("suits")
    assert (suits.structure, suits.armor) == ([0, 1, 1, 1, 1], [0, 6, 10, 10, 10])
    counted = battle(SUITS="at: 0307, damage: {suits: 2}").state.unit("suits")
    assert counted.structure == [0, 0, 1, 1, 1]
    assert battle(FOOT="at: 0207, damage: {troopers: 28}").state.unit("foot").destroyed == "all troopers lost"
    assert battle(SUITS="at: 0307, damage: {suits: 5}").state.unit("suits").destroyed == "all suits lost"


def test_who_is_carried_or_clings_is_where_the_other_is() -> None:
    state = battle(FOOT="aboard: maxim", SUITS="swarming: alpha").state
    foot, suits = state.unit("foot"), state.unit("suits")
    assert (foot.cell, foot.elevation) == (state.unit("maxim").cell, 0)
    assert suits.cell == state.unit("alpha").cell
    again = read_battle_again(battle(FOOT="aboard: maxim", SUITS="swarming: alpha"))
    assert again.state.unit("foot").aboard == "maxim" and again.state.unit("suits").swarming == "alpha"


def read_battle_again(one: Battle) -> Battle:
    import json

    return read_battle(json.dumps(battle_document(one)))


def test_heights_that_nobody_gives() -> None:
    """A hover vehicle floats, a VTOL has landed unless told otherwise, and says so."""
    taken = battle(VTOL="hidden: false")
    state = taken.state
    assert state.unit("maxim").elevation == 0
    assert state.unit("vtol").elevation == 0
    assert "units[3].elevation" in {default.place for default in taken.defaults}
    assert not [default for default in taken.defaults if default.place.endswith("facing")], "infantry has no facing to miss"


def test_skills_keep_the_names_that_they_were_given() -> None:
    one = battle(TANK="crew: {gunnery: 3, driving: 6}", FOOT="at: 0207, crew: {gunnery: 5, anti_mech: 7}")
    assert (one.state.unit("tank").piloting, one.state.unit("foot").piloting) == (6, 7)
    units = {row["id"]: row for row in battle_document(one)["units"]}
    assert units["tank"]["crew"] == {"gunnery": 3, "driving": 6}
    assert units["foot"]["crew"] == {"gunnery": 5, "anti_mech": 7}


@pytest.mark.parametrize(
    "mines",
    [
        'mines: [{at: "0707", density: 20, known: [opfor]}, {at: "0708"}]',
        'mines: {"0707": {density: 20, known: [opfor]}, "0708": 10}',
    ],
)
def test_mines_in_either_form(mines: str) -> None:
    one = battle(TOP=f'{mines}\nfires: ["0505", 0606]\nwind: SE')
    board = one.state.board
    assert (board.at("0707").mines, board.at("0707").mines_known) == (20, 2)
    assert (board.at("0708").mines, board.at("0708").mines_known) == (10, 0)
    assert board.at("0505").fire and board.at("0606").fire and one.state.wind == 2
    document = battle_document(one)
    assert document["mines"] == [{"at": "0707", "density": 20, "known": ["opfor"]}, {"at": "0708", "density": 10}]
    assert document["fires"] == ["0505", "0606"] and document["wind"] == "SE"
    assert read_battle_again(one).state.board.hexes == board.hexes


def test_what_has_gone_from_the_board_is_written_too() -> None:
    one = battle()
    state = one.state
    cell = state.board.grid.parse("0303")
    state.board = state.board.with_hex(cell, fire=False, mines=0)
    state.board = state.board.with_hex(state.board.grid.parse("1005"), building_cf=0)
    again = read_battle_again(one).state.board
    assert (again.at("0303").fire, again.at("0303").mines) == (False, 0)
    assert again.at("1005").building_cf == 0


def test_more_than_one_may_share_a_hex_but_not_any_number() -> None:
    battle(TANK="hidden: false", FOOT="at: 0204")
    with pytest.raises(InputError, match="which is full: tank, foot"):
        battle(FOOT="at: 0204", SUITS="at: 0204")
    # what is carried or clings takes no room
    battle(FOOT="at: 0611", SUITS="swarming: alpha")


def test_a_side_knows_only_the_mines_that_it_knows() -> None:
    one = battle(TOP='mines: [{at: "0707", density: 20, known: [opfor]}, {at: "0708", density: 15}]')
    state = one.state
    cell = state.board.grid.parse("0707")
    assert seen_by(state, 1).board.hexes[cell].mines == 20
    assert seen_by(state, 0).board.hexes[cell].mines == 0
    assert seen_by(state, 0).board.hexes[cell].mines_known == 0
    assert seen_by(state, 0).board.depth is not None
    for side, shown in ((None, {"M20", "M15"}), (1, {"M20"}), (0, set())):
        svg = to_svg(map_drawing(state, hide_from=side))
        assert {word for word in ("M20", "M15") if f">{word}<" in svg} == shown
        assert ("mines 20" in svg) is ("M20" in shown)
    # rows 0707 and 0708 of the text map
    assert map_text(state).split("Key")[0].count("^") == 3
    assert map_text(state, hide_from=0).split("Key")[0].count("^") == 0


def test_the_map_tells_what_units_are_and_whom_they_carry() -> None:
    one = battle(FOOT="aboard: maxim", SUITS="swarming: alpha", TANK="turret: E, damage: {crew: [driver]}".replace("E,", "SE,"))
    svg = to_svg(map_drawing(one.state))
    for words in ("vtol +4", "maxim [foot]", "tracked vehicle", "driver hit", "5 of 5 suits", "swarmed by suits"):
        assert words in svg, words
    assert ">foot" not in svg, "who is carried is not drawn"
    lines = map_text(one.state)
    for words in ("turret SE", "VTOL, 4 levels up", "aboard maxim", "carries foot", "clings to alpha"):
        assert words in lines, words
    page = to_html(map_drawing(one.state), one.state)
    assert "28 of 28 troopers" in page


def test_each_kind_has_its_mark() -> None:
    """Tracks, wheels, skirts, rotors, boxes, dots: no two motive types are drawn alike."""
    types = {
        "tracked": "Vedette Medium Tank (Standard)",
        "wheeled": "Hetzer Wheeled Assault Gun (Standard)",
        "hover": "Saladin Assault Hover Tank (Standard)",
        "vtol": "Warrior Attack Helicopter H-7",
        "foot": "Foot Platoon (Rifle)",
        "jump": "Jump Platoon (Laser)",
        "motorized": "Motorized Platoon (Rifle)",
        "mechanized_tracked": "Mechanized Tracked Platoon (MG)",
        "suits": "Elemental Battle Armor [Laser](Sqd5)",
        "biped": "Wolverine WVR-6R",
    }
    drawn = {}
    for motive, name in types.items():
        text = f'opfor: 1\nboard: {{size: 5x5}}\nsides: {{a: {{}}}}\nunits: [{{id: u, side: a, type: "{name}", at: "0303"}}]\n'
        state = read_battle(text).state
        assert state.units[0].spec.motive == motive
        shapes = unit_mark(state.units[0], (0.0, 0.0), 20.0, "#000000", "x")
        drawn[motive] = tuple((type(s).__name__, getattr(s, "points", getattr(s, "centre", ()))) for s in shapes)
        assert sum(1 for s in unit_mark(state.units[0], (0.0, 0.0), 20.0, "#000000", "x") if getattr(s, "title", "")) == 1
    assert len(set(drawn.values())) == len(types)


def test_names_in_a_shared_hex_stand_below_one_another() -> None:
    state = battle(FOOT="at: 0204", SUITS="at: 0307").state
    names = {s.text: s.at for s in map_drawing(state).shapes if isinstance(s, Text) and s.text in ("tank", "foot (28)")}
    assert names["tank"][0] == names["foot (28)"][0]
    assert abs(names["tank"][1] - names["foot (28)"][1]) > 8


def test_a_damaged_building_is_cracked() -> None:
    one = battle(TOP='terrain: {"1005": medium building cf 12}')
    assert one.base_board is not None
    whole = map_drawing(one.state, base=one.state.board).shapes
    assert len(map_drawing(one.state, base=one.base_board).shapes) == len(whole) + 4


def test_what_is_odd_about_them() -> None:
    one = battle(
        TOP="phase: fire\nwind: N",
        TANK="damage: {motive: [moderate], cruise_lost: 0}",
        VTOL="elevation: 1, moved: {mode: run, hexes: 3}",
        FOOT="at: 0805",
    )
    messages = " | ".join(row["message"] for row in findings(one))
    assert "has lost no cruising MP" in messages
    assert "foot stands in water depth 2, which is closed to it" in messages
    over = battle(VTOL="elevation: 2, hidden: false".replace("elevation: 2", "elevation: 2")).state
    assert over.unit("vtol").elevation == 2


def test_the_town_has_no_faults_and_is_drawn(tmp_path: Path) -> None:
    town = ROOT / "examples" / "town-24.yaml"
    document = opfor_json("check", town)
    assert (document["odd"], document["defaults"], document["notes"]) == ([], [], [])
    for name in ("m.svg", "m.png", "m.html", "m.txt"):
        opfor("map", town, "-o", tmp_path / name)
        assert (tmp_path / name).stat().st_size > 2000
    shown = opfor("map", town, "--side", "players").stdout
    assert "elementals" in shown and "4 of 5 suits" in shown


def test_commands_serve_every_kind_of_unit(tmp_path: Path) -> None:
    town = ROOT / "examples" / "town-24.yaml"
    for unit in ("sledge-1", "kestrel", "first-platoon", "second-platoon", "longknives", "maxim"):
        found = opfor_json("moves", town, "--unit", unit)
        assert found["unit"] == unit and found["options"]
        assert {"mode", "to", "facing", "mp", "hexes", "path", "rolls"} <= set(found["options"][0])
        assert opfor("moves", town, "--unit", unit).stdout.startswith(f"{unit}: ")
    climbing = opfor_json("moves", town, "--unit", "kestrel")["options"]
    assert any("CLIMB" in row["path"] and row["elevation"] > 5 for row in climbing)
    assert {row["mode"] for row in opfor_json("moves", town, "--unit", "first-platoon")["options"]} >= {"stand", "dismount"}
    for unit in ("harrier", "anvil-1", "militia-1", "elementals", "skewer"):
        found = opfor_json("explain", town, "--unit", unit)
        for target in found["targets"]:
            assert {"unit", "target", "range", "los", "weapons", "physical"} <= set(target)
            for row in target["weapons"]:
                assert row["tn"] is None or row["tn"] == sum(part["value"] for part in row["modifiers"])
        assert not any(target["target"] == "first-platoon" for target in found["targets"]), "nobody shoots at who is carried"
    at_hex = opfor_json("explain", town, "--unit", "second-platoon", "--target", "0711")
    assert at_hex["target"] == "@0711" and "building" in at_hex["target_is"] and at_hex["physical"] == []
