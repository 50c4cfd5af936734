"""A 'Mech's frame checked against the construction rules: structure, armour, engine, heat sinks. Rule: S-5."""

from __future__ import annotations

from opfor.errors import nearest
from opfor.tables import table
from opfor.units.sheet import MechSheet
from opfor.units.spec import HD, LOCATION_COUNT, LT, REAR_ARMOR, RT
from opfor.units.workbench import Build


def structure_points(tons: int, quad: bool) -> tuple[int, ...]:
    head, centre, side, arm, leg = table("structure")["by_tons"][tons]
    front = leg if quad else arm
    return (head, centre, side, side, front, front, leg, leg)


def armor_points(build: Build[MechSheet], structure: tuple[int, ...]) -> tuple[int, ...]:
    """The eleven armour values, checked against what each location can carry."""
    rules = table("structure")["armor"]
    given = build.sheet.armor
    rear = {f"{build.locations[t]}R": index for t, index in REAR_ARMOR.items()}
    known = (*build.locations, *rear)
    for name in given:
        if name not in known:
            raise build.refuse(f"armour given for unknown location {name!r}", place=f"armor.{name}", hint=nearest(name, known))
    values = [0] * (LOCATION_COUNT + len(rear))
    for place, name in enumerate(build.locations):
        if name not in given:
            raise build.refuse(f"no armour given for {name}: write 0 if it has none", place="armor")
        values[place] = given[name]
    for name, index in rear.items():
        values[index] = given.get(name, 0)
        if name not in given:
            build.report(f"no rear armour given for {name[:2]}: taken as 0", "armor")
    for place, name in enumerate(build.locations):
        most = rules["head_maximum"] if place == HD else rules["times_structure"] * structure[place]
        total = values[place] + (values[REAR_ARMOR[place]] if place in REAR_ARMOR else 0)
        if values[place] < 0 or total < values[place]:
            raise build.refuse(f"armour on {name} cannot be negative", place=f"armor.{name}")
        if total > most:
            raise build.refuse(
                f"{total} points of armour on {name}: a 'Mech of {build.sheet.tons} tons carries at most {most}",
                place=f"armor.{name}",
            )
    return tuple(values)


def walking_mp(build: Build[MechSheet]) -> int:
    """Walking MP, which are the engine's rating over the tonnage. Rule: S-2."""
    sheet = build.sheet
    by_engine, rest = divmod(sheet.engine_rating, sheet.tons)
    if sheet.primitive:
        by_engine, rest = int(sheet.engine_rating / table("structure")["primitive_engine"] / sheet.tons + 1e-9), 0
    if by_engine < 1:
        raise build.refuse(f"an engine of rating {sheet.engine_rating} does not move {sheet.tons} tons", place="engine")
    if rest:
        build.report(
            f"engine rating {sheet.engine_rating} is no multiple of {sheet.tons} tons: walking MP {by_engine}, rounded down",
            "engine",
        )
    if sheet.walk and sheet.walk != by_engine:
        raise build.refuse(
            f"walking MP {sheet.walk} do not fit: an engine of {sheet.engine_rating} gives {sheet.tons} tons {by_engine}",
            place="walk",
        )
    if sheet.jump < 0:
        raise build.refuse(f"jumping MP cannot be {sheet.jump}", place="jump")
    return by_engine


def check_systems(build: Build[MechSheet]) -> None:
    """Engine, gyro, cockpit, armour and structure are of a known kind, or named as not modelled."""
    sheet, rules = build.sheet, table("structure")
    for what, value, known in (
        ("engine", sheet.engine, list(rules["engine_side_slots"])),
        ("gyro", sheet.gyro, rules["gyros"]),
        ("cockpit", sheet.cockpit, rules["cockpits"]),
    ):
        if value not in known:
            raise build.refuse(f"{what} of kind {value!r} is not supported", place=what, hint=nearest(value, known))
    for what, value, plain in (
        ("armour", sheet.armor_type, rules["plain_armor"]),
        ("structure", sheet.structure, rules["plain_structure"]),
    ):
        if value not in plain:
            build.unmodelled.append(f"{value} {what}")


def check_engine_slots(build: Build[MechSheet]) -> None:
    wanted = table("structure")["engine_side_slots"][build.sheet.engine]
    for place in (RT, LT):
        found = sum(1 for slot in build.slots[place] if slot.kind == "engine")
        if found != wanted:
            build.report(
                f"{found} engine slots in {build.locations[place]} where {build.sheet.engine} has {wanted}: the slots stand",
                f"slots.{build.locations[place]}",
            )


def check_sinks_and_jets(build: Build[MechSheet]) -> None:
    sheet = build.sheet
    inside = sheet.engine_rating // table("structure")["heat_sinks"]["rating_per_sink"]
    if not len(build.sinks) <= sheet.heat_sinks <= len(build.sinks) + inside:
        build.report(
            f"{sheet.heat_sinks} heat sinks stated, {len(build.sinks)} in slots, {inside} fit in the engine: the first stands",
            "heat_sinks",
        )
    if len(build.jets) != sheet.jump:
        which = "the stated MP stand" if build.jets else "it does not jump"
        build.report(f"jumping MP {sheet.jump}, but {len(build.jets)} jump jets: {which}", "jump")
