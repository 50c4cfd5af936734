"""The environments' actions against the waist's lists: all legal orders can be reached, nothing else. Rule: S-2, S-4, S-8."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

pytest.importorskip("numpy")

from envs.actions import ACTIONS, OPTIONS, PASS, Parts, Question, Walk, asked
from envs.match import Match
from opfor.dice import SeededDice
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.legal.choices import QUESTIONS, Node
from opfor.game.legal.idle import idle_order
from opfor.gm.starting.mixes import mixed_ruleset
from opfor.orders import MoveOrder, Order, PassOrder
from opfor.state import State
from tests.skirmish import skirmish

ALL_KINDS = ("mech", "vehicle", "vtol", "infantry", "battle_armor")


def walked(below: Question | Parts | Order) -> Iterator[Order]:
    """Every order that actions lead to from here, by trying all of them."""
    if not isinstance(below, Question | Parts):
        yield below
        return
    for index in range(below.options):
        yield from walked(below.below(index))


def decisions(game: Game, pick: random.Random, every: int, most: int) -> Iterator[Decision]:
    """Some decisions of a game played at random."""
    number = 0
    while most and (decision := game.decision()) is not None:
        if number % every == 0 or decision.kind in ("opportunity", "call", "action"):
            most -= 1
            yield decision
        number += 1
        game.apply(decision.legal.sample(pick.randrange), trust=True)


def check_walk(state: State, decision: Decision, pick: random.Random, at_most: int = 4000) -> str:
    """Hold the actions of a decision against its list; where that is long, a few ways down against membership."""
    legal = decision.legal
    if legal.count() <= at_most:
        reached = list(walked(asked(legal.tree())))
        assert len(reached) == len(set(reached)) == legal.count()
        assert set(reached) == set(legal)
        return "all"
    for _ in range(20):
        walk = Walk(state, decision)
        while walk.question is not None:
            assert 1 < walk.options <= OPTIONS
            for column in walk.question.facts.values():
                assert len(column) == walk.options
            walk.choose(1 + pick.randrange(walk.options))
        assert walk.order in legal
    return "some"


@pytest.mark.parametrize("ruleset", ["standard", "campaign", "mwii", "mixed"])
def test_actions_reach_every_legal_order_and_nothing_else(ruleset: str) -> None:
    looked = set()
    for seed in range(3):
        pick = random.Random(seed)
        rules = mixed_ruleset(seed) if ruleset == "mixed" else ruleset
        game = Game(skirmish(seed, size=3, kinds=ALL_KINDS, ruleset=rules, limit=6), SeededDice(seed))
        for decision in decisions(game, pick, every=7, most=25):
            looked.add((decision.kind, check_walk(game.state, decision, pick)))
    kinds = {kind for kind, _ in looked}
    assert {"movement", "fire"} <= kinds
    assert ("movement", "all") in looked or ("movement", "some") in looked


@pytest.mark.parametrize("ruleset", ["standard", "campaign", "mwii"])
def test_doing_nothing_is_always_listed(ruleset: str) -> None:
    """Action 0 stands for an order of the list, for every unit of every decision."""
    for seed in range(3):
        game = Game(skirmish(seed, size=3, kinds=ALL_KINDS, ruleset=ruleset, limit=6), SeededDice(seed))
        for decision in decisions(game, random.Random(seed), every=1, most=120):
            for unit in decision.units:
                order = idle_order(game.state, unit, decision.kind)
                assert order in decision.legal, (decision, order)
            for unit in decision.also:
                assert idle_order(game.state, unit, "movement") in decision.legal


def test_pass_ends_the_unit_s_part_wherever_it_is_said() -> None:
    game = Game(skirmish(3, size=2), SeededDice(3))
    decision = game.decision()
    assert decision is not None and decision.kind == "movement"
    walk = Walk(game.state, decision)
    assert walk.question is not None and walk.question.name == "unit"
    second = decision.unit_ids[1]
    walk.choose(2)
    assert walk.unit == second
    order = walk.choose(PASS)
    assert isinstance(order, MoveOrder) and order.unit == second and order.mode == "stand"
    assert order in decision.legal


def test_an_action_beyond_the_options_is_refused() -> None:
    match = Match(Game(skirmish(3, size=2), SeededDice(3)))
    assert match.walk is not None
    for action in (-1, match.walk.options + 1, ACTIONS):
        with pytest.raises(ValueError, match="not legal"):
            match.step(action)


def test_decisions_without_a_choice_are_not_asked() -> None:
    match = Match(Game(skirmish(5, size=2, limit=4), SeededDice(5)))
    pick = random.Random(5)
    while not match.over:
        assert match.walk is not None
        assert match.walk.options > 1
        match.step(1 + pick.randrange(match.walk.options))
    with pytest.raises(ValueError, match="over"):
        match.step(PASS)


def test_a_question_with_too_many_options_is_asked_in_parts() -> None:
    """1,000 options in parts of at most 319 each: four parts of 250, all options once and in order."""
    orders = [PassOrder(f"u{i}") for i in range(1000)]
    node = Node(
        "hex",
        lambda: [(str(i), order) for i, order in enumerate(orders)],
        lambda: {"mp": list(range(1000)), "hexes": [1000 - i for i in range(1000)], "cell": list(range(1000))},
    )
    parts = asked(node)
    assert isinstance(parts, Parts)
    assert parts.options == 4
    assert list(parts.facts["mp"]) == [0, 250, 500, 750]
    assert list(parts.facts["hexes"]) == [1000, 750, 500, 250]
    assert list(parts.facts["cell"]) == [125, 375, 625, 875]
    assert parts.label(1) == "250 to 499"
    assert list(walked(parts)) == orders
    second = parts.below(1)
    assert isinstance(second, Question)
    assert second.options == 250
    assert list(second.facts["cell"]) == list(range(250, 500))
    assert second.label(3) == "253"


def test_questions_asked_are_those_that_are_documented() -> None:
    names = set()
    for seed in range(2):
        match = Match(Game(skirmish(seed, size=3, kinds=ALL_KINDS, ruleset="campaign", limit=4), SeededDice(seed)))
        pick = random.Random(seed)
        while not match.over:
            assert match.walk is not None and match.walk.question is not None
            names.add(match.walk.question.name)
            match.step(1 + pick.randrange(match.walk.options))
    assert names <= {*QUESTIONS, "part"}


def test_play_by_single_steps_and_by_whole_orders_is_the_same_battle() -> None:
    """The orders that steps come to, given whole to a second game with the same dice, lead to the same state."""
    pick = random.Random(9)
    one = Match(Game(skirmish(9, size=2, ruleset="campaign", limit=3), SeededDice(9)))
    two = Game(skirmish(9, size=2, ruleset="campaign", limit=3), SeededDice(9))
    given: list[Order] = []
    apply = one.game.apply

    def noted(order: Order, *, trust: bool = False) -> object:
        given.append(order)
        return apply(order, trust=trust)

    one.game.apply = noted  # type: ignore[method-assign,assignment]
    while not one.over:
        assert one.walk is not None
        one.step(pick.randrange(one.walk.options + 1))
    for order in given:
        two.apply(order)
    assert two.over
    assert two.state.winner == one.game.state.winner
    assert [(u.cell, u.heat, u.armor, u.structure) for u in two.state.units] == [
        (u.cell, u.heat, u.armor, u.structure) for u in one.game.state.units
    ]
