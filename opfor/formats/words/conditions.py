"""Conditional orders: what a unit that can break in does, and when. Rule: M-9a, M-9d, M-10.

    reaver: opportunity fire LRM 10 at alpha-1 when alpha-1 enters 0709
    reaver: opportunity kick alpha-1 left when alpha-1 fires
    reaver: opportunity walk F2 when alpha-1 declares
    reaver: declare now when alpha-1 declares

A moment is the declaration of an order (``declares``; ``moves``, ``fires``, ``strikes`` for one kind of it) or a hex entered.
Without a condition the order holds for the first moment at which it is legal. As JSON: an order with a further key
``when``: ``{"unit": "alpha-1", "event": "enters", "hex": "0709"}``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from opfor.errors import InputError, nearest
from opfor.formats.orders import find_unit, order_as_dict, order_from_dict
from opfor.formats.words.notation import order_from_words, order_in_words
from opfor.hex import HexError
from opfor.orders import FireOrder, MoveOrder, Order, PassOrder, PhysicalOrder, PreemptOrder
from opfor.state import State, Underway

EVENTS = ("declares", "moves", "fires", "strikes", "enters")
_EVENT_WORDS = {
    "declare": "declares", "move": "moves", "fire": "fires", "shoot": "fires", "strike": "strikes", "attack": "strikes",
    "walk": "moves", "run": "moves", "jump": "moves",
    "enter": "enters", "reach": "enters", "step": "enters", "come": "enters", "arrive": "enters",
}  # fmt: skip
_WHEN = re.compile(r"(?i)[,;]?\s*\b(?:whenever|when|if|as soon as|as|once)\s+(?P<when>.+)$")
_OPPORTUNITY = re.compile(r"(?i)^(?:as )?(?:an )?opportunity(?: action)?\s*:?\s+(?=\w)")
_ACTIONS = re.compile(
    r"(?i)(?:\d{4}\s+(?:(?:ne|nw|se|sw|n|s)\s+)?)?(?:fire|twist|flip|turret|kick|punch|push|club|hatchet|sword|walk|run|jump|cruise|flank"
    r"|leg attack|swarm)"
)
_PREEMPT = re.compile(r"(?i)^(?:declares? (?:now|first)|preempts?|interrupts?)\b")


@dataclass(frozen=True, slots=True)
class Moment:
    """When a unit breaks in: something that another unit does. ``unit`` "": whatever it is first legal against."""

    unit: str = ""
    event: str = ""
    cell: int = -1

    def met(self, state: State, underway: Underway) -> bool:
        """Whether a declaration under way is at this moment."""
        if not self.unit:
            return True
        if state.units[underway.unit].id != self.unit:
            return False
        if self.event == "enters":
            return underway.moment == state.board.grid.names[self.cell]
        kinds = {"moves": MoveOrder, "fires": FireOrder, "strikes": PhysicalOrder}
        kind = kinds.get(self.event)
        return underway.moment == "declared" and (kind is None or isinstance(underway.order, kind))

    def words(self, state: State) -> str:
        """The moment in words: ``alpha-1 enters 0709``."""
        return f"{self.unit} {self.event}" + (f" {state.board.grid.names[self.cell]}" if self.cell >= 0 else "")

    def as_dict(self, state: State) -> dict[str, str]:
        """The published form."""
        data = {"unit": self.unit, "event": self.event}
        return {**data, "hex": state.board.grid.names[self.cell]} if self.cell >= 0 else data


@dataclass(frozen=True, slots=True)
class Condition:
    """What ``unit`` does at ``moment``. ``content`` is its order in words or as JSON, read when the moment comes."""

    unit: str
    content: Any
    moment: Moment
    words: str

    def order(self, state: State) -> Order:
        """The order as the battle stands now. Raises :class:`InputError`."""
        if isinstance(self.content, Mapping):
            return order_from_dict(self.content, state)
        return order_from_words(f"{self.unit}: {self.content}", state)


def moment_of(state: State, underway: Underway) -> Moment:
    """The moment that a declaration under way has come to."""
    unit = state.units[underway.unit].id
    if underway.moment != "declared":
        return Moment(unit, "enters", state.board.grid.parse(underway.moment))
    order = underway.order
    kind = "fires" if isinstance(order, FireOrder) else "strikes" if isinstance(order, PhysicalOrder) else "moves"
    return Moment(unit, kind)


def condition_in_words(order: Order, moment: Moment, state: State) -> str:
    """A conditional order as a line that :func:`read_condition` reads back."""
    unit, _, words = order_in_words(order, state).partition(": ")
    if isinstance(order, MoveOrder):
        # where it stands by then may differ
        words = re.sub(r"^\d+,?\d*\s+(?:(?:NE|NW|SE|SW|N|S)\s+)?", "", words)
    lead = "" if isinstance(order, PreemptOrder | PassOrder) else "opportunity "
    return f"{unit}: {lead}{words} when {moment.words(state)}"


def condition_as_dict(order: Order, moment: Moment, state: State) -> dict[str, Any]:
    """A conditional order as JSON."""
    return {**order_as_dict(order, state), "when": moment.as_dict(state)}


def read_condition(content: Any, state: State) -> Condition | None:
    """A conditional order, in words or as JSON; None for an order that waits for nothing. Raises :class:`InputError`."""
    if isinstance(content, Mapping):
        return _from_dict(content, state) if "when" in content else None
    if not isinstance(content, str):
        return None
    head, colon, rest = content.strip().lstrip("*-• ").partition(":")
    words = " ".join(rest.split())
    lead = _OPPORTUNITY.match(words)
    breaks_in = lead is not None and _ACTIONS.match(words[lead.end() :])
    if not colon or not (breaks_in or (_PREEMPT.match(words) and _WHEN.search(words)) or re.match(r"(?i)pass\b", words)):
        return None
    unit = find_unit(state, head.strip(" *_"))
    found = _WHEN.search(words)
    action = words[: found.start()] if found else words
    action = action[lead.end() :] if lead else action
    moment = _moment(found["when"], unit.id, state) if found else Moment()
    return Condition(unit.id, action.strip(" ,;"), moment, f"{unit.id}: {words}")


def _moment(words: str, unit: str, state: State) -> Moment:
    found = re.fullmatch(r"(?i)(?P<who>.+?)\s+(?P<verb>[a-z]+)(?:\s+(?:into|to|in|hex|its)\b)*\s*(?P<rest>\S.*?)?\s*\.?", words)
    verbs = [*_EVENT_WORDS, *_EVENT_WORDS.values()]
    if found is None:
        raise _error(f"{unit}: cannot read the condition {words!r}", "write when UNIT declares, fires, or enters 0709")
    verb = found["verb"].lower()
    event = next(
        (_EVENT_WORDS[form] for form in (verb, verb.removesuffix("s"), verb.removesuffix("es")) if form in _EVENT_WORDS), ""
    )
    if not event:
        hint = nearest(verb, verbs) or f"use {', '.join(EVENTS)}"
        raise _error(f"{unit}: cannot read {verb!r} in the condition {words!r}", hint)
    return _checked(find_unit(state, found["who"]).id, event, found["rest"] or "", state, f"{unit}: {words!r}")


def _checked(enemy: str, event: str, hex: str, state: State, where: str) -> Moment:
    if event != "enters":
        return Moment(enemy, event)
    if not hex:
        raise _error(f"{where} names no hex", "write when UNIT enters 0709")
    try:
        return Moment(enemy, event, state.board.grid.parse(hex.strip(" .,")))
    except HexError as error:
        raise _error(f"{where}: {error}") from None


def _from_dict(data: Mapping[str, Any], state: State) -> Condition:
    when = data["when"]
    if isinstance(when, str):
        moment = _moment(when, str(data.get("unit", "")), state)
    elif isinstance(when, Mapping):
        event = str(when.get("event", ""))
        if event not in EVENTS:
            raise _error(f"{event!r} is no moment: use {', '.join(EVENTS)}", nearest(event, EVENTS), "when.event")
        enemy = find_unit(state, str(when.get("unit", "")), place="when.unit").id
        moment = _checked(enemy, event, str(when.get("hex", "")), state, "when")
    else:
        raise _error("must be an object with unit and event", place="when")
    content = {key: value for key, value in data.items() if key != "when"}
    order = order_from_dict(content, state)
    return Condition(order.unit, content, moment, condition_in_words(replace(order, reason=""), moment, state))


def _error(message: str, hint: str = "", place: str = "") -> InputError:
    return InputError(message, source="order", place=place, hint=hint)
