"""A force chosen by Battle Value or tonnage: as near to the budget as the units allow, of mixed roles, by seed.

The choice is exact: each draw leaves some of the units out, and finds the sum of the rest that lies nearest to the budget
without going beyond it. Of several draws the one of the best mixture is taken. Figures: ``opfor/tables/starting.yaml``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from opfor.errors import InputError, nearest
from opfor.tables import table
from opfor.units.catalogue import unit_named, unit_names
from opfor.units.roles import role_of
from opfor.units.spec import KINDS, UnitSpec

#: what a budget counts
MEASURES = ("bv", "tons")
#: a unit type and its cost
Priced = tuple[UnitSpec, int]
_KIND_WORDS = {
    "mechs": "mech", "vehicles": "vehicle", "tanks": "vehicle", "tank": "vehicle", "vtols": "vtol",
    "helicopter": "vtol", "helicopters": "vtol", "platoon": "infantry", "platoons": "infantry", "suits": "battle_armor",
    "battlearmor": "battle_armor", "battlearmour": "battle_armor", "ba": "battle_armor",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Raised:
    """A force that was chosen: its unit types, their sum, and what is to be said about the choice."""

    specs: tuple[UnitSpec, ...]
    total: int
    remarks: list[str] = field(default_factory=list)


def kinds_from(words: str) -> tuple[str, ...]:
    """Kinds of unit from a list as ``mech,vehicle``. Raises :class:`InputError`."""
    found = []
    for word in (part.strip().lower() for part in words.split(",") if part.strip()):
        shape = word.replace("'", "").replace("-", "_").replace(" ", "_")
        kind = _KIND_WORDS.get(shape.replace("_", ""), shape)
        if kind not in KINDS:
            raise InputError(f"there is no kind of unit {word!r}: use {', '.join(KINDS)}", hint=nearest(kind, KINDS))
        found.append(kind)
    return tuple(dict.fromkeys(found))


def era_from(word: str | int) -> int:
    """The last year of an era, given as a year or by its name. 0 for none. Raises :class:`InputError`."""
    text = str(word).strip().lower()
    eras = table("starting")["eras"]
    if not text:
        return 0
    if text.isdigit():
        return int(text)
    shape = text.replace("-", " ").replace("_", " ")
    if shape not in eras:
        raise InputError(f"there is no era {word!r}: use a year or {', '.join(eras)}", hint=nearest(shape, eras))
    return int(eras[shape])


def cost_of(spec: UnitSpec, measure: str) -> int:
    """What a unit costs: its Battle Value (0 where its sheet gives none) or its tons."""
    return spec.battle_value if measure == "bv" else spec.tons


@lru_cache(maxsize=64)
def candidates(kinds: tuple[str, ...], era: int) -> tuple[UnitSpec, ...]:
    """The units of the catalogue of some kinds that are built by a year (0: any). No Clan units before the Clans came."""
    specs = [unit_named(name) for kind in kinds for name in unit_names(kind)]
    clans = int(table("starting")["clans_from"])
    return tuple(s for s in specs if not era or (s.era <= era and (s.tech != "Clan" or era >= clans)))


def raise_force(
    budget: int,
    measure: str = "bv",
    *,
    seed: int = 0,
    kinds: Sequence[str] = ("mech",),
    era: int = 0,
    like: Sequence[UnitSpec] = (),
    count: int = 0,
    draws: int = 0,
) -> Raised:
    """Units whose sum lies as near to the budget as can be without going beyond it, of mixed roles. The same for the same seed.

    ``like``: as many units, of the kinds in that force. ``count``: so many units (0: as the budget suggests). ``draws``: how
    many selections the best is taken of (0: as the table says). Raises :class:`InputError` when no unit is that cheap.
    """
    if like:
        kinds, count = tuple(dict.fromkeys(s.kind for s in like)), count or len(like)
    remarks: list[str] = []
    known = candidates(tuple(kinds), era)
    if not known:
        raise InputError(f"no unit of the catalogue is {' or '.join(kinds)} and built by {era}")
    priced = _priced(tuple(kinds), era, measure)
    if len(priced) < len(known):
        missing = len(known) - len(priced)
        remarks.append(f"{missing} of {len(known)} units have no Battle Value on their sheets: not chosen from")
    pool = [(spec, cost) for spec, cost in priced if cost <= budget]
    if not pool:
        raise InputError(f"no unit costs {budget} {_words(measure)} or less")
    draw = random.Random(f"{seed}:{budget}:{measure}")
    rows = table("starting")
    size = count or _size(pool, budget, draw)
    marks = rows["marks"]
    best: tuple[float, list[UnitSpec]] | None = None
    for _ in range(draws or int(rows["draws"])):
        picked, total = _draw(pool, budget, size, draw)
        mixed = marks["role"] * len({role_of(s) for s in picked}) + marks["twice"] * (
            len(picked) - len({s.chassis for s in picked})
        )
        mark = mixed + marks["missed"] * 100 * (budget - total) / budget
        if like:
            mark -= abs(len(picked) - size) * len(like)
        if best is None or mark > best[0]:
            best = (mark, picked)
    assert best is not None
    picked = sorted(best[1], key=lambda s: (tuple(KINDS).index(s.kind), -s.tons, s.name))
    total = sum(cost_of(spec, measure) for spec in picked)
    remarks.insert(0, f"{len(picked)} units for {budget} {_words(measure)}: {total}, {budget - total} left over")
    return Raised(tuple(picked), total, remarks)


def _words(measure: str) -> str:
    return "Battle Value" if measure == "bv" else "tons"


@lru_cache(maxsize=64)
def _priced(kinds: tuple[str, ...], era: int, measure: str) -> tuple[Priced, ...]:
    """The units that there are and that cost something, by name, each with its cost."""
    costs = [(spec, cost_of(spec, measure)) for spec in candidates(kinds, era)]
    return tuple(sorted([(spec, cost) for spec, cost in costs if cost > 0], key=lambda pair: pair[0].name))


def _size(pool: Sequence[Priced], budget: int, draw: random.Random) -> int:
    """Units that the budget suggests: by the cost of a usual one, a little more or less."""
    costs = sorted([cost for _, cost in pool])
    low, high = table("starting")["force_size"]
    usual = budget / costs[len(costs) // 2]
    return int(max(low, min(high, round(usual + draw.random() - 0.5))))


def _draw(pool: Sequence[Priced], budget: int, size: int, draw: random.Random) -> tuple[list[UnitSpec], int]:
    """One draw: some of the units, in random order, and their sum of ``size`` nearest to the budget (or the nearest number)."""
    shuffled = list(pool)
    draw.shuffle(shuffled)
    keep = max(min(len(shuffled), size * 2), round(len(shuffled) * table("starting")["part"]))
    chosen = shuffled[:keep]
    # each type twice where there are too few of them
    items = chosen * max(1, -(-size // len(chosen)))
    return _exact(items, budget, size) or _exact(chosen * (1 + (len(chosen) < size)), budget, 0) or ([], 0)


def _exact(items: Sequence[Priced], budget: int, size: int) -> tuple[list[UnitSpec], int] | None:
    """The selection of ``size`` items (0: any number) with the greatest sum within the budget, and that sum; None without one.

    ``reach[k]`` holds the sums that k items can make, as the bits of a number.
    """
    window = (1 << (budget + 1)) - 1
    most = size or min(len(items), int(table("starting")["force_size"][1]))
    reach = [1, *[0] * most]
    history = [reach[:]]
    for number, (_, cost) in enumerate(items, start=1):
        for k in range(min(most, number), 0, -1):
            reach[k] |= reach[k - 1] << cost & window
        history.append(reach[:])
    sizes = [size] if size else range(1, most + 1)
    best, k = max(((reach[n].bit_length() - 1, -n) for n in sizes), default=(-1, 0))
    k, total = -k, best
    if total <= 0:
        return None
    found = []
    for index in range(len(items), 0, -1):
        if history[index - 1][k] >> total & 1:
            continue
        spec, cost = items[index - 1]
        found.append(spec)
        total -= cost
        k -= 1
    return found, best
