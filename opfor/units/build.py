"""A record sheet made a :class:`~opfor.units.spec.UnitSpec`: every slot understood, each weapon given its modes. Rule: S-5.

:func:`build_mech` refuses a sheet that cannot be what it says (unknown location, too many slots, too much armour, a tonnage
that does not exist). What it can read but no rule here uses is kept as equipment of kind ``other`` and named in
``spec.unmodelled``; smaller oddities are added to ``notes``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from opfor.errors import InputError, nearest
from opfor.tables import table
from opfor.tables.arsenal import FireMode, Weapon, launchers
from opfor.units import names
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
    REAR_ARMOR,
    RT,
    TORSOS,
    AmmoBin,
    Equipment,
    Mount,
    Slot,
    UnitSpec,
)

#: which locations a weapon may be split over (the inner one can be the second)
_NEIGHBOURS = {4: (RT,), 5: (LT,), 6: (RT,), 7: (LT,), RT: (CT, 4, 6), LT: (CT, 5, 7), CT: (RT, LT), HD: ()}
_SPLIT_FROM = 10  # slots: only the largest weapons may be split without saying so

Report = Callable[[str], None]


@dataclass(slots=True)
class _Build:
    """Working state of one build."""

    sheet: MechSheet
    report: Report
    locations: tuple[str, ...]
    tech: str
    slots: list[list[Slot]] = field(default_factory=lambda: [[] for _ in range(LOCATION_COUNT)])
    mounts: list[Mount] = field(default_factory=list)
    bins: list[tuple[Item, int]] = field(default_factory=list)
    equipment: list[Equipment] = field(default_factory=list)
    sinks: list[int] = field(default_factory=list)
    jets: list[int] = field(default_factory=list)
    unmodelled: list[str] = field(default_factory=list)

    def refuse(self, message: str, place: str = "", hint: str = "") -> InputError:
        return InputError(message, source=self.sheet.source or self.sheet.name, place=place, hint=hint)

    def not_used(self, what: str, location: int) -> None:
        self.unmodelled.append(f"{what} ({self.locations[location]})")

    def add_equipment(self, kind: str, name: str, location: int) -> int:
        self.equipment.append(Equipment(len(self.equipment), kind, name, location))
        return len(self.equipment) - 1


def build_mech(sheet: MechSheet, report: Report | None = None) -> UnitSpec:
    """The unit that a record sheet describes.

    ``report`` receives one sentence for each oddity that does not stop the build. Raises :class:`InputError`.
    """
    quad = sheet.config == QUAD
    build = _Build(
        sheet,
        report or (lambda message: None),
        QUAD_LOCATIONS if quad else BIPED_LOCATIONS,
        CLAN if sheet.tech == "Clan" or sheet.clan_chassis else IS,
    )
    rules = table("structure")
    if sheet.config not in (BIPED, QUAD):
        raise build.refuse(f"configuration {sheet.config!r} is not supported: only Biped and Quad are")
    if sheet.tons not in rules["by_tons"]:
        raise build.refuse(f"{sheet.tons} tons is no weight of a 'Mech: 10 to 100 in steps of 5")
    structure = _structure(sheet.tons, quad)
    armor = _armor(build, structure)
    walk = _walk(build)
    _check_systems(build)
    _fill_slots(build)
    _link_artemis(build)
    bins = tuple(_bin(build, item, location, index) for index, (item, location) in enumerate(build.bins))
    carried = {b.kind for b in bins}
    mounts = tuple(replace(m, modes=_modes(m, carried)) for m in build.mounts)
    sink_rating = rules["heat_sinks"]["rating"].get(sheet.heat_sink_type)
    if sink_rating is None:
        kinds = rules["heat_sinks"]["rating"]
        raise build.refuse(
            f"{sheet.heat_sink_type!r} is no kind of heat sink",
            hint=nearest(sheet.heat_sink_type, kinds),
        )
    _check_sinks_and_jets(build)
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
        jump=sheet.jump,
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
        case=_case(build, mounts, bins),
        unmodelled=tuple(build.unmodelled),
        battle_value=sheet.battle_value,
        source=sheet.source,
    )


def _structure(tons: int, quad: bool) -> tuple[int, ...]:
    head, centre, side, arm, leg = table("structure")["by_tons"][tons]
    front = leg if quad else arm
    return (head, centre, side, side, front, front, leg, leg)


def _armor(build: _Build, structure: tuple[int, ...]) -> tuple[int, ...]:
    """The eleven armour values, checked against what each location can carry."""
    rules = table("structure")["armor"]
    given = build.sheet.armor
    rear = {f"{build.locations[t]}R": index for t, index in REAR_ARMOR.items()}
    known = (*build.locations, *rear)
    for name in given:
        if name not in known:
            raise build.refuse(f"armour given for unknown location {name!r}", place="armor", hint=nearest(name, known))
    values = [0] * (LOCATION_COUNT + len(rear))
    for place, name in enumerate(build.locations):
        if name not in given:
            raise build.refuse(f"no armour given for {name}: write 0 if it has none", place="armor")
        values[place] = given[name]
    for name, index in rear.items():
        values[index] = given.get(name, 0)
        if name not in given:
            build.report(f"no rear armour given for {name[:2]}: taken as 0")
    for place, name in enumerate(build.locations):
        most = rules["head_maximum"] if place == HD else rules["times_structure"] * structure[place]
        total = values[place] + (values[REAR_ARMOR[place]] if place in REAR_ARMOR else 0)
        if min(values) < 0:
            raise build.refuse("armour cannot be negative", place="armor")
        if total > most:
            raise build.refuse(
                f"{total} points of armour on {name}: a 'Mech of {build.sheet.tons} tons carries at most {most}",
                place="armor",
            )
    return tuple(values)


def _walk(build: _Build) -> int:
    """Walking MP, which are the engine's rating over the tonnage. Rule: S-2."""
    sheet = build.sheet
    by_engine, rest = divmod(sheet.engine_rating, sheet.tons)
    if by_engine < 1:
        raise build.refuse(f"an engine of rating {sheet.engine_rating} does not move {sheet.tons} tons", place="engine")
    if rest:
        build.report(
            f"engine rating {sheet.engine_rating} is no multiple of {sheet.tons} tons: walking MP {by_engine}, rounded down"
        )
    if sheet.walk and sheet.walk != by_engine:
        raise build.refuse(
            f"walking MP {sheet.walk} do not fit: an engine of {sheet.engine_rating} gives {sheet.tons} tons {by_engine}"
        )
    if sheet.jump < 0:
        raise build.refuse(f"jumping MP cannot be {sheet.jump}")
    return by_engine


def _check_systems(build: _Build) -> None:
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


def _fill_slots(build: _Build) -> None:
    """Every line of every location, grouped into items. Rule: S-5 (critical slots)."""
    rules = table("structure")["slots"]
    sheet = build.sheet
    for name in sheet.slots:
        if name not in build.locations:
            raise build.refuse(f"slots given for unknown location {name!r}", place="slots", hint=nearest(name, build.locations))
    leftovers: list[tuple[int, int, Item, list[int]]] = []
    for place, name in enumerate(build.locations):
        legs = place in LEGS or (sheet.config == QUAD and place in ARMS)
        size = rules["head"] if place == HD else rules["leg"] if legs else rules["arm"] if place in ARMS else rules["torso"]
        items = [understand(line) for line in sheet.slots.get(name, ())]
        if name not in sheet.slots:
            raise build.refuse(f"no slots given for {name}", place="slots")
        if any(item.kind != "empty" for item in items[size:]):
            raise build.refuse(f"{name} has {len(items)} slots in use beyond its {size}", place=f"slots.{name}")
        items = (items + [Item("empty", "empty")] * size)[:size]
        build.slots[place] = [EMPTY] * size
        _fill_location(build, place, items, leftovers)
    _join_splits(build, leftovers)
    kinds = {(place, slot.kind) for place in range(LOCATION_COUNT) for slot in build.slots[place]}
    for system, places in (("engine", (CT,)), ("gyro", (CT,)), ("cockpit", (HD, CT))):
        if not any((place, system) in kinds for place in places):
            where = " or ".join(build.locations[p] for p in places)
            raise build.refuse(f"no {system} slot in {where}", place="slots")
    _check_engine_slots(build)


def _check_engine_slots(build: _Build) -> None:
    wanted = table("structure")["engine_side_slots"][build.sheet.engine]
    for place in (RT, LT):
        found = sum(1 for slot in build.slots[place] if slot.kind == "engine")
        if found != wanted:
            build.report(
                f"{found} engine slots in {build.locations[place]} where {build.sheet.engine} has {wanted}: the slots stand"
            )


def _fill_location(build: _Build, place: int, items: list[Item], leftovers: list[tuple[int, int, Item, list[int]]]) -> None:
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
        if size and len(run) < size:
            leftovers.append((place, size, item, run))
        else:
            _place(build, place, item, run)
        for i in run:
            items[i] = _TAKEN
        index += 1
        while index < len(items) and items[index] is _TAKEN:
            index += 1


_TAKEN = Item("taken", "")


def _size(build: _Build, item: Item) -> int:
    """Slots of one such item; 0 when all adjoining slots of the name are one item."""
    tech = 1 if (item.tech or build.tech) == CLAN else 0
    if item.kind == "weapon":
        return launchers()[names.weapon_id(item.key, item.tech or build.tech)][0].weapon.crits
    if item.kind == "heat_sink":
        sinks = table("structure")["heat_sinks"]["crits"]
        if item.key == "single":
            return int(sinks["single"])
        clan = item.tech == CLAN or (not item.tech and build.sheet.heat_sink_type == "double_clan")
        return int(sinks["double_clan" if clan else "double_is"])
    if item.kind == "jump_jet":
        return 2 if item.key == "improved" else 1
    if item.kind == "equipment":
        rows = table("equipment_names")
        row = rows["light_probe"] if item.key == "light_probe" else rows["equipment"][item.key]
        return int(row["slots"][tech])
    return 0 if item.kind == "other" else 1


def _place(build: _Build, place: int, item: Item, run: list[int], split: int = -1, split_run: list[int] | None = None) -> None:
    """Give one item its slots (those in a second location too) and enter it in the spec's lists."""
    kind, ref = item.kind, -1
    if kind == "weapon":
        ref = len(build.mounts)
        build.mounts.append(_mount(build, item, place, ref, split))
    elif kind == "ammo":
        ref = len(build.bins)
        build.bins.append((item, place))
    elif kind == "heat_sink":
        ref = len(build.sinks)
        build.sinks.append(place)
    elif kind == "jump_jet":
        ref = len(build.jets)
        build.jets.append(place)
        if item.key == "improved":
            build.not_used(f"{item.name}: heat of a standard jump jet", place)
    elif kind == "tsm":
        if not any(e.kind == "tsm" for e in build.equipment):
            build.add_equipment("tsm", item.name, CT)
        kind = "structure"
    elif kind == "equipment":
        ref = build.add_equipment("probe" if item.key == "light_probe" else item.key, item.name, place)
    elif kind == "other":
        kind, ref = "equipment", build.add_equipment("other", item.name, place)
        build.not_used(item.name, place)
    slot = EMPTY if kind == "empty" else Slot(kind, item.name, ref)
    for index in run:
        build.slots[place][index] = slot
    for index in split_run or ():
        build.slots[split][index] = slot


def _join_splits(build: _Build, leftovers: list[tuple[int, int, Item, list[int]]]) -> None:
    """Weapons over two adjoining locations; anything else with too few slots is refused. Rule: S-5."""
    while leftovers:
        place, size, item, run = leftovers.pop(0)
        partner = next(
            (
                other
                for other in leftovers
                if other[2] == item and other[0] in _NEIGHBOURS[place] and len(other[3]) + len(run) == size
            ),
            None,
        )
        if item.kind == "weapon" and partner and (item.split or size >= _SPLIT_FROM):
            leftovers.remove(partner)
            # a split weapon fires from the more restricted arc: the location nearer the centre holds it
            outer, inner = sorted(((place, run), (partner[0], partner[3])), key=lambda half: half[0] in TORSOS)
            if inner[0] in TORSOS and outer[0] in TORSOS:
                outer, inner = sorted((outer, inner), key=lambda half: half[0] == CT)
            _place(build, inner[0], item, inner[1], outer[0], outer[1])
            continue
        where = build.locations[place]
        raise build.refuse(f"{item.name} takes {size} slots, {len(run)} found in {where}", place=f"slots.{where}")


def _mount(build: _Build, item: Item, place: int, index: int, split: int) -> Mount:
    id = names.weapon_id(item.key, item.tech or build.tech)
    modes = launchers()[id]
    weapon = modes[0].weapon
    one_shot = item.one_shot or "one_shot" in weapon.flags
    if one_shot:
        modes = tuple(replace(mode, ammo="", shots=0) for mode in modes)
    name = weapon.name if len(modes) == 1 or ":" not in modes[0].ammo else weapon.name.split(" (")[0]
    return Mount(index, id, name, weapon, modes, place, item.rear, split, one_shot=one_shot)


def _link_artemis(build: _Build) -> None:
    """Each Artemis IV serves the first launcher of its location that has none yet. Rule: S-4 (Artemis IV)."""
    for equipment in build.equipment:
        if equipment.kind != "artemis_iv":
            continue
        for mount in build.mounts:
            if mount.artemis < 0 and mount.location == equipment.location and "artemis_capable" in mount.weapon.flags:
                build.mounts[mount.index] = replace(mount, artemis=equipment.index)
                break
        else:
            build.report(f"{equipment.name} in {build.locations[equipment.location]} has no launcher to serve")


def _bin(build: _Build, item: Item, place: int, index: int) -> AmmoBin:
    """One bin: kind, shots and what a shot does when it explodes. Rule: S-5 (ammunition explosions)."""
    rows = table("equipment_names")
    if not item.key or item.key.startswith("other:"):
        build.not_used(item.name, place)
        row = rows["other_ammo"].get(item.key.removeprefix("other:"), {"shots": 0, "damage": 0})
        return AmmoBin(index, item.key or f"other:{names.bare(item.name)}", item.name, row["shots"], place, row["damage"])
    id = _ammo_weapon(build, item)
    kind = f"{id}:{item.munition}" if item.munition else id
    modes = launchers()[id]
    weapon = next((m.weapon for m in modes if m.ammo == kind or kind.startswith(m.ammo + ":")), modes[0].weapon)
    if not item.modelled:
        build.not_used(item.name, place)
    shots = int(weapon.ammo_per_ton * item.fraction)
    if not shots:
        raise build.refuse(f"{item.name}: a {weapon.name} needs no ammunition", place=f"slots.{build.locations[place]}")
    return AmmoBin(index, kind, item.name, shots, place, _explosion(id, weapon))


def _ammo_weapon(build: _Build, item: Item) -> str:
    """The launcher that a bin belongs to: where its name leaves the tech base open, the one that is carried."""
    id = names.weapon_id(item.key, item.tech or build.tech)
    if item.tech:
        return id
    mounted = {mount.id for mount in build.mounts}
    return next((m for m in (id, f"is_{item.key}", f"clan_{item.key}") if m in mounted), id)


def _explosion(id: str, weapon: Weapon) -> int:
    known = table("equipment_names")["explosion_per_shot"]
    if id in known:
        return int(known[id])
    if "X" in weapon.kinds:  # Gauss slugs do not explode, the rifle does
        return 0
    return max(weapon.damage) * (weapon.cluster if weapon.is_missile and weapon.cluster else 1)


def _modes(mount: Mount, carried: set[str]) -> tuple[FireMode, ...]:
    """The modes that the ammunition on board allows, each munition a mode of its own; the plain one if there is none."""
    found: list[FireMode] = []
    for mode in mount.modes:
        if not mode.ammo or mode.ammo in carried:
            found.append(mode)
    for suffix in table("equipment_names")["munitions"]["modelled"]:
        for mode in mount.modes:
            kind = f"{mode.ammo}:{suffix}"
            if mode.ammo and kind in carried and all(m.ammo != kind for m in mount.modes):
                found.append(replace(mode, name=f"{mode.name} {suffix}".strip(), ammo=kind))
    return tuple(found) or mount.modes[:1]


def _case(build: _Build, mounts: tuple[Mount, ...], bins: tuple[AmmoBin, ...]) -> frozenset[int]:
    """Locations with CASE: where the sheet puts it, and on a Clan 'Mech wherever something explodes. Rule: S-5 (CASE)."""
    protected = {e.location for e in build.equipment if e.kind == "case"}
    if build.tech == CLAN:
        protected |= {b.location for b in bins if b.explosion_per_shot}
        protected |= {m.location for m in mounts if m.weapon.explodes}
        protected |= {m.split_location for m in mounts if m.weapon.explodes and m.split_location >= 0}
    return frozenset(protected)


def _check_sinks_and_jets(build: _Build) -> None:
    sheet = build.sheet
    inside = sheet.engine_rating // table("structure")["heat_sinks"]["rating_per_sink"]
    if not len(build.sinks) <= sheet.heat_sinks <= len(build.sinks) + inside:
        build.report(
            f"{sheet.heat_sinks} heat sinks stated, {len(build.sinks)} in slots, {inside} fit in the engine: the first stands"
        )
    if len(build.jets) != sheet.jump:
        build.report(f"jumping MP {sheet.jump}, but {len(build.jets)} jump jets: the stated MP stand")
