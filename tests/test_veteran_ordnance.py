"""What the veteran calls and loads: artillery, bombs, special missiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opfor.orders import CallOrder, FireOrder, MoveOrder
from opfor.state import Shell, State
from tests.support import make_state
from tests.veteran_table import LASERS, SRMS, campaign, order_of

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
