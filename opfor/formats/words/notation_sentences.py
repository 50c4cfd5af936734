"""Orders in sentences, as players write them in a post, turned into lines of the order notation.

    Alpha 1 walks 0611 to 0709 facing NE, then fires LRM and both MLs at Reaver
    > - **Reaver** stands up & runs to 07-09, kicks alpha-2 with its left leg

Each unit's clauses become at most one order of movement, one of fire and its physical attacks, in the notation of
:mod:`opfor.formats.words.notation`. All that is not understood in a text is said at once, each with its line and the nearest
reading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from opfor.errors import InputError, nearest
from opfor.formats.orders import find_unit
from opfor.formats.words.conditions import read_condition
from opfor.formats.words.notation import order_from_words
from opfor.formats.words.notation_clauses import move_clause, unit_of
from opfor.formats.words.notation_lookup import NeedsChoices
from opfor.formats.words.notation_shots import fire_clause, physical_clause
from opfor.formats.words.notation_text import MARK, Line, bare_line, plain_lines
from opfor.formats.words.notation_verbs import BLOWS, KNOWN_VERBS, MOVES, SHOTS, Clause, clauses, trimmed
from opfor.formats.words.notation_wish import Problem, Wish
from opfor.state import State
from opfor.units.state import UnitState

#: clauses that name no other unit: one behind them begins the next clause
_ALONE = frozenset(
    ["hold_move", "wait", "hold_fire", "stand", "stand_bare", "prone", "careful", "pause", "opportunity", "no_physical", "flip"]
)
#: problems that are listed at most
_MOST = 25


@dataclass(slots=True)
class Reading:
    """A text as lines of the notation, each with the number of the line where it begins, and what is not understood."""

    lines: list[tuple[int, str]] = field(default_factory=list)
    problems: list[tuple[int, Problem]] = field(default_factory=list)

    def checked(self) -> list[tuple[int, str]]:
        """The lines. Raises :class:`InputError` with all problems where there are any."""
        if not self.problems:
            return self.lines
        told = list(dict.fromkeys(self.problems))
        if len(told) == 1:
            number, one = told[0]
            raise InputError(one.message, source="order", place=f"line {number}", hint=one.hint)
        rows = [f"  line {number}: {one.message}{f' ({one.hint})' if one.hint else ''}" for number, one in told[:_MOST]]
        more = [f"  and {len(told) - _MOST} more"] if len(told) > _MOST else []
        raise InputError(
            "\n".join([f"{len(told)} things are not understood, and nothing is done:", *rows, *more]), source="orders"
        )


def order_sentences(text: str, state: State) -> list[tuple[int, str]]:
    """A text as lines of the order notation with their numbers. Raises :class:`InputError` with all that is not understood."""
    return read_sentences(text, state).checked()


def one_sentence(text: str, state: State) -> str:
    """The one order of a text in the notation; a text that is none as it stands. Raises :class:`InputError` for several."""
    found = order_sentences(text, state)
    if len(found) > 1:
        raise InputError(
            f"one order is wanted, and these are {len(found)}: {'; '.join(line for _, line in found)}", source="order"
        )
    return found[0][1] if found else text


def read_sentences(text: str, state: State) -> Reading:
    """A text as lines of the order notation, and what is not understood in it."""
    reading = Reading()
    strict: dict[int, str] = {}
    for number, raw in enumerate(text.splitlines(), start=1):
        if raw.strip() and raw[0] not in " \t#" and (order := _strict(bare_line(raw), state)):
            strict[number] = order
    writer = _Writer(state, reading)
    for line in plain_lines(text, state):
        if line.number in strict:
            writer.flush()
            writer.actor = None
            reading.lines.append((line.number, strict[line.number]))
        else:
            writer.line(line)
    writer.flush()
    return reading


def _strict(line: str, state: State) -> str:
    """The line, where it is one of the notation already; else nothing."""
    head, colon, rest = line.partition(":")
    if not colon or not rest.strip():
        return ""
    try:
        line = f"{find_unit(state, head.strip(' *_')).id}: {rest.strip()}"
        if read_condition(line, state) is None:
            order_from_words(line, state)
    except NeedsChoices:
        return line
    except InputError as error:
        return line if _resolved_later(error) else ""
    return line


def _resolved_later(error: InputError) -> bool:
    """Whether an order is understood, and hangs on how the battle stands when its turn comes."""
    later = ("none of ", " with which: ", " stands in ")
    return any(words in error.message for words in later)


class _Writer:
    """Gathers the clauses of each unit, line after line, and writes its orders."""

    def __init__(self, state: State, reading: Reading) -> None:
        self.state = state
        self.reading = reading
        self.actor: UnitState | None = None
        self.wish: Wish | None = None
        self.begun = 0

    def flush(self) -> None:
        """Write the orders of the unit in hand."""
        if self.wish is not None:
            try:
                self.reading.lines += [(self.begun, line) for line in self.wish.lines(self.state)]
            except Problem as problem:
                # what was not understood of it has been told already
                if not self.wish.faulty:
                    self.problem(self.begun, problem)
        self.wish = None

    def problem(self, number: int, problem: Problem) -> None:
        """Keep what is not understood."""
        self.reading.problems.append((number, problem))

    def turn_to(self, unit: UnitState, number: int) -> None:
        """Go on with another unit."""
        self.flush()
        self.actor, self.wish, self.begun = unit, Wish(unit), number

    def line(self, line: Line) -> None:
        """One line: whose it is, then its clauses."""
        words = line.words
        before, found = clauses(words)
        left = self._begin(line, before, bool(found))
        if left is None:
            return
        before = left
        if before and found and not self._opening(line, before, found):
            return
        if self.actor is None:
            self.problem(line.number, self._nobody(line.raw))
            return
        if not found and before:
            verb = " ".join(before.split()[:1])
            self.problem(line.number, Problem(f"{self.actor.id}: cannot read {line.unmarked(before)!r}", _verb_hint(verb)))
            return
        for clause in found:
            self._clause(line, clause)

    def _begin(self, line: Line, before: str, verbs: bool) -> str | None:
        """Take the unit at the head of a line; what is left of the words before its first verb. None: nothing more to read."""
        found = re.match(rf"\W*({MARK})(.*)$", before, re.DOTALL)
        if not found or re.match(r"^[^\w\ue000]*$", before):
            return before
        try:
            unit = unit_of(line, found[1])
        except Problem as problem:
            self.flush()
            self.actor = None
            self.problem(line.number, problem)
            return None
        rest = found[2]
        # (Wolverine), (50 t): what stands in brackets behind the name is no part of the order
        rest = re.sub(r"^\s*[\[(][^()\[\]]*[)\]]", "", rest)
        if self.actor is not unit or self.wish is None or verbs or rest.strip(" :,-"):
            self.turn_to(unit, line.number)
        return trimmed(rest.strip(" ,;:-–"))

    def _opening(self, line: Line, before: str, found: list[Clause]) -> bool:
        """What stands between the unit and its first verb: the hex it starts from, or something that is not understood."""
        hexes = self.state.board.grid.pattern
        start = re.fullmatch(rf"(?i)(?:in|at|from|hex|\W)*\s*({hexes})\s*,?\s*(?:facing\s+)?(NE|NW|SE|SW|N|S|[0-5])?", before)
        if start and self.wish is not None:
            self.wish.start = f"{start[1]} {start[2] or ''}".strip()
            return True
        shown = line.unmarked(before)
        ids = [u.id for u in self.state.units]
        other = nearest(" ".join(before.split()[:2]).strip(" :,"), ids, cutoff=0.75) if self._begun_by(line) else ""
        strange = self._begun_by(line) and before[:1].isupper() and len(before.split()) < 3
        strange = strange and "did you mean" not in _verb_hint(before.split()[0])
        if self.actor is None or self.wish is None or other or strange:
            self.problem(line.number, self._nobody(line.raw))
            return False
        self.problem(line.number, Problem(f"{self.actor.id}: cannot read {shown!r}", _verb_hint(before.split()[0])))
        for clause in found:
            self._clause(line, clause)
        return False

    def _begun_by(self, line: Line) -> bool:
        """Whether a line begins with a name of its own, and not with the unit of the line before."""
        return not re.match(rf"\W*{MARK}", line.words)

    def _nobody(self, words: str) -> Problem:
        """Words that stand where a unit's name should."""
        head, colon, _ = words.partition(":")
        head = head.strip() if colon else " ".join(words.split()[:2]).strip(" ,")
        ids = [u.id for u in self.state.units]
        near = (
            nearest(head, ids)
            if colon
            else nearest(head, ids, cutoff=0.7) or nearest(head.split()[0] if head else "", ids, cutoff=0.7)
        )
        if colon or near or self.actor is not None:
            head = head if colon or near else head.split()[0]
            return Problem(f"there is no unit {head!r}", near or f"units: {', '.join(ids[:12])}")
        return Problem(f"no unit is named in {words!r}", "begin with the unit: Alpha 1 walks ...")

    def _clause(self, line: Line, clause: Clause) -> None:
        if self.wish is None:
            if self.actor is None:
                return
            self.turn_to(self.actor, line.number)
        assert self.wish is not None and self.actor is not None
        rest, follower = _next_actor(clause.rest)
        if clause.kind in _ALONE and re.fullmatch(MARK, rest):
            rest, follower = "", rest
        clause = Clause(clause.kind, clause.verb, rest)
        try:
            if clause.kind in MOVES:
                move_clause(clause, self.wish, line, self.state)
            elif clause.kind in SHOTS:
                fire_clause(clause, self.wish, line, self.state)
            elif clause.kind in BLOWS:
                physical_clause(clause, self.wish, line, self.state)
            elif clause.kind == "spot":
                raise Problem(
                    f"{self.actor.id}: spotting is no order of its own: {line.unmarked(f'{clause.verb} {clause.rest}')!r}",
                    f"name the spotter with the weapon, as fires LRM 15 (spotter {self.actor.id}) at UNIT",
                )
            else:
                self.wish.raw.append(self._raw(clause, line))
        except Problem as problem:
            self.wish.faulty = True
            self.problem(line.number, problem)
        if follower:
            try:
                self.turn_to(unit_of(line, follower), line.number)
            except Problem as problem:
                self.flush()
                self.actor = None
                self.problem(line.number, problem)

    def _raw(self, clause: Clause, line: Line) -> str:
        """An order that the notation has words of its own for, its verb in the form that it knows."""
        assert self.actor is not None
        verb = re.sub(r"\s+", " ", clause.verb.lower())
        for pattern, plain in _RAW:
            if re.fullmatch(pattern, verb):
                verb = plain
        rest = re.sub(MARK, lambda found: unit_of(line, found[0]).id, clause.rest)
        rest = re.sub(r"(?i)^(?:the|its|his|her|an?)\s+", "", rest)
        words = f"{self.actor.id}: {verb} {rest}".strip()
        try:
            order_from_words(words, self.state)
        except NeedsChoices:
            return words
        except InputError as error:
            raise Problem(error.message, error.hint) from None
        return words


_RAW = (
    (r"mount\w*", "mount"), (r"dismount\w*", "dismount"), (r"embark\w*|boards?", "mount"), (r"disembark\w*", "dismount"),
    (r"dig\w* in", "dig in"), (r"swarm\w*", "swarm"), (r"leg.attack\w*", "leg attack"), (r"let\w* go", "let go"),
    (r"unjam\w*", "unjam"), (r"clear\w*", "clear"), (r"pick\w* up", "pick up"), (r"(?:starts? )?(?:mission )?action", "action"),
    (r"bomb\w*(?: run)?", "bomb run"), (r"passe?s?", "pass"), (r"declares? (?:now|first)", "declare now"),
)  # fmt: skip


def _next_actor(rest: str) -> tuple[str, str]:
    """Cut the unit off that the next clause is about: ``at Reaver, Alpha 2`` (runs)."""
    found = re.search(rf"(?i)^(.*?)(?:[,;.!]|\s(?:and|then|while|&))\s*(?:and|then|while)?\s*({MARK})$", rest, re.DOTALL)
    return (trimmed(found[1]), found[2]) if found and found[1].strip() else (rest, "")


def _verb_hint(word: str) -> str:
    return nearest(word.strip(" ,.:;"), KNOWN_VERBS, cutoff=0.7) or f"verbs: {', '.join(KNOWN_VERBS[:16])} ..."


__all__ = ["Reading", "one_sentence", "order_sentences", "read_sentences"]
