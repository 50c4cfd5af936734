"""Lines of fire and the worth of places, compiled: the same numbers as :mod:`envs.features.lines` and
:mod:`envs.features.places` work out plainly.

Loading this module needs numba; it is used where movement searches are compiled
(:func:`opfor.rules.moving.compiling.use_compiled`), and not else. Rule: S-3, S-4.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from envs.features.damage import RANGES, SUMS
from envs.features.geometry import Floats, Ints
from envs.features.scales import FLOOR, REST, TINY, ZERO
from opfor.board.board import Board
from opfor.board.sight_rows import DEPTH, HEAVY, LEVEL, LIGHT, THICK, THIN, TREES, ground_of, look_between
from opfor.rulesets import Ruleset
from policies.veteran.lanes import BLOCKED
from policies.veteran.spots import BELOW, LEVELS, PRONE, STANDING

Bytes = npt.NDArray[np.uint8]
_PER_CELL = LEVELS * 4


def numbers_of(ruleset: Ruleset) -> Ints:
    """What lanes add to numbers to hit: woods and smoke between (light, heavy each), each hex of a shared building, woods and
    smoke at the target, the height that smoke reaches, partial cover, standing in water, prone next to it and farther off."""
    rules = ruleset.table("to_hit")
    woods, smoke, in_woods, in_smoke = (
        rules[name] for name in ("woods_between", "smoke_between", "target_woods", "target_smoke")
    )
    values = [
        *(woods[1], woods[2], smoke[1], smoke[2], rules["same_building"], in_woods[1], in_woods[2], in_smoke[1], in_smoke[2]),
        *(rules["smoke_height"], rules["partial_cover"][ruleset.partial_cover], int(ruleset.water_to_hit)),
        *(rules["prone"]["adjacent"], rules["prone"]["far"]),
    ]
    return np.array([int(value) for value in values], dtype=np.int32)


class CompiledLines:
    """The lines of fire of one board under one ruleset."""

    __slots__ = ("_arrays",)

    def __init__(self, board: Board, ruleset: Ruleset) -> None:
        ground = ground_of(board)
        self._arrays: tuple[Any, ...] = (
            ground.facts, *ground.lines, ground.weights, board.grid.stride, *ground.spans, numbers_of(ruleset)
        )  # fmt: skip

    def pair(self, a: int, t: int) -> tuple[int, int]:
        """Modifiers of a shot from spot ``a`` at spot ``t``, and of one back: :data:`BLOCKED` where there is none."""
        found: tuple[int, int] = _PAIR(*self._arrays, a, t)
        return found

    def fill(self, data: Bytes, rows: list[int], keys: list[int], cells: Ints, posture: int, height: int) -> None:
        """Fill in what is 0 in rows of ``data``, shape (rows, 2, cells of the grid): see :meth:`Lines.between`."""
        _FILL(*self._arrays, data, np.array(rows), np.array(keys), cells, posture, height)


@njit(cache=True, error_model="numpy")
def _seen_at(facts: Ints, numbers: Ints, seen: tuple[int, ...], cell: int, elevation: int, posture: int, near: bool) -> int:
    """The sum for a shot at a spot along a clear line. As :meth:`policies.veteran.lanes.Lanes._modifiers` has it."""
    level = facts[cell, LEVEL]
    top = level + elevation + (1 if posture == STANDING else 0)
    if facts[cell, DEPTH] and top < level:
        return BLOCKED
    total = seen[1] * numbers[0] + seen[2] * numbers[1] + seen[3] * numbers[2] + seen[4] * numbers[3] + seen[5] * numbers[4]
    if top < facts[cell, TREES]:
        total += facts[cell, LIGHT] * numbers[5] + facts[cell, HEAVY] * numbers[6]
    if top - level < numbers[9]:
        total += facts[cell, THIN] * numbers[7] + facts[cell, THICK] * numbers[8]
    if seen[6]:
        total += numbers[10]
    if facts[cell, DEPTH] and posture <= PRONE and elevation < 0:
        total += numbers[11]
    if posture == PRONE:
        total += numbers[12] if near else numbers[13]
    return int(total)


@njit(cache=True, error_model="numpy")
def _pair(
    facts: Ints, starts: Ints, deltas: Ints, weights: Ints, stride: int, columns: int, rows: int, numbers: Ints, a: int, t: int
) -> tuple[int, int]:
    """Modifiers out and back between two spot keys."""
    a_cell, a_elevation, a_posture = a // _PER_CELL, (a >> 2) % LEVELS - BELOW, a & 3
    t_cell, t_elevation, t_posture = t // _PER_CELL, (t >> 2) % LEVELS - BELOW, t & 3
    a_base, t_base = facts[a_cell, LEVEL] + a_elevation, facts[t_cell, LEVEL] + t_elevation
    a_top, t_top = a_base + (1 if a_posture == STANDING else 0), t_base + (1 if t_posture == STANDING else 0)
    seen = look_between(facts, starts, deltas, weights, stride, columns, rows, a_cell, a_base, a_top, t_cell, t_base, t_top)
    if not seen[0]:
        return BLOCKED, BLOCKED
    if seen[8]:
        # on a divided line each defender has a choice of its own
        back = look_between(facts, starts, deltas, weights, stride, columns, rows, t_cell, t_base, t_top, a_cell, a_base, a_top)
    else:
        back = (seen[0], seen[1], seen[2], seen[3], seen[4], seen[5], seen[7], seen[6], seen[8])
    dq, dr = t_cell // stride - a_cell // stride, t_cell % stride - a_cell % stride
    near = max(abs(dq), abs(dr), abs(dq + dr)) <= 1
    return (
        _seen_at(facts, numbers, seen, t_cell, t_elevation, t_posture, near),
        _seen_at(facts, numbers, back, a_cell, a_elevation, a_posture, near),
    )


@njit(cache=True, error_model="numpy")
def _fill(
    facts: Ints, starts: Ints, deltas: Ints, weights: Ints, stride: int, columns: int, rows: int, numbers: Ints, data: Bytes,
    places: Ints, keys: Ints, cells: Ints, posture: int, height: int,
) -> None:  # fmt: skip
    """See :meth:`CompiledLines.fill`."""
    for number in range(len(keys)):
        row, key = places[number], keys[number]
        for cell in cells:
            if data[row, 0, cell] == 0:
                elevation = height if height > 0 else -facts[cell, DEPTH]
                spot = (cell * LEVELS + min(max(elevation, -BELOW), LEVELS - BELOW - 1) + BELOW) * 4 + posture
                out, back = _pair(facts, starts, deltas, weights, stride, columns, rows, numbers, spot, key)
                data[row, 0, cell] = out + ZERO
                data[row, 1, cell] = back + ZERO


@njit(cache=True, error_model="numpy")
def add_threat(
    lines: Bytes, cells: Ints, away: Ints, back: Ints, facing: Ints, dodge: Ints, mine: int, threat: int, turned: int,
    fires: bool, fire: Floats, fire_rows: Ints, harm: Floats, harm_rows: Ints, theirs: Floats, ours: Floats, share: float,
    feared: float, pull: float, given: Floats, gain: Floats, taken: Floats, loss: Floats,
) -> None:  # fmt: skip
    """What an enemy in one place means for places: see :func:`envs.features.places._add`."""
    for place in range(len(cells)):
        cell = cells[place]
        at = min(away[place], RANGES - 1) * SUMS
        ahead = (back[place] + 12 - 4 * facing[place]) % 24 if len(facing) else 0
        seen = (back[place] - turned) % 24 if turned >= 0 else 0
        if fires:
            column = min(max(int(lines[0, cell]) - ZERO + mine, 0), SUMS - 1)
            worth = share * fire[at + column + fire_rows[ahead] * (RANGES * SUMS)]
            given[place] += worth
            gain[place] += worth * theirs[seen]
        column = min(max(int(lines[1, cell]) - ZERO + dodge[place] + threat, 0), SUMS - 1)
        points = harm[at + column + harm_rows[seen] * (RANGES * SUMS)]
        taken[place] += share * points
        suffered = points * ours[ahead]
        draws = suffered * suffered
        loss[place] += feared * suffered * (FLOOR + REST * (draws / max(draws + pull, TINY)))


@njit(cache=True, error_model="numpy")
def write_units(
    order: npt.NDArray[np.int64], count: int, dq: Ints, dr: Ints, distance: Ints, towards: Ints, facings: Ints, levels: Ints,
    me: int, cos: Floats, sin: Floats, fire: Floats, standing: Floats, room: int, out: Floats,
) -> None:  # fmt: skip
    """Fill the group ``units``. As :meth:`envs.features.units.UnitsFeatures.write` has it.

    ``order``: places of units, the first ``count`` of them own ones; ``fire``: five columns for each enemy; ``standing``: how
    each unit stands, the last columns of the group.
    """
    out[:] = 0.0
    between = out.shape[1] - standing.shape[1]
    for number in range(len(order)):
        place = order[number]
        row = number if number < count else room + number - count
        out[row, 0] = dq[place] / 32.0
        out[row, 1] = (dr[place] + 0.5 * dq[place]) / 32.0
        out[row, 2] = distance[place] / 32.0
        apart = np.float32(1.0 if distance[place] > 0 else 0.0)
        ahead = (towards[place] - 4 * facings[me]) % 24
        faces = (towards[place] + 12 - 4 * facings[place]) % 24
        out[row, 3], out[row, 4], out[row, 5] = cos[ahead] * apart, sin[ahead] * apart, cos[faces] * apart
        out[row, 6] = (levels[place] - levels[me]) / 10.0
        if number >= count:
            for column in range(5):
                out[row, 7 + column] = fire[number - count, column]
        for column in range(between):
            out[row, column] = min(max(out[row, column], np.float32(-1.0)), np.float32(1.0))
        for column in range(standing.shape[1]):
            out[row, between + column] = standing[place, column]


@njit(cache=True, error_model="numpy")
def cut_window(table: Floats, here: int, width: int, stride: int, qs: Ints, rs: Ints, higher: int, out: Floats) -> None:
    """What lies around a cell, into zeros: see :meth:`envs.features.ground.GroundFeatures.write`.

    ``table``: what every cell holds; ``qs``, ``rs``: where the hexes of the window lie; ``higher``: the column of levels.
    """
    for place in range(len(qs)):
        q, r = here // stride + qs[place], here % stride + rs[place]
        if 0 <= q < width + 2 and 0 <= r < stride and table[q * stride + r, 0] != 0.0:
            for column in range(table.shape[1]):
                number = table[q * stride + r, column]
                if column == higher:
                    number -= table[here, higher]
                out[place, column] = min(max(number, np.float32(-1.0)), np.float32(1.0))


#: the same, called with arrays and numbers one after the other
_PAIR: Any = _pair
_FILL: Any = _fill

__all__ = ["CompiledLines", "add_threat", "cut_window", "numbers_of", "write_units"]
