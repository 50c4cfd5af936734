"""What the veteran says of a position is true of it as the game master sees it."""

from __future__ import annotations

import re

import pytest

from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.orders import MoveOrder
from opfor.rules.shooting.framing import sees
from policies.veteran import VeteranPolicy
from policies.veteran.reasons import range_words
from tests.skirmish import skirmish

KINDS = ("mech", "vehicle", "vtol", "infantry", "battle_armor")
UNSEEN = re.compile(r"out of sight of ([\w-]+(?:, [\w-]+)*)")
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


@pytest.mark.parametrize("ruleset", ["standard", "campaign"])
def test_who_is_said_not_to_see_it_does_not(ruleset: str) -> None:
    """By the line of sight of the rules, once the unit stands where it has been ordered to."""
    told = 0
    for seed in range(3):
        game = Game(skirmish(seed, limit=3, ruleset=ruleset, kinds=KINDS), SeededDice(seed))
        sides = [VeteranPolicy(seed), VeteranPolicy(seed + 1)]
        while (decision := game.decision()) is not None:
            order = sides[decision.side].choose(decision, game.view(decision.side))
            game.apply(order, trust=True)
            unit = game.state.unit(order.unit)
            # a roll on the way may have failed
            if not isinstance(order, MoveOrder) or (unit.cell, unit.elevation, unit.prone) != (
                order.to, order.elevation, order.prone,
            ):  # fmt: skip
                continue
            for id in [id for ids in UNSEEN.findall(order.reason) for id in ids.split(", ") if id in game.state.by_id]:
                enemy = game.state.unit(id)
                assert not (enemy.alive and sees(game.state, enemy, unit)), order
                told += 1
    assert told > 40
