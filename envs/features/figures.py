"""Units as the veteran's planner sees them (:mod:`policies.veteran.figures`), kept as long as they stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opfor.board.board import Board
from policies.veteran.figures import Figure
from policies.veteran.weights import weights

if TYPE_CHECKING:
    from envs.features.scene import Scene


class Figures:
    """Figures by unit id."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, Board, Figure]] = {}

    def of(self, scene: Scene, place: int) -> Figure:
        """The figure of a unit of the scene by its place."""
        record, board = scene.records[place], scene.board
        known = self._known.get(record.unit.id)
        # stamps are never used twice, so that units of another battle are told apart
        if known is None or known[0] != record.stamp or known[1] is not board:
            figure = Figure(scene.state, record.unit, scene.store.fire.arsenal, weights())
            known = self._known[record.unit.id] = (record.stamp, board, figure)
        return known[2]


__all__ = ["Figures"]
