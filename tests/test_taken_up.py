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


def _plays_on_alike(game: Game) -> bool:
    """Whether a game made from the state as it stands plays on as a copy of the game does."""
    taken = Game(game.state.copy(), game.dice.copy())
    plain = game.copy()
    for one in (taken, plain):
        play_out(one, [RandomPolicy(1), RandomPolicy(2)], trust=True)
    return _mark(taken) == _mark(plain)


@pytest.mark.parametrize("ruleset", ["standard", "campaign", "mwii"])
def test_a_game_made_from_a_state_plays_on_like_the_game_it_was_taken_from(ruleset: str) -> None:
    """Units that lie down fail to stand up now and then, so that declarations are left and gone on with."""
    looked = 0
    for seed in range(3):
        state = skirmish(seed, size=3, limit=2, ruleset=ruleset)
        for unit in state.units:
            unit.prone = True
            unit.piloting = 9
        game = Game(state, SeededDice(seed))
        pick = random.Random(seed)
        number = 0
        while (decision := game.decision()) is not None:
            number += 1
            if game.state.underway or number % 9 == 0:
                looked += bool(game.state.underway)
                assert _plays_on_alike(game), (seed, number, decision)
            modes = [order for order in decision.legal if getattr(order, "mode", "") in ("walk", "run")]
            game.apply(modes[pick.randrange(len(modes))] if modes else decision.legal.sample(pick.randrange), trust=True)
    assert looked
