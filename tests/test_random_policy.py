"""The random policies: uniform over orders, and down the tree of choices question by question."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest

from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.legal.choices import Node
from opfor.game.loop import play_out
from opfor.gm import policies as named
from opfor.orders import (
    ActionOrder,
    Attack,
    CallOrder,
    FireOrder,
    MoveOrder,
    Order,
    PassOrder,
    PhysicalOrder,
    PreemptOrder,
    with_reason,
)
from policies.random_policy import RandomPolicy
from policies.registry import make
from tests.conformance.policy import check_policy
from tests.skirmish import skirmish
from tests.support import make_state

EVERY = ("mech", "vehicle", "vtol", "infantry", "battle_armor")


def test_it_keeps_the_promises_of_a_policy() -> None:
    """Legal, repeatable, leaves the game alone, copes with every phase and corner."""
    check_policy(lambda seed: make("random:tree", seed), battles=2, decisions=14)


@pytest.mark.parametrize("ruleset", ["standard", "campaign", "mwii"])
def test_what_it_plays_is_listed(ruleset: str) -> None:
    """Whole battles of every kind of unit, each order checked as it is given."""
    game = Game(skirmish(5, size=3, kinds=EVERY, limit=5, ruleset=ruleset), SeededDice(5))
    play_out(game, [make("random:tree", 1), make("random:tree", 2)])
    assert game.over


def test_the_same_seed_plays_the_same_game() -> None:
    def played(seed: int) -> list[str]:
        game = Game(skirmish(9, limit=3), SeededDice(9))
        orders: list[str] = []
        sides = [RandomPolicy(seed, "tree"), RandomPolicy(seed + 1, "tree")]
        while (decision := game.decision()) is not None:
            order = sides[decision.side].choose(decision, game.view(decision.side))
            orders.append(repr(order))
            game.apply(order, trust=True)
        return orders

    assert played(4) == played(4)
    assert played(4) != played(40)


def _lone_walker() -> Decision:
    state = make_state(units=[{"id": "a", "at": "0505", "facing": "S"}, {"id": "b", "side": 1, "at": "1515"}])
    state.phase = "movement"
    return Decision(state, 0, [state.units[0]], "movement")


def test_each_option_of_a_question_is_as_likely_as_the_next() -> None:
    """A lone 'Mech without jets stands, walks or runs: by the tree a third of the time each, by orders hardly ever to stand."""
    decision = _lone_walker()
    unit = decision.legal.tree().options[0][1]
    assert isinstance(unit, Node)
    modes = [label for label, _ in unit.options]
    assert modes == ["stand", "walk", "run"]
    tries = 900
    policy = RandomPolicy(3, "tree")
    met = Counter(_mode(policy.choose(decision, None)) for _ in range(tries))  # type: ignore[arg-type]
    # 300 expected of each; four standard deviations of the binomial are 57
    assert all(abs(met[mode] - tries / 3) < 57 for mode in modes)
    by_orders = RandomPolicy(3)
    stood = sum(_mode(by_orders.choose(decision, None)) == "stand" for _ in range(tries))  # type: ignore[arg-type]
    # one order in hundreds
    assert decision.legal.count() > 300
    assert stood < 20


def _mode(order: Order) -> str:
    assert isinstance(order, MoveOrder)
    return order.mode


def test_names_and_parameters() -> None:
    assert (make("random").name, make("random:tree").name) == ("random", "random:tree")
    with pytest.raises(InputError, match=r"knows no 'tre': use random:tree, or random.*did you mean tree"):
        make("random:tre")


def test_a_policy_without_parameters_is_given_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of another package that has no use for them says so, and not with an error of Python's."""
    point = EntryPoint("plain", "tests.test_random_policy:plain", named.GROUP)
    monkeypatch.setattr(named, "policy_points", lambda: {"plain": point})
    assert named.policy_named("plain", 3) is not None
    with pytest.raises(InputError, match="takes no parameters"):
        named.policy_named("plain:hot", 3)


def plain(seed: int = 0) -> RandomPolicy:
    """A policy that takes no parameters."""
    return RandomPolicy(seed)


def test_a_reason_changes_nothing_else() -> None:
    """Every kind of order keeps all that it says."""
    orders: list[Order] = [
        MoveOrder("a", "run", ("F", "L"), 12, 3, 1, True, "charge", "b", "pause"),
        FireOrder("a", 1, True, (Attack(2, "b", "x", "c", "HD"),), "b", "turret"),
        PhysicalOrder("a", "kick", "RL", "b"),
        CallOrder("a", "artillery", 1, "he", 40, "b", "c", 2),
        ActionOrder("a", "scan", 7),
        PassOrder("a"),
        PreemptOrder("a"),
    ]
    for order in orders:
        given = with_reason(order, "to be sure")
        assert given == order
        assert given.reason == "to be sure"
        assert order.reason == ""
        assert repr(given) == repr(replace(order, reason="to be sure"))
