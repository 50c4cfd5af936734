"""Where jumps come down, kept with the latest searches: units that wait their turn ask again and again. Rule: S-2."""

from __future__ import annotations

from opfor.rules.moving.compiling import compiled_search
from opfor.rules.moving.ground import Ground
from opfor.rules.moving.landing import jump_cells, landing_place, may_land
from opfor.rules.moving.search_cache import SEARCHES


class Jumps:
    """Where a jump from a place can come down, units left aside: the cells ``reached`` with their ``distances``, nearest first,
    and those of them ``open`` to the motion."""

    __slots__ = ("_cells", "_elevations", "distances", "ground", "open", "reached")

    def __init__(self, ground: Ground, reached: list[int], distances: list[int]) -> None:
        self.ground = ground
        self.reached = reached
        self.distances = distances
        self._cells: dict[int, int] | None = None
        self._elevations: dict[int, int] | None = None
        self.open = reached if ground.motion.water == "wades" else [cell for cell in reached if may_land(ground, cell)]

    @property
    def cells(self) -> dict[int, int]:
        """The distances by cell."""
        if self._cells is None:
            self._cells = dict(zip(self.reached, self.distances, strict=True))
        return self._cells

    @property
    def elevations(self) -> dict[int, int]:
        """By open cell, the elevation that is landed at."""
        if self._elevations is None:
            ground = self.ground
            self._elevations = {cell: ground.elevation[landing_place(ground, cell)] for cell in self.open}
        return self._elevations


def jumps_from(ground: Ground, place: int, limit: int, rise: int) -> Jumps:
    """Where a jump comes down: :func:`~opfor.rules.moving.landing.jump_cells`, kept with the latest searches."""
    key = (ground, "jump", place, limit, rise)
    found: Jumps | None = SEARCHES.get(key)
    if found is None:
        compiled = compiled_search()
        if compiled is None or ground.motion.name == "vtol":
            cells = jump_cells(ground, place, limit, rise)
            found = Jumps(ground, list(cells), list(cells.values()))
        else:
            found = Jumps(ground, *compiled.jump_cells(ground, place, limit, rise))
        SEARCHES.put(key, found, len(found.reached) * 2)
    return found


__all__ = ["Jumps", "jumps_from"]
