"""The veteran: legal and repeatable orders, no folly, and strength enough."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.view import View
from opfor.orders import FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.rules.pilots.heat import dissipation
from opfor.rules.shooting.framing import frame
from opfor.rules.shooting.to_hit import weapon_attack
from opfor.rules.target_number import TargetNumber
from opfor.state import State
from policies.base import Policy
from policies.random_policy import RandomPolicy
from policies.registry import make
from policies.veteran import VeteranPolicy
from policies.veteran.characters import weights_of
from policies.veteran.lanes import BLOCKED, Lanes, lanes_of
from policies.veteran.mind import Mind
from policies.veteran.spots import PRONE, STANDING, key_of
from policies.veteran.weights import weights
from tests.skirmish import skirmish, small_boards
from tests.support import make_state

LASERS = {"weapons": {"RA": ["is_medium_laser"], "LA": ["is_medium_laser"], "RT": ["is_medium_laser"]}}


def order_of(state: State, unit: str = "", character: str = "") -> Order:
    """The veteran's order for the side of a unit (default: the first), of its units that are still to act."""
    me = state.unit(unit) if unit else state.units[0]
    able = [me] if unit else [u for u in state.units if u.side == me.side and not (state.phase == "movement" and u.moved)]
    decision = Decision(state, me.side, able)
    order = VeteranPolicy(0, character).choose(decision, View(state, me.side))
    assert order in decision.legal
    return order


def move_of(state: State, unit: str = "", character: str = "") -> MoveOrder:
    order = order_of(state, unit, character)
    assert isinstance(order, MoveOrder)
    return order


def fire_of(state: State, unit: str = "") -> FireOrder:
    order = order_of(state, unit)
    assert isinstance(order, FireOrder)
    return order


def movement(units: Sequence[Mapping[str, Any]], board: Mapping[str, Any] | None = None, **more: Any) -> State:
    return make_state(phase="movement", units=units, board=board, **more)


def play(seed: int, choosers: Sequence[Policy], **more: Any) -> tuple[Game, list[Order]]:
    """A whole game, every order checked."""
    game = Game(skirmish(seed, **more), SeededDice(seed))
    orders = []
    while (decision := game.decision()) is not None:
        order = choosers[decision.side].choose(decision, game.view(decision.side))
        orders.append(order)
        game.apply(order)
    return game, orders


# -- the contract -----------------------------------------------------------------------------------------------------


def test_the_same_battle_gets_the_same_orders() -> None:
    twice = [play(11, [VeteranPolicy(0), VeteranPolicy(1)], limit=6)[1] for _ in range(2)]
    assert twice[0] == twice[1]
    assert [order.reason for order in twice[0]] == [order.reason for order in twice[1]]


def test_reset_forgets() -> None:
    policy = VeteranPolicy(0)
    first = play(5, [policy, RandomPolicy(5)], limit=4)[1]
    policy.reset(0)
    assert not policy.notes
    assert play(5, [policy, RandomPolicy(5)], limit=4)[1] == first


def test_every_order_is_legal_and_has_its_reason_and_notes() -> None:
    for seed, character in ((3, ""), (4, "cautious"), (6, "bold")):
        policy = VeteranPolicy(0, character)
        game = Game(skirmish(seed, limit=8), SeededDice(seed))
        other = RandomPolicy(seed)
        while (decision := game.decision()) is not None:
            if decision.side == 0:
                order = policy.choose(decision, game.view(0))
                assert order in decision.legal
                assert order.reason
                assert "\n" not in order.reason
                assert policy.notes[order.unit]
            else:
                order = other.choose(decision, game.view(1))
            game.apply(order, trust=True)


def test_it_is_found_by_name_with_its_characters() -> None:
    assert make("veteran").name == "veteran"
    assert make("veteran:bold").name == "veteran:bold"
    assert weights_of("bold").taken < weights().taken < weights_of("cautious").taken
    with pytest.raises(InputError, match="cautious"):
        make("veteran:cautios")


def test_the_game_itself_is_left_alone() -> None:
    state = skirmish(2)
    state.phase = "movement"
    before = [(u.cell, u.facing, u.mode, u.prone, u.elevation) for u in state.units]
    order_of(state)
    assert [(u.cell, u.facing, u.mode, u.prone, u.elevation) for u in state.units] == before


def test_hidden_enemies_are_not_known_of() -> None:
    state = make_state(
        units=[{"id": "a", "at": "0805", "facing": "S", "mech": LASERS}, {"id": "b", "side": 1, "at": "0807", "mech": LASERS}]
    )
    assert fire_of(state, "a").attacks
    state.unit("b").hidden = True
    order = fire_of(state, "a")
    assert not order.attacks
    assert order.reason == "no enemy on the field"


def test_lanes_do_not_depend_on_who_asks_first() -> None:
    """All policies of a battle share the lanes of its board: what is read backwards is what would be found from there."""
    compared = 0
    for name in small_boards():
        state = skirmish(1, name)
        depth = state.board.depth
        cells = list(state.board.grid.on_board)
        keys = [key_of(cell, -depth[cell], (STANDING, PRONE)[number % 2]) for number, cell in enumerate(cells)]
        for step in (0, 1, 7, 38):
            for a, t in zip(keys[:-38:5], keys[step:][::5], strict=False):
                there, back = Lanes(state.board, state.ruleset), Lanes(state.board, state.ruleset)
                there.lane(a, t)
                back.lane(t, a)
                assert there.lane(t, a) == back.lane(t, a), (name, a, t)
                assert there.lane(a, t) == back.lane(a, t), (name, a, t)
                compared += 1
    assert compared > 500


def test_lanes_of_a_board_are_shared() -> None:
    state = skirmish(1)
    shared = lanes_of(state.board, state.ruleset)
    assert Mind(weights()).lanes(state) is Mind(weights()).lanes(state) is shared
    assert lanes_of(skirmish(2, ruleset="campaign").board, state.ruleset) is not shared
    assert lanes_of(state.board, skirmish(2, ruleset="campaign").ruleset) is not shared
    assert lanes_of(state.board, state.ruleset) is shared


def test_lanes_say_what_the_frames_of_attacks_say() -> None:
    """The lanes' sums are the frames' common modifiers less what the two units bring themselves."""
    compared = 0
    for name in small_boards():
        state = skirmish(1, name)
        lanes = Lanes(state.board, state.ruleset)
        a, t = state.units[0], state.units[4]
        a.gunnery = 0
        cells = [c for c in state.board.grid.on_board if not state.board.building[c] and not state.board.bridge[c]]
        for number in range(0, len(cells) - 40, 7):
            for step in (3, 17, 39):
                there = cells[number + step]
                for prone in (False, True):
                    seen = frame(state, a, t, cell=cells[number], mode="stand", prone=False, t_cell=there, t_prone=prone)
                    depths = state.board.depth
                    from_ = key_of(cells[number], -depths[cells[number]], STANDING)
                    to = key_of(there, -depths[there], PRONE if prone else STANDING)
                    lane, back = lanes.lane(from_, to), lanes.lane(to, from_)
                    assert (lane.distance, lane.bearing) == (seen.distance, seen.bearing)
                    assert (back.back, back.cover_back, back.line_back) == (lane.out, lane.cover_out, lane.line_out)
                    if seen.why or seen.target_submerged:
                        assert lane.out == BLOCKED
                    else:
                        assert (lane.out, lane.cover_out) == (seen.common, seen.cover)
                    compared += 1
    assert compared > 1000


# -- folly ------------------------------------------------------------------------------------------------------------


def test_no_deep_water_for_nothing() -> None:
    water = {"0601-0617": "water depth 2", "0701-0717": "water depth 2", "0801-0817": "water depth 1"}
    state = movement(
        [
            {"id": "a", "at": "0509", "facing": "SE", "type": "Shadow Hawk SHD-2H"},
            {"id": "b", "side": 1, "at": "1209", "facing": "NW", "type": "Shadow Hawk SHD-2H"},
        ],
        water,
    )
    for turn in range(1, 5):
        state.turn = turn
        order = move_of(state, "a")
        assert state.board.depth[order.to] < 2, order.reason


def test_it_does_not_stand_up_against_all_odds() -> None:
    # a gyro hit (+3), a leg's hip (+2), piloting 7: 12 to stand
    state = movement(
        [
            {"id": "a", "at": "0505", "facing": "SE", "prone": True, "piloting": 7, "gyro_hits": 1, "hits": ["RL:hip"],
             "mech": LASERS},
            {"id": "b", "side": 1, "at": "0809", "facing": "NW", "moved": {"mode": "stand"}, "mech": LASERS},
        ]
    )  # fmt: skip
    order = move_of(state, "a")
    assert "UP" not in order.path
    assert order.prone


def test_it_stands_up_when_that_is_easy() -> None:
    state = movement(
        [
            {"id": "a", "at": "0505", "facing": "SE", "prone": True, "piloting": 3, "mech": LASERS},
            {"id": "b", "side": 1, "at": "0807", "facing": "NW", "moved": {"mode": "stand"}, "mech": LASERS},
        ]
    )
    assert "UP" in move_of(state, "a").path


def test_no_alpha_strike_into_shutdown() -> None:
    hot = {"weapons": {"RA": ["is_ppc"], "LA": ["is_ppc"], "RT": ["is_ppc"], "LT": ["is_ppc"]}, "heat_sinks": 10}
    state = make_state(
        units=[
            {"id": "a", "at": "0805", "facing": "S", "heat": 4, "moved": {"mode": "walk", "hexes": 3}, "mech": hot},
            {"id": "b", "side": 1, "at": "0810", "mech": LASERS},
        ]
    )
    unit = state.unit("a")
    order = fire_of(state, "a")
    heat = unit.heat + sum(unit.spec.mounts[a.mount].weapon.heat for a in order.attacks) - dissipation(state, unit)
    # shutdown rolls begin at 14: four PPCs would make 34
    assert 0 < len(order.attacks) < 3
    assert heat < 14


def test_it_turns_to_face_what_it_can_face() -> None:
    state = movement(
        [
            {"id": "a", "at": "0805", "facing": "N", "mech": LASERS},
            {"id": "b", "side": 1, "at": "0810", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS},
        ]
    )
    order = move_of(state, "a")
    relative = (state.board.grid.sextant(order.to, state.unit("b").cell) - 4 * order.facing) % 24
    assert relative <= 8 or relative >= 16, order


def test_no_shot_that_cannot_hit() -> None:
    state = make_state(
        units=[
            {"id": "a", "at": "0801", "facing": "S", "moved": {"mode": "jump", "hexes": 5}, "heat": 13, "mech": LASERS},
            {"id": "b", "side": 1, "at": "0809", "moved": {"mode": "run", "hexes": 7}, "mech": LASERS},
        ]
    )
    # 4 + 3 jumped + 2 heat + 3 target + 4 long range
    assert not fire_of(state, "a").attacks


def test_ammunition_is_saved_on_poor_odds() -> None:
    gun = {"weapons": {"RT": ["is_ac20"]}, "ammo": {"LT": ["IS Ammo AC/20"]}}
    for gunnery, fires in ((3, True), (9, False)):
        state = make_state(
            units=[
                {"id": "a", "at": "0805", "facing": "S", "gunnery": gunnery, "ammo": [2], "mech": gun},
                {"id": "b", "side": 1, "at": "0808", "moved": {"mode": "run", "hexes": 5}, "mech": LASERS},
            ]
        )
        assert bool(fire_of(state, "a").attacks) is fires


def test_it_closes_in_when_nobody_can_hit() -> None:
    state = movement(
        [
            {"id": "a", "at": "0802", "facing": "S", "mech": LASERS},
            {"id": "b", "side": 1, "at": "0817", "facing": "N", "mech": LASERS},
        ]
    )
    order = move_of(state, "a")
    distance = state.board.grid.distance
    there = state.unit("b").cell
    assert distance(order.to, there) <= distance(state.unit("a").cell, there) - 3


def test_it_goes_round_what_it_cannot_cross() -> None:
    # a wall four levels high with a gap at the east
    wall = {f"{column:02d}08": "level 4" for column in range(1, 15)}
    state = movement(
        [
            {"id": "a", "at": "0406", "facing": "S", "mech": LASERS},
            {"id": "b", "side": 1, "at": "0412", "facing": "N", "mech": {"weapons": {"RA": ["is_small_laser"]}}},
        ],
        wall,
    )
    policy = VeteranPolicy(0)
    other = state.unit("b")
    for _ in range(8):
        me = state.unit("a")
        me.moved = False
        other.moved = True
        decision = Decision(state, 0, [me])
        order = policy.choose(decision, View(state, 0))
        assert isinstance(order, MoveOrder)
        me.cell, me.facing = order.to, order.facing
        state.turn += 1
        state.touch()
    grid = state.board.grid
    assert grid.distance(state.unit("a").cell, other.cell) <= 9
    assert grid.rows[state.unit("a").cell] >= 7


def test_it_finishes_a_target_that_is_nearly_gone() -> None:
    hurt = {"armor": {"CT": 0}, "structure": {"CT": 3}}
    state = make_state(
        units=[
            {"id": "a", "at": "0805", "facing": "S", "mech": LASERS},
            {"id": "b", "side": 1, "at": "0709", "mech": LASERS},
            {"id": "c", "side": 1, "at": "0909", "mech": LASERS, **hurt},
        ]
    )
    order = fire_of(state, "a")
    assert order.primary == "c"
    assert {attack.target for attack in order.attacks} == {"c"}


def test_it_joins_its_friends_fire() -> None:
    units: list[dict[str, Any]] = [
        {"id": "a", "at": "0805", "facing": "S", "mech": LASERS},
        {"id": "f", "at": "0803", "facing": "S", "type": "Awesome AWS-8Q"},
        {"id": "b", "side": 1, "at": "0709", "mech": LASERS},
        {"id": "c", "side": 1, "at": "0909", "mech": LASERS, "armor": {"CT": 2}, "structure": {"CT": 10}},
    ]
    state = make_state(units=units)
    first = VeteranPolicy(0).choose(Decision(state, 0, [state.unit("f")]), View(state, 0))
    assert isinstance(first, FireOrder)
    state.declared.append(first)
    assert fire_of(state, "a").primary == first.primary == "c"


def test_it_kicks_a_prone_neighbour() -> None:
    state = make_state(
        phase="physical",
        units=[
            {"id": "a", "at": "0805", "facing": "S", "moved": {"mode": "walk", "hexes": 1}, "mech": LASERS},
            {"id": "b", "side": 1, "at": "0806", "prone": True, "moved": {"mode": "stand"}, "mech": LASERS},
        ],
    )
    order = order_of(state, "a")
    assert isinstance(order, PhysicalOrder)
    assert order.attack == "kick"
    # 5 - 2 + 1 walked - 2 prone
    assert "2+" in order.reason


def test_it_does_not_kick_against_all_odds() -> None:
    state = make_state(
        phase="physical",
        units=[
            {"id": "a", "at": "0805", "facing": "S", "piloting": 7, "used_arms": ["RA", "LA"],
             "moved": {"mode": "run", "hexes": 5}, "mech": LASERS},
            {"id": "b", "side": 1, "at": "0806", "moved": {"mode": "run", "hexes": 7}, "mech": LASERS},
        ],
    )  # fmt: skip
    order = order_of(state, "a")
    assert isinstance(order, PhysicalOrder)
    # 7 - 2 + 2 ran + 3 target: a 10, and a fall when it misses
    assert not order.attack


def test_fire_modes_suit_the_shot() -> None:
    def mode(weapon: str, bins: list[str], distance: int, **target: Any) -> str:
        mech = {"weapons": {"RT": [weapon]}, "ammo": {"LT": bins}, "tech": "Clan"}
        state = make_state(
            units=[
                {"id": "a", "at": "0801", "facing": "S", "gunnery": 3, "mech": mech},
                {"id": "b", "side": 1, "at": f"08{1 + distance:02d}", "mech": LASERS, **target},
            ]
        )
        order = fire_of(state, "a")
        assert len(order.attacks) == 1
        return order.attacks[0].mode

    atm = ["Clan Ammo ATM-9", "Clan Ammo ATM-9 ER", "Clan Ammo ATM-9 HE"]
    assert mode("clan_atm9", atm, 2) == "he"
    assert mode("clan_atm9", atm, 13) == "std"
    assert mode("clan_atm9", atm, 16) == "er"
    # two shots for a jam in 36
    assert mode("clan_uac10", ["Clan Ammo Ultra AC/10"], 4) == "double"
    # slugs against whole armour at short range, pellets into holes and for their better odds
    assert mode("clan_lb20x", ["Clan Ammo LB 20-X AC", "Clan Ammo LB 20-X Cluster"], 3) == ""
    far = {"moved": {"mode": "run", "hexes": 10}}
    assert mode("clan_lb20x", ["Clan Ammo LB 20-X AC", "Clan Ammo LB 20-X Cluster"], 11, **far) == "cluster"


def test_it_swings_its_hatchet_and_keeps_the_arm_free_for_it() -> None:
    units: list[dict[str, Any]] = [
        {"id": "a", "at": "0805", "facing": "S", "moved": {"mode": "walk", "hexes": 2}, "type": "Hatchetman HCT-3F"},
        {"id": "b", "side": 1, "at": "0806", "moved": {"mode": "stand"}, "mech": LASERS},
    ]
    state = make_state(units=units)
    order = fire_of(state, "a")
    fired = {state.unit("a").spec.location_name(state.unit("a").spec.mounts[a.mount].location) for a in order.attacks}
    state = make_state(phase="physical", units=[{**units[0], "used_arms": sorted(fired)}, units[1]])
    blow = order_of(state, "a")
    assert isinstance(blow, PhysicalOrder)
    assert blow.attack in ("hatchet", "kick")


def test_the_withdrawing_make_for_their_edge_and_leave() -> None:
    state = movement(
        [
            {"id": "a", "at": "0806", "facing": "N", "mech": LASERS},
            {"id": "b", "side": 1, "at": "0812", "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS},
        ]
    )
    state.edges = ["north", "south"]
    state.withdrawing[0] = True
    order = move_of(state, "a")
    assert state.board.grid.rows[order.to] < 3
    state.unit("a").cell = state.board.grid.parse("0801")
    state.touch()
    assert "EXIT" in move_of(state, "a").path


def test_indirect_fire_with_a_spotter() -> None:
    lrms = {"weapons": {"RT": ["is_lrm20"]}, "ammo": {"LT": ["IS Ammo LRM-20"]}}
    state = make_state(
        board={f"{column:02d}09": "level 4" for column in range(1, 14)},
        units=[
            {"id": "a", "at": "0805", "facing": "S", "mech": lrms},
            {"id": "s", "at": "1412", "facing": "SW", "mech": LASERS},
            {"id": "b", "side": 1, "at": "0813", "mech": LASERS},
        ],
    )
    order = fire_of(state, "a")
    assert [(attack.target, attack.spotter) for attack in order.attacks] == [("b", "s")]
    assert "spotted by s" in order.reason


def test_what_is_declared_is_what_the_numbers_say() -> None:
    """No declared shot is out of arc, out of range or beyond the dice."""
    game = Game(skirmish(9, limit=5), SeededDice(9))
    policy = VeteranPolicy(0)
    while (decision := game.decision()) is not None:
        order = policy.choose(decision, game.view(decision.side))
        if isinstance(order, FireOrder):
            state = game.state
            unit = state.unit(order.unit)
            for attack in order.attacks:
                mount = unit.spec.mounts[attack.mount]
                mode = next(m for m in mount.modes if m.name == attack.mode)
                number: TargetNumber = weapon_attack(
                    state,
                    unit,
                    mount,
                    mode,
                    state.unit(attack.target),
                    primary=state.unit(order.primary),
                    twist=order.twist,
                    flip=order.flip,
                    spotter=state.unit(attack.spotter) if attack.spotter else None,
                )
                assert number.possible
                assert number.value <= 12
        game.apply(order)


def test_nobody_in_sight_is_no_trouble() -> None:
    state = movement([{"id": "a", "at": "0805", "mech": LASERS}, {"id": "b", "side": 1, "at": "0807", "mech": LASERS}])
    state.unit("b").hidden = True
    order = move_of(state, "a")
    assert order.reason


def test_those_without_weapons_come_to_blows() -> None:
    state = movement(
        [{"id": "a", "at": "0803", "facing": "S", "mech": {}}, {"id": "b", "side": 1, "at": "0815", "facing": "N", "mech": {}}]
    )
    order = move_of(state, "a")
    assert state.board.grid.distance(order.to, state.unit("b").cell) < 10


# -- strength and speed -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_it_beats_random_play() -> None:
    won = 0
    for seed in range(50):
        side = seed & 1
        choosers: list[Policy] = [RandomPolicy(seed), RandomPolicy(seed)]
        choosers[side] = VeteranPolicy(seed)
        game, _ = play(seed, choosers, limit=60)
        won += game.state.winner == side
    assert won >= 49


@pytest.mark.slow
def test_a_movement_takes_its_time_and_no_more() -> None:
    for size, most in ((4, 0.040), (12, 0.120)):
        took = []
        for seed in range(3):
            policy = VeteranPolicy(0)
            game = Game(skirmish(seed, size=size, limit=3), SeededDice(seed))
            while (decision := game.decision()) is not None:
                start = time.process_time()
                order = policy.choose(decision, game.view(decision.side))
                if decision.kind == "movement":
                    took.append(time.process_time() - start)
                game.apply(order, trust=True)
        assert sum(took) / len(took) < most
