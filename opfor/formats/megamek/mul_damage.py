"""What the slots and the conditions of an entity in a ``.mul`` file mean for its unit. Rule: S-5, E-16 to E-24c."""

from __future__ import annotations

from opfor.formats.megamek.mul_entity import Entity
from opfor.formats.megamek.mul_xml import Element
from opfor.rules.vehicles.crew_conditions import COMMANDER, COPILOT, DRIVER, PILOT
from opfor.tables import table
from opfor.units.build_infantry import suit_item
from opfor.units.names import Item, bare
from opfor.units.spec import Slot

#: motive damage: what each grade adds to driving rolls in these files, and its bit
_MOTIVE = ((1, 1), (2, 2), (3, 4))
#: what may be out of order without a hit on this slot of it
_ITEMS = ("weapon", "equipment", "heat_sink", "jump_jet")


def read_slots(
    entity: Entity, place: Element, index: int, slots: dict[int, int], ammo: dict[int, int], lost: dict[str, int]
) -> None:
    """Hit slots, shots left and lost items of one location. ``index`` -1: what all suits of a squad share."""
    items = list(place.all("slot"))
    if not entity.spec.is_mech:
        used: set[int] = set()
        for slot in items:
            if slot.get("shots"):
                _bin_by_name(entity, slot, index, used, ammo)
            elif _is_lost(slot):
                _lost_by_name(entity, slot, index, lost)
        return
    taken: set[int] = set()
    # what lies where our sheet has it comes first: other sheets may list the rest in another order
    for elsewhere in (False, True):
        for slot in items:
            if slot.get("type").lower() != "empty" and (slot.get("shots") or _is_lost(slot)):
                number = _slot_number(entity, slot, index, taken, elsewhere)
                if number >= 0:
                    taken.add(number)
                    _mech_slot(entity, slot, index, number, slots, ammo, lost)


def _is_lost(element: Element) -> bool:
    return element.yes("isHit") or element.yes("isMissing") or element.yes("isDestroyed")


def _slot_number(entity: Entity, element: Element, place: int, taken: set[int], elsewhere: bool) -> int:
    """Which slot of our sheet an element means, from 0; -1 when it is dealt with in the other pass, or none fits."""
    slots, said = entity.spec.slots[place], element.get("type")
    given = element.get("index")
    number = int(given) - 1 if given.isdigit() else -1
    there = 0 <= number < len(slots)
    fits = there and number not in taken and (said.lower() == "system" or _same_item(slots[number], said))
    if fits is not elsewhere:
        return number if fits else -1
    if fits:
        return -1
    other = next((i for i, slot in enumerate(slots) if i not in taken and _same_item(slot, said)), -1)
    if other >= 0:
        return other
    where = f"slot {given} of {entity.spec.location_name(place)}"
    if there and number not in taken and slots[number].kind == "ammo" and _key(slots[number].name) == _key(said):
        entity.note("ignored", f"{where} is loaded with {said}: played as its sheet's {slots[number].name}", element.line)
        return number
    entity.note("ignored", f"{where} holds {said}, of which its sheet knows nothing there", element.line)
    return -1


def _key(name: str) -> str:
    return suit_item(name).key


def _same_item(slot: Slot, said: str) -> bool:
    """Whether a slot of the sheet holds what a file calls by a name."""
    ours, theirs = suit_item(slot.name), suit_item(said)
    if ours.kind == "other" or theirs.kind == "other":
        return bare(slot.name) == bare(said)
    return (ours.kind, ours.key, ours.munition) == (theirs.kind, theirs.key, theirs.munition)


def _mech_slot(
    entity: Entity,
    element: Element,
    place: int,
    number: int,
    slots: dict[int, int],
    ammo: dict[int, int],
    lost: dict[str, int],
) -> None:
    spec = entity.spec
    slot = spec.slots[place][number]
    if slot.kind == "ammo" and element.get("shots"):
        ammo[slot.ref] = entity.number(element, "shots", spec.bins[slot.ref].shots)
    if element.yes("isHit") or element.yes("isMissing") or (element.yes("isDestroyed") and slot.kind not in _ITEMS):
        if slot.hittable:
            slots[place] = slots.get(place, 0) | 1 << number
    elif element.yes("isDestroyed"):
        # out of order by a hit on another of its slots, or salvaged
        if slot.kind == "weapon":
            lost["mounts_lost"] |= 1 << slot.ref
        elif slot.kind == "equipment":
            lost["equipment_lost"] |= 1 << slot.ref


def _bin_by_name(entity: Entity, element: Element, place: int, used: set[int], ammo: dict[int, int]) -> None:
    """Shots of a unit without slots: the next bin of that location that holds such ammunition."""
    spec = entity.spec
    item = suit_item(element.get("type"))
    here = [b for b in spec.bins if b.location == place and b.index not in used]
    found = next((b for b in here if _holds(b.kind, item)), None)
    if found is None:
        said = element.get("type")
        entity.note("ignored", f"it carries no {said} in {spec.location_name(place)}", element.line)
        return
    used.add(found.index)
    ammo[found.index] = entity.number(element, "shots", found.shots)


def _holds(kind: str, item: Item) -> bool:
    """Whether a kind of ammunition is what an item names, whichever munition it is."""
    weapon = kind.partition(":")[0]
    if weapon == "other":
        return kind == item.key or (item.kind == "ammo" and not item.key)
    return bool(item.key) and weapon in (item.key, f"is_{item.key}", f"clan_{item.key}")


def _lost_by_name(entity: Entity, element: Element, place: int, lost: dict[str, int]) -> None:
    """A weapon or piece of equipment of a unit without slots."""
    spec = entity.spec
    item = suit_item(element.get("type"))
    for mount in spec.mounts:
        free = not lost["mounts_lost"] >> mount.index & 1
        if mount.location == place and free and mount.id in (item.key, f"is_{item.key}", f"clan_{item.key}"):
            lost["mounts_lost"] |= 1 << mount.index
            return
    for equipment in spec.equipment:
        free = not lost["equipment_lost"] >> equipment.index & 1
        if equipment.location == place and free and equipment.kind == item.key:
            lost["equipment_lost"] |= 1 << equipment.index
            return
    said = element.get("type")
    entity.note("ignored", f"{said} is none of what it has in {spec.location_name(place)}", element.line)


def read_conditions(entity: Entity, element: Element) -> None:
    """A vehicle's motive damage, turret, crew and system hits. Rules: E-16, E-20, E-23, E-24, E-24a, E-24b."""
    unit, spec = entity.unit, entity.spec
    if not spec.is_vehicle:
        return
    for motive in element.all("motive"):
        unit.cruise_lost = entity.number(motive, "damage", spec.walk) if motive.get("damage") else 0
        penalty = entity.number(motive, "penalty", 6) if motive.get("penalty") else 0
        unit.motive_hits = _motive_hits(penalty, unit.cruise_lost)
        if unit.cruise_lost >= spec.walk:
            unit.immobilized = True
    for turret in element.all("turretlock"):
        if not spec.turret:
            entity.note("ignored", "it has no turret to be locked", turret.line)
            continue
        unit.turret = 2
        facing = entity.number(turret, "direction", 5) if turret.get("direction") else 0
        unit.twist = (facing + 2) % 6 - 2
    for hits in element.all("tcriticals"):
        if hits.get("sensors"):
            unit.sensor_hits = entity.number(hits, "sensors", table("vehicles")["criticals"]["sensors_blind"])
        if hits.get("engine"):
            unit.engine_dead = unit.immobilized = True
            unit.turret = 2 if spec.turret else 0
        if hits.get("driver"):
            unit.crew |= PILOT if spec.kind == "vtol" else DRIVER
        if hits.get("commander"):
            unit.crew |= COPILOT if spec.kind == "vtol" else COMMANDER
    for place in element.all("location"):
        index = entity.location(place)
        if index is not None and any(place.all("stabilizer")):
            unit.stabilizers |= 1 << index


def _motive_hits(penalty: int, cruise_lost: int) -> int:
    """Grades of motive damage that make up a penalty, each once; three may be one heavy hit or two light ones. Rule: E-16."""
    grades = 0
    rest = penalty
    for adds, bit in reversed(_MOTIVE):
        if rest >= adds and not (adds == 3 and penalty == 3 and cruise_lost <= 1):
            grades |= bit
            rest -= adds
    return grades
