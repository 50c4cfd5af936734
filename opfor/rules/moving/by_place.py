"""The ends of a movement by the place they lie in: how few MP, how many hexes, whether every way calls for a roll."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

#: a column: a list, or an array of numpy where the search is compiled
Column: TypeAlias = Any


class Row(NamedTuple):
    """One end as a tree of choices compares it: its number among the ends, stance, posture, MP, hexes, and rolls."""

    number: int
    stance: int
    prone: bool
    mp: int
    hexes: int
    rolls: bool


class Places(NamedTuple):
    """Columns over the places that hold ends, in the order in which they come first; lists or arrays.

    ``mp`` is the fewest of a place's ends, ``hexes`` the most, ``rolls`` whether all of them call for one, ``orders`` how many
    they are. ``numbers`` gives the numbers of the ends in the place of an index.
    """

    places: Column
    cells: Column
    elevations: Column
    mp: Column
    hexes: Column
    rolls: Column
    orders: Column
    numbers: Callable[[int], list[int]]


def by_place(ground: Any, rows: Iterable[Row]) -> Places:
    """The places of ``rows`` on a ground (:class:`opfor.rules.moving.ground.Ground`)."""
    groups: dict[int, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.stance // 6, []).append(row)
    places = list(groups)
    numbers = [[row.number for row in group] for group in groups.values()]
    return Places(
        places,
        [ground.cell(place) for place in places],
        [ground.elevation[place] for place in places],
        [min([row.mp for row in group]) for group in groups.values()],
        [max([row.hexes for row in group]) for group in groups.values()],
        [int(all(row.rolls for row in group)) for group in groups.values()],
        [len(group) for group in groups.values()],
        numbers.__getitem__,
    )
