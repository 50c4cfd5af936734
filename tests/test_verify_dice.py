"""Rolls that players can check: seed, check, seal; and dice pasted on the command line, kept in the log."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from opfor.dice import DiceError, FedDice, SeededDice, split_evenly
from opfor.errors import InputError
from opfor.formats.battle_file.battle import load_battle, read_battle
from opfor.formats.battle_file.battle_write import save_battle
from opfor.gm.dice.dice_log import log_steps, log_words
from opfor.gm.dice.verify import SAFE_SEED, check_of, seal_of, verify
from opfor.gm.running.control import carry_out
from tests.cli_support import RIDGE, listing, opfor, opfor_json, ridge

UP = "alpha-4: SU"
CHECK = re.compile(r"seed 7, check ((?:[0-9a-f]{4}-){3}[0-9a-f]{4}) \(opfor ")


def applied(path: Path, *more: object) -> tuple[str, str]:
    """Stand up with seed 7: the check that is printed, and everything printed."""
    printed = opfor("apply", path, UP, "--seed", "7", *more).stdout
    found = CHECK.search(printed)
    assert found is not None, printed
    return found[1], printed


def before_of(path: Path) -> Path:
    return path.parent / ".opfor" / path.name / "0001.yaml"


# -- seed and check ---------------------------------------------------------------------------------------------------


def test_what_is_posted_can_be_verified(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    check, printed = applied(path)
    log = load_battle(path).document["log"][-1]
    assert (log["seed"], log["check"]) == (7, check)
    posted = tmp_path / "post.txt"
    posted.write_text("\n".join(log["dice"]))
    shown = opfor("verify", before_of(path), UP, "--seed", "7", "--check", check, "--dice", posted).stdout
    assert f"the same: check, dice ({len(log['dice'])} rolls)" in shown
    assert all(line in shown for line in log["dice"])
    document = opfor_json("verify", before_of(path), UP, "--seed", "7", "--check", check.upper().replace("-", ""))
    assert document["verified"] and document["check"] == check and document["faults"] == []
    assert [row["why"] for row in document["dice"]] == [line.partition(": ")[2] for line in log["dice"]]
    assert "rolled" in printed


def test_the_post_for_players_carries_the_check(tmp_path: Path) -> None:
    check, printed = applied(ridge(tmp_path), "--format", "rpol")
    assert check in printed


def test_another_seed_order_battle_or_die_is_found_out(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    check, _ = applied(path)
    before = before_of(path)
    dice = load_battle(path).document["log"][-1]["dice"]
    assert "not the same: check" in opfor("verify", before, UP, "--seed", "8", "--check", check, code=1).stdout
    assert "not the same: check" in opfor("verify", before, "alpha-4: stand", "--seed", "7", "--check", check, code=1).stdout
    other = tmp_path / "other.yaml"
    other.write_text(before.read_text().replace("turn: 3", "turn: 4"))
    assert "not the same: check" in opfor("verify", other, UP, "--seed", "7", "--check", check, code=1).stdout
    first, *rest = dice
    changed = "\n".join([("1+1" if not first.startswith("1+1") else "1+2") + first[3:], *rest])
    assert "roll 1: 1+" in opfor("verify", before, UP, "--seed", "7", "--dice", changed, code=1).stdout
    shorter = "\n".join([*dice, "3+4: one more"])
    assert f"rolls: {len(dice) + 1} were posted, and there are {len(dice)}" in (
        opfor("verify", before, UP, "--seed", "7", "--dice", shorter, code=1).stdout
    )


def test_notes_comments_and_the_log_are_not_in_the_check(tmp_path: Path) -> None:
    """The game master may hand out the battle without what is the game master's own."""
    path = ridge(tmp_path)
    check, _ = applied(path)
    bare = tmp_path / "bare.yaml"
    document = yaml.safe_load(before_of(path).read_text())
    document.update(notes=["mine"], log=["something"], rulings=["a ruling"])
    bare.write_text("# handed out\n" + yaml.safe_dump(document))
    assert "the same: check" in opfor("verify", bare, UP, "--seed", "7", "--check", check).stdout
    assert "not the same" in opfor("verify", bare, UP, "--seed", "7", "--check", "0" * 16, code=1).stdout


def test_the_ground_is_in_the_check() -> None:
    battle = load_battle(RIDGE)
    check = check_of(battle, [], 1)
    text = RIDGE.read_text()
    assert "board: crossroads" in text
    raised = read_battle(text.replace("board: crossroads", "board: crossroads\nterrain: {'0101': level 3}"))
    assert check_of(raised, [], 1) != check
    # what lies under the name of a board counts, not the name alone
    battle.state.board = raised.state.board
    assert check_of(battle, [], 1) != check


def test_the_check_is_the_same_on_every_run() -> None:
    """Neither the order of sets nor of mappings enters it."""
    program = (
        "from opfor.formats.battle_file.battle import load_battle; from opfor.gm.dice.verify import check_of;"
        f"print(check_of(load_battle({str(RIDGE)!r}), ['x'], 3))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("0", "1")
    }
    assert runs == {check_of(load_battle(RIDGE), ["x"], 3) + "\n"}


def test_a_written_battle_has_the_check_of_the_one_it_was_written_from(tmp_path: Path) -> None:
    battle = load_battle(ridge(tmp_path))
    save_battle(battle, tmp_path / "again.yaml")
    assert check_of(load_battle(tmp_path / "again.yaml"), [UP], 7) == check_of(battle, [UP], 7)
    save_battle(battle, tmp_path / "again.json")
    assert check_of(load_battle(tmp_path / "again.json"), [UP], 7) == check_of(battle, [UP], 7)


def test_words_and_json_of_the_same_orders_have_one_check(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    check, _ = applied(path)
    order = json.dumps({"unit": "alpha-4", "kind": "move", "mode": "walk", "path": ["UP"]})
    assert "the same: check" in opfor("verify", before_of(path), order, "--seed", "7", "--check", check).stdout


@given(st.integers(0, 2**64), st.integers(0, 2**64))
def test_every_seed_has_its_own_seal(one: int, other: int) -> None:
    assert (seal_of(one) == seal_of(other)) == (one == other)


def test_a_seal_posted_beforehand_is_checked(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    document = opfor_json("seal")
    assert document["seed"] >= SAFE_SEED and document["seal"] == seal_of(document["seed"])
    assert opfor_json("seal")["seed"] != document["seed"]
    opfor("apply", path, UP, "--seed", document["seed"])
    shown = opfor("verify", before_of(path), UP, "--seed", document["seed"], "--seal", document["seal"]).stdout
    assert "the same: seal" in shown
    assert "not the same: seal" in (
        opfor("verify", before_of(path), UP, "--seed", "8", "--seal", document["seal"], code=1).stdout
    )


def test_a_short_seed_is_warned_of() -> None:
    result = opfor("seal", "--seed", "5")
    assert f"seal {seal_of(5)}" in result.stdout and "can be found from its seal by trying" in result.stderr
    assert "by trying" not in opfor("seal", "--seed", str(SAFE_SEED)).stderr


@pytest.mark.parametrize(("option", "told"), [("--check", "12"), ("--check", "g" * 16), ("--seal", "0" * 16), ("--seal", "")])
def test_what_is_no_check_is_refused(tmp_path: Path, option: str, told: str) -> None:
    path = ridge(tmp_path)
    if told:
        assert "it has" in opfor("verify", path, UP, "--seed", "7", option, told, code=1).stderr
    else:
        assert "# seed 7" in opfor("verify", path, UP, "--seed", "7", option, told).stdout


def test_orders_that_cannot_be_played_are_refused() -> None:
    with pytest.raises(InputError):
        verify(load_battle(RIDGE), ["alpha-9: SU"], 7)


def test_no_check_where_nothing_was_rolled(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    assert "check" not in opfor("apply", path, "alpha-3: stand", "--seed", "7").stdout
    assert "seed" not in load_battle(path).document["log"][-1]


# -- pasted dice on the command line ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dice",
    [
        "5+6",
        "14:45, Today: GM rolled 11 using 2d6. (5, 6) alpha-4 stands up, piloting",
        "@dice 2d6: [5, 6] = 11",
        "# from the board\n5+6: alpha-4: piloting, standing up, needs 5",
    ],
)
def test_dice_are_given_in_any_form(tmp_path: Path, dice: str) -> None:
    path = ridge(tmp_path)
    opfor("apply", path, UP, "--dice", dice)
    assert load_battle(path).document["log"][-1]["dice"] == ["5+6: alpha-4: piloting, standing up, needs 5"]


def test_dice_from_a_file_and_from_standard_input(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    rolls = tmp_path / "rolls.txt"
    rolls.write_text("GM rolled 11 using 2d6. (5, 6) alpha-4")
    opfor("apply", path, UP, "--dice", rolls)
    opfor("undo", path)
    opfor("apply", path, UP, "--dice", "-", stdin=rolls.read_text())
    opfor("undo", path)
    assert "either the orders or the dice" in opfor("apply", path, "-", "--dice", "-", stdin=UP, code=1).stderr


def test_a_sum_is_told_and_logged_as_a_sum(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    printed = opfor("apply", path, UP, "--dice", "GM rolled 11 using 2d6. alpha-4").stdout
    assert "only the sum is known, its dice are made up: 11 (sum of 2d6): alpha-4: piloting" in printed
    log = load_battle(path).document["log"]
    assert log[-1]["dice"] == ["11 (sum of 2d6): alpha-4: piloting, standing up, needs 5"]
    (roll,) = log_steps(log)[-1].rolls()
    assert (roll.total, roll.shown) == (11, False)


def test_refused_dice_change_nothing(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    before = listing(tmp_path)
    for dice, says in [
        ("GM rolled 8 using 2d6. (3, 4) alpha-4", "line 1, 'GM rolled 8 using 2d6. (3, 4) alpha-4': 3 + 4 is 7, and not the 8"),
        ("GM rolled 3 using 1d6. (3) alpha-4", "1 die, but 2 six-sided dice are needed there: alpha-4: piloting"),
        (
            "2d6 (5,6) alpha-4\n2d6 (1,1) alpha-4",
            "1 of the dice given are left over: 1 rolls were asked for (line 2, 1+1 (alpha-4))",
        ),
        ("no dice here", "is not dice"),
        ("7", "a six-sided die shows 1 to 6, not 7 (for a sum write 2d6 = 7)"),
        ("GM rolled 7 using 2d6.\n2d6", "line 2, '2d6': says which dice, and not what they showed"),
        ("\0", "is not dice"),
        ("x" * 5000, "is not dice"),
    ]:
        assert says in opfor("apply", path, UP, "--dice", dice, code=1).stderr
    error = opfor_json("apply", path, UP, "--dice", "six", code=1)["error"]
    assert error["source"] == "dice" and "3+4,6+1,5" in error["hint"]
    printed = opfor("apply", path, UP, "--dice", "2d6 (5,6) alpha-3 piloting", code=1).stdout
    assert "# wanted now: 2d6 for alpha-4: piloting" in printed
    assert "# given, and not asked for so far: line 1, 5+6 (alpha-3 piloting)" in printed
    assert listing(tmp_path) == before


# -- the log ------------------------------------------------------------------------------------------------------------


def test_the_log_is_read_back_and_told(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    check, _ = applied(path)
    opfor("apply", path, "alpha-3: stand")
    steps = log_steps(load_battle(path).document["log"])
    lines = log_words(steps)
    assert f"turn 3, movement; seed 7, check {check} (opfor 0.1.0)" in lines
    assert any(line.startswith("   alpha-4: ") for line in lines)
    assert any(line.startswith("   rolled ") and "standing up" in line for line in lines)
    assert log_words(steps, turn=2) == []
    played = carry_out(load_battle(before_of(path)), UP, SeededDice(7)).rolls
    assert [(roll.dice, roll.reason) for roll in steps[-2].rolls()] == [(roll.dice, roll.why) for roll in played]
    again = carry_out(load_battle(before_of(path)), UP, FedDice([roll.dice for roll in steps[-2].rolls()]))
    assert [roll.dice for roll in again.rolls] == [roll.dice for roll in played]


@pytest.mark.parametrize(
    "log",
    [None, [], "a word", {"turn": 1}, [1, None, "word", {"turn": "x", "phase": None}, {"turn": 1, "phase": "fire", "dice": 7}]],
)
def test_a_log_of_anything_is_told(log: Any) -> None:
    assert isinstance(log_words(log_steps(log)), list)


def test_what_a_person_wrote_into_the_log_stays(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    document = yaml.safe_load(path.read_text())
    path.write_text(yaml.safe_dump({**document, "log": ["the bridge was mined"]}))
    applied(path)
    assert log_words(log_steps(load_battle(path).document["log"]))[0] == "note: the bridge was mined"


@given(st.integers(1, 8), st.data())
def test_a_sum_is_split_evenly(count: int, data: st.DataObject) -> None:
    total = data.draw(st.integers(count, 6 * count))
    dice = split_evenly(count, total)
    assert len(dice) == count and sum(dice) == total and max(dice) - min(dice) <= 1


def test_an_impossible_sum_is_refused() -> None:
    for total in (1, 13):
        with pytest.raises(DiceError, match="cannot show"):
            split_evenly(2, total)


def test_a_battle_without_a_file_has_a_check() -> None:
    assert check_of(read_battle(RIDGE.read_text()), [], 1) == check_of(load_battle(RIDGE), [], 1)
