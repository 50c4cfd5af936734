"""The veteran by the campaign's rules and MWII's: what it does with waiting, breaking in, complex actions, calls, missions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from opfor.dice import SeededDice
from opfor.formats.battle_file.battle_missions import read_missions
from opfor.formats.battle_file.battle_schema import BattleFile
from opfor.formats.source import Document
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.legal.movement import MovementChoices
from opfor.game.view import View
from opfor.orders import ActionOrder, Attack, CallOrder, FireOrder, MoveOrder, Order, PassOrder, PhysicalOrder, PreemptOrder
from opfor.rules.missions.mission_actions import start
from opfor.rules.play import Play
from opfor.rules.shooting.framing import frame
from opfor.state import Shell, State, Underway
from policies.random_policy import RandomPolicy
from policies.veteran import VeteranPolicy
from policies.veteran.breaking_in import path_ahead
from policies.veteran.charges import best_charge
from policies.veteran.mind import Mind
from policies.veteran.move_plan import MovePlan
from policies.veteran.movement import choose_movement
from policies.veteran.weights import weights
from tests.conformance.policy import check_policy
from tests.skirmish import skirmish
from tests.support import make_state

LASERS: dict[str, Any] = {"weapons": {"RA": ["is_medium_laser"], "LA": ["is_medium_laser"], "RT": ["is_medium_laser"]}}
LRMS: dict[str, Any] = {"weapons": {"RT": ["is_lrm15"], "LT": ["is_lrm15"]}, "ammo": {"LA": ["IS Ammo LRM-15"] * 2}}
SRMS: dict[str, Any] = {"weapons": {"RT": ["is_srm6"]}, "ammo": {"LT": ["IS Ammo SRM-6", "IS Ammo SRM-6 Inferno"]}}
HILLS = {"0107 0207 0307 0407 0507 0607 0707 0807 0907 1007 1107 1207 1307 1407 1507 1607": "level 4"}


def decide(
    state: State, unit: str = "a", kind: str = "", moment: Underway | None = None, also: Sequence[str] = ()
) -> tuple[Order, VeteranPolicy]:
    """The veteran's order for a unit, and the policy with its notes."""
    me = state.unit(unit)
    decision = Decision(state, me.side, [me], kind, moment=moment, also=[state.unit(id) for id in also])
    policy = VeteranPolicy(0)
    order = policy.choose(decision, View(state, me.side))
    assert order in decision.legal, decision.legal.why_not(order)
    assert order.reason
    assert policy.notes[order.unit]
    return order, policy


def order_of(state: State, unit: str = "a", kind: str = "", **more: Any) -> Order:
    return decide(state, unit, kind, **more)[0]


def campaign(units: Sequence[Mapping[str, Any]], phase: str = "fire", **more: Any) -> State:
    return make_state(phase=phase, units=units, ruleset=more.pop("ruleset", "campaign"), **more)


def moving(state: State, unit: str, path: str, mode: str = "run", **more: Any) -> Underway:
    """A unit in the middle of declaring a movement by a path."""
    mover = state.unit(unit)
    grid = state.board.grid
    cell, facing = mover.cell, mover.facing
    for step in path.split():
        if step == "F":
            cell += grid.step[facing]
        else:
            facing = (facing + {"L": -1, "R": 1}[step]) % 6
    order = MoveOrder(unit, mode, tuple(path.split()), cell, facing, **more)
    moment = Underway(mover.index, order=order)
    state.underway = [moment]
    return moment


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


def plan_of(state: State, unit: str = "a") -> MovePlan:
    mind = Mind(weights())
    me = state.unit(unit)
    ours, theirs = mind.sides(state, me.side)
    mind.foresee(state, me.side, ours, theirs)
    figure = next(f for f in ours if f.unit is me)
    return MovePlan(state, figure, ours, theirs, MovementChoices(state, [me]), mind)


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


# -- calls (E-4, E-30, E-35) ----------------------------------------------------------------------------------------------

GUN: dict[str, Any] = {"weapons": {"FR": ["is_thumper"]}, "ammo": ["Thumper Ammo"]}


def battery(target: Mapping[str, Any], *others: Mapping[str, Any]) -> State:
    """The gun does not see b, the spotter does."""
    return campaign(
        [
            {"id": "a", "at": "0801", "facing": "S", "vehicle": GUN},
            {"id": "s", "at": "0806", "facing": "S", "mech": LASERS},
            {"id": "b", "side": 1, "at": "0812", "facing": "N", "mech": LASERS, **target},
            *others,
        ],
        "initiative",
        board={"0803": "level 4"},
    )


def test_artillery_is_called_on_who_cannot_leave() -> None:
    state = battery({"shutdown": True, "heat": 20})
    order = order_of(state, kind="call")
    assert isinstance(order, CallOrder)
    assert (order.what, state.board.grid.names[order.cell], order.spotter) == ("artillery", "0812", "s")
    assert "b is expected" in order.reason


def test_artillery_is_not_called_on_friends() -> None:
    close = [{"id": f"f{at}", "at": at, "facing": "S", "mech": LASERS} for at in ("0811", "0813", "0711", "0911")]
    order = order_of(battery({"shutdown": True, "heat": 20}, *close), kind="call")
    assert isinstance(order, CallOrder)
    assert not order.what


def bomber() -> State:
    return campaign(
        [
            {"id": "a", "at": "0802", "facing": "S", "elevation": 4, "bombs": 4, "vtol": {}},
            {"id": "b", "side": 1, "at": "0808", "facing": "N", "shutdown": True, "heat": 20, "mech": LASERS},
        ],
        "initiative",
    )


def test_bombs_are_called_over_who_stands_still_and_flown() -> None:
    state = bomber()
    order = order_of(state, kind="call")
    assert isinstance(order, CallOrder)
    assert (order.what, state.board.grid.names[order.cell]) == ("bomb", "0808")
    state.shells.append(Shell(order, state.turn, 0))
    state.phase = "movement"
    run = order_of(state)
    assert isinstance(run, MoveOrder)
    assert run.mode == "run"
    assert set(run.path) == {"F"}
    assert len(run.path) >= 6


def test_it_keeps_out_of_its_own_shells() -> None:
    state = campaign(
        [
            {"id": "a", "at": "0805", "facing": "S", "mech": LASERS},
            {"id": "b", "side": 1, "at": "0812", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS},
        ],
        "movement",
    )
    first = order_of(state)
    assert isinstance(first, MoveOrder)
    state.units.append(make_state(units=[{"id": "g", "at": "0101", "vehicle": GUN}]).units[0])
    state.units[-1].index, state.by_id["g"] = 2, 2
    state.shells.append(Shell(CallOrder("g", "artillery", 0, cell=first.to), state.turn, 0))
    again = order_of(state)
    assert isinstance(again, MoveOrder)
    assert state.board.grid.distance(first.to, again.to) > 1


# -- special missiles (E-32, E-33, E-33a) ---------------------------------------------------------------------------------


def load_of(target: Mapping[str, Any], mech: Mapping[str, Any], *more: Mapping[str, Any], **own: Any) -> str:
    """The fire mode in which the veteran fires its one launcher, "-" for none."""
    state = campaign(
        [
            {"id": "a", "at": "0804", "facing": "S", "moved": {"mode": "stand"}, "mech": mech, **own},
            {"id": "b", "side": 1, "at": "0808", "facing": "N", "moved": {"mode": "stand"}, **target},
            *more,
        ]
    )
    order = order_of(state)
    assert isinstance(order, FireOrder)
    return order.attacks[0].mode if order.attacks else "-"


def test_infernos_are_for_hot_mechs_and_infantry() -> None:
    assert "inferno" in load_of({"mech": LASERS, "heat": 14}, SRMS)
    assert "inferno" not in load_of({"mech": LASERS}, SRMS)
    assert "inferno" in load_of({"platoon": {}}, SRMS)


def test_fragmentation_is_for_infantry() -> None:
    lrm = {"weapons": {"RT": ["is_lrm10"]}, "ammo": {"LT": ["IS Ammo LRM-10", "IS Ammo LRM-10 Fragmentation"]}}
    assert "fragmentation" in load_of({"platoon": {}}, lrm)
    assert "fragmentation" not in load_of({"mech": LASERS}, lrm)


def test_swarm_missiles_spare_friends() -> None:
    lrm = {"weapons": {"RT": ["is_lrm10"]}, "ammo": {"LT": ["IS Ammo LRM-10", "IS Ammo LRM-10 Swarm"]}}
    crowd = [{"id": f"c{at}", "side": 1, "at": at, "moved": {"mode": "stand"}, "mech": LASERS} for at in ("0809", "0708")]
    friends = [{"id": f"f{at}", "at": at, "moved": {"mode": "stand"}, "mech": LASERS} for at in ("0807", "0907")]
    assert "swarm" in load_of({"mech": LASERS}, lrm, *crowd)
    assert "swarm" not in load_of({"mech": LASERS}, lrm, *friends)


def test_thunder_lies_before_the_enemy_where_nothing_better_can_be_done() -> None:
    lrm = {"weapons": {"RT": ["is_lrm10"]}, "ammo": {"LT": ["IS Ammo LRM-10 Thunder"]}}
    state = campaign(
        [
            {"id": "a", "at": "0804", "facing": "S", "moved": {"mode": "stand"}, "mech": lrm},
            {"id": "b", "side": 1, "at": "0812", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS},
        ]
    )
    order = order_of(state)
    assert isinstance(order, FireOrder)
    assert order.attacks
    assert order.attacks[0].aim == "sow"


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
