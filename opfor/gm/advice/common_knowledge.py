"""What everybody knows of a battle: the position that posts, maps and public orders are made from.

Units that are hidden from anybody are not in it, nor mines, shells to come and what hangs on them. Rule: E-4, S-10.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from opfor.game.view import seen_by
from opfor.orders import ActionOrder, Attack, CallOrder, FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.rules.events import Event
from opfor.state import State

#: what stands in a post in place of a unit that nobody may be told of
UNSEEN = "an unseen unit"
#: events that tell the place of something that is still its side's secret
_SECRET = ("announced", "mines_laid", "mines_lost", "mines_scatter")
#: events whose unit is told as unseen, because what they tell strikes others
_STRIKING = ("shell", "burst", "scatters", "bombs", "bombs_away", "unobserved", "mines")


class CommonKnowledge:
    """The position that everybody knows, ``state``, and the ids of units that are ``concealed`` in it.

    That is what every one of the ``readers`` (sides, those of players; all where there are none) knows, without units that are
    hidden from anybody. ``state`` follows movements told of by :meth:`follow`: later orders of a unit are seen from where it
    then stands.
    """

    __slots__ = ("concealed", "state")

    def __init__(self, battle: State, readers: Sequence[int] = ()) -> None:
        state = battle
        for side in readers or range(len(battle.sides)):
            state = seen_by(state, side)
        hidden = {unit.id for unit in battle.units if unit.hidden}
        concealed = set()
        for unit, true in zip(state.units, battle.units, strict=True):
            # a unit shown where it is not is only guessed at
            if true.gone or not (unit.gone or unit.cell != true.cell or true.hidden or true.aboard in hidden):
                continue
            concealed.add(unit.id)
            unit.gone, unit.cell = True, -1
            unit.aboard = unit.swarming = ""
        state.shells = [shell for shell in state.shells if shell.level is not None and shell.order.unit not in concealed]
        state.pending = [one for one in state.pending if one.attacker not in concealed and one.target not in concealed]
        state.charges = [one for one in state.charges if one.unit not in concealed and one.target not in concealed]
        for unit in state.units:
            if unit.swarming in concealed:
                unit.swarming = ""
        state.touch()
        self.state = state
        self.concealed = frozenset(concealed)

    def bare(self, order: Order) -> Order | None:
        """An order without its reason and without what is concealed; None where nothing that may be told is left."""
        hidden = self.concealed
        if order.unit in hidden or isinstance(order, CallOrder):
            return None
        if isinstance(order, FireOrder):
            attacks = tuple(
                Attack(one.mount, one.target, one.mode, "" if one.spotter in hidden else one.spotter, one.aim)
                for one in order.attacks
                if one.target not in hidden
            )
            if order.attacks and not attacks:
                return None
            primary = order.primary if order.primary not in hidden else attacks[0].target
            return replace(order, attacks=attacks, primary=primary, reason="")
        if isinstance(order, MoveOrder | PhysicalOrder) and order.target in hidden:
            return None
        if isinstance(order, ActionOrder):
            return replace(order, reason="")
        return replace(order, reason="")

    def follow(self, order: Order) -> None:
        """A unit moves as ordered, where that may be told."""
        bare = self.bare(order)
        if isinstance(bare, MoveOrder):
            unit = self.state.unit(bare.unit)
            if unit.gone:
                return
            unit.cell, unit.facing, unit.elevation, unit.prone = bare.to, bare.facing, bare.elevation, bare.prone
            if "EXIT" in bare.path:
                unit.gone = True
            self.state.touch()


def told(before: State, events: Iterable[Event], readers: Sequence[int] = ()) -> list[Event]:
    """Events that every side may read of: those of concealed units are left out, or their units named as unseen.

    A unit is told of from the moment at which it is found.
    """
    known = CommonKnowledge(before, readers)
    concealed = set(known.concealed)
    found = []
    for event in events:
        if event.what == "revealed":
            concealed -= {event.unit}
            concealed -= {unit.id for unit in before.units if unit.aboard == event.unit}
        if event.what in _SECRET or (event.unit in concealed and event.what not in _STRIKING):
            continue
        if not concealed:
            found.append(event)
            continue
        pattern = _names(concealed)
        unit = UNSEEN if event.unit in concealed else event.unit
        found.append(Event(event.what, unit, event.rule, {key: _masked(value, pattern) for key, value in event.data.items()}))
    return found


def mentions(text: str, ids: Iterable[str]) -> bool:
    """Whether a text names one of these units."""
    wanted = set(ids)
    return bool(wanted) and _names(wanted).search(text) is not None


def without(lines: Sequence[str], known: CommonKnowledge) -> tuple[str, ...]:
    """The lines that name no concealed unit."""
    return tuple(one for one in lines if not mentions(one, known.concealed))


def _names(ids: set[str]) -> re.Pattern[str]:
    every = "|".join(re.escape(id) for id in sorted(ids, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{every})(?![\w-])")


def _masked(value: Any, pattern: re.Pattern[str]) -> Any:
    if isinstance(value, str):
        return pattern.sub(UNSEEN, value)
    if isinstance(value, list):
        return [_masked(one, pattern) for one in value]
    if isinstance(value, dict):
        return {key: _masked(one, pattern) for key, one in value.items()}
    return value
