"""What a line of a record sheet means: weapon, ammunition, equipment, actuator. Rule: S-5.

Names come in many spellings (``ISERLargeLaser``, ``Clan ER Large Laser``, ``ER Large Laser [Clan]``, ``er large laser``), all
compared as letters and digits only; ``equipment_names.yaml`` holds them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from opfor.tables import table
from opfor.tables.arsenal import launchers

IS, CLAN = "is", "clan"
_PUNCTUATION = re.compile(r"[^a-z0-9+]")
_REAR = re.compile(r"\s*\((?:R|rear)\)", re.IGNORECASE)
_MARKS = re.compile(r"\s*(?:\((?:omnipod|split|armou?red|T|ST|fixed)\)|:SIZE:[0-9.]+)", re.IGNORECASE)
_ONE_SHOT = re.compile(r"(?:\s*\(\s*(?:I-?)?OS\s*\)|\s+(?:I-?)?OS\b|(?<=\d)(?:I-?)?OS\b|\s+One[- ]Shot\b)", re.IGNORECASE)
_TECH = re.compile(r"\s*[\[(](IS|Inner Sphere|Clan|C)[\])]", re.IGNORECASE)
_FRACTION = re.compile(r"[\s\-\[(]*(?:\b(full|half|proto)\b|(1/2) tons?)[\])]?", re.IGNORECASE)
_ROUNDS = re.compile(r"\(([1-9][0-9]{0,2})\)\s*$")
_AMMO = re.compile(r"ammo|ammunition|narc\s*(?:\w+\s*)?pods?\b", re.IGNORECASE)
_AMMO_WORDS = re.compile(r"\bammunition\b|ammo|\bpods?\b|[\[\]()@]", re.IGNORECASE)


class Item(NamedTuple):
    """A line understood.

    ``kind``: the kinds of :class:`opfor.units.spec.Slot`, ``weapon``, ``ammo``, ``heat_sink``, ``jump_jet``, ``tsm``, an
    equipment kind of the spec, or ``other``. ``key`` is the weapon's name without its tech base, or the equipment's kind.
    ``tech`` is ``is`` or ``clan`` where the name says so, else empty. ``munition`` is a suffix of an ammunition kind.
    """

    kind: str
    name: str
    key: str = ""
    tech: str = ""
    rear: bool = False
    one_shot: bool = False
    split: bool = False
    munition: str = ""
    modelled: bool = True
    fraction: float = 1.0
    #: shots of a bin where the name says them
    shots: int = 0


def bare(text: str) -> str:
    """Letters and digits of a name, small.

    >>> bare("LB 10-X AC")
    'lb10xac'
    """
    return _PUNCTUATION.sub("", text.lower())


@cache
def weapon_keys() -> dict[str, str]:
    """Bare names of weapons without tech base: the key that ids are made of."""
    rows = table("equipment_names")
    found: dict[str, str] = {}
    for key, names in rows["weapons"].items():
        for name in (key, *names):
            found[bare(name)] = key
    for pattern, row in rows["sized_weapons"].items():
        for size in row["sizes"]:
            key = pattern.format(n=size)
            for name in (key, *(n.format(n=size) for n in row["names"])):
                found[bare(name)] = key
    return found


@cache
def _equipment_keys() -> dict[str, str]:
    rows = table("equipment_names")
    found = {bare(name): kind for kind, row in rows["equipment"].items() for name in row["names"]}
    found.update({bare(name): f"nearly:{kind}" for kind, row in rows["nearly"].items() for name in row["names"]})
    return found


@cache
def _plain_keys() -> dict[str, tuple[str, str]]:
    """Bare names of everything that is neither weapon, ammunition nor equipment: (kind, key)."""
    rows = table("equipment_names")
    found: dict[str, tuple[str, str]] = {}
    for kind, names in rows["systems"].items():
        found.update({bare(name): (kind, kind) for name in names})
    for key, names in rows["heat_sinks"].items():
        found.update({bare(name): ("heat_sink", key) for name in names})
    for key, names in rows["jump_jets"].items():
        found.update({bare(name): ("jump_jet", key) for name in names})
    found.update({bare(name): ("armour", "armour") for name in rows["armour"]})
    found.update({bare(name): ("structure", "structure") for name in rows["structure"]})
    found.update({bare(name): ("tsm", "tsm") for name in rows["triple_strength_myomer"]})
    found.update({bare(name): ("empty", "") for name in rows["empty"]})
    return found


@cache
def _munitions() -> tuple[tuple[re.Pattern[str], str, bool], ...]:
    """Words of munitions, the longest first: (pattern, suffix, modelled)."""
    rows = table("equipment_names")["munitions"]
    words = [
        (word, "" if group == "as_plain" else suffix, group == "modelled")
        for group in rows
        for suffix, names in rows[group].items()
        for word in names
    ]
    words.sort(key=lambda row: (-len(row[0]), row[0]))
    return tuple(
        (
            re.compile(r"[\s\-]*" + r"[\s\-]*".join(map(re.escape, re.split(r"[\s\-]+", word))) + "(?![a-z])", re.IGNORECASE),
            suffix,
            modelled,
        )
        for word, suffix, modelled in words
    )


def weapon_id(key: str, tech: str) -> str:
    """The id of a weapon of the given tech base, or of the only tech base that has it; empty when there is none."""
    known = launchers()
    for candidate in (f"{tech}_{key}", key, f"is_{key}", f"clan_{key}"):
        if candidate in known:
            return candidate
    return ""


def _exists(key: str, tech: str) -> bool:
    """Whether the rules here know the weapon in that tech base; any will do where the name leaves it open."""
    return not tech or f"{tech}_{key}" in launchers() or key in launchers()


def _without_tech(word: str, known: dict[str, str]) -> tuple[str, str]:
    """(key, tech) of a bare name that may begin with its tech base; key empty when unknown."""
    if word in known:
        return known[word], ""
    for prefix, tech in (("clan", CLAN), ("cl", CLAN), ("innersphere", IS), ("is", IS)):
        if word.startswith(prefix) and word[len(prefix) :] in known:
            return known[word[len(prefix) :]], tech
    return "", ""


@lru_cache(maxsize=8192)
def understand(line: str) -> Item:
    """What a line of a slot list or of a weapon list means; ``other`` when no name fits.

    >>> understand("CLERLargeLaser (omnipod)")[:4]
    ('weapon', 'CLERLargeLaser', 'er_large_laser', 'clan')
    """
    text = line.strip()
    rear = bool(_REAR.search(text))
    split = "(split)" in text.lower()
    name = _MARKS.sub("", _REAR.sub("", text)).strip().rstrip("\\")
    said = _TECH.search(name)
    tech = "" if said is None else (CLAN if said.group(1).lower().startswith("c") else IS)
    core = _TECH.sub("", name).strip()
    plain = _plain_keys()
    word = bare(core)
    if word in plain:
        kind, key = plain[word]
        return Item(kind, name, key, tech, rear)
    key, prefix = _without_tech(word, {k: k for k in plain})
    if key:
        kind, key = plain[key]
        return Item(kind, name, key, prefix or tech, rear)
    if _AMMO.search(core):
        return _ammunition(name, core, tech)
    key, prefix = _without_tech(word, _equipment_keys())
    if key:
        return Item("equipment", name, key, prefix or tech, rear)
    one_shot = bool(_ONE_SHOT.search(core))
    key, prefix = _without_tech(bare(_ONE_SHOT.sub("", core)), weapon_keys())
    if key and _exists(key, prefix or tech):
        return Item("weapon", name, key, prefix or tech, rear, one_shot, split)
    return Item("other", name, key, prefix or tech, rear, one_shot, split)


def _ammunition(name: str, core: str, tech: str) -> Item:
    """An ammunition bin: weapon, munition and part of a ton."""
    fraction = 1.0
    part = _FRACTION.search(core)
    if part:
        fraction = 1.0 if part.group(1) and part.group(1).lower() != "half" else 0.5
        core = core[: part.start()] + " " + core[part.end() :]
    munition, modelled = "", True
    # a name that is a weapon's as it stands holds no munition: "Thunderbolt"
    whole = _without_tech(bare(_AMMO_WORDS.sub(" ", core)), weapon_keys())[0]
    for pattern, suffix, is_modelled in () if whole else _munitions():
        rest = pattern.sub(" ", core)
        # the weapon's name must be left: "Narc Pods" is no munition
        if rest != core and bare(_AMMO_WORDS.sub(" ", rest)) not in ("", IS, CLAN, "cl"):
            core, munition, modelled = rest, suffix, is_modelled
            break
    rounds = _ROUNDS.search(core)
    if rounds:
        core = core[: rounds.start()]
    core = _AMMO_WORDS.sub(" ", core)
    key, prefix = _without_tech(bare(core), weapon_keys())
    if not key:
        words = core.split()
        # launchers with several missiles name them last: "MML 5 LRM", "ATM 6 ER"; old LB-X cluster rounds end in CL
        last = words[-1].lower() if words else ""
        shorter, prefix = _without_tech(bare(" ".join(words[:-1])), weapon_keys())
        if shorter and last == "cl":
            key, munition = shorter, "cluster"
        elif shorter and weapon_id(shorter, prefix or tech) and last in _submodes(shorter):
            key, munition = shorter, last + (f":{munition}" if munition else "")
    if key and _exists(key, prefix or tech):
        if not munition and "std" in _submodes(key):
            munition = "std"
        shots = int(rounds.group(1)) if rounds else 0
        return Item("ammo", name, key, prefix or tech, munition=munition, modelled=modelled, fraction=fraction, shots=shots)
    others = {bare(n): n for n in table("equipment_names")["other_ammo"]}
    other, prefix = _without_tech(bare(core), others)
    return Item("ammo", name, f"other:{other}" if other else "", prefix or tech, modelled=False, fraction=fraction)


def _submodes(key: str) -> set[str]:
    """Names of the missiles that a launcher of several kinds takes."""
    found = launchers().get(weapon_id(key, IS), ())
    return {mode.ammo.split(":")[1] for mode in found if ":" in mode.ammo and not mode.ammo.endswith(":cluster")}
