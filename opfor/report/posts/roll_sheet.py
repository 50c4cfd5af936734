"""The roll sheet: which dice are wanted, what for, and what each result does. Plain data, and its text for a post.

Every line begins with ``#``, so that a sheet may stand among orders that ``opfor apply`` reads.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from opfor.report.posts.document import Document, Entry, Span, clean, line


class Result(NamedTuple):
    """What the sums from ``low`` to ``high`` of a roll do."""

    low: int
    high: int
    words: str

    def as_dict(self) -> dict[str, Any]:
        """The published form."""
        return {"from": self.low, "to": self.high, "what": self.words}


@dataclass(slots=True)
class RollTable:
    """A table that rolls of the sheet are read in, by its letter."""

    letter: str
    title: str
    dice: int
    results: list[Result]

    def as_dict(self) -> dict[str, Any]:
        """The published form."""
        return {
            "table": self.letter,
            "for": self.title,
            "dice": f"{self.dice}d6",
            "results": [result.as_dict() for result in self.results],
        }


@dataclass(slots=True)
class Follow:
    """A roll that comes when another one falls so: ``on`` is what it has to do ("hits"), "" for always."""

    on: str
    dice: int
    why: str
    times: str = ""
    table: str = ""
    results: list[Result] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The published form."""
        data: dict[str, Any] = {"on": self.on, "dice": f"{self.dice}d6", "why": self.why}
        data.update({"times": self.times} if self.times else {})
        data.update({"table": self.table} if self.table else {})
        data.update({"results": [result.as_dict() for result in self.results]} if self.results else {})
        return data


@dataclass(slots=True)
class SheetRoll:
    """A roll of the sheet. ``certain``: it is made however the others fall; ``number``: its target number as published."""

    dice: int
    why: str
    certain: bool
    hidden: bool = False
    needs: int | None = None
    number: dict[str, Any] | None = None
    table: str = ""
    results: list[Result] = field(default_factory=list)
    follow: list[Follow] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The published form."""
        data: dict[str, Any] = {"dice": f"{self.dice}d6", "why": self.why, "certain": self.certain}
        data.update({"hidden": True} if self.hidden else {})
        data.update(self.number or {})
        data.update({"needs": self.needs} if self.needs is not None else {})
        data.update({"table": self.table} if self.table else {})
        data["results"] = [result.as_dict() for result in self.results]
        data["follow"] = [follow.as_dict() for follow in self.follow]
        return data


@dataclass(slots=True)
class RollSheet:
    """All rolls that can be known: those wanted, those that may follow, and the tables to read them in."""

    title: str
    rolls: list[SheetRoll] = field(default_factory=list)
    later: list[Follow] = field(default_factory=list)
    tables: list[RollTable] = field(default_factory=list)
    standing: list[RollTable] = field(default_factory=list)
    #: reasons and titles that players may not read, as they do not know of the unit
    secret: set[str] = field(default_factory=set)

    def as_dict(self) -> dict[str, Any]:
        """The published form."""
        return {
            "title": self.title,
            "rolls": [roll.as_dict() for roll in self.rolls],
            "later": [roll.as_dict() for roll in self.later],
            "tables": [one.as_dict() for one in (*self.tables, *self.standing)],
        }

    def table_of(self, title: str, dice: int, results: Sequence[Result]) -> str:
        """The letter of a table with these results, added when there is none yet."""
        for one in self.tables:
            if one.title == title and one.results == list(results):
                return one.letter
        self.tables.append(RollTable(letter_of(len(self.tables)), title, dice, list(results)))
        return self.tables[-1].letter


def letter_of(index: int) -> str:
    """A, B, ... Z, AA, AB ... for 0, 1, ...

    >>> letter_of(0), letter_of(25), letter_of(26), letter_of(53)
    ('A', 'Z', 'AA', 'BB')
    """
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def joined(results: Iterable[tuple[int, str]]) -> list[Result]:
    """Results one by one, those next to each other that do the same as one.

    >>> [tuple(r) for r in joined([(2, "nothing"), (3, "nothing"), (4, "one")])]
    [(2, 3, 'nothing'), (4, 4, 'one')]
    """
    found: list[Result] = []
    for total, words in results:
        if found and found[-1].words == words and found[-1].high == total - 1:
            found[-1] = Result(found[-1].low, total, words)
        else:
            found.append(Result(total, total, words))
    return found


def results_words(results: Iterable[Result]) -> str:
    """Results on one line: ``2-7 nothing; 8-9 1 critical hit``."""
    return "; ".join(f"{r.low if r.low == r.high else f'{r.low}-{r.high}'}: {r.words}" for r in results)


def number_words(number: dict[str, Any]) -> str:
    """A published target number as a sum: ``8 = gunnery 4 +1 walked``."""
    parts = number.get("modifiers", [])
    if not parts:
        return str(number.get("tn"))
    first, *rest = parts
    return " ".join([f"{number['tn']} = {first['what']} {first['value']}", *(f"{p['value']:+d} {p['what']}" for p in rest)])


def sheet_text(sheet: RollSheet) -> str:
    """The sheet for the game master; rolls of units that players do not know of stand under a heading of their own."""
    lines = [f"# roll sheet: {clean(sheet.title)}"]
    if not sheet.rolls:
        lines.append("# no dice are wanted")
    shown = [roll for roll in sheet.rolls if not roll.hidden]
    kept = [roll for roll in sheet.rolls if roll.hidden]
    for number, roll in enumerate((*shown, *kept), start=1):
        if kept and number == len(shown) + 1:
            lines.append("# not for players, as they do not know of the unit:")
        lines.append(f"# {number}. {roll_words(roll)}")
        lines += [f"#    {words}" for words in detail_words(roll)]
    if sheet.later:
        lines.append("# may be wanted besides:")
        lines += [f"#    {follow_words(follow)}" for follow in sheet.later]
    if sheet.tables or sheet.standing:
        lines.append("# tables")
        lines += [f"# {words}" for words in tables_words(sheet)]
    return "\n".join(lines) + "\n"


def sheet_document(sheet: RollSheet) -> Document:
    """The sheet as a post for players: nothing of units that they do not know of."""
    entries = []
    for number, roll in enumerate([roll for roll in sheet.rolls if not roll.hidden], start=1):
        head = line(f"{number}. ", Span(roll_words(roll), "strong"))
        entries.append(Entry(f"roll {number}", head, tuple(line(words, depth=1) for words in detail_words(roll, sheet.secret))))
    later = [follow for follow in sheet.later if follow.why not in sheet.secret]
    if later:
        rows = tuple(line(follow_words(follow), depth=1) for follow in later)
        entries.append(Entry("may be wanted besides", line("May be wanted besides"), rows, title=True))
    rows = tuple(line(words, depth=1) for words in tables_words(sheet, public=True))
    if rows:
        entries.append(Entry("tables", line("Tables"), rows, title=True))
    return Document(f"{clean(sheet.title)}: dice to roll", tuple(entries or [Entry("none", line("No dice are wanted."))]))


def roll_words(roll: SheetRoll) -> str:
    """A roll with its sum: ``2d6 for reaver: PPC at alpha-2: needs 8 = gunnery 4 +2 attacker ran +2 medium range``."""
    why = f"{roll.why.partition(', needs ')[0]}: needs {number_words(roll.number)}" if roll.number else roll.why
    return f"{roll.dice}d6 for {why}" + ("" if roll.certain else " (if what comes before allows)")


def detail_words(roll: SheetRoll, secret: Collection[str] = ()) -> list[str]:
    """What the results of a roll do, and which rolls follow but for those whose reason is ``secret``."""
    lines = [results_words(roll.results)] if roll.results else []
    lines += [f"read in table {roll.table}"] if roll.table else []
    return [*lines, *(follow_words(follow) for follow in roll.follow if follow.why not in secret)]


def tables_words(sheet: RollSheet, *, public: bool = False) -> list[str]:
    """The tables of a sheet, a line each; ``public``: those that players may read."""
    told = [one for one in (*sheet.tables, *sheet.standing) if not (public and one.title in sheet.secret)]
    return [f"{one.letter + '. ' if one.letter else ''}{one.title}, {one.dice}d6: {results_words(one.results)}" for one in told]


def follow_words(follow: Follow) -> str:
    """A roll that may come, on one line."""
    lead = f"if it {follow.on}: " if follow.on else ""
    times = f", {follow.times}" if follow.times else ""
    how = f": table {follow.table}" if follow.table else f": {results_words(follow.results)}" if follow.results else ""
    return f"{lead}{follow.dice}d6 for {follow.why}{times}{how}"
