"""Artillery: what may be announced, when it lands, and what it does. Rule: E-4, E-34, E-35."""

from __future__ import annotations

from opfor.orders import CallOrder
from opfor.rules.play import Play
from opfor.state import State
from opfor.units.state import UnitState


def calls_of(state: State, unit: UnitState) -> list[CallOrder]:
    """What a unit may announce in the initiative phase: artillery fire, a bomb run. Rule: E-4."""
    return []


def announce(play: Play, order: CallOrder) -> None:
    """Note an announcement. Rule: E-4."""


def land_shells(play: Play) -> None:
    """Resolve the shells and bombs that land in this turn's physical phase. Rule: E-8, E-35."""
