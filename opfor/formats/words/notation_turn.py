"""Orders of the campaign's turn in words: announcements, mission actions, letting a moment pass, taking one's turn first.

    long-tom: artillery Long Tom at 0812 spotted by alpha-2
    lance: artillery Arrow IV (homing) homing on alpha-1
    warrior: bomb run at 0812, 4 bombs
    warrior: no call
    foot: action deploy-device at 0811
    reaver: pass
    reaver: declare now

Written and read back. Rule: E-4, A-1, M-9, M-10.
"""

from __future__ import annotations

import re

from opfor.errors import InputError, nearest
from opfor.formats.names import find_mount, mount_label
from opfor.formats.orders import find_action, find_unit
from opfor.hex import HexError
from opfor.orders import ActionOrder, CallOrder, Order, PassOrder, PreemptOrder
from opfor.state import State
from opfor.units.state import UnitState

CALL_WORDS = ("artillery", "bomb run", "no call")
TURN_WORDS = (*CALL_WORDS, "action", "pass", "declare now")
#: first words of each kind of order, as people begin them
STARTS: dict[str, str] = {
    "call": r"artillery\b|shell\b|bombard\b|bomb(?:s|ing)?\b|daisy cutter|no calls?\b|no artillery|no bombs?\b|announce",
    "action": r"(?:mission )?actions?\b|starts? action\b|no (?:mission )?actions?\b",
    "pass": r"pass(?:es)?\b|lets? (?:it|that|the moment) pass|no reaction|no opportunity",
    "preempt": r"declares? (?:now|first)|preempts?\b|interrupts?\b|takes? (?:its|the|my|his|her) turn(?: now)?",
}


def turn_in_words(order: Order, unit: UnitState, state: State) -> str:
    """The order as words, without the unit's name."""
    if isinstance(order, PassOrder):
        return "pass"
    if isinstance(order, PreemptOrder):
        return "declare now"
    names = state.board.grid.names
    if isinstance(order, ActionOrder):
        if not order.action:
            return "no action"
        return f"action {order.action}" + (f" at {names[order.cell]}" if order.cell >= 0 else "")
    assert isinstance(order, CallOrder)
    if not order.what:
        return "no call"
    where = f" at {names[order.cell]}" if order.cell >= 0 else ""
    if order.what == "bomb":
        kind = f"{order.mode} " if order.mode else ""
        words = f"bomb run{where}, {order.count} {kind}{'bomb' if order.count == 1 else 'bombs'}"
    else:
        mode = f" ({order.mode})" if order.mode else ""
        words = f"artillery {mount_label(unit.spec, order.mount)}{mode}{where}"
    if order.target:
        words += f" homing on {order.target}"
    if order.spotter:
        words += f" spotted by {order.spotter}"
    return words


def read_turn(kind: str, words: str, unit: UnitState, state: State) -> Order:
    """Read an order of one of the kinds of :data:`STARTS`. Raises :class:`InputError` quoting what cannot be read."""
    words = words.strip(" .")
    if kind == "pass":
        return PassOrder(unit.id)
    if kind == "preempt":
        return PreemptOrder(unit.id)
    if kind == "action":
        return _read_action(words, unit, state)
    if re.match(r"(?i)(?:no|announces? (?:nothing|no))\b", words):
        return CallOrder(unit.id)
    words = re.sub(r"(?i)^announces?\s*:?\s*", "", words)
    rest, spotter = _cut(words, r"(?:,?\s*(?:spotted by|spotter|observed by)\s*:?)", unit, state)
    rest, target = _cut(rest, r"(?:,?\s*(?:homing on|homing at|guided to|tag on)\s*:?)", unit, state)
    if re.match(r"(?i)bomb(?!ard)|daisy", rest):
        return _read_bombs(rest, unit, state, target, spotter)
    return _read_artillery(rest, unit, state, target, spotter)


def _cut(words: str, lead: str, unit: UnitState, state: State) -> tuple[str, str]:
    """Cut ``lead UNIT`` out of the words: (the rest, the unit's id or "")."""
    found = re.search(rf"(?i){lead}\s+(.+?)(?=\s+(?:spotted by|spotter|observed by|homing on|at)\b|[,;]|$)", words)
    if not found or found.start() == 0:
        return words, ""
    return f"{words[: found.start()]}{words[found.end() :]}", find_unit(state, found[1].strip(" .,")).id


def _cell(words: str, unit: UnitState, state: State) -> tuple[str, int]:
    """Cut ``at HEX`` out of the words: (the rest, the cell or -1)."""
    found = re.search(rf"(?i)\s*\b(?:at|on|over|into)\s+(?:hex\s+)?({state.board.grid.pattern})\b", words)
    if not found:
        return words, -1
    try:
        return words[: found.start()] + words[found.end() :], state.board.grid.parse(found[1])
    except HexError as error:
        raise _error(f"{unit.id}: {error}") from None


def _read_artillery(words: str, unit: UnitState, state: State, target: str, spotter: str) -> CallOrder:
    rest, cell = _cell(words, unit, state)
    name = re.sub(r"(?i)^(?:artillery|shell|bombard)(?:s|\s+fire)?\s*(?:with|by|from)?\s*:?", "", rest).strip(" ,;")
    if not name:
        mounts = ", ".join(mount_label(unit.spec, m.index) for m in unit.spec.mounts)
        raise _error(f"{unit.id}: {words!r} names no weapon", f"write artillery WEAPON at HEX; it has {mounts or 'none'}")
    if cell < 0 and not target:
        raise _error(f"{unit.id}: {words!r} says not where to", "write artillery WEAPON at 0812, or homing on UNIT")
    try:
        mount, details = find_mount(unit.spec, name, set())
    except InputError as error:
        raise _error(f"{unit.id}: {error.message}", error.hint) from None
    mode = ""
    modes = {m.name.lower(): m.name for m in unit.spec.mounts[mount].modes}
    for detail in details:
        if detail.lower() not in modes:
            known = [m for m in modes.values() if m]
            raise _error(f"{unit.id}: cannot read {detail!r} of {name!r}", nearest(detail, known) or f"use {', '.join(known)}")
        mode = modes[detail.lower()]
    return CallOrder(unit.id, "artillery", mount, mode, cell, target, spotter)


def _read_bombs(words: str, unit: UnitState, state: State, target: str, spotter: str) -> CallOrder:
    rest, cell = _cell(words, unit, state)
    if cell < 0 and not target:
        raise _error(f"{unit.id}: {words!r} says not where to", "write bomb run at 0812, 4 bombs")
    found = re.search(r"(?i)[,;]?\s*(?:with|drops?|dropping)?\s*\b(\d+|one|all|a)\s+(?:(\S.*?)\s+)?bombs?\b", rest)
    count, mode = unit.bombs, ""
    if found:
        said = found[1].lower()
        count = {"one": 1, "a": 1, "all": unit.bombs}.get(said) or int(said) if not said.isdigit() else int(said)
        mode = (found[2] or "").lower()
    elif re.search(r"\d", rest):
        raise _error(f"{unit.id}: cannot read {words!r}", "write bomb run at 0812, 4 bombs")
    return CallOrder(unit.id, "bomb", -1, mode, cell, target, spotter, count)


def _read_action(words: str, unit: UnitState, state: State) -> ActionOrder:
    if words.lower().startswith("no"):
        return ActionOrder(unit.id)
    rest, cell = _cell(words, unit, state)
    name = re.sub(r"(?i)^(?:starts?\s+)?(?:mission\s+)?actions?\s*:?", "", rest).strip(" ,;:'\"")
    if not name:
        known = ", ".join(one.name for one in state.actions)
        raise _error(f"{unit.id}: {words!r} names no action", f"actions: {known}" if known else "the scenario lists none")
    try:
        return ActionOrder(unit.id, find_action(state, name), cell)
    except InputError as error:
        raise _error(f"{unit.id}: {error.message}", error.hint) from None


def _error(message: str, hint: str = "") -> InputError:
    return InputError(message, source="order", hint=hint)
