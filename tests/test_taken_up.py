"""A battle taken up from its state in the middle of anything plays on as it would have. Rule: E-1, M-8, M-9."""

from __future__ import annotations

import random

import pytest

from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.game.loop import play_out
from policies.random_policy import RandomPolicy
from tests.skirmish import skirmish


def _mark(game: Game) -> tuple[object, ...]:
    state = game.state
    return (state.turn, state.winner, [(u.cell, u.facing, u.heat, u.armor, u.structure, u.moved, u.acted) for u in state.units])


@pytest.mark.parametrize("ruleset", ["standard", "campaign", "mwii"])
def test_a_game_made_from_a_state_plays_on_like_the_game_it_was_taken_from(ruleset: str) -> None:
    under_way = 0
    for seed in range(4):
        game = Game(skirmish(seed, size=3, limit=4, ruleset=ruleset), SeededDice(seed))
        pick = random.Random(seed)
        number = 0
        while (decision := game.decision()) is not None:
            number += 1
            if game.state.underway or number % 9 == 0:
                under_way += bool(game.state.underway)
                if under_way % 3 == 0 or not game.state.underway:
                    taken = Game(game.state.copy(), game.dice.copy())
                    plain = game.copy()
                    play_out(taken, [RandomPolicy(1), RandomPolicy(2)], trust=True)
                    play_out(plain, [RandomPolicy(1), RandomPolicy(2)], trust=True)
                    assert _mark(taken) == _mark(plain), (seed, number, decision)
            game.apply(decision.legal.sample(pick.randrange), trust=True)
    assert under_way
