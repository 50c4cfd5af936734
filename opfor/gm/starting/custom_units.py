"""Record sheets for units that are told by tons, MP, armour and weapons alone; whatever is made up is said. Rule: S-5.

The sheet is text in the form of ``docs/content.md``: a game master can mend it, and the battle file names it as a type.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from opfor.errors import InputError
from opfor.formats.names import plain
from opfor.tables import table
from opfor.tables.arsenal import Weapon, launchers
from opfor.units.names import IS, understand, weapon_id
from opfor.units.spec import VEHICLE_LOCATIONS, VTOL_LOCATIONS

#: locations of a 'Mech in the order in which equipment is put into them
_PLACES = ("RA", "LA", "RT", "LT", "CT", "RL", "LL", "HD")


@dataclass(slots=True)
class Told:
    """What is told of a unit. 0 and empty: not told. ``weapons``: name, number, location ("" where not told)."""

    name: str
    tons: int = 0
    walk: int = 0
    jump: int = 0
    armor: int = 0
    sinks: int = 0
    double_sinks: bool = False
    motive: str = ""
    weapons: list[tuple[str, int, str]] = field(default_factory=list)


def weapon_named(words: str) -> Weapon | None:
    """A weapon by any of its names, Inner Sphere where both kinds have it. None when there is no such weapon."""
    for name in (words, plain(words)):
        item = understand(name.strip())
        if item.kind == "weapon":
            found = weapon_id(item.key, item.tech or IS)
            if found:
                return launchers()[found][0].weapon
    return None


def custom_sheet(told: Told, assumed: list[str]) -> str:
    """The sheet of a unit as YAML; what was made up is added to ``assumed``. Raises :class:`InputError`."""
    rows = table("starting")["custom"]
    lines = ["# Written by `opfor new` from a typed line. What the line did not say was assumed:"]
    made: list[str] = []
    body = _vehicle(told, rows, made) if told.motive else _mech(told, rows, made)
    assumed += made
    return "\n".join([*lines, *[f"#   {words}" for words in made], *body, ""])


def _speed(told: Told, rows: dict[str, int], made: list[str]) -> int:
    if not told.walk:
        made.append(f"walking MP {rows['walk']}")
    return told.walk or int(rows["walk"])


def _mech(told: Told, rows: dict[str, int], made: list[str]) -> list[str]:
    by_tons = table("structure")["by_tons"]
    tons = told.tons or int(rows["tons"])
    if not told.tons:
        made.append(f"{tons} tons")
    if tons not in by_tons:
        near = min(by_tons, key=lambda t: (abs(t - tons), t))
        made.append(f"{near} tons, as 'Mechs go by fives")
        tons = near
    walk = _speed(told, rows, made)
    sinks = told.sinks or int(rows["sinks"])
    if not told.sinks:
        made.append(f"{sinks} {'double' if told.double_sinks else 'single'} heat sinks")
    armor = _mech_armor(tons, told.armor, rows, made)
    equipment = _mech_equipment(told, walk * tons, sinks, made)
    return [
        f"chassis: {_quoted(told.name)}",
        "model: (custom)",
        f"tons: {tons}",
        f"engine: {walk * tons} fusion",
        f"walk: {walk}",
        f"jump: {told.jump}",
        f"heat_sinks: {sinks} {'double' if told.double_sinks else 'single'}",
        "armor: {" + ", ".join(f"{place}: {points}" for place, points in armor.items()) + "}",
        *(["equipment:"] if equipment else []),
        *[f"  {place}: {', '.join(items)}" for place, items in equipment.items()],
    ]


def _mech_armor(tons: int, total: int, rows: dict[str, int], made: list[str]) -> dict[str, int]:
    """Armour spread as the structure is: the head up to its most, a quarter of each torso's behind."""
    _, centre, side, arm, leg = table("structure")["by_tons"][tons]
    bounds = table("structure")["armor"]
    most = {"HD": int(bounds["head_maximum"])}
    most |= {p: points * int(bounds["times_structure"]) for p, points in
             (("CT", centre), ("RT", side), ("LT", side), ("RA", arm), ("LA", arm), ("RL", leg), ("LL", leg))}  # fmt: skip
    whole = sum(most.values())
    if not total:
        total = round(whole * rows["armor_part"] / 100)
        made.append(f"{total} points of armour, {rows['armor_part']} % of the most")
    elif total > whole:
        made.append(f"{whole} points of armour, the most for {tons} tons, in place of {total}")
        total = whole
    share = _spread(total, most)
    made.append("armour spread as the structure is, a quarter of each torso's at the rear")
    for place in ("CT", "RT", "LT"):
        rear = share[place] // 4
        share[place] -= rear
        share[place + "R"] = rear
    return share


def _spread(total: int, weights: dict[str, int]) -> dict[str, int]:
    """A number of points shared out by weight, to the point."""
    whole = sum(weights.values())
    share = {place: total * weight // whole for place, weight in weights.items()}
    left = total - sum(share.values())
    for place in sorted(weights, key=lambda p: (-(total * weights[p] % whole), p))[:left]:
        share[place] += 1
    return share


def _mech_equipment(told: Told, rating: int, sinks: int, made: list[str]) -> dict[str, list[str]]:
    """What is mounted where: weapons in arms and torsos in turn, ammunition in torsos, the rest where there is room."""
    rules = table("structure")
    free = {"RA": 8, "LA": 8, "RT": 12, "LT": 12, "CT": 2, "RL": 2, "LL": 2, "HD": 1}
    found: dict[str, list[str]] = {place: [] for place in _PLACES}

    def put(name: str, size: int, places: Iterable[str], where: str = "") -> None:
        order = [where] if where else sorted(places, key=lambda place: (len(found[place]), _PLACES.index(place)))
        place = next((p for p in order if free.get(p, 0) >= size), "")
        if not place and not where:
            place = next((p for p in _PLACES if free[p] >= size), "")
        if not place:
            raise InputError(f"{name} finds no room in {where or 'the ' + chr(39) + 'Mech'}: it takes {size} slots")
        free[place] -= size
        found[place].append(name)

    weapons = _weapons(told)
    for weapon, where in sorted(weapons, key=lambda row: (not row[1], -row[0].crits)):
        put(_name(weapon), weapon.crits, ("RA", "LA", "RT", "LT"), where)
    if any(not where for _, where in weapons):
        made.append("weapons put into arms and torsos in turn")
    for name in _ammunition(weapons, made):
        put(name, 1, ("RT", "LT"))
    for _ in range(told.jump):
        put("Jump Jet", 1, ("RL", "LL", "RT", "LT"))
    outside = max(0, sinks - rating // int(rules["heat_sinks"]["rating_per_sink"]))
    size = int(rules["heat_sinks"]["crits"]["double_is" if told.double_sinks else "single"])
    for _ in range(outside):
        put(
            "Double Heat Sink" if told.double_sinks else "Heat Sink",
            size,
            ("RL", "LL", "RT", "LT") if size == 1 else ("RT", "LT", "RA", "LA"),
        )
    return {place: items for place, items in found.items() if items}


def _weapons(told: Told) -> list[tuple[Weapon, str]]:
    found = []
    for name, count, where in told.weapons:
        weapon = weapon_named(name)
        if weapon is None:
            raise InputError(f"{name!r} is no weapon")
        found += [(weapon, where)] * count
    return found


def _name(weapon: Weapon) -> str:
    """A weapon's name as a sheet writes it."""
    return f"Clan {weapon.name.removesuffix(' (Clan)')}" if weapon.name.endswith(" (Clan)") else weapon.name


def _ammunition(weapons: list[tuple[Weapon, str]], made: list[str]) -> list[str]:
    """A ton for each kind of weapon that needs it."""
    kinds = dict.fromkeys(_name(weapon) for weapon, _ in weapons if weapon.ammo_per_ton)
    if kinds:
        made.append(f"a ton of ammunition for each kind: {', '.join(kinds)}")
    return [f"{name} Ammo" for name in kinds]


def _vehicle(told: Told, rows: dict[str, int], made: list[str]) -> list[str]:
    """A vehicle: weapons in a turret (in front where it has none), armour spread evenly but heavier in front."""
    rules = table("vehicle_units")
    flies = told.motive == "vtol"
    tons = told.tons or int(rows["vtol_tons" if flies else "vehicle_tons"])
    if not told.tons:
        made.append(f"{tons} tons")
    most_tons = int(rules["heaviest"][told.motive])
    if tons > most_tons:
        made.append(f"{most_tons} tons, the most of its kind, in place of {tons}")
        tons = most_tons
    cruise = _speed(told, rows, made)
    most = int(rules["armor"]["per_ton"] * tons + rules["armor"]["plus"])
    total = told.armor
    if not total:
        total = round(most * rows["armor_part"] / 100)
        made.append(f"{total} points of armour, {rows['armor_part']} % of the most")
    elif total > most:
        made.append(f"{most} points of armour, the most for {tons} tons, in place of {total}")
        total = most
    top = VTOL_LOCATIONS[-1] if flies else VEHICLE_LOCATIONS[-1]
    rotor = min(int(rules["armor"]["rotor_most"]), total) if flies else 0
    weights = {"FR": 3, "RS": 2, "LS": 2, "RR": 2} | ({} if flies else {top: 3})
    share = _spread(total - rotor, weights) | ({top: rotor} if flies else {})
    made.append("armour spread over all sides, a half more in front" + ("" if flies else " and on the turret"))
    weapons = _weapons(told)
    place = "FR" if flies else top
    if any(not where for _, where in weapons):
        made.append(f"weapons in {'front' if flies else 'a turret'}")
    equipment: dict[str, list[str]] = {}
    for weapon, where in weapons:
        equipment.setdefault(where or place, []).append(_name(weapon))
    ammo = _ammunition(weapons, made)
    if ammo:
        equipment["BD"] = ammo
    made.append("a combustion engine")
    return [
        f"chassis: {_quoted(told.name)}",
        "model: (custom)",
        f"motive: {told.motive}",
        f"tons: {tons}",
        "engine: ice",
        f"cruise: {cruise}",
        "armor: {" + ", ".join(f"{where}: {points}" for where, points in share.items()) + "}",
        *(["equipment:"] if equipment else []),
        *[f"  {where}: {', '.join(items)}" for where, items in equipment.items()],
    ]


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "").replace('"', "") + '"'
