"""Water that closes over what cannot swim. Rule: S-10."""

from __future__ import annotations

from typing import Any

from opfor.rules.harm.destruction import destroy
from opfor.rules.play import Play
from opfor.units.state import UnitState

RULE = "S-10"


def drown(play: Play, unit: UnitState) -> None:
    """What is no 'Mech is lost where it goes under water: vehicles that do not float, infantry. Rule: S-10.

    A hover vehicle floats as long as it can move: one that is immobilized sinks.
    """
    state = play.state
    spec = unit.spec
    if spec.is_mech or not unit.alive or unit.cell < 0 or unit.aboard or unit.swarming:
        return
    hex: Any = state.board.hexes[unit.cell]
    if not hex.depth or unit.elevation > 0 or (hex.bridge and unit.elevation == hex.bridge_height):
        return
    if "hover" in spec.motive and not unit.immobilized and unit.elevation == 0:
        return
    if spec.kind == "vtol" and not unit.immobilized:
        return
    destroy(play, unit, "sank" if spec.is_vehicle else "drowned", RULE)
