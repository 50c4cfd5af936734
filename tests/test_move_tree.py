"""What the tree of movement tells of its options agrees with the orders below; no way is worked out before its time."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from opfor.game.legal.choices import FACTS, QUESTIONS, Node
from opfor.game.legal.movement import MovementChoices
from opfor.orders import MoveOrder
from opfor.rules.moving.compiling import use_compiled
from opfor.rules.moving.reach import Reach
from opfor.rulesets import named_ruleset
from opfor.state import State
from opfor.units.state import UnitState
from tests.skirmish import skirmish
from tests.test_reach import MOTIVES, mixed_position, random_position


@pytest.fixture(params=["plain", "compiled"])
def searched(request: pytest.FixtureRequest) -> Iterator[None]:
    """Once with the plain search, once with the compiled one."""
    if request.param == "compiled" and not use_compiled():
        pytest.skip("numba is not installed")
    yield
    use_compiled(False)


def positions() -> Iterator[tuple[State, UnitState]]:
    """Units of every kind and condition, under rulesets with few and with many kinds of movement."""
    for seed in range(12):
        rnd = random.Random(f"tree {seed}")
        yield random_position(rnd)
    for motive in MOTIVES:
        rnd = random.Random(f"tree {motive}")
        state, unit = mixed_position(rnd, motive)
        if rnd.random() < 0.5:
            state.ruleset = named_ruleset("campaign")
        yield state, unit


def below(node: Node, index: int) -> list[MoveOrder]:
    """The orders below an option."""
    found = node.options[index][1]
    return list(found.leaves()) if isinstance(found, Node) else [found]  # type: ignore[list-item, arg-type]


def look(choices: MovementChoices, node: Node, group: str) -> int:
    """Hold the facts of a question, and of all below it, against the orders; how many facts were looked at."""
    assert node.question in QUESTIONS
    facts = node.facts
    assert facts.keys() <= FACTS.keys()
    count = node.width()
    assert len(node.options) == count and all(len(column) == count for column in facts.values())
    looked = 0
    for index in range(count):
        orders = below(node, index)
        told = {name: column[index] for name, column in facts.items()}
        options = [choices.option(order) for order in orders] if "mp" in told else []
        true = {
            "unit": orders[0].unit,
            "cell": orders[0].to,
            "elevation": orders[0].elevation,
            "facing": orders[0].facing,
            "prone": orders[0].prone,
            "target": orders[0].target,
            "orders": len(orders),
            "mode": group if node.question == "mode" and not group else orders[0].mode,
        }
        if options:
            true |= {
                "mp": min(option.mp for option in options),
                "hexes": max(option.hexes for option in options),
                "rolls": all(option.rolls for option in options),
            }
        if node.question == "mode" and not group:
            true["mode"] = node.options[index][0]
        assert told == {name: true[name] for name in told}, (node.question, group, index)
        looked += len(told)
        following = node.below(index)
        if isinstance(following, Node):
            looked += look(choices, following, group or (node.options[index][0] if node.question == "mode" else ""))
        else:
            assert following == orders[0]
    return looked


@pytest.mark.usefixtures("searched")
def test_facts_agree_with_the_orders_below() -> None:
    looked = 0
    for state, unit in positions():
        choices = MovementChoices(state, [unit])
        looked += look(choices, choices.tree(), "")
        assert [group for group, _ in choices.of(unit).sizes()] == MovementChoices(state, [unit]).of(unit).open_groups()
    assert looked > 10_000


def test_listing_the_modes_makes_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four 'Mechs at each edge of a map, out of each other's reach: what each may do is known by its MP."""
    state = skirmish(3, board="open-plain")
    state.phase = "movement"

    def search(*_: object) -> None:
        raise AssertionError("a search was made")

    monkeypatch.setattr(Reach, "_work_out", search)
    unit = state.units[0]
    node = MovementChoices(state, [unit]).tree().below(0)
    assert isinstance(node, Node)
    assert [label for label, _ in node.options][:3] == ["stand", "walk", "run"]


def test_one_order_is_made_for_one_leaf(monkeypatch: pytest.MonkeyPatch) -> None:
    state = skirmish(3, board="open-plain")
    state.phase = "movement"
    written: list[object] = []
    write = Reach.write

    def watched(self: Reach, stances: list[int]) -> list[str]:
        written.append(stances)
        return write(self, stances)

    monkeypatch.setattr(Reach, "write", watched)
    node: object = MovementChoices(state, [state.units[0]]).tree()
    for index in (0, 2, 5, 1, 0):
        assert isinstance(node, Node)
        assert len(node.facts) and not written
        node = node.below(index)
    assert isinstance(node, MoveOrder) and node.mode == "run" and len(written) == 1
