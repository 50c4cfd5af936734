"""Invariants catch what no rules can lead to, and let what they can pass. Rule: S-2, S-5, S-7, S-9, E-16 to E-24."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from opfor.dice import SeededDice
from opfor.formats.battle_file.battle import load_battle
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.invariants import InvariantBroken, Invariants
from opfor.orders import FireOrder, MoveOrder
from opfor.rules.events import Event
from opfor.state import State
from tests.cli_support import ROOT


def watched() -> tuple[Game, Invariants]:
    game = Game(load_battle(ROOT / "examples" / "town-24.yaml").state, SeededDice(1))
    invariants = Invariants()
    invariants.before(game)
    return game, invariants


def after(change: Callable[[State], None], events: list[Event] | None = None) -> None:
    """The state after an order of no consequence, changed by hand."""
    game, invariants = watched()
    change(game.state)
    unit = game.state.unit("alpha-2")
    order = MoveOrder("alpha-2", "stand", (), unit.cell, unit.facing)
    invariants._allowed = None
    invariants.happened(game, order, events or [])


def test_a_battle_as_it_stands_breaks_nothing() -> None:
    after(lambda state: None)


@pytest.mark.parametrize(
    ("unit", "values", "words"),
    [
        ("sledge-1", {"heat": 2}, "heat 2"),
        ("sledge-1", {"prone": True}, "prone True"),
        ("sledge-1", {"crew": 0}, "crew hits 2 became 0"),
        ("sledge-1", {"motive_hits": 0}, "motive damage 1 0"),
        ("sledge-1", {"cruise_lost": 9}, "lost 9 of"),
        ("sledge-1", {"twist": 4}, "turret at 4"),
        ("lance-1", {"twist": 1}, "turret at 1"),
        ("anvil-2", {"structure": [4, 0, 4, 4, 4, 0]}, "lives with a location gone"),
        ("second-platoon", {"structure": [0]}, "lives without a trooper or suit"),
        ("second-platoon", {"structure": [16]}, r"structure \[15\] became \[16\]"),
        ("elementals", {"structure": [1, 1, 1, 1, 1]}, "structure"),
        ("elementals", {"armor": [0, 10, 10, 10, 10]}, "armour"),
        ("first-platoon", {"elevation": 2}, "is not where maxim is that it is aboard"),
        ("elementals", {"cell": 100}, "is not where alpha-1 is"),
        ("first-platoon", {"aboard": "scythe-1"}, "is not where scythe-1 is"),
        ("alpha-2", {"heat": -1}, "heat -1"),
        ("lance-1", {"ammo": [99, 99, 99]}, "ammunition"),
    ],
)
def test_what_cannot_be_is_caught(unit: str, values: dict[str, object], words: str) -> None:
    def change(state: State) -> None:
        for name, value in values.items():
            was = getattr(state.unit(unit), name)
            assert was != value
            setattr(state.unit(unit), name, value[: len(was)] if isinstance(value, list) else value)

    with pytest.raises(InvariantBroken, match=words):
        after(change)


def test_the_carrier_must_be_there() -> None:
    def lost(state: State) -> None:
        state.unit("maxim").destroyed = "front destroyed"

    with pytest.raises(InvariantBroken, match="aboard maxim, which is out of the battle"):
        after(lost)


def test_stacking_by_kind() -> None:
    def crowd(*ids: str) -> Callable[[State], None]:
        def change(state: State) -> None:
            for id in ids:
                unit = state.unit(id)
                unit.cell, unit.elevation = state.board.grid.parse("0909"), 0

        return change

    after(crowd("anvil-1", "anvil-2"))
    after(crowd("anvil-1", "anvil-2", "sledge-1", "sledge-2"))
    after(crowd("reaver", "anvil-1", "sledge-1"))
    with pytest.raises(InvariantBroken, match="one too many in 0909"):
        after(crowd("anvil-1", "anvil-2", "anvil-3"))
    with pytest.raises(InvariantBroken, match="stands in the place of"):
        after(crowd("reaver", "alpha-2"))


def test_orders_that_nobody_may_give() -> None:
    game, invariants = watched()
    state = game.state
    unit = state.unit("sledge-1")
    decision = Decision(state, 0, [unit])
    order = next(o for o in decision.legal if isinstance(o, MoveOrder) and o.path)
    invariants.ordered(game, decision, order)
    with pytest.raises(InvariantBroken, match="acts twice"):
        invariants.ordered(game, decision, order)
    game, invariants = watched()
    with pytest.raises(InvariantBroken, match="not listed"):
        invariants.ordered(game, Decision(game.state, 0, [game.state.unit("sledge-1")]), FireOrder("sledge-1"))


def test_heat_must_add_up() -> None:
    data = {"before": 4, "built": 6, "engine": 0, "outside": 2, "shed": 10, "after": 2}
    after(lambda state: None, [Event("heat", "alpha-2", "S-7", data)])
    with pytest.raises(InvariantBroken, match="does not add up"):
        after(lambda state: None, [Event("heat", "alpha-2", "S-7", {**data, "after": 3})])
