"""Results of a board's or a chat's dice roller, as people paste them: the natural dice of each roll and its reason.

Read are compact lists (``3+4, 6+1, 5``), the log of the battle (``3+4: reaver: LRM 10 at alpha-1``), and lines that tell of
six-sided dice in the ways of forum rollers and chat bots. Of each: the dice in brackets or as a sum (``3 + 4 = 7``), the total
where it is told, and what is left as the reason. What does not tell of dice is passed over.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise

from opfor.dice import DiceError, split_evenly

#: longest text and most dice of a roll that are read
MOST_CHARACTERS, MOST_DICE = 400_000, 60
_DICE = re.compile(r"(?<![\w.])(\d{0,4}) ?[dDwW](\d{1,4})\b(?: ?([+\-*x×]) ?(\d+)(?!\d*\s*[+=]))?", re.ASCII)
_BRACKETS = re.compile(r"[\[({<]{1,3} ?(-?\d+(?: ?[,+;|/& ] ?-?\d+)*) ?[\])}>]{1,3}", re.ASCII)
_SUM = re.compile(r"(?<![\w.])(\d+(?: ?\+ ?\d+)+)(?: ?= ?(\d+))?(?![\w])", re.ASCII)
#: a total by its word, or by a sign before it; a colon counts only right behind the dice
_TOTAL = re.compile(
    r"(?:\b(?:results?|totals?|sum|rolled|rolls|rolling|got|gets)\b:? ?(?:is |of |a |an )?|(?:=>|->|→|⟶|⟹|=|\x00 ?:) ?)"
    r"(-?\d+)\b(?! ?[dDwW]\d| ?[,+:])",
    re.ASCII | re.IGNORECASE,
)
_TOTALS = re.compile(r"\brolled (\d+(?: ?, ?\d+)+)\b", re.ASCII | re.IGNORECASE)
_ONLY_TOTAL = re.compile(r"(?:results?|totals?|sum)\W{0,3}(\d+)\W?", re.ASCII | re.IGNORECASE)
_COMPACT = re.compile(r"[\d+,;\s]+", re.ASCII)
_LOGGED = re.compile(r"(?:- ?)?['\"]?(\d+(?: ?\+ ?\d+)+|[1-6]|(\d+) \(sum of (\d+)d6\)): (\S.*?)['\"]?", re.ASCII)
_FACES = re.compile(r"[⚀-⚅](?:[\s,+]*[⚀-⚅])*")
_SMILEYS = re.compile(r":\w+:")
_ROLLED = re.compile(r"\b(?:roll(?:s|ed|ing)?|dice|die)\b", re.IGNORECASE)
#: what surrounds a reason: who rolled and when, and words that only say that dice were rolled
_STAMP = re.compile(r"^\[?[\w .'-]{0,30}\]? ?\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?\b(?:, ?[\w ]+?)?: ?")
_TOLD = re.compile(
    r"(?:\b(?:results?|totals?|sum|rolled|rolls|got|gets)\b:? ?(?:is |of )?|=>|->|→|⟶|⟹|=|\x00 ?:)"
    r" ?-?\d+(?: ?, ?\d+)*\b(?! ?[dDwW]\d)",
    re.ASCII | re.IGNORECASE,
)
_NOISE = re.compile(
    r"@?\bdice\b|\b(?:rolls?|rolled|rolling|results?|totals?|sum|using|request|reason|with|got|for a|individual)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PastedRoll:
    """A roll as pasted. ``shown`` is false where only the sum was told: ``dice`` then are any that give it.

    ``reason`` is what the line says beside the dice. ``line`` counts from 1.
    """

    dice: tuple[int, ...]
    reason: str
    line: int
    text: str
    shown: bool = True

    @property
    def total(self) -> int:
        """Sum of the dice."""
        return sum(self.dice)

    @property
    def words(self) -> str:
        """The roll in words, for messages."""
        what = "+".join(map(str, self.dice)) if self.shown else f"a sum of {self.total}"
        return f"line {self.line}, {what}" + (f" ({self.reason})" if self.reason else "")


class PastedError(DiceError):
    """A pasted roll that cannot be right, with its ``line``."""

    def __init__(self, line: int, text: str, message: str, hint: str = "") -> None:
        self.line = line
        shown = text.strip()
        shown = shown if len(shown) <= 100 else shown[:97] + "..."
        message = message if len(message) <= 200 else message[:197] + "..."
        super().__init__(f"line {line}, {shown!r}: {message}", hint=hint)


def read_dice(text: str) -> list[PastedRoll]:
    """The rolls of a pasted text, in order. Raises :class:`PastedError` for a line whose dice cannot be right.

    >>> [roll.dice for roll in read_dice("3+4, 6+1, 5")]
    [(3, 4), (6, 1), (5,)]
    >>> [(roll.dice, roll.reason) for roll in read_dice("Rolled 2d6, result 7 (3,4): reaver LRM at alpha-1")]
    [((3, 4), 'reaver LRM at alpha-1')]
    """
    if len(text) > MOST_CHARACTERS:
        raise DiceError(f"{len(text)} characters of dice are more than anybody rolls in a phase")
    found: list[PastedRoll] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = _plain(raw)
        if not line or line.startswith(("#", ">")):
            continue
        total = _ONLY_TOTAL.fullmatch(line)
        if total is None:
            found += _line(line, number, raw)
        elif found and found[-1].total != _int(total[1]):
            raise PastedError(number, raw, f"the roll before it, {found[-1].words}, is {found[-1].total}")
    if not found and text.strip() and not all(line.lstrip()[:1] in ("#", ">", "") for line in text.splitlines()):
        raise DiceError(
            f"{text.strip()[:60]!r} is not dice",
            hint="write them as 3+4,6+1,5, or paste the lines of the roller, as: rolled 7 using 2d6 (3,4)",
        )
    return found


def _plain(raw: str) -> str:
    """A line without marks of bold and code, smileys, and odd kinds of spaces and figures; faces of dice as figures."""
    faces = _FACES.sub(lambda m: "(" + ",".join(str(ord(c) - ord("⚀") + 1) for c in m[0] if "⚀" <= c <= "⚅") + ")", raw)
    text = unicodedata.normalize("NFKC", faces)
    text = _SMILEYS.sub(" ", re.sub(r"</?\w{1,10}>|[*`_~]", " " if "<" in text else "", text))
    return " ".join(text.split())


def _line(line: str, number: int, raw: str) -> list[PastedRoll]:
    if _COMPACT.fullmatch(line):
        return _compact(line, number, raw)
    logged = _LOGGED.fullmatch(line)
    if logged is not None and logged[2]:
        return [_sum(_int(logged[3]), _int(logged[2]), logged[4], number, raw)]
    if logged is not None and not _DICE.search(logged[4]):
        return [_checked(_numbers(logged[1]), None, logged[4], number, raw)]
    terms = list(_DICE.finditer(line))
    if terms:
        return _told(line, terms, number, raw)
    lists = [m for m in _BRACKETS.finditer(line) if len(_numbers(m[1])) > 1]
    sums = list(_SUM.finditer(line))
    if not lists and (_ROLLED.search(line) or line[0] == "🎲"):
        lists = [m for m in _BRACKETS.finditer(line) if 1 <= int(_numbers(m[1])[0]) <= 6] if not sums else []
    if len(lists) == 1 or (_ROLLED.search(line) and len(lists) + len(sums) == 1):
        one = (lists or sums)[0]
        total = _total_of(line, [one.span()]) if lists or not one[2] else _int(one[2])
        return [_checked(_numbers(one[1]), total, _reason(line, [one.span()]), number, raw)]
    if lists or (sums and _ROLLED.search(line)):
        raise PastedError(
            number,
            raw,
            "several lists of dice, and no word of how many dice were rolled",
            "write 2d6 (3,4), or # before a remark",
        )
    if sums and sums[0].start() == 0 and (sums[0][2] or len(sums) == 1):
        # 3+4 = 7 reaver, 3+4 reaver
        one = sums[0]
        if re.match(r" ?[,;+] ?\d", line[one.end() :]):
            raise PastedError(number, raw, "is not dice all through: write them as 3+4,6+1,5")
        return [_checked(_numbers(one[1]), _int(one[2]) if one[2] else None, _reason(line, [one.span()]), number, raw)]
    if _ROLLED.search(line) and re.search(r"\broll(?:s|ed)? (?:an? )?\d+\b", line, re.IGNORECASE):
        raise PastedError(number, raw, "a roll without a word of which dice", "write 2d6 (3,4) there, or # before a remark")
    return []


def _compact(line: str, number: int, raw: str) -> list[PastedRoll]:
    rolls = []
    for count, part in enumerate((p.strip() for p in re.split("[,;]", line) if p.strip()), start=1):
        if not re.fullmatch(r"\d+( ?\+ ?\d+)*", part):
            raise PastedError(number, raw, f"roll {count}, {part!r}, is not dice: write them as 3+4")
        rolls.append(_checked(_numbers(part), None, "", number, raw, what=f"roll {count}, {part!r}: "))
    return rolls


def _told(line: str, terms: list[re.Match[str]], number: int, raw: str) -> list[PastedRoll]:
    """Rolls of a line that says how many dice: ``2d6 ...``."""
    counts = []
    for term in terms:
        count, sides = int(term[1] or 1), _int(term[2])
        if sides != 6:
            raise PastedError(number, raw, f"{term[0].strip()} is no roll of six-sided dice", "roll d6")
        if not 1 <= count <= MOST_DICE:
            raise PastedError(number, raw, f"{count} dice cannot be meant: 1 to {MOST_DICE}")
        if term[3] and not (term[3] in "+-" and _int(term[4]) == 0):
            raise PastedError(
                number,
                raw,
                f"{term[0].strip()} adds to the dice or repeats them; modifiers stand in the number needed",
                "roll plain 2d6",
            )
        counts.append(count)
    lists = [m for m in _BRACKETS.finditer(line) if len(_numbers(m[1])) > 1 or 1 in counts]
    spans = [m.span() for m in terms]
    if len(set(counts)) == 1 and len(terms) == 1 and len(lists) > 1 and counts[0] == 1:
        lists = [m for m in lists if len(_numbers(m[1])) == 1] or lists
    wrong = [m for m in lists if len(_numbers(m[1])) not in counts]
    if lists and not wrong and len(terms) in (1, len(lists)):
        each = counts if len(terms) == len(lists) else counts * len(lists)
        rolls = []
        spans += [m.span() for m in lists]
        reason = _reason(line, spans)
        told = _TOTALS.search(line)
        totals = _numbers(told[1]) if told else ()
        for index, (one, count) in enumerate(zip(lists, each, strict=True)):
            dice = _numbers(one[1])
            if len(dice) != count:
                raise PastedError(number, raw, f"{count}d6 were rolled, and {len(dice)} dice are shown: {one[1]}")
            total = _total_of(line, spans) if len(lists) == 1 else totals[index] if len(totals) == len(lists) else None
            rolls.append(_checked(dice, total, reason, number, raw, what=f"roll {index + 1}: " if len(lists) > 1 else ""))
        return rolls
    if wrong:
        raise PastedError(
            number, raw, f"{counts[0]}d6 were rolled, and {len(_numbers(wrong[0][1]))} dice are shown: {wrong[0][1]}"
        )
    if len(terms) > 1:
        raise PastedError(number, raw, "several rolls in a line without the dice of each in brackets", "one roll a line")
    count = counts[0]
    after = [m for m in _SUM.finditer(line) if m.start() >= terms[0].end() or m.end() <= terms[0].start()]
    if after:
        one = after[0]
        dice = _numbers(one[1])
        if len(dice) != count:
            raise PastedError(number, raw, f"{count}d6 were rolled, and {len(dice)} dice are shown: {one[1]}")
        spans.append(one.span())
        return [_checked(dice, _int(one[2]) if one[2] else _total_of(line, spans), _reason(line, spans), number, raw)]
    bare = re.match(r" ?(?:=>|->|→|⟶|:|=) ?(\d(?:[ ,]+\d)+)(?: ?(?:=|total|sum)|$)", line[terms[0].end() :])
    if bare is not None and len(_numbers(bare[1])) == count > 1:
        spans.append((terms[0].end() + bare.start(1), terms[0].end() + bare.end(1)))
        return [_checked(_numbers(bare[1]), _total_of(line, spans), _reason(line, spans), number, raw)]
    total = _total_of(line, spans)
    if total is None:
        raise PastedError(
            number, raw, "says which dice, and not what they showed", "paste what the roller answered, not the request"
        )
    return [_sum(count, total, _reason(line, spans), number, raw)]


def _sum(count: int, total: int, reason: str, number: int, raw: str) -> PastedRoll:
    """A roll of which only the sum is told: of two dice it may stand, of more it says too little."""
    if not count <= total <= 6 * count:
        raise PastedError(number, raw, f"{count}d6 cannot show {total}")
    if count > 2:
        raise PastedError(number, raw, f"{count}d6 are read die by die, and only their sum is told", "paste the dice: (3,4,1)")
    return PastedRoll(split_evenly(count, total), reason, number, raw, count == 1)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(_int(part) for part in re.findall(r"-?\d+", text, re.ASCII))


def _int(text: str) -> int:
    """A number; of one that is far too long, its beginning: it is refused all the same."""
    return int(text[:6])


def _total_of(line: str, spans: list[tuple[int, int]]) -> int | None:
    """The total that a line tells outside of its dice."""
    rest = _cut(line, spans, "\x00")
    rest = _STAMP.sub("", rest)
    reason_at = [m.start() for m in re.finditer(r"needs|target|tn\b|vs\b|\bor more|\d\+", rest, re.IGNORECASE)]
    for found in _TOTAL.finditer(re.sub(r" ?\x00 ?", " \x00 ", rest)):
        if not reason_at or found.start() < reason_at[0]:
            return _int(found[1])
    bare = re.search(r"\x00[\s)\]]*=?[\s]*(\d+)\s*$", rest)
    return _int(bare[1]) if bare else None


def _cut(line: str, spans: list[tuple[int, int]], mark: str) -> str:
    """A line with the spans replaced by a mark."""
    ends = [(0, 0), *sorted(spans), (len(line), len(line))]
    return mark.join(line[a[1] : b[0]] for a, b in pairwise(ends))


def _reason(line: str, spans: list[tuple[int, int]]) -> str:
    """What a line says beside its dice: without stamp, totals, and words that only tell that dice were rolled."""
    rest = _STAMP.sub("", _cut(line, spans, " \x00 "))
    rest = _TOLD.sub(" ", rest)
    rest = _NOISE.sub(" ", rest.replace("🎲", " "))
    # a total may stand bare behind the dice
    rest = re.sub(r"\x00\s*\d+$|\x00|[\[({<]\s*[\])}>]", " ", rest)
    rest = re.sub(r"(?<!\w)[:;,.=>→⟶|(){}\[\]-]+(?!\w)", " ", rest)
    return " ".join(rest.split()).strip(" :;,.=>-|\"'")


def _checked(
    dice: tuple[int, ...], total: int | None, reason: str, number: int, raw: str, *, shown: bool = True, what: str = ""
) -> PastedRoll:
    """A roll whose dice are possible and fit the total told."""
    for die in dice:
        if not 1 <= die <= 6:
            hint = f"for a sum write 2d6 = {die}" if len(dice) == 1 and 7 <= die <= 12 else ""
            raise PastedError(number, raw, f"{what}a six-sided die shows 1 to 6, not {die}", hint)
    if len(dice) > MOST_DICE:
        raise PastedError(number, raw, f"{what}{len(dice)} dice cannot be meant: 1 to {MOST_DICE}")
    if total is not None and total != sum(dice):
        shown_dice = " + ".join(map(str, dice))
        raise PastedError(number, raw, f"{what}{shown_dice} is {sum(dice)}, and not the {total} that it tells")
    return PastedRoll(dice, reason, number, raw, shown)
