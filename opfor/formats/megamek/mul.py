"""Forces in MegaMek's ``.mul`` files: units by name, their crews, damage and ammunition. Rule: S-5, E-16 to E-24.

:func:`read_mul` gives the units as they stand after their last battle, ready for the next;
:mod:`opfor.formats.megamek.mul_write` writes them back. Free text between the elements is passed over; what an element says
beyond the rules here is kept for writing back, and noted. See ``docs/formats.md``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from opfor.errors import InputError
from opfor.formats.battle_file.battle_damage import PILOT_KILLED, cause_of_loss, mark_damage
from opfor.formats.megamek.mul_damage import read_conditions, read_slots
from opfor.formats.megamek.mul_entity import Entity, MulUnit
from opfor.formats.megamek.mul_xml import Element, parse_xml
from opfor.formats.notes import Note
from opfor.rules.vehicles.crew_conditions import KILLED
from opfor.units.names import bare
from opfor.units.spec import REAR_ARMOR, UnitSpec

#: the unit of a chassis and model, or None when there is none
Find = Callable[[str, str], UnitSpec | None]

#: words for no points left, and for points that do not apply
_GONE, _NOTHING = ("destroyed", "breached", "doomed"), ("n/a", "")
_DEAD = ("dead", "doomed")
_WORST_SKILL = 8


def read_mul(text: str, source: str, find: Find) -> list[MulUnit]:
    """The units of a ``.mul`` text, undamaged or as their last battle left them, in the order of the file.

    ``find`` gives the unit of a chassis and model (:func:`opfor.formats.unit_files.finder`). A unit that it does not know is
    in the list all the same, with a note of severity ``error`` and no state. Ids are made of the chassis and a number. Raises
    :class:`InputError` for text that is no such file, and for values that cannot be, with their line.
    """
    root = parse_xml(text, source)
    found: list[MulUnit] = []
    taken: dict[str, int] = {}
    for element in _entities(root, source):
        entry = MulUnit(element.get("chassis"), element.get("model"), element.get("type"), element.line, element=element)
        if not entry.chassis:
            raise InputError("an entity without a chassis", source=source, place=f"line {element.line}")
        found.append(entry)
        try:
            entry.spec = find(entry.chassis, entry.model)
        except InputError as error:
            entry.notes.append(Note(source, element.line, "error", f"{entry.name}: {error}"))
            continue
        if entry.spec is None:
            entry.notes.append(Note(source, element.line, "error", f"{entry.name} is not known: left out"))
            continue
        EntityReader(source, entry, entry.spec, _id(entry.chassis, taken)).read(element)
    return found


def _entities(root: Element, source: str) -> list[Element]:
    """The entities that make up the force: those of a unit list, or the survivors that a record of a battle names."""
    if root.tag.lower() == "unit":
        return list(root.all("entity"))
    if root.tag.lower() == "record":
        return [entity for part in root.all("survivors") for entity in part.all("entity")]
    if root.tag.lower() == "entity":
        return [root]
    raise InputError(
        f"<{root.tag}> is no list of units",
        source=source,
        place=f"line {root.line}",
        hint="expected <unit> with <entity> elements",
    )


def _id(chassis: str, taken: dict[str, int]) -> str:
    base = re.sub(r"[^a-z0-9]+", "-", chassis.partition("(")[0].lower()).strip("-") or "unit"
    taken[base] = taken.get(base, 0) + 1
    return f"{base}-{taken[base]}"


class EntityReader(Entity):
    """Reads one entity whose unit is known."""

    def read(self, element: Element) -> None:
        unit = self.unit
        damaged = [(place, self.location(place)) for place in element.all("location")]
        structure: dict[int, int] = {}
        slots: dict[int, int] = {}
        lost_items: dict[str, int] = {"mounts_lost": 0, "equipment_lost": 0, "one_shot_used": 0}
        ammo: dict[int, int] = {}
        for place, index in damaged:
            if index is None:
                continue
            left = self.structure_left(place, index)
            if left is not None:
                structure[index] = left
            if index < len(self.spec.slots):
                read_slots(self, place, index, slots, ammo, lost_items)
        mark_damage(unit, structure, slots)
        for name, mask in lost_items.items():
            setattr(unit, name, getattr(unit, name) | mask)
        for place, index in damaged:
            if index is not None and index >= 0:
                self.armor(place, index)
        for bin, shots in ammo.items():
            home = self.spec.bins[bin].location
            if home < 0 or unit.structure[home] > 0:
                unit.ammo[bin] = min(unit.ammo[bin], shots)
        read_conditions(self, element)
        self.crew(element)
        unit.destroyed = unit.destroyed or cause_of_loss(unit)
        self.entry.unit = unit

    def points(self, armor: Element, most: int) -> int | None:
        word = armor.get("points").lower()
        if word in _NOTHING:
            return None
        return 0 if word in _GONE else self.number(armor, "points", most)

    def structure_left(self, place: Element, index: int) -> int | None:
        """Internal structure left, where the file says something of it."""
        if index < 0:
            return None
        if place.yes("isDestroyed") or any(place.all("blownoff")):
            return 0
        for armor in place.all("armor"):
            if armor.get("type").lower() == "internal":
                return self.points(armor, self.spec.structure[index])
        if any(place.all("breached")):
            self.note("ignored", f"{self.spec.location_name(index)} is breached: no rule here knows of it", place.line)
        return None

    def armor(self, place: Element, index: int) -> None:
        """Armour left, front and rear."""
        unit = self.unit
        if unit.structure[index] <= 0:
            return
        for armor in place.all("armor"):
            kind = armor.get("type").lower()
            if kind == "internal":
                continue
            entry = index
            if kind == "rear":
                if not self.spec.is_mech or index not in REAR_ARMOR:
                    self.note("ignored", f"{self.spec.location_name(index)} has no rear armour", armor.line)
                    continue
                entry = REAR_ARMOR[index]
            left = self.points(armor, self.spec.armor[entry])
            if left is not None:
                unit.armor[entry] = left

    def crew(self, element: Element) -> None:
        """Skills and wounds; the first of several crew members counts."""
        unit = self.unit
        people = list(element.all("pilot")) or [
            member for crew in element.all("crew") for member in (*crew.all("crewmember"), crew)
        ]
        if not people:
            self.note("repaired", f"no crew: taken as {unit.gunnery}/{unit.piloting}", element.line)
            return
        pilot = people[0]
        name = pilot.get("name")
        self.entry.pilot = "" if name.lower() == "unnamed" else name
        for skill in ("gunnery", "piloting"):
            if pilot.get(skill):
                setattr(unit, skill, self.number(pilot, skill, _WORST_SKILL))
        hits = pilot.get("hits")
        dead = hits.lower() in _DEAD
        if hits and not dead:
            unit.pilot_hits = self.number(pilot, "hits", PILOT_KILLED)
            dead = unit.pilot_hits >= PILOT_KILLED
        if dead:
            unit.pilot_hits = PILOT_KILLED
        if self.spec.is_vehicle:
            unit.pilot_hits = 0
            if dead:
                unit.crew |= KILLED
        if dead:
            unit.conscious = False
        if pilot.yes("ejected"):
            unit.conscious = False
            self.note("repaired", "its crew has left it: taken as out of action", pilot.line)


def same_name(one: str, other: str) -> bool:
    """Whether two names of units are one, told by letters and digits."""
    return bare(one) == bare(other)
