"""What may happen to a unit where it ends its movement: water, floors that give way, swamp, ice, fire, mines, as the veteran
reckons it (:mod:`policies.veteran.terrain`). Rule: S-1, S-2, E-12, E-14."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from envs.features.figures import Figures
from envs.features.geometry import Floats, Ints
from envs.features.scene import Scene
from opfor.board.board import TABLE_READS, Board, Hex
from policies.veteran.terrain import hazard
from policies.veteran.weights import weights

_KEY = "environment_hazards"
TABLE_READS[_KEY] = frozenset({"water", "building", "bridge", "swamp", "ice", "fire", "mines"})


class Hazards:
    """The hazards of places for the units of a battle."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def of(self, scene: Scene, cells: Ints, elevations: Ints) -> Floats:
        """What ending in each place may cost the acting unit, in points of damage to a sound 55-ton 'Mech, shape (places,)."""
        found: Floats = np.zeros(len(cells), dtype=np.float32)
        risky = np.flatnonzero(_risky(scene.board)[cells])
        if len(risky):
            figure = self._figures.of(scene, scene.acting)
            ground, weigh = figure.ground, weights()
            known: dict[tuple[int, int], float] = {}
            for option in risky.tolist():
                place = (int(cells[option]), int(elevations[option]))
                cost = known.get(place)
                if cost is None:
                    cost = known[place] = hazard(scene.state, figure, ground.place(*place), weigh)
                found[option] = cost
        return found


def _risky(board: Board) -> NDArray[np.bool_]:
    """By cell, whether anything there may happen to anybody."""
    found = board.tables.get(_KEY)
    if found is None:
        found = board.tables[_KEY] = np.array([_may_harm(hex) for hex in board.hexes])
    assert isinstance(found, np.ndarray)
    return found


def _may_harm(hex: Hex) -> bool:
    return bool(hex.water or hex.building or hex.bridge or hex.swamp or hex.ice or hex.fire or hex.mines)


__all__ = ["Hazards"]
