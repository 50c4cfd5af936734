"""Ways to end a movement, as they are weighed against one another."""

from __future__ import annotations

from dataclasses import dataclass

from opfor.orders import MoveOrder
from opfor.rules.moving.reach import End
from policies.veteran.exchange import Result

#: ends by mode and place: most hexes moved, the ends (for a jump: facings), whether all call for a roll
Groups = dict[tuple[str, int], tuple[int, list[End | int], bool]]


@dataclass(slots=True)
class Option:
    """A way to end the movement: where, how, what it is worth and why. ``odds``: chance of all its rolls."""

    mode: str
    place: int
    facing: int
    prone: bool
    hexes: int
    heat: int
    #: the end of a ground movement, None for a jump or for standing still
    end: End | None
    value: float
    result: Result | None = None
    odds: float = 1.0
    order: MoveOrder | None = None
    #: of a stop for an action on the way: where it is to end
    onward: Option | None = None


def rank(option: Option) -> tuple[float, str, int, int]:
    """Sorts the best first; of equals always the same."""
    return -option.value, option.mode, option.place, option.facing
