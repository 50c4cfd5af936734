"""What befalls a unit as it enters a hex, whoever or whatever brought it there: mines, flames, ice, deep water. Rule: S-10."""

from __future__ import annotations

from opfor.rules.play import Play
from opfor.rules.terrain.ice import enter_ice
from opfor.rules.terrain.minefields import enter_mines
from opfor.rules.terrain.water import drown
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "S-10"


def entered_hex(play: Play, unit: UnitState, *, landed: bool = False) -> bool:
    """A unit has come into its hex (``cell`` and ``elevation`` say where in it). Returns whether it can go on from there.

    ``landed``: it came down in it (a jump, a landing VTOL, a displacement from above), so that it has not walked through
    flames, and comes down harder on ice. Call it for every hex entered, before the rolls that the hex's terrain calls for;
    whatever calls for rolls here makes them. Rule: S-10.
    """
    state = play.state
    if not unit.alive or unit.cell < 0:
        return False
    hex = state.board.hexes[unit.cell]
    if not (hex.mines or hex.fire or hex.ice or hex.depth):
        return True
    if hex.mines:
        enter_mines(play, unit)
    if hex.fire and not landed and unit.alive:
        _through_flames(play, unit)
    whole = True
    if hex.ice and hex.water > 0 and unit.alive:
        whole = enter_ice(play, unit, landed=landed)
    drown(play, unit)
    return whole and unit.active


def in_flames(state: State, unit: UnitState) -> bool:
    """Whether a unit stands in a burning hex: not over it in the air, not under water. Rule: S-10."""
    hex = state.board.hexes[unit.cell]
    return hex.fire and unit.elevation >= 0 and (not hex.bridge or unit.elevation == 0) and not _flies(unit)


def _flies(unit: UnitState) -> bool:
    return unit.spec.kind == "vtol" and unit.elevation > 0


def _through_flames(play: Play, unit: UnitState) -> None:
    state = play.state
    if not unit.spec.is_mech or not in_flames(state, unit):
        return
    heat = int(table("fire")["passing_heat"])
    unit.heat_outside += heat
    play.emit("through_fire", unit, "S-7", at=state.board.grid.names[unit.cell], heat=heat)
