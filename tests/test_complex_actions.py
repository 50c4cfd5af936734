"""Worked cases of tests/cases/complex_actions: what a turn holds, evading, sprinting, acting on the way, holding an action.

A case: ``id``, ``rule``, ``title``; ``given``: arguments of make_state, ``stage`` and ``psr`` of units apart (without units
there is one 50-ton 'Mech ``a`` of 4 walking MP at 0808 facing north); ``dice`` as typed at the table, all of which must be
asked for; ``do``: steps in order. A step that gives an order is ``move`` (words: ``evade F F``, ``jump 0805 N``, with
``act``, ``attack`` ``charge b``), ``fire`` (``twist``, ``attacks`` as "mount target [spotter]", ``clear``) or ``strike``
("kick RL b"), of ``unit`` (default a); with ``why`` and ``by`` (the rule) it is refused in those words. ``rest: fire a``:
everybody else does nothing until that decision is due. Other steps look: ``asked`` (the decision due), ``option`` (MP, hexes,
heat and rolls of a movement, with ``is``), ``modes`` (groups of movement orders listed), ``shots`` (what the fire listed may
be), ``number`` ("a b": weapon 0 of a at b), ``blow`` ("kick RL a b"), ``piloting`` (reason, of ``unit``), each with ``is``.
``expect``: ``events`` and ``none`` as elsewhere, and by unit id the fields to find afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from opfor.dice import FedDice, SeededDice, parse_dice
from opfor.errors import IllegalOrder
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.legal.fire import FireChoices
from opfor.game.legal.movement import MovementChoices
from opfor.orders import Attack, FireOrder, MoveOrder, Order, PassOrder, PhysicalOrder
from opfor.rules.events import Event
from opfor.rules.melee.physical import physical_attack
from opfor.rules.pilots.piloting import need_roll, piloting_number
from opfor.rules.shooting.to_hit import weapon_attack
from opfor.rules.target_number import TargetNumber
from opfor.state import State
from policies.random_policy import RandomPolicy
from tests.conformance.choices import check_choices
from tests.rule_cases import cases, check_events, check_unit
from tests.skirmish import skirmish
from tests.support import make_state
from tests.test_movement_cases import read_order

FAMILY = "complex_actions"


def make(given: dict[str, Any]) -> State:
    """The position of a case."""
    given = {"phase": "movement", **given}
    stage = given.pop("stage", "")
    units = [{"at": "0808", **entry} for entry in given.pop("units", [{}])]
    due = [entry.pop("psr", ()) for entry in units]
    for index, entry in enumerate(units):
        entry.setdefault("id", "abcdef"[index])
    state = make_state(units=units, **given)
    state.stage = stage
    for unit, reasons in zip(state.units, due, strict=True):
        for reason in reasons:
            need_roll(unit, reason)
    return state


def move_order(state: State, step: dict[str, Any]) -> MoveOrder:
    """The movement that a step's words tell."""
    unit = state.unit(step.get("unit", "a"))
    words = {"order": step["move"]} | ({"attack": step["attack"]} if "attack" in step else {})
    order = read_order(state, MovementChoices(state, [unit]), unit, words)
    return replace(order, act=step.get("act", ""))


def fire_order(state: State, step: dict[str, Any]) -> FireOrder:
    """The fire that a step tells."""
    unit = state.unit(step.get("unit", "a"))
    told = step["fire"] or {}
    attacks = []
    for words in told.get("attacks", ()):
        mount, target, *spotter = words.split()
        attacks.append(Attack(int(mount), target, unit.spec.mounts[int(mount)].modes[0].name, *spotter))
    primary = told.get("primary", attacks[0].target if attacks else "")
    return FireOrder(unit.id, told.get("twist", 0), False, tuple(attacks), primary, told.get("clear", ""))


def strike_order(state: State, step: dict[str, Any]) -> PhysicalOrder:
    """The physical attack that a step tells: attack, limb, target."""
    return PhysicalOrder(step.get("unit", "a"), *step["strike"].split())


ORDERS: dict[str, Callable[[State, dict[str, Any]], Order]] = {"move": move_order, "fire": fire_order, "strike": strike_order}


def idle(decision: Decision) -> Order:
    """Nothing, as an answer to a decision."""
    state, unit = decision._state, decision.units[0]
    if decision.kind == "movement":
        moves = MovementChoices(state, [unit]).of(unit)
        return moves.stop() or moves.stand()
    if decision.kind == "fire":
        return next(order for order in decision.legal if isinstance(order, FireOrder) and not order.attacks)
    return PassOrder(unit.id) if decision.kind == "opportunity" else PhysicalOrder(unit.id)


def itemised(number: TargetNumber) -> Any:
    """A target number as its value and items, or why there is none."""
    return {"tn": number.value, **{m.what: m.value for m in number.modifiers}} if number.possible else number.why


class Table:
    """A case being played."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.state = make(case.get("given") or {})
        self.dice = FedDice(parse_dice(str(case.get("dice", ""))))
        self.game = Game(self.state, self.dice)
        self.events = self.game.take_events()

    def due(self) -> Decision:
        """The decision that is due."""
        decision = self.game.decision()
        assert decision is not None
        return decision

    def give(self, step: dict[str, Any]) -> None:
        """Give the order of a step, or see it refused."""
        made = next(make for kind, make in ORDERS.items() if kind in step)
        order = made(self.state, step)
        if "why" not in step:
            self.events += self.game.apply(order)
            return
        with pytest.raises(IllegalOrder) as refused:
            self.game.apply(order)
        assert step["why"] in str(refused.value)
        assert refused.value.rule == step["by"]

    def rest(self, step: dict[str, Any]) -> None:
        """Let everybody do nothing until a decision is due."""
        for _ in range(40):
            decision = self.due()
            kind, id = step["rest"].split()
            if decision.kind == kind and id in decision.unit_ids:
                return
            self.events += self.game.apply(idle(decision))
        raise AssertionError(f"{step['rest']} is never due")

    def seen(self, step: dict[str, Any]) -> Any:
        """What a step looks at."""
        state = self.state
        unit = state.unit(step.get("unit", "a"))
        if "asked" in step:
            decision = self.game.decision()
            return f"{decision.kind} {'+'.join(decision.unit_ids)}" if decision is not None else "nothing"
        if "option" in step:
            choices = MovementChoices(state, [unit])
            option = choices.option(move_order(state, {**step, "move": step["option"]}))
            rolls = [f"{what} {number.value}" for what, number in option.rolls]
            return {"mp": option.mp, "hexes": option.hexes, "heat": option.heat} | ({"rolls": rolls} if rolls else {})
        if "modes" in step:
            return [group for group, _ in MovementChoices(state, [unit]).of(unit).sizes()]
        if "shots" in step:
            return _shots(state, step)
        if "number" in step:
            attacker, target = (state.unit(id) for id in step["number"].split())
            mount = attacker.spec.mounts[0]
            return itemised(weapon_attack(state, attacker, mount, mount.modes[0], target))
        if "blow" in step:
            attack, limb, attacker_id, target_id = step["blow"].split()
            return itemised(physical_attack(state, state.unit(attacker_id), attack, limb, state.unit(target_id)))
        return itemised(piloting_number(state, unit, step["piloting"]))


class Told(Event):
    """An event with the number that an attack needed in the open."""

    def as_dict(self) -> dict[str, Any]:
        found = super().as_dict()
        return found | ({"needs": found["to_hit"]["tn"]} if "to_hit" in found else {})


def _shots(state: State, step: dict[str, Any]) -> dict[str, Any]:
    """What the fire listed for a unit comes to: most targets in one order, whether indirect, tasks."""
    found = list(FireChoices(state, [state.unit(step["shots"])]))
    targets = [len({attack.target for attack in order.attacks}) for order in found]
    spotted = any(attack.spotter for order in found for attack in order.attacks)
    return {"targets": max(targets), "indirect": spotted, "tasks": [order.clear for order in found if order.clear]}


@pytest.mark.parametrize("case", cases(FAMILY))
def test_case(case: dict[str, Any]) -> None:
    assert case["title"] and case["rule"]
    table = Table(case)
    for step in case["do"]:
        if "rest" in step:
            table.rest(step)
        elif any(kind in step for kind in ORDERS):
            table.give(step)
        else:
            wanted = step["asked"] if "asked" in step else step["is"]
            assert table.seen(step) == wanted
    assert table.dice.unused == 0, f"{table.dice.unused} dice not asked for; asked: {[r.why for r in table.dice.log]}"
    expect = dict(case.get("expect", {}))
    told: list[Event] = [Told(event.what, event.unit, event.rule, event.data) for event in table.events]
    check_events(told, expect.pop("events", []), expect.pop("none", []))
    for id, wanted in expect.items():
        check_unit(table.state.unit(id), wanted)


@pytest.mark.parametrize("ruleset", ["campaign", "mwii"])
@pytest.mark.parametrize("seed", range(3))
def test_legal_orders_under_a_budget(ruleset: str, seed: int) -> None:
    """List, membership, count, samples and tree tell of one set in battles in which every complex action is taken."""
    kinds = ("mech", "vehicle", "vtol", "infantry", "battle_armor")
    game = Game(skirmish(seed, ruleset=ruleset, kinds=kinds, size=3), SeededDice(seed))
    policy = RandomPolicy(seed)
    for number in range(36):
        decision = game.decision()
        if decision is None:
            break
        if number % 2 or decision.kind != "movement":
            check_choices(decision.legal, seed=number, at_most=900, samples=3)
        game.apply(policy.choose(decision, game.view(decision.side)))


def test_the_same_orders_without_the_switches() -> None:
    """With the switches at their standard values nothing is listed that plain rules do not have."""
    game = Game(skirmish(1, size=2), SeededDice(1))
    decision = game.decision()
    assert decision is not None
    assert all(
        not order.act and order.mode not in ("evade", "sprint") for order in decision.legal if isinstance(order, MoveOrder)
    )
