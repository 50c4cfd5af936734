"""Orders as JSON: the form of ``opfor orders --json`` and of what ``opfor apply`` accepts. Both ways.

Keys: ``unit``, ``kind`` (move, fire, physical, call, action, pass, preempt), then by kind: ``mode``, ``path``, ``to``,
``facing``, ``elevation``, ``prone``, ``attack``, ``target``, ``act``; ``twist`` (for a vehicle ``turret``, a facing),
``flip``, ``attacks`` (``weapon``, ``mount``, ``target``, ``mode``, ``spotter``, ``aim``), ``primary``, ``instead``;
``attack``, ``limb``, ``target``; ``what``, ``weapon``, ``mount``, ``mode``, ``at``, ``target``, ``spotter``, ``count``;
``action``, ``at``. A target is a unit's id, or a hex as ``@0512``. ``reason`` is for people and no part of the order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from opfor.errors import InputError, nearest
from opfor.formats.names import find_mount, mount_label
from opfor.formats.words.unit_names import one_of, units_named
from opfor.hex import DIRECTION_NAMES, HexError, parse_direction
from opfor.orders import ActionOrder, Attack, CallOrder, FireOrder, MoveOrder, Order, PassOrder, PhysicalOrder, PreemptOrder
from opfor.rules.moving.motions import motion_of
from opfor.rules.moving.paths import TOKENS
from opfor.state import State
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState

#: the one step of a jump
JUMP = "J"
KINDS = ("move", "fire", "physical", "call", "action", "pass", "preempt")
#: actions that go with a movement
ACTS = ("", "opportunity", "pause")
TWIST_WORDS = {-1: "left", 0: "none", 1: "right"}
_TWISTS = {"left": -1, "l": -1, "none": 0, "": 0, "right": 1, "r": 1, "-1": -1, "0": 0, "1": 1}


#: what the modes of movement are called by kinds of unit that have words of their own
_VEHICLE_MODES = {"walk": "cruise", "run": "flank"}


def mode_word(spec: UnitSpec, mode: str) -> str:
    """What a mode of movement is called: vehicles cruise and flank where 'Mechs walk and run. Rule: S-2."""
    return _VEHICLE_MODES.get(mode, mode) if spec.is_vehicle else mode


def usual_elevation(state: State, unit: UnitState, to: int, path: tuple[str, ...]) -> int:
    """The elevation at the end of a movement that nothing else is said of: the ground, or a VTOL's height. Rule: S-2, E-26."""
    if unit.spec.kind != "vtol":
        return motion_of(unit.spec).standing(state.board.hexes[to])
    level = state.board.level
    return unit.elevation + level[unit.cell] - level[to] + path.count("CLIMB") - path.count("DIVE")


def usual_twist(unit: UnitState, instead: str = "") -> int:
    """The twist of fire orders that say none: none, or where a turret points that cannot turn or that is being freed."""
    if unit.spec.turret and (instead or unit.turret or unit.engine_dead):
        return unit.twist
    return 0


def order_as_dict(order: Order, state: State) -> dict[str, Any]:
    """The published form of an order. Keys that say nothing are left out."""
    data: dict[str, Any] = {"unit": order.unit, "kind": order.kind}
    if isinstance(order, MoveOrder):
        data.update(
            mode=order.mode,
            path=list(order.path),
            to=state.board.grid.names[order.to],
            facing=DIRECTION_NAMES[order.facing],
            elevation=order.elevation,
        )
        data.update({key: getattr(order, key) for key in ("prone", "attack", "target", "act") if getattr(order, key)})
    elif isinstance(order, FireOrder):
        unit = state.unit(order.unit)
        spec = unit.spec
        attacks = []
        for attack in order.attacks:
            row: dict[str, Any] = {"weapon": mount_label(spec, attack.mount), "mount": attack.mount, "target": attack.target}
            row.update({key: getattr(attack, key) for key in ("mode", "spotter", "aim") if getattr(attack, key)})
            attacks.append(row)
        if spec.turret:
            data["turret"] = DIRECTION_NAMES[(unit.facing + order.twist) % 6]
        else:
            data["twist"] = TWIST_WORDS[order.twist]
        data["attacks"] = attacks
        if order.clear:
            data["instead"] = instead_word(spec, order.clear)
        data.update({key: getattr(order, key) for key in ("flip", "primary") if getattr(order, key)})
    elif isinstance(order, CallOrder):
        data["what"] = order.what
        if order.mount >= 0:
            data.update(weapon=mount_label(state.unit(order.unit).spec, order.mount), mount=order.mount)
        if order.cell >= 0:
            data["at"] = state.board.grid.names[order.cell]
        data.update({key: getattr(order, key) for key in ("mode", "target", "spotter", "count") if getattr(order, key)})
    elif isinstance(order, ActionOrder):
        data["action"] = order.action
        if order.cell >= 0:
            data["at"] = state.board.grid.names[order.cell]
    elif isinstance(order, PhysicalOrder):
        data.update({key: getattr(order, key) for key in ("attack", "limb", "target") if getattr(order, key)})
    if order.reason:
        data["reason"] = order.reason
    return data


def instead_word(spec: UnitSpec, task: str) -> str:
    """What a unit does instead of firing, in words: ``clear turret``, ``clear LRM 10``, ``dig in``, ``let go``."""
    if task == "turret":
        return "clear turret"
    if task == "opportunity":
        return "hold opportunity"
    return f"clear {mount_label(spec, int(task))}" if task.isdigit() else task


def instead_from_word(spec: UnitSpec, words: str) -> str:
    """What :func:`instead_word` says. Raises :class:`InputError` for a weapon that the unit does not have."""
    plain = " ".join(words.lower().split())
    if re.fullmatch(r"(?:(?:holds?|keeps?|ready|declares?) )?(?:an? )?opportunity(?: action)?", plain):
        return "opportunity"
    if plain in ("clear mines", "clear the mines"):
        return "clear mines"
    found = re.fullmatch(r"(?i)(?:clear|unjam|free|fix)\s+(?:the\s+)?(.+?)(?:\s+jam)?", " ".join(words.split()))
    if not found:
        return plain
    return "turret" if found[1].lower() == "turret" else str(find_mount(spec, found[1])[0])


def find_target(state: State, word: str, *, place: str = "") -> str:
    """A target: a unit's id, or a hex as ``@0512``. Raises :class:`InputError`."""
    hexed = re.fullmatch(rf"(?i)\s*(?:(?:the\s+)?hex\s+|@\s*)({state.board.grid.pattern})\s*", word)
    if hexed is None and word.strip().lower() not in (unit.id.lower() for unit in state.units):
        if state.board.grid.read and (named := units_named(state, word)):
            return one_of(named, word, place).id
        hexed = re.fullmatch(rf"\s*({state.board.grid.pattern})\s*", word)
    if hexed is None:
        return find_unit(state, word, place=place).id
    try:
        return f"@{state.board.grid.names[state.board.grid.parse(hexed[1])]}"
    except HexError as error:
        raise _error(place, str(error)) from None


def order_from_dict(data: Any, state: State, *, place: str = "") -> Order:
    """Read one order. Raises :class:`InputError` (source ``order``) with the place of what is wrong."""
    if not isinstance(data, Mapping):
        raise _error(place, f"{data!r} is no order: write an object with unit and kind")
    unit = find_unit(state, _text(data, "unit", place), place=_at(place, "unit"))
    kind = data.get("kind", "fire" if "attacks" in data else "move" if "mode" in data else "physical" if "limb" in data else "")
    reason = str(data.get("reason", ""))
    if kind == "move":
        return _move(data, state, unit, place, reason)
    if kind == "fire":
        return _fire(data, state, unit, place, reason)
    if kind == "physical":
        target = _text(data, "target", place, "")
        return PhysicalOrder(
            unit.id,
            _text(data, "attack", place, ""),
            _text(data, "limb", place, ""),
            find_unit(state, target, place=_at(place, "target")).id if target else "",
            reason=reason,
        )
    if kind == "pass":
        return PassOrder(unit.id, reason=reason)
    if kind == "preempt":
        return PreemptOrder(unit.id, reason=reason)
    if kind == "action":
        name = _text(data, "action", place, "")
        try:
            name = find_action(state, name) if name else ""
        except InputError as error:
            raise _error(_at(place, "action"), error.message, error.hint) from None
        return ActionOrder(unit.id, name, _hex(data, "at", state, place), reason=reason)
    if kind == "call":
        return _call(data, state, unit, place, reason)
    raise _error(_at(place, "kind"), f"{kind!r} is no kind of order: use {', '.join(KINDS)}", nearest(str(kind), KINDS))


def orders_from_json(data: Any, state: State) -> list[Order]:
    """Read one order, a list of them, or the document that ``opfor orders --json`` prints."""
    if isinstance(data, Mapping) and "orders" in data:
        data = data["orders"]
        if not isinstance(data, Sequence) or isinstance(data, str):
            raise _error("orders", "must be a list")
    if isinstance(data, Mapping):
        return [order_from_dict(data, state)]
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise _error("", "orders are a list of objects, or an object with the key orders")
    return [order_from_dict(item, state, place=f"orders[{index}]") for index, item in enumerate(data)]


def find_unit(state: State, word: str, *, place: str = "") -> UnitState:
    """A unit by its id, forgiving case, or by a call sign that only one unit bears. Raises :class:`InputError`."""
    found = units_named(state, word)
    if found:
        return one_of(found, word, place)
    ids = [u.id for u in state.units]
    near = nearest(word.strip(), ids) or nearest(word.strip(), [u.name for u in state.units])
    raise _error(place, f"there is no unit {word.strip()!r}", near or f"units: {', '.join(ids[:12])}")


def find_action(state: State, name: str) -> str:
    """A mission action of the scenario by its name, forgiving case and spacing. Raises :class:`InputError`. Rule: A-1."""
    known = [one.name for one in state.actions]
    wanted = re.sub(r"[\s_-]+", "", name.lower())
    for one in known:
        if re.sub(r"[\s_-]+", "", one.lower()) == wanted:
            return one
    hint = nearest(name, known) or (f"actions: {', '.join(known)}" if known else "the scenario lists none")
    raise _error("", f"there is no mission action {name!r}", hint)


def _hex(data: Mapping[str, Any], key: str, state: State, place: str) -> int:
    """A hex by its number, -1 when there is none."""
    if key not in data:
        return -1
    try:
        return state.board.grid.parse(data[key])
    except HexError as error:
        raise _error(_at(place, key), str(error)) from None


def _call(data: Mapping[str, Any], state: State, unit: UnitState, place: str, reason: str) -> CallOrder:
    what = _text(data, "what", place, "")
    if what not in ("", "artillery", "bomb"):
        raise _error(_at(place, "what"), f"{what!r} is nothing to announce: use artillery or bomb")
    mount = -1
    if "mount" in data or "weapon" in data:
        mount = _mount(data, unit, place, set())
    count = data.get("count", 0)
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise _error(_at(place, "count"), f"{count!r} is no number of bombs")
    ids = {}
    for key in ("target", "spotter"):
        word = _text(data, key, place, "")
        ids[key] = find_unit(state, word, place=_at(place, key)).id if word else ""
    cell = _hex(data, "at", state, place)
    mode = _text(data, "mode", place, "")
    return CallOrder(unit.id, what, mount, mode, cell, ids["target"], ids["spotter"], count, reason=reason)


def _move(data: Mapping[str, Any], state: State, unit: UnitState, place: str, reason: str) -> MoveOrder:
    grid = state.board.grid
    try:
        to = grid.parse(data["to"]) if "to" in data else unit.cell
    except HexError as error:
        raise _error(_at(place, "to"), str(error)) from None
    try:
        facing = parse_direction(data["facing"]) if "facing" in data else unit.facing
    except HexError as error:
        raise _error(_at(place, "facing"), str(error)) from None
    path = data.get("path", [])
    if not isinstance(path, Sequence) or isinstance(path, str) or not all(isinstance(step, str) for step in path):
        raise _error(_at(place, "path"), 'must be a list of steps, as ["F", "F", "R"]')
    for index, step in enumerate(path):
        if step not in TOKENS and step != JUMP:
            raise _error(_at(place, f"path[{index}]"), f"{step!r} is no step", f"steps: {', '.join((*TOKENS, JUMP))}")
    elevation = data.get("elevation", usual_elevation(state, unit, to, tuple(path)))
    if not isinstance(elevation, int) or isinstance(elevation, bool):
        raise _error(_at(place, "elevation"), f"{elevation!r} is no whole number")
    act = _text(data, "act", place, "")
    if act not in ACTS:
        raise _error(_at(place, "act"), f"{act!r} is no action that goes with a movement", nearest(act, ACTS[1:]))
    target = _text(data, "target", place, "")
    return MoveOrder(
        unit.id,
        _text(data, "mode", place),
        tuple(path),
        to,
        facing,
        elevation,
        _flag(data, "prone", place),
        _text(data, "attack", place, ""),
        find_unit(state, target, place=_at(place, "target")).id if target else "",
        act,
        reason=reason,
    )


def _fire(data: Mapping[str, Any], state: State, unit: UnitState, place: str, reason: str) -> FireOrder:
    instead = _text(data, "instead", place, "")
    if instead:
        try:
            instead = instead_from_word(unit.spec, instead)
        except InputError as error:
            raise _error(_at(place, "instead"), error.message, error.hint) from None
    twist = _twist(data, unit, place, instead)
    rows = data.get("attacks", [])
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise _error(_at(place, "attacks"), "must be a list")
    attacks: list[Attack] = []
    for index, row in enumerate(rows):
        at = _at(place, f"attacks[{index}]")
        if not isinstance(row, Mapping):
            raise _error(at, f"{row!r} is no attack: write an object with weapon and target")
        attacks.append(_attack(row, state, unit, at, {a.mount for a in attacks}))
    attacks.sort(key=lambda a: a.mount)
    primary = _text(data, "primary", place, "")
    if primary:
        primary = find_target(state, primary, place=_at(place, "primary"))
    elif rows:
        primary = find_target(state, str(rows[0]["target"]))
    return FireOrder(unit.id, twist, _flag(data, "flip", place), tuple(attacks), primary, instead, reason=reason)


def _twist(data: Mapping[str, Any], unit: UnitState, place: str, instead: str) -> int:
    """The twist of a torso, or a turret's facing as hexsides from the hull's."""
    if "turret" in data:
        if not unit.spec.turret:
            raise _error(_at(place, "turret"), f"{unit.id} has no turret")
        try:
            return (parse_direction(data["turret"]) - unit.facing + 2) % 6 - 2
        except HexError as error:
            raise _error(_at(place, "turret"), str(error)) from None
    if "twist" not in data:
        return usual_twist(unit, instead)
    twist = str(data["twist"]).lower()
    if twist not in _TWISTS:
        raise _error(_at(place, "twist"), f"{data['twist']!r} is no torso twist: use left, right or none")
    return _TWISTS[twist]


def _attack(row: Mapping[str, Any], state: State, unit: UnitState, at: str, taken: set[int]) -> Attack:
    mount = _mount(row, unit, at, taken)
    spotter = _text(row, "spotter", at, "")
    target = find_target(state, _text(row, "target", at), place=_at(at, "target"))
    aim = _text(row, "aim", at, "")
    return Attack(
        mount,
        target,
        _text(row, "mode", at, ""),
        find_unit(state, spotter, place=_at(at, "spotter")).id if spotter else "",
        aim.lower() if target.startswith("@") else aim.upper(),
    )


def _mount(row: Mapping[str, Any], unit: UnitState, at: str, taken: set[int]) -> int:
    """The weapon of an attack, by ``mount`` or ``weapon``."""
    mount = row.get("mount")
    if mount is None:
        try:
            return find_mount(unit.spec, _text(row, "weapon", at), taken)[0]
        except InputError as error:
            raise _error(_at(at, "weapon"), error.message, error.hint) from None
    if not isinstance(mount, int) or isinstance(mount, bool) or not 0 <= mount < len(unit.spec.mounts):
        raise _error(_at(at, "mount"), f"{unit.id} has no weapon number {mount!r}")
    return mount


def _text(data: Mapping[str, Any], key: str, place: str, default: str | None = None) -> str:
    value = data.get(key, default)
    if value is None:
        raise _error(place, f"{key} is missing")
    if not isinstance(value, str):
        raise _error(_at(place, key), f"{value!r} must be text")
    return value


def _flag(data: Mapping[str, Any], key: str, place: str) -> bool:
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise _error(_at(place, key), f"{value!r} must be true or false")
    return value


def _at(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _error(place: str, message: str, hint: str = "") -> InputError:
    return InputError(message, source="order", place=place, hint=hint)
