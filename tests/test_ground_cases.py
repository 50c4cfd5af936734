"""Worked cases of tests/cases/ground: buildings, woods, fire and smoke, mines, ice, and hexes as targets.

As tests/rule_cases.py reads them, and more: ``given`` may hold ``wind`` (a direction or -1); a unit named ``a`` stands at 0801
facing south, one named ``t`` (side 1) at 0804 facing north; ``hexes`` under ``expect`` are fields of hexes afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from opfor.dice import FedDice, parse_dice
from opfor.game.legal.fire import FireChoices
from opfor.hex import parse_direction
from opfor.rules.moving import entering
from opfor.rules.moving.displacement import displace
from opfor.rules.play import Play
from opfor.rules.terrain import buildings, fire, ground_effects, hexes, ice, minefields, woods
from opfor.tables.arsenal import launchers
from opfor.units.state import UnitState
from tests.rule_cases import OPERATIONS, cases, check_events, check_unit
from tests.support import make_state

STANDING = {"mode": "stand", "hexes": 0}
PLACES: dict[str, dict[str, Any]] = {
    "a": {"at": "0801", "facing": "S", "moved": STANDING},
    "t": {"at": "0804", "facing": "N", "side": 1, "moved": STANDING},
}


def _cell(play: Play, at: str) -> int:
    return play.state.board.grid.parse(at)


def _unit(play: Play, a: dict[str, Any]) -> UnitState:
    return play.state.unit(a.get("unit", play.state.units[0].id))


def _trigger(play: Play, a: dict[str, Any]) -> Any:
    unit = _unit(play, a)
    number = minefields.trigger_number(play.state, unit, unit.cell)
    return number.value if number.possible else number.why


def _ignition(play: Play, a: dict[str, Any]) -> Any:
    mode = next(m for m in launchers()[a["weapon"]] if m.name == a.get("mode", ""))
    number = fire.ignition_number(mode, play.state.board.at(a["at"]))
    return number.value if number.possible else number.why


def _orders(play: Play, a: dict[str, Any]) -> dict[str, int]:
    """By primary target, how many orders of straight-ahead fire are listed."""
    listed: dict[str, int] = {}
    for order in FireChoices(play.state, [_unit(play, a)]):
        if not order.twist and not order.flip:
            listed[order.primary] = listed.get(order.primary, 0) + 1
    return listed


def _shelter(play: Play, a: dict[str, Any]) -> list[Any]:
    state = play.state
    target = state.unit(a.get("target", "t"))
    attacker = state.unit(a["by"]) if "by" in a else None
    found = buildings.shelter_of(state, attacker, target)
    if found is None:
        return list(a["parts"])
    through, kept = buildings.sheltered(found, list(a["parts"]))
    return [*through, {"walls": kept}]


def _displace(play: Play, a: dict[str, Any]) -> None:
    unit = play.state.unit(a.get("unit", "b"))
    displace(play, unit, unit.cell + play.state.board.grid.step[a["direction"]], a["direction"], why="test")


OWN: dict[str, Callable[[Play, dict[str, Any]], Any]] = {
    "enter": lambda p, a: entering.entered_hex(p, _unit(p, a), landed=a.get("landed", False)),
    "damage_building": lambda p, a: buildings.damage_building(p, None, _cell(p, a["at"]), a["points"]),
    "weaken": lambda p, a: buildings.damage_building(p, None, _cell(p, a["at"]), a["points"], hold=True),
    "settle_weakened": lambda p, a: buildings.settle_weakened(p),
    "collapse": lambda p, a: buildings.collapse(p, _cell(p, a["at"])),
    "shelter": _shelter,
    "share": lambda p, a: buildings.share_inside(
        p.state, p.state.unit(a["by"]) if "by" in a else None, p.state.unit("t"), a["points"]
    ),
    "damage_woods": lambda p, a: woods.damage_woods(p, None, _cell(p, a["at"]), a["points"]),
    "trigger": _trigger,
    "clear_by_hand": lambda p, a: minefields.clear_by_hand(p, _unit(p, a)),
    "why_not_clear": lambda p, a: minefields.why_not_clear(p.state, _unit(p, a)),
    "lay": lambda p, a: minefields.lay(p, _cell(p, a["at"]), a["density"], a.get("known", 0)),
    "ignition": _ignition,
    "ignite": lambda p, a: fire.ignite(p, None, _cell(p, a["at"]), "test"),
    "spread": lambda p, a: fire.spread(p, fire.burning_cells(p.state)),
    "consume": lambda p, a: fire.consume(p, fire.burning_cells(p.state)),
    "scorch": lambda p, a: fire.scorch(p),
    "drift": lambda p, a: fire.drift(p),
    "settle_ground": lambda p, a: ground_effects.settle_ground(p),
    "break_ice": lambda p, a: ice.break_ice(p, _cell(p, a["at"])),
    "hexes": lambda p, a: [p.state.board.grid.names[cell] for cell in hexes.hex_targets(p.state, _unit(p, a))],
    "why_not_hex": lambda p, a: hexes.why_not_hex(p.state, _unit(p, a), a["target"]),
    "orders": _orders,
    "displace": _displace,
    "depth": lambda p, a: p.state.board.depth[_cell(p, a["at"])],
}


@pytest.mark.parametrize("case", cases("ground"))
def test_case(case: dict[str, Any]) -> None:
    assert case["title"] and case["rule"]
    given = dict(case.get("given") or {})
    given["units"] = [{**PLACES.get(unit["id"], {}), **unit} for unit in given.get("units", ({"id": "a"},))]
    wind = given.pop("wind", -1)
    state = make_state(**given)
    state.wind = wind if isinstance(wind, int) else parse_direction(wind)
    dice = FedDice(parse_dice(str(case.get("dice", ""))))
    play = Play(state, dice)
    result: Any = None
    for step in case["do"]:
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
