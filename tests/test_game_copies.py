"""Copies of a game, by any of Python's ways: they go on alike, and apart from the one they were made from."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from opfor.board.library import board_names
from opfor.dice import FedDice, RecordedDice, SeededDice
from opfor.formats.library import board_named
from opfor.game.game import Game
from opfor.orders import Order
from opfor.rulesets import named_ruleset, ruleset_names
from opfor.units.state import UnitState
from tests.skirmish import skirmish

EVERY = ("mech", "vehicle", "vtol", "infantry", "battle_armor")
WAYS: dict[str, Callable[[Game], Game]] = {
    "copy": Game.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),  # noqa: S301 - its own, made a moment ago
}


def _middle(game: Game, number: int) -> Order:
    """An order from somewhere in the list, which differs from decision to decision."""
    decision = game.decision()
    assert decision is not None
    return decision.legal.sample(lambda count: number * 7919 % count)


def _play_on(game: Game, count: int, first: int = 0) -> list[Any]:
    told: list[Any] = []
    for number in range(first, first + count):
        if game.decision() is None:
            break
        order = _middle(game, number)
        told.append((order, [event.as_dict() for event in game.apply(order, trust=True)]))
    return told


def _standing(game: Game) -> list[dict[str, Any]]:
    return [{name: getattr(unit, name) for name in UnitState.__slots__ if name != "spec"} for unit in game.state.units]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("ruleset", ["standard", "campaign", "mwii"])
def test_a_copy_goes_on_as_the_game_does(ruleset: str, way: str) -> None:
    """From many moments of a battle, breaking in on a movement among them, a copy meets the same and leaves the game alone."""
    game = Game(skirmish(21, size=3, kinds=EVERY, limit=4, ruleset=ruleset), SeededDice(21))
    number = 0
    while game.decision() is not None:
        if number % 9 == 0:
            # a copy begins without what has not been handed out
            game.take_events()
            before = _standing(game)
            twin = WAYS[way](game)
            ahead = _play_on(twin, 6, number)
            assert _standing(game) == before
            again = WAYS[way](game)
            assert _play_on(again, 6, number) == ahead
            taken = _play_on(game, 6, number)
            assert taken == ahead
            number += 6
            continue
        game.apply(_middle(game, number), trust=True)
        number += 1
    assert number > 40


def test_a_game_can_be_pickled_once_its_orders_have_been_asked_for() -> None:
    """What is kept of a decision holds functions, which no pickle takes: it is worked out anew."""
    game = Game(skirmish(4, limit=2), SeededDice(4))
    decision = game.decision()
    assert decision is not None
    assert next(iter(decision.legal.tree().leaves())) in decision.legal
    twin: Game = pickle.loads(pickle.dumps(game))  # noqa: S301
    due = twin.decision()
    assert due is not None
    assert (due.kind, due.unit_ids, due.legal.count()) == (decision.kind, decision.unit_ids, decision.legal.count())


def test_the_record_stays_with_a_deep_copy_and_a_pickle() -> None:
    """The log of the dice and what has not been handed out belong to the game; a copy for lookahead begins without."""
    game = Game(skirmish(5, limit=2), SeededDice(5))
    _play_on(game, 20)
    game.play.emit("noted", None, "S-1")
    for way in ("deepcopy", "pickle"):
        twin = WAYS[way](game)
        assert twin.dice.log == game.dice.log
        assert [event.what for event in twin.take_events()] == ["noted"]
    assert [event.what for event in game.take_events()] == ["noted"]
    assert game.copy().dice.log == []


def test_caches_are_not_pickled() -> None:
    """A battle played for a while packs as small as at its start, give or take what has happened."""
    game = Game(skirmish(6, limit=3), SeededDice(6))
    fresh = len(pickle.dumps(game.state))
    _play_on(game, 40)
    assert game.state.board.tables
    assert len(pickle.dumps(game.state)) < fresh * 1.2


def test_boards_and_rulesets_survive() -> None:
    for name in board_names()[:6]:
        board = board_named(name)
        again = pickle.loads(pickle.dumps(board))  # noqa: S301
        assert again.hexes == board.hexes
        assert again.grid.names == board.grid.names
        assert (again.level, again.woods, again.depth) == (board.level, board.woods, board.depth)
        assert again.tables == {}
    for name in ruleset_names():
        rules = named_ruleset(name)
        assert pickle.loads(pickle.dumps(rules)) == rules  # noqa: S301


# -- dice -------------------------------------------------------------------------------------------------------------


def test_seeded_dice_are_what_they_always_were() -> None:
    """Seed 7 by the stream of the Mersenne Twister: six times each number, rounded down, and 1."""
    dice = SeededDice(7)
    # random.Random(7): 0.3238, 0.1508, 0.6509, 0.0724, 0.5359, 0.3658
    assert dice.roll(2, "a").dice == (2, 1)
    assert dice.roll(1, "b").dice == (4,)
    assert dice.roll(3, "c").dice == (1, 4, 3)


def test_copies_of_dice_roll_alike_and_apart() -> None:
    dice = SeededDice(3)
    dice.roll(2, "first")
    twin, other = dice.copy(), dice.copy()
    # far beyond what is thrown ahead, and in turns
    mine = [dice.roll(3, "x").dice for _ in range(200)]
    assert [twin.roll(3, "x").dice for _ in range(200)] == mine
    assert [other.roll(1, "x").dice[0] for _ in range(600)] == [face for roll in mine for face in roll]
    assert len(twin.log) == 200
    assert dice.log[0].why == "first"
    assert len(set(mine)) > 50


@pytest.mark.parametrize("made", [lambda: SeededDice(9), lambda: FedDice([(3, 4), (1,), (6, 6)])], ids=["seeded", "fed"])
def test_dice_can_be_pickled(made: Callable[[], Any]) -> None:
    dice = made()
    dice.roll(2, "one")
    again = pickle.loads(pickle.dumps(dice))  # noqa: S301
    assert again.log == dice.log
    assert again.roll(1, "two") == dice.roll(1, "two")
    assert copy.deepcopy(dice).roll(2, "three") == dice.copy().roll(2, "three")


def test_recorded_dice_give_a_log_back() -> None:
    dice = SeededDice(11)
    thrown = [dice.roll(2, str(number)).dice for number in range(5)]
    again = RecordedDice(dice.log)
    assert [again.roll(2, "").dice for _ in range(5)] == thrown
