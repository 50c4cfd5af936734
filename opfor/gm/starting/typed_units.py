"""One typed line as a unit: its type, how it stands, what it has left. What is assumed is said, the rest is quoted."""

from __future__ import annotations

import math
import re
from typing import Any

from opfor.errors import InputError, nearest
from opfor.formats.units import unit_from_sheet
from opfor.gm.starting.custom_units import Told, custom_sheet, weapon_named
from opfor.gm.starting.typed_fit import TypedUnit, fit
from opfor.gm.starting.typed_types import is_filler, type_meant
from opfor.tables import table
from opfor.units.catalogue import unit_named
from opfor.units.spec import UnitSpec

_COUNT = re.compile(r"^(\d{1,2})\s*[x×*]\s*(?=\D)|^(\d{1,2})\s+(?!(?:tons?|points?|heat|jump|walk)\b)(?=[A-Za-z']{3})")
_LABEL = re.compile(r"^([^:,;]{1,40}?)(?:\s*:\s+|\s*:$|\s+[-–—]+\s+)(.+)$")
_GROUP = re.compile(r"^(?:an?\s+|one\s+)?(pair|lance|star|level ii)\s+of\s+", re.IGNORECASE)
_FACING = r"(?:N(?:orth)?[ -]?(?:E(?:ast)?|W(?:est)?)?|S(?:outh)?[ -]?(?:E(?:ast)?|W(?:est)?)?)"
_PLACE = (
    r"(?:CTR|LTR|RTR|HD|CT|RT|LT|RA|LA|RL|LL|FRL|FLL|RRL|RLL|FR|RS|LS|RR|TU|RO|head"
    r"|(?:cent(?:er|re)|left|right) torso|(?:left|right) (?:arm|leg)|front|rear|turret|rotor)"
)
_WALKED = {
    "walked": "walk",
    "cruised": "walk",
    "ran": "run",
    "flanked": "run",
    "jumped": "jump",
    "evaded": "evade",
    "sprinted": "sprint",
}
_VEHICLE = (
    (r"\bhover(?:craft)?\b", "hover"), (r"\bwheeled\b", "wheeled"), (r"\b(?:vtols?|helicopters?|helos?|choppers?)\b", "vtol"),
    (r"\b(?:tracked|tanks?|carriers?|vehicles?)\b", "tracked"),
)  # fmt: skip


class _Line:
    """What is left of a line, as details are taken out of it."""

    def __init__(self, words: str) -> None:
        self.rest = words

    def take(self, pattern: str) -> re.Match[str] | None:
        """The first match of a pattern, taken out of the line."""
        found = re.search(pattern, self.rest, re.IGNORECASE)
        if found:
            self.rest = f"{self.rest[: found.start()]} , {self.rest[found.end() :]}"
        return found

    def take_all(self, pattern: str) -> list[re.Match[str]]:
        found: list[re.Match[str]] = []
        while True:
            match = self.take(pattern)
            if match is None:
                return found
            found.append(match)


def facing_from(words: str) -> str:
    """A facing as typed, ``north-east`` or ``NE``, as the file writes it."""
    letters = re.sub(r"(?i)north", "N", words)
    for name, letter in (("south", "S"), ("east", "E"), ("west", "W")):
        letters = re.sub(f"(?i){name}", letter, letters)
    return re.sub(r"[^NSEW]", "", letters.upper())


def read_unit(typed: str) -> TypedUnit:
    """The unit that a line tells of. Raises :class:`InputError` with the nearest reading where it tells of none."""
    try:
        return _read(typed)
    except InputError:
        # "Hunchback HBK-4G: 4/5, 0707": what looks like a call sign is the type
        turned = _LABEL.match(typed.strip())
        if turned is None or type_meant(turned[1]) is None:
            raise
    return _read(f"{turned[1]}, {turned[2]}")


def _cells(words: str) -> str:
    """A row of a table, ``| Alpha 1 | Wolverine | 4/5 |`` or with ``/`` between, as a line; a call sign may come first."""
    cells = [cell.strip() for cell in re.split(r"\s*\|\s*|\s+/\s+", words.strip(" |")) if cell.strip()]
    if len(cells) < 2:
        return words
    if ":" in cells[0] or type_meant(cells[0]) is not None:
        return ", ".join(cells)
    return f"{cells[0]}: {', '.join(cells[1:])}"


def _called(words: str, line: _Line) -> str:
    """A call sign that stands beside the type: in quotes, in brackets behind it, or as ``Alpha-1`` before it."""
    quoted = re.search(r'["“]([^"“”]{1,30})["”]', line.rest)
    behind = re.search(r"\(([A-Z][^()]{0,29})\)", line.rest.partition(",")[0])
    before = re.match(r"^([A-Za-z]+[- ]?\d{1,2})\s+(?=[A-Za-z]{3})", words)
    for found in (quoted, behind, before):
        if found is None:
            continue
        rest = line.rest.replace(found[0], " ", 1)
        head = _parts(rest)[0]
        if (
            head
            and type_meant(head) is not None
            and type_meant(found[1]) is None
            and type_meant(line.rest.partition(",")[0].strip()) != type_meant(head)
        ):
            line.rest = rest
            return found[1].strip()
    return ""


def _read(typed: str) -> TypedUnit:
    typed = _cells(re.sub(r"^\s*\d{1,2}[.)]\s+", "", typed))
    words = " ".join(typed.replace("…", "...").split()).strip("-*•– ")
    counted = _COUNT.match(words)
    count = int(counted[1] or counted[2]) if counted else 1
    words = words[counted.end() :] if counted else words
    labelled = _LABEL.match(words)
    label, words = (labelled[1].strip(), labelled[2]) if labelled else ("", words)
    again = _COUNT.match(words) if labelled and not counted else None
    if again:
        count, words = int(again[1] or again[2]), words[again.end() :]
    group = _GROUP.match(words)
    if group:
        count, words = table("starting")["groups"][group[1].lower()], words[group.end() :]
    line = _Line(words)
    entry: dict[str, Any] = {}
    told = Told(name=label)
    left: list[tuple[str, int, str]] = []
    _stands(line, entry)
    _moved(line, entry)
    shots = [
        (m[1].strip(" ,"), int(m[2]))
        for m in line.take_all(
            r"([A-Za-z][\w /.-]*?(?:\d+)?)\s*[:=]?\s+(\d+)\s+(?:shots?|rounds?|salvos?|salvoes)\b(?:\s+left)?"
        )
    ]
    for m in line.take_all(
        rf"\b({_PLACE})\b\s*(?:armou?r)?\s*(\d+)\s*(?:points?)?\s*(?:of\s*)?(armou?r|structure|internal|IS)?\s*left\b"
    ):
        left.append((m[1], int(m[2]), "structure" if (m[3] or "a")[0].lower() in "si" else "armor"))
    lost = [
        (m[1], m[2])
        for m in line.take_all(
            rf"\b({_PLACE})\b\s*(?:armou?r)?\s*(gone|destroyed|lost|-\d+|\d+\s*(?:points?)?\s*(?:of\s*)?(?:armou?r\s*)?(?:lost|damage))(?!\w)"
        )
    ]
    skills = _skills(line)
    _built(line, told)
    pair = line.take(r"(?<![\d/])(\d{1,2})/(\d{1,2})(?![\d/])")
    if not label:
        label = _called(words, line)
    head, weapons, loose = _parts(line.rest)
    several = re.search(r"\s+[x×]\s*(\d{1,2})$", head)
    if several and count == 1:
        head, count = head[: several.start()], int(several[1])
    motive = next((motive for pattern, motive in _VEHICLE if re.search(pattern, head, re.IGNORECASE)), "")
    told.motive = motive
    told.weapons = weapons
    unit = _type(head, told, label, typed)
    if pair is not None:
        first, second = int(pair[1]), int(pair[2])
        if not unit.type and told.weapons and not told.walk and first and second == math.ceil(first * 1.5):
            told.walk = first
            unit = _type(head, told, label, typed)
            unit.assumed.append(f"{pair[0]} are walking and running MP")
        elif first <= 8 and second <= 8:
            skills.update({"gunnery": first, "piloting": second})
        else:
            unit.unread.append(f"{pair[0]!r}: skills are written as 4/5, movement as 5/8 walk")
    unit.label, unit.count = label, count
    unit.unread += loose
    unit.entry = entry
    fit(unit, skills, shots, left, lost)
    return unit


def _stands(line: _Line, entry: dict[str, Any]) -> None:
    """Hex, facing, heat, and the states that a word tells."""
    at = line.take(
        rf"(?:\b(?:at|in|on|hex)\s+(?:hex\s+)?|@\s*)(\d{{4}}|\d+,\d+)\b(?:\s*,?\s*(?:facing|faces|looking)?\s*\b({_FACING})\b)?"
    )
    at = at or line.take(rf"(?:^|[,;(]|\s)\s*(\d{{4}})(?!\d)\s*,?\s*(?:facing\s*)?(?:\b({_FACING})\b)?(?=\s*(?:$|[,;)]))")
    facing = line.take(rf"\b(?:facing|faces|looking)\s+({_FACING})\b")
    if at:
        entry["at"] = at[1]
    looks = at[2] if at and at[2] else facing[1] if facing else ""
    if looks:
        entry["facing"] = facing_from(looks)
    heat = line.take(r"\bheat\s*(?:level|scale|at|is|[:=])?\s*(\d+)\b(?!\s*sinks?)")
    heat = heat or line.take(r"(?<![/\d])(\d+)\s*heat\b(?!\s*sinks?)")
    if heat:
        entry["heat"] = int(heat[1])
    level = line.take(r"\b(?:elevation|altitude|height|flying at)\s*(\d+)\b")
    if level:
        entry["elevation"] = int(level[1])
    troopers = line.take(r"\b(\d+)\s*(?:troopers?|men|soldiers)\s*(left|lost|down|dead|gone)\b")
    if troopers:
        entry["troopers"] = (int(troopers[1]), troopers[2].lower() == "left")
    hits = line.take(
        r"\b(?:pilot\s*(?:hits?|wounds?)\s*[:=]?\s*(\d)|(\d)\s*pilot\s*(?:hits?|wounds?)|pilot\s*(?:hit|wounded)\s*(?:once)?)\b"
    )
    if hits:
        entry["hits"] = int(hits[1] or hits[2] or 1)
    for pattern, key in (
        (r"\b(?:is\s+)?(?:prone|fallen|knocked down)\b", "prone"), (r"\bshut\s*down\b", "shutdown"), (r"\bhidden\b", "hidden"),
        (r"\bdug\s*in\b", "dug_in"), (r"\b(?:waits|waiting)\b", "waiting"), (r"\bdestroyed\s*$", "destroyed"),
        (r"\b(?:holds|holding)\s+(?:an\s+)?opportunity(?:\s+action)?\b", "opportunity"),
    ):  # fmt: skip
        if line.take(pattern):
            entry[key] = True


def _moved(line: _Line, entry: dict[str, Any]) -> None:
    moved = line.take(rf"\b({'|'.join(_WALKED)})\s*(\d+)?\s*(?:hex(?:es)?)?\b")
    if moved:
        entry["moved"] = {"mode": _WALKED[moved[1].lower()], "hexes": int(moved[2] or 0)}
        return
    simply = line.take(r"\bmoved\s*(\d+)\s*(?:hex(?:es)?)?\b")
    if simply:
        entry["moved"] = {"mode": "", "hexes": int(simply[1])}
    elif line.take(r"\b(?:stood still|has not moved this turn|stands still)\b"):
        entry["moved"] = True


def _skills(line: _Line) -> dict[str, int]:
    found = {}
    for pattern, key in (
        (r"\b(?:gunnery|ranged(?:[ _]tn)?)\s*[:=]?\s*(\d+)\+?", "gunnery"), 
        (r"\b(?:piloting|driving|anti[ -]?'?mech|physical[ _]tn)\s*[:=]?\s*(\d+)\+?", "piloting"),
        (r"\bphysical(?:\s+level)?\s*[:=]?\s*(-?\d+)", "physical"), (r"\bmental(?:[ _]tn)?\s*[:=]?\s*(\d+)\+?", "mental_tn"),
    ):  # fmt: skip
        match = line.take(pattern)
        if match:
            found[key] = int(match[1])
    short = line.take(r"\bG\s*(\d)\W{0,2}P\s*(\d)\b")
    if short:
        found.update({"gunnery": int(short[1]), "piloting": int(short[2])})
    both = line.take(r"\b(?:skills?|pilot|crew)\s*[:=]?\s*(\d)/(\d)(?!/)")
    if both:
        found.update({"gunnery": int(both[1]), "piloting": int(both[2])})
    return found


def _built(line: _Line, told: Told) -> None:
    """Tons, MP, armour in all, heat sinks."""
    tons = line.take(r"\(?\s*\b(\d{1,3})\s*-?\s*(?:t|tons?|tonner|tonnes?)\b\s*\??\s*\)?")
    told.tons = int(tons[1]) if tons else 0
    unit = r"(?:walk(?:ing)?|mp|move(?:ment)?|cruise|speed)"
    mp = line.take(rf"\b(\d{{1,2}})/(\d{{1,2}})(?:/(\d{{1,2}}))?\s*{unit}\b(?:\s*\.\.\.)?") or line.take(
        rf"\b{unit}\s*[:=]?\s*(\d{{1,2}})(?:/(\d{{1,2}})(?:/(\d{{1,2}}))?)?\b"
    )
    mp = mp or line.take(r"(?<![\d/])(\d{1,2})/(\d{1,2})/(\d{1,2})(?![\d/])") or line.take(rf"\b(\d{{1,2}})()()\s*{unit}\b")
    if mp:
        told.walk, told.jump = int(mp[1]), int(mp[3] or 0)
    line.take(r"\b(?:run(?:ning)?|flank)\s*[:=]?\s*(\d{1,2})\b")
    jump = line.take(r"\bjump(?:ing|s)?\s*(?:mp)?\s*[:=]?\s*(\d{1,2})\b") or line.take(
        r"\b(\d{1,2})\s*jump(?:ing)?\s*(?:mp)?\b"
    )
    if jump:
        told.jump = int(jump[1])
    sinks = line.take(r"\b(\d{1,2})\s*(double|single|d|s)?\s*(?:heat\s*sinks?|hs)\b") or line.take(
        r"\b(?:heat\s*sinks?|hs)\s*[:=]?\s*(\d{1,2})\s*(double|single)?\b"
    )
    if sinks:
        told.sinks, told.double_sinks = int(sinks[1]), (sinks[2] or "").lower().startswith("d")
    armor = line.take(r"\b(?:total\s*)?armou?r\s*(?:total|points?|factor)?\s*[:=]?\s*(\d{1,3})\b(?!\s*left)") or line.take(
        r"\b(\d{1,3})\s*(?:points?\s*)?(?:of\s*)?(?:total\s*)?armou?r(?:\s*(?:total|points?|in all))?\b"
    )
    told.armor = int(armor[1]) if armor else 0


def _parts(rest: str) -> tuple[str, list[tuple[str, int, str]], list[str]]:
    """What is left: the words of the type, weapons, and what is neither."""
    head = ""
    weapons: list[tuple[str, int, str]] = []
    loose: list[str] = []
    for part in re.split(
        r"[,;]|\.\.\.|\s\+\s|\bcarries\b|\barmed with\b|\band\b"
        r"|\bwith\b(?!\s+(?:rifles|lasers?\b|mgs?\b|machine guns|flamers|srms?\b|lrms?\b))",
        rest,
    ):
        part = re.sub(r"(?i)^\s*(?:weapons?|pilot|the|a|an|left|mostly)\s*[:=]?\s+|\(\s*\??\s*\)", " ", part).strip(" .?!-:")
        part = part[1:-1].strip() if part.startswith("(") and part.endswith(")") else part
        part = part.strip("()") if part.count("(") != part.count(")") else part
        if not part:
            continue
        weapon = _weapon(part)
        if weapon is not None:
            weapons.append(weapon)
        elif not head and not weapons:
            head = part
        else:
            loose.append(part)
    return head, weapons, loose


def _weapon(words: str) -> tuple[str, int, str] | None:
    """``2 medium lasers``, ``medium laser x2``, ``PPC (RA)`` as name, number and location."""
    found = re.fullmatch(
        r"(?:(\d{1,2})\s*[x×]?\s+)?(.+?)(?:\s*[x×]\s*(\d{1,2}))?(?:\s*\((\w+)\))?(?:\s*[x×]\s*(\d{1,2}))?", words
    )
    if not found:
        return None
    count = int(found[1] or found[3] or found[5] or 1)
    where = (found[4] or "").upper()
    for name in (found[2], found[2].removesuffix("s"), re.sub(r"s\b", "", found[2])):
        weapon = weapon_named(name)
        if weapon is not None:
            return (
                name,
                count,
                where if where in ("HD", "CT", "RT", "LT", "RA", "LA", "RL", "LL", "FR", "RS", "LS", "RR", "TU", "BD") else "",
            )
    return None


def _type(head: str, told: Told, label: str, typed: str) -> TypedUnit:
    """The unit's type: of the catalogue where the line does not say otherwise, else built from what it tells."""
    meant = type_meant(head)
    spec = unit_named(meant.name) if meant is not None and meant.name else None
    if meant is not None and meant.sheet:
        made, _ = unit_from_sheet(meant.sheet, f"{head}.yaml")
        return TypedUnit("", made, sheet=meant.sheet, assumed=[meant.remark])
    if spec is not None and meant is not None:
        against = _differences(spec, told)
        if not against or not (told.weapons and (told.tons or told.walk)):
            unit = TypedUnit(spec.name, spec, assumed=[meant.remark] if meant.remark else [])
            unit.unread += [f"{words}: {spec.name} is taken as the catalogue has it" for words in against]
            return unit
    if not (told.weapons and (told.tons or told.walk or told.armor)):
        hint = nearest(head, _catalogue(), cutoff=0.35)
        raise InputError(
            f"{typed.strip()!r} names no unit of the catalogue, and too little to build one",
            hint=hint or "give tons, MP and weapons",
        )
    assumed: list[str] = []
    own = re.sub(r"(?i)^\s*custom\b", "", head).strip()
    told.name = (label or own if is_filler(own) else own) or "Unit"
    told.name = told.name[:1].upper() + told.name[1:]
    if spec is not None:
        told.motive = spec.motive if spec.is_vehicle else ""
        assumed.append(
            f"{head!r} is built from what the line tells, as it differs from {spec.name}: {'; '.join(_differences(spec, told))}"
        )
        told.tons, told.walk = told.tons or spec.tons, told.walk or spec.walk
    sheet = custom_sheet(told, assumed)
    made, _ = unit_from_sheet(sheet, f"{told.name}.yaml")
    return TypedUnit("", made, sheet=sheet, assumed=assumed)


def _catalogue() -> tuple[str, ...]:
    from opfor.units.catalogue import unit_names

    return unit_names()


def _differences(spec: UnitSpec, told: Told) -> list[str]:
    """In what a unit of the catalogue differs from what a line tells."""
    found = []
    for what, said, has in (
        ("tons", told.tons, spec.tons),
        ("walking MP", told.walk, spec.walk),
        ("jumping MP", told.jump, spec.jump),
        ("points of armour", told.armor, sum(spec.armor)),
    ):
        if said and said != has:
            found.append(f"{said} {what}, not {has}")
    for name, count, _ in told.weapons:
        weapon = weapon_named(name)
        carried = sum(
            1
            for mount in spec.mounts
            if weapon is not None and mount.weapon.name.removesuffix(" (Clan)") == weapon.name.removesuffix(" (Clan)")
        )
        if carried < count:
            found.append(f"{count} {name}, not {carried}")
    return found
