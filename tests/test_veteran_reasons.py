"""What the veteran says of a position is true of it as the game master sees it."""

from __future__ import annotations

import re

import pytest

from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.orders import MoveOrder
from policies.veteran import VeteranPolicy
from policies.veteran.reasons import range_words
from tests.skirmish import skirmish

RANGE = re.compile(r"(next to|(?:short|medium|long) range to) ([\w-]+)")


@pytest.mark.parametrize("ruleset", ["standard", "campaign"])
def test_ranges_are_those_to_enemies_as_they_stand(ruleset: str) -> None:
    """Whether they have moved or not: where they will probably go is what it reckons with, not what it tells."""
    told = unmoved = 0
    for seed in range(4):
        state = skirmish(seed, limit=4, ruleset=ruleset)
        game = Game(state, SeededDice(seed))
        sides = [VeteranPolicy(seed), VeteranPolicy(seed + 1)]
        while (decision := game.decision()) is not None:
            order = sides[decision.side].choose(decision, game.view(decision.side))
            if isinstance(order, MoveOrder) and not order.attack:
                for words, id in RANGE.findall(order.reason):
                    enemy = game.state.unit(id)
                    assert words == range_words(game.state.board.grid.distance(order.to, enemy.cell)), order
                    told += 1
                    unmoved += not enemy.moved
            game.apply(order, trust=True)
    assert told > 40 and unmoved > 10
