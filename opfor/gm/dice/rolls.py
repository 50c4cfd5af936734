"""Which rolls orders call for, and what each result does: the roll sheet that a game master can post.

Nothing here knows a rule. The orders are played on copies, along a few courses of the dice: all attacks and checks succeed,
all fail, attacks hit and checks fail. What is rolled on every course is certain; the rest may follow. What a result does is
what happens when it is rolled: the same orders with that result in its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from opfor.dice import Roll, RollNeeded, split_evenly
from opfor.formats.battle_file.battle import Battle
from opfor.gm.advice.common_knowledge import mentions
from opfor.gm.advice.public import common_knowledge
from opfor.gm.dice.roll_words import ATTACKS, result_words, standing_tables
from opfor.gm.running.control import play_course, read_once
from opfor.report.posts.roll_sheet import Follow, Result, RollSheet, SheetRoll, joined
from opfor.rules.events import Event

#: rolls looked at on a course, and rolls with more dice than these have no table of results
MOST_ROLLS, MOST_DICE = 400, 4
_NEEDS = re.compile(r", needs (\d+)$")
#: location rolls of a course go around the body, so that no location takes all of them
_AROUND = (6, 9, 5, 8, 10)


@dataclass(slots=True)
class _Asked:
    """A roll on a course: which of those with the same reason it is, its dice, the event that reports it."""

    key: tuple[str, int]
    roll: Roll
    event: Event | None


class _CourseDice:
    """The rolls given, then rolls as the course has them."""

    def __init__(self, given: Sequence[Roll], hit: bool, passed: bool, stop: bool = False) -> None:
        self._given = list(given)
        self._hit, self._passed, self._stop = hit, passed, stop
        self.log: list[Roll] = []
        self.marks: list[int] = []
        #: the roll at which a course has stopped
        self.next_why = ""
        #: how many events there have been so far; set by whoever plays
        self.events_so_far: Any = lambda: 0

    def roll(self, count: int, why: str) -> Roll:
        """The next given roll, or what the course says."""
        index = len(self.log)
        if index < len(self._given):
            dice = self._given[index].dice
        elif self._stop or index > MOST_ROLLS:
            self.next_why = why
            raise RollNeeded(count, why)
        else:
            dice = split_evenly(count, self._total(count, why))
        roll = Roll(dice, why)
        self.log.append(roll)
        self.marks.append(self.events_so_far())
        return roll

    def _total(self, count: int, why: str) -> int:
        needs = _NEEDS.search(why)
        if needs is not None and count == 2:
            number = int(needs[1])
            return number if (self._hit if " at " in why else self._passed) else number - 1
        if count == 2 and "hit location" in why:
            return _AROUND[len(self.log) % len(_AROUND)]
        if count == 2 and "critical hits on" in why:
            return 5
        return (7 * count) // 2

    def copy(self) -> _CourseDice:
        """See :meth:`opfor.dice.Dice.copy`."""
        return _CourseDice(self._given[len(self.log) :], self._hit, self._passed, self._stop)


class _Surveyor:
    """Plays orders along courses and asks what results do."""

    def __init__(self, battle: Battle, text: str | Sequence[str], given: Sequence[Roll], end_phase: bool) -> None:
        self.battle, self.text, self.given, self.end_phase = battle, read_once(battle, text), list(given), end_phase
        self._known: dict[tuple[Any, ...], list[Result]] = {}

    def course(self, hit: bool, passed: bool) -> list[_Asked]:
        """The rolls beyond those given on a course, in order."""
        dice = _CourseDice(self.given, hit, passed)
        events = play_course(self.battle, self.text, dice, end_phase=self.end_phase)
        counted: dict[str, int] = {}
        asked = []
        for index, roll in enumerate(dice.log):
            counted[roll.why] = counted.get(roll.why, 0) + 1
            if index < len(self.given):
                continue
            asked.append(_Asked((roll.why, counted[roll.why]), roll, _reporting(events, dice.marks, index)))
        return asked

    def results(self, course: Sequence[_Asked], index: int) -> list[Result]:
        """What each sum of a roll of a course does; empty where dice are read one by one, or each sum says itself what."""
        one = course[index]
        count = len(one.roll.dice)
        if count > MOST_DICE:
            return []
        before = next((a.event for a in reversed(course[:index]) if a.event is not None and a.event.what in ATTACKS), None)
        number = before.data.get("to_hit") or {} if before else {}
        # cover takes part of what hits, and may be there for one attacker and not for another
        cover = any("cover" in part["what"] for part in number.get("modifiers", ()))
        key = (one.roll.why, before.unit if before else "", cover)
        if key not in self._known:
            needs = needs_of(one.roll.why)
            if needs is not None and one.event is not None:
                self._known[key] = self._two_ways(course, index, needs)
            else:
                rows = [(total, self._result(course, index, total)) for total in range(count, 6 * count + 1)]
                self._known[key] = joined(rows) if any(words for _, words in rows) else []
        return self._known[key]

    def _two_ways(self, course: Sequence[_Asked], index: int, needs: int) -> list[Result]:
        """The results of a roll against a number: it succeeds or not; a weapon fired fast may jam on a low result."""
        event = course[index].event
        low = 2 if event is not None and event.data.get("mode") else needs - 1
        words = {total: self._result(course, index, total) for total in {low, needs - 1, needs}}
        return joined(
            (total, words[total if total == low else needs - 1 if total < needs else needs]) for total in range(2, 13)
        )

    def _result(self, course: Sequence[_Asked], index: int, total: int) -> str:
        one = course[index]
        before = [*self.given, *(asked.roll for asked in course[:index])]
        dice = _CourseDice([*before, Roll(split_evenly(len(one.roll.dice), total), one.roll.why)], True, True, stop=True)
        events = play_course(self.battle, self.text, dice, end_phase=self.end_phase)
        if len(dice.marks) <= len(before):
            return ""
        words = result_words(events[dice.marks[-1] :])
        return "falls" if words == "fails" and "facing after the fall" in dice.next_why else words


def needs_of(why: str) -> int | None:
    """The number that a roll needs, by the words it is asked for with.

    >>> needs_of("reaver: PPC at alpha-2, needs 8"), needs_of("alpha-2: hit location, left side")
    (8, None)
    """
    found = _NEEDS.search(why)
    return int(found[1]) if found else None


def _reporting(events: Sequence[Event], marks: Sequence[int], index: int) -> Event | None:
    """The event that reports a roll: the first after it, if it comes before the next roll."""
    start = marks[index]
    end = marks[index + 1] if index + 1 < len(marks) else len(events)
    return events[start] if start < end and start < len(events) else None


def roll_sheet(battle: Battle, text: str | Sequence[str], given: Sequence[Roll] = (), *, end_phase: bool = False) -> RollSheet:
    """The rolls that orders call for beyond those given, with what each result does.

    The orders must be legal as they stand: :func:`opfor.gm.running.control.carry_out` refuses those that are not.
    """
    surveyor = _Surveyor(battle, text, given, end_phase)
    good, bad, mixed = surveyor.course(True, True), surveyor.course(False, False), surveyor.course(True, False)
    certain = {one.key for one in good} & {one.key for one in bad} & {one.key for one in mixed}
    state = battle.state
    sheet = RollSheet(f"{battle.name}, turn {state.turn}, {state.phase}")
    attacks = {one.key for one in bad if one.event is not None and one.event.what in ATTACKS}
    primary = certain | attacks
    concealed = common_knowledge(battle).concealed
    attached: set[str] = set()
    for index, one in enumerate(bad):
        if one.key not in primary:
            continue
        results = surveyor.results(bad, index)
        number = (one.event.data.get("to_hit") or one.event.data.get("tn")) if one.event is not None else None
        roll = SheetRoll(len(one.roll.dice), one.roll.why, one.key in certain, _secret(one.roll.why, concealed))
        roll.needs, roll.number = needs_of(one.roll.why), number
        if roll.needs is None and len(results) > 2:
            roll.table = sheet.table_of(one.roll.why, roll.dice, results)
        else:
            roll.results = results
        against = roll.needs is not None
        roll.follow += _follow(surveyor, sheet, good, one.key, primary, results[-1].words if against and results else "")
        if against:
            low = results[0].words if results else ""
            roll.follow += _follow(surveyor, sheet, bad, one.key, primary, low)
        attached |= {follow.why for follow in roll.follow}
        sheet.rolls.append(roll)
    seen = {roll.why for roll in sheet.rolls} | attached
    for course in (good, mixed, bad):
        for index, one in enumerate(course):
            if one.key in primary or one.roll.why in seen:
                continue
            seen.add(one.roll.why)
            sheet.later.append(_follower(surveyor, sheet, course, index, ""))
    sheet.standing = standing_tables(state, sheet.tables)
    sheet.secret = {why for why in (*seen, *(one.title for one in (*sheet.tables, *sheet.standing))) if _secret(why, concealed)}
    return sheet


def _secret(why: str, concealed: frozenset[str]) -> bool:
    """Whether a roll tells of a unit that players do not know of, or of mines that they may not know of. Rule: S-10."""
    return mentions(why, concealed) or ": mines in " in why


def _follow(
    surveyor: _Surveyor,
    sheet: RollSheet,
    course: Sequence[_Asked],
    key: tuple[str, int],
    primary: set[tuple[str, int]],
    on: str,
) -> list[Follow]:
    """The rolls that come of one on a course: up to the next that is known of, without checks of other units."""
    start = next((index for index, one in enumerate(course) if one.key == key), None)
    if start is None:
        return []
    unit = key[0].partition(":")[0]
    found: list[Follow] = []
    by_group = False
    for index in range(start + 1, len(course)):
        one = course[index]
        if one.key in primary:
            break
        why = one.roll.why
        if needs_of(why) is not None and (why.partition(":")[0] != unit or course[start].event is None):
            # a check at the end of the phase comes of all that was done in it
            continue
        by_group = by_group or "cluster hits" in why
        same = next((follow for follow in found if follow.why == why), None)
        if same is not None:
            same.times = "for each group of damage" if by_group else "each time"
            continue
        follow = _follower(surveyor, sheet, course, index, on)
        if on == "hits" and "hit location" not in why and any("hit location" in one.why for one in found):
            follow.times = "where location or damage call for it"
        found.append(follow)
    return found


def _follower(surveyor: _Surveyor, sheet: RollSheet, course: Sequence[_Asked], index: int, on: str) -> Follow:
    one = course[index]
    results = surveyor.results(course, index)
    follow = Follow(on, len(one.roll.dice), one.roll.why)
    if needs_of(one.roll.why) is None and len(results) > 2:
        follow.table = sheet.table_of(one.roll.why, follow.dice, results)
    else:
        follow.results = results
    return follow
