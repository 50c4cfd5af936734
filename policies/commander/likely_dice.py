"""Dice for looking ahead: every check comes out as is likelier, and no shot hits, for its mean harm is added to the sum."""

from __future__ import annotations

import re

from opfor.dice import Roll

#: what a roll says of the number that it needs
_NEEDS = re.compile(r", needs (\d+)$")
#: checks of a unit's own skill, by what their words hold; any other roll with a number is an attack
_CHECKS = ("piloting", "driving", "to stay", "to regain", "to avoid", "to start", "to keep", "initiative")
#: the highest number that 2d6 reach more often than not
_EVEN = 7
_GOOD, _BAD = (6, 6), (1, 1)


class LikelyDice:
    """See the module. Draws nothing: it has neither seed nor state."""

    __slots__ = ("log",)

    def __init__(self) -> None:
        self.log: list[Roll] = []

    def roll(self, count: int, why: str) -> Roll:
        """See :meth:`opfor.dice.Dice.roll`."""
        needs = _NEEDS.search(why) if count == 2 else None
        if needs is None:
            # threes and fours by turns: the middle of what dice show
            return Roll(tuple(3 + (i & 1) for i in range(count)), why)
        likely = int(needs[1]) <= _EVEN and any(word in why for word in _CHECKS)
        return Roll(_GOOD if likely else _BAD, why)

    def copy(self) -> LikelyDice:
        """See :meth:`opfor.dice.Dice.copy`."""
        return LikelyDice()
