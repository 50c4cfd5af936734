"""Who may stand where: one 'Mech in a place, two units of a side and four in all; friends may be passed. Rule: S-2.

A bridge's deck and the ground under it, or a roof and the rooms below, are different places, and so are the levels of the
air. A 'Mech does not enter the place of an enemy 'Mech. Any other unit may be entered upon, but whoever comes to an enemy
goes no further that turn; infantry holds up no 'Mech. Who is carried, or clings to another, takes no room.
"""

from __future__ import annotations

from typing import NamedTuple

from opfor.board.board import TABLE_READS, Board
from opfor.rules.moving.flight import airborne, landing_elevation
from opfor.rules.moving.ground import Ground
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

_ROWS = table("movement")["stacking"]
_A_SIDE: int = _ROWS["a_side"]
_IN_ALL: int = _ROWS["in_all"]


class Taken(NamedTuple):
    """Places as others hold them: ``closed`` to entering, ``full`` (no room to end there), ``held`` (entered and not left)."""

    closed: list[int]
    full: list[int]
    held: frozenset[int]


_NONE_HELD: frozenset[int] = frozenset()
TABLE_READS["burning"] = frozenset({"fire"})


def takes_room(unit: UnitState) -> bool:
    """Whether a unit stands somewhere of its own: on the map, alive, not carried and not clinging to another."""
    return not unit.destroyed and not unit.gone and unit.cell >= 0 and not unit.aboard and not unit.swarming


def occupied_places(state: State, unit: UnitState, ground: Ground) -> Taken:
    """The places that the others hold, for a unit that moves."""
    if unit.spec.kind == "mech":
        among = _among_mechs(state, unit, ground)
        if among is not None:
            return among
    closed: list[int] = []
    full: list[int] = []
    place_of = ground.place
    side = unit.side
    mech = unit.spec.kind == "mech"
    holds = ground.motion.name != "vtol"
    counts: dict[int, list[int]] | None = None
    held: set[int] = set()
    others = [u for u in state.units if u is not unit and takes_room(u)]
    if not mech or any(u.spec.kind != "mech" for u in others):
        counts = {}
    for other in others:
        if not _same_air(ground, other):
            continue
        place = place_of(other.cell, other.elevation)
        own = other.side == side
        if mech and other.spec.kind == "mech":
            (full if own else closed).append(place)
        if counts is None:
            continue
        count = counts.setdefault(place, [0, 0])
        count[0] += own
        count[1] += 1
        if holds and not own and not (mech and (other.spec.is_infantry or other.spec.is_mech)):
            held.add(place)
    if not mech:
        closed += burning_places(state, unit, ground)
    if counts is None:
        return Taken(closed, full, _NONE_HELD)
    full += [place for place, (own, all) in counts.items() if own >= _A_SIDE or all >= _IN_ALL]
    held.discard(place_of(unit.cell, unit.elevation))
    return Taken(closed, full, frozenset(held) if held else _NONE_HELD)


def _among_mechs(state: State, unit: UnitState, ground: Ground) -> Taken | None:
    """:func:`occupied_places` for a 'Mech where all others are 'Mechs too, None where they are not."""
    closed: list[int] = []
    full: list[int] = []
    level, elevation = ground.level, ground.elevation
    for other in state.units:
        if other is unit or not takes_room(other):
            continue
        if other.spec.kind != "mech":
            return None
        place = other.cell * 2 + 1
        if level[place] is None or elevation[place] != other.elevation:
            place -= 1
        (full if other.side == unit.side else closed).append(place)
    return Taken(closed, full, _NONE_HELD)


def burning(board: Board) -> list[int]:
    """The burning hexes, in the order of the board; worked out once a board."""
    cells: list[int] | None = board.tables.get("burning")
    if cells is None:
        hexes = board.hexes
        cells = board.tables["burning"] = [cell for cell in board.grid.on_board if hexes[cell].fire]
    return cells


def burning_places(state: State, unit: UnitState, ground: Ground) -> list[int]:
    """Places that vehicles and infantry will not enter of their own will: in flames. Rule: S-10."""
    board = state.board
    cells = burning(board)
    if ground.motion.name == "vtol":
        # it flies over them, and does not land there
        return [ground.place(cell, landing_elevation(board.hexes[cell])) for cell in cells if cell != unit.cell]
    return [
        place
        for cell in cells
        if cell != unit.cell
        for place in ground.places(cell)
        if not (board.bridge[cell] and ground.elevation[place] > 0)
    ]


def _same_air(ground: Ground, other: UnitState) -> bool:
    """Whether a unit is on the ground where the mover is, or in the air with it."""
    if other.spec.kind != "vtol" or ground.motion.name == "vtol":
        return True
    return not airborne(ground.board.hexes[other.cell], other.elevation)


def others_there(state: State, unit: UnitState, ground: Ground, place: int) -> list[UnitState]:
    """The other living units in a place."""
    return [
        other
        for other in state.occupants(ground.cell(place))
        if other is not unit
        and takes_room(other)
        and _same_air(ground, other)
        and ground.place(other.cell, other.elevation) == place
    ]


def occupant(state: State, unit: UnitState, ground: Ground, place: int) -> UnitState | None:
    """Another living unit in a place, or None."""
    return next(iter(others_there(state, unit, ground, place)), None)


def why_not_end(state: State, unit: UnitState, ground: Ground, place: int) -> str:
    """Why a unit may not end its movement in a place, or "". Rule: S-2."""
    others = others_there(state, unit, ground, place)
    name = state.board.grid.names[ground.cell(place)]
    if unit.spec.kind == "mech" and any(other.spec.kind == "mech" for other in others):
        return f"another 'Mech stands in {name}: one 'Mech a hex"
    if sum(1 for other in others if other.side == unit.side) >= _A_SIDE:
        return f"{_A_SIDE} units of its side stand in {name}: no more may end there"
    if len(others) >= _IN_ALL:
        return f"{_IN_ALL} units stand in {name}: no more may end there"
    return ""


def may_end(state: State, unit: UnitState, ground: Ground, place: int) -> bool:
    """Whether a unit may end its movement in a place."""
    return not why_not_end(state, unit, ground, place)


def in_the_way(state: State, unit: UnitState, cell: int, elevation: int) -> list[UnitState]:
    """Those who leave a unit no room where it would come to stand: the 'Mech there for a 'Mech, else whom stacking counts."""
    others = [u for u in state.occupants(cell) if u is not unit and u.elevation == elevation and takes_room(u)]
    if unit.spec.kind == "mech":
        mechs = [other for other in others if other.spec.kind == "mech"]
        if mechs:
            return mechs
    own = [other for other in others if other.side == unit.side]
    if len(own) >= _A_SIDE:
        return own
    return others if len(others) >= _IN_ALL else []
