"""Worked cases of tests/cases/munitions: special missiles in fire, and when they explode. Rules: E-32, E-33, E-33a.

As tests/rule_cases.py reads them, and more: unit ``a`` (the launcher, at 0801 facing south) and one named ``t`` (side 1, at
0804 facing north) stand still; ``fire`` lists the orders of one phase before the steps of ``do``; ``ammo`` of a unit's
type are names as on a record sheet. ``hexes`` under ``expect`` are fields of hexes afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from opfor.dice import FedDice, parse_dice
from opfor.game.view import seen_by
from opfor.rules.harm import explosions
from opfor.rules.loads import inferno
from opfor.rules.moving import entering
from opfor.rules.play import Play
from opfor.rules.shooting.expectation import harm_on_hit
from opfor.rules.shooting.to_hit import FireSolver
from opfor.rules.vehicles import vehicle_criticals
from tests.rule_cases import OPERATIONS, cases, check_events, check_unit
from tests.support import make_state

STANDING = {"mode": "stand", "hexes": 0}
PLACES: dict[str, dict[str, Any]] = {
    "a": {"at": "0801", "facing": "S", "moved": STANDING},
    "t": {"at": "0804", "facing": "N", "side": 1, "moved": STANDING},
}


def _explode(play: Play, a: dict[str, Any]) -> bool:
    unit = play.state.unit(a.get("unit", "a"))
    index = a.get("bin", 0)
    return explosions.explode_bin(play, unit, index, unit.ammo[index], "critical hit")


def _critical(play: Play, a: dict[str, Any]) -> None:
    unit = play.state.unit(a["unit"])
    vehicle_criticals.apply_critical(play, unit, unit.spec.locations.index(a["location"]), a["result"])


def _avoid(play: Play, a: dict[str, Any]) -> list[int | None]:
    unit = play.state.unit("a")
    found: list[int | None] = []
    for heat in a["at"]:
        unit.heat = heat
        number = inferno.avoid_number(unit)
        found.append(None if number is None else number.value)
    return found


def _harm(play: Play, a: dict[str, Any]) -> float:
    """Mean harm of a hit by each mode of the launcher's first weapon, at a target, to two digits."""
    state = play.state
    unit, target = state.unit("a"), state.target(a.get("target", "t"))
    mount = unit.spec.mounts[0]
    distance = state.board.grid.distance(unit.cell, target.cell)
    return round(harm_on_hit(state, unit, mount, mount.modes[0], target, distance), 2)


def _mines_seen(play: Play, a: dict[str, Any]) -> list[int]:
    """Density of a field as each side knows it."""
    state = play.state
    cell = state.board.grid.parse(a["at"])
    return [seen_by(state, side).board.hexes[cell].mines for side in range(len(state.sides))]


def _open_modes(play: Play, a: dict[str, Any]) -> list[str]:
    solver = FireSolver(play.state, play.state.unit("a"))
    mount = play.state.unit("a").spec.mounts[0]
    return sorted({shot.mode.name for shot in solver.shots(mount, solver.postures()[0])})


OWN: dict[str, Callable[[Play, dict[str, Any]], Any]] = {
    "explode": _explode,
    "critical": _critical,
    "avoid_infernos": _avoid,
    "harm": _harm,
    "mines_seen": _mines_seen,
    "modes": lambda p, a: [mode.name for mode in p.state.unit("a").spec.mounts[a.get("mount", 0)].modes],
    "open_modes": _open_modes,
    "enter": lambda p, a: entering.entered_hex(p, p.state.unit(a["unit"])),
}


@pytest.mark.parametrize("case", cases("munitions"))
def test_case(case: dict[str, Any]) -> None:
    assert case["title"] and case["rule"]
    given = dict(case.get("given") or {})
    entries = [{"id": "a", **(given.pop("a", None) or {})}]
    target = given.pop("t", {})
    if target is not None:
        entries.append({"id": "t", **target})
    given["units"] = [{**PLACES.get(unit["id"], {"moved": STANDING}), **unit} for unit in (*entries, *given.pop("others", ()))]
    state = make_state(**given)
    dice = FedDice(parse_dice(str(case.get("dice", ""))))
    play = Play(state, dice)
    steps = list(case.get("do", ()))
    if "fire" in case:
        orders = [{"unit": "a", **order} for order in case["fire"]]
        steps.insert(0, {"fire": {"orders": orders, "unlikely": case.get("unlikely", False)}})
    result: Any = None
    for step in steps:
        ((name, arguments),) = step.items() if isinstance(step, dict) else ((step, {}),)
        result = (OWN.get(name) or OPERATIONS[name])(play, dict(arguments or {}))
    assert dice.unused == 0, f"{dice.unused} dice not asked for; asked: {[r.why for r in dice.log]}"
    expect = dict(case["expect"])
    if "result" in expect:
        assert result == expect.pop("result")
    check_events(play.events, expect.pop("events", []), expect.pop("none", []))
    for asked, words in zip(dice.log, expect.pop("why", []), strict=False):
        assert words in asked.why
    for at, wanted in expect.pop("hexes", {}).items():
        hex = state.board.at(at)
        assert {name: getattr(hex, name) for name in wanted} == wanted, at
    for id, wanted in expect.items():
        check_unit(state.unit(id), wanted)
