"""Carriers that are lost, and what becomes of those aboard. Rule: S-9, E-21."""

from __future__ import annotations

import pytest

from opfor.dice import SeededDice
from opfor.rules.moving.transport import carrier_lost, room_left
from opfor.rules.play import Play
from opfor.state import State
from tests.support import make_state


def loaded(board: dict[str, object] | None = None, **carrier: object) -> State:
    """A carrier with a platoon aboard at 0505."""
    tank = {"id": "c", "at": "0505", "vehicle": {"troop_space": 5, **dict(carrier.pop("vehicle", {}))}, **carrier}  # type: ignore[call-overload]
    platoon = {"id": "p", "at": "0505", "platoon": {}, "aboard": "c", "elevation": carrier.get("elevation", 0)}
    return make_state(board=board, size=(9, 9), units=[tank, platoon], phase="movement")


def test_room() -> None:
    state = loaded()
    assert room_left(state, state.unit("c")) == 2


def test_they_get_out_of_a_wreck() -> None:
    state = loaded()
    carrier_lost(Play(state, SeededDice(1)), state.unit("c"))
    platoon = state.unit("p")
    assert (platoon.aboard, platoon.alive, state.board.grid.names[platoon.cell]) == ("", True, "0505")


def test_nobody_survives_an_explosion() -> None:
    state = loaded()
    carrier_lost(Play(state, SeededDice(1)), state.unit("c"), survivable=False)
    assert state.unit("p").destroyed == "lost with c"


def test_nobody_swims() -> None:
    state = loaded({"0505": "water depth 2"}, vehicle={"motive": "hover"}, elevation=0)
    carrier_lost(Play(state, SeededDice(1)), state.unit("c"))
    assert state.unit("p").destroyed == "lost with c"


@pytest.mark.parametrize("crowd", [1, 2])
def test_where_it_is_crowded_they_step_aside(crowd: int) -> None:
    state = loaded()
    others = [{"id": f"o{i}", "at": "0505", "platoon": {}} for i in range(crowd)]
    full = make_state(
        size=(9, 9),
        units=[
            {"id": "c", "at": "0505", "vehicle": {"troop_space": 5}},
            {"id": "p", "at": "0505", "platoon": {}, "aboard": "c"},
            *others,
        ],
    )
    full.unit("c").destroyed = "ammunition"
    full.touch()
    carrier_lost(Play(full, SeededDice(1)), full.unit("c"))
    platoon = full.unit("p")
    assert platoon.alive
    assert (platoon.cell == state.unit("p").cell) == (crowd == 1)


def test_who_is_aboard_is_nowhere_to_be_met() -> None:
    state = loaded()
    assert [unit.id for unit in state.occupants(state.unit("c").cell)] == ["c"]
