"""To-hit numbers as bare sums, for who asks thousands: what the itemised numbers add up to. Rule: S-4.

:mod:`opfor.rules.shooting.to_hit` itemises; :mod:`opfor.rules.shooting.battery` tables these sums for all guns of a unit.
"""

from __future__ import annotations

from opfor.rules.loads.semi_guided import ignored
from opfor.rules.shooting.aimed import aimable
from opfor.rules.shooting.arcs import ALL_ARCS, arc_bits
from opfor.rules.shooting.frame import Frame
from opfor.rules.shooting.guns import Gun
from opfor.rules.troops.anti_mech import anti_mech_number
from opfor.tables import table
from opfor.units.munition_loads import SEMI_GUIDED
from opfor.units.state import UnitState

_FLAK: int = table("to_hit")["flak_vs_airborne"]
#: a sum that no dice reach: stands for "impossible" among bare numbers
IMPOSSIBLE = 99
#: highest number that 2d6 reach
HIGHEST = 12


def number(seen: Frame, fired: Gun) -> int:
    """The sum against a primary target inside the weapon's arc, without the items; :data:`IMPOSSIBLE` if it cannot be fired."""
    if seen.why or fired.why_not_at(seen):
        return IMPOSSIBLE
    if fired.anti_mech:
        tn = anti_mech_number(seen.attacker, fired.mount, seen)
        return tn.value if tn.possible else IMPOSSIBLE
    bracket = fired.bracket(seen)
    assert bracket is not None
    total = seen.common + fired.at(seen.distance, bracket)
    if not seen.distance:
        total += fired.same_hex
    if fired.flak and in_flight(seen.target):
        total += _FLAK
    if fired.munition == SEMI_GUIDED and seen.target.tagged:
        total -= ignored(seen)
    if seen.own is not None:
        total += seen.own.total(fired.mount, fired.mode, bracket)
    return total


def in_flight(unit: UnitState) -> bool:
    """Whether a unit is a VTOL above the ground, which flak bursts among. Rule: S-4."""
    return unit.spec.kind == "vtol" and unit.elevation > 0


def aims(seen: Frame, fired: Gun) -> tuple[tuple[int, int], ...]:
    """Locations that a shot may be aimed at, with what that adds. Rule: S-5.

    Indirect fire cannot be aimed, nor can a shot from under water at a 'Mech that wades.
    """
    if seen.spotter is not None or (fired.wet and seen.cover):
        return ()
    return aimable(seen.attacker, fired.mode, seen.target, seen.cover, fired.helped)


def bits_towards(seen: Frame, twist: int) -> int:
    """Arcs that the target lies in; in the attacker's own hex it lies in all of them."""
    if not seen.distance:
        return ALL_ARCS
    return arc_bits(seen.bearing, seen.facing, seen.facing + twist)
