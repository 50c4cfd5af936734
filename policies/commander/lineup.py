"""The side's movement as a whole: each unit's good ways to move against the enemy's best answers to them. Rule: S-2, E-6.

Every candidate (a unit, and one of its ends) is played on to the end of the movement: in the order in which the sides still
act, each picks the end that suits it best against where all others stand or are likeliest to go. The line-up that this leads
to is what the candidate is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from policies.commander.clash import Clash
from policies.commander.stands import Piece, Stand


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is thought through. Counted in work, not in time, so that the same battle gets the same orders.

    ``own``, ``enemy``: ends of each unit that are reckoned with; ``candidates``: of them tried for the unit that moves;
    ``movers``: units tried as the one to move; ``lineups``: line-ups that may be added up for one decision.
    """

    own: int = 12
    enemy: int = 10
    candidates: int = 8
    movers: int = 3
    lineups: int = 20_000


@dataclass(frozen=True, slots=True)
class Choice:
    """A unit and the end that it should move to, what that leads to, and what the veteran in it thinks of the end."""

    piece: Piece
    stand: Stand
    value: float


class LineUp:
    """Plays movement on over the table of a clash. ``order``: sides still to move after the present one, ours 0, theirs 1."""

    def __init__(self, clash: Clash, order: Sequence[int], effort: Effort, last: int = 1) -> None:
        """``last``: the side whose units move last of all, where the order leaves some out."""
        self.last = last
        self.clash = clash
        self.order = list(order)
        self.effort = effort
        self.start = [piece.stands[0] for piece in clash.pieces]
        #: units still to move, those first that have least to gain by waiting
        self.open: tuple[list[Piece], list[Piece]] = (
            [p for p in clash.ours if not p.placed],
            [p for p in clash.theirs if not p.placed],
        )

    def choices(self, movers: Sequence[Piece]) -> list[Choice]:
        """The candidates of the units that may move now, best first."""
        self._agree()
        found: list[Choice] = []
        for piece in movers[: self.effort.movers]:
            for stand in piece.stands[: self.effort.candidates]:
                found.append(Choice(piece, stand, self.play_on(piece, stand)))
                if self.clash.looked >= self.effort.lineups:
                    break
        found.sort(key=lambda c: (-c.value, c.piece.number, c.piece.stands.index(c.stand)))
        return found

    def _agree(self) -> None:
        """Let the units still to move agree on where they are likeliest to go: ours first, then theirs in answer."""
        lineup = self.start
        for side in (0, 1, 0):
            for piece in self.open[side]:
                self._settle(piece, lineup)

    def play_on(self, piece: Piece, stand: Stand) -> float:
        """What it leads to that a unit moves so: the worth of the line-up at the end of the movement."""
        lineup = list(self.start)
        lineup[piece.number] = stand
        left = ([p for p in self.open[0] if p is not piece], list(self.open[1]))
        for side in self.order:
            if left[side]:
                self._settle(left[side].pop(0), lineup)
        for side in (1 - self.last, self.last):
            for other in left[side]:
                self._settle(other, lineup)
        return self.clash.worth(lineup)

    def _settle(self, piece: Piece, lineup: list[Stand]) -> None:
        """Put a unit where it suits its side best as all others stand."""
        worth = self.clash.worth
        sign = 1.0 if piece.side == 0 else -1.0
        best, at = -1e9, lineup[piece.number]
        for stand in piece.stands:
            lineup[piece.number] = stand
            value = sign * worth(lineup)
            if value > best:
                best, at = value, stand
        lineup[piece.number] = at
