"""Orders in words, as play-by-mail forms write them. Written by :func:`order_in_words`, read by :func:`orders_from_words`.

    Reaver: 0611 N walk F2 R1 F1 -> 0709 NE
    Reaver: twist right, fire LRM 10 + Medium Laser (LA) at alpha-2, fire SRM 6 at alpha-3
    Reaver: kick alpha-2 left
    Scorpion: turret NE, fire Autocannon/5 at alpha-1
    Scorpion: fire Autocannon/5 at hex 0512
    Scorpion: clear turret
    Elementals: swarm alpha-1
    Reaver: evade F2 R1 -- walk F2, opportunity -- walk F2, pause -- hold opportunity

Announcements, mission actions and breaking in: :mod:`opfor.formats.words.notation_turn`; conditions:
:mod:`opfor.formats.words.conditions`.

Lines that begin with a space or ``#`` are remarks. Case and spacing do not matter; an unknown word is quoted back with the
nearest one. A movement given by its end alone (``walk to 0709 NE``) is looked up among the legal orders.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from opfor.errors import InputError, nearest
from opfor.formats.names import find_location, mount_label
from opfor.formats.orders import find_target, find_unit, instead_from_word, instead_word, usual_twist
from opfor.formats.words.notation_moves import move_in_words, read_move
from opfor.formats.words.notation_physical import PHYSICAL_WORDS, physical_in_words, read_physical
from opfor.formats.words.notation_turn import STARTS, TURN_WORDS, read_turn, turn_in_words
from opfor.formats.words.notation_weapons import bearing, everything, find_weapons, is_everything, is_group
from opfor.game.legal.choices import Choices
from opfor.hex import DIRECTION_NAMES, HexError, parse_direction
from opfor.orders import Attack, FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.rules.shooting.to_hit import Posture
from opfor.state import State
from opfor.units.state import UnitState

MOVE_WORDS = (
    "walk",
    "run",
    "jump",
    "stand",
    "cruise",
    "flank",
    "hold position",
    "no movement",
    "climb",
    "dive",
    "mount",
    "dismount",
    "evade",
    "sprint",
    "wait",
)
FIRE_WORDS = (
    "fire", "twist", "flip arms", "hold fire", "turret", "clear turret", "leg attack", "swarm", "dig in", "let go",
    "hold opportunity",
)  # fmt: skip
#: words of actions that other rulesets know
LATER_WORDS = {
    "spot": "spotting as an order of its own: name the spotter with the weapon, as LRM 15 (spotter alpha-2),",
}
_MOVEMENT = re.compile(
    r"(?:walk|run|jump|stand|cruise|flank|evad|sprint|wait|opportunity|paus|hold"
    r"|no move|charge|ram\b|dfa|death|su\b|to\b|->|climb|dive"
    r"|mount|board|embark|dismount|disembark|get"
    r"|(?:ne|nw|se|sw|n|s)\d*\b|[flrb]\d*\b|s[lr]b?\d*\b|prone|careful|exit)"
)
#: what a unit may do instead of firing: rules.vehicle_tasks, rules.anti_mech
_HOLD = r"(?:holds?|keeps?|ready|declares?) (?:an? )?opportunity(?: action)?"
_INSTEAD = rf"clear|unjam|free turret|dig in|dig\b|let go|{_HOLD}"
_CONDITION = re.compile(r"opportunity (?:action )?(?:fire|kick|punch|push|club|hatchet|sword|walk|run|jump|cruise|flank)\b")
#: attacks from the target's own hex that have words of their own, by the id of their mount
_CLOSE = {"leg_attack": "leg attack", "swarm": "swarm"}
#: what may be meant by fire at a hex beside breaking down what stands there: rules.hexes
_MEANT = {
    "ignite": "ignite", "set on fire": "ignite", "set it on fire": "ignite", "burn": "ignite",
    "mines": "mines", "clear mines": "mines", "clear the mines": "mines",
    "sow": "sow", "lay mines": "sow", "sow mines": "sow", "area": "area", "all around": "area",
}  # fmt: skip
_TWIST = {-1: "twist left", 1: "twist right"}


def order_in_words(order: Order, state: State) -> str:
    """An order as a line that :func:`order_from_words` reads back to the same order."""
    unit = state.unit(order.unit)
    if isinstance(order, MoveOrder):
        words = move_in_words(order, unit, state)
    elif isinstance(order, FireOrder):
        words = _fire_in_words(order, unit)
    elif isinstance(order, PhysicalOrder):
        words = physical_in_words(order, unit)
    else:
        words = turn_in_words(order, unit, state)
    return f"{order.unit}: {words}"


def orders_from_words(text: str, state: State, choices: Choices | None = None) -> Iterator[Order]:
    """Orders of a text, one a line; remarks and empty lines are passed over.

    Lazy, so that orders that depend on earlier ones can be read against the battle as it then stands.
    """
    for number, line in order_lines(text):
        try:
            yield order_from_words(line, state, choices)
        except InputError as error:
            raise type(error)(error.message, place=f"line {number}", hint=error.hint) from None


def order_lines(text: str) -> list[tuple[int, str]]:
    """The lines of a text that are orders, with their numbers."""
    lines = text.splitlines()
    return [(n, line) for n, line in enumerate(lines, start=1) if line.strip() and line[0] not in " \t#>"]


def kind_of_words(line: str, state: State) -> str:
    """The kind of order that a line must be, told from its first words: move, fire, physical ...; "" when it cannot be told."""
    _, colon, rest = line.partition(":")
    try:
        return order_from_words(line, state).kind
    except InputError:
        hexes = state.board.grid.pattern
        first = re.sub(rf"^(?:{hexes})(?:\s+(?:ne|nw|se|sw|n|s|[0-5])\b)?\s*", "", rest.strip().lower())
        return "move" if colon and _MOVEMENT.match(first) else ""


def order_from_words(line: str, state: State, choices: Choices | None = None, notes: list[str] | None = None) -> Order:
    """Read one order. ``choices`` are the legal orders, for movements given by their end; ``notes`` takes what was chosen.

    Raises :class:`InputError` (source ``order``) quoting what cannot be read. Whether the order is legal is not asked.
    """
    head, colon, rest = line.strip().lstrip("*-• ").partition(":")
    if not colon or not rest.strip():
        raise _error(f"{line.strip()!r} is no order: write UNIT: what it does")
    unit = find_unit(state, head.strip(" *_"))
    words = " ".join(re.sub(r"→|=>|—>", "->", rest).split())
    small = words.lower()
    # infantry has no facing: what follows its hex is a step already
    faced = "" if unit.spec.is_infantry else r"(?:\s+(?:ne|nw|se|sw|n|s|[0-5])\b)?"
    first = re.sub(rf"^(?:{state.board.grid.pattern}){faced}\s*(?=\S)", "", small)
    for word, what in LATER_WORDS.items():
        if re.match(rf"{word}\b", first):
            raise _error(f"{unit.id}: {what} is not part of this ruleset: {words!r}")
    if _CONDITION.match(first):
        raise _error(
            f"{unit.id}: {words!r} breaks in on another unit: hand it in together with that unit's order",
            "write opportunity fire WEAPON at UNIT when UNIT enters 0709",
        )
    for kind, start in STARTS.items():
        if re.match(start, first):
            return read_turn(kind, words[len(small) - len(first) :], unit, state)
    if re.fullmatch(r"(?:an? )?opportunity(?: action)?\.?", first) and unit.moved:
        words = first = f"hold {first}".rstrip(".")
    if re.match(_HOLD, first) and not unit.moved:
        return read_move(words, unit, state, choices, notes)
    if re.match(rf"(?:fire|hold fire|twist|flip|{_INSTEAD}|turret|leg attack|swarm)\b", first):
        return _read_fire(words, unit, state, notes)
    if re.match(r"(?:kick|punch|push|club|hatchet|sword|pick ?up|no physical|no attack)", first):
        return read_physical(words, unit, state, notes)
    if _MOVEMENT.match(first):
        return read_move(words, unit, state, choices, notes)
    word = first.split()[0] if first.split() else small.split()[0]
    known = [*MOVE_WORDS, *FIRE_WORDS, *PHYSICAL_WORDS, *TURN_WORDS]
    raise _error(f"{unit.id}: cannot read {word!r} in {words!r}", nearest(word, known) or f"orders: {', '.join(known)}")


# -- fire -------------------------------------------------------------------------------------------------------------


def _fire_in_words(order: FireOrder, unit: UnitState) -> str:
    parts = []
    if unit.spec.turret:
        if order.twist != usual_twist(unit, order.clear):
            parts.append(f"turret {DIRECTION_NAMES[(unit.facing + order.twist) % 6]}")
    elif order.twist:
        parts.append(_TWIST[order.twist])
    if order.flip:
        parts.append("flip arms")
    if order.clear:
        return ", ".join([*parts, instead_word(unit.spec, order.clear)])
    if not order.attacks:
        return ", ".join([*parts, "hold fire"])
    targets = list(dict.fromkeys(a.target for a in order.attacks))
    targets.sort(key=lambda target: target != order.primary)
    only = order.attacks[0]
    close = _CLOSE.get(unit.spec.mounts[only.mount].id, "")
    if close and len(order.attacks) == 1 and order.primary == only.target and not (only.mode or only.spotter or only.aim):
        return ", ".join([*parts, f"{close} {only.target}"])
    for target in targets:
        weapons = " + ".join(_weapon_in_words(a, unit) for a in order.attacks if a.target == target)
        parts.append(f"fire {weapons} at {_target_in_words(target)}")
    if order.primary != targets[0]:
        parts.append(f"primary {_target_in_words(order.primary) or 'none'}")
    return ", ".join(parts)


def _target_in_words(target: str) -> str:
    """A unit's id, or a hex that is shot at for what stands in it."""
    return f"hex {target[1:]}" if target.startswith("@") else target


def _weapon_in_words(attack: Attack, unit: UnitState) -> str:
    label = mount_label(unit.spec, attack.mount)
    details = [attack.mode] if attack.mode else []
    if attack.spotter:
        details.append(f"spotter {attack.spotter}")
    if attack.aim:
        details.append(attack.aim if attack.target.startswith("@") else f"aim {attack.aim}")
    if not details:
        return label
    inside = re.search(r" \(([^()]*)\)$", label) if unit.spec.mounts[attack.mount].name != label else None
    if inside:
        return f"{label[: inside.start()]} ({', '.join([inside[1], *details])})"
    return f"{label} ({', '.join(details)})"


def split_list(text: str, separators: str) -> list[str]:
    """Split outside brackets."""
    parts, depth, start = [], 0, 0
    for found in re.finditer(rf"[()\[\]]|{separators}", text):
        if found[0] in "([":
            depth += 1
        elif found[0] in ")]":
            depth -= 1
        elif depth <= 0:
            parts.append(text[start : found.start()])
            start = found.end()
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def _read_fire(words: str, unit: UnitState, state: State, notes: list[str] | None = None) -> FireOrder:
    twist: int | None = None
    flip, hold, primary, instead = False, False, "", ""
    attacks: list[Attack] = []
    volleys: list[str] = []
    first_target = ""
    # each clause begins with its word; commas and semicolons between clauses are welcome and not needed
    pieces = re.split(
        r"(?i)[,;]?\s*(?=\b(?:hold fire|twist|flip|primary|leg attack|swarm|clear|unjam|dig in|let go)\b"
        rf"|\b{_HOLD}"
        r"|(?<!hold )\bfire\b|(?<!clear )(?<!unjam )\bturret\b)",
        words,
    )
    for clause in (p.strip(" ,;") for p in _rejoin(pieces)):
        small = clause.lower()
        if not clause:
            continue
        if small.startswith("twist"):
            twist = _read_twist(clause, unit)
        elif small.startswith("turret"):
            twist = _read_turret(clause, unit)
        elif re.match(rf"(?:{_INSTEAD})", small):
            try:
                instead = instead_from_word(unit.spec, "dig in" if small.startswith("dig") else clause)
            except InputError as error:
                raise _error(f"{unit.id}: {error.message}", error.hint) from None
        elif re.match(r"leg attack|swarm", small):
            target = _read_close(clause, unit, state, attacks)
            first_target = first_target or target
        elif re.fullmatch(r"flip(?:\s+arms)?", small):
            flip = True
        elif re.fullmatch(r"hold fire|fire (?:nothing|none|no weapons?)", small):
            hold = True
        elif small.startswith("primary"):
            target = clause[7:].strip(" :=")
            primary = "none" if target.lower() == "none" else find_target(state, target)
        elif small.startswith("fire"):
            # what can be fired may hang on the twist, which may be said later
            volleys.append(clause[4:].strip(" :"))
        else:
            known = ("fire", "hold fire", "twist left", "twist right", "flip arms", "primary")
            raise _error(f"{unit.id}: cannot read {clause!r}", nearest(clause, known))
    posture = Posture(usual_twist(unit, instead) if twist is None else twist, flip, unit.spec.turret)
    for volley in volleys:
        target = _read_volley(volley, unit, state, attacks, posture, notes)
        first_target = first_target or target
    if instead and attacks:
        raise _error(f"{unit.id}: does {instead_word(unit.spec, instead)!r} instead of firing, and fires: {words!r}")
    if hold and attacks:
        raise _error(f"{unit.id}: holds fire and fires: {words!r}")
    if not primary:
        primary = first_target
    attacks.sort(key=lambda a: a.mount)
    twist = usual_twist(unit, instead) if twist is None else twist
    return FireOrder(unit.id, twist, flip, tuple(attacks), "" if primary == "none" else primary, instead)


def _rejoin(pieces: list[str]) -> list[str]:
    """Put back together what was split inside brackets."""
    joined: list[str] = []
    for piece in pieces:
        if joined and joined[-1].count("(") > joined[-1].count(")"):
            # the split has taken the comma between two details along
            begins = joined[-1].rstrip().endswith("(") or not piece.strip()
            joined[-1] += piece if begins else f" {piece}" if piece.lstrip().lower().startswith("fire") else f", {piece}"
        else:
            joined.append(piece)
    return joined


def _read_twist(clause: str, unit: UnitState) -> int:
    side = clause[5:].strip(" :=").lower()
    sides = {"l": -1, "left": -1, "r": 1, "right": 1, "none": 0, "": 0, "0": 0, "-1": -1, "1": 1, "+1": 1}
    if side not in sides:
        raise _error(f"{unit.id}: cannot read {clause!r}", "twist left, twist right or twist none")
    return sides[side]


def _read_turret(clause: str, unit: UnitState) -> int:
    """``turret NE``: where the turret points, as hexsides from the hull; ``ahead`` is the hull's own facing."""
    if not unit.spec.turret:
        raise _error(f"{unit.id} has no turret: {clause!r}")
    words = re.sub(r"(?i)^turret\s*(?:to|faces|facing|:|=)?\s*", "", clause).strip()
    if words.lower() in ("ahead", "front", "forward", "straight ahead"):
        return 0
    try:
        facing = parse_direction(words.upper() if words.isalpha() else words)
    except HexError as error:
        raise _error(f"{unit.id}: cannot read {clause!r}: {error}") from None
    return (facing - unit.facing + 2) % 6 - 2


def _read_close(clause: str, unit: UnitState, state: State, attacks: list[Attack]) -> str:
    """``leg attack alpha-1`` or ``swarm alpha-1``; the target's id."""
    found = re.match(r"(?i)(leg attack|swarm)\w*\s*(?:at|on)?\s*(.*)", clause)
    wanted = found[1].lower() if found else ""
    mount = next((m for m in unit.spec.mounts if _CLOSE.get(m.id) == wanted), None)
    if mount is None or found is None:
        raise _error(
            f"{unit.id} makes no {wanted} attack: it is not trained and equipped for it".replace("attack attack", "attack")
        )
    if not found[2].strip(" .,"):
        raise _error(f"{unit.id}: {clause!r} names no target", f"write {wanted} UNIT")
    target = find_unit(state, found[2].strip(" .,")).id
    attacks.append(Attack(mount.index, target))
    return target


def _read_volley(
    clause: str, unit: UnitState, state: State, attacks: list[Attack], posture: Posture, notes: list[str] | None
) -> str:
    """``LRM 10 + Medium Laser at alpha-2`` and further ``... at ...`` after semicolons; the first target's id."""
    first = ""
    for part in split_list(clause, ";"):
        at = list(re.finditer(r"(?i)\s(?:at|on|@)\s+", part))
        if not at:
            raise _error(f"{unit.id}: {part!r} names no target", "write WEAPON + WEAPON at UNIT, or at hex 0512")
        target = find_target(state, part[at[-1].end() :].strip(" .,"))
        first = first or target
        for name in split_list(part[: at[-1].start()], r"\+|,|\band\b|&"):
            taken = {a.mount for a in attacks}
            try:
                whole = is_everything(name)
                found = everything(unit, state, target, posture, notes) if whole else find_weapons(unit.spec, name, taken)
                if len(found) > 1 and not whole and is_group(name):
                    found = bearing(found, unit, state, target, posture, notes)
            except InputError as error:
                raise _error(error.message if whole else f"{unit.id}: {error.message}", error.hint) from None
            attacks += [
                _read_weapon(name, mount, details, unit, state, target) for mount, details in found if mount not in taken
            ]
    return first


def _read_weapon(name: str, mount: int, details: list[str], unit: UnitState, state: State, target: str) -> Attack:
    """An attack with a weapon; ``details`` are what its brackets say beside where it sits."""
    mode, spotter, aim = "", "", ""
    modes = {m.name.lower(): m.name for m in unit.spec.mounts[mount].modes}
    for detail in details:
        found = re.fullmatch(r"(?i)(?:indirect[ly]*\s*)?(?:spotted by|spotter|spot)\s*:?\s*(.+)", detail)
        if found:
            spotter = find_unit(state, found[1]).id
        elif aimed := re.fullmatch(r"(?i)aim(?:ed)?(?:\s+at)?\s*:?\s*(.+)", detail):
            if target.startswith("@"):
                ends = ", ".join(dict.fromkeys(_MEANT.values()))
                raise _error(f"{unit.id}: a hex has no location to aim at: write {ends}, or nothing, to break it down")
            aim = _read_aim(aimed[1], state.unit(target), unit)
        elif target.startswith("@") and (meant := _MEANT.get(" ".join(detail.lower().split()), "")):
            aim = meant
        elif detail.lower() in modes:
            mode = modes[detail.lower()]
        else:
            at_unit = ("spotter UNIT", "aim LOCATION")
            known = [*(m for m in modes.values() if m), *(_MEANT.values() if target.startswith("@") else at_unit)]
            known = list(dict.fromkeys(known))
            raise _error(f"{unit.id}: cannot read {detail!r} of {name!r}", nearest(detail, known) or f"use {', '.join(known)}")
    return Attack(mount, target, mode, spotter, aim)


def _read_aim(words: str, target: UnitState, unit: UnitState) -> str:
    location = find_location(target.spec, words)
    if location is None:
        raise _error(f"{unit.id}: {target.id} has no location {words!r}", f"use {', '.join(target.spec.locations)}")
    return target.spec.location_name(location)


def _error(message: str, hint: str = "") -> InputError:
    return InputError(message, source="order", hint=hint)


__all__ = ["kind_of_words", "order_from_words", "order_in_words", "order_lines", "orders_from_words"]
