"""A failure made small: the latest start, the fewest orders and units, the plainest rules, units and board that still show it.

Every step of it is tried by playing: what is left out stays out only where the same fault (kind, name and place) still shows.
The same case is shrunk to the same small one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from opfor.gm.ruletest.cases import Case, Run, Step, settled, shows
from opfor.gm.ruletest.shrink_board import hexes_of, smaller_boards, without_rows
from opfor.rulesets import ruleset_names

#: cases played at most for one failure
TRIES = 1500
#: dice tried for what a smaller case no longer gives
CHANCES = tuple(range(6))
#: keys of a battle and of a unit that no case is without
_BATTLE_KEYS = ("opfor", "ruleset", "board", "phase", "sides", "units")
_UNIT_KEYS = ("id", "side", "type", "at", "facing", "elevation")
#: how much less is asked for: orders, units, hexes of the board, then words
Size = tuple[int, int, int, int]
#: hexes that a board of a file or of several parts counts as
_UNKNOWN = 10_000

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Shrunk:
    """A small case, its run, and how many cases were played to find it."""

    case: Case
    run: Run
    tries: int


class _Spent(Exception):
    """The tries are used up."""


def shrink(case: Case, *, tries: int = TRIES, told: Callable[[str], None] | None = None) -> Shrunk | None:
    """The smallest case found that shows the fault of ``case``. None where that does not show it itself when played again.

    ``told`` is given a line for each part of the work.
    """
    run = shows(case, (0,), positions=True)
    if run is None:
        return None
    work = _Work(settled(case, run), run, tries)
    try:
        for name, part in _PARTS:
            part(work)
            if told is not None:
                orders, units, *_ = _size(work.case)
                told(f"{name}: {orders} orders, {units} units, {work.tries} tries")
    except _Spent:
        pass
    final = shows(work.case, (0,))
    return Shrunk(work.case, final, work.tries) if final is not None else Shrunk(work.case, work.run, work.tries)


class _Work:
    """The smallest case so far."""

    def __init__(self, case: Case, run: Run, most: int) -> None:
        self.case = case
        self.run = run
        self.tries = 0
        self._most = most

    def takes(self, candidate: Case, *, positions: bool = False) -> bool:
        """Whether a candidate is smaller and shows the fault: it is then the case."""
        if self.tries >= self._most:
            raise _Spent
        self.tries += 1
        run = shows(candidate, CHANCES, positions=positions)
        if run is None:
            return False
        found = settled(candidate, run)
        if _size(found) >= _size(self.case):
            return False
        self.case, self.run = found, run
        return True

    def takes_battle(self, **changes: Any) -> bool:
        """Whether the battle may be otherwise in some keys; None takes a key out."""
        battle = {**self.case.battle, **changes}
        return self.takes(replace(self.case, battle={key: value for key, value in battle.items() if value is not None}))


def _size(case: Case) -> Size:
    words = len(repr(case.battle)) + sum(len(repr(step["order"])) for step in case.steps)
    return len(case.steps), len(case.battle.get("units", ())), hexes_of(case.battle.get("board"), _UNKNOWN), words


# -- the parts, in the order in which they are tried ------------------------------------------------------------------


def _start_later(work: _Work) -> None:
    """Begin just before the failure, as a file holds the battle there."""
    again = shows(work.case, (0,), positions=True)
    if again is None:
        return
    steps = work.case.steps
    for number in _thinned(sorted((n for n in again.positions if n), reverse=True)):
        if work.takes(replace(work.case, battle=again.positions[number], steps=steps[number:])):
            return


def _thinned(numbers: Sequence[int]) -> Iterator[int]:
    """The first dozen, then fewer and fewer."""
    place, step = 0, 1
    while place < len(numbers):
        yield numbers[place]
        if place >= 12:
            step += 1 + step // 3
        place += step


def _fewer_units(work: _Work) -> None:
    """Take units out of the battle, with their orders and all that names them."""
    found = True
    while found:
        found = False
        for unit in [entry["id"] for entry in work.case.battle["units"]]:
            found = work.takes(_without_unit(work.case, unit)) or found


def _without_unit(case: Case, unit: str) -> Case:
    battle = {key: _unnamed(value, unit) if key in ("pending", "directives") else value for key, value in case.battle.items()}
    battle["units"] = [entry for entry in battle["units"] if entry["id"] != unit]
    return replace(case, battle=battle, steps=tuple(step for step in case.steps if unit not in _names(step["order"])))


def _names(order: Mapping[str, Any]) -> set[Any]:
    """The units that an order cannot be given without."""
    return {order["unit"], order.get("target"), order.get("spotter")}


def _unnamed(value: Any, unit: str) -> Any:
    """Rows of the lists of a mapping, those that name a unit left out."""
    if not isinstance(value, dict):
        return value
    return {
        key: [row for row in rows if unit not in repr(row)] if isinstance(rows, list) else rows for key, rows in value.items()
    }


def _fewer_orders(work: _Work) -> None:
    """Leave orders out: first half of them, then fewer at a time. The last one stays."""

    def without(steps: Sequence[Step]) -> bool:
        return work.takes(replace(work.case, steps=(*steps, work.case.steps[-1])))

    _fewest(lambda: work.case.steps[:-1], without)


def _plainer_orders(work: _Work) -> None:
    """Shots left out of fire orders, and what is said beyond need."""
    for number in range(len(work.case.steps)):
        attacks = len(work.case.steps[number]["order"].get("attacks", ())) if number < len(work.case.steps) else 0
        for index in range(attacks - 1, -1, -1):
            step = work.case.steps[number]
            kept = [attack for place, attack in enumerate(step["order"]["attacks"]) if place != index]
            order = {**step["order"], "attacks": kept}
            if order.get("primary") not in [attack["target"] for attack in kept]:
                order.pop("primary", None)
            steps = list(work.case.steps)
            steps[number] = {**step, "order": order}
            work.takes(replace(work.case, steps=tuple(steps)))
            if number >= len(work.case.steps):
                return


def _plainer_rules(work: _Work) -> None:
    """A ruleset that ships, or the fewest switches turned."""
    if isinstance(work.case.battle["ruleset"], str):
        return
    for name in sorted(ruleset_names(), key=lambda name: name != "standard"):
        if work.takes_battle(ruleset=name):
            return
    base = work.case.battle["ruleset"].get("base", "campaign")

    def turned() -> list[tuple[str, Any]]:
        ruleset = work.case.battle["ruleset"]
        return [] if isinstance(ruleset, str) else [item for item in ruleset.items() if item[0] != "base"]

    _fewest(turned, lambda kept: work.takes_battle(ruleset={"base": base, **dict(kept)} if kept else base))


def _plainer_units(work: _Work) -> None:
    """Units as they come from the factory, but for what is needed."""
    for number in range(len(work.case.battle["units"])):
        entry = work.case.battle["units"][number]
        bare = {key: value for key, value in entry.items() if key in _UNIT_KEYS}
        if bare == entry or _takes_unit(work, number, bare):
            continue
        for key in [key for key in entry if key not in _UNIT_KEYS]:
            now = work.case.battle["units"][number]
            if _takes_unit(work, number, {other: value for other, value in now.items() if other != key}):
                continue
            if isinstance(now[key], dict):
                for below in list(now[key]):
                    now = work.case.battle["units"][number]
                    part = {other: value for other, value in now[key].items() if other != below}
                    _takes_unit(work, number, {**now, key: part})


def _takes_unit(work: _Work, number: int, entry: Mapping[str, Any]) -> bool:
    units = list(work.case.battle["units"])
    units[number] = dict(entry)
    return work.takes_battle(units=units)


def _plainer_battle(work: _Work) -> None:
    """All that the battle says beyond need."""
    for key in [key for key in work.case.battle if key not in _BATTLE_KEYS]:
        work.takes_battle(**{key: None})
    for name, side in work.case.battle["sides"].items():
        if side:
            work.takes_battle(sides={**work.case.battle["sides"], name: {}})


def _smaller_board(work: _Work) -> None:
    """A board of open ground, or the fewest hexes of the one there is, no larger than what happens on it."""
    for battle in smaller_boards(work.case):
        if work.takes(replace(work.case, battle=battle)):
            break
    board = work.case.battle["board"]
    if isinstance(board, dict) and board.get("rows"):

        def with_rows(rows: Sequence[str]) -> bool:
            return work.takes_battle(board=without_rows(board, rows))

        _fewest(lambda: work.case.battle["board"].get("rows", []), with_rows)
    for battle in smaller_boards(work.case, open_ground=False):
        work.takes(replace(work.case, battle=battle))


_PARTS: tuple[tuple[str, Callable[[_Work], None]], ...] = (
    ("a later start", _start_later),
    ("fewer units", _fewer_units),
    ("a later start", _start_later),
    ("fewer orders", _fewer_orders),
    ("plainer orders", _plainer_orders),
    ("plainer rules", _plainer_rules),
    ("plainer units", _plainer_units),
    ("a plainer battle", _plainer_battle),
    ("a smaller board", _smaller_board),
    ("fewer units", _fewer_units),
    ("fewer orders", _fewer_orders),
)


def _fewest(present: Callable[[], Sequence[_T]], takes: Callable[[Sequence[_T]], bool]) -> None:
    """Leave out parts of what is present: halves, quarters and so on to single ones, each as long as it is taken."""
    size = max(1, len(present()) // 2)
    while True:
        start = 0
        while start < len(present()):
            now = present()
            if not takes([*now[:start], *now[start + size :]]):
                start += size
        if size == 1:
            return
        size //= 2


__all__ = ["CHANCES", "TRIES", "Shrunk", "shrink"]
