"""The commands on battle files: new, check, undo, schema; and what any command says to a broken file."""

from __future__ import annotations

import shutil
from pathlib import Path

import jsonschema
import pytest
import yaml

from opfor.formats.battle_file.battle import load_battle
from opfor.formats.battle_file.battle_write import battle_document
from tests.cli_support import RIDGE, listing, opfor, opfor_json, ridge

BAD = sorted((Path(__file__).parent / "data" / "bad_battles").glob("*.yaml"))


@pytest.mark.parametrize("path", BAD, ids=lambda p: p.stem)
def test_a_broken_file_ends_in_one_clear_message_and_nothing_is_written(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / path.name
    shutil.copy(path, copy)
    before = listing(tmp_path)
    expected = path.read_text().splitlines()[0].removeprefix("# expect: ")
    for arguments in (("check", copy), ("orders", copy, "--out", tmp_path / "out"), ("apply", copy, "--seed", "1")):
        result = opfor(*arguments, code=1)
        assert result.stdout == ""
        assert len(result.stderr.strip().splitlines()) == 1
        assert expected in result.stderr and path.name in result.stderr
    assert listing(tmp_path) == before


def test_with_json_a_refusal_is_a_document_too() -> None:
    document = opfor_json("check", BAD[0].parent / "facing-unknown.yaml", code=1)
    assert document["error"]["place"] == "units[0].facing, line 16"
    assert "is no facing" in document["error"]["message"]


def test_check_tells_defaults_notes_and_what_is_odd(tmp_path: Path) -> None:
    path = tmp_path / "b.yaml"
    path.write_text(
        "opfor: 1\nboard: open-plain\nphase: fire\nweather: []\n"
        "sides: {players: {}, opfor: {policy: veteren}, others: {}}\n"
        "units:\n"
        "  - {side: players, type: Wolverine WVR-6R, at: 0611, damage: {structure: {RA: 2}}}\n"
        "  - {side: opfor, type: wasp wsp-1a, at: 0203, heat: 31}\n"
    )
    document = opfor_json("check", path)
    places = {found["place"]: found["message"] for found in document["odd"]}
    assert "has no units" in places["sides.others"]
    assert "veteren" in places["sides.opfor.policy"]
    assert "behind whole armour" in places["units[0].damage.structure"]
    assert "heat 31" in places["units[1].heat"]
    assert {default["place"] for default in document["defaults"]} >= {"ruleset", "turn", "units[0].id", "units[1].facing"}
    assert any("weather is kept, and not used yet" in note["message"] for note in document["notes"])
    text = opfor("check", path).stdout
    assert "default  units[1].facing: wasp-1 faces N" in text


def test_the_example_has_no_faults_and_no_defaults() -> None:
    document = opfor_json("check", RIDGE)
    assert document["ok"] and not document["odd"] and not document["defaults"]


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_new_writes_a_battle_that_checks_clean(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "mine.yaml"
    opfor("new", "-o", path, "--board", "deep-woods", "--players", "Wasp WSP-1A, atlas as7-d", "--opfor", "Locust LCT-1V")
    assert path.read_text().count("#") > 5
    document = opfor_json("check", path)
    assert not document["odd"] and not document["defaults"]
    state = load_battle(path).state
    assert [unit.spec.name for unit in state.units] == ["Wasp WSP-1A", "Atlas AS7-D", "Locust LCT-1V"]
    del suffix


def test_new_does_not_write_over_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("mine")
    assert "--force" in opfor("new", "-o", path, code=1).stderr
    assert path.read_text() == "mine"
    opfor("new", "-o", path, "--force")
    assert (tmp_path / ".opfor" / "mine.yaml" / "0001.yaml").read_text() == "mine"


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--board", "deep-wods", "did you mean deep-woods"),
        ("--players", "Wasp WSP-1A, Atlus AS7-D", "did you mean Atlas AS7-D"),
        ("--ruleset", "standart", "did you mean standard"),
    ],
)
def test_new_names_the_nearest(tmp_path: Path, option: str, value: str, message: str) -> None:
    assert message in opfor("new", "-o", tmp_path / "n.yaml", option, value, code=1).stderr
    assert not list(tmp_path.iterdir())


def test_new_places_a_company_on_each_edge(tmp_path: Path) -> None:
    path = tmp_path / "big.yaml"
    force = ",".join(["Wasp WSP-1A"] * 12)
    opfor("new", "-o", path, "--players", force, "--opfor", force)
    state = load_battle(path).state
    rows = state.board.grid.rows
    assert all(rows[unit.cell] >= 14 for unit in state.units if unit.side == 0)
    assert all(rows[unit.cell] <= 2 for unit in state.units if unit.side == 1)


def test_undo_goes_back_step_by_step(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    start = path.read_bytes()
    opfor("apply", path, "alpha-3: stand")
    opfor("apply", path, "alpha-2: stand")
    assert opfor_json("undo", path)["earlier"] == 1
    opfor("undo", path)
    assert path.read_bytes() == start
    assert "no former version" in opfor("undo", path, code=1).stderr


def test_the_schema_describes_the_form(tmp_path: Path) -> None:
    schema = opfor_json("schema", "battle")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for path in (RIDGE, RIDGE.parent / "town-24.yaml"):
        validator.validate(yaml.safe_load(path.read_text()))
        validator.validate(battle_document(load_battle(path)))
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({"opfor": 1, "board": "x", "sides": {"a": {}}, "units": [{"side": "a", "type": "b", "heat": -1}]})
    assert "there is no schema" in opfor("schema", "unit", code=1).stderr


def test_wrong_usage_is_exit_status_2() -> None:
    opfor("check", code=2)
    opfor("orders", RIDGE, "--seed", "many", code=2)
    opfor("nonsense", code=2)


MUL = """\
<?xml version="1.0" encoding="UTF-8"?>
<unit version="0.49.13" >
<entity chassis="Vedette Medium Tank" model="(Standard)" type="Tracked">
<pilot name="Ann" gunnery="3" piloting="4" ejected="false"/>
<location index="1"><armor points="9"/></location>
</entity>
<entity chassis="No Such" model="X" type="Biped"><pilot name="Bo" gunnery="4" piloting="5"/></entity>
</unit>
"""


def test_new_takes_every_kind_of_unit_and_force_files(tmp_path: Path) -> None:
    (tmp_path / "force.mul").write_text(MUL)
    path = tmp_path / "town.yaml"
    result = opfor(
        "new", "-o", path, "--board", "city-blocks", "--players", "force.mul, Foot Platoon (Rifle)",
        "--opfor", "Elemental Battle Armor [Laser](Sqd5), Warrior Attack Helicopter H-7, Maxim",
    )  # fmt: skip
    assert "No Such X is not known: left out" in result.stderr
    state = load_battle(path).state
    ann = state.unit("alpha-1")
    assert (ann.name, ann.gunnery, ann.piloting, ann.armor[1]) == ("Ann", 3, 4, 9)
    assert [unit.spec.kind for unit in state.units] == ["vehicle", "infantry", "battle_armor", "vtol", "vehicle"]
    document = opfor_json("check", path)
    assert (document["odd"], document["defaults"]) == ([], [])
    (tmp_path / "other.mul").write_text(MUL.replace("Vedette", "Nobody"))
    assert "none of its units is known" in opfor("new", "-o", tmp_path / "b.yaml", "--players", "other.mul", code=1).stderr
