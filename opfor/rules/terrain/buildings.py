"""Buildings and bridges: what they keep off those inside, what they can take, how they come down. Rule: S-10.

A building's construction factor (CF) is its strength: a unit inside is struck by what an attack leaves after the walls have
taken CF / 10 of it, which the walls lose; infantry suffers a share by the type of building instead. At no CF left, or under
more tons than it has CF, a building is rubble and a bridge is gone. What walls keep off goes by their CF at the start of the
phase, for all shots of a phase are fired at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from opfor.board.board import BUILDING_TYPES, TABLE_READS, Board
from opfor.board.sight import building_cells, covering_cells
from opfor.rules.harm.damage import apply_in_groups
from opfor.rules.harm.destruction import destroy
from opfor.rules.moving.displacement import displace, displaced_to
from opfor.rules.pilots.falls import fall
from opfor.rules.play import Play
from opfor.rules.shooting.frame import Frame
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "S-10"
TABLE_READS["built"] = frozenset({"building", "bridge"})
_ROWS = table("terrain")["buildings"]


def inside(state: State, unit: UnitState) -> bool:
    """Whether a unit stands inside a building, below its roof."""
    board = state.board
    return bool(board.building[unit.cell]) and unit.elevation < board.building_top[unit.cell]


def in_same_building(state: State, a: UnitState, b: UnitState) -> bool:
    """Whether two units are inside one and the same building."""
    return inside(state, a) and inside(state, b) and b.cell in building_cells(state.board, a.cell)


def strength(board: Board, cell: int) -> int:
    """CF of a hex's building, or of its bridge where no building stands."""
    hex = board.hexes[cell]
    return hex.building_cf if hex.building else hex.bridge_cf


def absorbed(cf: int) -> int:
    """Points of each attack that walls of a CF keep off a unit inside. Rule: S-10.

    >>> absorbed(15), absorbed(40), absorbed(91), absorbed(0)
    (2, 4, 10, 0)
    """
    return -(-cf // int(_ROWS["absorbed_cf_per_point"]))


@dataclass(frozen=True, slots=True)
class Shelter:
    """What a building does for a unit inside it: points kept off each attack, or the per cent of it that gets through."""

    cell: int
    absorbs: int
    percent: int | None = None


def shelter_of(state: State, attacker: UnitState | None, target: UnitState, *, before: Board | None = None) -> Shelter | None:
    """How a building shelters a unit from an attacker (None: from outside), or None where it does not. Rule: S-10.

    ``before``: the board whose CF count, where it is not as it is now.
    """
    if target.cell < 0 or not inside(state, target):
        return None
    kind = BUILDING_TYPES[state.board.building[target.cell]]
    within = attacker is not None and in_same_building(state, attacker, target)
    if target.spec.kind == "infantry":
        percent = _ROWS["infantry_from_inside" if within else "infantry_from_outside"][kind]
        return None if percent >= 100 else Shelter(target.cell, 0, int(percent))
    return None if within else Shelter(target.cell, absorbed(strength(before or state.board, target.cell)))


def sheltered(shelter: Shelter, parts: list[int]) -> tuple[list[int], int]:
    """What gets through to the unit, by hit location roll, and the points that the walls take. Rule: S-10.

    The walls take the first points of an attack; infantry's share is rounded down.

    >>> sheltered(Shelter(0, 4), [5, 5, 2]), sheltered(Shelter(0, 4), [3]), sheltered(Shelter(0, 0, 75), [5, 2])
    (([1, 5, 2], 4), ([], 3), ([3, 2], 2))
    """
    total = sum(parts)
    kept = min(total, shelter.absorbs) if shelter.percent is None else total - total * shelter.percent // 100
    through = []
    left = kept
    for points in parts:
        taken = min(points, left)
        left -= taken
        if points > taken:
            through.append(points - taken)
    return through, kept


def behind_walls(play: Play, attacker: UnitState, target: UnitState, parts: list[int]) -> list[int]:
    """What of a weapon's hit gets through to a target that may be inside a building; the walls lose what they take.

    Infantry's share is taken off the troopers lost, by :func:`share_inside`: here only the walls lose the rest. Rule: S-10.
    """
    state = play.state
    if target.cell < 0 or not state.board.building[target.cell] or target.spec.kind == "hex":
        return parts
    shelter = shelter_of(state, attacker, target, before=play.before)
    if shelter is None:
        return parts
    through, kept = sheltered(shelter, parts)
    if kept:
        name = state.board.grid.names[target.cell]
        play.emit("walls", target, RULE, at=name, absorbed=kept, damage=sum(parts), percent=shelter.percent)
        damage_building(play, attacker, target.cell, kept, hold=True)
    return through if shelter.percent is None else parts


def share_inside(state: State, attacker: UnitState | None, target: UnitState, number: int) -> int:
    """What of a platoon's losses is left to it by the building that it stands in, rounded down; all of it outside. S-10."""
    if target.cell < 0 or not state.board.building[target.cell]:
        return number
    shelter = shelter_of(state, attacker, target)
    return number if shelter is None or shelter.percent is None else number * shelter.percent // 100


def strike_cover(play: Play, attacker: UnitState, seen: Frame, points: int) -> None:
    """By the house rule of partial cover a building that hides a target's legs takes the hits on them. Rule: E-36."""
    state = play.state
    if state.ruleset.partial_cover != "house":
        return
    target = seen.target
    eye = seen.spotter or attacker
    for cell in covering_cells(state.board, eye.cell, target.cell, state.top(target), seen.seen.side):
        if state.board.building[cell]:
            damage_building(play, attacker, cell, points, hold=True)
            return


# -- damage to it -----------------------------------------------------------------------------------------------------


def damage_building(play: Play, unit: UnitState | None, cell: int, points: int, *, hold: bool = False) -> None:
    """A building (or a bridge, where none stands) loses CF; it comes down at none left, or under what stands on it.

    ``hold``: it stays up for now, until :func:`settle_collapses`. Rule: S-10.
    """
    state = play.state
    before = state.board
    hex = before.hexes[cell]
    if points <= 0 or not (hex.building or hex.bridge):
        return
    name = state.board.grid.names[cell]
    if hex.building:
        left = max(0, hex.building_cf - points)
        play.emit("building_damaged", unit, RULE, at=name, damage=points, cf=left)
        state.board = state.board.with_hex(cell, building_cf=left)
    else:
        left = max(0, hex.bridge_cf - points)
        play.emit("bridge_damaged", unit, RULE, at=name, damage=points, cf=left)
        state.board = state.board.with_hex(cell, bridge_cf=left)
    if not hold:
        settle_collapses(play, [cell], before)


def bears_weight(state: State, cell: int) -> bool:
    """Whether a hex's roof or bridge carries those who stand on it. Rule: S-10."""
    hex = state.board.hexes[cell]
    if hex.bridge:
        top, bears = hex.bridge_height, hex.bridge_cf
    elif hex.building:
        top, bears = hex.building_height, hex.building_cf
    else:
        return True
    return sum(u.spec.tons for u in state.occupants(cell) if u.elevation == top) <= bears


def settle_collapses(play: Play, cells: list[int], before: Board | None = None) -> None:
    """What has no CF left, or carries more tons than it has, comes down, by the CF that it had ``before``. Rule: S-10."""
    for cell in cells:
        hex = play.state.board.hexes[cell]
        ruined = (hex.building and hex.building_cf <= 0) or (hex.bridge and hex.bridge_cf <= 0)
        if ruined or not bears_weight(play.state, cell):
            collapse(play, cell, before)


def settle_weakened(play: Play) -> None:
    """All attacks have struck: what has lost CF by them comes down if it cannot stand any more. Rule: S-10."""
    before, now = play.before, play.state.board
    play.before = None
    if before is None or now is before:
        return
    settle_collapses(play, [cell for cell in _built(now) if now.hexes[cell] is not before.hexes[cell]], before)


def _built(board: Board) -> list[int]:
    """The hexes with a building or a bridge, in the order of the board; worked out once a board."""
    found: list[int] | None = board.tables.get("built")
    if found is None:
        found = [cell for cell in board.grid.on_board if board.building[cell] or board.bridge[cell]]
        board.tables["built"] = found
    return found


def collapse_damage(cf: int, floors: int) -> int:
    """Points that a building of a CF does to those under that many of its floors. Rule: S-10.

    >>> collapse_damage(40, 1), collapse_damage(91, 2), collapse_damage(3, 1)
    (4, 19, 1)
    """
    rows = _ROWS["collapse"]
    return max(int(rows["least"]), -(-cf * max(1, floors) // int(rows["cf_floors_per_point"])))


def _times(unit: UnitState) -> int:
    spec = unit.spec
    rows = _ROWS["collapse"]["times"]
    return int(rows["mechanized" if spec.motive.startswith("mechanized") else spec.kind])


def collapse(play: Play, cell: int, before: Board | None = None) -> None:
    """A building comes down, or a bridge: those in or under it are struck, those on it fall. Rule: S-10.

    A building leaves rubble, and its fire goes out. Each floor above a unit strikes it, by the CF on the board ``before`` what
    brought it down.
    """
    state = play.state
    hex = state.board.hexes[cell]
    cf = strength(before or state.board, cell)
    # where both stand the bridge leans on the building
    what = "bridge" if hex.bridge and not hex.building else "building"
    height = hex.bridge_height if hex.bridge else hex.building_height
    play.emit(f"{what}_collapsed", None, RULE, at=state.board.grid.names[cell])
    if what == "bridge":
        state.board = state.board.with_hex(cell, bridge=False, bridge_height=0, bridge_cf=0, bridge_exits=0)
    else:
        state.board = state.board.with_hex(
            cell, building=0, building_height=0, building_cf=0, building_exits=0, rubble=True, fire=False,
            bridge=False, bridge_height=0, bridge_cf=0, bridge_exits=0,
        )  # fmt: skip
    # who flies above is not in it
    caught = sorted((u for u in state.occupants(cell) if u.elevation <= height), key=lambda unit: unit.elevation)
    for unit in caught:
        levels = unit.elevation + hex.depth
        on_top = unit.elevation == height
        points = 0 if on_top else collapse_damage(cf, height - unit.elevation) * _times(unit)
        unit.elevation = -hex.depth
        if points:
            apply_in_groups(play, unit, points, "front", "normal", rule=RULE, source=f"{what} collapse")
        if levels > 0 and unit.alive:
            fall(play, unit, levels=levels, reason="fall", rule=RULE, why=f"the {what} collapsed")
    _make_room(play, cell, caught, what)


def _make_room(play: Play, cell: int, caught: list[UnitState], what: str) -> None:
    """Who stood on top now lies where another stood below: one 'Mech stays, the others are displaced. Rule: S-2."""
    state = play.state
    there = [unit for unit in caught if unit.alive and unit.cell == cell and not unit.spec.is_infantry]
    for unit in there[1:]:
        to = displaced_to(state, unit, cell, unit.facing)
        if to is None:
            destroy(play, unit, "buried: nowhere to be displaced to", "S-2")
        else:
            displace(play, unit, to, unit.facing, why=f"the {what} collapsed")
