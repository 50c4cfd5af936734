"""A ground vehicle's or VTOL's record sheet made a :class:`~opfor.units.spec.UnitSpec`. Rule: S-5, E-15.

A vehicle's armour and structure have six entries. The body is never struck, so that it has no armour; its structure is that of
any other location, and stands for the hull that holds ammunition and equipment together. A vehicle without a turret has
zeros for it.
"""

from __future__ import annotations

import math
from dataclasses import replace

from opfor.errors import nearest
from opfor.tables import table
from opfor.units.loadout import ammo_bin, link_artemis, mount_weapon
from opfor.units.munition_loads import modes_allowed
from opfor.units.names import CLAN, IS, Item, understand
from opfor.units.spec import (
    BODY,
    KINDS,
    TURRET,
    VEHICLE_LOCATIONS,
    VTOL_LOCATIONS,
    AmmoBin,
    Mount,
    UnitSpec,
)
from opfor.units.vehicle_sheet import VehicleSheet
from opfor.units.workbench import Build, Report


def build_vehicle(sheet: VehicleSheet, report: Report | None = None) -> UnitSpec:
    """The vehicle that a record sheet describes.

    ``report`` is called for each oddity that does not stop the build, with a sentence and the place it is about (as
    ``equipment.TU``). What no rule uses, an artillery piece for one, is kept and named in ``spec.unmodelled``. Raises
    :class:`opfor.errors.InputError`.
    """
    rules = table("vehicle_units")
    kind = "vtol" if sheet.motive == "vtol" else "vehicle"
    build = Build(
        sheet,
        report or (lambda message, place: None),
        VTOL_LOCATIONS if kind == "vtol" else VEHICLE_LOCATIONS,
        CLAN if sheet.tech == "Clan" else IS,
    )
    _check_frame(build)
    turret = kind == "vehicle" and ("TU" in sheet.armor or bool(sheet.equipment.get("TU")))
    structure = _structure(sheet.tons, kind == "vtol" or turret)
    armor = _armor(build, structure)
    for name in sheet.equipment:
        if name not in build.locations:
            raise build.refuse(
                f"equipment given for unknown location {name!r}", f"equipment.{name}", nearest(name, build.locations)
            )
    for place, name in enumerate(build.locations):
        for line in sheet.equipment.get(name, ()):
            _mount(build, understand(line), place)
    link_artemis(build)
    bins = tuple(ammo_bin(build, item, location, index) for index, (item, location) in enumerate(build.bins))
    carried = {b.kind for b in bins}
    mounts = tuple(replace(m, modes=modes_allowed(m, carried)) for m in build.mounts)
    return UnitSpec(
        name=sheet.name,
        chassis=sheet.chassis,
        model=sheet.model,
        kind=kind,
        tons=sheet.tons,
        tech={"Clan": "Clan", "Mixed": "mixed"}.get(sheet.tech, "IS"),
        era=sheet.era,
        quad=False,
        walk=sheet.cruise,
        run=math.ceil(sheet.cruise * rules["flanking"]),
        jump=0,
        armor=armor,
        structure=structure,
        slots=((),) * len(build.locations),
        mounts=mounts,
        bins=bins,
        equipment=tuple(build.equipment),
        engine=sheet.engine,
        engine_rating=sheet.engine_rating or engine_rating(sheet.motive, sheet.tons, sheet.cruise),
        gyro="",
        cockpit="",
        sink_rating=1,
        sinks=0,
        sink_locations=(),
        jet_locations=(),
        case=_case(build, mounts, bins),
        unmodelled=tuple(build.unmodelled),
        battle_value=sheet.battle_value,
        source=sheet.source,
        motive=sheet.motive,
        turret=turret,
        troop_space=sheet.troop_space,
        cargo=sheet.cargo,
        bombs=sheet.bombs,
        bomb=sheet.bomb,
    )


def engine_rating(motive: str, tons: int, cruise: int) -> int:
    """Rating of the engine that moves a vehicle at a cruising speed (TechManual, suspension factors)."""
    rules = table("vehicle_units")
    factor = next(points for most, points in rules["suspension"][motive].items() if tons <= most)
    step = int(rules["rating_step"])
    return max(int(rules["least_rating"]), -(-(cruise * tons - int(factor)) // step) * step)


def _structure(tons: int, top: bool) -> tuple[int, ...]:
    """Points of the six locations; none on a turret that is not there. Rule: S-5."""
    points = -(-tons // int(table("vehicle_units")["tons_per_structure"]))
    return (*(points,) * TURRET, points if top else 0)


def _check_frame(build: Build[VehicleSheet]) -> None:
    """Motive type, weight, speed, engine and armour are what vehicles have."""
    sheet, rules = build.sheet, table("vehicle_units")
    motives = (*KINDS["vehicle"], *KINDS["vtol"])
    if sheet.motive not in motives:
        raise build.refuse(f"{sheet.motive!r} is no motive type", "motive", nearest(sheet.motive, motives))
    most = rules["heaviest"][sheet.motive]
    if not 1 <= sheet.tons <= most:
        what = "VTOL" if sheet.motive == "vtol" else f"{sheet.motive} vehicle"
        raise build.refuse(f"{sheet.tons} tons is no weight of a {what}: 1 to {most}", "tons")
    if sheet.cruise < 0 or (sheet.cruise == 0 and sheet.motive == "vtol"):
        raise build.refuse(f"cruising MP cannot be {sheet.cruise}", "cruise")
    if sheet.engine not in rules["engines"]:
        raise build.refuse(
            f"engine of kind {sheet.engine!r} is not supported", "engine", nearest(sheet.engine, rules["engines"])
        )
    if sheet.engine_rating:
        wanted = engine_rating(sheet.motive, sheet.tons, sheet.cruise)
        if wanted > sheet.engine_rating:
            raise build.refuse(
                f"cruising MP {sheet.cruise} need an engine of rating {wanted}, not {sheet.engine_rating}", "engine"
            )
    for what, tons in (("room for troops", sheet.troop_space), ("cargo", sheet.cargo)):
        if not 0 <= tons <= sheet.tons:
            raise build.refuse(f"{tons:g} tons of {what} in a vehicle of {sheet.tons}", what.split()[-1])
    if sheet.bombs and (sheet.motive != "vtol" or sheet.bombs < 0):
        raise build.refuse(f"{sheet.bombs} bombs: only VTOLs carry bombs", "bombs")
    kinds = table("artillery")["bombs"]["kinds"]
    if sheet.bomb and sheet.bomb not in kinds:
        raise build.refuse(f"{sheet.bomb!r} is no kind of bomb", "bomb", nearest(sheet.bomb, kinds))
    if sheet.armor_type not in rules["plain_armor"]:
        build.unmodelled.append(f"{sheet.armor_type} armour")


def _armor(build: Build[VehicleSheet], structure: tuple[int, ...]) -> tuple[int, ...]:
    """The six armour values (none on the body), checked against what the vehicle can carry."""
    sheet, rules = build.sheet, table("vehicle_units")["armor"]
    values = [0] * len(build.locations)
    places = {name: index for index, name in enumerate(build.locations) if index != BODY}
    for name, points in sheet.armor.items():
        if name not in places:
            raise build.refuse(f"armour given for unknown location {name!r}", f"armor.{name}", nearest(name, places))
        if points < 0:
            raise build.refuse(f"armour on {name} cannot be negative", f"armor.{name}")
        values[places[name]] = points
    for name, place in places.items():
        if name not in sheet.armor and structure[place]:
            raise build.refuse(f"no armour given for {name}: write 0 if it has none", "armor")
    most = int(rules["per_ton"] * sheet.tons + rules["plus"])
    if sum(values) > most:
        raise build.refuse(f"{sum(values)} points of armour: a vehicle of {sheet.tons} tons carries at most {most}", "armor")
    if sheet.motive == "vtol" and values[TURRET] > rules["rotor_most"]:
        build.report(f"{values[TURRET]} points of armour on the rotor, where {rules['rotor_most']} are the most", "armor.RO")
    return tuple(values)


def _mount(build: Build[VehicleSheet], item: Item, place: int) -> None:
    """Enter one item in the spec's lists."""
    if item.kind == "weapon":
        build.mounts.append(mount_weapon(build, item, place, len(build.mounts), -1))
    elif item.kind == "ammo":
        build.bins.append((item, place))
    elif item.kind == "equipment":
        nearly, _, key = item.key.rpartition(":")
        build.add_equipment("probe" if key == "light_probe" else key, item.name, place)
        if nearly:
            build.not_used(item.name, place)
    elif item.kind in ("heat_sink", "armour", "empty"):
        pass  # vehicles track no heat; what else they carry has no place to be hit in
    else:
        build.add_equipment("other", item.name, place)
        build.not_used(item.name, place)


def _case(build: Build[VehicleSheet], mounts: tuple[Mount, ...], bins: tuple[AmmoBin, ...]) -> frozenset[int]:
    """Locations with CASE: a vehicle's protects whatever explodes in it, Clan vehicles have it of themselves. Rule: E-18."""
    explosive = {b.location for b in bins if b.explosion_per_shot} | {m.location for m in mounts if m.weapon.explodes}
    if build.tech == CLAN:
        return frozenset(explosive)
    return frozenset(explosive | {BODY}) if any(e.kind == "case" for e in build.equipment) else frozenset()
