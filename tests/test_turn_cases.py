"""Worked cases of tests/cases/turn: the standard turn played through the waist, who is asked when, and what a turn leaves.

A case: ``given`` as for make_state (the phase is initiative unless told otherwise), and ``limit``; ``orders`` by unit and
phase: fields of the legal order that the unit gives (otherwise it stands, holds its fire, strikes nobody); ``until``: the
turn or phase at whose decision to stop (the end of the battle otherwise); ``dice``. ``expect``: ``asked``, the decisions in
order as "phase side unit+unit"; ``returned``, the events that each order returned, by its number; ``initiative``; ``winner``;
``events`` and ``none``; and by unit id the fields to find afterwards.
"""

from __future__ import annotations

from typing import Any

import pytest

from opfor.dice import FedDice, parse_dice
from opfor.errors import IllegalOrder
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.orders import Attack, Order
from opfor.rules.events import Event
from tests.rule_cases import cases, check_events, check_unit
from tests.support import make_state

DEFAULTS: dict[str, dict[str, Any]] = {
    "movement": {"mode": "stand", "path": ()},
    "fire": {"attacks": (), "twist": 0, "flip": False},
    "physical": {"attack": ""},
}


def choose(decision: Decision, orders: dict[str, dict[str, dict[str, Any]]]) -> Order:
    """The first legal order of the first unit asked that has the fields wanted."""
    unit = decision.unit_ids[0]
    wanted = dict(orders.get(unit, {}).get(decision.kind) or DEFAULTS[decision.kind])
    if "path" in wanted:
        wanted["path"] = tuple(wanted["path"])
    if "attacks" in wanted:
        wanted["attacks"] = tuple(Attack(**attack) for attack in wanted["attacks"])
    for order in decision.legal:
        if order.unit == unit and all(getattr(order, name) == value for name, value in wanted.items()):
            return order
    raise AssertionError(f"{unit} has no legal order {wanted}")


@pytest.mark.parametrize("case", cases("turn"))
def test_case(case: dict[str, Any]) -> None:
    assert case["title"] and case["rule"]
    given = {"phase": "initiative", **case["given"]}
    limit = given.pop("limit", 0)
    state = make_state(**given)
    state.limit = limit
    dice = FedDice(parse_dice(str(case.get("dice", ""))))
    game = Game(state, dice)
    until, orders = case.get("until", {}), case.get("orders", {})
    asked: list[str] = []
    returned: list[list[str]] = []
    happened: list[Event] = []
    while (decision := game.decision()) is not None:
        if decision.turn > until.get("turn", 99) or (decision.turn, decision.kind) == (
            until.get("turn", 1),
            until.get("phase"),
        ):
            break
        asked.append(f"{decision.kind} {decision.side_name} {'+'.join(decision.unit_ids)}")
        order = choose(decision, orders)
        events = game.apply(order)
        returned.append([event.what for event in events])
        happened += events
    assert dice.unused == 0, f"{dice.unused} dice not asked for; asked: {[r.why for r in dice.log]}"
    expect = dict(case["expect"])
    if "asked" in expect:
        assert asked == expect.pop("asked")
    for number, names in expect.pop("returned", {}).items():
        assert returned[number - 1] == names
    if "initiative" in expect:
        assert state.initiative == expect.pop("initiative")
    if "winner" in expect:
        assert state.winner == expect.pop("winner")
        assert game.over
        with pytest.raises(IllegalOrder, match="over"):
            game.apply(order)
    check_events(happened, expect.pop("events", []), expect.pop("none", []))
    for id, fields in expect.items():
        check_unit(state.unit(id), fields)
