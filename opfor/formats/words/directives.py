"""What a game master tells a side, in words: restraints and objectives, as sides and units of the battle file carry them.

    opfor:   {orders: [hold fire until fired on, not into zone village], objective: hold 0812, knows: sees}
    reaver:  {orders: [do not leave 0810-0814, no jump, focus alpha-1]}

Every phrase is one line of :data:`PHRASES`; what it may mean is data of :mod:`opfor.directives`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from opfor.directives import ALWAYS, NOTHING, OBJECTIVES, UNTIL_FIRED_ON, Directive, Objective, Restraint
from opfor.errors import InputError, nearest
from opfor.formats.orders import find_unit
from opfor.hex import HexError
from opfor.state import State

EDGES = ("north", "south", "east", "west")
#: what may be barred by "no ..." and "do not ...", and what that is called in orders
BARRED = {
    "run": "run", "running": "run", "flank": "run", "jump": "jump", "jumping": "jump", "evade": "evade", "evading": "evade",
    "sprint": "sprint", "sprinting": "sprint", "charge": "charge", "charges": "charge", "ram": "charge", "ramming": "charge",
    "dfa": "dfa", "death from above": "dfa", "death-from-above": "dfa", "physical": "physical",
    "physical attack": "physical", "physical attacks": "physical", "strike": "physical", "artillery": "artillery",
    "opportunity": "opportunity", "wait": "wait", "leave the map": "exit", "leave the field": "exit",
    "mission action": "action", "mission actions": "action",
}  # fmt: skip


def _area(words: str, state: State) -> frozenset[int]:
    """Hexes: a zone by its name (with or without ``zone``), hexes and stretches of them by commas (``0810-0814, 0912``)."""
    given = words.strip()
    name = re.sub(r"(?i)^(?:the\s+)?zone\s+", "", given).strip()
    zones = {zone.lower(): zone for zone in state.zones}
    if name.lower() in zones:
        return state.zones[zones[name.lower()]].cells
    found: set[int] = set()
    grid = state.board.grid
    known = f"zones: {', '.join(state.zones)}" if state.zones else "the battle file names no zones"
    for part in re.split(r"\s*(?:,|\band\b)\s*", given):
        if not part:
            continue
        first, dash, last = part.partition("-")
        try:
            start = grid.parse(first.strip().upper())
            end = grid.parse(last.strip().upper()) if dash else start
        except HexError as error:
            raise InputError(
                f"{given!r} is neither a zone nor hexes: {error}", hint=nearest(name, state.zones) or known
            ) from None
        columns = sorted((grid.columns[start], grid.columns[end]))
        rows = sorted((grid.rows[start], grid.rows[end]))
        found.update(grid.cell(c, r) for c in range(columns[0], columns[1] + 1) for r in range(rows[0], rows[1] + 1))
    if not found:
        raise InputError(f"{words!r} names no hex")
    return frozenset(found)


def _whom(words: str, state: State) -> frozenset[str]:
    """Units by id or name, or all units of a side, by commas."""
    found: set[str] = set()
    for part in re.split(r"\s*(?:,|\band\b)\s*", words.strip()):
        side = next((i for i, name in enumerate(state.sides) if name.lower() == part.lower()), None)
        if side is not None:
            found.update(unit.id for unit in state.units if unit.side == side)
        else:
            found.add(find_unit(state, part).id)
    return frozenset(found)


def _bar(words: str, made: Restraint, state: State) -> Restraint:
    things = []
    for part in re.split(r"\s*(?:,|\bor\b|\band\b)\s*", words.strip()):
        if part not in BARRED:
            known = "move, enter HEX, leave HEX, " + ", ".join(dict.fromkeys(BARRED.values()))
            raise InputError(f"{part!r} is nothing that can be forbidden: use {known}", hint=nearest(part, BARRED))
        things.append(BARRED[part])
    return replace(made, barred=made.barred | frozenset(things))


Make = Callable[[re.Match[str], Restraint, State], Restraint]


class Phrase(NamedTuple):
    """A restraint as it is written: how it looks in help, what matches it, what it makes."""

    shown: str
    pattern: str
    make: Make


PHRASES = (
    Phrase("do not move", r"(?:do not|don't) move|stand still|hold (?:the |your |its )?position|no movement",
           lambda m, r, s: replace(r, still=True)),
    Phrase("do not leave AREA", r"(?:do not|don't) leave (?!the (?:map|field)$)(?P<area>.+)|stay (?:in|within) (?P<in>.+)",
           lambda m, r, s: replace(r, within=(*r.within, _area(m["area"] or m["in"], s)))),
    Phrase("not into AREA", r"(?:not into|keep out of|stay out of|(?:do not|don't) enter) (?P<area>.+)",
           lambda m, r, s: replace(r, outside=(*r.outside, _area(m["area"], s)))),
    Phrase("hold fire", r"hold (?:your |its )?fire|no fire|(?:do not|don't) fire|cease fire",
           lambda m, r, s: replace(r, hold_fire=ALWAYS)),
    Phrase("hold fire until fired on", r"(?:hold (?:your |its )?fire|(?:do not|don't) fire) (?:until|unless) fired (?:on|upon)",
           lambda m, r, s: replace(r, hold_fire=UNTIL_FIRED_ON)),
    Phrase("fire only at UNIT", r"(?:fire|attack) only(?: at)? (?P<whom>.+)|only at (?P<at>.+)",
           lambda m, r, s: replace(r, only=r.only | _whom(m["whom"] or m["at"], s))),
    Phrase("focus UNIT", r"focus(?: on| fire on)? (?P<whom>.+)",
           lambda m, r, s: replace(r, focus=r.focus | _whom(m["whom"], s))),
    Phrase("ignore UNIT or SIDE", r"ignore (?P<whom>.+)",
           lambda m, r, s: replace(r, ignore=r.ignore | _whom(m["whom"], s))),
    Phrase("shell only HEX", r"shell only (?P<area>.+)",
           lambda m, r, s: replace(r, shell=(r.shell or frozenset()) | _area(m["area"], s))),
    Phrase("stop shelling", r"stop shelling|no shelling|no (?:artillery|shells)",
           lambda m, r, s: replace(r, shell=frozenset())),
    Phrase("no THING", r"(?:no|do not|don't) (?P<what>.+)", lambda m, r, s: _bar(m["what"], r, s)),
)  # fmt: skip
_READ = [(re.compile(phrase.pattern, re.IGNORECASE), phrase) for phrase in PHRASES]


def read_restraint(words: str | Iterable[str], state: State) -> Restraint:
    """Restraints in words, one a string, several by semicolons. Raises :class:`InputError`."""
    made = Restraint()
    for text in [words] if isinstance(words, str) else words:
        for part in str(text).split(";"):
            phrase = " ".join(part.lower().split())
            if not phrase:
                continue
            made = _phrase(phrase, made, state)
            made = replace(made, words=(*made.words, phrase))
    return made


def _phrase(phrase: str, made: Restraint, state: State) -> Restraint:
    for pattern, found in _READ:
        match = pattern.fullmatch(phrase)
        if match:
            return found.make(match, made, state)
    shown = [found.shown for _, found in _READ]
    raise InputError(f"{phrase!r} is no restraint: use {'; '.join(shown)}", hint=nearest(phrase, shown))


# -- objectives -------------------------------------------------------------------------------------------------------


def read_objective(words: str, state: State) -> Objective:
    """An objective in words: ``hold 0812``, ``escort mule-1``, ``reach north``, ``destroy alpha-1``, ``delay 6 turns``,
    ``withdraw at 40%``, ``patrol``, ``advance to contact``. Raises :class:`InputError`."""
    text = " ".join(words.split())
    kind, _, rest = text.partition(" ")
    kind, rest = kind.lower(), rest.strip()
    made = Objective(kind, text)
    if kind in ("hold", "defend"):
        return replace(made, kind="hold", **_place(rest, state, kind))
    if kind == "reach":
        return replace(made, **_place(rest, state, kind))
    if kind == "escort":
        return replace(made, unit=find_unit(state, _needed(rest, "escort UNIT")).id)
    if kind == "destroy":
        everybody = _needed(rest, "destroy UNIT, or destroy all").lower() in ("all", "everybody", "them all")
        return replace(made, unit="all" if everybody else find_unit(state, rest).id)
    if kind == "delay":
        match = re.fullmatch(r"(?:for )?(\d+)(?: turns?)?", rest, re.IGNORECASE)
        if not match or not int(match[1]):
            raise InputError(f"{text!r}: say for how many turns", hint="delay 6 turns")
        return replace(made, number=int(match[1]))
    if kind == "withdraw":
        match = re.fullmatch(r"(?:now|at (\d+) ?(?:%|percent))?", rest, re.IGNORECASE)
        if not match or not 0 <= int(match[1] or 100) <= 100:
            raise InputError(f"{text!r}: say when", hint="withdraw now, or withdraw at 40% (of its strength left)")
        return replace(made, number=int(match[1]) if match[1] else 100)
    if kind in ("patrol", "advance"):
        if kind == "advance" and rest.lower() not in ("", "to contact"):
            return replace(made, kind="reach", **_place(re.sub(r"(?i)^to\s+", "", rest), state, kind))
        return replace(made, **(_place(rest, state, kind) if kind == "patrol" and rest else {}))
    known = "hold HEX, escort UNIT, reach EDGE or HEX, destroy UNIT or all, delay N turns, withdraw at N%, patrol, advance"
    raise InputError(f"{words!r} is no objective: use {known}", hint=nearest(kind, OBJECTIVES))


def _needed(rest: str, form: str) -> str:
    if not rest:
        raise InputError("says not whom", hint=form)
    return rest


def _place(rest: str, state: State, kind: str) -> dict[str, Any]:
    if not rest:
        raise InputError("says not where", hint=f"{kind} 0812, a zone, or an edge of the map")
    words = re.sub(r"(?i)^(?:the\s+)?|\s+edge$", "", rest).lower()
    if words in EDGES:
        return {"edge": words, "cells": edge_cells(state, words)}
    return {"cells": _area(rest, state)}


def edge_cells(state: State, edge: str) -> frozenset[int]:
    """The hexes along an edge of the map."""
    grid = state.board.grid
    ends = {"north": (grid.rows, 0), "south": (grid.rows, grid.height - 1), "west": (grid.columns, 0)}
    where, number = ends.get(edge, (grid.columns, grid.width - 1))
    return frozenset(cell for cell in grid.on_board if where[cell] == number)


# -- whole directives -------------------------------------------------------------------------------------------------


def with_restraints(state: State, lines: Sequence[str]) -> tuple[Directive, ...]:
    """The directives of a battle with more restraints, each as ``UNIT or SIDE: words``. Raises :class:`InputError`."""
    found = list(state.directives or [NOTHING] * len(state.sides))
    for line in lines:
        head, colon, words = line.partition(":")
        if not colon or not words.strip():
            raise InputError(
                f"{line!r} is no restraint", place="--restrain", hint="write UNIT: do not move, or SIDE: hold fire"
            )
        try:
            side, unit = who(head, state)
            former = found[side].restraint if not unit else dict(found[side].units).get(unit, Restraint())
            made = read_restraint([*former.words, words], state)
        except InputError as error:
            raise InputError(error.message, source="restraint", place=line, hint=error.hint) from None
        if unit:
            units = dict(found[side].units) | {unit: made}
            found[side] = replace(found[side], units=tuple(units.items()))
        else:
            found[side] = replace(found[side], restraint=made)
    return tuple(found)


def who(head: str, state: State) -> tuple[int, str]:
    """The side that words are for, and the unit, "" for all of the side. Raises :class:`InputError`."""
    word = head.strip()
    side = next((i for i, name in enumerate(state.sides) if name.lower() == word.lower()), None)
    if side is not None:
        return side, ""
    unit = find_unit(state, word)
    return unit.side, unit.id
