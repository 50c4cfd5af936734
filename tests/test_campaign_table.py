"""The campaign's turn from the game master's chair: announcements, waiting, breaking in, the answer, what lands.

Rule: E-3 to E-8, M-9. Distances and numbers are worked in the comments.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from opfor.dice import FedDice, SeededDice, parse_dice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.formats.battle_file.battle_write import battle_document, save_battle
from opfor.formats.orders import order_as_dict, order_from_dict
from opfor.formats.words.conditions import Condition, condition_in_words, read_condition
from opfor.formats.words.notation import order_from_words, order_in_words
from opfor.gm.rulebook.ledger import ruleset_diff, switch_rows
from opfor.gm.running.control import carry_out
from opfor.gm.running.react import react, react_words
from opfor.orders import ActionOrder, CallOrder, FireOrder, MoveOrder, PassOrder, PreemptOrder
from opfor.state import Blow
from tests.cli_support import opfor, opfor_json

#: open ground; alpha-1 has lost initiative, alpha-2 has won it and may wait; reaver holds an opportunity action
TABLE = """\
opfor: 1
name: Ford
ruleset: {ruleset}
board: {{size: 16x17, rows: []}}
phase: initiative
stage: rolled
sides: {{eridani: {{}}, opfor: {{controller: opfor}}}}
units:
  - {{id: alpha-1, side: eridani, type: Wolverine WVR-6R, at: 0611, facing: N, initiative: -1, pilot: {{gunnery: 4}}}}
  - {{id: alpha-2, side: eridani, type: Archer ARC-2R, at: 0615, facing: N, initiative: {{margin: 2, roll: 9}}}}
  - {{id: reaver, side: opfor, type: Marauder MAD-3R, at: "0604", facing: S, opportunity: true}}
  - {{id: lance, side: opfor, type: Archer ARC-2R, at: "0903", facing: S}}
"""
WALK = "alpha-1: walk F3"


def table(ruleset: str = "campaign", **changes: str) -> Battle:
    text = TABLE.format(ruleset=ruleset)
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return read_battle(text)


def played(battle: Battle, *orders: str, dice: str = "", end_phase: bool = False) -> Any:
    """The outcome of orders, by seed unless dice are given; the battle goes on from there."""
    outcome = carry_out(battle, orders, FedDice(parse_dice(dice)) if dice else SeededDice(3), end_phase=end_phase)
    assert outcome.done
    battle.state = outcome.state
    return outcome


def events(outcome: Any, what: str) -> list[dict[str, Any]]:
    return [event.as_dict() for event in outcome.events if event.what == what]


# -- words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("alpha-1: evade F2", "0611 N evade F2 -> 0609 N"),
        ("alpha-1: Evading F2 R1", "0611 N evade F2 R1 -> 0609 NE"),
        ("alpha-1: sprints F4", "0611 N sprint F4 -> 0607 N"),
        ("alpha-2: wait", "0615 N wait"),
        ("alpha-2: waits", "0615 N wait"),
        ("alpha-1: walk F2, opportunity", "0611 N walk F2 -> 0609 N, opportunity"),
        ("alpha-1: walk F2 and hold an opportunity action", "0611 N walk F2 -> 0609 N, opportunity"),
        ("alpha-1: opportunity", "0611 N stand, opportunity"),
        ("alpha-1: stand, opportunity action", "0611 N stand, opportunity"),
        ("alpha-1: run F2, pause", "0611 N run F2 -> 0609 N, pause"),
        ("alpha-1: walk to 0609 N then pause", "0611 N walk F2 -> 0609 N, pause"),
        ("alpha-1: pass", "pass"),
        ("alpha-1: lets it pass", "pass"),
        ("alpha-1: preempt", "declare now"),
        ("alpha-1: no artillery", "no call"),
        ("lance: artillery LRM 20 (LT) at 0812 spotted by reaver", "artillery LRM 20 (LT) at 0812 spotted by reaver"),
        ("lance: shell with LRM 20 (LT) at hex 0812, spotter Reaver", "artillery LRM 20 (LT) at 0812 spotted by reaver"),
        ("lance: artillery LRM 20 (LT) homing on alpha-1", "artillery LRM 20 (LT) homing on alpha-1"),
        ("lance: bomb run over 0812 with 4 bombs", "bomb run at 0812, 4 bombs"),
        ("lance: bombs 0 at 0812, one bomb", "bomb run at 0812, 1 bomb"),
        ("lance: no action", "no action"),
    ],
)
def test_what_people_type(words: str, expected: str) -> None:
    state = table().state
    from opfor.game.legal.movement import MovementChoices

    read = order_from_words(words, state, MovementChoices(state, [state.unit("alpha-1")]))
    assert order_in_words(read, state).partition(": ")[2] == expected
    assert order_from_dict(order_as_dict(read, state), state) == read


def test_in_the_fire_phase_opportunity_is_held_in_place_of_fire() -> None:
    """M-9: who has moved by walking holds its action where it would have fired."""
    state = table().state
    state.unit("alpha-1").moved = True
    for words in ("alpha-1: opportunity", "alpha-1: hold opportunity", "alpha-1: holds an opportunity action"):
        assert order_from_words(words, state) == FireOrder("alpha-1", clear="opportunity")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("lance: artillery LRM 20 (LT)", "says not where to"),
        ("lance: artillery at 0812", "names no weapon"),
        ("lance: artillery Long Tom at 0812", "has no weapon 'Long Tom'"),
        ("lance: artillery LRM 20 (LT) at 9912", "off the board"),
        ("lance: bomb run", "says not where to"),
        ("lance: action deploy-device", "there is no mission action 'deploy-device' (the scenario lists none)"),
        ("lance: action", "names no action"),
        ("reaver: opportunity fire PPC (RA) at alpha-1", "hand it in together with that unit's order"),
        ("alpha-1: evaed F2", "did you mean evade"),
        ("alpha-1: sprnt F2", "did you mean sprint"),
    ],
)
def test_what_cannot_be_read_is_quoted(words: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        order_from_words(words, table().state)
    assert message in str(refused.value)


def test_json_of_every_new_kind() -> None:
    state = table().state
    cell = state.board.grid.parse("0812")
    for order in (
        CallOrder("lance"),
        CallOrder("lance", "artillery", 0, "", cell, "", "reaver"),
        CallOrder("lance", "artillery", 0, "", -1, "alpha-1"),
        CallOrder("lance", "bomb", cell=cell, count=3),
        ActionOrder("lance"),
        PassOrder("reaver"),
        PreemptOrder("reaver"),
        MoveOrder("alpha-1", "walk", ("F",), state.board.grid.parse("0610"), 0, act="pause"),
    ):
        assert order_from_dict(order_as_dict(order, state), state) == order
        assert order_from_words(order_in_words(order, state), state) == order


# -- conditions -------------------------------------------------------------------------------------------------------


def condition(words: Any) -> Condition:
    found = read_condition(words, table().state)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("words", "event", "hex"),
    [
        ("reaver: opportunity fire PPC (RA) at alpha-1 when alpha-1 enters 0609", "enters", "0609"),
        ("Reaver: Opportunity action: fire PPC (RA) at alpha-1 if Alpha-1 reaches hex 0609", "enters", "0609"),
        ("reaver: opportunity fire PPC (RA) at alpha-1, as soon as alpha-1 declares", "declares", ""),
        ("reaver: opportunity kick alpha-1 right when alpha-1 fires", "fires", ""),
        ("reaver: opportunity walk F1 when alpha-1 attacks", "strikes", ""),
        ("reaver: declare now when alpha-1 declares", "declares", ""),
    ],
)
def test_conditions_in_words(words: str, event: str, hex: str) -> None:
    found = condition(words)
    names = table().state.board.grid.names
    cell = found.moment.cell
    assert (found.unit, found.moment.unit, found.moment.event) == ("reaver", "alpha-1", event)
    assert (names[cell] if cell >= 0 else "") == hex


def test_a_condition_is_written_and_read_back() -> None:
    state = table().state
    found = condition("reaver: opportunity fire PPC (RA) at alpha-1 when alpha-1 enters 0609")
    words = condition_in_words(found.order(state), found.moment, state)
    again = read_condition(words, state)
    assert again is not None and (again.moment, again.order(state)) == (found.moment, found.order(state))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("reaver: opportunity fire PPC (RA) at alpha-1 when alpha-1 enters", "names no hex"),
        ("reaver: opportunity fire PPC (RA) at alpha-1 when alpha-1 enters 9909", "off the board"),
        ("reaver: opportunity fire PPC (RA) at alpha-1 when alpha-1 sneezes", "cannot read 'sneezes'"),
        ("reaver: opportunity fire PPC (RA) at alpha-1 when alpha-7 enters 0609", "there is no unit 'alpha-7'"),
    ],
)
def test_faulty_conditions_are_quoted(words: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        read_condition(words, table().state)
    assert message in str(refused.value)


# -- apply ------------------------------------------------------------------------------------------------------------


def test_a_condition_breaks_in_when_its_moment_comes() -> None:
    """M-9a: alpha-1 walks 0611 to 0608; in 0609 it is 5 hexes away, and has moved 2 hexes: gunnery 4 + 0, short range = 4."""
    outcome = played(table(), "reaver: opportunity fire PPC (RA) at alpha-1 when alpha-1 enters 0609", WALK)
    (broke_in,) = events(outcome, "opportunity")
    assert broke_in["at"] == "0609"
    (attack,) = events(outcome, "attack")
    assert (attack["target_at"], attack["to_hit"]["tn"]) == ("0609", 4)
    assert not outcome.unmet and not outcome.passed
    assert not outcome.state.unit("reaver").opportunity, "the action is used up"
    assert outcome.state.unit("alpha-1").cell == outcome.state.board.grid.parse("0608")


def test_without_a_word_the_moment_passes_and_that_is_told() -> None:
    outcome = played(table(), WALK)
    assert not events(outcome, "opportunity")
    assert outcome.passed[0] == "reaver lets it pass that alpha-1 moves"
    assert len(outcome.passed) == 4, "declared, and three hexes entered"
    assert outcome.state.unit("reaver").opportunity, "it still holds its action"


def test_a_condition_that_is_not_met_is_told_and_not_kept() -> None:
    words = "reaver: opportunity fire PPC (RA) at alpha-1 when alpha-1 enters 0101"
    outcome = played(table(), WALK, words)
    assert outcome.unmet == [words]
    assert not events(outcome, "opportunity")


def test_a_condition_without_a_moment_takes_the_first_one() -> None:
    outcome = played(table(), WALK, "reaver: opportunity fire PPC (RA) at alpha-1")
    assert events(outcome, "opportunity")[0]["at"] == "declared"


def test_a_unit_without_an_action_cannot_break_in() -> None:
    outcome = played(table(), WALK, "lance: opportunity fire LRM 20 (LT) at alpha-1 when alpha-1 enters 0609")
    assert not events(outcome, "opportunity") and len(outcome.unmet) == 1


def test_an_order_that_is_not_legal_at_its_moment_is_refused() -> None:
    with pytest.raises(InputError, match="not beside it"):
        played(table(), WALK, "reaver: opportunity kick alpha-1 right when alpha-1 enters 0609")


def test_several_break_in_each_at_its_own_moment() -> None:
    battle = table(**{'at: "0903", facing: S': 'at: "0903", facing: S, opportunity: true'})
    outcome = played(
        battle,
        "lance: opportunity fire LRM 20 (LT) at alpha-1 when alpha-1 enters 0609",
        "reaver: opportunity fire PPC (RA) at alpha-1 when alpha-1 enters 0609",
        WALK,
    )
    assert {event["unit"] for event in events(outcome, "opportunity")} == {"lance", "reaver"}


def test_a_whole_turn_in_the_order_in_which_orders_come_in() -> None:
    """E-3 to E-8: alpha-2 waits; the Op Force moves; alpha-2 moves, and attacks; the Op Force answers; the turn is over."""
    battle = table()
    played(battle, WALK, "alpha-2: wait")
    assert (battle.state.phase, battle.state.unit("alpha-2").waiting) == ("movement", True)
    played(battle, "reaver: stand", "lance: stand")
    assert (battle.state.phase, battle.state.stage) == ("fire", "players")
    played(battle, "alpha-2: walk F2", "alpha-2: fire LRM 20 (LT) at lance")
    assert battle.state.stage == "players"
    # alpha-1 has said nothing: the Op Force's fire closes the players' part
    played(battle, "reaver: hold fire")
    assert battle.state.stage == "answer"
    played(battle, end_phase=True)
    assert (battle.state.turn, battle.state.phase) == (1, "physical")
    played(battle)
    assert (battle.state.turn, battle.state.phase) == (2, "initiative")


def test_the_op_forces_fire_leaves_who_waits_standing() -> None:
    """E-6: alpha-2 has not used its wait when the Op Force answers."""
    battle = table()
    played(battle, WALK, "alpha-2: wait", "reaver: stand", "lance: stand", "reaver: hold fire")
    unit = battle.state.unit("alpha-2")
    assert (battle.state.stage, unit.moved, unit.mode) == ("answer", True, "stand")


def test_a_players_movement_ends_the_announcements() -> None:
    """E-2, E-4: no artillery here; initiative is settled as the first movement comes in. Given margins are not rolled for."""
    battle = table(**{"stage: rolled": "stage: calls"})
    outcome = played(battle, WALK)
    assert not events(outcome, "unit_initiative")
    assert events(outcome, "stage")[0]["stage"] == "rolled"


def test_the_end_of_a_phase_goes_through_all_its_parts() -> None:
    """E-3: losers stand, winners wait."""
    battle = table()
    played(battle, end_phase=True)
    assert battle.state.phase == "movement"
    assert (battle.state.unit("alpha-1").mode, battle.state.unit("alpha-2").waiting) == ("stand", True)
    played(battle, end_phase=True)
    assert battle.state.phase == "fire"
    played(battle, end_phase=True)
    assert battle.state.phase == "physical"
    played(battle, end_phase=True)
    assert battle.state.turn == 2


def test_mwii_a_unit_takes_its_turn_first() -> None:
    """M-10: reaver outranks alpha-1, and declares before it goes on; its turn over, alpha-1 goes on."""
    battle = read_battle(
        TABLE.format(ruleset="mwii")
        .replace("phase: initiative\nstage: rolled", "phase: declarations")
        .replace("facing: S, opportunity: true", "facing: S, initiative: 4")
        .replace('at: "0903", facing: S', 'at: "0903", facing: S, initiative: 5')
    )
    outcome = played(battle, "alpha-1: walk F1", "reaver: declare now when alpha-1 declares", "reaver: walk F1")
    names = [event["unit"] for event in events(outcome, "declares")]
    assert names[:2] == ["alpha-1", "reaver"]
    assert outcome.state.unit("alpha-1").moved
    assert battle_document(battle)["acting"]["unit"] == "alpha-1", "its movement made, it owes its fire"


# -- orders and react -------------------------------------------------------------------------------------------------


def test_react_tells_the_best_moment_in_words_that_apply_accepts() -> None:
    battle = table()
    found = react(battle, WALK)
    (one,) = found.document["orders"]
    assert one["unit"] == "reaver" and one["when"]["unit"] == "alpha-1"
    assert one["expected_damage"] >= max(
        (other["expected_damage"] for other in found.document["others"].get("reaver", [])), default=0
    )
    assert all(sum(m["value"] for m in row["modifiers"]) == row["tn"] for row in one["attacks"])
    assert "which nothing sheds before its next turn" in react_words(found), "M-9e"
    assert not battle.state.underway and battle.state.unit("alpha-1").cell == battle.state.board.grid.parse("0611")
    outcome = played(battle, WALK, react_words(found))
    assert len(events(outcome, "opportunity")) == 1 and not outcome.unmet


def test_react_where_nobody_can() -> None:
    battle = table(**{", opportunity: true": ""})
    found = react(battle, WALK)
    assert not found.chosen and "no unit of the Op Force can break in on this" in react_words(found)


def test_react_tells_of_enemies_who_may_answer() -> None:
    battle = table(**{"initiative: {margin: 2, roll: 9}": "initiative: {margin: 2, roll: 9}, opportunity: true"})
    assert "alpha-2 holds an opportunity action" in react(battle, WALK).notes[0]


@pytest.mark.parametrize(
    ("to", "message"),
    [
        ("reaver: walk F1", "is of the Op Force"),
        ("alpha-9: walk F1", "there is no unit"),
        ("alpha-1: walk F19", "leaves the board"),
        ("alpha-1: fire SRM 6 at reaver", "where a movement order is due"),
    ],
)
def test_react_refuses(to: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        react(table(), to)
    assert message in str(refused.value)


def test_react_by_command(tmp_path: Path) -> None:
    path = tmp_path / "ford.yaml"
    path.write_text(TABLE.format(ruleset="campaign"))
    before = path.read_bytes()
    document = opfor_json("react", path, "--to", WALK, "--seed", 2)
    assert document["to"]["unit"] == "alpha-1" and document["orders"][0]["when"]["event"]
    assert path.read_bytes() == before
    printed = tmp_path / "reaction.txt"
    printed.write_text(opfor("react", path, "--to", WALK).stdout)
    assert "breaks in on alpha-1" in opfor("apply", path, WALK, printed, "--seed", 3).stdout


def test_orders_for_the_answer_do_not_wait_for_the_players(tmp_path: Path) -> None:
    """E-6: they are given as things stand, and say who has not acted yet."""
    path = tmp_path / "ford.yaml"
    path.write_text(TABLE.format(ruleset="campaign"))
    opfor("apply", path, WALK, "alpha-2: wait", "reaver: stand", "lance: stand", "--seed", 1)
    before = path.read_bytes()
    document = opfor_json("orders", path)
    assert {order["unit"] for order in document["orders"]} == {"reaver", "lance"}
    assert any("alpha-2" in question and "wait" in question for question in document["questions"])
    assert any("alpha-1" in question and "not attacked" in question for question in document["questions"])
    assert path.read_bytes() == before


def test_the_phase_of_what_lands_lists_it_with_its_rolls(tmp_path: Path) -> None:
    """E-7, E-8: a kick that has hit, and one that has missed and calls for a roll of the kicker."""
    battle = table(**{"phase: initiative\nstage: rolled": "phase: physical", 'at: "0604", facing: S': 'at: "0610", facing: S'})
    state = battle.state
    places = (state.unit("reaver").cell, state.unit("alpha-1").cell)
    state.pending.append(Blow("reaver", "kick", "RL", "alpha-1", "front", "kick", (15, 0), *places))
    state.pending.append(Blow("alpha-1", "kick", "LL", "reaver", "front", "kick", (11, 0), *reversed(places), hit=False))
    path = tmp_path / "late.yaml"
    save_battle(battle, path)
    document = opfor_json("orders", path)
    assert document["orders"] == []
    assert "reaver's kick (RL) at alpha-1, 15 points, if reaver still stands" in document["landing"][0]
    assert "alpha-1's kick (LL) at reaver has missed: a roll for alpha-1" in document["landing"][1]
    assert any("alpha-1" in roll["why"] for roll in document["rolls"])
    text = opfor("orders", path).stdout
    assert "# lands in the physical phase: reaver's kick" in text and "#   2d6 for" in text


# -- rules ------------------------------------------------------------------------------------------------------------


def test_rulesets_are_compared_switch_by_switch() -> None:
    rows = {row["switch"]: row for row in ruleset_diff("campaign", "standard")}
    assert (rows["physical_damage"]["campaign"], rows["physical_damage"]["standard"]) == ("delayed", "phase")
    assert "floating_criticals" not in rows
    assert not ruleset_diff("standard", "standard")
    assert "turn_sequence" in opfor("rules", "--diff", "campaign", "standard").stdout
    assert opfor_json("rules", "--diff", "campaign", "mwii")["first"] == "campaign"
    assert "two rulesets" in opfor("rules", "--diff", "campaign", code=1).stderr
    assert "did you mean" in opfor("rules", "--diff", "campaign", "standart", code=1).stderr


def test_every_switch_is_told_with_its_values() -> None:
    rows = {row["switch"]: row for row in switch_rows()}
    assert rows["evading"]["rulesets"] == {"campaign": "on", "mwii": "on", "standard": "off"}
    assert "Whether units may evade" in opfor("rules", "--switches", "evading").stdout
    assert "did you mean evading" in opfor("rules", "--switches", "evadin", code=1).stderr
