"""What moving so, and lying prone, adds to a unit's own fire and to fire at it. Rule: S-4, E-27, M-2, M-3."""

from __future__ import annotations

from opfor.rules.turn.complex_actions import open_modes
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState
from policies.veteran.figures import FLOWN, JUMPED, MOVED, haste

#: modes whose movement leaves no attack
NO_FIRE = ("evade", "sprint")
#: what is added to the fire of a 'Mech that lies prone
_PRONE_FIRE: int = table("to_hit")["prone"]["attacker"]


def dodge_by_mode(state: State, unit: UnitState, mode: str) -> int:
    """What a way of moving adds to every number to hit a unit, beside the hexes moved. Rule: S-4, E-27, M-2, M-3."""
    if mode == "jump":
        return JUMPED
    if unit.spec.kind == "vtol" and mode in ("walk", "run"):
        return FLOWN
    if mode in ("evade", "sprint") and mode in open_modes(state):
        return haste(state, unit)[mode]
    return 0


def own_fire(unit: UnitState, mode: str) -> int:
    """What moving so, and lying prone, adds to every number of a unit's own fire. Rule: S-4."""
    total = 0 if unit.spec.is_infantry else MOVED.get(mode, 0)
    return total + (_PRONE_FIRE if unit.prone and unit.spec.is_mech else 0)
