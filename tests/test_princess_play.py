"""The yardstick at the waist: what it orders in every kind of decision, what it never orders, whole games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from opfor.board.library import board_names
from opfor.dice import SeededDice
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.legal.movement import MovementChoices
from opfor.game.loop import play_out
from opfor.game.view import View
from opfor.orders import Attack, CallOrder, FireOrder, MoveOrder, Order, PhysicalOrder, PreemptOrder
from opfor.state import State
from policies.princess import PrincessPolicy
from policies.princess.artillery import burst_value, choose_call
from policies.princess.guns import Arsenal
from policies.princess.movement import MovePlan
from policies.princess.physical import blow_value
from policies.princess.settings import Settings
from policies.random_policy import RandomPolicy
from tests.conformance.policy import check_policy
from tests.skirmish import skirmish
from tests.support import make_state

LASER: dict[str, Any] = {"weapons": {"RT": ["is_medium_laser"]}}
HEAVY: dict[str, Any] = {"weapons": {"RT": ["is_ppc"], "LT": ["is_ppc"]}, "heat_sinks": 20}
STOOD = {"mode": "stand", "hexes": 0}
KINDS = ("mech", "vehicle", "vtol", "infantry", "battle_armor")
RULESETS = ("standard", "campaign", "mwii")
CRIPPLED = {"lost": ["LT", "LA"]}


def order_of(state: State, unit: str = "a", policy: PrincessPolicy | None = None) -> Order:
    me = state.unit(unit)
    decision = Decision(state, me.side, [me])
    order = (policy or PrincessPolicy(0)).choose(decision, View(state, me.side))
    assert order in decision.legal, decision.legal.why_not(order)
    assert order.reason
    return order


def fire_of(state: State, unit: str = "a", policy: PrincessPolicy | None = None) -> FireOrder:
    order = order_of(state, unit, policy)
    assert isinstance(order, FireOrder)
    return order


def move_of(state: State, policy: PrincessPolicy | None = None) -> MoveOrder:
    order = order_of(state, policy=policy)
    assert isinstance(order, MoveOrder)
    return order


def at_four_hexes(*more: Mapping[str, Any], phase: str = "fire", withdrawal: str = "on", **enemy: Any) -> State:
    """``a`` at 0808 faces north, ``t`` at 0804 south; both have stood. ``withdrawal``: whether the crippled must leave."""
    units: Sequence[Mapping[str, Any]] = [
        {"id": "a", "at": "0808", "mech": LASER, "moved": STOOD},
        {"id": "t", "side": 1, "at": "0804", "facing": 3, "mech": LASER, "moved": STOOD, **enemy},
        *more,
    ]
    return make_state(phase=phase, units=units, ruleset={"forced_withdrawal": withdrawal})


# -- fire ------------------------------------------------------------------------------------------------------------------


def test_it_fires_at_whom_it_can_hit() -> None:
    assert fire_of(at_four_hexes()).attacks == (Attack(0, "t"),)


def test_nobody_fires_at_what_is_to_be_destroyed_already() -> None:
    # sixteen points left in all
    left = {"HD": 1, "CT": 1, "RT": 1, "LT": 1, "RA": 1, "LA": 1, "RL": 1, "LL": 1, "CTR": 0, "RTR": 0, "LTR": 0}
    frail = {"armor": left, "structure": dict.fromkeys(("HD", "CT", "RT", "LT", "RA", "LA", "RL", "LL"), 1)}
    helper = {"id": "b", "at": "0608", "facing": 0, "mech": HEAVY, "moved": STOOD, "gunnery": 0}
    state = at_four_hexes(helper, withdrawal="off", **frail)
    assert fire_of(state).attacks
    state.declared.append(FireOrder("b", 0, False, (Attack(0, "t"), Attack(1, "t")), "t"))
    # gunnery 0 at short range never misses: 20 points
    order = fire_of(state)
    assert not order.attacks
    assert "no target is worth more" in order.reason


def test_one_target_only() -> None:
    two = {"id": "u", "side": 1, "at": "0904", "facing": 3, "mech": LASER, "moved": STOOD}
    state = at_four_hexes(two)
    order = fire_of(state)
    assert len({attack.target for attack in order.attacks}) == 1


def test_who_has_no_shot_watches_the_nearest_enemy_it_sees() -> None:
    far = {"id": "u", "side": 1, "at": "0803", "facing": 3, "mech": LASER, "moved": STOOD}
    state = at_four_hexes(far, withdrawal="off")
    state.unit("a").mounts_lost = 1
    assert fire_of(state).reason == "has no shot, and watches t for others"


def test_a_crippled_enemy_is_let_go_until_a_crippled_one_fires() -> None:
    state = at_four_hexes(**CRIPPLED)
    policy = PrincessPolicy(0)
    assert not fire_of(state, policy=policy).attacks
    # it fires a turn later: its whole side has lost its honour
    state.turn = 2
    state.unit("t").fired = 1
    assert fire_of(state, policy=policy).attacks
    state.unit("t").fired = 0
    assert fire_of(state, policy=policy).attacks
    # who takes no prisoners never lets go
    assert fire_of(at_four_hexes(**CRIPPLED), policy=PrincessPolicy(0, "berserk")).attacks


def test_where_nobody_must_withdraw_the_crippled_are_fired_at() -> None:
    assert fire_of(at_four_hexes(withdrawal="off", **CRIPPLED)).attacks


def test_who_leaves_holds_its_fire_until_it_is_hurt() -> None:
    state = at_four_hexes()
    me = state.unit("a")
    me.structure[3] = me.armor[3] = 0
    policy = PrincessPolicy(0)
    assert not fire_of(state, policy=policy).attacks
    me.armor[1] -= 3
    assert fire_of(state, policy=policy).attacks


# -- movement ----------------------------------------------------------------------------------------------------------------


def moving(units: Sequence[Mapping[str, Any]], **more: Any) -> State:
    return make_state(phase="movement", units=units, **more)


def plan_of(state: State, config: Settings | None = None) -> MovePlan:
    me = state.unit("a")
    enemies = state.enemies(me.side)
    return MovePlan(state, me, enemies, MovementChoices(state, [me]), Arsenal(), config or Settings())


def test_the_worth_of_a_path_is_the_sum_of_its_terms() -> None:
    state = moving(
        [
            {"id": "a", "at": "0808", "mech": LASER},
            {"id": "f", "at": "0508", "mech": LASER},
            {"id": "t", "side": 1, "at": "0804", "facing": 3, "mech": LASER, "moved": STOOD},
        ]
    )
    plan = plan_of(state)
    plan.choose()
    grid = state.board.grid
    stay = plan.paths[0]
    assert stay.end.mode == "stand"
    # mine and theirs alike: 6+ at medium range, 26/36 x 5 x log10(20) = 4.698165; 1.5 x mine - theirs;
    # 4 hexes at 2.5, 3 to the friend at 1, facing 0
    assert stay.value == pytest.approx(0.5 * 4.698165 - 10 - 3, abs=1e-5)
    ahead = next(p for p in plan.paths if p.end.cell == grid.parse("0807") and p.end.facing == 3 and p.end.mode == "run")
    # facing away: nothing of mine, 3 hexes at 2.5, facing 100, the friend 3 or more away
    assert ahead.mine == 0
    assert ahead.rest == pytest.approx(-7.5 - 100 - grid.distance(ahead.end.cell, grid.parse("0508")))


def test_each_way_ahead_is_the_longest() -> None:
    state = moving([{"id": "a", "at": "0808", "mech": LASER}, {"id": "t", "side": 1, "at": "0801", "facing": 3, "mech": LASER}])
    plan = plan_of(state)
    plan.choose()
    # one hex ahead in the same facing: the six running MP allow no way of more hexes than a turn aside and back
    north = [p.end for p in plan.paths if p.end.cell == state.board.grid.parse("0807") and p.end.facing == 0]
    longest = max(one.hexes for one in MovementChoicesOf(state).longest_to("0807", 0))
    assert max(one.hexes for one in north if one.mode in ("walk", "run")) == longest


class MovementChoicesOf:
    """Every path of a unit ``a`` of at most six MP ahead, by plain enumeration."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.choices = MovementChoices(state, [state.unit("a")])

    def longest_to(self, at: str, facing: int) -> list[Any]:
        found = []
        cell = self.state.board.grid.parse(at)
        unit = self.state.unit("a")
        for number in range(3**6):
            steps = []
            for _ in range(6):
                number, token = divmod(number, 3)
                steps.append("FLR"[token])
            for length in range(1, 7):
                path = tuple(steps[:length])
                order = MoveOrder(unit.id, "run", path, cell, facing)
                if not self.choices.why_not(order):
                    found.append(self.choices.option(order))
        return found


def test_it_closes_in_and_never_stops_farther_off_than_it_is() -> None:
    state = moving([{"id": "a", "at": "0816", "mech": LASER}, {"id": "t", "side": 1, "at": "0801", "facing": 3, "mech": LASER}])
    order = move_of(state)
    assert state.board.grid.distance(order.to, state.unit("t").cell) < 15
    plan = plan_of(state)
    plan.choose()
    allowed = plan._filtered(plan.paths)
    assert max(path.distance for path in allowed) == 15
    assert max(path.distance for path in plan.paths) > 15


def test_in_range_it_stays_in_range() -> None:
    state = moving([{"id": "a", "at": "0810", "mech": LASER}, {"id": "t", "side": 1, "at": "0804", "facing": 3, "mech": LASER}])
    plan = plan_of(state)
    plan.choose()
    # a medium laser reaches nine hexes
    assert max(path.distance for path in plan._filtered(plan.paths)) == 9


def test_a_path_of_bad_odds_is_refused_and_the_shameless_take_it() -> None:
    # rubble ahead calls for a roll of 10+ (piloting 10): 6 of 36
    units = [
        {"id": "a", "at": "0808", "mech": LASER, "piloting": 10},
        {"id": "t", "side": 1, "at": "0803", "facing": 3, "mech": LASER, "moved": STOOD},
    ]
    for shame, sound in ((5, False), (2, False), (1, True), (0, True)):
        plan = plan_of(moving(units, board={"0807": "rubble"}), Settings(fall_shame=shame))
        plan.choose()
        bad = next(path for path in plan.paths if path.end.cell == plan.grid.parse("0807") and path.end.hexes == 1)
        plan._finish(bad)
        assert bad.odds == pytest.approx(6 / 36)
        # asked: 0.5, 0.2, 0.1, 0
        assert bad.sound is sound


def test_getting_up_is_exempt_from_the_odds() -> None:
    state = moving(
        [
            {"id": "a", "at": "0808", "mech": LASER, "prone": True, "piloting": 9},
            {"id": "t", "side": 1, "at": "0803", "facing": 3, "mech": LASER, "moved": STOOD},
        ]
    )
    plan = plan_of(state)
    plan.choose()
    up = next(path for path in plan.paths if not path.end.prone)
    plan._finish(up)
    # 9+: 10 of 36
    assert up.odds == pytest.approx(10 / 36)
    assert up.sound


def test_a_building_must_carry_ten_tons_more() -> None:
    board = {"0807": "medium building height 2 cf 59", "0907": "medium building height 2 cf 60"}
    state = moving([{"id": "a", "at": "0810", "mech": LASER}, {"id": "t", "side": 1, "at": "0804", "mech": LASER}], board=board)
    plan = plan_of(state)
    grid = state.board.grid
    assert not plan.carries(grid.parse("0807"))
    assert plan.carries(grid.parse("0907"))


def test_who_can_do_nothing_from_anywhere_goes_by_the_ground() -> None:
    # a wall of cliffs with a gap far to the east: by the distance it would stand still before it
    wall = {f"{column:02d}10": "level 9" for column in range(1, 16)}
    state = moving(
        [
            {"id": "a", "at": "0111", "mech": LASER},
            {"id": "t", "side": 1, "at": "0101", "facing": 3, "mech": LASER, "moved": STOOD},
        ],
        board=wall,
    )
    order = move_of(state)
    assert state.board.grid.columns[order.to] > 0


def test_who_must_leave_makes_for_its_edge_and_goes() -> None:
    state = at_four_hexes(phase="movement")
    state.edges = ["south", "north"]
    me = state.unit("a")
    me.moved, me.structure[3], me.armor[3] = False, 0, 0
    order = move_of(state)
    rows = state.board.grid.rows
    assert rows[order.to] > rows[me.cell]
    me.cell, me.facing = state.board.grid.parse("0817"), 3
    assert "EXIT" in move_of(state).path
    # who never withdraws turns on its enemy
    me.cell = state.board.grid.parse("0808")
    order = move_of(state, PrincessPolicy(0, "berserk"))
    assert state.board.grid.distance(order.to, state.unit("t").cell) < 4


# -- blows and shells ----------------------------------------------------------------------------------------------------------


def test_a_kick_is_worth_its_points_and_the_targets_fall_less_the_own() -> None:
    state = make_state(
        phase="physical",
        units=[
            {"id": "a", "at": "0808", "mech": LASER, "moved": STOOD},
            {"id": "t", "side": 1, "at": "0807", "facing": 3, "mech": LASER, "moved": STOOD},
        ],
    )
    kick = PhysicalOrder("a", "kick", "RL", "t")
    # 3+ (piloting 5 - 2): 35/36 x 10 points; either fall 5 points at the 6 of 36 ... piloting 5+ fails in 6 of 36 for 5 points
    expected = 35 / 36 * 10 + 35 / 36 * (6 / 36 * 5) - 1 / 36 * (6 / 36 * 5)
    assert blow_value(state, state.unit("a"), state.unit("t"), kick) == pytest.approx(expected)
    order = order_of(state)
    assert isinstance(order, PhysicalOrder)
    assert order.attack == "kick"


def test_shells_go_where_slow_enemies_are_and_friends_are_not() -> None:
    gun = {"weapons": {"FR": ["is_thumper"]}, "ammo": ["IS Ammo Thumper"]}
    state = make_state(
        phase="initiative",
        units=[
            {"id": "a", "at": "0816", "vehicle": gun},
            {"id": "slow", "side": 1, "at": "0802", "mech": {**LASER, "walk": 2}},
            {"id": "fast", "side": 1, "at": "1502", "mech": {**LASER, "walk": 6}},
        ],
    )
    grid = state.board.grid
    # 15 points in the hex: by running MP and one, 4 and 10
    assert burst_value(state, 0, grid.parse("0802"), [15, 5]) == 15 / 4
    assert burst_value(state, 0, grid.parse("1502"), [15, 5]) == 15 / 10
    assert burst_value(state, 0, grid.parse("0803"), [15, 5]) == 5 / 4
    # to the enemy its own unit is a friend
    assert burst_value(state, 1, grid.parse("0802"), [15, 5]) == -15 / 4
    decision = Decision(state, 0, [state.unit("a")], "call")
    order = choose_call(state, decision.legal, state.unit("a"))  # type: ignore[arg-type]
    assert (order.what, order.cell) == ("artillery", grid.parse("0802"))
    assert order in decision.legal
    state.unit("a").ammo = [0]
    decision = Decision(state, 0, [state.unit("a")], "call")
    assert not choose_call(state, decision.legal, state.unit("a")).what  # type: ignore[arg-type]


# -- whole games ---------------------------------------------------------------------------------------------------------------


class Watched:
    """A policy whose orders are kept."""

    def __init__(self, policy: PrincessPolicy) -> None:
        self.policy = policy
        self.orders: list[tuple[str, Order]] = []

    def choose(self, decision: Decision, view: View) -> Order:
        order = self.policy.choose(decision, view)
        self.orders.append((decision.kind, order))
        return order


def play(
    seed: int, ruleset: str, *, kinds: Sequence[str] = ("mech",), board: str | None = None, size: int = 3, limit: int = 8
) -> list[tuple[str, Order]]:
    state = skirmish(seed, board, size=size, kinds=kinds, limit=limit, ruleset=ruleset)
    mine = Watched(PrincessPolicy(seed))
    choosers = [mine, RandomPolicy(seed)] if seed % 2 == 0 else [RandomPolicy(seed), mine]
    game = Game(state, SeededDice(seed))
    play_out(game, choosers)
    assert game.over
    return mine.orders


def hold_to_the_description(orders: list[tuple[str, Order]]) -> None:
    """What it never does, whatever happens."""
    for kind, order in orders:
        assert order.reason and "\n" not in order.reason
        assert not isinstance(order, PreemptOrder)
        if kind == "opportunity":
            assert order.kind == "pass"
        if isinstance(order, MoveOrder):
            assert order.mode in ("stand", "walk", "run", "jump", "dismount")
            assert not order.attack and not order.act
        if isinstance(order, FireOrder):
            assert len({attack.target for attack in order.attacks}) <= 1
            assert not any(attack.aim for attack in order.attacks)
        if isinstance(order, CallOrder):
            assert order.what in ("", "artillery")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_by_each_ruleset(ruleset: str) -> None:
    orders = play(4, ruleset, size=2)
    hold_to_the_description(orders)
    assert {kind for kind, _ in orders} >= {"movement", "fire"}


@pytest.mark.parametrize("preset", ["berserk", "cowardly", "escape", "aggression=10,fall_shame=0"])
def test_every_preset_keeps_the_promises_of_a_policy(preset: str) -> None:
    check_policy(lambda seed: PrincessPolicy(seed, preset), battles=1, decisions=8)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_games_of_every_kind_on_every_board_by_every_ruleset(seed: int) -> None:
    names = board_names()
    board = names[seed % len(names)]
    kinds = KINDS if seed % 3 else ("mech",)
    hold_to_the_description(play(seed, RULESETS[seed // 2 % 3], kinds=kinds, board=board, size=4, limit=15))
