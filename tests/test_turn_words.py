"""Orders of the campaign's turn in words, as JSON and in the battle file: in random battles each is written and read back.

Rule: E-3, E-4, M-2, M-3, M-8, M-9, M-10, A-1.
"""

from __future__ import annotations

import json

import pytest

from opfor.dice import SeededDice
from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.formats.battle_file.battle_turn import resting
from opfor.formats.battle_file.battle_write import battle_document
from opfor.formats.orders import order_as_dict, order_from_dict
from opfor.formats.words.notation import order_from_words, order_in_words
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.loop import play_out
from opfor.orders import Order
from opfor.report.posts.happenings import account
from opfor.rules.events import Event
from policies.random_policy import RandomPolicy
from tests.skirmish import skirmish
from tests.test_battle_file import same_state

KINDS = ("mech", "vehicle", "vtol", "infantry", "battle_armor")


class Reader:
    """Writes every order and reads it back; now and then the battle itself."""

    def __init__(self, battle: Battle, every: int) -> None:
        self.battle = battle
        self.every = every
        self.kinds: set[str] = set()
        self.count = 0

    def before(self, game: Game) -> None:
        """Nothing yet."""

    def ordered(self, game: Game, decision: Decision, order: Order) -> None:
        """In words, in words shouted, as JSON."""
        state = game.state
        words = order_in_words(order, state)
        assert order_from_words(words, state) == order, words
        assert order_from_words(words.upper().replace(" ", "  "), state) == order, words
        assert order_from_dict(json.loads(json.dumps(order_as_dict(order, state))), state) == order, words
        self.kinds.add(decision.kind)

    def happened(self, game: Game, order: Order, events: list[Event]) -> None:
        """The battle as it stands, where it rests between orders."""
        assert not [line for line in account(events) if "{" in line]
        self.count += 1
        if self.count % self.every == 0 and resting(game.state):
            self.battle.state = game.state
            same_state(game.state, read_battle(json.dumps(battle_document(self.battle))).state)

    def after(self, game: Game) -> None:
        """Nothing more."""


def read_along(ruleset: str, seed: int, turns: int) -> Reader:
    """A random battle, everything in it written and read."""
    state = skirmish(seed, ruleset=ruleset, kinds=KINDS, limit=turns)
    reader = Reader(Battle({"ruleset": ruleset, "board": state.board.name}, state, "test", controllers=("gm", "opfor")), 7)
    reader.battle.base_board = state.board
    reader.battle.policies = ("", "")
    play_out(Game(state, SeededDice(seed)), [RandomPolicy(seed), RandomPolicy(seed + 1)], (reader,))
    return reader


@pytest.mark.parametrize("ruleset", ["campaign", "mwii", "standard"])
def test_all_that_is_ordered_can_be_read_again(ruleset: str) -> None:
    seen = set().union(*(read_along(ruleset, seed, 2).kinds for seed in (1, 2)))
    assert seen >= {"movement", "fire"}


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["campaign", "mwii", "standard"])
@pytest.mark.parametrize("seed", range(3, 9))
def test_more_of_that(ruleset: str, seed: int) -> None:
    read_along(ruleset, seed, 6)
