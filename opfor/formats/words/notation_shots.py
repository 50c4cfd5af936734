"""Clauses of sentences about fire and physical attacks, put into the words of the order notation."""

from __future__ import annotations

import re

from opfor.errors import InputError
from opfor.formats.names import mount_label
from opfor.formats.words.notation import split_list
from opfor.formats.words.notation_clauses import facing_to, no_unit, struck, unit_of
from opfor.formats.words.notation_text import MARK, Line
from opfor.formats.words.notation_verbs import Clause, trimmed
from opfor.formats.words.notation_weapons import find_weapons, is_everything, is_group
from opfor.formats.words.notation_wish import Problem, Wish
from opfor.hex import DIRECTION_NAMES, HexError, parse_direction
from opfor.state import State

# -- fire -------------------------------------------------------------------------------------------------------------


def fire_clause(clause: Clause, wish: Wish, line: Line, state: State) -> None:
    """Take a clause about fire. Raises :class:`Problem` quoting what is not understood, with the nearest reading."""
    id, kind, rest = wish.unit.id, clause.kind, clause.rest
    if kind == "hold_fire":
        wish.shots.append("hold fire")
        return
    if kind == "flip":
        wish.pose.append("flip arms")
        return
    if kind == "twist":
        side = re.search(r"(?i)\b(left|right|none|back|centre|center|l|r)\b", rest)
        if not side:
            raise Problem(f"{id}: cannot read {line.unmarked(f'{clause.verb} {rest}')!r}", "write twists left, or twists right")
        wish.pose.append(f"twist {side[1].lower() if side[1].lower() not in ('back', 'centre', 'center') else 'none'}")
        return
    if kind == "turret":
        towards = re.search(MARK, rest)
        where = rest
        if towards:
            where = facing_to(Wish(wish.unit, to=wish.to), unit_of(line, towards[0]), state)
        where = re.sub(r"(?i)\b(?:to|towards?|the|at|facing|faces?)\b", " ", where).strip(" :.,")
        if where.lower() not in ("ahead", "front", "forward", "straight ahead"):
            try:
                where = DIRECTION_NAMES[parse_direction(where)]
            except HexError as error:
                raise Problem(
                    f"{id}: cannot read {line.unmarked(f'{clause.verb} {rest}')!r}", f"write turret NE: {error}"
                ) from None
        wish.pose.append(f"turret {where}")
        return
    if kind == "primary":
        wish.shots.append(f"primary {_target_at(re.sub(r'(?i)^(?:is|on)', '', rest), wish, line, state)}")
        return
    volleys = _Volleys(clause, wish, line, state).read()
    wish.shots += [f"fire {' + '.join(weapons)} at {target}" for weapons, target in volleys]


def _target_at(words: str, wish: Wish, line: Line, state: State) -> str:
    """A target: a unit or a hex. Raises :class:`Problem` quoting what is none."""
    found = re.fullmatch(rf"(?i)\W*(?:the\s+)?({MARK})\W*", words)
    if found:
        wish.last = unit_of(line, found[1]).id
        return wish.last
    if re.fullmatch(r"(?i)\W*(?:it|him|her|them|(?:the\s+)?same(?:\s+target)?)\W*", words) and wish.last:
        return wish.last
    hexed = re.fullmatch(rf"(?i)\W*(?:the\s+)?(?:hex\s+)?({state.board.grid.pattern})\W*", words)
    if hexed:
        try:
            return f"hex {state.board.grid.names[state.board.grid.parse(hexed[1])]}"
        except HexError as error:
            raise Problem(f"{wish.unit.id}: {error}") from None
    word = line.unmarked(words).strip(" .,;:!'\"")
    raise no_unit(word, wish, state)


class _Volleys:
    """A clause of fire taken apart: which weapons at which targets."""

    def __init__(self, clause: Clause, wish: Wish, line: Line, state: State) -> None:
        self.clause, self.wish, self.line, self.state = clause, wish, line, state
        self.spec = wish.unit.spec
        self.shown = line.unmarked(f"{clause.verb} {clause.rest}".strip())
        self.taken: set[int] = set()

    def read(self) -> list[tuple[list[str], str]]:
        """The volleys, as names of weapons and a target each. Raises :class:`Problem`."""
        rest, details = self._details(self.clause.rest)
        rest = re.sub(
            r"(?i)\b(everything|all)\s+(?:that\s+)?(?:it|he|she|they|we|i)(?:\s+(?:has|have|got|can)|'s\s+got)\b", r"\1", rest
        )
        alpha = self.clause.kind == "alpha"
        groups = self._groups(rest)
        faults: list[Problem] = []
        found: list[tuple[list[str], str]] = []
        for weapons, target in groups:
            names = ["everything"] if alpha and not weapons.strip(" ,:") else self._names(weapons, details, faults)
            try:
                found.append((names, _target_at(target, self.wish, self.line, self.state) if target else self._same()))
            except Problem as problem:
                faults.append(problem)
                guess = re.search(r"did you mean (\S+)", problem.hint)
                found.append((names, guess[1].rstrip("?") if guess else "UNIT"))
        if faults:
            raise self._together(faults, found)
        return found

    def _same(self) -> str:
        if self.wish.last and self.wish.shots:
            return self.wish.last
        raise Problem(
            f"{self.wish.unit.id}: {self.shown!r} names no target", "write fires WEAPON and WEAPON at UNIT, or at hex 0512"
        )

    def _together(self, faults: list[Problem], found: list[tuple[list[str], str]]) -> Problem:
        """All that is wrong with a clause in one, with the whole clause as it was likely meant."""
        told = list(dict.fromkeys(faults))
        messages = [told[0].message, *(one.message.partition(": ")[2] for one in told[1:])]
        hint = told[0].hint
        meant = [name for names, _ in found for name in names]
        if all("did you mean" in one.hint for one in told) and "?" not in meant and "UNIT" not in [t for _, t in found]:
            words = ", ".join(f"fire {' + '.join(names)} at {target}" for names, target in found)
            hint = f"did you mean {self.wish.unit.id}: {words}?"
        text = "; ".join(messages)
        return Problem(text if repr(self.shown) in text else f"{text}: {self.shown!r}", hint)

    def _details(self, rest: str) -> tuple[str, list[str]]:
        """Cut off what is said of how: the spotter, the location aimed at."""
        details = []
        spotted = re.search(
            r"(?i)[,;]?\s*\(?\b(?:indirect(?:ly)?\s*,?\s*)?(?:spotted\s+by|spotter\s*:?|spotting\s+by|with)\s+"
            rf"({MARK})(?:\s+(?:spotting|as\s+(?:the\s+)?spotter))?\)?",
            rest,
        )
        if spotted and (not re.match(r"(?i)[,;]?\s*with", spotted[0]) or "spott" in spotted[0].lower()):
            details.append(f"spotter {unit_of(self.line, spotted[1]).id}")
            rest = f"{rest[: spotted.start()]} {rest[spotted.end() :]}"
        aimed = re.search(
            r"(?i)[,;]?\s*\baim(?:s|ed|ing)?\s+(?:at|for)\s+(?:the|its|his|her)?\s*([a-z][a-z ]*?)"
            r"(?=\s*(?:$|[,;.]|\b(?:with|and|at)\b))",
            rest,
        )
        if aimed:
            details.append(f"aim {aimed[1].strip()}")
            rest = f"{rest[: aimed.start()]} {rest[aimed.end() :]}"
        return re.sub(r"(?i)\bindirect(?:ly)?\b", " ", rest), details

    def _groups(self, rest: str) -> list[tuple[str, str]]:
        """Weapons and target, one pair for each target named. A target of "" is none said."""
        hexes = self.state.board.grid.pattern
        target = rf"(?:{MARK}|(?:the\s+)?hex\s+(?:{hexes})|(?:it|him|her|them|the\s+same(?:\s+target)?)(?!\w))"
        lead = r"(?:\b(?:at|on|into|against|to|towards?|upon|for)\b|@|->)"
        at = list(re.finditer(rf"(?i)(?:{lead}\s*(?:{target}|(?:{hexes})(?!\w))|(?<![\w])(?:{target}))", rest))
        at = [one for one in at if rest[: one.start()].count("(") <= rest[: one.start()].count(")")]
        if not at:
            unknown = re.search(rf"(?i){lead}\s+(?:the\s+)?(?P<who>[^,;()]+?)(?:\s+(?:with|using)\s+(?P<what>.+))?$", rest)
            if unknown and not re.match(r"(?i)\s*(?:the\s+)?(?:same|hex)\b", unknown["who"]):
                return [(unknown["what"] or rest[: unknown.start()], unknown["who"])]
            return [(rest, "")]

        def name(one: re.Match[str]) -> str:
            return re.sub(rf"(?i)^{lead}\s*", "", one[0])

        first = _plain_list(rest[: at[0].start()])
        pairs = []
        if first:
            begin = 0
            for one in at:
                pairs.append((rest[begin : one.start()], name(one)))
                begin = one.end()
            tail = rest[begin:]
            unknown = re.search(rf"(?i)^(?P<what>.*?\w.*?)\s{lead}\s+(?P<who>[^,;()]+)$", tail)
            if unknown:
                pairs.append((unknown["what"], unknown["who"]))
            elif _plain_list(tail):
                pairs[-1] = (f"{pairs[-1][0]} + {tail}", pairs[-1][1])
            return pairs
        for number, one in enumerate(at):
            end = at[number + 1].start() if number + 1 < len(at) else len(rest)
            pairs.append((rest[one.end() : end], name(one)))
        return pairs

    def _names(self, text: str, details: list[str], faults: list[Problem]) -> list[str]:
        """Names of weapons as the notation has them. What is none goes into ``faults`` with the nearest name in its place."""
        names: list[str] = []
        parts = _plain_list(text)
        if not parts and len(self.spec.mounts) == 1:
            parts = [mount_label(self.spec, 0)]
        if not parts:
            labels = ", ".join(dict.fromkeys(mount_label(self.spec, m.index) for m in self.spec.mounts))
            faults.append(
                Problem(
                    f"{self.wish.unit.id}: with what? {self.spec.name} has {labels or 'no weapons'}",
                    "name weapons, or write fires everything",
                )
            )
            return ["?"]
        for part in parts:
            if is_everything(part):
                names.append("everything")
                continue
            words = re.sub(MARK, lambda found: unit_of(self.line, found[0]).id, part)
            try:
                found = find_weapons(self.spec, words, self.taken)
            except InputError as error:
                faults.append(Problem(f"{self.wish.unit.id}: {error.message}", error.hint))
                guess = re.search(r"did you mean (.+?)(?: or .*)?\?$", error.hint)
                names.append(guess[1] if guess else "?")
                continue
            if len(found) > 1 and is_group(words) and not details:
                self.taken.update(mount for mount, _ in found)
                names.append(words)
                continue
            for mount, extra in found:
                self.taken.add(mount)
                names.append(_with(mount_label(self.spec, mount), [*extra, *details]))
        return names


def _with(label: str, details: list[str]) -> str:
    if not details:
        return label
    inside = re.fullmatch(r"(.*) \(([^()]*)\)", label)
    return f"{inside[1]} ({', '.join([inside[2], *details])})" if inside else f"{label} ({', '.join(details)})"


def _plain_list(text: str) -> list[str]:
    """Names in a list: by commas, ``and``, plus signs, outside of brackets."""
    parts = [trimmed(part) for part in split_list(text, r"[+,;:]|\band\b|&|\bplus\b|\bthen\b|\bas well as\b|\btogether\b")]
    parts = [
        re.sub(
            r"(?i)^(?:(?:with|using|by|of|off|away|also|both\s+of|(?:at|on)(?=\s*$)|salvo|volley|burst|shots?)\s*)+", "", part
        ).strip(" .!")
        for part in parts
    ]
    parts = [re.sub(r"(?i)\s+(?:at|on|into|with|using)$", "", part) for part in parts]
    return [
        part
        for part in parts
        if re.search(r"\w|" + MARK, part) and part.lower() not in ("the", "its", "his", "her", "with", "at", "on", "a", "an")
    ]


# -- physical attacks -------------------------------------------------------------------------------------------------


def physical_clause(clause: Clause, wish: Wish, line: Line, state: State) -> None:
    """Take a physical attack. Raises :class:`Problem` quoting what is not understood."""
    if clause.kind == "no_physical":
        wish.blows.append("no physical attack")
        return
    target = struck(clause, clause.rest, wish, line, state)
    limb = re.search(r"(?i)\b(left|right|both|[LR][AL]|[FR][LR]L)\b", re.sub(MARK, " ", clause.rest))
    wish.blows.append(f"{clause.kind} {target}{f' {limb[1]}' if limb else ''}")
