"""Troopers that cling to a unit, and how they come off it. Rule: S-9."""

from __future__ import annotations

from opfor.rules.play import Play
from opfor.state import State
from opfor.units.state import UnitState

RULE = "S-9"


def swarmer_of(state: State, target: UnitState) -> UnitState | None:
    """The living unit that clings to a target, or None. Rule: S-9."""
    for unit in state.units:
        if unit.swarming == target.id and not unit.destroyed and not unit.gone:
            return unit
    return None


def let_go(play: Play, unit: UnitState, why: str) -> None:
    """A unit no longer clings to its target and stands in that hex; troopers that come down in water drown. Rule: S-9."""
    if not unit.swarming:
        return
    state = play.state
    target, unit.swarming = unit.swarming, ""
    if not unit.alive or unit.cell < 0:
        return
    board = state.board
    state.touch()
    play.emit("let_go", unit, RULE, target=target, why=why, at=board.grid.names[unit.cell])
    if unit.elevation < 0:
        from opfor.rules.harm.destruction import destroy

        destroy(play, unit, "drowned", RULE)


def forget(play: Play, unit: UnitState, why: str, rule: str) -> None:
    """A platoon or squad that is destroyed clings to nothing any more. Rule: S-9."""
    unit.swarming = ""


def shaken_off(play: Play, target: UnitState, why: str) -> None:
    """Whatever clings to a unit falls off it. Rule: S-9."""
    unit = swarmer_of(play.state, target)
    if unit is not None:
        let_go(play, unit, why)
