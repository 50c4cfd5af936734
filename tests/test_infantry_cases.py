"""Worked cases of tests/cases/infantry: platoons and squads of battle armour, what they do and what they take. Rule: S-9.

Beside what tests/rule_cases.py reads: ``given`` holds unit ``a`` (a foot platoon with rifles at 0801), ``t`` (side 1, a 'Mech
at 0802 facing north) and ``others``; all stood still. ``fire`` lists the orders of one phase (``[{}]``: ``a`` fires its first
weapon at ``t``); ``do`` further steps. ``result`` of a case with ``fire`` alone is the list of numbers needed, or why an order
is refused. ``dice`` as thrown, all of which must be asked for.
"""

from __future__ import annotations

from typing import Any

import pytest

from opfor.game.apply.physical import declare_physical, resolve_physical
from opfor.game.legal.fire import FireChoices
from opfor.game.legal.physical import PhysicalChoices
from opfor.orders import PhysicalOrder
from opfor.rules.melee.physical import physical_attack
from opfor.rules.play import Play
from opfor.rules.shooting.to_hit import weapon_attack
from opfor.rules.troops import anti_mech, infantry, infantry_damage
from tests import rule_cases
from tests.rule_cases import cases, run

STANDING = {"mode": "stand", "hexes": 0}


def _tn(play: Play, a: dict[str, Any]) -> Any:
    """Number of a weapon of ``unit`` at ``target``, itemised, or why it is impossible."""
    unit, target = play.state.unit(a.get("unit", "a")), play.state.unit(a.get("target", "t"))
    mount = unit.spec.mounts[a.get("mount", 0)]
    number = weapon_attack(play.state, unit, mount, mount.modes[0], target)
    if not number.possible:
        return number.why
    return {"tn": number.value, **{m.what: m.value for m in number.modifiers if m.what not in ("gunnery", "anti-'Mech skill")}}


def _physical(play: Play, a: dict[str, Any]) -> Any:
    """Declare a physical attack of ``unit`` and resolve it, or say why it is refused."""
    order = PhysicalOrder(a.get("unit", "t"), a["attack"], a.get("limb", ""), a.get("target", "a"))
    why = PhysicalChoices(play.state, [play.state.unit(order.unit)]).why_not(order)
    if why:
        return why
    declare_physical(play, order)
    resolve_physical(play)
    return [e.data["to_hit"]["tn"] for e in play.events if e.what == "physical_attack"]


def _physical_number(play: Play, a: dict[str, Any]) -> Any:
    unit, target = play.state.unit(a.get("unit", "t")), play.state.unit(a.get("target", "a"))
    number = physical_attack(play.state, unit, a["attack"], a.get("limb", ""), target)
    return number.value if number.possible else number.why


def _losses(play: Play, a: dict[str, Any]) -> int:
    plain = infantry_damage.plain_losses(a["by"], a.get("parts", []), a.get("dice", []))
    return infantry_damage.losses(a["by"], plain, mechanized=a.get("mechanized", False), open_ground=a.get("open", False))


def _orders(play: Play, a: dict[str, Any]) -> list[str]:
    """Every fire order of a unit, in few words: what is done instead, or the weapons fired."""
    unit = play.state.unit(a.get("unit", "a"))
    found = []
    for order in FireChoices(play.state, [unit]):
        assert not FireChoices(play.state, [unit]).why_not(order)
        found.append(order.clear or " and ".join(unit.spec.mounts[x.mount].id for x in order.attacks) or "hold")
    assert FireChoices(play.state, [unit]).count() == len(found)
    return found


OPERATIONS = {
    "tn": _tn,
    "physical": _physical,
    "physical_number": _physical_number,
    "losses": _losses,
    "orders": _orders,
    "damage_by_hits": lambda p, a: [
        sum(infantry.squad_parts(p.state.unit("a"), p.state.unit("a").spec.mounts[0].modes[0], n, 0))
        for n in range(1, p.state.unit("a").structure[0] + 1)
    ],
    "tasks": lambda p, a: list(anti_mech.infantry_tasks(p.state, p.state.unit("a"))),
    "after_movement": lambda p, a: anti_mech.after_movement(p, p.state.unit(a.get("unit", "t"))),
    "swarm_damage": lambda p, a: anti_mech.swarm_damage(p.state.unit("a")),
    "in_the_open": lambda p, a: infantry.in_the_open(p.state, p.state.unit(a.get("unit", "a"))),
    "touch": lambda p, a: p.state.touch(),
    "put": lambda p, a: setattr(p.state.unit(a["unit"]), "cell", p.state.board.grid.parse(a["at"])),
}


@pytest.mark.parametrize("case", cases("infantry"))
def test_case(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, operation in OPERATIONS.items():
        monkeypatch.setitem(rule_cases.OPERATIONS, name, operation)
    case = dict(case)
    given = dict(case.get("given") or {})
    entry = dict(given.pop("a", None) or {})
    if not _made(entry):
        entry["platoon"] = {}
    a = {"id": "a", "at": "0801", "moved": STANDING, **entry}
    t = {"id": "t", "side": 1, "at": "0802", "moved": STANDING, **(given.pop("t", None) or {})}
    case["given"] = {**given, "units": [a, t, *given.pop("others", ())]}
    case["given"].pop("others", None)
    steps = list(case.pop("do", ()))
    if "fire" in case:
        orders = [{"unit": "a", **order} for order in case.pop("fire")]
        steps.insert(0, {"fire": {"orders": orders, "unlikely": case.pop("unlikely", False)}})
    case["do"] = steps
    run(case)


def _made(entry: dict[str, Any]) -> bool:
    return any(key in entry for key in ("platoon", "suits", "mech", "vehicle", "vtol", "type"))
