"""Ice over water: it carries whoever goes onto it, until it breaks. Rule: S-10.

A hex with ice and water is level ground at the surface (``Hex.depth`` is 0 there, ``Hex.water`` the depth below). The tables of
the standard game leave ice out; these are the figures of the advanced rules as read: 1d6 for each hex of ice entered, and a
lower result for those who come down on it. Hover vehicles and infantry on foot never break it.
"""

from __future__ import annotations

from opfor.rules.pilots.piloting_rolls import roll_or_fall
from opfor.rules.play import Play
from opfor.rules.terrain.water import drown
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "S-10"
_WATER_REASONS = ("water_1", "water_2", "water_3")


def breaks_ice(unit: UnitState) -> bool:
    """Whether a unit is heavy on its feet or wheels enough for ice to break under it."""
    spec = unit.spec
    return "hover" not in spec.motive and spec.kind != "infantry" and spec.kind != "vtol" and not unit.elevation


def enter_ice(play: Play, unit: UnitState, *, landed: bool = False) -> bool:
    """A unit has come onto ice over water: 1d6, and it may break. Returns whether the ice held. Rule: S-10."""
    state = play.state
    if not breaks_ice(unit):
        return True
    rows = table("terrain")["ice"]
    number = int(rows["landing_breaks" if landed else "breaks"])
    name = state.board.grid.names[unit.cell]
    roll = play.roll(1, f"{unit.id}: ice in {name}, it breaks on {number}")
    broke = roll.total >= number
    play.emit("ice", unit, RULE, at=name, dice=list(roll.dice), broke=broke)
    if broke:
        break_ice(play, unit.cell)
    return not broke


def break_ice(play: Play, cell: int) -> None:
    """The ice of a hex breaks: whoever stands on it goes in, a 'Mech with the roll for entering water. Rule: S-10."""
    state = play.state
    state.board = state.board.with_hex(cell, ice=False)
    depth = state.board.depth[cell]
    for unit in list(state.occupants(cell)):
        if unit.elevation or "hover" in unit.spec.motive:
            continue
        unit.elevation = -depth
        play.emit("broke_through", unit, RULE, at=state.board.grid.names[cell], depth=depth)
        if unit.spec.is_mech:
            if not unit.prone:
                roll_or_fall(play, unit, _WATER_REASONS[min(depth, len(_WATER_REASONS)) - 1], levels=depth)
        else:
            drown(play, unit)
    state.touch()
