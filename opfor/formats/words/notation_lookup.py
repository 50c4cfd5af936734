"""Movements given by their end alone, found among the legal ones: the cheapest way there, and what else there was. Rule: S-2.

Where ways cost the same and differ in what they do (facing, hexes moved, rolls), the reader is asked which is meant.
"""

from __future__ import annotations

from dataclasses import dataclass

from opfor.errors import InputError
from opfor.formats.orders import mode_word
from opfor.formats.words.notation_steps import path_in_words
from opfor.game.legal.choices import Choices
from opfor.game.legal.movement import MovementChoices
from opfor.hex import DIRECTION_NAMES
from opfor.orders import MoveOrder
from opfor.rules.moving.modes import HASTY
from opfor.state import State
from opfor.units.state import UnitState

_SPEED = ("stand", "walk", "run", "evade", "sprint", "jump")


class NeedsChoices(InputError):
    """A movement given by its end alone, where no legal movements are at hand to look it up in."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is said of a movement; "" and None: nothing."""

    mode: str = ""
    cell: int | None = None
    facing: int | None = None
    attack: str = ""
    target: str = ""
    act: str = ""
    prone: bool | None = None
    elevation: int | None = None


def look_up(
    words: str, unit: UnitState, state: State, choices: Choices | None, wish: Wish, notes: list[str] | None = None
) -> MoveOrder:
    """The listed movement that ends there: of several, of the given (or slowest) mode the cheapest in MP.

    ``notes`` takes which it was, with the alternatives. Raises :class:`InputError` where there is none, or where two cost the
    same and differ in effect.
    """
    if wish.cell is None and not wish.attack and wish.facing is None:
        raise _error(f"{unit.id}: {words!r} says not where to", "write walk F2 R1 or walk to 0709 NE")
    if choices is None:
        raise NeedsChoices(
            f"{unit.id}: {words!r} gives the end alone, and no legal movements are at hand to look it up in", source="order"
        )
    cell = unit.cell if wish.cell is None and not wish.attack else wish.cell
    listed = [o for o in choices if isinstance(o, MoveOrder) and o.unit == unit.id]
    ways = [
        order
        for order in listed
        if (not wish.mode or order.mode == wish.mode)
        and (cell is None or order.to == cell)
        and (wish.facing is None or order.facing == wish.facing)
        and (wish.prone is None or order.prone == wish.prone)
        and (wish.elevation is None or order.elevation == wish.elevation)
        and (order.attack, order.target, order.act) == (wish.attack, wish.target, wish.act)
    ]
    if not ways:
        raise _none(words, unit, state, listed, wish, cell)
    mode = min((o.mode for o in ways), key=lambda mode: _SPEED.index(mode) if mode in _SPEED else 9)
    ways = [o for o in ways if o.mode == mode]
    if not all(o.prone for o in ways) and wish.prone is None:
        ways = [o for o in ways if not o.prone]
    return _cheapest(words, unit, state, ways, wish, notes)


def _cheapest(
    words: str, unit: UnitState, state: State, ways: list[MoveOrder], wish: Wish, notes: list[str] | None
) -> MoveOrder:
    """Of ways in one mode the cheapest. Raises :class:`InputError` when it is not one."""
    if wish.attack or (len(ways) == 1 and notes is None):
        # a charge or fall upon somebody is told by its attack; of the ways there the shortest
        best = min(ways, key=lambda o: (len(o.path), o.path, o.facing))
        _tell(unit, state, best, ways, {}, notes)
        return best
    known = MovementChoices(state, [unit])
    facts = {}
    for order in ways:
        option = known.option(order)
        rolls = tuple((what, tn.value if tn.possible else 99) for what, tn in option.rolls)
        facts[order] = (option.mp, len(rolls), option.hexes, rolls)
    least = min((mp, rolls) for mp, rolls, _, _ in facts.values())
    fits = sorted((o for o in ways if facts[o][:2] == least), key=lambda o: (len(o.path), o.path, o.facing, o.elevation))
    facings = sorted({o.facing for o in fits})
    heights = {o.elevation for o in fits}
    if len(facings) > 1 and not unit.spec.is_infantry:
        names = " or ".join(DIRECTION_NAMES[facing] for facing in facings)
        where = state.board.grid.names[fits[0].to]
        raise _error(
            f"{unit.id}: {words!r} may end in {where} facing {names}, at the same cost: say which",
            f"write {where} {DIRECTION_NAMES[facings[0]]}",
        )
    if len(heights) > 1:
        where = state.board.grid.names[fits[0].to]
        ends = " or ".join(f"{where} {height:+d}" for height in sorted(heights))
        raise _error(f"{unit.id}: {words!r} may end at {ends}: say which")
    if len({facts[o][2:] for o in fits}) > 1:
        shown = list({facts[o][2:]: o for o in reversed(fits)}.values())[:4]
        readings = " or ".join(f"{path_in_words(o.path)} ({_cost(facts[o])})" for o in shown)
        raise _error(f"{unit.id}: {words!r} may be {readings}: say which way")
    _tell(unit, state, fits[0], ways, facts, notes)
    return fits[0]


def _cost(fact: tuple[int, int, int, tuple[tuple[str, int], ...]]) -> str:
    mp, _, hexes, rolls = fact
    words = f"{mp} MP, {hexes} {'hex' if hexes == 1 else 'hexes'}"
    return words + "".join(f", {what} {value}+" for what, value in rolls)


def _tell(
    unit: UnitState,
    state: State,
    taken: MoveOrder,
    ways: list[MoveOrder],
    facts: dict[MoveOrder, tuple[int, int, int, tuple[tuple[str, int], ...]]],
    notes: list[str] | None,
) -> None:
    """Say which way was taken, and what else there was."""
    if notes is None or taken.mode in ("stand", "jump", "wait"):
        return
    where = f"{state.board.grid.names[taken.to]} {'' if unit.spec.is_infantry else DIRECTION_NAMES[taken.facing]}".strip()
    words = f"{unit.id}: taken as {mode_word(unit.spec, taken.mode)} {path_in_words(taken.path)} -> {where}"
    if facts:
        words += f" ({_cost(facts[taken])})"
        others: dict[int, int] = {}
        for order in ways:
            if order.facing != taken.facing:
                others[order.facing] = min(facts[order][0], others.get(order.facing, 99))
        if others and not unit.spec.is_infantry:
            words += "; other facings there: " + ", ".join(f"{DIRECTION_NAMES[f]} {others[f]} MP" for f in sorted(others))
        same = [o for o in ways if o.facing == taken.facing and o is not taken and facts[o][0] == facts[taken][0]]
        if same:
            words += f"; at the same cost also {path_in_words(same[0].path)}"
    notes.append(words)


def _none(words: str, unit: UnitState, state: State, listed: list[MoveOrder], wish: Wish, cell: int | None) -> InputError:
    """Why no listed movement fits."""
    if wish.mode in HASTY and getattr(state.ruleset, HASTY[wish.mode][0]) != "on":
        return _error(f"{unit.id}: {HASTY[wish.mode][0]} is not part of this ruleset: {words!r}")
    names = state.board.grid.names
    where = (
        f"{names[cell]} {DIRECTION_NAMES[wish.facing] if wish.facing is not None else ''}".strip() if cell is not None else ""
    )
    there = [o for o in listed if o.to == cell]
    reach = sorted({mode_word(unit.spec, o.mode) for o in there})
    hint = f"but it can {' or '.join(reach)} into that hex" if reach and not wish.attack else ""
    same = sorted({o.facing for o in there if o.mode == wish.mode}) if wish.mode and wish.facing is not None else []
    if same:
        hint = f"it can {mode_word(unit.spec, wish.mode)} there facing {', '.join(DIRECTION_NAMES[f] for f in same)}"
    verb = mode_word(unit.spec, wish.mode) or "move"
    if not hint and cell is not None and not wish.attack:
        hint = _nearest(unit, state, [o for o in listed if not wish.mode or o.mode == wish.mode], cell, verb)
    what = f"{wish.attack} {wish.target}" if wish.attack else f"{verb} to"
    return _error(f"{unit.id} cannot {what} {where}".rstrip(), hint)


def _nearest(unit: UnitState, state: State, ways: list[MoveOrder], cell: int, verb: str) -> str:
    """Who stands in a hex that is out of reach, and the nearest one that is not."""
    there = [one.id for one in state.occupants(cell) if one is not unit and not one.hidden]
    who = f"{' and '.join(there)} {'stands' if len(there) == 1 else 'stand'} there; " if there else ""
    ends = {o.to for o in ways if not o.attack and o.to != unit.cell}
    if not ends:
        return f"it cannot {verb} at all as it stands"
    grid = state.board.grid
    best = min(ends, key=lambda end: (grid.distance(end, cell), grid.names[end]))
    return f"{who}the nearest hex that it can {verb} to is {grid.names[best]}"


def _error(message: str, hint: str = "") -> InputError:
    return InputError(message, source="order", hint=hint)
