"""The heat that a volley may build up, and which weapons to fire within it. Rule: S-7 (what sheds heat).

Five points over the sinks are free, the heat of the coming movement is not reckoned with, and neither shutdown nor
ammunition that may explode has a price: all as the bot does it.
"""

from __future__ import annotations

from collections.abc import Sequence

from opfor.rules.pilots.heat import dissipation
from opfor.state import State
from opfor.units.state import UnitState
from policies.princess.settings import figures

_FIRE = figures("fire")


def heat_limit(state: State, unit: UnitState) -> int | None:
    """Points of heat that its fire may build up: what it sheds, less what it has, and 5 more. None where none is felt."""
    if not unit.spec.is_mech:
        return None
    return dissipation(state, unit) - unit.heat + int(_FIRE["spare_heat"])


def knapsack(values: Sequence[float], heats: Sequence[int], limit: int | None) -> tuple[int, ...]:
    """Which weapons make the best volley: for each heat the best choice is built up, then the best of these is taken.

    ``values`` are points, each heat over ``limit`` costs 5 of them. The weapons come as indexes in order; those worth nothing
    are left silent.

    >>> knapsack([10.0, 4.0], [8, 3], 20), knapsack([40.0, 30.0], [8, 8], 8)
    ((0, 1), (0,))
    """
    worth = [index for index, value in enumerate(values) if value > 0.0]
    total = sum([heats[index] for index in worth])
    if limit is None or total <= limit:
        return tuple(worth)
    best = [0.0] * (total + 1)
    chosen = [0] * (total + 1)
    for index in worth:
        value, heat = values[index], heats[index]
        bit = 1 << index
        if heat <= 0:
            best = [one + value for one in best]
            chosen = [one | bit for one in chosen]
            continue
        for level in range(total, heat - 1, -1):
            with_it = best[level - heat] + value
            if with_it > best[level]:
                best[level] = with_it
                chosen[level] = chosen[level - heat] | bit
    cost = _FIRE["heat"]
    at = max(range(total + 1), key=lambda level: (best[level] - cost * max(0, level - limit), -level))
    return tuple([index for index in worth if chosen[at] >> index & 1])
