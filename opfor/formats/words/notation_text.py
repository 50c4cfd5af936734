"""Text as it stands in a forum post, made plain: marks taken off, hexes and facings in one form, units' names marked.

Unit names are replaced by marks (:data:`MARK`) before anything else is looked at, so that a name that holds a verb or a
direction ("North Star", "Charger") is never taken for one.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from opfor.formats.words.unit_names import bare_name, unit_names, units_named
from opfor.state import State
from opfor.units.state import UnitState

#: a unit's name in marked text
MARK = r"\ue000\d+\ue001"
_TAGS = re.compile(
    r"</?[A-Za-z][^<>\n]{0,80}>|\[/?(?:b|i|u|s|quote|color|colour|size|code|spoiler|ooc|center|list|\*)(?:=[^\]\n]{0,80})?\]",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^(?:>\s*)*(?:[-*+•‣▪►◦·–—]+\s+|\(?\d{1,2}[.)]\s+|\(?[a-z]\)\s+)?(?:>\s*)*")
_MARKS = re.compile(r"\*\*|__|~~|`+|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)")
_REMARK = re.compile(r"(?i)^\s*(?:#|//|\(\(|ooc\b|gm\s*note)")
_FACINGS = (
    (r"north[\s-]*east(?:ern|ward)?", "NE"), (r"north[\s-]*west(?:ern|ward)?", "NW"), (r"south[\s-]*east(?:ern|ward)?", "SE"),
    (r"south[\s-]*west(?:ern|ward)?", "SW"), (r"(?:due\s+)?north(?:ern|ward)?", "N"), (r"(?:due\s+)?south(?:ern|ward)?", "S"),
)  # fmt: skip
#: words that are a unit's name only where a unit must stand
_NO_NAMES = frozenset(
    [
        "fire",
        "fires",
        "run",
        "runs",
        "walk",
        "jump",
        "hold",
        "wait",
        "stand",
        "left",
        "right",
        "front",
        "rear",
        "north",
        "south",
        "east",
        "west",
        "all",
        "both",
        "head",
        "arm",
        "leg",
        "torso",
        "turret",
        "kick",
        "punch",
        "push",
        "charge",
        "club",
        "sword",
        "hatchet",
        "spot",
        "evade",
        "sprint",
        "prone",
        "laser",
        "lasers",
        "ppc",
        "lrm",
        "srm",
        "missile",
        "everything",
        "foot",
        "light",
        "heavy",
        "medium",
        "assault",
        "jumper",
        "target",
        "hex",
        "forward",
        "back",
        "laser",
        "flamer",
        "rifle",
        "gauss",
        "autocannon",
        "tank",
    ]
)


@dataclass(slots=True)
class Line:
    """A line of a text, made plain: its number, the words with units marked, and which units each mark may mean."""

    number: int
    words: str
    raw: str
    marks: list[tuple[str, list[UnitState]]] = field(default_factory=list)

    def unmarked(self, words: str) -> str:
        """Words with the units' names put back as they were typed."""
        return re.sub(MARK, lambda found: self.marks[int(found[0][1:-1])][0], words)


def plain_lines(text: str, state: State) -> list[Line]:
    """The lines of a text that hold orders. Indented lines and remarks (``#``, ``OOC``) are passed over."""
    pattern = name_pattern(state)
    found = []
    for number, raw in enumerate(text.splitlines(), start=1):
        if not raw.strip() or raw[0] in " \t" or _REMARK.match(raw):
            continue
        words = bare_line(raw)
        if not words or _REMARK.match(words):
            continue
        found.append(marked(Line(number, words, words), pattern, state))
    return found


def bare_line(raw: str) -> str:
    """A line without forum marks: quotes, bullets, tags, bold, emoji.

    >>> bare_line("> - **Alpha 1** <b>walks</b> \\U0001f916 to 0709")
    'Alpha 1 walks to 0709'
    """
    words = _TAGS.sub(" ", raw)
    words = "".join(" " if unicodedata.category(c) in ("So", "Cc", "Cf", "Sk", "Co", "Cs") and c != "|" else c for c in words)
    words = words.replace("\ufe0f", "").replace("’", "'").replace("“", '"').replace("”", '"')
    words = _BULLET.sub("", words.strip(), count=1)
    return " ".join(re.sub(r"→|⇒|=>|—>|-->|>>", "->", _MARKS.sub("", words)).split())


def name_pattern(state: State) -> re.Pattern[str]:
    """What finds the units' names in running text."""
    forms: set[str] = set()
    for unit in state.units:
        forms |= {name for name in unit_names(unit) if name and bare_name(name)}
    parts = []
    for form in sorted(forms, key=lambda name: (-len(name), name)):
        pieces = re.findall(r"[A-Za-z]+|\d+|[^\W\d_]+", form)
        if not pieces:
            continue
        worded = [f"0*{int(piece)}" if piece.isdecimal() and piece.isascii() else re.escape(piece) for piece in pieces]
        short = len("".join(pieces)) < 4
        parts.append((r"[-\s]?" if short else r"[\W_]{0,3}").join(worded))
    if not parts:
        return re.compile(r"(?!)")
    ranks = "sergeant|sgt|lieutenant|lt|captain|cpt|capt|corporal|cpl|major|maj|colonel|col|commander"
    titles = rf"(?:(?:the|enemy|our|my|{ranks})\b\.?\s+)*"
    return re.compile(rf"(?i)(?<![\w.]){titles}(?P<name>{'|'.join(parts)})(?:'s)?(?![\w])")


def marked(line: Line, pattern: re.Pattern[str], state: State) -> Line:
    """The line with units' names marked, and its hexes and facings in one form."""

    short = re.compile(r"[A-Za-z]-?\d{1,2}")

    def mark(found: re.Match[str]) -> str:
        units = units_named(state, found["name"])
        before = found.string[: found.start()]
        if not units or (
            (short.fullmatch(found["name"]) or found["name"].lower() in _NO_NAMES)
            and not _may_be_short(found["name"], before, state)
        ):
            return found[0]
        line.marks.append((found[0], units))
        return f"\ue000{len(line.marks) - 1}\ue001"

    words = pattern.sub(mark, re.sub("[\ue000\ue001]", " ", line.words))
    words = re.sub(MARK + r"(?=\s*\()", lambda found: found[0], words)
    line.words = _hexes(_facings(words), state)
    return line


def _may_be_short(name: str, before: str, state: State) -> bool:
    """Whether a doubtful name means a unit where it stands: ``B1`` is a step too, or a hex; ``foot`` a limb."""
    if state.board.grid.read and re.search(r"(?i)(?:\b(?:to|hex|into|from|in)|->)\s*$", before):
        return False
    if name[0].lower() not in "fblr" and name.lower() not in _NO_NAMES:
        return True
    return re.search(r"(?i)(?:^\W*|\b(?:at|on|by|kicks?|punch\w*|push\w*|charg\w*|facing|spotter)\W+)$", before) is not None


def _facings(words: str) -> str:
    for pattern, name in _FACINGS:
        words = re.sub(rf"(?i)\b{pattern}\b", name, words)
    return words


def _hexes(words: str, state: State) -> str:
    """``07-09``, ``07/09``, ``hex 7,9`` and ``(07,09)`` as 0709; ``J-10`` as J10 on a lettered map."""

    words = re.sub(r"(?<![\w/.-])(\d{2})[-/.](\d{2})(?![\w/-])", lambda f: _number(f[1], f[2]), words)
    words = re.sub(r"(?<![\w.])[(\[](\d{1,3})\s*[,/]\s*(\d{1,3})[)\]]", lambda f: _number(f[1], f[2]), words)
    lead = r"(?i)(?P<lead>\b(?:to|hex|at|into|from|in|on)\s+|->\s*|@\s*)"
    words = re.sub(
        lead + r"(?P<c>\d{1,3})\s?[,.]\s?(?P<r>\d{1,3})(?!\d)",
        lambda f: f["lead"] + _number(f["c"], f["r"]),
        words,
    )
    if state.board.grid.read:
        words = re.sub(
            lead + r"(?P<c>[A-Za-z]{1,2})[-.\s]?(?P<r>\d{1,2})\b", lambda f: f["lead"] + f["c"].upper() + f["r"], words
        )
    return words


def _number(column: str, row: str) -> str:
    """A hex number from its column and row.

    >>> _number("7", "9"), _number("12", "104")
    ('0709', '12,104')
    """
    return f"{int(column):02d}{int(row):02d}" if int(column) < 100 and int(row) < 100 else f"{int(column)},{int(row)}"
