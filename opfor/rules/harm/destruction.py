"""Units that are out of the battle for good. Rule: S-5."""

from __future__ import annotations

from opfor.rules.kinds import kind_of
from opfor.rules.play import Play
from opfor.rules.troops.clinging import shaken_off
from opfor.units.state import UnitState

RULE = "S-5"


def destroy(play: Play, unit: UnitState, why: str, rule: str = RULE) -> None:
    """The unit is out of the battle for good. Rule: S-5."""
    if unit.destroyed:
        return
    unit.destroyed = why
    play.state.touch()
    at = play.state.board.grid.names[unit.cell] if unit.cell >= 0 else ""
    play.emit("destroyed", unit, rule, why=why, at=at)
    if any(other.swarming == unit.id for other in play.state.units):
        shaken_off(play, unit, "its target is destroyed")
    then = kind_of(unit).destroyed
    if then is not None:
        then(play, unit, why, rule)
