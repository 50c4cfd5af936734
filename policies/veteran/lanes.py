"""What lies between two places, both ways, remembered for a board: range, bearing, modifiers, cover. Rule: S-3, S-4.

Lanes run between the keys of :mod:`policies.veteran.spots`; each is kept under both.
"""

from __future__ import annotations

from typing import NamedTuple

from opfor.board.board import Board
from opfor.board.sight import UNDIVIDED, Sight, sight
from opfor.rules.shooting.numbers import SMOKE_HEIGHT, numbers_of
from opfor.rules.troops.infantry import offers_cover
from opfor.rulesets import Ruleset
from policies.veteran.spots import PER_CELL, PRONE, STANDING, TROOPERS, cell_of, elevation_of

#: modifier of a lane that nothing can be shot along
BLOCKED = 99


class Lane(NamedTuple):
    """From one spot to another and back. ``out`` and ``back`` are sums of modifiers of terrain, cover and the posture of the
    target, :data:`BLOCKED` where there is no shot; ``cover``: whether the target's legs are covered, or troopers have cover of
    any kind; ``line``: which side of a divided line counts for a shot out, and back."""

    distance: int
    bearing: int
    out: int
    back: int
    cover_out: bool
    cover_back: bool
    line_out: int
    line_back: int


#: lanes that are kept at most, of all boards together (about 150 MB), and boards
_MOST_KEPT, _MOST_BOARDS = 600_000, 8
_kept: list[Lanes] = []


def lanes_of(board: Board, ruleset: Ruleset) -> Lanes:
    """The lanes of a board, shared by all who ask, in this battle and the next: they tell of the ground and of nothing that a
    side could not see. Those asked for least lately are forgotten."""
    for number, lanes in enumerate(_kept):
        if lanes.board is board and lanes.ruleset == ruleset:
            if number:
                _kept.insert(0, _kept.pop(number))
            return lanes
    while _kept and (len(_kept) >= _MOST_BOARDS or sum(len(lanes.known) for lanes in _kept) > _MOST_KEPT):
        _kept.pop()
    found = Lanes(board, ruleset)
    _kept.insert(0, found)
    return found


class Lanes:
    """The lanes of one board under one ruleset, worked out when first asked for."""

    def __init__(self, board: Board, ruleset: Ruleset, most: int = 400_000) -> None:
        self.board = board
        self.ruleset = ruleset
        self.keys = board.grid.size * PER_CELL
        self.known: dict[int, Lane] = {}
        self._most = most
        self._numbers = numbers_of(ruleset)
        self._cover = int(self._numbers.partial_cover[ruleset.partial_cover])
        self._wading = int(ruleset.water_to_hit)

    def lane(self, a: int, t: int) -> Lane:
        """The lane between two spot keys."""
        key = a * self.keys + t
        found = self.known.get(key)
        if found is None:
            if len(self.known) >= self._most:
                self.known.clear()
            found = self.known[key] = self._look(a, t)
            self.known[t * self.keys + a] = Lane(
                found.distance,
                (found.bearing + 12) % 24 if found.distance else found.bearing,
                found.back,
                found.out,
                found.cover_back,
                found.cover_out,
                found.line_back,
                found.line_out,
            )
        return found

    def _look(self, a: int, t: int) -> Lane:
        board = self.board
        grid = board.grid
        a_cell, t_cell = cell_of(a), cell_of(t)
        distance = grid.distance(a_cell, t_cell)
        bearing = grid.sextant(a_cell, t_cell)
        a_base, a_top = self._levels(a)
        t_base, t_top = self._levels(t)
        seen = sight(board, a_cell, a_base, a_top, t_cell, t_base, t_top)
        if not seen.clear:
            return Lane(distance, bearing, BLOCKED, BLOCKED, False, False, UNDIVIDED, UNDIVIDED)
        back = seen
        if seen.side != UNDIVIDED:
            back = sight(board, t_cell, t_base, t_top, a_cell, a_base, a_top)
        elif seen.target_cover or seen.attacker_cover:
            back = seen._replace(target_cover=seen.attacker_cover, attacker_cover=seen.target_cover)
        out_mod, out_cover = self._modifiers(seen, t, t_top, distance)
        back_mod, back_cover = self._modifiers(back, a, a_top, distance)
        return Lane(distance, bearing, out_mod, back_mod, out_cover, back_cover, seen.side, back.side)

    def _levels(self, key: int) -> tuple[int, int]:
        base = self.board.level[cell_of(key)] + elevation_of(key)
        return base, base + 1 if key & 3 == STANDING else base

    def _modifiers(self, seen: Sight, target: int, t_top: int, distance: int) -> tuple[int, bool]:
        """The sum for a shot at ``target`` along a clear line, and whether it has cover."""
        cell = cell_of(target)
        posture = target & 3
        board = self.board
        height = t_top - board.level[cell]
        depth = board.depth[cell]
        if depth and height < 0:
            # wholly under water: no plan is made of torpedoes
            return BLOCKED, False
        numbers = self._numbers
        total: int = seen.light_woods * numbers.woods_between[1] + seen.heavy_woods * numbers.woods_between[2]
        total += seen.light_smoke * numbers.smoke_between[1] + seen.heavy_smoke * numbers.smoke_between[2]
        total += seen.same_building * numbers.same_building
        record = board.hexes[cell]
        if record.woods and height < record.foliage:
            total += numbers.target_woods[1 if record.woods == 1 else 2]
        if record.smoke and height < SMOKE_HEIGHT:
            total += numbers.target_smoke[1 if record.smoke == 1 else 2]
        cover = seen.target_cover
        if cover:
            total += self._cover
        if depth and posture <= PRONE and elevation_of(target) < 0:
            cover = True
            total += self._wading
        if posture == PRONE:
            total += numbers.prone["adjacent" if distance <= 1 else "far"]
        elif posture == TROOPERS:
            cover = offers_cover(board, cell)
        return total, cover
