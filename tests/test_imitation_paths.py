"""Orders taken apart into small steps: whoever takes the steps gives the order. Rule: S-2, S-4, S-8, M-9, A-1, E-4."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

pytest.importorskip("numpy")

from envs.actions import Parts, Walk, asked
from opfor.dice import SeededDice
from opfor.formats.battle_file.battle import read_battle
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.legal.choices import Node
from opfor.game.restraint import restrained
from opfor.gm.starting.mixes import mixed_ruleset
from opfor.orders import MoveOrder, Order, PassOrder
from opfor.state import State
from tests.exercise import battle, scenarios
from tests.skirmish import skirmish
from tests.test_restraint import field, tell
from training.paths import actions_to

ALL_KINDS = ("mech", "vehicle", "vtol", "infantry", "battle_armor")


def taken(state: State, decision: Decision, order: Order) -> Order | None:
    """What the actions found for an order come to."""
    walk = Walk(state, decision)
    if walk.question is None:
        return walk.order
    actions = actions_to(walk.question, order)
    assert actions, (decision, order)
    for action in actions:
        assert walk.order is None
        walk.choose(action)
    return walk.order


def play(game: Game, seed: int, most: int) -> set[tuple[str, str]]:
    """Check a few orders of each decision of a game played at random; returns the kinds of decision and order that came up."""
    pick = random.Random(seed)
    found = set()
    while most and (decision := game.decision()) is not None:
        most -= 1
        decision = restrained(decision)
        for _ in range(3):
            order = decision.legal.sample(pick.randrange)
            assert taken(game.state, decision, order) == order
            found.add((decision.kind, order.kind))
        game.apply(order, trust=True)
    return found


@pytest.mark.parametrize("ruleset", ["standard", "campaign", "mwii", "mixed"])
def test_steps_come_to_the_order(ruleset: str) -> None:
    found: set[tuple[str, str]] = set()
    for seed in range(2):
        rules = mixed_ruleset(seed) if ruleset == "mixed" else ruleset
        game = Game(skirmish(seed, size=3, kinds=ALL_KINDS, ruleset=rules, limit=4), SeededDice(seed))
        found |= play(game, seed, 60)
    assert {("movement", "move"), ("fire", "fire")} <= found


@pytest.mark.slow
def test_steps_come_to_the_order_in_battles_that_use_every_rule() -> None:
    found: set[tuple[str, str]] = set()
    for seed, scenario in enumerate(scenarios()):
        state = read_battle(json.dumps(battle(scenario)), source=scenario["name"]).state
        found |= play(Game(state, SeededDice(seed)), seed, 120)
    assert {order for _, order in found} >= {"move", "fire", "physical", "call", "action", "pass", "preempt"}


def test_steps_keep_to_what_the_game_master_has_forbidden() -> None:
    game = Game(tell(field(), "reaver: no jump", "opfor: hold fire"), SeededDice(1))
    assert ("movement", "move") in play(game, 1, 12)


def test_every_order_of_a_decision_has_steps_of_its_own() -> None:
    game = Game(skirmish(4, size=1, limit=3), SeededDice(4))
    decision = game.decision()
    assert decision is not None
    tree = asked(decision.legal.tree())
    assert not isinstance(tree, Parts | Order)
    orders = list(decision.legal)
    ways = {tuple(actions_to(tree, order) or ()) for order in orders}
    assert len(ways) == len(orders) > 300
    assert () not in ways


def test_a_movement_by_a_way_of_its_own_counts_as_the_listed_one_with_its_end() -> None:
    game = Game(skirmish(4, size=1, limit=3), SeededDice(4))
    decision = game.decision()
    assert decision is not None
    listed = next(order for order in decision.legal if isinstance(order, MoveOrder) and len(order.path) > 3)
    around = replace(listed, path=("L", "R", *listed.path))
    assert taken(game.state, decision, around) == listed


def test_an_order_that_is_not_there_has_no_steps() -> None:
    game = Game(skirmish(4, size=1, limit=3), SeededDice(4))
    decision = game.decision()
    assert decision is not None
    tree = asked(decision.legal.tree())
    assert not isinstance(tree, Parts | Order)
    assert actions_to(tree, PassOrder("alpha-1")) is None
    assert actions_to(tree, MoveOrder("alpha-1", "walk", ("F",), 0, 0)) is None


def test_of_a_question_in_parts_the_part_comes_first() -> None:
    """1,000 options in four parts of 250: the order of number 613 is option 113 of the third part."""
    orders = [PassOrder(f"u{number}") for number in range(1000)]
    node = Node("unit", lambda: [(one.unit, one) for one in orders], lambda: {"unit": [one.unit for one in orders]})
    parts = asked(node)
    assert isinstance(parts, Parts)
    assert actions_to(parts, orders[613]) == [3, 114]
