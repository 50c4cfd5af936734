"""Clauses of sentences about movement, put into the words of the order notation; units and targets in clauses."""

from __future__ import annotations

import re

from opfor.errors import InputError, nearest
from opfor.formats.words.notation import order_from_words
from opfor.formats.words.notation_lookup import NeedsChoices
from opfor.formats.words.notation_moves import path_from_words
from opfor.formats.words.notation_text import MARK, Line
from opfor.formats.words.notation_verbs import KNOWN_VERBS, Clause, trimmed
from opfor.formats.words.notation_wish import Problem, Wish
from opfor.hex import DIRECTION_NAMES, HexError
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
        wish.attack = f"{'DFA' if kind == 'dfa' else 'charge'} {struck(clause, rest, wish, line, state)}"
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
            wish.facing = facing_to(wish, other, state)
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
        r"|(?:to\s+the\s+)?(?P<side>left|right)\b"
        rf"(?:\s+(?:by\s+)?(?P<k>{_COUNT})\b(?:\s*(?:hexsides?|times?|facings?))?)?"
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
        found = _STEPS.search(rest)
        if found and re.search(r"\d", found[0]):
            path_from_words(found[0])
            wish.steps += found[0].replace(",", " ").split()
            rest = rest.replace(found[0], " ", 1)
    return rest


def facing_to(wish: Wish, other: UnitState, state: State) -> str:
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


def no_unit(word: str, wish: Wish, state: State) -> Problem:
    ids = [u.id for u in state.units if u is not wish.unit]
    near = nearest(word, [*ids, *(u.name for u in state.units if u.name != u.spec.name)], cutoff=0.6)
    return Problem(f"{wish.unit.id}: there is no unit {word!r}", near or f"units: {', '.join(ids[:12])}")


def struck(clause: Clause, rest: str, wish: Wish, line: Line, state: State) -> str:
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
    raise no_unit(" ".join(line.unmarked(word).split()), wish, state)


_BLOW_WORDS = re.compile(
    r"(?i)\b(?:with|using|the|its|his|her|my|a|an|left|right|both|arms?|legs?|foot|feet|fists?|hands?|at|on|in|into|from|here|[LR][AL]|[FR][LR]L"
    r"|hatchet|sword|club|to|and|then|it|him|the|hard)\b|[^\w\s\ue000\ue001-]"
)
