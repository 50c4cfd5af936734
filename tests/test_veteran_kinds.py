"""The veteran with vehicles, VTOLs, infantry and battle armour: a list of follies that it does not commit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from opfor.game.decision import Decision
from opfor.game.legal.movement import MovementChoices
from opfor.game.view import View
from opfor.orders import FireOrder, MoveOrder, Order
from opfor.rules.moving.flight import airborne
from opfor.rules.troops.anti_mech import LET_GO, SWARM
from opfor.rules.troops.infantry import DIG_IN, offers_cover
from opfor.state import State
from policies.veteran import VeteranPolicy
from tests.support import make_state

LASERS: dict[str, Any] = {"weapons": {"RA": ["is_medium_laser"], "LA": ["is_medium_laser"], "RT": ["is_medium_laser"]}}
GUNNER: dict[str, Any] = {"weapons": {"RA": ["is_mg", "is_mg"], "RT": ["is_medium_laser"]}, "ammo": {"LT": ["IS Ammo MG"]}}
TANK: dict[str, Any] = {"weapons": {"TU": ["is_medium_laser", "is_medium_laser"]}, "engine": "fusion"}
EVERYBODY: tuple[dict[str, Any], ...] = ({"vehicle": TANK}, {"mech": LASERS}, {"platoon": {}})
HOVER: dict[str, Any] = {**TANK, "motive": "hover", "cruise": 8, "tons": 30}
GUNSHIP: dict[str, Any] = {"weapons": {"FR": ["is_medium_laser", "is_medium_laser"]}, "engine": "fusion"}


def order_of(state: State, unit: str = "a") -> Order:
    me = state.unit(unit)
    decision = Decision(state, me.side, [me])
    policy = VeteranPolicy(0)
    order = policy.choose(decision, View(state, me.side))
    assert order in decision.legal, decision.legal.why_not(order)
    assert order.reason and policy.notes[unit]
    return order


def move_of(state: State, unit: str = "a") -> MoveOrder:
    order = order_of(state, unit)
    assert isinstance(order, MoveOrder)
    return order


def fire_of(state: State, unit: str = "a") -> FireOrder:
    order = order_of(state, unit)
    assert isinstance(order, FireOrder)
    return order


def movement(units: Sequence[Mapping[str, Any]], board: Mapping[str, Any] | None = None, **more: Any) -> State:
    return make_state(phase="movement", units=units, board=board, **more)


def told(state: State, order: MoveOrder) -> Any:
    """What an order costs and risks."""
    return MovementChoices(state, [state.unit(order.unit)]).option(order)


def still(id: str, at: str, **more: Any) -> dict[str, Any]:
    """An enemy that has moved and stands still."""
    return {"id": id, "side": 1, "at": at, "facing": "N", "moved": {"mode": "stand"}, "mech": LASERS, **more}


# -- hover tanks and other vehicles -----------------------------------------------------------------------------------


@pytest.mark.parametrize("enemy_moved", [True, False])
def test_hover_tanks_keep_moving(enemy_moved: bool) -> None:
    enemy = still("b", "0810")
    if not enemy_moved:
        del enemy["moved"]
    state = movement([{"id": "a", "at": "0805", "facing": "S", "vehicle": HOVER}, enemy])
    order = move_of(state)
    assert told(state, order).hexes >= 5, order


def test_vehicles_do_not_risk_a_skid_or_a_sideslip_for_nothing() -> None:
    paved: dict[str, str] = {"all": "pavement"}
    for motive, board in (("hover", {}), ("wheeled", paved)):
        state = movement(
            [{"id": "a", "at": "0803", "facing": "S", "vehicle": {**TANK, "motive": motive, "cruise": 6}}, still("b", "0816")],
            board,
        )
        order = move_of(state)
        assert order.path
        assert not told(state, order).rolls, order


def test_hover_tanks_do_not_slip_into_a_wall_of_woods() -> None:
    woods = {f"{column:02d}{row:02d}": "heavy woods" for column in range(1, 17) for row in (3, 7)}
    state = movement([{"id": "a", "at": "0205", "facing": "S", "vehicle": HOVER}, still("b", "1405")], woods)
    assert not told(state, move_of(state)).rolls


def test_nobody_drives_into_known_mines() -> None:
    mines = {f"{column:02d}08": {"mines": 20, "mines_known": 1} for column in range(4, 13)}
    for kind in EVERYBODY:
        state = movement([{"id": "a", "at": "0806", "facing": "S", **kind}, still("b", "0814")], mines)
        order = move_of(state)
        assert not state.board.hexes[order.to].mines
        walked = MovementChoices(state, [state.unit("a")]).of(state.unit("a")).walk(order) if order.path else None
        cells = (
            []
            if walked is None or order.mode == "jump"
            else [
                MovementChoices(state, [state.unit("a")]).of(state.unit("a")).ground.cell(step.stance // 6)
                for step in walked.steps
            ]
        )
        assert not any(state.board.hexes[cell].mines for cell in cells), order


def test_nobody_stands_in_flames() -> None:
    fires = {f"{column:02d}{row:02d}": {"woods": 1, "fire": True, "smoke": 2} for column in range(6, 11) for row in (8, 9)}
    for kind in EVERYBODY:
        state = movement([{"id": "a", "at": "0807", "facing": "S", **kind}, still("b", "0814")], fires)
        assert not state.board.hexes[move_of(state).to].fire


def test_no_bridge_that_would_not_bear_it() -> None:
    river: dict[str, Any] = {f"{column:02d}08": "water depth 2" for column in range(1, 17)}
    river["0808"] = {"water": 2, "bridge": True, "bridge_height": 0, "bridge_cf": 20, "bridge_exits": 9}
    state = movement([{"id": "a", "at": "0806", "facing": "S", "vehicle": TANK}, still("b", "0816")], river)
    for turn in range(1, 4):
        state.turn = turn
        assert state.board.grid.rows[move_of(state).to] <= 6


def test_a_stuck_turret_makes_the_hull_turn() -> None:
    # the turret is locked to the rear: the hull turns its back to the enemy
    state = movement([{"id": "a", "at": "0806", "facing": "S", "turret": 2, "twist": 3, "vehicle": TANK}, still("b", "0811")])
    order = move_of(state)
    relative = (state.board.grid.sextant(order.to, state.unit("b").cell) - 4 * order.facing) % 24
    assert 8 <= relative <= 16, order


def test_a_jammed_turret_is_freed_when_that_pays() -> None:
    units = [{"id": "a", "at": "0806", "facing": "S", "turret": 1, "twist": 3, "vehicle": TANK}, still("b", "0810")]
    order = fire_of(make_state(units=units))
    assert order.clear == "turret"
    assert "turret" in order.reason
    # jammed ahead with the enemy before it, it fires on
    units[0] = {**units[0], "twist": 0}
    order = fire_of(make_state(units=units))
    assert order.attacks and not order.clear


def test_a_weapon_is_mended_when_that_pays() -> None:
    tank = {"weapons": {"TU": ["is_ac20", "is_mg"]}, "ammo": ["IS Ammo AC/20", "IS Ammo MG"], "tons": 60}
    units = [{"id": "a", "at": "0806", "facing": "S", "malfunctioned": 1, "vehicle": tank}, still("b", "0809")]
    # a machine gun against mending the autocannon
    assert fire_of(make_state(units=units)).clear == "0"
    units[0] = {**units[0], "malfunctioned": 2}
    order = fire_of(make_state(units=units))
    assert order.attacks and not order.clear


def test_immobilized_vehicles_fire_on() -> None:
    tank = {"id": "a", "at": "0806", "facing": "S", "immobilized": True, "vehicle": TANK}
    state = make_state(units=[tank, still("b", "0809")])
    assert len(fire_of(state).attacks) == 2
    state.phase = "movement"
    assert move_of(state).mode == "stand"


def test_a_stunned_crew_does_what_it_may() -> None:
    units = [{"id": "a", "at": "0806", "facing": "S", "stunned": 1, "vehicle": HOVER}, still("b", "0809")]
    order = move_of(movement(units))
    assert order.mode in ("stand", "walk")
    assert told(movement(units), order).hexes >= 5
    assert not fire_of(make_state(units=units)).attacks


# -- VTOLs ------------------------------------------------------------------------------------------------------------


def test_vtols_keep_their_height_and_their_speed() -> None:
    hills = {"0607-0609": "level 3, light woods", "1007-1009": "heavy woods"}
    for armed in (LASERS, {"weapons": {"RT": ["is_ac5"]}, "ammo": {"LT": ["IS Ammo AC/5"]}}):
        state = movement(
            [{"id": "a", "at": "0803", "facing": "S", "elevation": 2, "vtol": GUNSHIP}, still("b", "0811", mech=armed)], hills
        )
        order = move_of(state)
        assert airborne(state.board.hexes[order.to], order.elevation)
        assert told(state, order).hexes >= 5
        distance = state.board.grid.distance(order.to, state.unit("b").cell)
        assert 2 <= distance <= 9


def test_a_vtol_on_the_ground_takes_off() -> None:
    state = movement([{"id": "a", "at": "0803", "facing": "S", "elevation": 0, "vtol": GUNSHIP}, still("b", "0809")])
    order = move_of(state)
    assert airborne(state.board.hexes[order.to], order.elevation)


def test_flak_for_what_flies() -> None:
    bins = ["Clan Ammo LB 10-X AC", "Clan Ammo LB 10-X Cluster"]
    mech = {"weapons": {"RT": ["clan_lb10x"]}, "ammo": {"LT": bins}, "tech": "Clan"}
    flying = {"id": "b", "side": 1, "at": "0808", "elevation": 2, "moved": {"mode": "run", "hexes": 8}, "vtol": GUNSHIP}
    state = make_state(units=[{"id": "a", "at": "0802", "facing": "S", "mech": mech}, flying])
    assert [attack.mode for attack in fire_of(state).attacks] == ["cluster"]


# -- infantry ---------------------------------------------------------------------------------------------------------


def test_infantry_takes_cover() -> None:
    board = {"0906": "light woods", "0707": "rough"}
    for enemy in ({"mech": GUNNER}, {"vehicle": TANK}):
        state = movement([{"id": "a", "at": "0806", "platoon": {}}, still("b", "0809", **enemy)], board)
        assert offers_cover(state.board, move_of(state).to)


def test_infantry_holds_its_cover_and_does_not_cross_the_open_under_guns() -> None:
    for cover in ("light woods", {"building": 2, "building_height": 2, "building_cf": 40}):
        state = movement([{"id": "a", "at": "0806", "platoon": {}}, still("b", "0812", mech=GUNNER)], {"0806": cover})
        order = move_of(state)
        assert order.to == state.unit("a").cell, order


def test_infantry_shoots_what_comes_within_reach() -> None:
    state = make_state(
        board={"0806": "heavy woods"},
        units=[{"id": "a", "at": "0806", "platoon": {"weapon": "srm"}}, still("b", "0808"), still("c", "0815")],
    )
    order = fire_of(state)
    assert [attack.target for attack in order.attacks] == ["b"]


def test_infantry_goes_for_the_legs_of_a_mech_in_reach() -> None:
    mech = still("b", "0807")
    platoon = {"id": "a", "at": "0806", "platoon": {"motive": "jump", "anti_mech": True}, "piloting": 4}
    board = {"0806": "light woods", "0807": "light woods"}
    assert move_of(movement([platoon, mech], board)).to == movement([platoon, mech], board).unit("b").cell
    order = fire_of(make_state(units=[{**platoon, "at": "0807"}, mech], board=board))
    assert len(order.attacks) == 1
    mount = make_state(units=[platoon]).unit("a").spec.mounts[order.attacks[0].mount]
    assert "anti_mech" in mount.weapon.flags


def test_suits_hold_on_and_strike() -> None:
    suits = {"id": "a", "at": "0807", "swarming": "b", "suits": {}}
    order = fire_of(make_state(units=[suits, still("b", "0807")]))
    mount = make_state(units=[suits, still("b", "0807")]).unit("a").spec.mounts[order.attacks[0].mount]
    assert mount.id == SWARM
    assert order.clear != LET_GO


def test_swarmed_units_shake_off() -> None:
    for kind in ({"mech": LASERS}, {"vehicle": TANK}):
        state = movement(
            [
                {"id": "a", "at": "0806", "facing": "S", "piloting": 3, **kind},
                {"id": "s", "side": 1, "at": "0806", "swarming": "a", "moved": {"mode": "stand"}, "suits": {}},
                still("b", "0812"),
            ]
        )
        order = move_of(state)
        assert order.mode in ("run", "jump"), order
        assert "shakes off s" in order.reason


def test_platoons_dig_in_where_nothing_else_helps() -> None:
    # no cover far and wide, the enemy out of its reach but not the other way round
    state = make_state(
        units=[{"id": "a", "at": "0806", "moved": {"mode": "stand"}, "platoon": {}}, still("b", "0811", mech=GUNNER)]
    )
    order = fire_of(state)
    assert order.clear == DIG_IN or order.attacks
    state.unit("b").cell = state.board.grid.parse("0815")
    state.touch()
    assert fire_of(state).clear == DIG_IN


# -- the right weapon for the right target ----------------------------------------------------------------------------


def test_machine_guns_for_troopers_and_cannon_for_armour() -> None:
    mech = {
        "weapons": {"RA": ["is_mg", "is_mg"], "RT": ["is_ac20"]},
        "ammo": {"LT": ["IS Ammo MG", "IS Ammo AC/20"]},
    }
    state = make_state(
        units=[
            {"id": "a", "at": "0805", "facing": "S", "mech": mech},
            {"id": "p", "side": 1, "at": "0807", "moved": {"mode": "stand"}, "platoon": {}},
            {"id": "t", "side": 1, "at": "0808", "moved": {"mode": "stand"}, "vehicle": TANK},
        ]
    )
    mounts = state.unit("a").spec.mounts
    targets = {mounts[attack.mount].id: attack.target for attack in fire_of(state).attacks}
    assert targets["is_ac20"] == "t"
    assert targets["is_mg"] == "p"


def test_walls_are_shot_down_only_when_that_pays() -> None:
    guns = {"RT": ["is_ac20"], "RA": ["is_ppc"], "LA": ["is_ppc"]}
    cannon = {"weapons": guns, "ammo": {"LT": ["IS Ammo AC/20"]}, "heat_sinks": 30}
    inside = {"id": "p", "side": 1, "at": "0808", "moved": {"mode": "stand"}, "platoon": {}}

    def shot(building: int, cf: int, *more: dict[str, Any]) -> FireOrder:
        board = {"0808": {"building": building, "building_height": 1, "building_cf": cf}}
        attacker = {"id": "a", "at": "0805", "facing": "S", "gunnery": 2, "mech": cannon}
        return fire_of(make_state(board=board, units=[attacker, inside, *more]))

    # heavy walls about to come down: through them, not at those behind them
    assert shot(3, 15).primary == "@0808"
    # a sound fortress is not shot at for four turns; at most it is set on fire
    assert not [attack for attack in shot(4, 150).attacks if not attack.aim]
    # a tank in the open is the better target
    assert shot(3, 15, {"id": "t", "side": 1, "at": "0708", "moved": {"mode": "stand"}, "vehicle": TANK}).primary == "t"


# -- carriers ---------------------------------------------------------------------------------------------------------

APC: dict[str, Any] = {"weapons": {"TU": ["is_mg"]}, "ammo": ["IS Ammo MG"], "troop_space": 6, "cruise": 6}


def test_infantry_rides_to_where_it_is_useful() -> None:
    far = [
        {"id": "c", "at": "0802", "facing": "S", "vehicle": APC},
        {"id": "a", "at": "0802", "aboard": "c", "platoon": {}},
        still("b", "0817"),
    ]
    state = movement(far, size=(16, 30))
    state.unit("b").cell = state.board.grid.parse("0829")
    state.touch()
    assert move_of(state, "a").mode == "stand"
    before = state.board.grid.distance(state.unit("c").cell, state.unit("b").cell)
    assert state.board.grid.distance(move_of(state, "c").to, state.unit("b").cell) < before


def test_it_gets_out_into_cover_near_the_enemy() -> None:
    state = movement(
        [
            {"id": "c", "at": "0806", "facing": "S", "moved": {"mode": "walk", "hexes": 5}, "vehicle": APC},
            {"id": "a", "at": "0806", "aboard": "c", "platoon": {"weapon": "srm"}},
            still("b", "0810"),
        ],
        {"0706": "heavy woods"},
    )
    order = move_of(state)
    assert order.mode == "dismount"
    assert state.board.grid.names[order.to] == "0706"


def test_it_gets_in_when_the_way_is_long() -> None:
    state = movement(
        [
            {"id": "c", "at": "0803", "facing": "S", "vehicle": APC},
            {"id": "a", "at": "0802", "platoon": {}},
            still("b", "0829"),
        ],
        size=(16, 30),
    )
    order = move_of(state)
    assert order.attack == "mount" and order.target == "c"
    # and the carrier waits for it
    policy = VeteranPolicy(0)
    decision = Decision(state, 0, [state.unit("c"), state.unit("a")])
    assert policy.choose(decision, View(state, 0)).unit == "a"


def test_a_vtol_sets_down_to_unload() -> None:
    state = movement(
        [
            {"id": "c", "at": "0804", "facing": "S", "elevation": 2, "vtol": {"troop_space": 6}},
            {"id": "a", "at": "0804", "elevation": 2, "aboard": "c", "platoon": {"weapon": "srm"}},
            still("b", "0812"),
        ],
        {"0108-1608": "level 4"},
    )
    order = move_of(state, "c")
    assert not airborne(state.board.hexes[order.to], order.elevation), order
    # behind the hills, not under the enemy's guns
    assert state.board.grid.rows[order.to] < 7, order


def test_an_empty_carrier_fetches_infantry_with_a_long_way_to_go() -> None:
    carriers: tuple[dict[str, Any], ...] = ({"vehicle": APC}, {"vtol": {"troop_space": 6}, "elevation": 1})
    for carrier in carriers:
        state = movement(
            [
                {"id": "c", "at": "0804", "facing": "N", **carrier},
                {"id": "a", "at": "0801", "platoon": {}},
                still("b", "0829"),
            ],
            size=(16, 30),
        )
        order = move_of(state, "c")
        assert state.board.grid.distance(order.to, state.unit("a").cell) <= 1, order
        assert order.elevation == 0


def test_every_kind_withdraws_and_leaves() -> None:
    kinds: tuple[dict[str, Any], ...] = (*EVERYBODY, {"suits": {}}, {"vtol": GUNSHIP, "elevation": 1}, {"vehicle": HOVER})
    for kind in kinds:
        state = movement([{"id": "a", "at": "0801", "facing": "N", **kind}, still("b", "0812")])
        state.edges = ["north", "south"]
        state.withdrawing[0] = True
        assert "EXIT" in move_of(state).path
        state.unit("a").cell = state.board.grid.parse("0804")
        state.touch()
        assert state.board.grid.rows[move_of(state).to] < 3
