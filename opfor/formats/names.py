"""What people call the parts of a unit: weapons, ammunition, critical slots, locations. Read and written. Rule: S-5."""

from __future__ import annotations

import re
from functools import lru_cache

from opfor.errors import InputError, nearest
from opfor.tables.arsenal import weapons
from opfor.units.spec import ARMOR_NAMES, BIPED_LOCATIONS, QUAD_LOCATIONS, SQUAD, AmmoBin, Mount, UnitSpec

#: systems and actuators by the names sheets use
_SLOT_WORDS = {
    "shoulder": "shoulder",
    "upper arm": "upper_arm",
    "lower arm": "lower_arm",
    "hand": "hand",
    "hip": "hip",
    "upper leg": "upper_leg",
    "lower leg": "lower_leg",
    "foot": "foot",
    "engine": "engine",
    "gyro": "gyro",
    "cockpit": "cockpit",
    "life support": "life_support",
    "sensors": "sensors",
    "sensor": "sensors",
    "heat sink": "heat_sink",
    "jump jet": "jump_jet",
}
_LOCATION_WORDS = {
    "head": "HD",
    "center torso": "CT",
    "centre torso": "CT",
    "right torso": "RT",
    "left torso": "LT",
    "right arm": "RA",
    "left arm": "LA",
    "right leg": "RL",
    "left leg": "LL",
    "front right leg": "FRL",
    "front left leg": "FLL",
    "rear right leg": "RRL",
    "rear left leg": "RLL",
    "body": "BD",
    "front": "FR",
    "front side": "FR",
    "right side": "RS",
    "right": "RS",
    "left side": "LS",
    "left": "LS",
    "rear": "RR",
    "turret": "TU",
    "rotor": "RO",
    "rotors": "RO",
    "troopers": "TR",
}


#: short forms that people write
_SHORT = {
    "ac": "autocannon",
    "med": "medium",
    "lg": "large",
    "lrg": "large",
    "sm": "small",
    "sml": "small",
    "mg": "machine gun",
    "ml": "medium laser",
    "ll": "large laser",
    "sl": "small laser",
    "mpl": "medium pulse laser",
    "lpl": "large pulse laser",
    "spl": "small pulse laser",
    "erml": "er medium laser",
    "erll": "er large laser",
    "ersl": "er small laser",
}
#: how the tables mark Clan weapons; said only where a unit carries both kinds
_CLAN = " (Clan)"


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """A name without case, punctuation and filler words, for comparing.

    >>> plain("Lower Arm Actuator"), plain("IS Ammo SRM-6")
    ('lower arm', 'srm 6')
    """
    words = re.sub(r"[^a-z0-9]+", " ", text.lower())
    words = re.sub(r"(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])", " ", words)
    words = re.sub(r"\b(?:" + "|".join(_SHORT) + r")\b", lambda found: _SHORT[found[0]], words)
    words = re.sub(r"\b(?:actuators?|ammo|ammunition|is|clan|cl|inner sphere|fusion)\b", " ", words)
    return " ".join(words.split()) or " ".join(text.lower().split())


def find_location(spec: UnitSpec, text: str) -> int | None:
    """Index of a location by short or long name; quads answer to either pair of leg names. None when there is none."""
    word = str(text).strip()
    suit = re.fullmatch(r"(?i)suit\s*(\d)", word)
    word = f"S{suit[1]}" if suit else word
    word = _LOCATION_WORDS.get(" ".join(re.sub(r"[^a-z]+", " ", word.lower()).split()), word.upper())
    if word in spec.locations:
        return spec.locations.index(word)
    for names in (BIPED_LOCATIONS, QUAD_LOCATIONS):
        if spec.quad and word in names:
            return names.index(word)
    return None


def find_armor(spec: UnitSpec, text: str) -> int | None:
    """Index of an armour location, as ``CT`` or its rear ``CTR``. None when there is none."""
    if not spec.is_mech:
        return find_location(spec, text)
    word = str(text).strip().upper()
    word = {"RCT": "CTR", "RRT": "RTR", "RLT": "LTR"}.get(word, word)
    if word in ("CTR", "RTR", "LTR"):
        return ARMOR_NAMES.index(word)
    rear = re.fullmatch(r"(.+?)[\s(]+REAR\)?|REAR\s+(.+)", word)
    if rear:
        location = find_location(spec, rear[1] or rear[2])
        return {1: 8, 2: 9, 3: 10}.get(location) if location is not None else None
    return find_location(spec, text)


def armor_name(spec: UnitSpec, index: int) -> str:
    """Short name of an armour location."""
    return spec.locations[index] if index < len(spec.locations) else ARMOR_NAMES[index]


# -- weapons ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def mount_label(spec: UnitSpec, index: int) -> str:
    """The shortest name that tells a mounted weapon from the unit's others.

    ``LRM 10``; ``Medium Laser (LA)`` where there are several; ``Medium Laser (CT rear)``; ``Medium Laser (RT #2)``.
    """
    mount = spec.mounts[index]
    name = mount.name.removesuffix(_CLAN)
    same = [m for m in spec.mounts if plain(m.name) == plain(mount.name)]
    if len(same) == 1:
        return name
    twins = [m for m in same if (m.location, m.rear) == (mount.location, mount.rear)]
    return f"{name} ({_mount_place(spec, mount)}{f' #{twins.index(mount) + 1}' if len(twins) > 1 else ''})"


def _mount_place(spec: UnitSpec, mount: Mount) -> str:
    return spec.location_name(mount.location) + (" rear" if mount.rear else "")


def mount_labels(spec: UnitSpec, mask: int) -> list[str]:
    """Names of the weapons in a mask."""
    return [mount_label(spec, m.index) for m in spec.mounts if mask >> m.index & 1]


def find_mount(spec: UnitSpec, text: str, taken: frozenset[int] | set[int] = frozenset()) -> tuple[int, list[str]]:
    """The weapon that ``text`` names, and what else stands in its brackets (a fire mode, a spotter).

    A name shared by several weapons takes the first that is not in ``taken``. Raises :class:`InputError` quoting an
    unknown name with the nearest.
    """
    name, brackets = text.strip(), list[str]()
    while True:
        candidates = [m for m in spec.mounts if plain(m.name) == plain(name) or plain(m.weapon.name) == plain(name)]
        last = re.search(r"\s*[(\[]([^()\[\]]*)[)\]]\s*$", name)
        if candidates or not last:
            break
        brackets.insert(0, last[1])
        name = name[: last.start()]
    if not candidates:
        labels = [mount_label(spec, m.index) for m in spec.mounts]
        raise InputError(
            f"{spec.name} has no weapon {text.strip()!r}",
            hint=nearest(text.strip(), labels, cutoff=0.3) or f"it has {', '.join(labels) or 'none'}",
        )
    extra = []
    number = 0
    for item in (part.strip() for group in brackets for part in group.split(",")):
        found = re.fullmatch(r"(.*?)\s*(?:#\s*(\d+))?", item)
        words, count = (found[1] or "", found[2]) if found else (item, None)
        rear = spec.is_mech and bool(re.search(r"\brear\b", words, re.IGNORECASE))
        place = words if not spec.is_mech else re.sub(r"(?i)\s*\brear\b\s*", "", words)
        where = SQUAD if place.lower() in ("sq", "squad") else find_location(spec, place) if words else None
        if where is not None:
            candidates = [m for m in candidates if m.location == where and m.rear is rear]
        elif words:
            extra.append(item)
        number = int(count) if count else number
    if number and number <= len(candidates):
        return candidates[number - 1].index, extra
    free = [m for m in candidates if m.index not in taken]
    if not candidates or number or not free:
        count = sum(1 for m in spec.mounts if plain(m.name) == plain(name))
        raise InputError(f"{spec.name} has no such {name} left: {text.strip()!r} (it has {count})")
    return free[0].index, extra


# -- ammunition -------------------------------------------------------------------------------------------------------


def ammo_label(spec: UnitSpec, kind: str) -> str:
    """What a kind of ammunition is called, as ``SRM 6`` or ``LB 10-X AC cluster``."""
    weapon_id, _, variant = kind.partition(":")
    weapon = weapons().get(weapon_id)
    if weapon is None:
        names = [b.name for b in spec.bins if b.kind == kind]
        return names[0] if names else kind
    name = weapon.name.removesuffix(_CLAN)
    if any(b.kind != kind and b.kind.partition(":")[2] == variant and _weapon_name(b.kind) == name for b in spec.bins):
        name = weapon.name
    return f"{name} {variant}".strip()


def _weapon_name(kind: str) -> str:
    weapon = weapons().get(kind.partition(":")[0])
    return weapon.name.removesuffix(_CLAN) if weapon else ""


def find_ammo(spec: UnitSpec, text: str) -> list[AmmoBin]:
    """The bins of the ammunition that ``text`` names. Raises :class:`InputError` with the nearest name."""
    wanted = plain(text)
    for bins in (
        [b for b in spec.bins if b.kind == text or text.strip().lower() == ammo_label(spec, b.kind).lower()],
        [b for b in spec.bins if wanted in (plain(ammo_label(spec, b.kind)), plain(b.name), plain(b.kind))],
    ):
        if bins:
            return bins
    labels = sorted({ammo_label(spec, b.kind) for b in spec.bins})
    raise InputError(
        f"{spec.name} carries no ammunition {text!r}",
        hint=nearest(text, labels, cutoff=0.3) or (f"it carries {', '.join(labels)}" if labels else "it carries none"),
    )


# -- critical slots ---------------------------------------------------------------------------------------------------


def slots_from_names(spec: UnitSpec, location: int, names: list[str | int]) -> int:
    """Mask of the slots that a list of names (or numbers from 1) means; each name takes the next such slot.

    Raises :class:`InputError` for a name the location does not hold, or holds fewer of.
    """
    slots = spec.slots[location]
    mask = 0
    for name in names:
        numbered = re.fullmatch(r"\s*(?:slot\s*)?(\d+)\b.*", str(name), re.IGNORECASE)
        if isinstance(name, int) or (numbered and str(name).strip().lower().startswith("slot")):
            index = int(numbered[1]) - 1 if numbered else int(name) - 1
            if not 0 <= index < len(slots) or not slots[index].hittable:
                raise InputError(f"slot {index + 1} of the {spec.location_name(location)} cannot be hit")
            mask |= 1 << index
            continue
        wanted = plain(str(name))
        kind = _SLOT_WORDS.get(wanted, wanted.replace(" ", "_"))
        fits = [i for i, s in enumerate(slots) if s.hittable and (plain(s.name) == wanted or s.kind == kind)]
        free = [i for i in fits if not mask >> i & 1]
        if not free:
            held = sorted({s.name for s in slots if s.hittable})
            what = f"only {len(fits)} of {name!r}" if fits else f"no {name!r}"
            hint = "" if fits else nearest(str(name), held, cutoff=0.4) or f"it holds {', '.join(held)}"
            raise InputError(f"the {spec.location_name(location)} of {spec.name} holds {what}", hint=hint)
        mask |= 1 << free[0]
    return mask


def slot_names(spec: UnitSpec, location: int, mask: int) -> list[str | int]:
    """Names of the slots in a mask, such that :func:`slots_from_names` gives the mask back."""
    slots = spec.slots[location]
    names: list[str | int] = [slots[i].name for i in range(len(slots)) if mask >> i & 1]
    try:
        if slots_from_names(spec, location, names) == mask:
            return names
    except InputError:
        pass
    return [f"slot {i + 1} {slots[i].name}".strip() for i in range(len(slots)) if mask >> i & 1]
