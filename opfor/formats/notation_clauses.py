"""Clauses of sentences about movement, fire and physical attacks, put into the words of the order notation."""

from __future__ import annotations

import re

from opfor.errors import InputError, nearest
from opfor.formats.names import mount_label
from opfor.formats.notation import order_from_words, split_list
from opfor.formats.notation_lookup import NeedsChoices
from opfor.formats.notation_moves import path_from_words
from opfor.formats.notation_text import MARK, Line
from opfor.formats.notation_verbs import KNOWN_VERBS, Clause, trimmed
from opfor.formats.notation_weapons import find_weapons, is_everything, is_group
from opfor.formats.notation_wish import Problem, Wish
from opfor.hex import DIRECTION_NAMES, HexError, parse_direction
from opfor.state import State
from opfor.units.state import UnitState

_FACING = r"(?:NE|NW|SE|SW|N|S)"
_NUMBERS = {
    word: n for n, word in enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1)
}
_COUNT = rf"(?:\d{{1,2}}|{'|'.join(_NUMBERS)}|a|an|once|twice|thrice)"
_TIMES = {"a": 1, "an": 1, "once": 1, "twice": 2, "thrice": 3, **_NUMBERS}
_FILLER = re.compile(
    r"(?i)\b(?:the|a|an|hex(?:es)?|position|into|onto|over|across|through|up|at|to|from|in|is|are|its|his|her|their|off|out|quickly|slowly|then|and|so|as"
    r"|that|it|in\s+order|forward|straight|mp|by|for|now|there|ground|speed|while|still|back|way|toward|towards|facing|torso|fully)\b"
)
_STEPS = re.compile(r"(?:(?:SLB|SRB|SL|SR|SU|UP|PRONE|DROP|CAREFUL|C\+|C-|CLIMB|DIVE|[FBLR])\d{0,2}[\s,]*)+", re.IGNORECASE)
#: steps and ends that only the notation writes
_NOTATION = re.compile(r"(?:->|(?<!\w)[FBLRfblr]\d|(?<!\w)(?:SL|SR|SU|SLB|SRB|C[+-])|\d\s*[+-]\d\s*$)")
_MODES = {"evade", "sprint", "walk", "run", "jump"}


def unit_of(line: Line, mark: str) -> UnitState:
    """The unit that a mark means. Raises :class:`Problem` where it fits several."""
    words, units = line.marks[int(mark.strip()[1:-1])]
    if len(units) > 1:
        raise Problem(f"{words!r} fits several units: {', '.join(u.id for u in units)}", "say which by its id")
    return units[0]


# -- movement ---------------------------------------------------------------------------------------------------------


def move_clause(clause: Clause, wish: Wish, line: Line, state: State) -> None:
    """Take a clause about movement. Raises :class:`Problem` quoting what is not understood."""
    unit, kind = wish.unit, clause.kind
    rest = re.sub(r"\([^()]*\b(?:mp|hex(?:es)?)\b[^()]*\)", " ", clause.rest, flags=re.IGNORECASE)
    if kind in ("charge", "dfa"):
        wish.attack = f"{'DFA' if kind == 'dfa' else 'charge'} {_struck(clause, rest, wish, line, state)}"
        return
    if kind == "stand_bare":
        if unit.prone:
            raise Problem(
                f"{unit.id} is prone: {clause.verb!r} may be stands up, or stays where it is",
                "write stands up, or holds position",
            )
        kind = "hold_move"
    if kind in ("opportunity", "pause"):
        wish.act = kind
    elif kind == "stand":
        wish.rises = True
    elif kind == "careful":
        wish.steps.append("CAREFUL")
    elif kind == "prone":
        wish.drops = True
    elif kind == "hold_move":
        wish.stays = True
    elif kind == "wait":
        _mode(wish, "wait", clause)
    elif kind in _MODES:
        _mode(wish, kind, clause)
    if kind == "move" and clause.verb.lower().startswith("back"):
        rest = f"back {rest}"
    _rest_of_move(clause, rest, wish, line, state)


def _mode(wish: Wish, mode: str, clause: Clause) -> None:
    """Set the mode of movement; evading and sprinting go before running."""
    if wish.mode in ("evade", "sprint") and mode in ("walk", "run"):
        return
    if wish.mode and wish.mode != mode and not (mode in ("evade", "sprint") and wish.mode in ("walk", "run")):
        raise Problem(f"{wish.unit.id}: two movements in one: {wish.mode} and {clause.verb!r}", "give one of them")
    wish.mode = mode


def _rest_of_move(clause: Clause, rest: str, wish: Wish, line: Line, state: State) -> None:
    """What follows a verb of movement: start, end, facing, steps."""
    before = (wish.to, wish.facing, len(wish.steps))
    said = set(rest.lower().split()) - {"to", "and", "in"} or "fac" in clause.verb.lower()
    hexes = state.board.grid.pattern
    shown = line.unmarked(f"{clause.verb} {clause.rest}".strip())
    if (clause.kind != "turn" and _NOTATION.search(rest)) and _written(rest, wish, state):
        return
    start = re.match(
        rf"(?i)^\s*(?:from\s+)?(?:hex\s+)?({hexes})\s*,?\s*(?:facing\s+)?({_FACING}|[0-5](?=\s))?\s*(?:to|->|into|-|–)\s*(?=(?:hex\s+)?(?:{hexes}))",
        rest,
    )
    start = start or re.search(rf"(?i)\bfrom\s+(?:hex\s+)?({hexes})(?:\s+(?:facing\s+)?({_FACING}))?()", rest)
    if start:
        wish.start = f"{start[1]} {(start[2] or '').upper()}".strip()
        rest = f"{rest[: start.start()]} {rest[start.end() :]}"
    for found in re.finditer(rf"(?i)(?:\b(?:to|into|in|at|hex|onto)\s+|->\s*)*(?<![\w,.-])({hexes})(?!\w|,\d)", rest):
        if wish.to and wish.to != found[1]:
            raise Problem(
                f"{wish.unit.id}: {shown!r} names two ends, {wish.to} and {found[1]}", "give the last hex alone, or the steps"
            )
        wish.to = found[1]
        try:
            state.board.grid.parse(found[1])
        except HexError as error:
            raise Problem(f"{wish.unit.id}: {error}") from None
        rest = rest.replace(found[0], " ", 1)
    rest = _counted_steps(clause, rest, wish)
    faced = re.search(rf"(?:\b(?:facing|to|toward|towards|face|faces)\s+)?(?<!\w)({_FACING})(?!\w)", rest, re.IGNORECASE)
    if faced and (faced[1].isupper() or faced[0] != faced[1]):
        wish.facing = faced[1].upper()
        rest = rest.replace(faced[0], " ", 1)
    number = (
        re.search(r"(?i)(?:^|\bfacing\s+|\bto\s+)\s*([0-5])(?![\w])", rest)
        if clause.kind == "turn"
        else re.search(r"(?i)\bfacing\s+([0-5])\b", rest)
    )
    if number is None and wish.to and not wish.facing:
        number = re.fullmatch(r"\s*([0-5])\s*", rest)
    if number:
        wish.facing = DIRECTION_NAMES[int(number[1])]
        rest = rest.replace(number[0], " ", 1)
    towards = re.search(MARK, rest)
    if towards:
        other = unit_of(line, towards[0])
        rest = rest.replace(towards[0], " ", 1)
        if (
            clause.kind == "turn"
            or re.search(r"(?i)\b(?:facing|face)\b", rest)
            or (wish.to and re.search(r"(?i)\btowards?\b", rest))
        ):
            wish.facing = _facing_to(wish, other, state)
        else:
            raise Problem(
                f"{wish.unit.id}: {shown!r} says not in which hex it ends", f"write {clause.verb} to 0709 facing {other.id}"
            )
    left = trimmed(_FILLER.sub(" ", re.sub(r"[^\w\s'+-]", " ", rest)))
    left = " ".join(left.split())
    if clause.kind == "turn" and said and before == (wish.to, wish.facing, len(wish.steps)) and not left:
        raise Problem(f"{wish.unit.id}: cannot read {shown!r}", "write facing NE, or turns left")
    if left and not re.fullmatch(r"[\W_]*", left):
        raise Problem(f"{wish.unit.id}: cannot read {line.unmarked(left)!r} in {shown!r}", _move_hint(left, state))


def _move_hint(left: str, state: State) -> str:
    known = [
        *KNOWN_VERBS,
        "north-east",
        "north-west",
        "south-east",
        "south-west",
        "facing",
        "forward",
        "backward",
        "left",
        "right",
    ]
    known += [name for unit in state.units for name in (unit.id, unit.name)]
    return nearest(left.split()[0], known, cutoff=0.7) or "write walks to 0709 facing NE, or walks F2 R1"


def _written(rest: str, wish: Wish, state: State) -> bool:
    """Take steps and ends that the notation reads as they stand."""
    mode = wish.mode or "walk"
    start = f"{wish.start} " if wish.start else ""
    rise = "SU " if wish.rises and not re.search(r"(?i)\b(?:SU|UP)\b", rest) else ""
    words = f"{start}{mode} {rise}{rest}"
    try:
        order_from_words(f"{wish.unit.id}: {words}", state)
    except NeedsChoices:
        return False
    except InputError as error:
        if re.search(r"(?i)\b[FBLR]\d|->", rest) and "is no step" not in error.message and not state.board.grid.read:
            raise Problem(error.message, error.hint) from None
        return False
    wish.written = words
    return True


def _counted_steps(clause: Clause, rest: str, wish: Wish) -> str:
    """Steps in words: ``forward 2 hexes``, ``2 hexes back``, ``turns left twice``."""

    def take(found: re.Match[str]) -> str:
        count = (found["n"] or found["m"] or found["k"] or "1").lower()
        number = int(count) if count.isdigit() else _TIMES[count]
        if side := found["side"]:
            wish.steps.append(f"{side[0].upper()}{number}")
        else:
            wish.steps.append(f"{'B' if (found['way'] or found['way2']).lower().startswith('back') else 'F'}{number}")
        return " "

    ways = r"forwards?|ahead|straight(?:\s+ahead)?|backwards?|back"
    turns = (
        r"|(?:to\s+the\s+)?(?P<side>left|right)\b(?:\s+(?:by\s+)?(?P<k>{c})\b(?:\s*(?:hexsides?|times?|facings?))?)?".format(
            c=_COUNT
        )
    )
    turns = turns if clause.kind == "turn" or re.search(r"(?i)\bturn", rest) else r"|(?P<side>(?!))(?P<k>(?!))"
    rest = re.sub(
        rf"(?i)\b(?:(?P<n>{_COUNT})\s*(?:hex(?:es)?\s+)?(?:straight\s+)?(?P<way>{ways})\b"
        rf"|(?P<way2>{ways})\b\s+(?:by\s+)?(?P<m>{_COUNT})\b(?:\s*hex(?:es)?)?{turns})",
        take,
        rest,
    )
    if clause.kind == "turn":
        return rest
    if clause.kind in ("walk", "run", "move") and not wish.to:
        if found := _STEPS.search(rest):
            if re.search(r"\d", found[0]):
                wish.steps += found[0].replace(",", " ").split()
                path_from_words(found[0])
                rest = rest.replace(found[0], " ", 1)
    return rest


def _facing_to(wish: Wish, other: UnitState, state: State) -> str:
    """The facing from where the unit ends to another unit. Raises :class:`Problem` where two are as near."""
    grid = state.board.grid
    here = grid.parse(wish.to) if wish.to else wish.unit.cell
    if other.cell < 0 or other.cell == here:
        raise Problem(f"{wish.unit.id}: there is no facing towards {other.id} from {grid.names[here]}", "write facing NE")
    bearing = grid.sextant(here, other.cell)
    if bearing % 4 == 2:
        near = [DIRECTION_NAMES[bearing // 4 % 6], DIRECTION_NAMES[(bearing // 4 + 1) % 6]]
        raise Problem(
            f"{wish.unit.id}: facing {other.id} from {grid.names[here]} may be {near[0]} or {near[1]}: say which",
            f"write facing {near[0]}",
        )
    return DIRECTION_NAMES[(bearing + 2) // 4 % 6]


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
            where = _facing_to(Wish(wish.unit, to=wish.to), unit_of(line, towards[0]), state)
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
    raise _no_unit(word, wish, state)


def _no_unit(word: str, wish: Wish, state: State) -> Problem:
    ids = [u.id for u in state.units if u is not wish.unit]
    near = nearest(word, [*ids, *(u.name for u in state.units if u.name != u.spec.name)], cutoff=0.6)
    return Problem(f"{wish.unit.id}: there is no unit {word!r}", near or f"units: {', '.join(ids[:12])}")


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
            rf"(?i)[,;]?\s*\(?\b(?:indirect(?:ly)?\s*,?\s*)?(?:spotted\s+by|spotter\s*:?|spotting\s+by|with)\s+({MARK})(?:\s+(?:spotting|as\s+(?:the\s+)?spotter))?\)?",
            rest,
        )
        if spotted and (not re.match(r"(?i)[,;]?\s*with", spotted[0]) or "spott" in spotted[0].lower()):
            details.append(f"spotter {unit_of(self.line, spotted[1]).id}")
            rest = f"{rest[: spotted.start()]} {rest[spotted.end() :]}"
        aimed = re.search(
            r"(?i)[,;]?\s*\baim(?:s|ed|ing)?\s+(?:at|for)\s+(?:the|its|his|her)?\s*([a-z][a-z ]*?)(?=\s*(?:$|[,;.]|\b(?:with|and|at)\b))",
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
    target = _struck(clause, clause.rest, wish, line, state)
    limb = re.search(r"(?i)\b(left|right|both|[LR][AL]|[FR][LR]L)\b", re.sub(MARK, " ", clause.rest))
    wish.blows.append(f"{clause.kind} {target}{f' {limb[1]}' if limb else ''}")


def _struck(clause: Clause, rest: str, wish: Wish, line: Line, state: State) -> str:
    """The target of a blow, a charge. Raises :class:`Problem`."""
    found = re.search(MARK, rest)
    if found:
        wish.last = unit_of(line, found[0]).id
        left = _BLOW_WORDS.sub(" ", f"{rest[: found.start()]} {rest[found.end() :]}")
        if re.search(r"\w", left):
            shown = line.unmarked(f"{clause.verb} {rest}")
            raise Problem(
                f"{wish.unit.id}: cannot read {' '.join(line.unmarked(left).split())!r} in {shown!r}",
                f"write {clause.kind} {wish.last} left",
            )
        return wish.last
    word = _BLOW_WORDS.sub(" ", rest).strip(" .,;:!")
    if word in ("", "it", "him", "her", "them") and wish.last:
        return wish.last
    if not word:
        raise Problem(f"{wish.unit.id}: {clause.verb!r} names no target", f"write {clause.kind} UNIT")
    raise _no_unit(" ".join(line.unmarked(word).split()), wish, state)


_BLOW_WORDS = re.compile(
    r"(?i)\b(?:with|using|the|its|his|her|my|a|an|left|right|both|arms?|legs?|foot|feet|fists?|hands?|at|on|in|into|from|here|[LR][AL]|[FR][LR]L"
    r"|hatchet|sword|club|to|and|then|it|him|the|hard)\b|[^\w\s\ue000\ue001-]"
)
