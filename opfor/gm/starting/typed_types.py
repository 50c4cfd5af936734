"""Which unit a few typed words mean: a catalogue name, a nearby variant, a platoon told by what it is and carries."""

from __future__ import annotations

import difflib
import re
from typing import NamedTuple

from opfor.errors import InputError
from opfor.tables import table
from opfor.units.catalogue import find_unit, unit_named, unit_names
from opfor.units.names import bare

_FILLER = re.compile(
    r"(?i)\b(?:an?|the|one|of|light|medium|heavy|assault|battle\s*mechs?|'?mechs?|tanks?|vehicles?|units?|squads?|points?|variants?)\b|'mechs?"
)
_INFANTRY = re.compile(r"(?i)\b(?:infantry|platoons?|troopers|riflemen)\b")
_MOTIVES = (
    (r"mech\w*[ -]*(?:\w+[ -]*)?hover|hover", "mechanized_hover"),
    (r"mech\w*[ -]*(?:\w+[ -]*)?wheel|wheeled", "mechanized_wheeled"),
    (r"mechani[sz]ed|tracked", "mechanized_tracked"),
    (r"motori[sz]ed", "motorized"),
    (r"jump", "jump"),
    (r"foot", "foot"),
)
_ARMS = (
    (r"laser", "laser"), (r"machine ?guns?|\bmgs?\b", "machine_gun"), (r"flamers?", "flamer"), (r"\bsrms?\b", "srm"),
    (r"\blrms?\b", "lrm"), (r"rifle", "rifle"),
)  # fmt: skip
#: how like a name must be to be taken for it
_LIKE = 0.72


class Meant(NamedTuple):
    """A catalogue unit, or the sheet of a platoon as YAML; ``remark`` says how the words were read, where that is not plain."""

    name: str = ""
    sheet: str = ""
    remark: str = ""


def type_meant(words: str) -> Meant | None:
    """The unit that typed words mean. None when nothing is near."""
    words = " ".join(re.sub(r"\(\s*\d*\s*\)", " ", words).strip(" ,.;?!").split())
    if is_filler(words):
        return None
    try:
        found = find_unit(words)
        near = found if bare(words) in (bare(found), bare(found.rpartition(" ")[2])) else ""
        return Meant(found, remark="" if near else f"{words!r} is read as {found}")
    except InputError:
        pass
    if _INFANTRY.search(words) and not re.search(r"(?i)battle armou?r|elemental", words):
        return _platoon(words)
    core = " ".join(_FILLER.sub(" ", words).split())
    fits = _begun(core) or _begun(words) or _begun(core.removesuffix("s"))
    if not fits and len(core.split()) > 1:
        # an unknown variant of a known chassis
        fits = _chassis(core)
    fits = fits or _holding(words)
    if not fits:
        shapes = {bare(name): name for name in unit_names()} | {bare(unit_named(n).chassis): n for n in unit_names()}
        close = difflib.get_close_matches(bare(core), shapes, n=1, cutoff=_LIKE)
        fits = [shapes[c] for c in close]
    if not fits:
        return None
    best = _closest(core, fits)
    others = [name for name in fits if name != best]
    more = f" (also in the catalogue: {', '.join(others[:4])})" if others else ""
    return Meant(best, remark=f"{words!r} is read as {best}{more}")


def is_filler(words: str) -> bool:
    """Whether words name a kind of unit at the most, as ``the 'Mech``."""
    return bare(_FILLER.sub(" ", words)) in ("", "custom")


def _begun(words: str) -> list[str]:
    """Names that begin with the words, or hold them as a name of their own."""
    shape = bare(words)
    if len(shape) < 3:
        return []
    return [name for name in unit_names() if bare(name).startswith(shape) or f"({words.lower()})" in name.lower()]


def _holding(words: str) -> list[str]:
    """Names that hold all of the words, in any order."""
    wanted = {bare(word.removesuffix("s")) for word in words.split()} - {""}
    if not any(len(word) > 2 for word in wanted):
        return []
    return [name for name in unit_names() if wanted <= {bare(word.removesuffix("s")) for word in re.split(r"[\s()]+", name)}]


def _chassis(words: str) -> list[str]:
    parts = words.split()
    for count in range(len(parts) - 1, 0, -1):
        fits = _begun(" ".join(parts[:count]))
        if fits:
            return fits
    return []


def _closest(words: str, fits: list[str]) -> str:
    """The variant whose name is most like the words; of those alike the oldest."""
    exact = [name for name in fits if bare(unit_named(name).chassis) == bare(words)]
    pool = exact or fits
    if exact or len(words.split()) < 2:
        return min(pool, key=lambda name: (unit_named(name).era, name))
    shape = bare(words)
    return max(pool, key=lambda name: (difflib.SequenceMatcher(None, shape, bare(name)).ratio(), -unit_named(name).era))


def _platoon(words: str) -> Meant:
    """A platoon by its motive type and weapon; one of the catalogue where there is such."""
    low = words.lower()
    said_motive = next((motive for pattern, motive in _MOTIVES if re.search(pattern, low)), "")
    said_arms = next((arms for pattern, arms in _ARMS if re.search(pattern, low)), "")
    motive, arms = said_motive or "foot", said_arms or "rifle"
    assumed = [f"on {motive}" for _ in (0,) if not said_motive] + [f"with {arms}s" for _ in (0,) if not said_arms]
    for name in unit_names("infantry"):
        spec = unit_named(name)
        if spec.tech == "IS" and spec.motive == motive and spec.arms is not None and spec.arms.weapon == arms:
            remark = f"{words!r} is read as {name}" + (f", assumed {' and '.join(assumed)}" if assumed else "")
            return Meant(name, remark=remark)
    squads, size = table("infantry_units")["platoons"][motive][arms]
    title = f"{motive.replace('_', ' ').title()} Platoon"
    sheet = f'chassis: {title}\nmodel: "({arms.replace("_", " ")})"\nmotive: {motive}\nweapon: {arms}\n'
    return Meant("", sheet, f"{words!r} is a {title} with {arms.replace('_', ' ')}s: {squads} squads of {size}, assumed")
