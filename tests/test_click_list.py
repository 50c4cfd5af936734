"""What to click in MegaMek: it leads where the order leads, in the order that it asks for. Rules: S-2, S-4, S-8."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from opfor.formats.battle_file.battle import Battle, read_battle
from opfor.game.legal.movement import MovementChoices
from opfor.gm.advice.advise import advise
from opfor.gm.advice.click_list import UnitClicks, _Maker, click_document, click_text
from opfor.hex import DIRECTION_NAMES, format_ccrr
from opfor.orders import ActionOrder, Attack, CallOrder, FireOrder, MoveOrder, Order, PassOrder, PhysicalOrder
from opfor.state import State
from tests.cli_support import opfor, opfor_json
from tests.skirmish import skirmish

BATTLE = """
opfor: 1
ruleset: standard
board: crossroads
turn: 2
phase: fire
sides: {players: {controller: gm}, opfor: {controller: opfor}}
units:
  - {id: alpha, side: players, type: Wolverine WVR-6R, at: "0505", facing: S, name: Ada}
  - {id: bravo, side: players, type: Wolverine WVR-6R, at: "0903", facing: S, notes: MegaMek unit 4}
  - {id: reaver, side: opfor, type: Hunchback HBK-4G, at: "0507", facing: N, notes: MegaMek unit 11}
  - {id: tank, side: opfor, type: Vedette Medium Tank (Standard), at: "0812", facing: N}
"""


def clicks(order: Order, text: str = BATTLE) -> UnitClicks:
    """The clicks of an order in that battle."""
    return _Maker(read_battle(text)).unit(order, "words")


def lines(order: Order, text: str = BATTLE) -> list[str]:
    """The same as lines."""
    return [click.words() for click in clicks(order, text).clicks]


def cell(name: str) -> int:
    """A hex of the board."""
    return read_battle(BATTLE).state.board.grid.parse(name)


def test_walking() -> None:
    """Hexes one by one; a turn is clicked where no hex ahead makes it."""
    order = MoveOrder("reaver", "walk", ("F", "R", "F", "L"), cell("0605"), 0)
    assert lines(order) == [
        "press Walk",
        "click 0506",
        "click 0605",
        "press Turn, click 0604 (to face N)",
        "press Done (check: it must say walking)",
    ]


def test_running_backward_and_standing_up() -> None:
    """Buttons change with the kind of step."""
    assert lines(MoveOrder("reaver", "run", ("UP", "R", "B"), cell("0407"), 1)) == [
        "press Get Up",
        "press Turn, click 0606 (to face NE)",
        "press Back Up",
        "click 0407",
        "press Done (check: it must say running)",
    ]
    assert lines(MoveOrder("reaver", "run", ("F", "F"), cell("0505"), 0))[0] == "press Walk (it runs by going further)"


def test_jumping() -> None:
    """The landing hex, then the facing, if it differs."""
    order = MoveOrder("alpha", "jump", ("J",), cell("0703"), 2)
    assert lines(order) == ["press Jump", "click 0703 (lands)", "press Turn, click 0803 (to face SE)", "press Done"]
    assert len(lines(MoveOrder("alpha", "jump", ("J",), cell("0703"), 3))) == 3


def test_staying_dropping_waiting() -> None:
    """Nothing to move is Done; what that program has no button for is a remark."""
    here = cell("0507")
    assert lines(MoveOrder("reaver", "stand", (), here, 0)) == ["press Done (stays where it is)"]
    assert lines(MoveOrder("reaver", "walk", ("PRONE",), here, 0, prone=True))[0] == "press Prone"
    waits = clicks(MoveOrder("alpha", "wait", (), cell("0505"), 3))
    assert (waits.clicks, len(waits.remarks)) == ([], 1)
    held = clicks(MoveOrder("reaver", "walk", ("F",), cell("0506"), 0, act="opportunity"))
    assert "opportunity action" in held.remarks[0]


def test_charges() -> None:
    """The way, then the button and the target's hex."""
    order = MoveOrder("reaver", "walk", ("F",), cell("0506"), 0, attack="charge", target="alpha")
    assert lines(order)[-2] == "press Charge, click 0505 (at Wolverine WVR-6R (Ada))"


def test_firing() -> None:
    """Twist first, the primary target before the others, each target picked once, weapon by weapon."""
    order = FireOrder(
        "reaver", 1, attacks=(Attack(0, "bravo"), Attack(1, "alpha"), Attack(2, "alpha", "cluster", aim="HD")), primary="alpha"
    )
    found = lines(order)
    assert found[0] == "press Twist, click 0606 (to NE)"
    targets = [line for line in found if "the target" in line]
    assert targets == [
        "choose Wolverine WVR-6R (Ada), click 0505 (the target)",
        "choose Wolverine WVR-6R, unit 4, click 0903 (the target)",
    ]
    assert found.count("press Fire") == 3
    assert "press Mode, choose cluster (or its ammunition)" in found
    assert "choose HD (in the window of aimed shots)" in found
    assert found[-1] == "press Done"
    assert clicks(order).number == 11


def test_holding_fire_and_tasks() -> None:
    """No attacks; turrets and weapons to be cleared."""
    assert lines(FireOrder("reaver")) == ["press Done (holds its fire)"]
    assert lines(FireOrder("tank", clear="turret")) == ["press Clear Turret", "press Done"]
    assert lines(FireOrder("tank", clear="0"))[0].startswith("press Unjam, choose ")
    assert clicks(FireOrder("reaver", clear="opportunity")).remarks


def test_hexes_as_targets() -> None:
    """A hex fired at."""
    assert "choose hex 0512, click 0512 (the target)" in lines(
        FireOrder("reaver", attacks=(Attack(0, "@0512"),), primary="@0512")
    )


@pytest.mark.parametrize(
    "order, wanted",
    [
        (PhysicalOrder("reaver"), ["press Done (no attack)"]),
        (
            PhysicalOrder("reaver", "punch", "both", "alpha"),
            ["choose Wolverine WVR-6R (Ada), click 0505 (the target)", "press Punch, choose both arms", "press Done"],
        ),
        (
            PhysicalOrder("reaver", "kick", "RL", "alpha"),
            ["choose Wolverine WVR-6R (Ada), click 0505 (the target)", "press Kick, choose right leg", "press Done"],
        ),
        (
            PhysicalOrder("reaver", "hatchet", "RA", "alpha"),
            ["choose Wolverine WVR-6R (Ada), click 0505 (the target)", "press Club, choose hatchet", "press Done"],
        ),
        (PhysicalOrder("reaver", "pick_up"), ["press Find Club", "press Done"]),
    ],
)
def test_physical_attacks(order: PhysicalOrder, wanted: list[str]) -> None:
    """Target, attack and limb."""
    assert lines(order) == wanted


@pytest.mark.parametrize("order", [ActionOrder("reaver", "hack"), PassOrder("reaver"), CallOrder("reaver")])
def test_what_has_no_button_is_said(order: Order) -> None:
    """Nothing is left out without a word."""
    found = clicks(order)
    assert (found.clicks, len(found.remarks)) == ([], 1)


@pytest.mark.parametrize("seed", range(8))
def test_the_clicks_lead_where_the_order_leads(seed: int) -> None:
    """Any legal movement of any unit: each hex clicked is next to the last, the last is the order's, and so is the facing."""
    state = skirmish(seed, kinds=("mech", "vehicle", "vtol"))
    state.phase = "movement"
    draw = random.Random(seed)
    battle = Battle({}, state, "test")
    for unit in state.units:
        for _ in range(6):
            order = MovementChoices(state, [unit]).sample(draw.randrange)
            assert isinstance(order, MoveOrder)
            follow(state, order, _Maker(battle).unit(order, ""))


def follow(state: State, order: MoveOrder, found: UnitClicks) -> None:
    """Click as told, as that program takes it."""
    unit, grid = state.unit(order.unit), state.board.grid
    at, facing, button = unit.cell, unit.facing, ""
    for click in found.clicks:
        button = click.press or button
        if click.press == "Turn":
            facing = DIRECTION_NAMES.index(click.why.rpartition(" ")[2])
            if click.hex:
                assert grid.direction_to(at, grid.parse(click.hex)) == facing
        elif click.hex and click.press not in ("Charge", "D.F.A.", "Mount"):
            new = grid.parse(click.hex)
            if button == "Jump":
                at = new
                continue
            direction = grid.direction_to(at, new)
            assert direction is not None, f"{click.hex} is not next to {format_ccrr(grid.columns[at], grid.rows[at])}"
            if not click.why and button != "Back Up":
                facing = direction
            at = new
    if "EXIT" in order.path:
        return
    assert (at, facing) == (order.to, order.facing), (order, found.clicks)
    assert found.clicks[-1].press == "Done"


# -- the whole --------------------------------------------------------------------------------------------------------


def test_text_and_json_agree(tmp_path: Path) -> None:
    """Phases of that program in their order, every unit of the advice, the same clicks in both forms."""
    battle = read_battle(BATTLE.replace("standard", "campaign", 1))
    advice = advise(battle)
    document: dict[str, Any] = click_document(battle, advice)
    phases = [row["phase"] for row in document["phases"]]
    assert phases == sorted(phases, key=["targeting", "movement", "firing", "physical", "none"].index)
    units = [unit for row in document["phases"] for unit in row["units"]]
    assert len(units) == len(advice.advised)
    text = click_text(battle, advice)
    for unit in units:
        assert f"{unit['unit']}: {unit['order']}" in text
        for click in unit["clicks"]:
            assert all(str(value) in text for value in click.values())
    assert json.loads(json.dumps(document)) == document


def test_command(tmp_path: Path) -> None:
    """``opfor orders BATTLE --format clicks``, and with ``--json``."""
    path = tmp_path / "b.yaml"
    path.write_text(BATTLE)
    assert opfor("orders", path, "--format", "clicks").stdout.startswith("# b, turn 2: what to click in MegaMek")
    assert opfor_json("orders", path, "--format", "clicks")["program"] == "MegaMek"
    opfor("orders", path, "--format", "clocks", code=1)
