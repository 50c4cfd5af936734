"""A record sheet as plain text, for readers of every kind."""

from __future__ import annotations

from collections.abc import Iterator

from opfor.report.sheets import sheet_facts as facts
from opfor.state import State
from opfor.units.state import UnitState


def sheet_text(state: State, unit: UnitState) -> str:
    """The sheet in lines: a heading each, what is left before what was built."""
    return "\n".join(_lines(state, unit)) + "\n"


def _lines(state: State, unit: UnitState) -> Iterator[str]:
    spec = unit.spec
    yield f"{unit.id}" + (f" ({unit.name})" if unit.name != spec.name else "")
    yield facts.headline(unit)
    yield ", ".join(facts.standing_words(state, unit))
    yield ""
    moves = (
        f"{name} {now}" + (f" of {built}" if now != built else "") for name, built, now in facts.movement_rows(state, unit)
    )
    yield "Movement: " + ", ".join(moves)
    yield "Crew: " + ", ".join(f"{name} {value}" for name, value in facts.crew_facts(unit))
    if spec.is_mech:
        if facts.wounded_by_location(state, unit):
            hurt = [f"{part} {lethal} L {points} nl" for part, points, lethal in facts.body_rows(unit) if points or lethal]
            yield "Wounds: " + (", ".join(hurt) or "none")
        else:
            yield f"Pilot hits: {unit.pilot_hits}"
        yield f"Heat: {unit.heat}, sheds {spec.heat_capacity} when whole"
    yield ""
    yield "Armour (left of built) and structure:"
    for index, name, location in facts.armor_rows(spec):
        armor = f"{max(0, unit.armor[index])} of {spec.armor[index]}" if spec.armor[index] else "none"
        if index != location:
            yield f"  {name}: {armor}"
        elif spec.structure[location]:
            structure = f"{max(0, unit.structure[location])} of {spec.structure[location]}"
            yield f"  {name}: armour {armor}, structure {structure}" + (", gone" if unit.lost(location) else "")
    yield ""
    yield "Weapons:"
    for row in facts.weapon_rows(unit):
        words = [f"damage {row.damage}"] if row.damage else []
        words.append("in its own hex" if row.ranges == "own hex" else f"range {row.ranges}")
        words += [f"heat {row.heat}"] if row.heat else []
        words += [f"{row.ammo} shots"] if row.ammo else []
        yield f"  {row.name} ({row.place}): {', '.join(words)}" + (f"; {row.state}" if row.state else "")
    if spec.bins:
        yield "Ammunition: " + ", ".join(
            f"{name} ({place}) {left} of {built}" for name, place, left, built in facts.ammunition_rows(unit)
        )
    for name, place, lost in facts.equipment_rows(unit):
        yield f"Equipment: {name} ({place})" + (", destroyed" if lost else "")
    hits = [
        f"{spec.location_name(location)} {row.name}"
        for location in range(len(spec.slots))
        if spec.slots[location] and not unit.lost(location)
        for row in facts.slot_rows(unit, location)
        if row.hit
    ]
    if spec.is_mech:
        yield "Critical hits: " + (", ".join(hits) or "none")
