"""Worked cases of the campaign's physical combat and pilots: tests/cases/campaign_physical. Rule: E-7, E-9 to E-11, E-36 to 38.

Cases as in :mod:`tests.rule_cases`, with the operations of :mod:`tests.test_physical_cases` and these: ``later`` (an attack
made with fire, that waits), ``at_once``, ``set`` {unit, field: value} (something that has happened meanwhile), ``waiting``
(attacks that wait, as words), ``rules`` (ledger id of each modifier of an attack), ``initiative``, ``levels`` (of all units),
``wounds`` (of a pilot), ``crippled_words``.
"""

from __future__ import annotations

from typing import Any

import pytest

from opfor.game.apply.physical import strike_at_once, strike_later
from opfor.game.legal.physical import PhysicalChoices
from opfor.orders import PhysicalOrder
from opfor.rules.melee.levels import physical_level
from opfor.rules.melee.physical import physical_attack
from opfor.rules.pilots.wounds import wounds_of
from opfor.rules.play import Play
from opfor.rules.turn.initiative import initiative_number
from opfor.rules.turn.victory import crippled
from tests import test_physical_cases
from tests.rule_cases import OPERATIONS, cases, run


def _order(play: Play, a: dict[str, Any]) -> PhysicalOrder:
    order = PhysicalOrder(a.get("unit", "a"), a["attack"], a.get("limb", ""), a.get("target", "b"))
    why = PhysicalChoices(play.state, [play.state.unit(order.unit)]).why_not(order)
    assert not why, why
    return order


def _set(play: Play, a: dict[str, Any]) -> None:
    unit = play.state.unit(a.pop("unit"))
    for key, value in a.items():
        if key == "at":
            unit.cell = play.state.board.grid.parse(value)
        elif key == "lost":
            unit.structure[unit.spec.locations.index(value)] = 0
        else:
            setattr(unit, key, value)
    play.state.touch()


def _waiting(play: Play, a: dict[str, Any]) -> list[str]:
    return [
        " ".join(part for part in (blow.attacker, blow.attack, blow.limb, blow.target, "" if blow.hit else "missed") if part)
        for blow in play.state.pending
    ]


def _rules(play: Play, a: dict[str, Any]) -> dict[str, str]:
    state = play.state
    tn = physical_attack(state, state.unit("a"), a["attack"], a.get("limb", ""), state.unit("b"))
    return {m.what: m.rule for m in tn.modifiers}


def _initiative(play: Play, a: dict[str, Any]) -> dict[str, int]:
    tn = initiative_number(play.state, play.state.unit(a.get("unit", "a")))
    return {"tn": tn.value, **{m.what: m.value for m in tn.modifiers}}


def _wounds(play: Play, a: dict[str, Any]) -> dict[str, str]:
    return {name: f"{w.nonlethal} nl, {w.lethal} L" for name, w in wounds_of(play.state.unit(a.get("unit", "a"))).items()}


assert test_physical_cases
OPERATIONS |= {
    "later": lambda p, a: strike_later(p, _order(p, a)),
    "at_once": lambda p, a: strike_at_once(p, _order(p, a)),
    "set": _set,
    "waiting": _waiting,
    "rules": _rules,
    "initiative": _initiative,
    "levels": lambda p, a: {unit.id: physical_level(unit) for unit in p.state.units},
    "wounds": _wounds,
    "crippled_words": lambda p, a: crippled(p.state, p.state.unit(a.get("unit", "a"))),
}


@pytest.mark.parametrize("case", cases("campaign_physical"))
def test_campaign_physical(case: dict[str, Any]) -> None:
    run(case)
