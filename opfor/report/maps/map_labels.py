"""Where labels stand on a map: each at the first of its places that is free, or where it covers least."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opfor.report.geometry import RADIUS, Box, common

_STEP = 3 * RADIUS


class Taken:
    """What is already drawn where nothing else should be. Boxes are found again by the square that they lie in."""

    def __init__(self) -> None:
        self._boxes: dict[tuple[int, int], list[Box]] = {}

    def add(self, taken: Box) -> None:
        """Keep a place clear from now on."""
        for square in _squares(taken):
            self._boxes.setdefault(square, []).append(taken)

    def covered(self, wanted: Box) -> float:
        """How much of what is taken a box would cover."""
        near = {taken for square in _squares(wanted) for taken in self._boxes.get(square, ())}
        return sum(common(wanted, taken) for taken in sorted(near))

    def place(self, places: Sequence[Box]) -> int:
        """The index of the first of the places that covers nothing, else of that which covers least; it is taken then."""
        least, best = -1.0, 0
        for index, wanted in enumerate(places):
            covered = self.covered(wanted)
            if covered <= 0:
                best = index
                break
            if least < 0 or covered < least:
                least, best = covered, index
        self.add(places[best])
        return best


def _squares(box: Box) -> Iterable[tuple[int, int]]:
    for column in range(int(box[0] // _STEP), int(box[2] // _STEP) + 1):
        for row in range(int(box[1] // _STEP), int(box[3] // _STEP) + 1):
            yield column, row
