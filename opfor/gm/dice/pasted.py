"""Dice pasted from a board's roller, given to the rolls that they were rolled for.

A line whose reason names a roll (its unit, weapon, target, what kind of roll it is) goes to that roll, wherever it stands in
the paste; lines that name the same roll go in order. A line without a reason that says anything goes to the next roll that no
other line names. What is never guessed: a line that names another roll than the one wanted waits for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from opfor.dice import DiceError, FedDice, Roll, RollNeeded
from opfor.formats.words.dice_text import PastedRoll
from opfor.state import State
from opfor.tables import load_yaml

#: rolls of several dice that are read die by die, so that their sum alone says nothing
_DIE_BY_DIE = re.compile(r", 1 of \d+$|, each on \d")
_NEEDS = re.compile(r"\b(?:needs?|needing|tn|vs\.?|target(?: number)?)\b:? ?\d+\+?|\b\d+\+(?!\d)|\b\d+ or (?:more|less)", re.I)


def reads_each_die(why: str) -> bool:
    """Whether a roll of several dice is read die by die, so that their sum says too little.

    >>> reads_each_die("tank: weapon that malfunctions, 1 of 7"), reads_each_die("tank: motive damage, left side")
    (True, False)
    """
    return _DIE_BY_DIE.search(why) is not None


class Mention(NamedTuple):
    """Something that a reason names.

    A ``unit`` by its id, one that is a ``target``, a ``weapon`` by its name, a ``word`` of one, a ``kind`` of roll.
    """

    sort: str
    name: str


def normal(text: str) -> str:
    """Text as words of letters and figures, for comparing.

    >>> normal("Reaver: LRM 10 (RA) at alpha-1")
    'reaver lrm 10 ra at alpha 1'
    """
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


@lru_cache(maxsize=1)
def _kinds() -> dict[str, str]:
    """The kind of roll by each word that names it."""
    from importlib.resources import files

    rows: dict[str, list[str]] = load_yaml(files("opfor.gm.dice").joinpath("roll_kinds.yaml").read_text(encoding="utf-8"))
    return {normal(word): kind for kind, words in rows.items() for word in words}


class Vocabulary:
    """The names that reasons may use in a battle: units, weapons, kinds of rolls."""

    def __init__(self, state: State) -> None:
        phrases: dict[str, Mention] = {phrase: Mention("kind", kind) for phrase, kind in _kinds().items()}
        weapons = {normal(mount.name.partition(" (Clan")[0]) for unit in state.units for mount in unit.spec.mounts}
        for weapon in sorted(weapons):
            first = weapon.split()[0]
            if first not in weapons and not first.isdigit() and len(first) > 1:
                phrases.setdefault(first, Mention("word", first))
        phrases.update({weapon: Mention("weapon", weapon) for weapon in weapons})
        names: dict[str, list[str]] = {}
        for unit in state.units:
            names.setdefault(normal(unit.name), []).append(unit.id)
        # a name that several units share names none of them
        phrases.update({name: Mention("unit", ids[0]) for name, ids in names.items() if name and len(ids) == 1})
        phrases.update({normal(unit.id): Mention("unit", unit.id) for unit in state.units})
        self._phrases = phrases
        longest = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
        self._pattern = re.compile(r"(?<![^ ])(?:(at|on|vs|against) )?(" + "|".join(map(re.escape, longest)) + r")(?![^ ])")

    def mentions(self, text: str) -> frozenset[Mention]:
        """What a text names. Longer names win: ``LRM 10`` over ``LRM``."""
        plain = normal(_NEEDS.sub(" ", text))
        found = set()
        for at, phrase in self._pattern.findall(plain):
            mention = self._phrases[phrase]
            found.add(Mention("target", mention.name) if at and mention.sort == "unit" else mention)
        return frozenset(found)


class PastedDice(FedDice):
    """Dice as pasted. Asks for more by raising :class:`RollNeeded` when no line is left that may be meant."""

    __slots__ = ("_attack", "_left", "_mentions", "_words")

    def __init__(self, given: Iterable[PastedRoll], words: Vocabulary, attack: frozenset[Mention] = frozenset()) -> None:
        super().__init__(())
        self._words = words
        self._left = list(given)
        self._mentions = {roll: words.mentions(roll.reason) for roll in self._left}
        #: what the attack last rolled for names: its hit location may be called by its weapon
        self._attack = attack

    @property
    def unused(self) -> int:
        """How many of the pasted rolls have not been asked for."""
        return len(self._left)

    @property
    def left_words(self) -> list[str]:
        """The pasted rolls that have not been asked for, in words."""
        return [roll.words for roll in self._left]

    def roll(self, count: int, why: str) -> Roll:
        """The pasted roll that is meant. Raises :class:`DiceError` when its number of dice is wrong."""
        asked = self._words.mentions(why)
        chosen = self._chosen(count, why, asked)
        if chosen is None:
            raise RollNeeded(count, why)
        if len(chosen.dice) != count:
            raise DiceError(
                f"{chosen.words}: {len(chosen.dice)} {'die' if len(chosen.dice) == 1 else 'dice'}, but {count} six-sided "
                f"{'die is' if count == 1 else 'dice are'} needed there: {why}",
                hint=self._nearest(count, why, asked),
            )
        if not chosen.shown and count > 1 and reads_each_die(why):
            raise DiceError(f"{chosen.words}: the sum says too little here, the dice are read one by one: {why}")
        self._left.remove(chosen)
        if " at " in why and ", needs " in why:
            self._attack = asked
        roll = Roll(chosen.dice, why, chosen.shown)
        self.log.append(roll)
        return roll

    def _chosen(self, count: int, why: str, asked: frozenset[Mention]) -> PastedRoll | None:
        """The roll that is meant: the same words, else the one that names most, else the next that names nothing."""
        if not self._left:
            return None
        plain = normal(why)
        # a roller puts the name of the person before the reason
        for same in (str.__eq__, lambda reason, why: reason.endswith(f" {why}")):
            exact = next((roll for roll in self._left if same(normal(roll.reason), plain)), None)
            if exact is not None:
                return exact
        named = [(self._rank(self._mentions[roll], asked, plain), roll) for roll in self._left]
        best = max(rank for rank, _ in named)
        if best > 0:
            meant = [roll for rank, roll in named if rank == best]
            return next((roll for roll in meant if len(roll.dice) == count), meant[0])
        for roll in self._left:
            mentions = self._mentions[roll]
            if not mentions or (roll is self._left[0] and self._vague(mentions, asked, plain)):
                return roll
        return None

    def _rank(self, line: frozenset[Mention], asked: frozenset[Mention], plain: str) -> int:
        """How well a line's mentions name a roll; 0 when they do not."""
        kinds = {m for m in line if m.sort == "kind"}
        others = line - kinds
        around = asked | self._attack if kinds else asked
        if not line or not kinds <= asked or not _within(others, around, plain, loose=bool(kinds)):
            return 0
        if not kinds and any(m.sort == "kind" for m in asked) and self._is_attack(line):
            return 0
        # a line that says which kind of roll it is goes before one that leaves it open
        return 1 + 2 * len(line & asked) + len(line) + 20 * len(kinds)

    def _vague(self, line: frozenset[Mention], asked: frozenset[Mention], plain: str) -> bool:
        """Whether a line may be meant for what follows an attack: it names no other kind of roll, nor another attack."""
        if any(m.sort == "kind" for m in line) or self._is_attack(line):
            return False
        return _within(line, asked | self._attack, plain, loose=True)

    @staticmethod
    def _is_attack(line: frozenset[Mention]) -> bool:
        """Whether a line names an attack: a weapon and two units."""
        return any(m.sort in ("weapon", "word") for m in line) and sum(m.sort in ("unit", "target") for m in line) > 1

    def _nearest(self, count: int, why: str, asked: frozenset[Mention]) -> str:
        """The line with the right number of dice that names most of a roll."""
        fitting = [roll for roll in self._left if len(roll.dice) == count]
        ranked = sorted(fitting, key=lambda roll: -len(self._mentions[roll] & asked))
        return f"nearest: {ranked[0].words}" if ranked else f"no line shows {count}d6"

    def copy(self) -> PastedDice:
        """See :meth:`opfor.dice.Dice.copy`."""
        return PastedDice(self._left, self._words, self._attack)


def _within(mentions: Iterable[Mention], around: frozenset[Mention], plain: str, *, loose: bool) -> bool:
    """Whether all that a line names is there; the first word of a weapon's name stands for it.

    Who is named without more may be the target; who is named as the target may be whom the roll is for only when ``loose``.
    """
    words = set(plain.split())
    for mention in mentions:
        sort, name = mention
        if mention in around or (sort == "unit" and Mention("target", name) in around):
            continue
        if loose and sort == "target" and Mention("unit", name) in around:
            continue
        if mention.sort == "word" and (mention.name in words or _word_of(mention.name, around)):
            continue
        return False
    return True


def _word_of(word: str, around: frozenset[Mention]) -> bool:
    return any(m.sort == "weapon" and m.name.split()[0] == word for m in around)
