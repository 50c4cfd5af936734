"""A record sheet made a :class:`~opfor.units.spec.UnitSpec`: every slot understood, each weapon given its modes. Rule: S-5.

:func:`build_mech` refuses a sheet that cannot be what it says (unknown location, too many slots, too much armour, a tonnage
that does not exist). What it can read but no rule here uses is kept as equipment of kind ``other`` and named in
``spec.unmodelled``; smaller oddities are reported.
"""

from __future__ import annotations

import math
from dataclasses import replace

from opfor.errors import nearest
from opfor.tables import table
from opfor.tables.arsenal import launchers
from opfor.units import names
from opfor.units.chassis import (
    armor_points,
    check_engine_slots,
    check_sinks_and_jets,
    check_systems,
    structure_points,
    walking_mp,
)
from opfor.units.loadout import ammo_bin, case_locations, link_artemis, mount_weapon
from opfor.units.munition_loads import modes_allowed
from opfor.units.names import CLAN, IS, Item, understand
from opfor.units.sheet import BIPED, QUAD, MechSheet
from opfor.units.spec import (
    ARMS,
    BIPED_LOCATIONS,
    CT,
    EMPTY,
    HD,
    LEGS,
    LOCATION_COUNT,
    LT,
    QUAD_LOCATIONS,
    RT,
    TORSOS,
    Slot,
    UnitSpec,
)
from opfor.units.workbench import Build, Report

#: which locations a weapon may be split over (the inner one can be the second)
_NEIGHBOURS = {4: (RT,), 5: (LT,), 6: (RT,), 7: (LT,), RT: (CT, 4, 6), LT: (CT, 5, 7), CT: (RT, LT), HD: ()}
_SPLIT_FROM = 8  # slots: only the largest weapons may be split without saying so

#: slots that may be half of an item: location, slots of the whole, what it is, indices found
Part = tuple[int, int, Item, list[int]]


def build_mech(sheet: MechSheet, report: Report | None = None) -> UnitSpec:
    """The unit that a record sheet describes.

    ``report`` is called for each oddity that does not stop the build, with a sentence and the place it is about (as
    ``slots.LA``). Raises :class:`opfor.errors.InputError`.
    """
    quad = sheet.config == QUAD
    build = Build(
        sheet,
        report or (lambda message, place: None),
        QUAD_LOCATIONS if quad else BIPED_LOCATIONS,
        CLAN if sheet.tech == "Clan" or sheet.clan_chassis else IS,
    )
    rules = table("structure")
    if sheet.config not in (BIPED, QUAD):
        raise build.refuse(f"configuration {sheet.config!r} is not supported: only Biped and Quad are")
    if sheet.tons not in rules["by_tons"]:
        raise build.refuse(f"{sheet.tons} tons is no weight of a 'Mech: 10 to 100 in steps of 5", place="mass")
    structure = structure_points(sheet.tons, quad)
    armor = armor_points(build, structure)
    walk = walking_mp(build)
    check_systems(build)
    _fill_slots(build)
    link_artemis(build)
    bins = tuple(ammo_bin(build, item, location, index) for index, (item, location) in enumerate(build.bins))
    carried = {b.kind for b in bins}
    mounts = tuple(replace(m, modes=modes_allowed(m, carried)) for m in build.mounts)
    sink_rating = rules["heat_sinks"]["rating"].get(sheet.heat_sink_type)
    if sink_rating is None:
        kinds = rules["heat_sinks"]["rating"]
        raise build.refuse(f"{sheet.heat_sink_type!r} is no kind of heat sink", hint=nearest(sheet.heat_sink_type, kinds))
    check_sinks_and_jets(build)
    return UnitSpec(
        name=sheet.name,
        chassis=sheet.chassis,
        model=sheet.model,
        kind="mech",
        tons=sheet.tons,
        tech={"Clan": "Clan", "Mixed": "mixed"}.get(sheet.tech, "IS"),
        era=sheet.era,
        quad=quad,
        walk=walk,
        run=math.ceil(walk * rules["running"]),
        jump=sheet.jump if build.jets else 0,
        armor=armor,
        structure=structure,
        slots=tuple(tuple(slots) for slots in build.slots),
        mounts=mounts,
        bins=bins,
        equipment=tuple(build.equipment),
        engine=sheet.engine,
        engine_rating=sheet.engine_rating,
        gyro=sheet.gyro,
        cockpit=sheet.cockpit,
        sink_rating=sink_rating,
        sinks=sheet.heat_sinks,
        sink_locations=tuple(build.sinks),
        jet_locations=tuple(build.jets),
        case=case_locations(build, mounts, bins),
        unmodelled=tuple(build.unmodelled),
        battle_value=sheet.battle_value,
        source=sheet.source,
    )


def _fill_slots(build: Build[MechSheet]) -> None:
    """Every line of every location, grouped into items. Rule: S-5 (critical slots)."""
    rules = table("structure")["slots"]
    sheet = build.sheet
    for name in sheet.slots:
        if name not in build.locations:
            raise build.refuse(
                f"slots given for unknown location {name!r}", place=f"slots.{name}", hint=nearest(name, build.locations)
            )
    leftovers: list[Part] = []
    for place, name in enumerate(build.locations):
        legs = place in LEGS or (sheet.config == QUAD and place in ARMS)
        size = rules["head"] if place == HD else rules["leg"] if legs else rules["arm"] if place in ARMS else rules["torso"]
        items = [understand(line) for line in sheet.slots.get(name, ())]
        if name not in sheet.slots:
            raise build.refuse(f"no slots given for {name}", place="slots")
        if any(item.kind != "empty" for item in items[size:]):
            raise build.refuse(f"{name} has {size} slots, and more than that in use", place=f"slots.{name}")
        items = (items + [Item("empty", "empty")] * size)[:size]
        build.slots[place] = [EMPTY] * size
        _fill_location(build, place, items, leftovers)
    _join_splits(build, leftovers)
    kinds = {(place, slot.kind) for place in range(LOCATION_COUNT) for slot in build.slots[place]}
    for system, places in (("engine", (CT,)), ("gyro", (CT,)), ("cockpit", (HD, CT))):
        if not any((place, system) in kinds for place in places):
            where = " or ".join(build.locations[p] for p in places)
            raise build.refuse(f"no {system} slot in {where}", place=f"slots.{build.locations[places[0]]}")
    check_engine_slots(build)


def _fill_location(build: Build[MechSheet], place: int, items: list[Item], leftovers: list[Part]) -> None:
    """Turn runs of the same line into single items of the right size."""
    index = 0
    while index < len(items):
        item = items[index]
        size = _size(build, item)
        run = [index]
        while index + len(run) < len(items) and items[index + len(run)] == item and (size == 0 or len(run) < size):
            run.append(index + len(run))
        if size and len(run) < size:
            # an item may be interrupted by others (files sort slots as they like): take its later slots too
            later = [i for i in range(run[-1] + 1, len(items)) if items[i] == item]
            run += later[: size - len(run)]
        if (size and len(run) < size) or (item.kind == "other" and item.split):
            leftovers.append((place, size, item, run))
        else:
            _place(build, place, item, run)
        for i in run:
            items[i] = _TAKEN
        index += 1
        while index < len(items) and items[index] is _TAKEN:
            index += 1


_TAKEN = Item("taken", "")


def _size(build: Build[MechSheet], item: Item) -> int:
    """Slots of one such item; 0 when all adjoining slots of the name are one item."""
    tech = 1 if (item.tech or build.tech) == CLAN else 0
    if item.kind == "weapon":
        return launchers()[names.weapon_id(item.key, item.tech or build.tech)][0].weapon.crits
    if item.kind == "heat_sink":
        sinks = table("structure")["heat_sinks"]["crits"]
        if item.key in sinks:
            return int(sinks[item.key])
        clan = item.tech == CLAN or (not item.tech and build.sheet.heat_sink_type == "double_clan")
        return int(sinks["double_clan" if clan else "double_is"])
    if item.kind == "jump_jet":
        return 2 if item.key == "improved" else 1
    if item.kind == "equipment":
        rows = table("equipment_names")
        nearly, _, key = item.key.rpartition(":")
        return int((rows["nearly"] if nearly else rows["equipment"])[key]["slots"][tech])
    return 0 if item.kind == "other" else 1


def _place(
    build: Build[MechSheet], place: int, item: Item, run: list[int], split: int = -1, split_run: list[int] | None = None
) -> None:
    """Give one item its slots (those in a second location too) and enter it in the spec's lists."""
    kind, ref = item.kind, -1
    if kind == "weapon":
        ref = len(build.mounts)
        build.mounts.append(mount_weapon(build, item, place, ref, split))
    elif kind == "ammo":
        ref = len(build.bins)
        build.bins.append((item, place))
    elif kind == "heat_sink":
        ref = len(build.sinks)
        build.sinks.append(place)
    elif kind == "jump_jet":
        ref = len(build.jets)
        build.jets.append(place)
        if item.key == "improved" and not any(what.startswith(item.name) for what in build.unmodelled):
            build.not_used(item.name, place)
    elif kind == "tsm":
        if not any(e.kind == "tsm" for e in build.equipment):
            build.add_equipment("tsm", item.name, CT)
        kind = "structure"
    elif kind == "equipment":
        nearly, _, key = item.key.rpartition(":")
        ref = build.add_equipment("probe" if key == "light_probe" else key, item.name, place)
        if nearly:
            build.not_used(item.name, place)
    elif kind == "other":
        kind, ref = "equipment", build.add_equipment("other", item.name, place)
        build.not_used(item.name, place)
    slot = EMPTY if kind == "empty" else Slot(kind, item.name, ref)
    for index in run:
        build.slots[place][index] = slot
    for index in split_run or ():
        build.slots[split][index] = slot


def _join_splits(build: Build[MechSheet], leftovers: list[Part]) -> None:
    """Weapons over two adjoining locations; anything else with too few slots is refused. Rule: S-5."""
    while leftovers:
        part = place, size, item, run = leftovers.pop(0)
        partner = next((other for other in leftovers if _belong_together(part, other)), None)
        if partner:
            leftovers.remove(partner)
            # a split weapon fires from the more restricted arc: the location nearer the centre holds it
            outer, inner = sorted(
                ((place, run), (partner[0], partner[3])), key=lambda half: (half[0] in TORSOS) + (half[0] == CT)
            )
            _place(build, inner[0], item, inner[1], outer[0], outer[1])
        elif item.kind == "other":
            _place(build, place, item, run)
        else:
            where = build.locations[place]
            raise build.refuse(f"{item.name} takes {size} slots, {len(run)} found in {where}", place=f"slots.{where}")


def _belong_together(part: Part, other: Part) -> bool:
    """Whether two incomplete runs of slots are the halves of one weapon."""
    place, size, item, run = part
    if other[2] != item or other[0] not in _NEIGHBOURS[place]:
        return False
    if item.kind == "other":
        return item.split
    return item.kind == "weapon" and len(run) + len(other[3]) == size and (item.split or size >= _SPLIT_FROM)
