"""Units as the veteran's planner sees them (:mod:`policies.veteran.figures`), made once a decision."""

from __future__ import annotations

from envs.features.scene import Scene
from policies.veteran.figures import Figure
from policies.veteran.weights import weights


class Figures:
    """The figures of one scene at a time: they depend on more of the battle than a unit's own state, on who rides in it too."""

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._known: dict[int, Figure] = {}

    def of(self, scene: Scene, place: int) -> Figure:
        """The figure of a unit of the scene by its place."""
        if scene is not self._scene:
            self._scene = scene
            self._known.clear()
        known = self._known.get(place)
        if known is None:
            known = self._known[place] = Figure(scene.state, scene.units[place], scene.store.fire.arsenal, weights())
        return known


__all__ = ["Figures"]
