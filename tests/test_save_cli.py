"""``opfor new --from-save``: files written, refusals, both forms of output. Rules: S-1, S-5."""

from __future__ import annotations

from pathlib import Path

import pytest

from opfor.formats.battle_file.battle import load_battle
from opfor.formats.battle_file.battle_write import battle_document, save_battle
from opfor.units.catalogue import unit_named
from tests.cli_support import opfor, opfor_json
from tests.save_maker import make_save
from tests.support import test_mech


@pytest.fixture
def save(tmp_path: Path) -> Path:
    """A save with a unit of the catalogue and one that nobody knows."""
    path = tmp_path / "game.sav.gz"
    own = test_mech(name="Nobodys Own", weapons={"RA": ["is_ppc"]})
    path.write_bytes(
        make_save([(unit_named("Wolverine WVR-6R"), 0, {"at": "0505"}), (own, 1, {"at": "0909", "hullDown": True})])
    )
    return path


def test_writes_a_battle_that_can_be_played(tmp_path: Path, save: Path) -> None:
    """The battle file, its board and the sheet; every other command takes it."""
    out = tmp_path / "ridge.yaml"
    result = opfor("new", "--from-save", save, "-o", out)
    assert "turn 3, movement, 2 units (2 in the battle), the Op Force is Princess" in result.stdout
    assert "hull down" in result.stderr
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == [
        "Nobodys Own.mtf", "game.sav.gz", "ridge.board", "ridge.yaml",
    ]  # fmt: skip
    battle = load_battle(out)
    assert battle.name == "ridge"
    assert battle.head.startswith("# ridge: from game.sav.gz, a save of MegaMek")
    opfor("check", out)
    assert "nobodys-1" in opfor("orders", out).stdout
    assert "unit 2" in opfor("orders", out, "--format", "clicks").stdout


def test_as_json(tmp_path: Path, save: Path) -> None:
    """One document: files, units and their numbers there, notes."""
    found = opfor_json("new", "--from-save", save, "-o", tmp_path / "ridge.yaml", "--opfor", "ann", "--ruleset", "standard")
    assert found["opfor"] == "Ann"
    assert found["megamek"] == {"wolverine-1": 1, "nobodys-1": 2}
    assert [Path(name).name for name in found["files"]] == ["ridge.board", "Nobodys Own.mtf", "ridge.yaml"]
    assert any("hull down" in note["message"] for note in found["notes"])
    assert load_battle(tmp_path / "ridge.yaml").state.ruleset.name == "standard"


def test_json_battle_files(tmp_path: Path, save: Path) -> None:
    """A battle file in JSON, where the name asks for it."""
    opfor("new", "--from-save", save, "-o", tmp_path / "ridge.json", "--name", "Ridge 12")
    assert load_battle(tmp_path / "ridge.json").name == "Ridge 12"


def test_nothing_is_written_over(tmp_path: Path, save: Path) -> None:
    """Neither the battle file nor what would lie beside it, without --force."""
    (tmp_path / "ridge.board").write_text("mine")
    result = opfor("new", "--from-save", save, "-o", tmp_path / "ridge.yaml", code=1)
    assert "ridge.board: there is a file of that name already" in result.stderr
    assert not (tmp_path / "ridge.yaml").exists()
    assert (tmp_path / "ridge.board").read_text() == "mine"
    opfor("new", "--from-save", save, "-o", tmp_path / "ridge.yaml", "--force")
    assert (tmp_path / "ridge.board").read_text() != "mine"
    opfor("new", "--from-save", save, "-o", tmp_path / "ridge.yaml", code=1)


def test_folders_of_units(tmp_path: Path, save: Path) -> None:
    """A sheet of one's own is used as it lies; a folder that is not there is refused."""
    opfor("new", "--from-save", save, "-o", tmp_path / "a.yaml")
    opfor("new", "--from-save", save, "-o", tmp_path / "b.yaml", "--units", tmp_path / "a-units")
    assert not (tmp_path / "b-units").exists()
    assert load_battle(tmp_path / "b.yaml").document["units"][1]["type"] == "a-units/Nobodys Own.mtf"
    opfor("new", "--from-save", save, "-o", tmp_path / "c.yaml", "--units", tmp_path / "nowhere", code=1)


@pytest.mark.parametrize("arguments", [("--opfor", "Nobody"), ("--ruleset", "chess")])
def test_refusals_write_nothing(tmp_path: Path, save: Path, arguments: tuple[str, str]) -> None:
    """One message, and no file."""
    before = sorted(tmp_path.iterdir())
    opfor("new", "--from-save", save, "-o", tmp_path / "ridge.yaml", *arguments, code=1)
    assert sorted(tmp_path.iterdir()) == before


def test_no_save(tmp_path: Path) -> None:
    """Another file."""
    (tmp_path / "x.sav.gz").write_bytes(b"hello")
    result = opfor("new", "--from-save", tmp_path / "x.sav.gz", "-o", tmp_path / "ridge.yaml", code=1)
    assert "x.sav.gz, line 1: is no proper XML" in result.stderr


def test_what_is_written_is_read_the_same(tmp_path: Path) -> None:
    """The battle that a command writes next holds all that was imported: nothing is lost on the way."""
    tank = unit_named("Vedette Medium Tank (Standard)")
    damaged = {"at": "0505", "hits": {1: [1, 8]}, "armor": {1: 2}, "shots": {0: 3}, "heat": 9, "prone": True, "done": True}
    path = tmp_path / "game.sav.gz"
    path.write_bytes(
        make_save(
            [
                (unit_named("Wolverine WVR-6R"), 0, damaged | {"moved": "MOVE_RUN", "delta_distance": 3, "mpUsed": 6}),
                (
                    tank,
                    1,
                    {"at": "0707", "motiveDamage": 2, "heavyMovementDamage": True, "m_bTurretLocked": True, "sec_facing": 2},
                ),
            ],
            hexes={"0303": "1 woods:1;foliage_elev:2", "0404": "0 fire:1"},
            mines=[("0808", 0, 15, 1)],
        )
    )
    opfor("new", "--from-save", path, "-o", tmp_path / "ridge.yaml")
    first = load_battle(tmp_path / "ridge.yaml")
    written = battle_document(first)
    save_battle(first)
    again = load_battle(tmp_path / "ridge.yaml")
    assert battle_document(again) == written
    for key in ("units", "mines", "terrain", "turn", "phase", "board", "notes"):
        assert written.get(key) == first.document.get(key), key
