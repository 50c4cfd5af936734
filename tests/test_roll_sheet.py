"""The roll sheet: every roll that can be known, its number with its sum, and what each result does, checked by playing it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from opfor.dice import FedDice, RollNeeded, SeededDice, split_evenly
from opfor.formats.battle_file.battle import Battle, load_battle, read_battle
from opfor.game.game import Game
from opfor.gm.advice.advise import advise
from opfor.gm.dice.rolls import roll_sheet
from opfor.gm.running.control import carry_out
from opfor.report.posts.gm_text import orders_text
from opfor.report.posts.markup import markup_named
from opfor.report.posts.roll_sheet import RollSheet, SheetRoll, joined, letter_of, results_words, sheet_document, sheet_text
from opfor.report.posts.splitting import pieces
from policies.registry import make
from tests.cli_support import RIDGE, listing, opfor, opfor_json, ridge
from tests.skirmish import skirmish
from tests.test_cli_orders import in_fire_phase


@pytest.fixture(scope="module")
def fire_phase(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The example battle after everybody has moved, as text."""
    return in_fire_phase(tmp_path_factory.mktemp("fire")).read_text()


def laid_out(text: str, folder: Path) -> Path:
    path = folder / "ridge.yaml"
    path.write_text(text)
    return path


DUEL = """\
opfor: 1
name: Duel
ruleset: {ruleset}
board: {{size: 16x17, rows: []}}
turn: 2
phase: fire
sides: {{players: {{controller: gm}}, opfor: {{controller: opfor}}}}
initiative: {{order: [opfor, players]}}
units:
  - {{id: archer, side: opfor, type: Archer ARC-2R, at: "0805", facing: S, moved: {{mode: stand}}, pilot: {{gunnery: 4}}}}
  - {{id: tank, side: players, type: {target}, at: "0810", facing: N, moved: {{mode: stand, hexes: 0}}}}
  - {{id: wolf, side: players, type: Wolverine WVR-6R, at: "0910", facing: N, moved: {{mode: stand, hexes: 0}}{hidden}}}
"""


def duel(target: str = "Marauder MAD-3R", ruleset: str = "standard", hidden: str = "") -> Battle:
    return read_battle(DUEL.format(target=target, ruleset=ruleset, hidden=hidden))


def sheet_of(battle: Battle, orders: str, **more: Any) -> RollSheet:
    return roll_sheet(battle, orders, end_phase=True, **more)


def words(sheet: RollSheet, letter: str) -> str:
    return next(results_words(one.results) for one in sheet.tables if one.letter == letter)


def roll_named(sheet: RollSheet, why: str) -> SheetRoll:
    return next(roll for roll in sheet.rolls if why in roll.why)


# -- worked by hand ---------------------------------------------------------------------------------------------------


def test_an_attack_has_its_sum_its_cluster_row_and_its_location_table() -> None:
    """S-4: gunnery 4, 5 hexes are short and inside the LRM's minimum of 6: +2 (6 - 5 + 1). S-5: LRM 20 and front column."""
    sheet = sheet_of(duel(), "archer: fire LRM 20 (LT) at tank")
    (roll,) = [roll for roll in sheet.rolls if "LRM 20" in roll.why]
    assert roll.certain and roll.number is not None
    assert roll.needs == roll.number["tn"] == 6
    assert results_words(roll.results) == "2-5: misses; 6-12: hits"
    cluster, where = roll.follow
    assert (cluster.on, cluster.why) == ("hits", "archer: cluster hits of LRM 20")
    assert words(sheet, cluster.table) == "2-3: 6 hit; 4: 9 hit; 5-8: 12 hit; 9-10: 16 hit; 11-12: 20 hit"
    assert (where.on, where.times) == ("hits", "for each group of damage")
    assert words(sheet, where.table) == ("2: CT (critical roll); 3-4: RA; 5: RL; 6: RT; 7: CT; 8: LT; 9: LL; 10-11: LA; 12: HD")
    assert any("critical hits of a 'Mech" in one.title for one in sheet.standing)
    assert "2-7: nothing; 8-9: 1 critical hit; 10-11: 2 critical hits; 12: 3 critical hits, or head" in sheet_text(sheet)


def test_a_vehicle_has_its_motive_and_critical_tables() -> None:
    """E-15 to E-17: results marked + call for a motive roll, tracked vehicles add 0 in front; criticals begin at 6."""
    sheet = sheet_of(duel("Vedette Medium Tank (Standard)"), "archer: fire Medium Laser (LA) at tank")
    roll = roll_named(sheet, "Medium Laser")
    assert [follow.why for follow in roll.follow][:1] == ["tank: hit location, front side"]
    assert "3-4: front (motive roll)" in words(sheet, roll.follow[0].table).replace("FR", "front")
    titles = {one.title: results_words(one.results) for one in sheet.standing}
    assert titles["tank: motive damage, front side"] == (
        "2-5: nothing; 6-7: minor damage; 8-9: moderate damage; 10-11: heavy damage; 12: major damage"
    )
    assert titles["tank: critical hits, front"].startswith("2-5: nothing; 6: driver hit; 7: weapon malfunction")


def test_a_check_says_that_it_falls() -> None:
    """S-6: who stands up rolls piloting; who fails falls, and then rolls for facing and to avoid injury."""
    battle = load_battle(RIDGE)
    sheet = roll_sheet(battle, "alpha-4: SU")
    (roll,) = sheet.rolls
    assert roll.why == "alpha-4: piloting, standing up, needs 5"
    assert results_words(roll.results) == "2-4: falls; 5-12: succeeds"
    assert "alpha-4: facing after the fall" in [follow.why for follow in (*roll.follow, *sheet.later)]


def test_initiative_is_certain_for_everybody() -> None:
    """E-2: each unit of the players against its Physical number."""
    battle = duel(ruleset="campaign")
    battle.state.phase, battle.state.stage = "initiative", "calls"
    for unit in battle.state.units:
        unit.moved = False
    sheet = sheet_of(battle, "")
    assert [roll.why.partition(",")[0] for roll in sheet.rolls] == ["tank: initiative", "wolf: initiative"]
    assert all(roll.certain for roll in sheet.rolls)
    assert "wins, may wait" in results_words(sheet.rolls[0].results)


def test_what_is_given_already_is_not_asked_again() -> None:
    battle = duel()
    whole = sheet_of(battle, "archer: fire LRM 20 (LT) + LRM 20 (RT) at tank")
    assert len(whole.rolls) == 2
    outcome = carry_out(battle, "archer: fire LRM 20 (LT) + LRM 20 (RT) at tank", FedDice([(1, 1)]), end_phase=True)
    rest = sheet_of(battle, "archer: fire LRM 20 (LT) + LRM 20 (RT) at tank", given=outcome.rolls)
    assert [roll.why for roll in rest.rolls] == [whole.rolls[1].why]


def test_no_dice_is_said() -> None:
    assert "# no dice are wanted" in sheet_text(sheet_of(duel(), "archer: hold fire"))


def test_hidden_units_stay_out_of_the_post() -> None:
    """S-10: the sheet for the game master tells of them under a heading of their own, the players' post does not at all."""
    battle = duel(hidden=", hidden: true")
    orders = "archer: fire Medium Laser (LA) at tank\nwolf: fire Autocannon/5 at archer"
    sheet = sheet_of(battle, orders)
    assert [roll.hidden for roll in sheet.rolls if roll.why.startswith("wolf")] == [True]
    assert "# not for players" in sheet_text(sheet)
    for form in ("text", "rpol", "bbcode", "markdown", "html"):
        post = "\n".join(pieces(sheet_document(sheet), markup_named(form)))
        assert "wolf" not in post and "Medium Laser" in post


def test_words_of_tables() -> None:
    assert [tuple(row) for row in joined([(2, "a"), (3, "a"), (5, "a"), (6, "b")])] == [(2, 3, "a"), (5, 5, "a"), (6, 6, "b")]
    assert [letter_of(n) for n in (0, 25, 26, 27, 701, 702)] == ["A", "Z", "AA", "AB", "ZZ", "AAA"]


# -- against play -----------------------------------------------------------------------------------------------------


def asked(battle: Battle, orders: str, dice: Any) -> list[tuple[int, str]]:
    """What is rolled when the orders are played with some dice."""
    outcome = carry_out(battle, orders, dice, end_phase=True)
    return [(len(roll.dice), roll.why) for roll in outcome.rolls]


@pytest.mark.parametrize("ruleset", ["standard", "campaign"])
def test_certain_rolls_come_however_the_dice_fall(ruleset: str) -> None:
    """And the first roll of all is on the sheet, with the right number of dice."""
    battle = duel(ruleset=ruleset)
    orders = "archer: fire LRM 20 (LT) + LRM 20 (RT) + Medium Laser (LA) at tank"
    sheet = sheet_of(battle, orders)
    certain = {(roll.dice, roll.why) for roll in sheet.rolls if roll.certain}
    assert certain
    for seed in range(40):
        rolled = asked(battle, orders, SeededDice(seed))
        assert certain <= set(rolled)
        assert rolled[0] == (sheet.rolls[0].dice, sheet.rolls[0].why)


def test_each_result_of_a_number_does_what_the_sheet_says(fire_phase: str) -> None:
    """Every sum of the first roll is played, and the event that reports it agrees."""
    battle = read_battle(fire_phase)
    orders = orders_text(advise(battle, seed=1))
    sheet = sheet_of(battle, orders)
    first = sheet.rolls[0]
    for result in first.results:
        for total in range(result.low, result.high + 1):
            outcome = carry_out(battle, orders, FedDice([split_evenly(2, total)]), end_phase=True)
            event = next(event for event in outcome.events if event.what == "attack")
            assert event.data["hit"] == (result.words == "hits")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ruleset", ["standard", "campaign", "mwii"])
def test_sheets_of_any_battle(ruleset: str, seed: int) -> None:
    """Whatever the units and the phase: what a sheet calls certain is rolled when the phase is closed."""
    state = skirmish(seed, kinds=("mech", "vehicle", "infantry"), size=3, ruleset=ruleset, limit=4)
    game = Game(state, SeededDice(seed))
    game.decision()
    battle = Battle({"board": state.board.name}, state, "test", controllers=("gm", "opfor"), policies=("random", "random"))
    chooser = make("random", seed)
    for _ in range(14):
        decision = game.decision()
        if decision is None:
            break
        game.apply(chooser.choose(decision, game.view(decision.side)))
        if state.underway or state.winner is not None:
            continue
        orders = ""
        sheet = roll_sheet(battle, orders, end_phase=True)
        try:
            rolled = asked(battle, orders, SeededDice(seed))
        except RollNeeded:
            continue
        assert {roll.why for roll in sheet.rolls if roll.certain} <= {why for _, why in rolled}
        json.dumps(sheet.as_dict())


# -- the commands -----------------------------------------------------------------------------------------------------


def test_orders_and_apply_print_the_sheet(tmp_path: Path, fire_phase: str) -> None:
    path = laid_out(fire_phase, tmp_path)
    orders = tmp_path / "orders"
    orders.write_text(opfor("orders", path, "--seed", "1").stdout)
    before = listing(tmp_path)
    printed = opfor("orders", path, "--seed", "1", "--rolls").stdout
    assert "# roll sheet: Ridge 12, turn 3, fire" in printed
    wanted = opfor("apply", path, orders, "--end-phase").stdout
    assert "# wanted now: 2d6 for " in wanted and "# roll sheet: " in wanted and "if it hits: 2d6" in wanted
    assert listing(tmp_path) == before
    document = opfor_json("orders", path, "--seed", "1", "--rolls")
    sums = [roll for roll in document["sheet"]["rolls"] if "modifiers" in roll]
    assert sums and all(roll["tn"] == sum(part["value"] for part in roll["modifiers"]) == roll["needs"] for roll in sums)
    assert opfor_json("apply", path, orders, "--end-phase")["sheet"]["rolls"] == document["sheet"]["rolls"]
    # what is printed can be handed in: the sheet is remarks
    orders.write_text(printed)
    assert opfor_json("apply", path, orders, "--end-phase", "--seed", "3")["applied"]


def test_the_sheet_as_a_post(tmp_path: Path, fire_phase: str) -> None:
    path = laid_out(fire_phase, tmp_path)
    orders = tmp_path / "orders"
    orders.write_text(opfor("orders", path, "--seed", "1").stdout)
    assert "dice to roll" in opfor("orders", path, "--seed", "1", "--rolls", "--format", "rpol").stdout
    printed = opfor("apply", path, orders, "--end-phase", "--format", "bbcode").stdout
    assert "dice to roll" in printed and re.search(r"if it hits: 2d6", printed)


def test_rolls_of_a_phase_that_has_not_come_are_refused(tmp_path: Path) -> None:
    assert "known when it has come" in opfor("orders", ridge(tmp_path), "--phase", "fire", "--rolls", code=1).stderr
