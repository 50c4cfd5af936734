"""Pilots in the battle file, and physical attacks made with fire in a whole turn. Rule: E-7, E-9, E-38."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from opfor.dice import FedDice, parse_dice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle, load_battle, read_battle
from opfor.formats.battle_file.battle_write import battle_document, save_battle
from opfor.game.game import Game
from opfor.gm.advice.explain import explain
from opfor.orders import FireOrder, PhysicalOrder
from opfor.report.unit_words import condition_words
from opfor.rules.pilots.wounds import Wound, wounds_of
from opfor.state import Blow
from opfor.units.state import UnitState
from tests.support import make_state

TEXT = """\
opfor: 1
ruleset: campaign
phase: fire
board: open-plain
sides: {players: {}, opfor: {controller: opfor}}
units:
  - {id: a, side: players, type: Wolverine WVR-6R, at: 0611, facing: N, pilot: PILOT}
  - {id: b, side: opfor, type: Marauder MAD-3R, at: 0610, facing: S}
"""


def battle(pilot: str, *, rest: str = "") -> Battle:
    return read_battle(TEXT.replace("PILOT", pilot) + rest)


def again(before: Battle, folder: Path) -> Battle:
    """The battle written and read again; what is written the second time is the same."""
    path = folder / "battle.yaml"
    save_battle(before, path)
    after = load_battle(path)
    assert battle_document(after) == battle_document(before)
    return after


def skills(unit: UnitState) -> dict[str, Any]:
    return {
        name: getattr(unit, name)
        for name in ("gunnery", "piloting", "physical_level", "mental", "tactics", "melee", "hazard")
        if getattr(unit, name) not in (None, 0)
    }


PILOTS = [
    # the campaign's own words: ranged number, physical level, and what follows from it: 8 - 4 = 4
    ("{ranged_tn: 3, physical: 4, mental_tn: 6}", {"gunnery": 3, "piloting": 4, "mental": 6}),
    # a number and a level beside it, each for itself
    ("{ranged_tn: 4, physical: 4, physical_tn: 5}", {"gunnery": 4, "piloting": 5, "physical_level": 4, "mental": 5}),
    ("{ranged_tn: 4, physical_tn: 6}", {"gunnery": 4, "piloting": 6, "mental": 5}),
    # the standard words
    ("{gunnery: 2, piloting: 3}", {"gunnery": 2, "piloting": 3, "mental": 5}),
    ("{gunnery: 2, piloting: 3, physical: 3}", {"gunnery": 2, "piloting": 3, "physical_level": 3, "mental": 5}),
    # options with their values
    (
        "{ranged_tn: 4, physical: 3, options: {tactics: 1, melee: 2, hazard: 3}}",
        {"gunnery": 4, "piloting": 5, "mental": 5, "tactics": 1, "melee": 2, "hazard": 3},
    ),
    # nothing said: ranged 4+, physical level 3 (5+), mental 5+
    ("{}", {"gunnery": 4, "piloting": 5, "mental": 5}),
    ("", {"gunnery": 4, "piloting": 5, "mental": 5}),
]


@pytest.mark.parametrize(("pilot", "expected"), PILOTS)
def test_skills_are_read_and_written_under_the_names_used(pilot: str, expected: dict[str, Any], tmp_path: Path) -> None:
    before = battle(pilot or "null")
    after = again(before, tmp_path)
    for one in (before, after):
        assert skills(one.state.unit("a")) == expected
    written = after.document["units"][0]["pilot"]
    if pilot not in ("{}", ""):
        assert set(written) == set(before.document["units"][0]["pilot"])


def test_defaults_are_told() -> None:
    told = {row.place: row.value for row in battle("{ranged_tn: 3}").defaults}
    assert told["units[0].pilot.piloting"] == 5 and told["units[0].pilot.mental_tn"] == 5
    # who uses the standard words is not asked for a number that the standard rules do not have
    assert not any("mental" in row.place for row in battle("{gunnery: 3}").defaults)


def test_options_of_others_are_kept(tmp_path: Path) -> None:
    after = again(battle("{ranged_tn: 3, options: {melee: 1, swagger: 4}, rank: Leutnant}"), tmp_path)
    written = after.document["units"][0]["pilot"]
    assert written["options"] == {"melee": 1, "swagger": 4} and written["rank"] == "Leutnant"


def test_wounds_are_read_and_written(tmp_path: Path) -> None:
    before = battle("{gunnery: 4, piloting: 5, wounds: {head: {nl: 2}, Left Arm: {L: 1, nl: 2}}}")
    after = again(before, tmp_path)
    for one in (before, after):
        unit = one.state.unit("a")
        assert wounds_of(unit) == {"head": Wound(2, 0), "left_arm": Wound(2, 1)}
        assert unit.wounds == 1 and unit.alive and "pilot has 1 L wound" in condition_words(unit)
    assert after.document["units"][0]["pilot"]["wounds"] == {"head": {"nl": 2}, "left_arm": {"nl": 2, "L": 1}}


def test_deadly_wounds_take_the_unit_out() -> None:
    unit = battle("{wounds: {head: {L: 2}}}").state.unit("a")
    assert unit.destroyed == "pilot killed"


@pytest.mark.parametrize(
    ("pilot", "words"),
    [
        ("{wounds: {haed: {nl: 2}}}", "there is no body location 'haed'"),
        ("{wounds: {head: {nl: 3}}}", "3 nl cannot be"),
        ("{ranged_tn: 3, gunnery: 4}", "gunnery is given as 4 and as ranged_tn 3"),
        ("{physical_tn: 3, piloting: 4}", "piloting is given as 4 and as physical_tn 3"),
        ("{options: {melee: -1}}", "out of bounds"),
        ("{physical: 9}", "out of bounds"),
    ],
)
def test_pilots_that_cannot_be(pilot: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        battle(pilot)
    assert words in str(refused.value)


def test_waiting_attacks_round_trip(tmp_path: Path) -> None:
    before = battle("{}")
    grid = before.state.board.grid
    one, two = grid.parse("0611"), grid.parse("0610")
    before.state.pending = [
        Blow("a", "kick", "RL", "b", "front", "kick", (11, 0), one, two),
        Blow("b", "push", "", "a", "front", "normal", (0, 0), two, one),
        Blow("a", "kick", "LL", "b", "front", "kick", (11, 0), one, two, False),
    ]
    after = again(before, tmp_path)
    assert after.state.pending == before.state.pending
    assert after.document["pending"]["blows"][2]["hit"] is False


def test_a_waiting_attack_in_few_words() -> None:
    """The game master names who, what and whom: 55 tons kick for 11, at the front, where the kick table counts."""
    state = battle("{}", rest="pending: {blows: [{attacker: a, attack: kick, limb: RL, target: b}]}\n").state
    cells = (state.unit("a").cell, state.unit("b").cell)
    assert state.pending == [Blow("a", "kick", "RL", "b", "front", "kick", (11, 0), *cells)]


@pytest.mark.parametrize(
    ("blow", "words"),
    [
        ("{attacker: a, attack: kick, limb: RA, target: b}", "a cannot kick with RA: it has"),
        ("{attacker: a, attack: punch, target: b}", "a cannot punch with no limb named: it has RA, LA"),
        ("{attacker: a, attack: kick, limb: RL, target: x}", "there is no unit 'x'"),
        ("{attacker: a, attack: bite, target: b}", "cannot stand here"),
    ],
)
def test_waiting_attacks_that_cannot_be(blow: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        battle("{}", rest=f"pending: {{blows: [{blow}]}}\n")
    assert words in str(refused.value)


def test_the_page_shows_what_can_be_read() -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "pilots.md").read_text(encoding="utf-8")
    unit, pending = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    head = "opfor: 1\nboard: open-plain\nphase: fire\nsides: {players: {}, opfor: {}}\nunits:\n"
    other = '- {id: reaver, side: opfor, type: Marauder MAD-3R, at: "0610", facing: S}\n'
    state = read_battle(head + unit + other + pending).state
    pilot = state.unit("alpha-1")
    assert skills(pilot) == {"gunnery": 3, "piloting": 4, "mental": 6, "tactics": 1, "melee": 2, "hazard": 1}
    assert (pilot.wounds, [blow.damage for blow in state.pending]) == (1, [(11, 0)])


def fire_phase(dice: str) -> Game:
    """The campaign's fire phase: player a and the Op Force's b face each other, and have moved."""
    state = make_state(
        ruleset="campaign",
        phase="fire",
        units=[
            {"id": "a", "at": "0505", "moved": {"mode": "stand"}},
            {"id": "b", "side": 1, "at": "0504", "facing": "S", "moved": {"mode": "stand"}},
        ],
    )
    state.stage = "players"
    return Game(state, FedDice(parse_dice(dice)))


def take(game: Game, id: str, attack: str = "", limb: str = "", target: str = "") -> None:
    """A unit fires nothing, and makes a physical attack where it is asked for one."""
    decision = game.decision()
    assert decision is not None and id in decision.unit_ids
    if decision.kind == "fire":
        game.apply(FireOrder(id))
    decision = game.decision()
    assert decision is not None and decision.kind == "physical"
    game.apply(PhysicalOrder(id, attack, limb, target))


def test_a_kick_in_the_players_part_does_not_weaken_the_answer() -> None:
    """a kicks on 3 and hits; the Op Force still stands and punches back on 4; then both count, the kick in b's right leg (2),
    the punch in a's centre torso (3); b rolls to stay up on 5. The last dice are the next turn's initiative."""
    game = fire_phase("3+4, 2+3, 2, 3, 2+3, 3+4")
    take(game, "a", "kick", "RL", "b")
    state = game.state
    b = state.unit("b")
    assert [blow.attack for blow in state.pending] == ["kick"]
    assert b.armor[b.spec.locations.index("RL")] == 18 and not b.prone
    take(game, "b", "punch", "RA", "a")
    assert not state.pending and state.turn == 2
    a = state.unit("a")
    assert b.armor[b.spec.locations.index("RL")] == 8 and a.armor[a.spec.locations.index("CT")] == 15
    assert not b.prone


def test_copies_keep_what_waits() -> None:
    game = fire_phase("3+4")
    take(game, "a", "kick", "RL", "b")
    twin = game.copy()
    assert twin.state.pending == game.state.pending
    twin.state.pending.clear()
    assert game.state.pending


def test_explanations_show_the_campaigns_numbers() -> None:
    game = fire_phase("")
    rows = explain(game.state, game.state.unit("a"), game.state.unit("b"))["physical"]
    kick = next(row for row in rows if row["attack"] == "kick RL")
    assert kick["tn"] == 3 and [part["rule"] for part in kick["modifiers"]] == ["E-10"]
