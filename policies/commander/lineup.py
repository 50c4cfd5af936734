"""The side's movement as a whole: each unit's good ways to move against the enemy's best answers to them. Rule: S-2, E-6.

Every candidate (a unit, and one of its ends) is played on to the end of the movement: in the order in which the sides still
act, each picks the end that suits it best against where all others stand or are likeliest to go. The line-up that this leads
to is what the candidate is worth; where enemies move after us as they like (E-3), what the single unit makes of its end over
all that they may do counts as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from policies.commander.clash import Clash
from policies.commander.effort import Effort
from policies.commander.stands import Piece, Stand

#: pairs of enemies in the battle that line-ups are counted for: 4 v 4
_USUAL_PAIRS = 16


@dataclass(frozen=True, slots=True)
class Choice:
    """A unit and the end that it should move to, and what that leads to."""

    piece: Piece
    stand: Stand
    value: float
    #: what is taken off it for going before its turn
    handicap: float = 0.0


class LineUp:
    """Plays movement on over the table of a clash. ``order``: sides still to move after the present one, ours 0, theirs 1."""

    def __init__(self, clash: Clash, order: Sequence[int], effort: Effort, last: int = 1) -> None:
        """``last``: the side whose units move last of all, where the order leaves some out."""
        self.clash = clash
        self.order = list(order)
        self.effort = effort
        self.last = last
        self.start = [piece.stands[0] for piece in clash.pieces]
        #: line-ups that may be added up: of more units each takes longer
        self.most = effort.lineups * _USUAL_PAIRS // max(_USUAL_PAIRS, len(clash.ours) * len(clash.theirs))
        #: units still to move, those first that have least to gain by waiting
        self.open: tuple[list[Piece], list[Piece]] = (
            [p for p in clash.ours if not p.placed],
            [p for p in clash.theirs if not p.placed],
        )
        #: how much of what is to come is not known: the share of the enemies that move in nobody knows what order (E-3)
        self.unknown = max(0, len(self.open[1]) - self.order.count(1)) / max(1, len(clash.theirs))

    def choices(self, movers: Sequence[Piece]) -> list[Choice]:
        """The candidates of the units that may move now, best first."""
        self._agree()
        if movers and len(movers[0].stands) == 1:
            # it gives nothing away by going first
            movers = movers[:1]
        found: list[Choice] = []
        trust = self.effort.own_eye * self.unknown
        for rank, piece in enumerate(movers[: self.effort.movers]):
            best = max((s.seen for s in piece.stands), default=0.0)
            handicap = self.effort.out_of_turn * rank
            for stand in piece.stands[: self.effort.candidates]:
                value = self.play_on(piece, stand) - trust * (best - stand.seen) - handicap
                found.append(Choice(piece, stand, value, handicap))
                if self.clash.looked >= self.most:
                    break
        found.sort(key=lambda c: (-c.value, c.piece.number, c.stand.id))
        return found

    def _agree(self) -> None:
        """Let the units still to move agree on where they are likeliest to go: ours first, theirs in answer, ours again."""
        for side in (0, 1, 0):
            for piece in self.open[side]:
                self._settle(piece, self.start, ())

    def play_on(self, piece: Piece, stand: Stand) -> float:
        """What it leads to that a unit moves so: the worth of the line-up at the end of the movement."""
        lineup = list(self.start)
        lineup[piece.number] = stand
        left = ([p for p in self.open[0] if p is not piece], list(self.open[1]))
        taken = {lineup[p.number].key >> 2 for p in self.clash.pieces if p.placed}
        taken.add(stand.key >> 2)
        for side in (*self.order, *([1 - self.last] * len(left[1 - self.last])), *([self.last] * len(left[self.last]))):
            if left[side]:
                other = left[side].pop(0)
                self._settle(other, lineup, taken)
                taken.add(lineup[other.number].key >> 2)
        return self.clash.worth(lineup)

    def _settle(self, piece: Piece, lineup: list[Stand], taken: Sequence[int] | set[int]) -> None:
        """Put a unit where it suits its side best as all others stand, in none of the places that are taken."""
        worth = self.clash.worth
        sign = 1.0 if piece.side == 0 else -1.0
        best, at = -1e9, lineup[piece.number]
        for stand in piece.stands:
            if stand.key >> 2 in taken:
                continue
            lineup[piece.number] = stand
            value = sign * worth(lineup)
            if value > best:
                best, at = value, stand
        lineup[piece.number] = at
