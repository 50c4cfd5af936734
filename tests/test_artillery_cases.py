"""Worked cases of artillery, bomb runs, spotting and indirect fire. Rule: E-4, E-30, E-31, E-34, E-35, M-5.

Beside what tests/rule_cases.py reads: ``do`` steps ``announce`` (a call that must be listed; its result is the turn in which it
lands), ``land`` (the result is the hexes of the bursts), ``fly`` (a VTOL's movement), ``spotting`` and ``tn`` (itemised
numbers). ``ruleset`` stands beside ``given``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from opfor.dice import FedDice, SeededDice
from opfor.errors import IllegalOrder
from opfor.game.apply.movement import apply_movement
from opfor.game.game import Game
from opfor.game.invariants import Invariants
from opfor.game.legal.calls import CallChoices
from opfor.game.legal.fire import FireChoices
from opfor.game.loop import play_out
from opfor.game.turns.common import enter
from opfor.game.view import View
from opfor.orders import Attack, CallOrder, MoveOrder
from opfor.rules.barrage import artillery, blast, bombs, indirect, scatter, spotting
from opfor.rules.play import Play
from opfor.rules.shooting.to_hit import cover_and_side, weapon_attack
from opfor.rules.target_number import TargetNumber
from opfor.units.hex_target import names_hex
from opfor.units.spec import Mount
from policies.random_policy import RandomPolicy
from tests import rule_cases
from tests.conformance.choices import check_choices
from tests.rule_cases import cases, run
from tests.skirmish import skirmish
from tests.support import make_state


def _items(number: TargetNumber) -> Any:
    return {"tn": number.value, **{m.what: m.value for m in number.modifiers}} if number.possible else number.why


def _order(play: Play, a: dict[str, Any]) -> CallOrder:
    cell = play.state.board.grid.parse(a["at"]) if "at" in a else -1
    unit = play.state.unit(a.get("unit", "g"))
    what = a.get("what", "artillery")
    mount = -1 if what != "artillery" else a.get("mount", 0)
    count = a.get("count", 1 if what == "bomb" else 0)
    return CallOrder(unit.id, what, mount, a.get("mode", ""), cell, a.get("target", ""), a.get("spotter", ""), count)


def _announce(play: Play, a: dict[str, Any]) -> Any:
    order = _order(play, a)
    if order not in artillery.calls_of(play.state, play.state.unit(order.unit)):
        return "not listed"
    artillery.announce(play, order)
    return play.state.shells[-1].turn


def _land(play: Play, a: dict[str, Any]) -> list[str]:
    artillery.land_shells(play)
    return [event.data["at"] for event in play.events if event.what == "burst"]


def _calls(play: Play, a: dict[str, Any]) -> dict[str, Any]:
    """What a unit may announce: how many orders, hexes, spotters, modes, counts of bombs."""
    found = artillery.calls_of(play.state, play.state.unit(a.get("unit", "g")))
    names = play.state.board.grid.names
    hexes = sorted({names[order.cell] for order in found if order.cell >= 0})
    return {
        "count": len(found),
        "hexes": hexes if len(hexes) < 8 else len(hexes),
        "spotters": sorted({order.spotter for order in found}),
        "modes": sorted({order.mode for order in found}),
        "targets": sorted({order.target for order in found if order.target}),
    }


def _fly(play: Play, a: dict[str, Any]) -> Any:
    """A VTOL's movement: ``path`` from where it is, level unless it climbs or dives; what is left of its shells."""
    state = play.state
    unit = state.unit(a.get("unit", "v"))
    grid, cell, facing = state.board.grid, unit.cell, unit.facing
    for step in a["path"]:
        if step == "F":
            cell = grid.neighbour(cell, facing)
        facing = (facing + {"L": -1, "R": 1}.get(step, 0)) % 6
    height = unit.elevation + state.board.level[unit.cell] - state.board.level[cell]
    height += a["path"].count("CLIMB") - a["path"].count("DIVE")
    order = MoveOrder(unit.id, a.get("mode", "run"), tuple(a["path"]), cell, facing, height)
    assert apply_movement(play, order)
    bombs.flown(play, unit, order)
    return [shell.level for shell in state.shells]


def _target(play: Play, id: str) -> Any:
    if names_hex(id):
        return spotting.aimed_hex(play.state, play.state.board.grid.parse(id[1:]))
    return play.state.unit(id)


def _mount(play: Play, a: dict[str, Any]) -> tuple[Mount, Any]:
    unit = play.state.unit(a.get("unit", "a"))
    mount = unit.spec.mounts[a.get("mount", 0)]
    return mount, next(mode for mode in mount.modes if mode.name == a.get("mode", mount.modes[0].name))


def _tn(play: Play, a: dict[str, Any]) -> Any:
    state = play.state
    spotter = state.unit(a["spotter"]) if "spotter" in a else None
    fights = spotter is not None and spotter.fired != 0
    unit, target = state.unit(a.get("unit", "a")), state.unit(a.get("target", "t"))
    return _items(weapon_attack(state, unit, *_mount(play, a), target, spotter=spotter, spotter_attacks=fights))


def _sides(play: Play, a: dict[str, Any]) -> str:
    return cover_and_side(play.state, play.state.unit(a["unit"]), play.state.unit(a["target"]))[1]


def _burst(play: Play, a: dict[str, Any]) -> None:
    grid = play.state.board.grid
    origin = grid.parse(a["origin"]) if "origin" in a else -1
    blast.burst(play, grid.parse(a["at"]), a["damage"], "a shell", origin=origin)


def _hex(play: Play, a: dict[str, Any]) -> dict[str, Any]:
    hex = play.state.board.hexes[play.state.board.grid.parse(a["at"])]
    return {key: getattr(hex, key) for key in a["show"]}


def _scatter(play: Play, a: dict[str, Any]) -> str:
    grid = play.state.board.grid
    return grid.names[scatter.scatter(play, grid.parse(a["at"]), a["hexes"], "a shell")]


def _change(play: Play, a: dict[str, Any]) -> None:
    """Fields of a unit, or the turn."""
    if "turn" in a:
        play.state.turn = a.pop("turn")
    for id, fields in a.items():
        for key, value in fields.items():
            if key == "at":
                key, value = "cell", play.state.board.grid.parse(value)
            setattr(play.state.unit(id), key, value)
    play.state.touch()


def _standard(play: Play, a: dict[str, Any]) -> Any:
    return _items(artillery.standard_number(play.state, _order(play, a)))


def _bomb_number(play: Play, a: dict[str, Any]) -> Any:
    shell = replace(play.state.shells[-1], level=a["level"])
    return _items(bombs.bomb_number(play.state, play.state.unit(shell.order.unit), shell))


def _shells(play: Play, a: dict[str, Any]) -> list[str]:
    """Which units' shells a side knows of."""
    return [shell.order.unit for shell in View(play.state, a["side"]).state.shells]


STEPS: dict[str, Any] = {
    "announce": _announce,
    "land": _land,
    "calls": _calls,
    "fly": _fly,
    "tn": _tn,
    "side": _sides,
    "burst": _burst,
    "hex": _hex,
    "scatter": _scatter,
    "change": _change,
    "standard": _standard,
    "bomb_number": _bomb_number,
    "shells": _shells,
    "flight": lambda p, a: [artillery.flight_turns(hexes) for hexes in a["hexes"]],
    "spotting": lambda p, a: _items(
        spotting.spotting_number(p.state, p.state.unit(a.get("unit", "s")), _target(p, a.get("target", "t")))
    ),
    "spot": lambda p, a: spotting.spot(p, p.state.unit(a.get("unit", "s")), _target(p, a.get("target", "t"))),
    "enter": lambda p, a: enter(p, a["phase"]),
    "is_indirect": lambda p, a: [indirect.is_indirect(Attack(0, "t")), indirect.is_indirect(Attack(0, "t", spotter="s"))],
}


@pytest.fixture(autouse=True)
def _steps(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, step in STEPS.items():
        monkeypatch.setitem(rule_cases.OPERATIONS, name, step)


@pytest.mark.parametrize("case", cases("artillery") + cases("indirect"))
def test_case(case: dict[str, Any]) -> None:
    run(case)


BATTERY = {
    "ruleset": "campaign",
    "board": {"0804": "level 4"},
    "phase": "initiative",
    "units": [
        {"id": "g", "at": "0801", "facing": "S", "type": "Fletcher FLT-4A"},
        {"id": "a", "at": "0701", "facing": "S", "vehicle": {"weapons": {"FR": ["is_lrm20"]}, "ammo": ["LRM 20 Ammo"]}},
        {"id": "s", "at": "0807", "facing": "S"},
        {"id": "v", "at": "1002", "facing": "S", "elevation": 4, "bombs": 2, "vtol": {}},
        {"id": "t", "side": 1, "at": "0812"},
        {"id": "u", "side": 1, "at": "1010"},
    ],
}


def test_announcements_and_indirect_fire_keep_the_promises_of_legal_orders() -> None:
    state = make_state(**BATTERY)
    check_choices(CallChoices(state, state.units[:4]))
    check_choices(FireChoices(state, [state.unit("a")]))
    state.unit("t").tagged = True
    check_choices(FireChoices(state, [state.unit("a")]))


def test_whoever_aims_at_nothing_listed_is_refused() -> None:
    state = make_state(**BATTERY)
    game = Game(state, FedDice([]))
    with pytest.raises(IllegalOrder):
        game.apply(CallOrder("g", "artillery", 4, cell=state.board.grid.parse("0101")))
    with pytest.raises(IllegalOrder):
        game.apply(CallOrder("v", "bomb", cell=state.board.grid.parse("1010"), count=3))


def test_a_turn_with_a_shell_and_a_bomb_run() -> None:
    """Both are announced before anybody moves, and come down after all fire. Rule: E-4, E-8."""
    state = make_state(**BATTERY)
    for unit in state.units:
        unit.mental = 2
    game = Game(state, SeededDice(3))
    parse = state.board.grid.parse
    seen: list[Any] = []
    while (decision := game.decision()) is not None and state.turn == 1:
        order: Any = None
        if decision.kind == "call":
            unit = decision.units[0].id
            order = CallOrder(unit)
            if unit == "g":
                order = CallOrder("g", "artillery", 4, cell=parse("0812"), spotter="s")
            elif unit == "v":
                order = CallOrder("v", "bomb", cell=parse("1010"), count=2)
        elif decision.kind == "movement":
            unit = decision.units[0].id
            order = MoveOrder(unit, "stand", (), decision.units[0].cell, decision.units[0].facing, decision.units[0].elevation)
            if unit == "v":
                order = MoveOrder("v", "run", ("F",) * 10, parse("1012"), 3, 4)
        if order is None or order not in decision.legal:
            order = next(iter(decision.legal))
        for event in game.apply(order):
            seen.append(event)
    names = [event.what for event in seen]
    assert names.count("announced") == 2
    assert names.index("bombs_away") < names.index("bombs")
    last_fire = max(index for index, event in enumerate(seen) if event.what == "phase" and event.data["phase"] == "physical")
    assert last_fire < names.index("shell") and last_fire < names.index("bombs")
    assert not state.shells
    assert state.unit("v").bombs == 0
    assert state.unit("g").ammo[0] == 4


def test_a_copied_battle_goes_its_own_way() -> None:
    state = make_state(**BATTERY)
    twin = state.copy()
    artillery.announce(Play(twin, FedDice([])), CallOrder("v", "bomb", cell=state.board.grid.parse("1010"), count=1))
    twin.sightings["s", "t"] = 1
    twin.corrections["g", 5] = 1
    assert not state.shells and not state.sightings and not state.corrections


@pytest.mark.parametrize("ruleset", ["campaign", "standard"])
def test_random_battles_with_batteries(ruleset: str) -> None:
    a = ["Fletcher FLT-4A", "Battery Long Tom Carrier", "Raven RVN-3L"]
    b = ["Thresher Bomber VTOL", "Battery Thumper Carrier", "Battery Sniper Carrier"]
    state = skirmish(5, a=a, b=b, ruleset=ruleset, limit=3)
    for unit in state.units:
        if unit.spec.kind == "vtol":
            unit.elevation = 5
    game = Game(state, SeededDice(5))
    play_out(game, [RandomPolicy(5), RandomPolicy(6)], [Invariants()])
    assert game.over
