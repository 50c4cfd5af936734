"""What the ground does at the end of a turn. Rule: S-10."""

from __future__ import annotations

from opfor.rules.play import Play
from opfor.rules.terrain.fire import settle_fires
from opfor.rules.terrain.water import drown


def settle_ground(play: Play) -> None:
    """The end of the turn on the ground: fires and smoke, and vehicles that have stopped floating. Rule: S-10."""
    settle_fires(play)
    for unit in play.state.units:
        if unit.alive and not unit.spec.is_mech:
            drown(play, unit)
