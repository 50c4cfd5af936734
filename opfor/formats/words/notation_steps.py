"""The steps of a movement and their short names. Rule: S-2."""

from __future__ import annotations

from itertools import groupby

#: turn of the facing, direction stepped in relative to the facing (None: stays in the hex)
STEPS: dict[str, tuple[int, int | None]] = {
    "F": (0, 0),
    "B": (0, 3),
    "L": (-1, None),
    "R": (1, None),
    "SL": (0, -1),
    "SR": (0, 1),
    "SLB": (0, -2),
    "SRB": (0, 2),
    "UP": (0, None),
    "CAREFUL": (0, None),
    "PRONE": (0, None),
    "EXIT": (0, None),
    "CLIMB": (0, None),
    "DIVE": (0, None),
    "C+": (0, None),
    "C-": (0, None),
    "J": (0, None),
}
#: steps whose name in orders is another
WRITTEN = {"UP": "SU"}
_COUNTED = ("F", "B", "L", "R", "SL", "SR", "SLB", "SRB", "CLIMB", "DIVE")


def path_in_words(path: tuple[str, ...]) -> str:
    """Steps with repeats counted.

    >>> path_in_words(("UP", "F", "F", "R", "F"))
    'SU F2 R1 F1'
    """
    parts = []
    for step, run in groupby(path):
        count = len(list(run))
        name = WRITTEN.get(step, step)
        parts.extend([f"{name}{count}"] if step in _COUNTED else [name] * count)
    return " ".join(parts)
