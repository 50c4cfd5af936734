"""Minefields: set off by those who enter, cleared by fire or by hand. Rule: S-10.

A hex's ``mines`` is the density of its field in points of damage, ``mines_known`` the mask of sides that know of it; whoever
enters the hex on the ground rolls, known or not. A field that goes off is known to all.
"""

from __future__ import annotations

from typing import Any

from opfor.board.board import Hex
from opfor.rules.harm.damage import apply_damage, apply_in_groups
from opfor.rules.play import Play
from opfor.rules.target_number import TargetNumber
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import FRONT
from opfor.units.state import UnitState

RULE = "S-10"
#: the word of an order to clear mines by hand instead of firing
CLEAR_MINES = "clear mines"
_ROWS: dict[str, Any] = table("mines")


def trigger_number(state: State, unit: UnitState, cell: int) -> TargetNumber:
    """What 2d6 must reach for a hex's mines to go off under a unit that enters it; impossible where nothing can. Rule: S-10.

    By density; a hover vehicle floats over all but the touchiest, infantry treads more lightly.
    """
    density = state.board.hexes[cell].mines
    if not density:
        return TargetNumber.impossible("no mines", RULE)
    tn = TargetNumber([])
    if unit.spec.motive == "hover":
        tn.add("hover vehicle over mines", int(_ROWS["hover"]), RULE)
        return tn
    number = [value for start, value in _ROWS["trigger"] if density >= start][-1]
    tn.add(f"mines of density {density}", number, RULE)
    if unit.spec.is_infantry:
        tn.add("infantry", int(_ROWS["infantry"]), RULE)
    return tn


def on_the_ground(state: State, unit: UnitState, cell: int) -> bool:
    """Whether a unit in a hex stands where mines lie: not on a roof, on a bridge or in the air."""
    hex = state.board.hexes[cell]
    return unit.elevation <= 0 and not (hex.bridge and unit.elevation == hex.bridge_height)


def enter_mines(play: Play, unit: UnitState) -> None:
    """A unit has entered its hex on the ground, or come down in it: roll for the mines there, if there are. Rule: S-10."""
    state = play.state
    cell = unit.cell
    if not state.board.hexes[cell].mines or not unit.alive or not on_the_ground(state, unit, cell):
        return
    number = trigger_number(state, unit, cell)
    roll = play.roll_2d6(f"{unit.id}: mines in {state.board.grid.names[cell]}, they go off on {number.value}")
    exploded = roll.total >= number.value
    # not a `roll` of the unit: it is the mines that try
    play.emit(
        "mines", unit, RULE, at=state.board.grid.names[cell], tn=number.as_dict(), dice=list(roll.dice), exploded=exploded
    )
    if exploded:
        explode(play, unit, cell)


def explode(play: Play, unit: UnitState, cell: int) -> None:
    """A field goes off under a unit: its density as damage; the field loses some of it. Rule: S-10."""
    state = play.state
    density = state.board.hexes[cell].mines
    left = max(0, density - int(_ROWS["reduction"][state.ruleset.mine_reduction]))
    _set(play, cell, left, known=(1 << len(state.sides)) - 1)
    strike(play, unit, density)


def strike(play: Play, unit: UnitState, density: int) -> None:
    """What mines of a density do: 'Mechs take it in the legs, vehicles in front with a motive roll, infantry as a blast."""
    size = int(_ROWS["group"])
    if unit.spec.is_mech:
        apply_in_groups(play, unit, density, "front", "kick", size, rule=RULE, source="mines")
    elif unit.spec.is_vehicle:
        for points in groups(density, size):
            if unit.alive:
                apply_damage(play, unit, FRONT, points, rule=RULE, source="mines")
        if unit.alive and unit.spec.kind == "vehicle":
            from opfor.rules.vehicles.motive import roll_motive

            roll_motive(play, unit, _ROWS["motive_side"], why="mines")
    else:
        apply_in_groups(play, unit, density, "front", "normal", size, rule=RULE, source="mines")


def groups(points: int, size: int) -> list[int]:
    """Points in groups of a size, the last one smaller.

    >>> groups(12, 5)
    [5, 5, 2]
    """
    return [size] * (points // size) + ([points % size] if points % size else [])


# -- clearing ---------------------------------------------------------------------------------------------------------


def clear_by_fire(play: Play, unit: UnitState, cell: int) -> bool:
    """A shot has hit a mined hex to clear it: 2d6, and on success the field loses some density. Rule: S-10."""
    rows = _ROWS["clearing"]
    name = play.state.board.grid.names[cell]
    roll = play.roll_2d6(f"{unit.id}: clears mines in {name} by fire, needs {rows['weapon']}")
    success = roll.total >= int(rows["weapon"])
    left = max(0, play.state.board.hexes[cell].mines - int(rows["weapon_removes"]) * success)
    play.emit("clears_mines", unit, RULE, at=name, how="fire", dice=list(roll.dice), success=success, left=left)
    _set(play, cell, left)
    return success


def why_not_clear(state: State, unit: UnitState) -> str:
    """Why infantry cannot clear the mines of its hex by hand instead of firing, or "". Rule: S-10."""
    hex = state.board.hexes[unit.cell] if unit.cell >= 0 else Hex()
    if not unit.spec.is_infantry:
        return "only infantry clears mines by hand"
    if not unit.active or unit.aboard or unit.swarming:
        return "cannot act on the ground"
    return "" if hex.mines and hex.mines_known >> unit.side & 1 else "knows of no mines in its hex"


def clear_by_hand(play: Play, unit: UnitState) -> bool:
    """Infantry clears the field that it stands in: all of it, or it goes off under them on a bad roll. Rule: S-10."""
    rows = _ROWS["clearing"]
    cell = unit.cell
    name = play.state.board.grid.names[cell]
    roll = play.roll_2d6(f"{unit.id}: clears mines in {name} by hand, needs {rows['infantry']}")
    success = roll.total >= int(rows["infantry"])
    left = 0 if success else play.state.board.hexes[cell].mines
    play.emit("clears_mines", unit, RULE, at=name, how="hand", dice=list(roll.dice), success=success, left=left)
    if success:
        _set(play, cell, 0)
    elif roll.total <= int(rows["accident"]):
        explode(play, unit, cell)
    return success


def thin_out(play: Play, cell: int, points: int) -> None:
    """A burst in or near a mined hex takes that much off its density. Rule: S-10, E-35."""
    left = max(0, play.state.board.hexes[cell].mines - points)
    play.emit("mines_thinned", None, RULE, at=play.state.board.grid.names[cell], damage=points, left=left)
    _set(play, cell, left)


def lay(play: Play, cell: int, density: int, known: int) -> None:
    """Add mines to a hex, up to the densest field there is. Rule: S-10."""
    there = play.state.board.hexes[cell].mines
    _set(play, cell, min(int(_ROWS["densest"]), there + density), known=play.state.board.hexes[cell].mines_known | known)


def _set(play: Play, cell: int, density: int, known: int | None = None) -> None:
    state = play.state
    sides = state.board.hexes[cell].mines_known if known is None else known
    state.board = state.board.with_hex(cell, mines=density, mines_known=sides if density else 0)
