"""The commands on orders: orders, apply, explain, moves. Printed paths are walked again and printed sums added again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from opfor.formats.battle_file.battle import load_battle
from opfor.formats.words.notation_moves import walk_path
from opfor.hex import parse_direction
from tests.cli_support import RIDGE, listing, opfor, opfor_json, ridge


def in_fire_phase(folder: Path) -> Path:
    """The example battle after everybody has moved."""
    path = ridge(folder)
    orders = folder / "o.json"
    orders.write_text(opfor("orders", path, "--seed", "2", "--json").stdout)
    opfor("apply", path, orders, "--seed", "3")
    opfor("apply", path, "alpha-1: walk to 0711 NE\nalpha-2: walk F1\nalpha-4: SU", "--end-phase", "--seed", "4")
    assert load_battle(path).state.phase == "fire"
    return path


def add_up(number: dict[str, Any]) -> None:
    """A published target number is the sum of its parts, and every part names its rule."""
    if number["tn"] is None:
        assert number["why"]
        return
    assert sum(part["value"] for part in number["modifiers"]) == number["tn"]
    assert all(re.fullmatch(r"[MAES]-\d+[a-z]?", part["rule"]) for part in number["modifiers"])
    assert 0 <= number["odds"] <= 1


# -- orders -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["random", "veteran"])
def test_orders_for_every_unit_that_has_still_to_move(policy: str) -> None:
    document = opfor_json("orders", RIDGE, "--policy", policy, "--seed", "5")
    assert (document["turn"], document["phase"]) == (3, "movement")
    assert {order["unit"] for order in document["orders"]} == {"reaver", "lancer", "gavel", "skewer"}
    state = load_battle(RIDGE).state
    for order in document["orders"]:
        assert order["kind"] == "move" and order["reason"]
        unit = state.unit(order["unit"])
        if order["mode"] in ("walk", "run"):
            to, facing = walk_path(state.board.grid, unit.cell, unit.facing, tuple(order["path"]))
            assert state.board.grid.names[to] == order["to"]
            assert facing == parse_direction(order["facing"])
        assert order["mp"] <= order["mp_available"]
        for roll in order["rolls"]:
            add_up(roll)


def test_the_same_seed_gives_the_same_bytes() -> None:
    one = opfor("orders", RIDGE, "--seed", "7").stdout
    assert one == opfor("orders", RIDGE, "--seed", "7").stdout
    assert (
        opfor("orders", RIDGE, "--policy", "random", "--seed", "7").stdout
        != opfor("orders", RIDGE, "--policy", "random", "--seed", "8").stdout
    )


def test_orders_leave_the_battle_alone(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    before = listing(tmp_path)
    opfor("orders", path)
    assert listing(tmp_path) == before


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_orders_prints_apply_accepts(tmp_path: Path, form: str) -> None:
    path = ridge(tmp_path)
    printed = tmp_path / "orders"
    for _ in range(3):
        phase = load_battle(path).state.phase
        printed.write_text(opfor("orders", path, "--seed", "1", "--format", form).stdout)
        opfor("apply", path, printed, "--end-phase", "--seed", "9")
        assert load_battle(path).state.phase != phase


def test_fire_orders_carry_sums_that_add_up(tmp_path: Path) -> None:
    path = in_fire_phase(tmp_path)
    document = opfor_json("orders", path, "--seed", "1")
    shots = [shot for order in document["orders"] for shot in order["attacks"]]
    assert shots
    for shot in shots:
        add_up(shot)
    assert {roll["needs"] for roll in document["rolls"]} == {shot["tn"] for shot in shots}
    text = opfor("orders", path, "--seed", "1").stdout
    sums = re.findall(r"needs (\d+) = [a-z ]+ (\d+)((?: [+-]\d+ [^+\n]+?)*)$", text, re.MULTILINE)
    assert len(sums) == len(shots)
    for total, first, rest in sums:
        assert int(total) == int(first) + sum(int(value) for value in re.findall(r" ([+-]\d+) ", rest))


def test_only_and_lock(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    assert [o["unit"] for o in opfor_json("orders", path, "--only", "Reaver")["orders"]] == ["reaver"]
    document = opfor_json("orders", path, "--lock", "gavel", "--lock", "reaver: stand")
    orders = {order["unit"]: order for order in document["orders"]}
    assert "gavel" not in orders and orders["reaver"]["mode"] == "stand"
    assert any("gavel is left to the game master" in question for question in document["questions"])
    assert "cannot walk to 1617" in opfor("orders", path, "--lock", "reaver: walk to 1617", code=1).stderr


def test_a_death_from_above_is_planned_with_its_number(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    opfor("apply", path, "alpha-4: SU", "--dice", "6+6")
    order = opfor_json("orders", path, "--lock", "skewer: dfa alpha-4", "--only", "skewer")["orders"][0]
    assert (order["attack"], order["target"], order["mode"]) == ("dfa", "alpha-4", "jump")
    add_up(order["attempt"])
    # piloting 5 against 5, +3 for the attacker's jump; the target has stood still
    assert order["attempt"]["tn"] == 8
    assert "death from above at alpha-4" in opfor("orders", path, "--lock", "skewer: dfa alpha-4").stdout


def test_a_failed_attempt_to_stand_is_over_when_another_unit_is_called_on(tmp_path: Path) -> None:
    """alpha-4 fails to stand (2+1 against 5); it could go on, but alpha-3 is ordered next."""
    path = ridge(tmp_path)
    document = opfor_json("apply", path, "alpha-4: SU\nalpha-3: stand", "--seed", "7")
    attempt = next(event for event in document["events"] if event["event"] == "roll")
    assert (attempt["dice"], attempt["success"]) == ([2, 1], False)
    state = load_battle(path).state
    assert state.current == -1
    assert state.unit("alpha-4").moved and state.unit("alpha-4").prone and state.unit("alpha-3").moved
    # by itself it may try again: the battle file says who is in the middle of its movement
    opfor("undo", path)
    opfor("apply", path, "alpha-4: SU", "--seed", "7")
    state = load_battle(path).state
    assert state.units[state.current].id == "alpha-4" and not state.unit("alpha-4").moved
    opfor("apply", path, "alpha-4: SU", "--seed", "1")
    assert not load_battle(path).state.unit("alpha-4").prone


def test_out_keeps_reasons_and_odds_from_the_players(tmp_path: Path) -> None:
    path = in_fire_phase(tmp_path)
    document = opfor_json("orders", path, "--seed", "1", "--out", tmp_path / "out")
    names = {p.name for p in (tmp_path / "out").iterdir()}
    everybody = {"post.txt", "orders.txt", "orders.json", "working.txt", "map.svg"}
    assert names == everybody | {"gm-notes.txt", "gm-orders.txt", "gm-orders.json"}
    post = (tmp_path / "out" / "post.txt").read_text()
    notes = (tmp_path / "out" / "gm-notes.txt").read_text()
    assert "%" not in post and "odds" not in post and "expected" not in post
    for order in document["orders"]:
        assert order["reason"] not in post and order["reason"] in notes
        assert order["words"] in post and order["words"] in (tmp_path / "out" / "orders.txt").read_text()
    assert json.loads((tmp_path / "out" / "gm-orders.json").read_text()) == document
    assert "[S-4]" in (tmp_path / "out" / "working.txt").read_text()
    # each of the texts can be applied as it is
    for name in ("post.txt", "orders.txt", "working.txt", "gm-notes.txt", "orders.json", "gm-orders.txt", "gm-orders.json"):
        opfor("apply", path, tmp_path / "out" / name, "--seed", "1", "--dry-run")


def test_hidden_units_stay_out_of_the_post_and_the_players_map(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    path.write_text(path.read_text().replace("  - id: gavel\n", "  - id: gavel\n    hidden: true\n"))
    document = opfor_json("orders", path, "--seed", "1", "--out", tmp_path / "out")
    assert "gavel" in {order["unit"] for order in document["orders"]}
    for name in ("post.txt", "working.txt", "map.svg", "orders.txt", "orders.json"):
        text = (tmp_path / "out" / name).read_text()
        assert "gavel" not in text and "reaver" in text
    for name in ("gm-notes.txt", "gm-orders.txt", "gm-orders.json"):
        assert "gavel" in (tmp_path / "out" / name).read_text()
    assert "hidden from the players" in opfor("orders", path, "--seed", "1").stdout


def test_orders_in_a_phase_without_decisions(tmp_path: Path) -> None:
    path = tmp_path / "new.yaml"
    opfor("new", "-o", path)
    document = opfor_json("orders", path)
    assert document["orders"] == [] and "initiative" in document["questions"][0]
    assert {row["unit"] for row in opfor_json("orders", path, "--phase", "movement")["orders"]} == {"opfor-1", "opfor-2"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--policy", "veterann"), "did you mean veteran"),
        (("--format", "jsn"), "did you mean json"),
        (("--only", "reever"), "did you mean reaver"),
        (("--phase", "dancing"), "nothing is ordered in a phase"),
    ],
)
def test_names_that_are_not_known(arguments: tuple[str, str], message: str) -> None:
    assert message in opfor("orders", RIDGE, *arguments, code=1).stderr


def test_a_battle_without_an_op_force(tmp_path: Path) -> None:
    path = tmp_path / "b.yaml"
    path.write_text("opfor: 1\nboard: open-plain\nsides: {a: {}}\nunits:\n  - {side: a, type: Wasp WSP-1A, at: 0101}\n")
    assert "no side is played by the Op Force" in opfor("orders", path, code=1).stderr


# -- apply ------------------------------------------------------------------------------------------------------------


def test_apply_moves_a_unit_and_keeps_the_old_battle(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    before = path.read_bytes()
    document = opfor_json("apply", path, "alpha-2: 0713 N walk F1 -> 0712 N")
    moved = next(event for event in document["events"] if event["event"] == "moved")
    assert (moved["unit"], moved["to"], moved["rule"]) == ("alpha-2", "0712", "S-2")
    unit = next(unit for unit in document["battle"]["units"] if unit["id"] == "alpha-2")
    assert unit["at"] == "0712" and unit["moved"] == {"mode": "walk", "hexes": 1, "mp": 1}
    assert document["battle"]["log"][-1]["orders"] == ["alpha-2: 0713 N walk F1 -> 0712 N"]
    assert (tmp_path / ".opfor" / "ridge.yaml" / "0001.yaml").read_bytes() == before
    assert load_battle(path).state.unit("alpha-2").moved


def test_without_dice_apply_says_which_are_wanted_and_changes_nothing(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    before = listing(tmp_path)
    document = opfor_json("apply", path, "alpha-4: SU")
    assert document["applied"] is False
    assert document["rolls"][0] == {"dice": "2d6", "why": "alpha-4: piloting, standing up, needs 5", "certain": True}
    text = opfor("apply", path, "alpha-4: SU").stdout
    assert "# wanted now: 2d6 for alpha-4: piloting, standing up, needs 5" in text
    assert listing(tmp_path) == before


def test_dice_of_the_table_decide(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    opfor("apply", path, "alpha-4: SU", "--dice", "2+3")
    assert not load_battle(path).state.unit("alpha-4").prone
    opfor("undo", path)
    document = opfor_json("apply", path, "alpha-4: SU", "--dice", "1+1", code=1)
    assert document["applied"] is False, "a fall asks for further dice"
    assert document["rolls"][0]["certain"]


def test_dice_left_over_or_wrong_are_refused(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    before = listing(tmp_path)
    assert "left over" in opfor("apply", path, "alpha-3: stand", "--dice", "3+4", code=1).stderr
    assert "2 six-sided dice are needed" in opfor("apply", path, "alpha-4: SU", "--dice", "3", code=1).stderr
    assert "is not dice" in opfor("apply", path, "alpha-4: SU", "--dice", "six", code=1).stderr
    assert "not both" in opfor("apply", path, "alpha-4: SU", "--dice", "3+4", "--seed", "1", code=1).stderr
    assert listing(tmp_path) == before


def test_the_same_seed_ends_in_the_same_battle(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, two = ridge(tmp_path / "a"), ridge(tmp_path / "b")
    for path in (one, two):
        opfor("apply", path, "--end-phase", "--seed", "3")
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    ("orders", "message"),
    [
        ("alpha-1: walk to 1601", "line 1: alpha-1 cannot walk to 1601"),
        ("alpha-2: stand\nalpha-1: walk F9", "line 2: alpha-1: step"),
        ("alpha-1: fire SRM 6 at reaver", "line 1: alpha-1: a fire order where a movement order is due (due now: movement"),
        ("alpha-9: stand", "there is no unit 'alpha-9' (did you mean alpha-"),
        ("nonsense", "is no file, and no order either"),
        ('[{"unit": "alpha-1", "kind": "move", "mode": "fly"}]', "'fly' is no mode of movement"),
        ('{"orders": 3}', "must be a list"),
        ("{broken", "is no JSON"),
    ],
)
def test_orders_that_are_refused_change_nothing(tmp_path: Path, orders: str, message: str) -> None:
    path = ridge(tmp_path)
    before = listing(tmp_path)
    assert message in opfor("apply", path, orders, code=1).stderr
    assert listing(tmp_path) == before


def test_orders_from_standard_input_and_files_together(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    orders = tmp_path / "mine.txt"
    orders.write_text("# mine\nalpha-1: stand\n   a remark\n")
    opfor("apply", path, orders, "-", "alpha-3: stand", stdin="alpha-2: stand\n")
    assert [unit.id for unit in load_battle(path).state.units if unit.moved] == ["alpha-1", "alpha-2", "alpha-3"]


def test_a_battle_can_be_played_to_its_end_by_commands_alone(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    for step in range(30):
        state = load_battle(path).state
        if state.turn > 4:
            break
        orders = tmp_path / "o.txt"
        orders.write_text(opfor("orders", path, "--seed", str(step)).stdout)
        opfor("apply", path, orders, "--end-phase", "--seed", str(step))
    assert load_battle(path).state.turn == 5


# -- explain and moves ------------------------------------------------------------------------------------------------


def test_explain_adds_up(tmp_path: Path) -> None:
    path = in_fire_phase(tmp_path)
    document = opfor_json("explain", path, "--unit", "reaver", "--target", "alpha-1")
    assert set(document) >= {"unit", "target", "range", "los", "weapons", "physical"}
    assert set(document["los"]) >= {"clear", "why", "intervening"}
    assert len(document["weapons"]) == 5
    for row in [*document["weapons"], *document["physical"]]:
        add_up(row)
    every = opfor_json("explain", path, "--unit", "reaver")
    assert [found["target"] for found in every["targets"]] == ["alpha-1", "alpha-2", "alpha-3", "alpha-4"]
    assert "line of sight" in opfor("explain", path, "--unit", "reaver").stdout


def test_explain_agrees_with_orders(tmp_path: Path) -> None:
    path = in_fire_phase(tmp_path)
    for order in opfor_json("orders", path, "--seed", "1")["orders"]:
        targets = {shot["target"] for shot in order["attacks"]}
        for shot in order["attacks"]:
            if len(targets) > 1 or order["twist"] != "none" or "spotter" in shot:
                continue
            rows = opfor_json("explain", path, "--unit", order["unit"], "--target", shot["target"])["weapons"]
            row = next(row for row in rows if row["mount"] == shot["mount"] and row["mode"] == shot.get("mode", ""))
            assert row["modifiers"] == shot["modifiers"]


def test_moves_lists_what_apply_takes(tmp_path: Path) -> None:
    path = ridge(tmp_path)
    document = opfor_json("moves", path, "--unit", "alpha-1")
    state = load_battle(path).state
    unit = state.unit("alpha-1")
    assert len(document["options"]) > 100
    for option in document["options"][::31]:
        assert set(option) >= {"mode", "to", "facing", "mp", "hexes", "path", "rolls"}
        if option["mode"] in ("walk", "run"):
            to, facing = walk_path(state.board.grid, unit.cell, unit.facing, tuple(option["path"]))
            assert (state.board.grid.names[to], facing) == (option["to"], parse_direction(option["facing"]))
        if not option["rolls"]:
            order = {
                "unit": "alpha-1",
                "kind": "move",
                **{k: v for k, v in option.items() if k not in ("mp", "hexes", "rolls")},
            }
            opfor("apply", path, json.dumps([order]), "--dry-run")
    there = opfor_json("moves", path, "--unit", "alpha-1", "--to", "0711")["options"]
    assert there and all(option["to"] == "0711" for option in there)
    assert "walk 0711" in opfor("moves", path, "--unit", "alpha-1", "--to", "0711").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("explain", "--unit", "revaer"), "did you mean reaver"),
        (("explain", "--unit", "reaver", "--target", "alpha-7"), "did you mean alpha-"),
        (("explain", "--unit", "reaver", "--target", "reaver"), "does not attack itself"),
        (("moves", "--unit", "alhpa-1"), "did you mean alpha-1"),
        (("moves", "--unit", "alpha-1", "--to", "2020"), "off the board"),
    ],
)
def test_explain_and_moves_name_the_nearest(arguments: tuple[str, ...], message: str) -> None:
    assert message in opfor(arguments[0], RIDGE, *arguments[1:], code=1).stderr
