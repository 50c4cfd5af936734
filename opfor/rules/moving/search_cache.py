"""The latest movement searches, of all boards together: units that wait their turn, and copies of the battle, share them.

A search holds a label for every stance it reached, a VTOL's a hundred thousand. The budget is therefore one of labels, not
of searches, and one for the whole program: self-play over many boards stays as small as one battle.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

#: labels kept in all; one takes about 200 bytes
BUDGET = 400_000


class SearchCache:
    """Searches by ground and all that they depend on, the one longest unused dropped first."""

    def __init__(self, budget: int = BUDGET) -> None:
        self.budget = budget
        self._kept: OrderedDict[tuple[Any, ...], tuple[Any, int]] = OrderedDict()
        self._labels = 0

    def get(self, key: tuple[Any, ...]) -> Any:
        """What is kept under a key, or None."""
        found = self._kept.get(key)
        if found is None:
            return None
        self._kept.move_to_end(key)
        return found[0]

    def put(self, key: tuple[Any, ...], value: Any, labels: int) -> None:
        """Keep a search that holds so many labels."""
        self._kept[key] = (value, labels)
        self._labels += labels
        while self._labels > self.budget and len(self._kept) > 1:
            _, (_, dropped) = self._kept.popitem(last=False)
            self._labels -= dropped

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()
        self._labels = 0


#: the program's own
SEARCHES = SearchCache()
