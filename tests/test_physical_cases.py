"""Worked cases of physical attacks and displacement: tests/cases/physical, tests/cases/displacement.

Cases as in :mod:`tests.rule_cases`, with these operations besides: ``number`` {unit, attack, limb, target}; ``by_hexes`` (the
numbers as the target moved so many hexes); ``around`` (one mark a direction, 1 where the attack can be made at a target that
stands there); ``damage_of``; ``struck`` (side and hit table); ``orders`` and ``why_not`` of a unit; ``declare`` and
``charge`` (an attack that waits), ``resolve``; ``where`` (hexes of all units), and those of displacement.
"""

from __future__ import annotations

from typing import Any

import pytest

from opfor.game.apply.physical import declare_physical, resolve_physical
from opfor.game.legal.physical import PhysicalChoices
from opfor.orders import MoveOrder, PhysicalOrder
from opfor.rules.melee.blows import physical_damage, physical_hit_table, physical_side
from opfor.rules.melee.charges import charge_damage, dfa_damage, why_not_declare
from opfor.rules.melee.physical import physical_attack
from opfor.rules.moving.displacement import (
    displace,
    displaced_to,
    fall_onto_number,
    landing_elevation,
    may_be_displaced,
    missed_charge_hexes,
    preferred_hex,
)
from opfor.rules.play import Play
from opfor.rules.target_number import TargetNumber
from opfor.units.state import UnitState
from tests.rule_cases import OPERATIONS, cases, run


def _pair(play: Play, a: dict[str, Any]) -> tuple[UnitState, UnitState]:
    return play.state.unit(a.get("unit", "a")), play.state.unit(a.get("target", "b"))


def _tn(play: Play, a: dict[str, Any]) -> TargetNumber:
    attacker, target = _pair(play, a)
    return physical_attack(play.state, attacker, a["attack"], a.get("limb", ""), target)


def _number(play: Play, a: dict[str, Any]) -> Any:
    tn = _tn(play, a)
    return {"tn": tn.value, **{m.what: m.value for m in tn.modifiers if m.what != "piloting"}} if tn.possible else tn.why


def _by_hexes(play: Play, a: dict[str, Any]) -> list[int]:
    target = _pair(play, a)[1]
    found = []
    for hexes in a["hexes"]:
        target.hexes_moved = hexes
        found.append(_tn(play, a).value)
    return found


def _around(play: Play, a: dict[str, Any]) -> str:
    attacker, target = _pair(play, a)
    marks = ""
    for step in play.state.board.grid.step:
        target.cell = attacker.cell + step
        play.state.touch()
        marks += str(int(_tn(play, a).possible))
    return marks


def _damage_of(play: Play, a: dict[str, Any]) -> Any:
    attacker, target = _pair(play, a)
    if a["attack"] == "charge":
        return list(charge_damage(attacker, target))
    if a["attack"] == "dfa":
        return list(dfa_damage(attacker))
    return physical_damage(attacker, a["attack"], a.get("limb", ""))


def _struck(play: Play, a: dict[str, Any]) -> list[str]:
    attacker, target = _pair(play, a)
    state = play.state
    return [physical_side(state, attacker, a["attack"], target), physical_hit_table(state, attacker, a["attack"], target)]


def _order(a: dict[str, Any]) -> PhysicalOrder:
    return PhysicalOrder(a.get("unit", "a"), a.get("attack", ""), a.get("limb", ""), a.get("target", ""))


def _charge(play: Play, a: dict[str, Any]) -> None:
    attacker, target = _pair(play, a)
    order = MoveOrder(
        attacker.id, attacker.mode, (), attacker.cell, attacker.facing, attack=a.get("attack", "charge"), target=target.id
    )
    play.state.charges.append(order)


def _orders(play: Play, a: dict[str, Any]) -> list[str]:
    choices = PhysicalChoices(play.state, [play.state.unit(a.get("unit", "a"))])
    listed = list(choices)
    assert choices.count() == len(listed) == len(set(listed))
    assert all(order in choices and choices.why_not(order) == "" for order in listed)
    assert sorted(listed, key=str) == sorted(choices.tree().leaves(), key=str)
    numbers = iter(range(len(listed)))
    assert [choices.sample(lambda n: next(numbers)) for _ in listed] == listed
    return [" ".join(part for part in (o.attack, o.limb, o.target) if part) or "none" for o in listed]


def _name(play: Play, to: int | None) -> str:
    grid = play.state.board.grid
    return "none" if to is None else grid.names[to] if grid.contains(to) else "off"


def _towards(question: Any) -> Any:
    def ask(play: Play, a: dict[str, Any]) -> Any:
        unit = play.state.unit(a.get("unit", "b"))
        found = question(play.state, unit, unit.cell, a["direction"])
        return [_name(play, to) for to in found] if isinstance(found, tuple) else _name(play, found)

    return ask


def _displace(play: Play, a: dict[str, Any]) -> None:
    unit = play.state.unit(a.get("unit", "b"))
    to = unit.cell + play.state.board.grid.step[a["direction"]]
    displace(play, unit, to, a["direction"], why="test", reason=a.get("reason", ""))


def _open(play: Play, a: dict[str, Any]) -> str:
    unit = play.state.unit(a.get("unit", "b"))
    return "".join(str(int(may_be_displaced(play.state, unit, unit.cell, d))) for d in range(6))


def _landing(play: Play, a: dict[str, Any]) -> int:
    return landing_elevation(play.state, play.state.unit(a.get("unit", "b")), play.state.board.grid.parse(a["to"]))


def _onto(play: Play, a: dict[str, Any]) -> dict[str, int]:
    tn = fall_onto_number(play.state, play.state.unit(a.get("unit", "b")))
    return {"tn": tn.value, **{m.what: m.value for m in tn.modifiers if m.value}}


OPERATIONS |= {
    "number": _number,
    "by_hexes": _by_hexes,
    "around": _around,
    "damage_of": _damage_of,
    "struck": _struck,
    "orders": _orders,
    "why_not": lambda p, a: PhysicalChoices(p.state, [p.state.unit(a.get("unit", "a"))]).why_not(_order(a)),
    "declare": lambda p, a: declare_physical(p, _order(a)),
    "charge": _charge,
    "why_no_charge": lambda p, a: why_not_declare(p.state, *_pair(p, a)),
    "resolve": lambda p, a: resolve_physical(p),
    "where": lambda p, a: {u.id: _name(p, u.cell) for u in p.state.units if u.alive},
    "displaced_to": _towards(displaced_to),
    "preferred": _towards(preferred_hex),
    "missed_charge": _towards(missed_charge_hexes),
    "displace": _displace,
    "open": _open,
    "landing": _landing,
    "onto": _onto,
}


@pytest.mark.parametrize("case", cases("physical"))
def test_physical(case: dict[str, Any]) -> None:
    run(case)


@pytest.mark.parametrize("case", cases("displacement"))
def test_displacement(case: dict[str, Any]) -> None:
    run(case)
