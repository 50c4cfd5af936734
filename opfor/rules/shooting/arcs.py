"""Arcs and sides: into which directions a weapon bears, and which side of a 'Mech an attack strikes. Rule: S-4.

Bearings are the exact integers of :func:`opfor.hex.bearing12`, so a hex row along a border lies in both arcs, always.
"""

from __future__ import annotations

from functools import cache

from opfor.board.sight import LEFT, RIGHT, sight
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import ARMS, LEGS, REAR, TURRET, Mount
from opfor.units.spec import LEFT as LEFT_SIDE
from opfor.units.spec import RIGHT as RIGHT_SIDE
from opfor.units.state import UnitState

#: a full turn in the units of a bearing, and a hexside
CIRCLE, HEXSIDE = 24, 4

ARCS: tuple[str, ...] = tuple(table("arcs")["arcs"])
#: bit of each arc
ARC_BITS: dict[str, int] = {name: 1 << index for index, name in enumerate(ARCS)}
FRONT_BIT = ARC_BITS["front"]
#: facings of a turret, the nearest to the hull's first
TURRET_FACINGS = (0, -1, 1, -2, 2, 3)
ALL_ARCS = (1 << len(ARCS)) - 1


def _within(relative: int, row: dict[str, int]) -> bool:
    return (relative - row["from"]) % CIRCLE <= row["to"] - row["from"]


def _bits(of: str) -> tuple[int, ...]:
    rows = table("arcs")["arcs"]
    return tuple(
        sum(ARC_BITS[name] for name, row in rows.items() if row["of"] == of and _within(relative, row))
        for relative in range(CIRCLE)
    )


_TORSO_BITS = _bits("torso")
_HULL_BITS = _bits("hull")


def _sides(of: str) -> tuple[tuple[str, str, str], ...]:
    """For each bearing: side struck when nothing is left open, by the line's left reading, and by its right one.

    ``of`` names the table of sides. Along the line towards the target, its left reading comes in clockwise of the bearing
    back to the attacker.
    """
    rows = table("arcs")[of]
    prefer = table("arcs")["prefer"]

    def at(half: float) -> str:
        return str(next(name for name, row in rows.items() if (half - row["from"]) % CIRCLE < row["to"] - row["from"]))

    found = []
    for relative in range(CIRCLE):
        clockwise, counter = at(relative + 0.5), at(relative - 0.5)
        found.append((min(clockwise, counter, key=prefer.index), clockwise, counter))
    return tuple(found)


_SIDES = _sides("sides")
_VEHICLE_SIDES = _sides("vehicle_sides")
#: arc of a vehicle's weapons by location, hull_front for those not named
_VEHICLE_ARCS = {RIGHT_SIDE: "hull_right", LEFT_SIDE: "hull_left", REAR: "hull_rear", TURRET: "front"}


def arc_bits(bearing: int, facing: int, torso_facing: int) -> int:
    """The arcs that a bearing lies in, as a mask of :data:`ARC_BITS`, for a hull and a torso facing. Rule: S-4."""
    return _TORSO_BITS[(bearing - HEXSIDE * torso_facing) % CIRCLE] | _HULL_BITS[(bearing - HEXSIDE * facing) % CIRCLE]


def in_arc(state: State, unit: UnitState, target_cell: int, arc: str) -> bool:
    """Whether a hex lies in an arc of the unit as it stands, torso twist included. Rule: S-4.

    ``arc``: front, left_arm, right_arm, rear (of the torso or turret), legs, legs_rear (of the hull), and a vehicle's
    hull_front, hull_right, hull_left, hull_rear.
    """
    bearing = state.board.grid.sextant(unit.cell, target_cell)
    return arc_bits(bearing, unit.facing, unit.torso_facing) & ARC_BITS[arc] != 0


def arc_of_mount(unit: UnitState, mount: Mount, flip: bool | None = None) -> str:
    """The arc that a weapon bears into. ``flip`` stands in for the unit's own arms being flipped. Rule: S-4."""
    if unit.spec.is_vehicle:
        return vehicle_arc(mount.location)
    flipped = unit.arms_flipped if flip is None else flip
    return _mount_arc(unit.spec.quad, mount.location, mount.split_location, mount.rear, flipped)


def vehicle_arc(location: int) -> str:
    """The arc that a vehicle's weapons bear into by their location: a turret's into its own front. Rule: S-4."""
    return _VEHICLE_ARCS.get(location, "hull_front")


@cache
def _mount_arc(quad: bool, location: int, split: int, rear: bool, flipped: bool) -> str:
    """The narrower arc of the two where a weapon is split over an arm or leg and the torso."""
    places = [location] if split < 0 else [location, split]
    if any(place in LEGS or (quad and place in ARMS) for place in places):
        return "legs_rear" if rear else "legs"
    if rear:
        return "rear"
    if all(place in ARMS for place in places):
        if flipped:
            return "rear"
        return "right_arm" if places[0] == ARMS[0] else "left_arm"
    return "front"


@cache
def mount_arc_bit(quad: bool, location: int, split: int, rear: bool, flipped: bool) -> int:
    """Bit of the arc of a weapon mounted so; see :func:`arc_of_mount`."""
    return ARC_BITS[_mount_arc(quad, location, split, rear, flipped)]


def mount_bears_on(state: State, unit: UnitState, mount: Mount, cell: int) -> bool:
    """Whether a hex lies in the arc of a weapon, the unit's twist and arms as they are. Rule: S-4."""
    return in_arc(state, unit, cell, arc_of_mount(unit, mount))


def can_flip_arms(unit: UnitState) -> bool:
    """Whether the arms may be flipped to the rear: built without lower arm and hand actuators in both. Rule: S-4."""
    spec = unit.spec
    if spec.quad or unit.prone or not spec.is_mech:
        return False
    return not any(spec.has(arm, actuator) for arm in ARMS for actuator in ("lower_arm", "hand"))


def twists(unit: UnitState) -> tuple[int, ...]:
    """The torso twists open to a unit: none for a quad or a prone 'Mech. Rule: S-4.

    For a vehicle the facings of its turret, in hexsides from the hull's; one that is jammed or locked stays as it is. E-24b.
    """
    if unit.spec.is_vehicle:
        return TURRET_FACINGS if unit.spec.turret and not unit.turret else (unit.twist,)
    return (0,) if unit.spec.quad or unit.prone or not unit.spec.is_mech else (0, -1, 1)


@cache
def side_struck(bearing_back: int, target_facing: int, line_side: int, vehicle: bool = False) -> str:
    """Side struck of a 'Mech (or a ``vehicle``): front, left, right or rear.

    ``bearing_back`` is the bearing from the target to the attacker, ``line_side`` which side of a divided line counts
    (:data:`opfor.board.sight.LEFT` ...). Where the bearing is a border and the line's sides are alike, the defender takes
    the better armoured side. Rule: S-4.
    """
    choice = (_VEHICLE_SIDES if vehicle else _SIDES)[(bearing_back - HEXSIDE * target_facing) % CIRCLE]
    return choice[1] if line_side == LEFT else choice[2] if line_side == RIGHT else choice[0]


def hit_side(state: State, attacker_cell: int, target: UnitState) -> str:
    """Side of the target that an attack from a hex strikes, for an attacker that stands there on the ground. Rule: S-4.

    Exact for any attacker off the borders between sides; on a border the terrain along the line decides. Use
    :attr:`opfor.rules.shooting.to_hit.Frame.side` where the attacker is known.
    """
    board = state.board
    bearing = board.grid.sextant(target.cell, attacker_cell)
    vehicle = target.spec.is_vehicle
    if attacker_cell == target.cell or not _border(bearing, target.facing, vehicle):
        return side_struck(bearing, target.facing, 0, vehicle)
    floor = board.floor[attacker_cell]
    seen = sight(board, attacker_cell, floor, floor + 1, target.cell, state.base(target), state.top(target))
    return side_struck(bearing, target.facing, seen.side, vehicle)


@cache
def _border(bearing: int, facing: int, vehicle: bool) -> bool:
    _, clockwise, counter = (_VEHICLE_SIDES if vehicle else _SIDES)[(bearing - HEXSIDE * facing) % CIRCLE]
    return clockwise != counter
