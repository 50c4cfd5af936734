"""Forces written as ``.mul`` files: what :func:`opfor.formats.megamek.mul.read_mul` reads back. Rule: S-5, E-16 to E-24."""

from __future__ import annotations

from collections.abc import Iterable

from opfor.formats.battle_file.battle_damage import PILOT_KILLED
from opfor.formats.megamek.mul_entity import MulUnit
from opfor.formats.megamek.mul_xml import Element, xml_lines
from opfor.rules.vehicles.crew_conditions import COMMANDER, COPILOT, DRIVER, KILLED, PILOT
from opfor.units.spec import REAR_ARMOR, UnitSpec
from opfor.units.state import UnitState

#: what these files call motive types
_TYPES = {
    "biped": "Biped", "quad": "Quad", "tracked": "Tracked", "wheeled": "Wheeled", "hover": "Hover", "vtol": "VTOL",
    "foot": "Leg", "jump": "Jump", "motorized": "Motorized", "mechanized_tracked": "Tracked", "mechanized_wheeled": "Wheeled",
    "mechanized_hover": "Hover", "suits": "Jump",
}  # fmt: skip
#: names of locations in these files, which only people read
_WORDS = {
    "HD": "Head", "CT": "Center Torso", "RT": "Right Torso", "LT": "Left Torso", "RA": "Right Arm", "LA": "Left Arm",
    "RL": "Right Leg", "LL": "Left Leg",
}  # fmt: skip
#: elements that this writes anew; others of a unit that was read are kept
_OWN = ("pilot", "crew", "location", "motive", "turretlock", "tcriticals")
#: penalty that each grade of motive damage adds, by its bit
_MOTIVE = {1: 1, 2: 2, 4: 3}


def write_mul(units: Iterable[MulUnit | UnitState]) -> str:
    """The text of a ``.mul`` file with these units as they stand.

    Of a :class:`MulUnit` whatever else its file said of it (quirks, links to a campaign, pilots' names) is written back; one
    of which nothing is known by its name is written back as it was read.
    """
    root = Element("unit")
    root.children = [_entity(unit) for unit in units]
    return "\n".join(('<?xml version="1.0" encoding="UTF-8"?>', *xml_lines(root), ""))


def _entity(given: MulUnit | UnitState) -> Element:
    entry = given if isinstance(given, MulUnit) else None
    before = entry.element if entry is not None else None
    unit = given if isinstance(given, UnitState) else given.unit
    if unit is None:
        return before or Element("entity")
    spec = unit.spec
    element = Element("entity", dict(before.attributes) if before else {})
    element.attributes.setdefault("chassis", spec.chassis)
    element.attributes.setdefault("model", spec.model)
    quad = "quad" if spec.quad else spec.motive
    element.attributes.setdefault("type", _TYPES[quad])
    element.children.append(_pilot(unit, before))
    element.children += _locations(unit)
    if spec.is_vehicle:
        element.children += _conditions(unit)
    if before:
        element.children += [child for child in before.children if child.tag.lower() not in _OWN]
    return element


def _pilot(unit: UnitState, before: Element | None) -> Element:
    """The crew: skills and wounds, all else as it was."""
    kept = next(iter(before.all("pilot", "crew")), None) if before else None
    pilot = Element("pilot", {"name": "Unnamed", "ejected": "false"}) if kept is None else _copy(kept)
    if before and kept is None:
        pilot.attributes = {"name": "Unnamed"}
    person = next(iter(pilot.all("crewmember")), pilot)
    person.attributes["gunnery"] = str(unit.gunnery)
    person.attributes["piloting"] = str(unit.piloting)
    dead = bool(unit.crew & KILLED) or unit.pilot_hits >= PILOT_KILLED
    person.attributes.pop("hits", None)
    # wounds by body location have no place in this format: L wounds are told as hits (E-38)
    hits = max(unit.pilot_hits, min(unit.wounds, PILOT_KILLED - 1))
    if dead or hits:
        person.attributes["hits"] = "Dead" if dead else str(hits)
    return pilot


def _copy(element: Element) -> Element:
    return Element(element.tag, dict(element.attributes), element.line, [_copy(child) for child in element.children])


def _locations(unit: UnitState) -> list[Element]:
    """Locations with damage or ammunition, those of a squad counted from its suits on."""
    spec = unit.spec
    shift = 1 if spec.kind == "battle_armor" else 0
    found = []
    for index in range(-shift, len(spec.structure)):
        place = Element("location", {"index": str(index + shift)})
        if index >= 0 and unit.structure[index] <= 0 < spec.structure[index] and spec.kind != "infantry":
            place.attributes["isDestroyed"] = "true"
            found.append(place)
            continue
        place.children = (_armor(unit, index) if index >= 0 else []) + _slots(unit, index)
        if index >= 0 and unit.stabilizers >> index & 1:
            place.children.append(Element("stabilizer", {"isHit": "true"}))
        if place.children:
            if spec.is_mech:
                place.attributes["name"] = _WORDS.get(spec.locations[index], spec.locations[index])
            found.append(place)
    return found


def _armor(unit: UnitState, index: int) -> list[Element]:
    spec = unit.spec
    found = []
    if unit.armor[index] != spec.armor[index]:
        found.append(Element("armor", {"points": _points(unit.armor[index])}))
    if unit.structure[index] != spec.structure[index]:
        found.append(Element("armor", {"points": str(unit.structure[index]), "type": "Internal"}))
    rear = REAR_ARMOR.get(index) if spec.is_mech else None
    if rear is not None and unit.armor[rear] != spec.armor[rear]:
        found.append(Element("armor", {"points": _points(unit.armor[rear]), "type": "Rear"}))
    return found


def _points(points: int) -> str:
    return str(points) if points > 0 else "Destroyed"


def _slots(unit: UnitState, index: int) -> list[Element]:
    """Hit slots, items out of order and all ammunition of a location; of units without slots by name."""
    spec = unit.spec
    if not spec.is_mech:
        return _items(unit, index)
    found = []
    for number, slot in enumerate(spec.slots[index]):
        hit = unit.slots_hit[index] >> number & 1
        lost = (slot.kind == "weapon" and unit.mounts_lost >> slot.ref & 1) or (
            slot.kind == "equipment" and unit.equipment_lost >> slot.ref & 1
        )
        shots = slot.kind == "ammo" and not hit
        if not (hit or lost or shots):
            continue
        system = slot.kind not in ("weapon", "ammo", "equipment", "heat_sink", "jump_jet")
        element = Element("slot", {"index": str(number + 1), "type": "System" if system else slot.name})
        if shots:
            element.attributes["shots"] = str(unit.ammo[slot.ref])
        if hit:
            element.attributes["isHit"] = "true"
        element.attributes["isDestroyed"] = "true" if hit or lost else "false"
        found.append(element)
    return found


def _items(unit: UnitState, index: int) -> list[Element]:
    spec = unit.spec
    found = []
    for bin in spec.bins:
        if bin.location == index:
            found.append(Element("slot", {"index": "N/A", "type": bin.name, "shots": str(unit.ammo[bin.index])}))
    for mount in spec.mounts:
        if mount.location == index and unit.mounts_lost >> mount.index & 1 and "anti_mech" not in mount.weapon.flags:
            found.append(Element("slot", {"index": "N/A", "type": _name(spec, mount.index), "isDestroyed": "true"}))
    for item in spec.equipment:
        if item.location == index and unit.equipment_lost >> item.index & 1:
            found.append(Element("slot", {"index": "N/A", "type": item.name, "isDestroyed": "true"}))
    return found


def _name(spec: UnitSpec, mount: int) -> str:
    """A weapon's name that tells whose it is where that matters."""
    weapon = spec.mounts[mount]
    return f"Clan {weapon.name.removesuffix(' (Clan)')}" if weapon.id.startswith("clan_") else weapon.name


def _conditions(unit: UnitState) -> list[Element]:
    """Motive damage, a locked turret, and hits on crew and systems of a vehicle. Rules: E-16, E-20 to E-24b."""
    spec = unit.spec
    found = []
    if unit.motive_hits or unit.cruise_lost or (unit.immobilized and not unit.engine_dead):
        penalty = sum(adds for bit, adds in _MOTIVE.items() if unit.motive_hits & bit)
        lost = spec.walk if unit.immobilized and not unit.engine_dead else unit.cruise_lost
        found.append(Element("motive", {"damage": str(lost), "penalty": str(penalty)}))
    if unit.turret == 2:
        found.append(Element("turretlock", {"direction": str(unit.twist % 6)}))
    hits = {}
    if unit.sensor_hits:
        hits["sensors"] = str(unit.sensor_hits)
    if unit.engine_dead:
        hits["engine"] = "hit"
    if unit.crew & (DRIVER | PILOT):
        hits["driver"] = "hit"
    if unit.crew & (COMMANDER | COPILOT):
        hits["commander"] = "hit"
    if hits:
        found.append(Element("tcriticals", hits))
    return found
