"""Runs the worked cases of damage, criticals, cluster hits, piloting, heat, ending and fire.

A case: ``id``, ``rule``, ``title``; ``given`` (arguments of make_state; a unit may carry ``spec: {field: value}`` to change
its type, and ``psr: [reason, ...]`` rolls due); ``do``: steps, each ``{operation: {arguments}}``; ``dice`` as typed at the
table, all of which must be asked for; ``expect``: ``result`` of the last step, ``events`` (parts of events, in order, others
between them allowed), ``none`` (names of events that must not happen), ``why`` (what the dice were for, part of the words),
and by unit id the fields to find afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from opfor.dice import FedDice, parse_dice
from opfor.game.apply.fire import declare_fire
from opfor.game.legal.fire import FireChoices
from opfor.orders import Attack, FireOrder
from opfor.rules.events import Event
from opfor.rules.harm import criticals, damage, hit_locations
from opfor.rules.pilots import falls, heat, piloting, piloting_rolls, pilots, shutdown
from opfor.rules.play import Play
from opfor.rules.shooting import cluster
from opfor.rules.shooting.weapon_fire import resolve_fire
from opfor.rules.target_number import TargetNumber
from opfor.rules.turn import victory
from opfor.tables import load_yaml
from opfor.units.spec import REAR_ARMOR
from opfor.units.state import UnitState
from tests.support import make_state, test_mech

CASES = Path(__file__).parent / "cases"


def cases(family: str) -> list[Any]:
    """Parameters of every case of a family, in the order of its files."""
    found = []
    for path in sorted((CASES / family).glob("*.yaml")):
        for case in load_yaml(path.read_text(encoding="utf-8")):
            found.append(pytest.param(case, id=case["id"]))
    assert len({p.id for p in found}) == len(found), f"two cases of {family} share an id"
    return found


def run(case: dict[str, Any]) -> None:
    """Play a case and check all that it expects."""
    assert case["title"] and case["rule"]
    given = dict(case.get("given") or {"units": [{"id": "a"}]})
    extras = {}
    units = []
    for entry in given.get("units", ()):
        entry = {"at": "0805", **entry}
        extras[entry["id"]] = entry.pop("psr", ())
        changes = entry.pop("spec", None)
        if changes:
            entry["spec"] = replace(test_mech(**(entry.pop("mech", None) or {})), **changes)
        units.append(entry)
    given["units"] = units
    later = {key: given.pop(key) for key in ("withdrawing", "limit", "edges") if key in given}
    state = make_state(**given)
    for key, value in later.items():
        setattr(state, key, value)
    for id, due in extras.items():
        for reason in due:
            piloting.need_roll(state.unit(id), reason)
    dice = FedDice(parse_dice(str(case.get("dice", ""))))
    play = Play(state, dice)
    result: Any = None
    for step in case["do"]:
        ((name, arguments),) = step.items() if isinstance(step, dict) else ((step, {}),)
        result = OPERATIONS[name](play, dict(arguments or {}))
    assert dice.unused == 0, f"{dice.unused} dice not asked for; asked: {[r.why for r in dice.log]}"
    expect = dict(case["expect"])
    if "result" in expect:
        wanted = expect.pop("result")
        assert result == wanted, f"{result!r}, not {wanted!r}"
    check_events(play.events, expect.pop("events", []), expect.pop("none", []))
    for asked, words in zip(dice.log, expect.pop("why", []), strict=False):
        assert words in asked.why
    if "ended" in expect:
        assert state.winner == expect.pop("ended")
    for id, fields in expect.items():
        check_unit(state.unit(id), fields)


def check_events(events: list[Event], wanted: list[dict[str, Any]], none: list[str]) -> None:
    """The wanted parts of events happened in that order, others between them; those of ``none`` did not."""
    seen = [event.as_dict() for event in events]
    position = 0
    for part in wanted:
        while position < len(seen) and not all(seen[position].get(k) == v for k, v in part.items()):
            position += 1
        assert position < len(seen), f"no event {part} in order among {seen}"
        position += 1
    for name in none:
        assert all(event["event"] != name for event in seen), f"{name} happened"


def check_unit(unit: UnitState, fields: dict[str, Any]) -> None:
    """A unit's fields are as wanted."""
    places = _places(unit)
    for key, wanted in fields.items():
        if key in ("armor", "structure"):
            points = getattr(unit, key)
            assert {name: points[places[name]] for name in wanted} == wanted, key
        elif key == "hits":
            for hit in wanted:
                name, _, kind = hit.partition(":")
                assert unit.hit(places[name], kind), hit
        elif key == "weapons_lost":
            assert [m.index for m in unit.spec.mounts if unit.mounts_lost >> m.index & 1] == wanted, key
        elif key == "psr":
            assert [reason for reason, _, _ in unit.psr] == wanted
        else:
            assert getattr(unit, key) == wanted, key


def _places(unit: UnitState) -> dict[str, int]:
    names = {name: index for index, name in enumerate(unit.spec.locations)}
    if not unit.spec.is_mech:
        return names
    return names | {f"{unit.spec.locations[place]}R": index for place, index in REAR_ARMOR.items()}


def _subject(play: Play, arguments: dict[str, Any]) -> UnitState:
    return play.state.unit(arguments.pop("unit", play.state.units[0].id))


def _located(play: Play, arguments: dict[str, Any]) -> tuple[UnitState, int]:
    unit = _subject(play, arguments)
    return unit, _places(unit)[arguments.pop("location")]


def _number(number: TargetNumber) -> Any:
    if not number.possible:
        return number.why
    return {"tn": number.value, **{m.what: m.value for m in number.modifiers if m.what != "piloting"}}


def _damage(play: Play, a: dict[str, Any]) -> int:
    unit, place = _located(play, a)
    return damage.apply_damage(play, unit, place, a.pop("points"), **a)


def _inside(play: Play, a: dict[str, Any]) -> int:
    unit, place = _located(play, a)
    return damage.damage_structure(play, unit, place, a.pop("points"), **a)


def _slot(play: Play, a: dict[str, Any]) -> None:
    unit, place = _located(play, a)
    criticals.hit_slot(play, unit, place, a.pop("slot") - 1)


def _roll_location(play: Play, a: dict[str, Any]) -> dict[str, Any]:
    unit = _subject(play, a)
    hit = hit_locations.roll_hit_location(play, unit, a.pop("side"), a.pop("table", "normal"), **a)
    return {
        "location": unit.spec.location_name(hit.location),
        **{key: True for key in ("rear", "critical", "covered") if getattr(hit, key)},
    }


def _aimed(play: Play, a: dict[str, Any]) -> str:
    unit, place = _located(play, a)
    return unit.spec.location_name(hit_locations.roll_aimed_location(play, unit, place, a.pop("side")).location)


def _column(play: Play, a: dict[str, Any]) -> list[str]:
    unit = _subject(play, a)
    results = range(2, 13) if a["table"] == "normal" else range(1, 7)
    return [unit.spec.location_name(hit_locations.hit_location(unit.spec.quad, a["side"], a["table"], n)) for n in results]


def _piloting(play: Play, a: dict[str, Any]) -> Any:
    unit = _subject(play, a)
    return _number(piloting.piloting_number(play.state, unit, a.pop("reason"), a.pop("extra", 0), **a))


def _due(play: Play, a: dict[str, Any]) -> None:
    piloting.need_roll(_subject(play, a), a.pop("reason"), a.pop("extra", 0))


def _roll_or_fall(play: Play, a: dict[str, Any]) -> bool:
    return piloting_rolls.roll_or_fall(play, _subject(play, a), a.pop("reason"), **a)


def _avoid(play: Play, a: dict[str, Any]) -> Any:
    number = shutdown.avoid_number(_subject(play, a))
    return None if number is None else _number(number)


def _cook_off(play: Play, a: dict[str, Any]) -> Any:
    number = heat.ammunition_number(_subject(play, a))
    return None if number is None else _number(number)


def _fire(play: Play, a: dict[str, Any]) -> list[Any] | str:
    """Declare fire and resolve it: the number that each attack needed, or why an order is refused.

    ``orders``: each ``unit``, ``twist``, ``flip``, ``primary`` and ``attacks`` (``mount``, ``target``, ``mode``, ``spotter``,
    ``aim``). ``unlikely``: declared although dice cannot make it.
    """
    state = play.state
    for row in a["orders"]:
        attacks = [dict(attack) for attack in row.get("attacks", [] if "clear" in row else [{}])]
        for attack in attacks:
            mount = state.unit(row["unit"]).spec.mounts[attack.setdefault("mount", 0)]
            attack.setdefault("target", "t")
            attack.setdefault("mode", mount.modes[0].name)
        primary = row.get("primary", attacks[0]["target"] if attacks else "")
        shots = tuple(Attack(**attack) for attack in attacks)
        order = FireOrder(row["unit"], row.get("twist", 0), row.get("flip", False), shots, primary, row.get("clear", ""))
        why = FireChoices(state, [state.unit(order.unit)]).why_not(order)
        if why and not a.get("unlikely"):
            return str(why)
        declare_fire(play, order)
    resolve_fire(play, play.state.declared)
    return [e.data["to_hit"]["tn"] for e in play.events if e.what == "attack"]


OPERATIONS: dict[str, Callable[[Play, dict[str, Any]], Any]] = {
    "damage": _damage,
    "inside": _inside,
    "groups": lambda p, a: damage.apply_in_groups(
        p, _subject(p, a), a.pop("points"), a.pop("side"), a.pop("table", "normal"), **a
    ),
    "criticals": lambda p, a: criticals.roll_criticals(p, *_located(p, a), **a),
    "slot": _slot,
    "roll_location": _roll_location,
    "aimed": _aimed,
    "column": _column,
    "cluster": lambda p, a: cluster.cluster_hits(a["column"], a["roll"], a.get("modifier", 0)),
    "cluster_row": lambda p, a: [cluster.cluster_hits(a["column"], roll) for roll in range(2, 13)],
    "roll_cluster": lambda p, a: cluster.roll_cluster(p, _subject(p, a), a["column"], a.get("modifier", 0), "salvo"),
    "piloting": _piloting,
    "injury": lambda p, a: _number(
        piloting.injury_number(p.state, _subject(p, a), a.get("reason", "fall"), a.get("extra", 0), a.get("levels", 0))
    ),
    "due": _due,
    "roll_or_fall": _roll_or_fall,
    "fire": _fire,
    "phase_rolls": lambda p, a: piloting_rolls.resolve_phase_rolls(p),
    "fall": lambda p, a: falls.fall(p, _subject(p, a), **a),
    "fall_damage": lambda p, a: list(falls.fall_damage(a["tons"], a.get("levels", 0), a.get("depth", 0))),
    "hurt": lambda p, a: pilots.hurt_pilot(p, _subject(p, a), a.get("hits", 1), "test"),
    "wake": lambda p, a: pilots.wake_pilots(p),
    "scale": lambda p, a: [heat.scale(a["name"], h) for h in a["at"]],
    "movement_heat": lambda p, a: heat.movement_heat(a["mode"], a.get("hexes", 0), a.get("attempts", 0)),
    "dissipation": lambda p, a: heat.dissipation(p.state, _subject(p, a)),
    "settle_heat": lambda p, a: heat.settle_heat(p),
    "avoid": _avoid,
    "cook_off": _cook_off,
    "crippled": lambda p, a: victory.crippled(p.state, _subject(p, a)),
    "must_withdraw": lambda p, a: victory.must_withdraw(p.state, _subject(p, a)),
    "strength": lambda p, a: victory.strength(p.state, a["side"]),
    "victory": lambda p, a: victory.check_victory(p),
}
