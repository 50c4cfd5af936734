"""Fire of one unit at another as it is planned while choosing a move: a look-up by arcs, range, modifiers and side struck."""

from __future__ import annotations

from opfor.dice import chance_2d6
from policies.princess.guns import FLIPPED as FLIP
from policies.princess.guns import IMPOSSIBLE, Battery, Piece
from policies.princess.plans import Mark, Shot
from policies.princess.settings import Settings, figures

_BELOW = 16
_CHANCE = tuple(chance_2d6(number - _BELOW) for number in range(2 * IMPOSSIBLE + 2 * _BELOW))
_RAPID: int = figures("fire")["rapid_number"]


class Duel:
    """A shooter and its target. ``limit``: heat that its fire may build up, None for who feels none."""

    __slots__ = ("_best", "_known", "_shots", "battery", "config", "limit", "mark")

    def __init__(self, battery: Battery, mark: Mark, limit: int | None, config: Settings) -> None:
        self.battery = battery
        self.mark = mark
        self.limit = limit
        #: of the shooter: how it cares for its ammunition
        self.config = config
        self._known: dict[tuple[int, int, int, str], float] = {}
        self._best: dict[tuple[int, int, int, str], float] = {}
        self._shots: dict[tuple[int, int, str], list[Shot | None]] = {}

    def best(self, relative: int, distance: int, common: int, side: str) -> float:
        """The value of the best volley in any posture; ``relative``: the target's bearing from straight ahead, 0 to 23."""
        if distance > self.battery.reach:
            return 0.0
        key = (relative, distance, common, side)
        found = self._best.get(key)
        if found is None:
            postures = self.battery.postures(relative) if distance else (FLIP - 1,)
            found = self._best[key] = max([self._volley(bits, distance, common, side) for bits in postures])
        return found

    def _volley(self, bits: int, distance: int, common: int, side: str) -> float:
        key = (bits, distance, common, side)
        found = self._known.get(key)
        if found is None:
            pieces = self.battery.pieces
            shots = self._shots.get((distance, common, side))
            if shots is None:
                shots = [self._shot(piece, distance, common, side) for piece in pieces]
                self._shots[distance, common, side] = shots
            bearing = [shot for piece, shot in zip(pieces, shots, strict=True) if shot is not None and _bears(piece, bits)]
            found = self._known[key] = max(0.0, self.mark.plan(bearing, self.limit).value)
        return found

    def _shot(self, piece: Piece, distance: int, common: int, side: str) -> Shot | None:
        """The best way to fire a weapon, None where there is none."""
        best: Shot | None = None
        for mode in piece.modes:
            if distance >= len(mode.numbers):
                continue
            number = common + mode.numbers[distance]
            odds = _CHANCE[min(number, IMPOSSIBLE) + _BELOW]
            if odds <= 0.0 or (mode.rapid and number > _RAPID):
                continue
            if mode.rounds is not None and odds <= self.config.least_to_hit(mode.rounds):
                continue
            shot = self.mark.shot(odds, mode.damage[distance], side, mode.mode.heat)
            if best is None or shot.plain > best.plain:
                best = shot
        return best


def _bears(piece: Piece, bits: int) -> bool:
    return bool(bits & (piece.flipped_bit if bits & FLIP else piece.bit))
