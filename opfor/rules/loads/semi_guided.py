"""Semi-guided missiles: what their attack number leaves out at a target painted with TAG this turn. Rules: S-4, E-35.

They follow the beam: how the target moves does not count, nor, fired indirectly, the spotter and the terrain between.
"""

from __future__ import annotations

from opfor.rules.shooting.frame import Frame
from opfor.tables import table

_ROWS = table("munitions")["semi_guided"]
_ALWAYS: tuple[str, ...] = tuple(_ROWS["always"])
_INDIRECT: tuple[str, ...] = (*_ALWAYS, *_ROWS["indirect"])


def is_ignored(what: str, *, indirect: bool) -> bool:
    """Whether a modifier, by its name, does not count for semi-guided missiles at a painted target.

    >>> is_ignored("target moved 5", indirect=False), is_ignored("indirect fire", indirect=True)
    (True, True)
    """
    return what.startswith(_INDIRECT if indirect else _ALWAYS)


def ignored(seen: Frame) -> int:
    """Sum of what does not count for them in a frame."""
    indirect = seen.spotter is not None
    return sum(item.value for item in seen.modifiers if is_ignored(item.what, indirect=indirect))
