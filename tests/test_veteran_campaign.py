"""The veteran under the campaign's turn: waiting, breaking in, preempting; whole games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.orders import Attack, FireOrder, MoveOrder, Order, PassOrder, PreemptOrder
from opfor.state import State, Underway
from policies.random_policy import RandomPolicy
from policies.veteran import VeteranPolicy
from policies.veteran.breaking_in import path_ahead
from tests.conformance.policy import check_policy
from tests.skirmish import skirmish
from tests.veteran_table import HILLS, LASERS, LRMS, campaign, moving, order_of

# -- waiting (E-3, E-6) -------------------------------------------------------------------------------------------------


def rolled(at: str, margin: int) -> State:
    state = campaign(
        [
            {"id": "a", "at": at, "facing": "S", "mech": LASERS, "initiative": margin},
            {"id": "b", "side": 1, "at": "0838", "facing": "N", "mech": LASERS},
        ],
        "initiative",
        size=(16, 40),
    )
    state.stage = "rolled"
    return state


def test_who_has_won_waits_near_the_enemy() -> None:
    order = order_of(rolled("0828", 2), kind="movement")
    assert isinstance(order, MoveOrder)
    assert order.mode == "wait"


def test_far_from_everybody_it_moves_at_once() -> None:
    order = order_of(rolled("0802", 2), kind="movement")
    assert isinstance(order, MoveOrder)
    assert order.mode != "wait"


def test_who_has_lost_moves() -> None:
    order = order_of(rolled("0828", -1), kind="movement")
    assert isinstance(order, MoveOrder)
    assert order.mode != "wait"


def fire_or_move(armed: Mapping[str, Any], board: Mapping[str, Any] | None = None) -> Order:
    state = campaign(
        [
            {"id": "a", "at": "0804", "facing": "S", "moved": {"mode": "stand"}, "mech": armed},
            {"id": "w", "at": "0405", "facing": "S", "waiting": True, "mech": LASERS},
            {"id": "b", "side": 1, "at": "0810", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS},
        ],
        board=board,
    )
    return order_of(state, also=["w"])


def test_who_is_ready_fires_before_others_move() -> None:
    assert isinstance(fire_or_move(LASERS), FireOrder)


def test_who_waits_moves_first_where_it_may_spot() -> None:
    assert isinstance(fire_or_move(LRMS, HILLS), MoveOrder)


# -- breaking in (M-9) --------------------------------------------------------------------------------------------------


def ambush(b: Mapping[str, Any], *others: Mapping[str, Any], board: Mapping[str, Any] | None = None) -> State:
    a = {"id": "a", "at": "0804", "facing": "S", "moved": {"mode": "stand"}, "mech": LASERS, "opportunity": True,
         "complex_action": "opportunity"}  # fmt: skip
    return campaign([a, {"id": "b", "side": 1, "mech": LASERS, **b}, *others], "movement", board=board)


def test_it_lets_an_enemy_come_nearer() -> None:
    state = ambush({"at": "0812", "facing": "N"})
    order = order_of(state, kind="opportunity", moment=moving(state, "b", "F F F F F"))
    assert isinstance(order, PassOrder)
    assert "waits for b to reach" in order.reason


def test_it_breaks_in_before_an_enemy_gets_away() -> None:
    state = ambush({"at": "0808", "facing": "S"})
    order = order_of(state, kind="opportunity", moment=moving(state, "b", "F F F F F"))
    assert isinstance(order, FireOrder)
    assert {attack.target for attack in order.attacks} == {"b"}


def test_it_breaks_in_in_the_hex_where_the_shot_is_best() -> None:
    """At the hex of the way that is nearest, its movement so far counting against the shot."""
    state = ambush({"at": "0808", "facing": "N", "moved": {"mode": "run", "hexes": 3}})
    state.unit("b").moved = False
    order = order_of(state, kind="opportunity", moment=moving(state, "b", "L F F F F"))
    assert isinstance(order, FireOrder)


def test_it_keeps_its_action_for_a_better_target() -> None:
    near = {"id": "c", "side": 1, "at": "0808", "facing": "N", "mech": LASERS}
    state = ambush({"at": "1312", "facing": "N"}, near)
    order = order_of(state, kind="opportunity", moment=moving(state, "b", "F"))
    assert isinstance(order, PassOrder)
    assert "c" in order.reason


def test_it_wastes_nothing_on_an_enemy_that_it_cannot_hurt() -> None:
    state = ambush({"at": "0812", "facing": "N"}, board=HILLS)
    order = order_of(state, kind="opportunity", moment=moving(state, "b", "F"))
    assert isinstance(order, PassOrder)


def test_the_rest_of_a_way_is_read_from_its_end() -> None:
    state = ambush({"at": "0812", "facing": "N"})
    names = state.board.grid.names
    moment = moving(state, "b", "F F R F L F")
    order = moment.order
    assert isinstance(order, MoveOrder)
    whole = path_ahead(state, order, state.unit("b").cell)
    assert [names[cell] for cell, _ in whole] == ["0811", "0810", "0910", "0909"]
    assert [facing for _, facing in whole] == [0, 0, 1, 0]
    assert path_ahead(state, order, whole[1][0]) == whole[2:]
    assert path_ahead(state, order, order.to) == []


@pytest.mark.parametrize("target", ["a", "f"])
def test_who_has_stood_still_gets_out_of_sight_of_heavy_fire(target: str) -> None:
    """A hill is beside it; its own shot would do little to what fires at it."""
    state = campaign(
        [
            {"id": "a", "at": "0804", "facing": "S", "moved": {"mode": "stand"}, "opportunity": True,
             "complex_action": "opportunity", "mech": {"weapons": {"RA": ["is_small_laser"]}}},
            {"id": "f", "at": "0805", "facing": "S", "moved": {"mode": "stand"}, "mech": LASERS},
            {"id": "b", "side": 1, "at": "0810", "facing": "N", "moved": {"mode": "stand"}, "type": "Awesome AWS-8Q"},
        ],
        board={"0406 0506 0606 0706": "level 4"},
    )  # fmt: skip
    moment = Underway(state.unit("b").index, order=FireOrder("b", attacks=(Attack(0, target),), primary=target))
    state.underway = [moment]
    order = order_of(state, kind="opportunity", moment=moment)
    assert isinstance(order, MoveOrder if target == "a" else PassOrder)


@pytest.mark.parametrize("waiting", [True, False])
def test_it_holds_its_action_for_those_who_may_come_into_its_fire(waiting: bool) -> None:
    """b may stay behind the woods or come through them: regular fire would find it where it likes to be."""
    b = {"id": "b", "side": 1, "at": "0810", "facing": "N", "waiting": waiting, "mech": LASERS}
    state = campaign(
        [
            {"id": "a", "at": "0804", "facing": "S", "gunnery": 2, "mech": {**LASERS, "walk": 3}},
            b if waiting else {**b, "moved": {"mode": "stand"}},
        ],
        "movement",
        board={"0508 0608 0708 0808 0908 1008 1108": "heavy woods"},
        ruleset={"base": "campaign", "action_while_moving": "off"},
    )
    order = order_of(state)
    assert isinstance(order, MoveOrder)
    assert (order.act == "opportunity") == waiting
    assert ("holds its action" in order.reason) == waiting


def test_with_no_shot_it_holds_its_action_instead_of_fire() -> None:
    state = campaign(
        [
            {"id": "a", "at": "0804", "facing": "S", "moved": {"mode": "stand"}, "mech": LASERS},
            {"id": "b", "side": 1, "at": "0810", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS},
        ],
        board=HILLS,
    )
    order = order_of(state)
    assert isinstance(order, FireOrder)
    assert order.clear == "opportunity"
    state.unit("b").cell = state.board.grid.parse("0806")
    state.touch()
    order = order_of(state)
    assert isinstance(order, FireOrder)
    assert order.attacks


# -- preempting (M-10) --------------------------------------------------------------------------------------------------


def shooting(target: str, armor: int = 0, **more: Any) -> tuple[State, Underway]:
    """MWII: b, whose initiative is lower, declares fire; a has yet to declare."""
    worn = {"CT": armor, "LT": armor, "RT": armor, "HD": armor} if armor else {}
    state = campaign(
        [
            {"id": "a", "at": "0804", "facing": "S", "initiative": 3, "mech": LASERS, **more},
            {"id": "f", "at": "0606", "facing": "S", "initiative": 1, "acted": True, "mech": LASERS},
            {"id": "b", "side": 1, "at": "0807", "facing": "N", "initiative": 0, "moved": {"mode": "stand"}, "mech": LASERS,
             "armor": worn},
        ],
        "declarations",
        ruleset="mwii",
    )  # fmt: skip
    b = state.unit("b")
    order = FireOrder("b", attacks=(Attack(0, target),), primary=target)
    moment = Underway(b.index, order=order)
    state.underway = [moment]
    return state, moment


def test_it_takes_its_turn_before_it_is_shot_at() -> None:
    state, moment = shooting("a")
    order = order_of(state, kind="opportunity", moment=moment)
    assert isinstance(order, PreemptOrder)
    assert "before b fires at it" in order.reason


def test_it_waits_while_sound_enemies_fire_at_others() -> None:
    state, moment = shooting("f")
    assert isinstance(order_of(state, kind="opportunity", moment=moment), PassOrder)


def test_it_takes_its_turn_to_destroy_who_fires_at_a_friend() -> None:
    state, moment = shooting("f", armor=1, gunnery=1)
    state.unit("b").structure = [3] * 8
    assert isinstance(order_of(state, kind="opportunity", moment=moment), PreemptOrder)


def test_it_does_not_preempt_those_who_only_move() -> None:
    state, _ = shooting("a")
    assert isinstance(order_of(state, kind="opportunity", moment=moving(state, "b", "F")), PassOrder)


# -- whole games ----------------------------------------------------------------------------------------------------------

KINDS = ("mech", "vehicle", "vtol", "infantry", "battle_armor")


@pytest.mark.parametrize("ruleset", ["campaign", pytest.param("mwii", marks=pytest.mark.slow)])
def test_it_keeps_the_promises_of_a_policy(ruleset: str) -> None:
    check_policy(VeteranPolicy, battles=1, decisions=8, ruleset=ruleset)


def against_random(seed: int, ruleset: str, **more: Any) -> int | None:
    """1 for a battle won, 0 for one lost, None for neither."""
    state = skirmish(seed, ruleset=ruleset, **more)
    game = Game(state, SeededDice(seed))
    me = seed % 2
    sides: list[Any] = [RandomPolicy(seed), RandomPolicy(seed)]
    sides[me] = VeteranPolicy(0)
    while (decision := game.decision()) is not None:
        game.apply(sides[decision.side].choose(decision, game.view(decision.side)))
    return None if state.winner is None or state.winner < 0 else int(state.winner == me)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["campaign", "mwii"])
def test_it_beats_random_play(ruleset: str) -> None:
    results = [against_random(seed, ruleset, limit=25) for seed in range(6)]
    assert results.count(1) >= 5
    assert 0 not in results


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["campaign", "mwii"])
def test_it_plays_every_kind_of_unit(ruleset: str) -> None:
    for seed in range(20):
        state = skirmish(seed, ruleset=ruleset, kinds=KINDS, limit=10, size=3)
        game = Game(state, SeededDice(seed))
        sides = [VeteranPolicy(0), VeteranPolicy(1)]
        while (decision := game.decision()) is not None:
            game.apply(sides[decision.side].choose(decision, game.view(decision.side)))
