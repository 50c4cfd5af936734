"""Chance. Nothing in the project rolls, shuffles or draws except through a :class:`Dice`.

Three sources, one face: :class:`SeededDice` (a seed, replayable on every platform), :class:`FedDice` (results rolled at
the table, in the order asked for) and :class:`RecordedDice` (the rolls of an earlier game). Each keeps ``log``, every
roll it gave, so that any game can be replayed from its record alone.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol


class Roll(NamedTuple):
    """One throw: the natural dice and why they were thrown.

    ``shown`` is false where the table told only the sum: ``dice`` are then any that give it.
    """

    dice: tuple[int, ...]
    why: str
    shown: bool = True

    @property
    def total(self) -> int:
        """Sum of the dice."""
        return sum(self.dice)

    @property
    def words(self) -> str:
        """The natural dice as ``3+4``, or ``7 (sum of 2d6)`` where they are not known."""
        return "+".join(map(str, self.dice)) if self.shown else f"{self.total} (sum of {len(self.dice)}d6)"


class RollNeeded(Exception):
    """The table's dice have run out: ``count`` six-sided dice are asked for, to settle ``why``."""

    def __init__(self, count: int, why: str) -> None:
        self.count = count
        self.why = why
        super().__init__(f"roll {count}d6: {why}")


class DiceError(ValueError):
    """Dice that do not fit what was asked for; ``hint`` is the nearest right thing, where there is one."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        self.hint = hint
        super().__init__(message)


class Dice(Protocol):
    """A source of six-sided dice."""

    log: list[Roll]

    def roll(self, count: int, why: str) -> Roll:
        """Throw ``count`` six-sided dice. Raises :class:`RollNeeded` when the source is exhausted."""
        ...

    def copy(self) -> Dice:
        """An independent copy that will give the same rolls."""
        ...


class _Tape:
    """The dice that a seed throws, as far as anybody has asked: shared by the copies of one :class:`SeededDice`."""

    __slots__ = ("_draw", "_lock", "faces")

    def __init__(self, seed: int) -> None:
        #: what the dice show, one byte a die
        self.faces = bytearray()
        # Mersenne Twister's random() is the one method whose stream Python promises to keep.
        self._draw = random.Random(seed).random
        # copies may be played on in threads of their own
        self._lock = threading.Lock()

    def reach(self, length: int) -> None:
        """Throw ahead until so many dice lie there."""
        draw = self._draw
        with self._lock:
            while len(self.faces) < length:
                self.faces += bytes([int(draw() * 6) + 1 for _ in range(_AHEAD)])


#: dice thrown ahead at a time
_AHEAD = 128


class SeededDice:
    """Dice from a seed: the same seed gives the same rolls on every machine and Python version.

    Copying takes well under a microsecond, whatever has been thrown: lookahead copies battles by the thousand.
    """

    __slots__ = ("_at", "_tape", "log", "seed")

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.log: list[Roll] = []
        self._tape = _Tape(seed)
        #: dice thrown so far
        self._at = 0

    def roll(self, count: int, why: str) -> Roll:
        """See :meth:`Dice.roll`; never exhausted."""
        faces, at = self._tape.faces, self._at
        end = self._at = at + count
        if end > len(faces):
            self._tape.reach(end)
        roll = Roll(tuple(faces[at:end]), why)
        self.log.append(roll)
        return roll

    def copy(self) -> SeededDice:
        """See :meth:`Dice.copy`."""
        twin = SeededDice.__new__(SeededDice)
        twin.seed = self.seed
        twin.log = []
        twin._tape = self._tape
        twin._at = self._at
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as the seed, how many dice have been thrown, and the log."""
        return _thrown, (self.seed, self._at, self.log)


def _thrown(seed: int, at: int, log: list[Roll]) -> SeededDice:
    """Dice of a seed that have been thrown so often."""
    dice = SeededDice(seed)
    dice._at = at
    dice.log = log
    return dice


class FedDice:
    """Dice rolled at the table. Asks for more by raising :class:`RollNeeded` when they run out."""

    __slots__ = ("_given", "_next", "log")

    def __init__(self, given: Iterable[Sequence[int]]) -> None:
        self._given = [tuple(g) for g in given]
        self._next = 0
        self.log: list[Roll] = []

    @property
    def unused(self) -> int:
        """How many of the given rolls have not been asked for."""
        return len(self._given) - self._next

    @property
    def left_words(self) -> list[str]:
        """The given rolls that have not been asked for, in words."""
        left = enumerate(self._given[self._next :], start=self._next + 1)
        return [f"roll {number}, {'+'.join(map(str, dice))}" for number, dice in left]

    def roll(self, count: int, why: str) -> Roll:
        """The next given roll. Raises :class:`DiceError` when its number of dice is wrong."""
        if self._next >= len(self._given):
            raise RollNeeded(count, why)
        dice = self._given[self._next]
        if len(dice) != count or any(not 1 <= d <= 6 for d in dice):
            raise DiceError(
                f"roll {self._next + 1} is {'+'.join(map(str, dice))}, but {count} six-sided "
                f"{'die is' if count == 1 else 'dice are'} needed there: {why}"
            )
        self._next += 1
        roll = Roll(dice, why)
        self.log.append(roll)
        return roll

    def copy(self) -> FedDice:
        """See :meth:`Dice.copy`."""
        return FedDice(self._given[self._next :])


class RecordedDice(FedDice):
    """The rolls of a recorded game, given back one by one."""

    def __init__(self, log: Iterable[Roll]) -> None:
        super().__init__([r.dice for r in log])


def split_evenly(count: int, total: int) -> tuple[int, ...]:
    """Dice that show a sum, as even as can be. ``total`` must be within ``count`` and six times that.

    >>> split_evenly(2, 7), split_evenly(2, 12), split_evenly(3, 10), split_evenly(1, 4)
    ((4, 3), (6, 6), (4, 3, 3), (4,))
    """
    if not count <= total <= 6 * count:
        raise DiceError(f"{count} six-sided dice cannot show {total}")
    each, more = divmod(total, count)
    return (each + 1,) * more + (each,) * (count - more)


def parse_dice(text: str) -> list[tuple[int, ...]]:
    """Read rolls as typed: ``"3+4,6+1,5"``.

    >>> parse_dice("3+4, 6+1, 5")
    [(3, 4), (6, 1), (5,)]
    """
    rolls = []
    for number, part in enumerate((p for p in text.replace(";", ",").split(",") if p.strip()), start=1):
        try:
            dice = tuple(int(d) for d in part.strip().split("+"))
        except ValueError:
            raise DiceError(f"roll {number}, {part.strip()!r}, is not dice: write them as 3+4") from None
        if any(not 1 <= d <= 6 for d in dice):
            raise DiceError(f"roll {number}, {part.strip()!r}: a six-sided die shows 1 to 6")
        rolls.append(dice)
    return rolls


#: chance to roll at least n on 2d6, for n = 0 to 13
CHANCE_2D6 = (1.0, 1.0, 1.0, 35 / 36, 33 / 36, 30 / 36, 26 / 36, 21 / 36, 15 / 36, 10 / 36, 6 / 36, 3 / 36, 1 / 36, 0.0)
#: chance to roll exactly n on 2d6, for n = 0 to 12
EXACTLY_2D6 = (0.0, 0.0, *(x / 36 for x in (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)))


def chance_2d6(target_number: int) -> float:
    """Chance that 2d6 give ``target_number`` or more.

    >>> round(chance_2d6(8), 3), chance_2d6(2), chance_2d6(13)
    (0.417, 1.0, 0.0)
    """
    return CHANCE_2D6[min(13, max(0, target_number))]
