"""What a typed line tells of a unit's skills, losses and ammunition, as the battle file writes it; what cannot be is quoted."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from opfor.errors import InputError
from opfor.formats.battle_file.battle_damage import PILOT_KILLED
from opfor.formats.names import ammo_label, find_ammo, find_armor, plain
from opfor.units.spec import AmmoBin, UnitSpec


@dataclass(slots=True)
class TypedUnit:
    """A unit as read. ``type`` is a catalogue name; where it is empty, ``sheet`` holds the text of a sheet of its own."""

    type: str
    spec: UnitSpec
    label: str = ""
    count: int = 1
    sheet: str = ""
    entry: dict[str, Any] = field(default_factory=dict)
    assumed: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)


def fit(
    unit: TypedUnit,
    skills: dict[str, int],
    shots: list[tuple[str, int]],
    left: list[tuple[str, int, str]],
    lost: list[tuple[str, str]],
) -> None:
    """Skills, ammunition and damage as the battle file writes them; what the unit cannot have is quoted."""
    spec, entry = unit.spec, unit.entry
    damage: dict[str, Any] = {}

    def attempt(words: str, action: Callable[[], None]) -> None:
        try:
            action()
        except InputError as error:
            unit.unread.append(f"{words!r}: {error.message}" + (f" ({error.hint})" if error.hint else ""))

    def once(what: str, name: str) -> None:
        if name in damage.get(what, {}):
            raise InputError(f"the {name} is told twice: {damage[what][name]} lost stays")

    def take_left(place: str, points: int, what: str) -> None:
        index = find_armor(spec, place)
        if index is None:
            raise InputError(f"{spec.name} has no location {place!r}", hint=f"it has {', '.join(spec.locations)}")
        whole = spec.armor[index] if what == "armor" else spec.structure[index] if index < len(spec.structure) else 0
        if points > whole:
            raise InputError(f"{spec.name} has only {whole} points there")
        name = place.upper() if len(place) <= 3 else spec.locations[index]
        once(what, name)
        if whole - points:
            damage.setdefault(what, {})[name] = whole - points
        if what == "structure" and spec.armor[index]:
            damage.setdefault("armor", {}).setdefault(name, "gone")

    def take_shots(name: str, rounds: int) -> None:
        bins = _bins(spec, name)
        whole = sum(b.shots for b in bins)
        if rounds > whole:
            raise InputError(f"{spec.name} carries only {whole} rounds")
        damage.setdefault("ammo", {})[ammo_label(spec, bins[0].kind)] = rounds

    def take_lost(place: str, words: str) -> None:
        index = find_armor(spec, place)
        if index is None:
            raise InputError(f"{spec.name} has no location {place!r}", hint=f"it has {', '.join(spec.locations)}")
        number = re.search(r"\d+", words)
        name = place.upper() if len(place) <= 3 else spec.locations[index]
        if number is None:
            damage.setdefault("structure", {})[name] = "gone"
        elif int(number[0]) > spec.armor[index]:
            raise InputError(f"{spec.name} has only {spec.armor[index]} points there")
        else:
            once("armor", name)
            damage.setdefault("armor", {})[name] = int(number[0])

    for place, points, what in left:
        attempt(f"{place} {points} left", lambda place=place, points=points, what=what: take_left(place, points, what))  # type: ignore[misc]
    for name, rounds in shots:
        attempt(f"{name} {rounds} shots", lambda name=name, rounds=rounds: take_shots(name, rounds))  # type: ignore[misc]
    for place, words in lost:
        attempt(f"{place} {words}", lambda place=place, words=words: take_lost(place, words))  # type: ignore[misc]
    moved = entry.get("moved")
    if isinstance(moved, dict) and not moved["mode"]:
        moved["mode"] = "walk" if moved["hexes"] <= spec.walk else "run" if moved["hexes"] <= spec.run else "jump"
        unit.assumed.append(f"the {moved['hexes']} hexes moved by {moved['mode']}")
    if "troopers" in entry:
        number, are_left = entry.pop("troopers")
        whole = spec.structure[0]
        if spec.kind != "infantry" or number > whole:
            unit.unread.append(
                f"{number} troopers: {spec.name} " + (f"has {whole}" if spec.kind == "infantry" else "is no platoon")
            )
        else:
            damage["troopers"] = whole - number if are_left else number
    _skill_entry(unit, skills)
    for key in ("heat", "prone", "shutdown", "dug_in"):
        mech = key != "dug_in"
        if key in entry and ((mech and not spec.is_mech) or (not mech and not spec.is_infantry)):
            unit.unread.append(f"{key.replace('_', ' ')}: {spec.name} cannot be that")
            del entry[key]
    if spec.is_infantry:
        entry.pop("facing", None)
    if spec.kind == "vtol" and "at" in entry and "elevation" not in entry:
        unit.assumed.append("landed, as no elevation is given")
        entry["elevation"] = 0
    if damage:
        entry["damage"] = damage


def _skill_entry(unit: TypedUnit, skills: dict[str, int]) -> None:
    """Skills under the names of the unit's kind; 4 and 5 where they are not told."""
    spec, entry = unit.spec, unit.entry
    for key in list(skills):
        low, high = (-4, 8) if key == "physical" else (0, 12)
        if not low <= skills[key] <= high:
            unit.unread.append(f"{key.removesuffix('_tn')} {skills.pop(key)}: {low} to {high}")
    who, skill = ("pilot", "piloting") if spec.is_mech else ("crew", "driving" if spec.is_vehicle else "anti_mech")
    found: dict[str, int] = {"gunnery": skills.get("gunnery", 4)}
    if "physical" in skills and "piloting" not in skills:
        found["physical"] = skills["physical"]
    else:
        found[skill] = skills.get("piloting", 5)
        if "physical" in skills:
            found["physical"] = skills["physical"]
    if "mental_tn" in skills:
        found["mental_tn"] = skills["mental_tn"]
    if "gunnery" not in skills and not {"piloting", "physical"} & set(skills):
        unit.assumed.append(f"{who} 4/5")
    if "hits" in entry:
        hits = entry.pop("hits")
        if spec.is_mech and hits <= PILOT_KILLED:
            found["hits"] = hits
        else:
            unit.unread.append(f"{hits} pilot hits: {spec.name} has no pilot who could bear that")
    entry[who] = found


def _bins(spec: UnitSpec, name: str) -> list[AmmoBin]:
    """The bins that a name means; the beginning of it will do where it fits one kind (``SRM``)."""
    kinds = {bin.kind for bin in spec.bins if plain(ammo_label(spec, bin.kind)).startswith(plain(name))}
    return [bin for bin in spec.bins if bin.kind in kinds] if len(kinds) == 1 else find_ammo(spec, name)
