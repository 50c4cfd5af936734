"""The veteran's actions under the campaign's rules: on the way, at several targets, spotting, blows, missions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from opfor.dice import SeededDice
from opfor.formats.battle_file.battle_missions import read_missions
from opfor.formats.battle_file.battle_schema import BattleFile
from opfor.formats.source import Document
from opfor.game.game import Game
from opfor.orders import ActionOrder, FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.rules.missions.mission_actions import start
from opfor.rules.play import Play
from opfor.rules.shooting.framing import frame
from opfor.state import State
from policies.veteran import VeteranPolicy
from policies.veteran.charges import best_charge
from policies.veteran.movement import choose_movement
from tests.veteran_table import LASERS, LRMS, campaign, order_of, plan_of

# -- complex actions with movement (M-2, M-3, M-8) ----------------------------------------------------------------------


def test_it_shoots_on_the_way_and_goes_on_out_of_sight() -> None:
    """It walks into the gap between the hills, fires at b, which answers later, and is behind a hill by then."""
    state = campaign(
        [
            {"id": "a", "at": "0605", "facing": "SE", "waiting": True, "mech": {**LASERS, "walk": 6}},
            {"id": "b", "side": 1, "at": "0809", "facing": "N", "moved": {"mode": "stand"}, "type": "Hunchback HBK-4G"},
        ],
        board={"0306 0406 0507 0606 0707 0907 1006 1107 1206": "level 4"},
    )
    state.stage = "players"
    game = Game(state, SeededDice(1))
    policy = VeteranPolicy(0)
    orders: list[Order] = []
    while (decision := game.decision()) is not None and decision.side == 0:
        orders.append(policy.choose(decision, game.view(0)))
        game.apply(orders[-1])
    stop, fire, on = orders[:3]
    assert isinstance(stop, MoveOrder)
    assert stop.act == "pause"
    assert "shoot on the way" in stop.reason
    assert isinstance(fire, FireOrder)
    assert fire.attacks
    assert isinstance(on, MoveOrder)
    assert on.path
    assert frame(state, state.unit("b"), state.unit("a")).why


def test_with_no_shot_worth_taking_it_hurries() -> None:
    state = campaign(
        [
            {"id": "a", "at": "0802", "facing": "S", "mech": LASERS},
            {"id": "b", "side": 1, "at": "0838", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS},
        ],
        "movement",
        size=(16, 40),
    )
    order = order_of(state)
    assert isinstance(order, MoveOrder)
    assert order.mode == "sprint"
    assert "sprints" in order.reason


def test_a_crippled_unit_under_fire_evades_or_sprints_home() -> None:
    state = campaign(
        [
            {"id": "a", "at": "0808", "facing": "N", "mech": LASERS, "engine_hits": 2, "armor": {"CT": 2}},
            {"id": "b", "side": 1, "at": "0814", "facing": "N", "moved": {"mode": "stand"}, "type": "Awesome AWS-8Q"},
        ],
        "movement",
    )
    state.edges = ["north", "south"]
    state.withdrawing = [True, False]
    order = order_of(state)
    assert isinstance(order, MoveOrder)
    assert order.mode in ("evade", "sprint", "run")


def test_near_the_enemy_it_fights() -> None:
    state = campaign(
        [
            {"id": "a", "at": "0804", "facing": "S", "mech": LASERS},
            {"id": "b", "side": 1, "at": "0809", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS},
        ],
        "movement",
    )
    order = order_of(state)
    assert isinstance(order, MoveOrder)
    assert order.mode not in ("evade", "sprint")


# -- targets, spotting and TAG (M-4, M-5, E-34) ---------------------------------------------------------------------------


def two_targets(mode: str, frail: Sequence[str] = ("b",)) -> FireOrder:
    """Two enemies in sight; one of the two lasers is enough for those that are frail."""
    state = campaign(
        [
            {"id": "a", "at": "0804", "facing": "S", "moved": {"mode": mode, "hexes": 4}, "gunnery": 2,
             "mech": {"weapons": {"RA": ["is_large_laser"], "LA": ["is_large_laser"]}, "heat_sinks": 20}},
            {"id": "b", "side": 1, "at": "0508", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS, "armor": {"CT": 1}},
            {"id": "c", "side": 1, "at": "1108", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS},
        ]
    )  # fmt: skip
    for id in frail:
        state.unit(id).armor = [0] * len(state.unit(id).armor)
        state.unit(id).structure = [2] * len(state.unit(id).structure)
    order = order_of(state)
    assert isinstance(order, FireOrder)
    return order


def test_after_running_it_picks_the_better_target() -> None:
    order = two_targets("run")
    assert {attack.target for attack in order.attacks} == {"b"}
    assert len(order.attacks) == 2


def test_standing_it_may_fire_at_both() -> None:
    assert {attack.target for attack in two_targets("stand", ("b", "c")).attacks} == {"b", "c"}
    assert len({attack.target for attack in two_targets("run", ("b", "c")).attacks}) == 1


def spotting(mental: int) -> FireOrder:
    state = campaign(
        [
            {"id": "a", "at": "0804", "facing": "S", "moved": {"mode": "stand"}, "mental": 4, "mech": LRMS},
            {"id": "s", "at": "0806", "facing": "S", "moved": {"mode": "jump", "hexes": 3}, "mental": mental, "mech": LASERS},
            {"id": "b", "side": 1, "at": "0811", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS},
        ],
        board={"0305 0405 0505 0605 0705 0805 0905 1005 1105": "level 4"},
    )
    order = order_of(state)
    assert isinstance(order, FireOrder)
    return order


def test_it_fires_indirectly_when_the_spotter_is_likely_to_see() -> None:
    order = spotting(3)
    assert {attack.spotter for attack in order.attacks} == {"s"}
    assert not spotting(9).attacks, "jumped, Mental 9: it would need 12"


def test_a_spotter_looks_over_the_hill_for_launchers() -> None:
    units = [
        {"id": "a", "at": "0804", "facing": "S", "mech": LASERS},
        {"id": "l", "at": "0802", "facing": "S", "moved": {"mode": "stand"}, "mech": LRMS},
        {"id": "b", "side": 1, "at": "0812", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS},
    ]
    state = campaign(units, "movement", board={"0603 0703 0803 0903 1003": "level 3"})
    plan = plan_of(state)
    seen = plan.exchange.at(plan.me.spot_key(plan.moves.place), 3, "walk", 0, 0)
    assert seen.eyes > 0.0
    # who sees the enemy itself needs nobody
    plan = plan_of(campaign(units, "movement"))
    assert plan.exchange.at(plan.me.spot_key(plan.moves.place), 3, "walk", 0, 0).eyes == 0.0


@pytest.mark.parametrize("friend", [LRMS, LASERS])
def test_tag_marks_targets_for_launchers_only(friend: dict[str, Any]) -> None:
    state = campaign(
        [
            {"id": "a", "at": "0804", "facing": "S", "moved": {"mode": "stand"}, "mech": {"weapons": {"RA": ["tag"]}}},
            {"id": "l", "at": "0802", "facing": "S", "moved": {"mode": "stand"}, "mech": friend},
            {"id": "b", "side": 1, "at": "0809", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS},
        ]
    )
    order = order_of(state)
    assert isinstance(order, FireOrder)
    assert bool(order.attacks) == (friend is LRMS)


# -- physical attacks by the house numbers (E-10, E-11) -------------------------------------------------------------------


def test_a_charge_is_worth_more_against_a_worse_pilot() -> None:
    worth = {}
    for level in (1, 3, 6):
        state = campaign(
            [
                {"id": "a", "at": "0804", "facing": "S", "physical_level": level, "mech": {"tons": 80}},
                {"id": "b", "side": 1, "at": "0808", "facing": "N", "physical_level": 3, "moved": {"mode": "stand"},
                 "mech": LASERS},
            ],
            "movement",
        )  # fmt: skip
        plan = plan_of(state)
        choose_movement(plan)
        charge = best_charge(plan)
        assert charge is not None
        worth[level] = charge.value
    assert worth[1] < worth[3] < worth[6]


def test_in_the_middle_of_its_movement_it_strikes_where_that_is_better() -> None:
    state = campaign(
        [
            {"id": "a", "at": "0804", "facing": "S", "mode": "walk", "hexes_moved": 1, "mp_spent": 1, "complex_action": "pause",
             "mech": {"tons": 100, "weapons": {"RA": ["is_small_laser"]}}},
            {"id": "b", "side": 1, "at": "0805", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS},
        ]
    )  # fmt: skip
    assert isinstance(order_of(state, kind="fire"), PhysicalOrder)


# -- mission actions (A-1 to A-6) -----------------------------------------------------------------------------------------


def mission(units: Sequence[Mapping[str, Any]], phase: str, actions: list[dict[str, Any]], **keys: Any) -> State:
    state = campaign(units, phase)
    data = {
        **keys,
        "actions": actions,
        "board": "x",
        "sides": dict.fromkeys(state.sides),
        "units": [{"side": "x", "type": "x"}],
    }
    read_missions(Document(data, "case", {}), BattleFile.model_validate(data), state, state.board)
    return state


HOLD = {"name": "hold", "starts": "fire", "effect": {"score": 4}, "units": {"within": ["hill"]}}
ZONE = {"zones": {"hill": {"hexes": ["0808", "0809"]}}}


def holder(at: str, enemy: str, phase: str = "fire") -> State:
    units = [
        {"id": "a", "at": at, "facing": "S", "moved": {"mode": "stand"}, "mech": LASERS, "oc": 1},
        {"id": "b", "side": 1, "at": enemy, "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS, "oc": 1},
    ]
    if phase == "movement":
        del units[0]["moved"]
    return mission(units, phase, [HOLD], **ZONE)


def test_a_scoring_action_is_started() -> None:
    order = order_of(holder("0808", "0816"))
    assert isinstance(order, ActionOrder)
    assert order.action == "hold"
    assert "hold" in order.reason


def test_it_goes_where_it_may_score() -> None:
    state = holder("0805", "1617", "movement")
    order = order_of(state)
    assert isinstance(order, MoveOrder)
    assert order.to in state.zones["hill"].cells


def test_it_stands_still_until_its_action_is_done() -> None:
    later = {**HOLD, "completes": "end of next turn"}
    units = [
        {"id": "a", "at": "0808", "facing": "S", "moved": {"mode": "stand"}, "mech": LASERS, "oc": 1},
        {"id": "b", "side": 1, "at": "0815", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS, "oc": 1},
    ]
    state = mission(units, "fire", [later], **ZONE)
    order = order_of(state)
    assert isinstance(order, ActionOrder)
    start(Play(state, SeededDice(1)), order)
    a = state.unit("a")
    state.turn, state.phase, a.moved, a.mode, a.action_started = 2, "movement", False, "", ""
    assert getattr(order_of(state), "mode", "") == "stand"
