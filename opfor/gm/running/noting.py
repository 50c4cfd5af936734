"""Results written down in words: ``Reaver takes 5 to the left torso``, ``alpha-2 falls prone``, ``heat of reaver is 7``.

Each clause becomes changes of the battle file (:mod:`opfor.gm.running.edit`), so what cannot be is refused as anywhere.
Nothing is rolled: damage goes through armour and structure and on inward (S-5), and what else comes of it is the table's to
say.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any

from opfor.errors import InputError, nearest
from opfor.formats.battle_file.battle import Battle
from opfor.formats.battle_file.battle_write import battle_document
from opfor.formats.names import ammo_label, armor_name, find_ammo, find_armor, find_location, mount_label, slots_from_names
from opfor.formats.words.notation_clauses import unit_of
from opfor.formats.words.notation_text import MARK, Line, plain_lines
from opfor.formats.words.notation_weapons import find_weapons
from opfor.formats.words.notation_wish import Problem
from opfor.gm.running.edit import get, put, reread
from opfor.hex import DIRECTION_NAMES, HexError
from opfor.rules.harm.hit_locations import transfer_of
from opfor.units.state import UnitState

#: what a note may say, for whoever has said something else
EXAMPLES = (
    "takes 5 to the left torso", "is hit in the LT for 10", "heat is 7", "gains 3 heat", "falls prone", "stands up",
    "shuts down", "loses its AC/5", "loses its left arm", "takes an engine hit", "is out of LRM 10 ammo",
    "has 5 rounds of SRM 6", "is at 0709 facing NE", "pilot takes 1 hit", "is destroyed", "has left the map",
)  # fmt: skip
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNTS = rf"(?:{'|'.join(_NUMBERS[1:])})\b"
_SYSTEMS = {
    "engine": ("CT", "engine"), "gyro": ("CT", "gyro"), "sensor": ("HD", "sensors"), "sensors": ("HD", "sensors"),
    "life support": ("HD", "life support"), "cockpit": ("HD", "cockpit"),
}  # fmt: skip
_ACTUATORS = ("shoulder", "upper arm", "lower arm", "hand", "hip", "upper leg", "lower leg", "foot")
#: path below the unit's entry, and the value
Part = tuple[tuple[str, ...], Any]


#: clauses that set or clear one key
_FLAGS: tuple[tuple[str, list[Part]], ...] = (
    (r"(?:falls?|fell|goes|went|drops?|dropped|lies|is\s+knocked)(?:\s+(?:over|down|prone|to\s+the\s+ground))?|(?:is\s+)?prone",
     [(("prone",), True)]),
    (r"(?:stands?|stood|gets?|got|is)\s+(?:back\s+)?(?:up|standing)|is\s+not\s+prone|rises|(?:is\s+)?no\s+longer\s+prone",
     [(("prone",), None)]),
    (r"(?:shuts?|is\s+shut|powers?)\s+down|(?:is\s+)?shutdown", [(("shutdown",), True)]),
    (r"restarts?|starts?\s+up(?:\s+again)?|powers?\s+up|is\s+running", [(("shutdown",), None)]),
    (r"(?:is\s+)?(?:destroyed|dead|killed|wrecked|out(?:\s+of\s+(?:the\s+)?(?:battle|action|game))?)|dies|is\s+lost",
     [(("destroyed",), "destroyed")]),
    (r"(?:left|leaves|exits?|exited)\s+the\s+(?:map|board|field|battle)|is\s+(?:off|gone\s+from)\s+the\s+(?:map|board)",
     [(("gone",), True)]),
    (r"is\s+(?:bogged(?:\s+down)?|stuck)|bogs\s+down", [(("stuck",), True)]),
    (r"(?:is\s+)?(?:no\s+longer\s+stuck|free(?:\s+again)?)|breaks?\s+free", [(("stuck",), None)]),
    (r"is\s+hidden", [(("hidden",), True)]),
    (r"is\s+(?:no\s+longer\s+hidden|revealed|spotted|seen)", [(("hidden",), None)]),
)  # fmt: skip


def noted(battle: Battle, text: str) -> Battle:
    """The battle with what the words say written into it. Nothing is saved.

    Raises :class:`InputError` with all that is not understood, each with its line; then nothing is changed.
    """
    faults: list[tuple[int, str, str]] = []
    for line in plain_lines(text, battle.state):
        unit: UnitState | None = None
        for words in _clauses(line):
            try:
                unit, rest = _whose(line, words, unit)
                unit = battle.state.units[unit.index]
                parts = _read(unit, rest, battle)
                document = copy.deepcopy(battle_document(battle))
                for path, value in parts:
                    put(document, ("units", unit.index, *path), value)
                battle = reread(battle, document)
                unit = battle.state.units[unit.index]
            except Problem as problem:
                faults.append((line.number, problem.message, problem.hint))
            except InputError as error:
                place = f"{error.place}: " if error.place else ""
                faults.append((line.number, f"{line.unmarked(words)!r}: {place}{error.message}", error.hint))
    if not faults:
        return battle
    if len(faults) == 1:
        number, message, hint = faults[0]
        raise InputError(message, source="note", place=f"line {number}", hint=hint)
    rows = [f"  line {number}: {message}{f' ({hint})' if hint else ''}" for number, message, hint in faults]
    raise InputError("\n".join([f"{len(faults)} things are not understood, and nothing is changed:", *rows]), source="note")


def _clauses(line: Line) -> list[str]:
    """The clauses of a line: by full stops, semicolons, commas and ``and``."""
    words = re.sub(r"(?<=\d),(?=\d)", "\ue002", line.words)
    parts = re.split(r"[;!]|\.(?=\s|$)|,|\s(?:and|then|&)\s", words)
    return [part.replace("\ue002", ",").strip() for part in parts if re.search(r"[\w\ue000]", part)]


def _whose(line: Line, words: str, last: UnitState | None) -> tuple[UnitState, str]:
    """The unit of a clause, and the rest of it in small words. Raises :class:`Problem`."""
    found = re.search(MARK, words)
    if found:
        unit = unit_of(line, found[0])
        rest = f"{words[: found.start()]} {words[found.end() :]}"
        rest = re.sub(MARK, " ", rest)
    elif last is None:
        raise Problem(f"no unit is named in {line.unmarked(words)!r}", "write Reaver takes 5 to the left torso")
    else:
        unit, rest = last, words
    return unit, " ".join(rest.replace("'s", " ").strip(" :-–").split())


def _read(unit: UnitState, words: str, battle: Battle) -> list[Part]:
    """What a clause changes. Raises :class:`Problem` quoting what is not understood."""
    for reader in _READERS:
        parts = reader(unit, words, battle)
        if parts:
            return parts
    near = nearest(words, EXAMPLES, cutoff=0.5)
    raise Problem(f"{unit.id}: cannot read {words!r}", near or f"write as: {'; '.join(EXAMPLES)}")


def _number(words: str) -> int | None:
    found = re.search(r"(?<![\w/-])(\d{1,3})(?![\w/-])", words)
    if found:
        return int(found[1])
    worded = re.search(rf"(?i)\b({'|'.join(_NUMBERS)}|a|an)\b", words)
    if not worded:
        return None
    return _NUMBERS.index(worded[1].lower()) if worded[1].lower() in _NUMBERS else 1


def _armor_location(unit: UnitState, words: str) -> int | None:
    """The armour location that is named anywhere in words, the longest name first."""
    tokens = re.findall(r"[A-Za-z]+\d?|\(rear\)", re.sub(r"(?i)\b(?:the|its|his|her)\b", " ", words))
    for count in (4, 3, 2, 1):
        for start in range(len(tokens) - count + 1):
            part = " ".join(tokens[start : start + count])
            if part.lower() in ("rear", "left", "right", "front", "body", "turret") and unit.spec.is_mech:
                continue
            found = find_armor(unit.spec, part)
            if found is not None:
                return found
    return None


def _damage(unit: UnitState, words: str, battle: Battle) -> list[Part]:
    """``takes 5 to the left torso``, ``is hit in the LT for 10``, ``loses 3 structure in the RA``."""
    if re.search(r"(?i)\bheat\b|\brounds?\b|\bshots\b|\btroopers?\b|\bhits?\b(?=.*\b(?:engine|gyro)\b)|\bpilot\b", words):
        return []
    points = re.search(r"(?<![\w/-])(\d{1,3})(?![\w/-])", words)
    if not points:
        return []
    location = _armor_location(unit, f"{words[: points.start()]} {words[points.end() :]}")
    if location is None:
        lead = re.search(r"(?i)(?:\b(?:to|in|on|at)\s+(?:the\s+|its\s+)?)([a-z][a-z ]*?)(?:\s+for\b.*)?$", words)
        if lead and not re.search(r"\d{4}", words) and re.search(r"(?i)take|took|hit|suffer|damage|points?|los", words):
            known = ", ".join(armor_name(unit.spec, i) for i in range(len(unit.spec.armor)))
            raise Problem(
                f"{unit.id}: there is no location {lead[1]!r}", nearest(lead[1], unit.spec.locations) or f"locations: {known}"
            )
        return []
    inside = re.search(r"(?i)\b(?:structure|internal|inside)\b", words) is not None
    return _dealt(unit, location, int(points[1]), inside)


def _dealt(unit: UnitState, location: int, points: int, inside: bool) -> list[Part]:
    """Points of damage to a location, through armour and structure and on inward. Rule: S-5."""
    parts: list[Part] = []
    spec = unit.spec
    while True:
        if not inside:
            taken = min(points, unit.armor[location])
            points -= taken
            if taken:
                lost = spec.armor[location] - unit.armor[location] + taken
                parts.append((("damage", "armor", armor_name(spec, location)), lost))
        body = location if location < len(spec.structure) else {8: 1, 9: 2, 10: 3}[location]
        if not points:
            return parts
        taken = min(points, max(0, unit.structure[body]))
        points -= taken
        if taken:
            left = unit.structure[body] - taken
            lost_words = "gone" if left <= 0 else spec.structure[body] - left
            parts.append((("damage", "structure", spec.locations[body]), lost_words))
        if not points:
            return parts
        onward = transfer_of(unit, body) if spec.is_mech else -1
        if onward < 0:
            return parts
        location, inside = onward, False


def _heat(unit: UnitState, words: str, battle: Battle) -> list[Part]:
    """``heat is 7``, ``gains 3 heat``, ``cools by 4``."""
    if not re.search(r"(?i)\b(?:heat|cools?|cooled|hot)\b", words):
        return []
    number = _number(words)
    if number is None:
        raise Problem(f"{unit.id}: no figure in {words!r}", "write heat is 7, or gains 3 heat")
    if re.search(r"(?i)\b(?:gain|gains|gained|builds?|built|takes?|adds?|plus|more|rises? by|up by)\b|\+", words):
        number = unit.heat + number
    elif (
        re.search(r"(?i)\b(?:lose|loses|lost|cools?|cooled|sheds?|sinks?|less|drops? by|down by|minus)\b", words)
        and " to " not in words
    ):
        number = max(0, unit.heat - number)
    return [(("heat",), number)]


def _flags(unit: UnitState, words: str, battle: Battle) -> list[Part]:
    """Falls, standing up, shutting down, out of the battle."""
    for pattern, parts in _FLAGS:
        if re.fullmatch(rf"(?i)(?:(?:now|has|also|again)\s+)*(?:{pattern})(?:\s+(?:now|again))?", words):
            return parts
    return []


def _place(unit: UnitState, words: str, battle: Battle) -> list[Part]:
    """``is at 0709 facing NE``, ``moves to 0709``, ``faces SE``."""
    grid = battle.state.board.grid
    found = re.search(rf"(?i)(?:\b(?:at|to|in|into|hex|on)\s+|^)(?:hex\s+)?({grid.pattern})(?!\w)", words)
    faced = re.search(r"(?:\b(?:facing|faces?|face)\s+|\d\s+)(NE|NW|SE|SW|N|S|[0-5])(?!\w)", words)
    parts: list[Part] = []
    left = re.sub(
        r"(?i)\b(?:is|now|stands?|moves?|moved|walks?|runs?|jumps?|ends?|goes|turns?|put|in|at|to|hex|facing|faces?|place[ds]?)\b",
        " ",
        words,
    )
    for one in (found, faced):
        left = left.replace(one[1], " ", 1) if one else left
    if re.search(r"\w", left) or not (found or faced):
        return []
    if found:
        try:
            parts.append((("at",), grid.names[grid.parse(found[1])]))
        except HexError as error:
            raise Problem(f"{unit.id}: {error}") from None
        if unit.elevation and unit.spec.kind != "vtol":
            parts.append((("elevation",), None))
    if faced:
        name = faced[1].upper()
        parts.append((("facing",), DIRECTION_NAMES[int(name)] if name.isdigit() else name))
    return parts


def _ammo(unit: UnitState, words: str, battle: Battle) -> list[Part]:
    """``is out of LRM 10 ammo``, ``has 5 rounds of SRM 6 left``, ``uses 2 rounds of SRM 6``."""
    out = re.fullmatch(r"(?i)(?:is|has\s+run|runs|ran|now)?\s*out\s+of\s+(.+?)(?:\s+(?:ammo|ammunition|rounds|shots))?", words)
    if out:
        return [(("damage", "ammo", _kind(unit, out[1])), 0)]
    found = re.fullmatch(
        r"(?i)(?P<verb>.*?)\s*\b(?P<n>\d+)\s+(?:more\s+)?(?:rounds?|shots?|salvos?)\s*(?:left)?\s*(?:of|for|from)\s+(?:its\s+)?(?P<what>.+?)(?:\s+(?:left|ammo|ammunition|remain\w*))*",
        words,
    ) or re.fullmatch(
        r"(?i)(?P<verb>.*?)\s*\b(?P<what>[a-z][\w/ -]*?)\s+(?:ammo|ammunition)\s+(?:is|=|at|:)?\s*(?P<n>\d+)", words
    )
    if not found:
        return []
    kind, number = _kind(unit, found["what"]), int(found["n"])
    if re.search(r"(?i)\b(?:uses?|used|fires?|fired|spends?|spent|loses?|lost)\b", found["verb"]):
        bins = find_ammo(unit.spec, kind)
        number = sum(unit.ammo[b.index] for b in bins) - number
        if number < 0:
            raise Problem(f"{unit.id}: has not so many rounds of {kind} left: {number + int(found['n'])}")
    return [(("damage", "ammo", kind), number)]


def _kind(unit: UnitState, words: str) -> str:
    """The label of a kind of ammunition by any short name. Raises :class:`InputError`."""
    try:
        return ammo_label(unit.spec, find_ammo(unit.spec, words)[0].kind)
    except InputError:
        fits = {b.kind for b in unit.spec.bins if words.lower() in ammo_label(unit.spec, b.kind).lower()}
        if len(fits) != 1:
            raise
        return ammo_label(unit.spec, fits.pop())


def _pilot(unit: UnitState, words: str, battle: Battle) -> list[Part]:
    """``pilot takes 1 hit``, ``pilot is unconscious``, ``the pilot is killed``."""
    if not re.search(r"(?i)\b(?:pilot|mechwarrior)\b", words):
        return []
    if re.search(r"(?i)\b(?:unconscious|knocked\s+out|blacks?\s+out|passes\s+out)\b", words):
        return [(("pilot", "conscious"), False)]
    if re.search(r"(?i)\b(?:wakes?|awake|conscious)\b", words):
        return [(("pilot", "conscious"), None)]
    if re.search(r"(?i)\b(?:killed|dead|dies)\b", words):
        return [(("destroyed",), "pilot killed")]
    if re.search(r"(?i)\b(?:hit|hits|wound|wounds|wounded|damage)\b", words):
        before = get(battle_document(battle), ("units", unit.index, "pilot", "hits")) or 0
        return [(("pilot", "hits"), before + (_number(words) or 1))]
    return []


def _losses(unit: UnitState, words: str, battle: Battle) -> list[Part]:
    """``loses its AC/5``, ``AC/5 is destroyed``, ``loses its left arm``, ``takes an engine hit``, ``ML jams``."""
    spec = unit.spec
    men = re.fullmatch(r"(?i)(?:loses?|lost)\s+(\d+|\w+)\s+(?:troopers?|men|soldiers?)", words)
    if men:
        before = get(battle_document(battle), ("units", unit.index, "damage", "troopers")) or 0
        return [(("damage", "troopers"), before + (_number(men[1]) or 0))]
    jammed = re.fullmatch(r"(?i)(?:its\s+)?(.+?)\s+(?:is\s+jammed|jams|jammed)", words)
    if jammed:
        mount = find_weapons(spec, jammed[1])[0][0]
        return [(("damage", "jammed"), [*(_listed(unit, battle, "jammed")), mount_label(spec, mount)])]
    hit = re.fullmatch(
        rf"(?i)(?:takes?|took|suffers?|has|gets?)?\s*(?:an?\b|another\b|\d+|{_COUNTS})?\s*(?P<what>[a-z][a-z ]*?)\s+"
        r"(?:hits?|critical(?:\s+hits?)?|crits?|is\s+hit|was\s+hit)"
        r"(?:\s+(?:in|to|on)\s+(?:the\s+)?(?P<where>.+))?",
        words,
    )
    if hit and (system := _system(unit, hit["what"], hit["where"] or "", battle, _number(words) or 1)):
        return system
    lost = re.fullmatch(r"(?i)(?:loses?|lost|has\s+lost)\s+(?:(?:its|his|her|the|an?)\s+)?(.+)", words) or re.fullmatch(
        r"(?i)(?:(?:its|his|her|the)\s+)?(.+?)\s+(?:is|was|are|gets?)\s+(?:destroyed|lost|gone|knocked\s+out|blown\s+off|shot\s+off|hit|out)",
        words,
    )
    if not lost:
        return []
    location = find_location(spec, lost[1])
    if location is not None:
        name = spec.locations[location]
        return [(("damage", "armor", name), "gone"), (("damage", "structure", name), "gone")]
    if system := _system(unit, lost[1], "", battle, 1):
        return system
    parts: list[Part] = []
    for mount, _ in find_weapons(spec, lost[1], [i for i in range(len(spec.mounts)) if unit.mounts_lost >> i & 1]):
        where = spec.mounts[mount].location
        name = spec.locations[where] if 0 <= where < len(spec.locations) else ""
        label = spec.mounts[mount].name
        given = get(battle_document(battle), ("units", unit.index, "damage", "criticals", name)) or []
        try:
            slots_from_names(spec, where, [*given, label])
            parts.append((("damage", "criticals", name), [*given, label]))
        except (InputError, IndexError):
            parts.append((("damage", "weapons"), [*_listed(unit, battle, "weapons"), mount_label(spec, mount)]))
    return parts


def _listed(unit: UnitState, battle: Battle, key: str) -> list[Any]:
    return list(get(battle_document(battle), ("units", unit.index, "damage", key)) or [])


def _system(unit: UnitState, what: str, where: str, battle: Battle, count: int) -> list[Part]:
    """A critical hit on a system or an actuator, in the location that holds it."""
    words = re.sub(r"(?i)\b(?:the|its|an?|actuators?)\b", " ", what.lower())
    words = " ".join(words.split())
    location = find_location(unit.spec, where) if where else None
    side = re.match(r"(left|right)\s+(.+)", words)
    if words in _SYSTEMS:
        usual, slot = _SYSTEMS[words]
        location = find_location(unit.spec, usual) if location is None else location
    elif words in _ACTUATORS:
        slot = words
    elif side and side[2] in _ACTUATORS:
        limb = "leg" if side[2] in ("hip", "upper leg", "lower leg", "foot") else "arm"
        slot, location = side[2], find_location(unit.spec, f"{side[1]} {limb}")
    else:
        return []
    if not unit.spec.is_mech:
        raise Problem(f"{unit.id} is no 'Mech: use edit, as {unit.id}.damage.engine=hit")
    if location is None:
        raise Problem(f"{unit.id}: {what!r} of which side?", f"write left {slot} hit, or {slot} hit in the LA")
    name = unit.spec.locations[location]
    given = get(battle_document(battle), ("units", unit.index, "damage", "criticals", name)) or []
    return [(("damage", "criticals", name), [*given, *[slot] * count])]


_READERS: tuple[Callable[[UnitState, str, Battle], list[Part]], ...] = (_flags, _heat, _pilot, _ammo, _place, _damage, _losses)
