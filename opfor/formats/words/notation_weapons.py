"""Weapons as players name them: ``LRM``, ``both MLs``, ``all lasers``, ``ML in the left arm``, ``everything``. Rule: S-5.

A name that fits several weapons which do different things is asked back, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from opfor.errors import InputError, nearest
from opfor.formats.names import find_location, find_mount, mount_label, plain
from opfor.rules.shooting.to_hit import FireSolver, Posture
from opfor.state import State
from opfor.units.spec import Mount, UnitSpec
from opfor.units.state import UnitState

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_FILLER = r"(?:(?:the|its|his|her|my|their|our|a|an|of|with|using|from|remaining|other)\s+)*"
_EVERYTHING = re.compile(
    rf"(?i){_FILLER}(?:everything(?:\s+(?:{_FILLER})?(?:it|he|she|they)\s+(?:has|have|got|can))?|alpha[\s-]?strikes?"
    r"|full broadside"
    rf"|(?:all|every)(?:\s+{_FILLER}(?:weapons?|guns?|weaponry|armament))?)\W*"
)
_COUNTED = re.compile(
    rf"(?i){_FILLER}(?P<count>all|every|both|each|single|{'|'.join(_NUMBERS)}|\d+\s*x\s|\d+(?=\s+(?!\d)[a-z]))"
    rf"\s*(?:x\s+)?{_FILLER}(?P<name>\S.*)"
)
_PLACED = re.compile(r"(?i)^(?P<name>.+?)\s+(?:in|on|of|from)\s+(?:the|its|his|her)?\s*(?P<place>[a-z][a-z ]*?)$")
#: words for whole families
_FAMILIES = {
    "missiles": ("lrm", "srm", "mrm", "streak", "missile", "atm", "mml", "rocket", "thunderbolt", "narc", "arrow"),
    "cannons": ("autocannon", "ac", "gauss", "ppc"),
    "ballistics": ("autocannon", "gauss", "machine gun"),
    "energy": ("laser", "ppc", "flamer"),
}


def is_everything(name: str) -> bool:
    """Whether words mean all that a unit can fire.

    >>> is_everything("all its weapons"), is_everything("all lasers")
    (True, False)
    """
    return bool(_EVERYTHING.fullmatch(name.strip()))


def find_weapons(spec: UnitSpec, text: str, taken: Collection[int] = ()) -> list[tuple[int, list[str]]]:
    """The weapons that words name, each with what else stands in its brackets. ``taken``: those named already.

    Raises :class:`InputError` quoting an unknown name with the nearest, or one that fits several that differ.
    """
    words = text.strip().strip("'\"“”")
    brackets = re.search(r"\s*[(\[].*$", words)
    inside = brackets[0] if brackets else ""
    name = words[: brackets.start()] if brackets else words
    name = re.sub(rf"(?i)^{_FILLER}", "", name).strip(" .")
    if not _known(spec, name):
        name, inside = _placed(spec, name, inside)
    found = _COUNTED.fullmatch(name) if not _known(spec, name) else None
    count = found["count"].lower().strip(" x") if found else ""
    name = found["name"].strip() if found else name
    singular = _singular(name)
    # a platoon's rifles are one weapon, whatever their name looks like
    if not count and _known(spec, name) and (singular == name or not inside or not _known(spec, singular)):
        _ask_front_or_rear(spec, name, inside, words, taken)
        mount, details = find_mount(spec, name + inside, set(taken))
        return [(mount, details)]
    fits = _family(spec, singular)
    if inside and fits:
        # which of them, and how: the brackets say
        return [find_mount(spec, fits[0].name + inside, set(taken))] if len({m.name for m in fits}) == 1 else _none(spec, words)
    if not fits:
        return _none(spec, words)
    free = [m for m in fits if m.index not in taken] or fits
    if count in ("all", "every", "each") or (not count and singular != name):
        return [(m.index, []) for m in free]
    wanted = {"both": 2, "single": 1}.get(count) or (_NUMBERS.index(count) + 1 if count in _NUMBERS else int(count or 1))
    if wanted > len(free) or (count == "both" and len(free) != 2):
        labels = ", ".join(mount_label(spec, m.index) for m in fits)
        raise InputError(f"{words!r}: {spec.name} has {len(free)} such: {labels}", hint="say which, or all of them")
    if wanted < len(free) and (len({m.name for m in free}) > 1 or len({m.rear for m in free}) > 1):
        raise _which(spec, words, free)
    return [(m.index, []) for m in free[:wanted]]


def _which(spec: UnitSpec, words: str, fits: list[Mount]) -> InputError:
    labels = list(dict.fromkeys(mount_label(spec, m.index) for m in fits))
    return InputError(f"{words!r} may be {' or '.join(labels)}: say which", hint=f"write {labels[0]}, or all {words}s")


def _ask_front_or_rear(spec: UnitSpec, name: str, inside: str, words: str, taken: Collection[int]) -> None:
    """One name for weapons that fire forward and others that fire to the rear is asked back."""
    if inside:
        return
    fits = [m for m in spec.mounts if plain(m.name) == plain(name) and m.index not in taken]
    if len({m.rear for m in fits}) > 1:
        raise _which(spec, words, fits)


def _none(spec: UnitSpec, words: str) -> list[tuple[int, list[str]]]:
    labels = [mount_label(spec, m.index) for m in spec.mounts]
    bare = [label.split(" (")[0] for label in labels]
    near = nearest(words, labels, cutoff=0.5) or nearest(plain(words), bare, cutoff=0.4) or _letters(words, labels)
    raise InputError(f"{spec.name} has no weapon {words!r}", hint=near or f"it has {', '.join(labels) or 'none'}")


def _letters(words: str, labels: list[str]) -> str:
    """The weapons whose first word has the same letters, as LMR for LRM."""
    letters = sorted(re.sub(r"[^a-z]", "", words.lower()))
    fits = [label for label in labels if letters and sorted(re.sub(r"[^a-z]", "", label.split(" (")[0].lower())) == letters]
    return f"did you mean {' or '.join(fits[:3])}?" if fits else ""


def _known(spec: UnitSpec, name: str) -> bool:
    wanted = plain(name)
    return any(wanted in (plain(m.name), plain(m.weapon.name)) for m in spec.mounts)


def _singular(name: str) -> str:
    """A name without the s of the plural.

    >>> _singular("MLs"), _singular("medium lasers"), _singular("Gauss")
    ('ML', 'medium laser', 'Gauss')
    """
    return (
        name[:-1].rstrip("'’-")
        if re.search(r"(?i)[a-z0-9]['’]?s$", name) and not re.search(r"(?i)(?:gauss|ss)$", name)
        else name
    )


def _family(spec: UnitSpec, name: str) -> list[Mount]:
    """Weapons whose names hold all the words of a name."""
    exact = [m for m in spec.mounts if plain(name) in (plain(m.name), plain(m.weapon.name))]
    if exact:
        return exact
    kinds = _FAMILIES.get(name.lower() + "s") or _FAMILIES.get(name.lower())
    wanted = re.sub(r"\b(?:weapon|launcher|rack|battery|gun(?<!machine gun))\b", " ", plain(name)).split()
    if kinds:
        return [m for m in spec.mounts if any(kind in plain(m.name) for kind in kinds)]
    return [m for m in spec.mounts if wanted and all(word in plain(m.name).split() for word in wanted)]


def _placed(spec: UnitSpec, name: str, inside: str) -> tuple[str, str]:
    """``ML in the left arm`` and ``left arm ML`` as ``ML (LA)``."""
    found = _PLACED.match(name)
    if found and find_location(spec, re.sub(r"(?i)\brear\b\s*", "", found["place"])) is not None:
        return found["name"], f" ({found['place']}){inside}"
    words = name.split()
    for count in (3, 2, 1):
        place = " ".join(words[:count])
        if len(words) > count and place.lower() not in ("front", "rear") and find_location(spec, place) is not None:
            return " ".join(words[count:]), f" ({place}){inside}"
    return name, inside


def is_group(name: str) -> bool:
    """Whether words mean all weapons of a kind, of which those that cannot fire are left out.

    >>> is_group("all MLs"), is_group("lasers"), is_group("both MLs"), is_group("ML")
    (True, True, False, False)
    """
    found = _COUNTED.fullmatch(name.strip())
    return (
        found["count"].lower() in ("all", "every", "each")
        if found
        else "(" not in name and _singular(name.strip()) != name.strip()
    )


def bearing(
    found: list[tuple[int, list[str]]], unit: UnitState, state: State, target: str, posture: Posture, notes: list[str] | None
) -> list[tuple[int, list[str]]]:
    """Those weapons of a group that may fire at a target; all of them when none may, so that the rules say why."""
    solver = FireSolver(state, unit)
    able = [
        (index, details)
        for index, details in found
        if any(shot.target.id == target and not shot.spotter for shot in solver.shots(unit.spec.mounts[index], posture))
    ]
    if able and len(able) < len(found) and notes is not None:
        left = ", ".join(mount_label(unit.spec, index) for index, _ in found if index not in {i for i, _ in able})
        notes.append(f"{unit.id}: left out, as they cannot fire at {target}: {left}")
    return able or found


def everything(
    unit: UnitState, state: State, target: str, posture: Posture, notes: list[str] | None
) -> list[tuple[int, list[str]]]:
    """All weapons that may fire at a target as the battle stands, and in ``notes`` which are left out.

    Raises :class:`InputError` when there is none.
    """
    solver = FireSolver(state, unit)
    found: list[tuple[int, list[str]]] = []
    left: list[str] = []
    for mount in unit.spec.mounts:
        shots = [
            shot for shot in solver.shots(mount, posture) if shot.target.id == target and not shot.spotter and not shot.aim
        ]
        if shots:
            shot = next((shot for shot in shots if not shot.mode.name), shots[0])
            found.append((mount.index, [shot.mode.name] if shot.mode.name else []))
        else:
            left.append(mount_label(unit.spec, mount.index))
    if not found:
        raise InputError(
            f"none of {unit.id}'s weapons can fire at {target} from where it stands now",
            source="order",
            hint=f"opfor explain --unit {unit.id} --target {target} says why",
        )
    if left and notes is not None:
        notes.append(f"{unit.id} fires all that can hit {target}; left out: {', '.join(left)}")
    return found
