"""What a battle file remembers and how plans compare: log, rulings, undo, diff, compare."""

from __future__ import annotations

from pathlib import Path

import pytest

from opfor.formats.battle_file.battle import load_battle, read_battle
from opfor.formats.battle_file.history import versions
from opfor.gm.advice.compare import compare, compare_words
from opfor.gm.running.battle_diff import battle_diff, diff_words
from tests.cli_support import RIDGE, opfor, opfor_json, ridge


def played(folder: Path) -> Path:
    """The example with the Op Force's movement played, and then the whole phase."""
    path = ridge(folder)
    opfor("apply", path, "reaver: walk B1", "--seed", 3)
    opfor("apply", path, "--end-phase", "--seed", 4)
    return path


# -- log and rulings --------------------------------------------------------------------------------------------------


def test_the_log_tells_who_did_what_with_the_dice(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    assert "nothing has been done yet" not in opfor("log", path).stdout  # the example holds a ruling
    opfor("apply", path, "skewer: jump 0904 S", "--seed", 3)
    opfor("apply", path, "--end-phase", "--seed", 4)
    document = opfor_json("log", path)
    assert document["log"][0]["orders"] == ["skewer: 1008 S jump -> 0904 S"]
    assert document["log"][0]["turn"] == 3
    text = opfor("log", path).stdout
    assert "turn 3, movement" in text
    assert "skewer: 1008 S jump -> 0904 S" in text
    only = opfor_json("log", path, "--unit", "skewer")["log"]
    assert all("skewer" in line for step in only for line in (*step["orders"], *step["dice"]))
    assert opfor_json("log", path, "--turn", 9)["log"] == []


def test_rulings_are_kept_with_the_turn_they_were_made_in(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    before = opfor_json("rule-that", path)["rulings"]
    opfor("rule-that", path, "Smoke lasts  two turns")
    opfor("ruling", path, "No firing through <b>walls</b>: at all")
    rows = opfor_json("rule-that", path)["rulings"]
    assert rows[: len(before)] == before
    assert rows[-2:] == [
        {"turn": 3, "phase": "movement", "ruling": "Smoke lasts two turns"},
        {"turn": 3, "phase": "movement", "ruling": "No firing through <b>walls</b>: at all"},
    ]
    # they stay as turns go by, and stand in the notes
    opfor("apply", path, "--end-phase", "--seed", 4)
    assert opfor_json("rule-that", path)["rulings"] == rows
    opfor("orders", path, "--out", tmp_path / "out")
    notes = (tmp_path / "out" / "gm-notes.txt").read_text(encoding="utf-8")
    assert "ruling, turn 3, movement: Smoke lasts two turns" in notes
    assert "ruling, turn 3, movement: Smoke lasts two turns" in opfor("log", path).stdout
    opfor("rule-that", path, "   ", code=1)


def test_rulings_written_by_hand_in_any_form_are_told() -> None:
    text = RIDGE.read_text(encoding="utf-8").split("rulings:")[0].rstrip("\n# ")
    from opfor.gm.running.rulings import rulings_of

    for given, told in (
        ("rulings: no shots at the chapel", "no shots at the chapel"),
        ("rulings: [{turn: 2, who: GM, what: no smoke}]", "who: GM, what: no smoke"),
        ("rulings: [7]", "7"),
    ):
        battle = read_battle(f"{text}\n{given}\n")
        assert [row["ruling"] for row in rulings_of(battle)] == [told]


# -- undo -------------------------------------------------------------------------------------------------------------


def test_undo_by_steps_and_to_a_turn(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    first = path.read_text(encoding="utf-8")
    opfor("apply", path, "reaver: walk B1", "--seed", 3)
    second = path.read_text(encoding="utf-8")
    opfor("apply", path, "lancer: stand", "--seed", 3)
    opfor("apply", path, "gavel: stand", "--seed", 3)
    last = path.read_text(encoding="utf-8")
    assert opfor_json("undo", path, "--steps", 2)["earlier"] == 1
    assert path.read_text(encoding="utf-8") == second
    undone = next((tmp_path / ".opfor" / "ridge.yaml").glob("undone*"))
    assert undone.read_text(encoding="utf-8") == last
    opfor("undo", path)
    assert path.read_text(encoding="utf-8") == first
    assert "no former version" in opfor("undo", path, code=1).stderr


def test_undo_to_a_turn_is_to_its_beginning(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    while (turn := load_battle(path).state.turn) < 5:
        if turn == 4 and load_battle(path).state.phase == "fire":
            break
        opfor("apply", path, "--end-phase", "--seed", 4)
    assert "turns kept: 3, 4" in opfor("undo", path, "--to", 7, code=1).stderr
    opfor("undo", path, "--to", 4)
    state = load_battle(path).state
    assert state.turn == 4
    assert all(load_battle(version).state.turn == 3 for version in map(_beside(path), versions(path)))
    opfor("undo", path, "--to", 3)
    assert path.read_text(encoding="utf-8") == RIDGE.read_text(encoding="utf-8")
    assert "not both" in opfor("undo", path, "--to", 3, "--steps", 2, code=1).stderr
    assert opfor("undo", path, "--steps", 0, code=1).stderr


def _beside(path: Path):  # type: ignore[no-untyped-def]
    """Former versions lie in a folder of their own: read as if they stood where the file does."""

    def copy(version: Path) -> Path:
        there = path.with_name(f"copy-{version.name}")
        there.write_text(version.read_text(encoding="utf-8"), encoding="utf-8")
        return there

    return copy


# -- diff -------------------------------------------------------------------------------------------------------------

A = """opfor: 1
board: open-plain
turn: 2
sides: {players: {}, opfor: {}}
units:
  - {id: wolf, side: players, type: Wolverine WVR-6R, at: "0611", heat: 4, damage: {armor: {LT: 5}, ammo: {SRM 6: 9}}}
  - {id: wasp, side: opfor, type: wasp wsp-1a, at: "0203", facing: S}
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('at: "0611"', 'at: "0709"', "wolf: hex 0611 -> 0709"),
        ("heat: 4", "heat: 9", "wolf: heat 4 -> 9"),
        ("LT: 5", "LT: 8", "wolf: armour of LT loses 3 (5 lost -> 8 lost)"),
        ("LT: 5", "LT: 2", "wolf: armour of LT regains 3 (5 lost -> 2 lost)"),
        ("LT: 5", "LT: 5, CT: 7", "wolf: armour of CT loses 7 (none lost -> 7 lost)"),
        ("ammo: {SRM 6: 9}", "ammo: {SRM 6: 7}", "wolf: SRM 6: 9 -> 7 rounds"),
        ("facing: S", "facing: S, prone: true", "wasp: is prone"),
        ("facing: S", "facing: S, damage: {criticals: {RA: [shoulder]}}", "wasp: RA: hit: Shoulder"),
        ("facing: S", "facing: S, destroyed: ammunition explosion", "wasp: is destroyed: ammunition explosion"),
        ("turn: 2", "turn: 3", "turn 2 -> 3"),
        ("turn: 2", "turn: 2\nrulings: [no smoke]", "rulings, new: no smoke"),
        ("opfor: {}", "opfor: {objective: patrol}", "sides.opfor.objective none -> patrol"),
    ],
)
def test_differences_in_words(old: str, new: str, words: str) -> None:
    assert old in A
    found = battle_diff(read_battle(A), read_battle(A.replace(old, new)))
    assert words.lower() in [line.lower() for line in diff_words(found)]
    back = battle_diff(read_battle(A.replace(old, new)), read_battle(A))
    assert (back["battle"], back["units"]) != ([], {})


def test_units_that_come_and_go_and_nothing() -> None:
    without = A[: A.index("  - {id: wasp")]
    assert diff_words(battle_diff(read_battle(A), read_battle(without))) == ["wasp: is not there any more"]
    assert diff_words(battle_diff(read_battle(without), read_battle(A))) == ["wasp: is new"]
    assert diff_words(battle_diff(read_battle(A), read_battle(A))) == ["no difference"]


def test_diff_as_a_command(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    assert "no former version" in opfor("diff", path, code=1).stderr
    opfor("apply", path, "reaver: walk B1", "--seed", 3)
    document = opfor_json("diff", path)
    assert list(document["units"]) == ["reaver"]
    change = next(row for row in document["units"]["reaver"] if row["what"] == "at")
    assert (change["was"], change["now"], change["words"]) == ("0706", "0705", "hex 0706 -> 0705")
    assert opfor("diff", RIDGE, path).stdout == opfor("diff", path).stdout


# -- compare ----------------------------------------------------------------------------------------------------------


def test_plans_side_by_side(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    before = path.read_bytes()
    near, far = tmp_path / "near.txt", tmp_path / "far.txt"
    near.write_text("lancer: run F3\nreaver: walk F1\n", encoding="utf-8")
    far.write_text("# stay away\nlancer: stand\nreaver: walk B3\n", encoding="utf-8")
    arguments = ("compare", path, "--plans", f"{near},{far}", "--policies", "guardian", "--samples", 2, "--seed", 5)
    document = opfor_json(*arguments)
    assert [row["plan"] for row in document["plans"]] == ["near", "far", "guardian"]
    first, second, _ = document["plans"]
    assert "lancer: 0506 SE run F3 -> 0807 SE" in first["orders"]
    assert any(line.startswith("reaver: 0706 S walk B3") for line in second["orders"])
    assert first["expected_taken"] > second["expected_taken"]
    for row in document["plans"]:
        assert row["samples"] == 2
        assert 0.0 <= row["fall_risk"] <= 1.0
        assert 0.0 <= row["chance_own_lost"] <= 1.0
    assert opfor_json(*arguments) == document
    table = opfor("compare", path, "--plans", f"{near},{far}", "--samples", 1).stdout
    assert "expected damage, own shots" in table
    assert "1 courses" not in table
    assert path.read_bytes() == before


def test_on_paper_alone_and_what_is_refused(tmp_path: Path) -> None:
    battle = load_battle(RIDGE)
    found = compare(battle, policies=["veteran", "random"], samples=0)
    assert all(not result.courses for result in found)
    words = compare_words(found, 0)
    assert not any("mean" in line for line in words)
    empty = tmp_path / "empty.txt"
    empty.write_text("# nothing\n", encoding="utf-8")
    for arguments, message in (
        (("--policies", "veteran"), "two plans or policies"),
        (("--plans", f"{empty},{empty}"), "holds no order"),
        (("--policies", "veteran,veteren"), "did you mean veteran"),
        (("--policies", "veteran,bold", "--samples", 100000), "use 0 to"),
        (("--plans", "nowhere.txt,there.txt"), "no such file"),
    ):
        assert message in opfor("compare", RIDGE, *arguments, code=1).stderr


def test_figures_of_fire_are_added_from_its_shots() -> None:
    battle = load_battle(RIDGE)
    battle.state.phase = "fire"
    for unit in battle.state.units:
        unit.moved, unit.mode = True, unit.mode or "stand"
    hold = "\n".join(f"{unit.id}: hold fire" for unit in battle.state.units if unit.side == 1)
    found = compare(battle, plans=[("hold", hold)], policies=["veteran"], samples=2)
    silent, firing = (result.as_dict() for result in found)
    assert silent["expected_given"] == 0.0
    shots = sum(attempt.expected for one in found[1].advice.advised for attempt in one.attempts)
    assert firing["expected_given"] == round(shots, 2) > 0
    assert firing["given"] > silent["given"]
