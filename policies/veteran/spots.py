"""Spot keys: a hex, how high in it, and how much of a unit stands there, in one number. What lanes run between. Rule: S-3.

Every kind of unit has them: 'Mechs stand two levels high or lie prone, all else is one level high, VTOLs at any height.
"""

from __future__ import annotations

from opfor.units.spec import UnitSpec

#: postures: a standing 'Mech, one that is prone, anything else, and troopers, who look for cover of their own
STANDING, PRONE, LOW, TROOPERS = range(4)
#: elevations that a key tells apart: so many, from so far below a hex's surface
LEVELS, BELOW = 64, 8
#: keys of one hex
PER_CELL = LEVELS * 4
_BITS = PER_CELL.bit_length() - 1


def key_of(cell: int, elevation: int, posture: int) -> int:
    """The key of a hex, an elevation above its surface and a posture.

    >>> from policies.veteran.spots import cell_of, elevation_of
    >>> key = key_of(77, -2, PRONE)
    >>> cell_of(key), elevation_of(key), key & 3 == PRONE
    (77, -2, True)
    """
    if not -BELOW <= elevation < LEVELS - BELOW:
        elevation = max(-BELOW, min(LEVELS - BELOW - 1, elevation))
    return (cell * LEVELS + elevation + BELOW) * 4 + posture


def cell_of(key: int) -> int:
    """The hex of a key."""
    return key >> _BITS


def elevation_of(key: int) -> int:
    """The elevation of a key above its hex's surface."""
    return (key >> 2) % LEVELS - BELOW


def posture_of(spec: UnitSpec, prone: bool = False) -> int:
    """How a unit of that type stands."""
    if spec.kind == "mech":
        return PRONE if prone else STANDING
    return TROOPERS if spec.kind == "infantry" else LOW
