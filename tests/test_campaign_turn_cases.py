"""Worked cases of tests/cases/campaign_turn: who is asked what and when in the campaign's turn and in MWII's, who may break in.

A case: ``given`` as for make_state, and fields of the state under ``state``; ``steps``: orders in the order in which they are
given, each ``{unit: {field: value}}`` with the fields of a legal order (``kind`` where several kinds are open), or
``{unit: refused words, order: {...}}``; a decision that the next step does not answer is answered by doing nothing. ``until``:
``[turn, kind]`` at whose first decision to stop (else the battle ends with its first turn). ``dice``: all must be asked for.
``expect``: ``asked``, the decisions as "kind side unit+unit"; ``events`` and ``none``; ``state`` fields; by unit its fields.
"""

from __future__ import annotations

from typing import Any

import pytest

from opfor.dice import FedDice, parse_dice
from opfor.errors import IllegalOrder
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.hex import Grid
from opfor.orders import Attack, CallOrder, FireOrder, MoveOrder, Order, PassOrder, PhysicalOrder, PreemptOrder
from opfor.rules.events import Event
from opfor.state import State
from tests.rule_cases import cases, check_events, check_unit
from tests.support import make_state

GRID = Grid(16, 17)
KINDS: dict[str, type] = {
    "move": MoveOrder, "fire": FireOrder, "physical": PhysicalOrder, "call": CallOrder, "pass": PassOrder,
    "preempt": PreemptOrder,
}  # fmt: skip
#: what an order of a step is by its fields, where the step does not say
BY_FIELD = {"mode": "move", "path": "move", "attacks": "fire", "clear": "fire", "attack": "physical", "limb": "physical"}


def wanted(decision: Decision, unit: str, fields: dict[str, Any]) -> Order | None:
    """The legal order of a unit with these fields, or None."""
    fields = dict(fields)
    kind = fields.pop("kind", "") or next((BY_FIELD[name] for name in fields if name in BY_FIELD), "")
    if "path" in fields:
        fields["path"] = tuple(fields["path"])
    if "attacks" in fields:
        fields["attacks"] = tuple(Attack(**attack) for attack in fields["attacks"])
    if kind == "move":
        fields.setdefault("act", "")
        if "to_hex" in fields:
            fields["to"] = GRID.parse(fields.pop("to_hex"))
    for order in decision.legal:
        fits = order.unit == unit and (not kind or isinstance(order, KINDS[kind]))
        if fits and all(getattr(order, name) == value for name, value in fields.items()):
            return order
    return None


def idle(decision: Decision) -> Order:
    """The order to do nothing."""
    unit = decision.unit_ids[0]
    kind = {"movement": "move", "opportunity": "pass"}.get(decision.kind, decision.kind)
    nothing: dict[str, dict[str, Any]] = {
        "move": {"mode": "stand"}, "fire": {"attacks": [], "clear": "", "twist": 0}, "physical": {"attack": ""},
        "call": {"what": ""}, "pass": {},
    }  # fmt: skip
    order = wanted(decision, unit, {"kind": kind, **nothing[kind]})
    if order is None:
        order = next(o for o in decision.legal if o.unit == unit)
    return order


def refuse(game: Game, decision: Decision, unit: str, fields: dict[str, Any], words: str) -> None:
    """An order like a legal one but for some fields is refused, for the reason told."""
    state = game.state
    fields = dict(fields)
    kind = fields.pop("kind", "move")
    if kind == "move":
        who = state.unit(unit)
        fields = {"path": (), "to": who.cell, "facing": who.facing, "elevation": who.elevation, "prone": who.prone, **fields}
        fields["path"] = tuple(fields["path"])
    if "attacks" in fields:
        fields["attacks"] = tuple(Attack(**attack) for attack in fields["attacks"])
    with pytest.raises(IllegalOrder, match=words):
        game.check(KINDS[kind](unit, **fields), decision)


def play(case: dict[str, Any]) -> tuple[State, list[str], list[Event]]:
    """Play a case: the state at its end, the decisions asked, and what happened."""
    given = {"phase": "initiative", "ruleset": "campaign", **case["given"]}
    fields = given.pop("state", {})
    state = make_state(**given)
    # without more to see than the first turn, the battle ends with it
    state.limit = 0 if "until" in case else 1
    for name, value in fields.items():
        setattr(state, name, value)
    dice = FedDice(parse_dice(str(case.get("dice", ""))))
    game = Game(state, dice)
    steps = [dict(step) for step in case.get("steps", ())]
    turn, kind = case.get("until", [2, ""])
    asked: list[str] = []
    happened: list[Event] = []
    while (decision := game.decision()) is not None:
        if decision.turn > turn or (decision.turn == turn and (not kind or decision.kind == kind)):
            break
        asked.append(f"{decision.kind} {decision.side_name} {'+'.join(decision.unit_ids)}")
        order = None
        while steps and order is None:
            unit, content = next(iter(steps[0].items()))
            if unit not in decision.unit_ids:
                break
            if isinstance(content, str):
                refuse(game, decision, unit, steps.pop(0)["order"], content)
                continue
            order = wanted(decision, unit, content)
            if order is None:
                break
            steps.pop(0)
        happened += game.apply(order if order is not None else idle(decision))
    happened += game.take_events()
    assert not steps, f"never came about: {steps}; asked: {asked}"
    assert dice.unused == 0, f"{dice.unused} dice not asked for; asked: {[r.why for r in dice.log]}"
    return state, asked, happened


@pytest.mark.parametrize("case", cases("campaign_turn"))
def test_case(case: dict[str, Any]) -> None:
    assert case["title"] and case["rule"]
    state, asked, happened = play(case)
    expect = dict(case["expect"])
    if "asked" in expect:
        assert asked == expect.pop("asked")
    for name, value in expect.pop("state", {}).items():
        assert getattr(state, name) == value, name
    for event in happened:
        # the number needed, for cases to name it by itself
        number = event.data.get("to_hit") or event.data.get("tn") or {}
        event.data["needs"] = number.get("tn")
    check_events(happened, expect.pop("events", []), expect.pop("none", []))
    for id, unit in expect.items():
        check_unit(state.unit(id), unit)
