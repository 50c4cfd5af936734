"""What tests of the veteran under the campaign's rules begin with: positions, and what it orders in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from opfor.game.decision import Decision
from opfor.game.legal.movement import MovementChoices
from opfor.game.view import View
from opfor.orders import MoveOrder, Order
from opfor.state import State, Underway
from policies.veteran import VeteranPolicy
from policies.veteran.mind import Mind
from policies.veteran.move_plan import MovePlan
from policies.veteran.weights import weights
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


def plan_of(state: State, unit: str = "a") -> MovePlan:
    mind = Mind(weights())
    me = state.unit(unit)
    ours, theirs = mind.sides(state, me.side)
    mind.foresee(state, me.side, ours, theirs)
    figure = next(f for f in ours if f.unit is me)
    return MovePlan(state, figure, ours, theirs, MovementChoices(state, [me]), mind)
