"""Platoons and squads of battle armour made :class:`~opfor.units.spec.UnitSpec`. Rule: S-9.

A platoon has one location whose structure counts its troopers, and a mount for its weapons taken together. A squad has one
location a suit; what every suit carries is one mount at :data:`~opfor.units.spec.SQUAD`, what a single suit carries one at
that suit. Units that attack 'Mechs on foot have the mounts ``leg_attack`` and ``swarm`` besides: attacks like any other, so
that they are declared as fire.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import cache

from opfor.errors import nearest
from opfor.tables import table
from opfor.tables.arsenal import FireMode, Weapon, launchers
from opfor.units.loadout import mount_weapon
from opfor.units.names import CLAN, IS, Item, bare, understand, weapon_id
from opfor.units.spec import (
    KINDS,
    PLATOON_LOCATIONS,
    SQUAD,
    SUIT_LOCATIONS,
    AmmoBin,
    Equipment,
    Mount,
    PlatoonArms,
    UnitSpec,
)
from opfor.units.vehicle_sheet import InfantrySheet, SuitsSheet
from opfor.units.workbench import Build, Report

#: ids of the mounts that stand for attacks on a 'Mech from its own hex
LEG_ATTACK, SWARM = "leg_attack", "swarm"
_SUIT_MARK = re.compile(r"^(IS|CL|Clan)?\s*BA[-_ ]?(?=[A-Z0-9])")


@cache
def infantry_weapon(id: str) -> Weapon:
    """A weapon that only infantry has: ``platoon_rifle`` and its like, ``leg_attack`` and ``swarm``.

    The figures here are names and reach in hexes; what such attacks need and do is said by the infantry rules
    (:mod:`opfor.rules.troops.infantry`, :mod:`opfor.rules.troops.anti_mech`).
    """
    name, reach = {LEG_ATTACK: ("Leg attack", (0, 0, 0)), SWARM: ("Swarm", (0, 0, 0))}.get(id, ("", (0, 0, 0)))
    flags = {"infantry", "anti_mech"}
    if not name:
        rules = table("infantry_units")
        row = rules["platoon_weapons"][id.removeprefix("platoon_")]
        name, reach, flags = row["name"], tuple(rules["range_classes"][row["range_class"]]), {"infantry", row["range_class"]}
    return Weapon(
        id=id, name=name, tech="both", heat=0, damage=(0, 0, 0), cluster=0, group=0, minimum=0, short=reach[0],
        medium=reach[1], long=reach[2], tons=0, crits=0, ammo_per_ton=0, kinds=frozenset({"AI"}), to_hit=0, cluster_mod=0,
        vs_infantry="none", explodes=0, water=None, flags=frozenset(flags),
    )  # fmt: skip


def _infantry_mount(index: int, id: str, location: int) -> Mount:
    weapon = infantry_weapon(id)
    return Mount(index, id, weapon.name, weapon, (FireMode("", weapon, 0),), location)


def build_infantry(sheet: InfantrySheet, report: Report | None = None) -> UnitSpec:
    """The platoon that a sheet describes; ``report`` as in :func:`opfor.units.build.build_mech`. Raises InputError."""
    rules = table("infantry_units")
    build = Build(sheet, report or (lambda message, place: None), PLATOON_LOCATIONS, CLAN if sheet.tech == "Clan" else IS)
    if sheet.motive not in KINDS["infantry"]:
        raise build.refuse(
            f"{sheet.motive!r} is no motive type of infantry", "motive", nearest(sheet.motive, KINDS["infantry"])
        )
    arms = _arms(build)
    troopers = arms.squads * arms.squad_size
    if not 1 <= troopers <= rules["most_troopers"]:
        raise build.refuse(
            f"{arms.squads} squads of {arms.squad_size}: a platoon has 1 to {rules['most_troopers']} troopers", "squads"
        )
    able = sheet.motive in rules["anti_mech"]
    anti_mech = able if sheet.anti_mech is None else sheet.anti_mech
    if anti_mech and not able:
        raise build.refuse(f"{sheet.motive} infantry cannot attack 'Mechs on foot", "anti_mech")
    speed, burden = rules["movement"][sheet.motive], rules["encumbered"]
    slowed = sheet.support_per_squad >= burden["support_per_squad"] and sheet.motive not in burden["never"]
    walk = max(0, speed["walk"] - (burden["walk"] if slowed else 0))
    tons = troopers * (rules["tons_per_trooper"][sheet.motive] + (rules["tons_anti_mech"] if anti_mech else 0))
    mounts = [_infantry_mount(0, f"platoon_{arms.weapon}", 0)]
    if anti_mech:
        mounts += [_infantry_mount(1, LEG_ATTACK, 0), _infantry_mount(2, SWARM, 0)]
    for name in sheet.other:
        build.not_used(name, 0)
    return _spec(
        build, "infantry", sheet.motive, math.ceil(round(tons, 6)), walk, speed.get("jump", 0), (0,), (troopers,),
        tuple(mounts), (), tuple(Equipment(i, "other", name, 0) for i, name in enumerate(sheet.other)), arms, anti_mech,
    )  # fmt: skip


def _arms(build: Build[InfantrySheet]) -> PlatoonArms:
    """What the platoon fights with, and its size where the sheet leaves it open. Rule: S-9."""
    sheet, rules = build.sheet, table("infantry_units")
    known = rules["platoon_weapons"]
    for place, weapon in (("primary", sheet.primary), ("support", sheet.support)):
        if weapon and weapon not in known:
            raise build.refuse(
                f"{weapon!r} is no weapon of a platoon", place, nearest(weapon, known) or f"known: {', '.join(known)}"
            )
    named = sheet.support if sheet.support and sheet.support_per_squad else sheet.primary
    standard = rules["clan_platoon"] if sheet.tech == "Clan" else rules["platoons"][sheet.motive][named]
    squads, size = sheet.squads or standard[0], sheet.squad_size or standard[1]
    carriers = sheet.support_per_squad if sheet.support else 0
    if not 0 <= carriers <= size:
        raise build.refuse(f"{carriers} support weapons in a squad of {size}", "support_per_squad")
    damage = known[sheet.primary]["damage"] * (size - carriers)
    damage += known[sheet.support]["damage"] * carriers if carriers else 0
    # with two support weapons in each squad the platoon fights at their range
    leading = sheet.support if carriers >= rules["support_per_squad"] else sheet.primary
    return PlatoonArms(leading, known[leading]["range_class"], round(damage / size, 4), squads, size)


def infantry_weapon_key(name: str) -> str:
    """The row of ``platoon_weapons`` that a weapon's name in a file means; empty when there is none."""
    wanted = bare(name)
    names = table("infantry_units")["weapon_names"]
    return next((key for key, said in names.items() if wanted == key or any(bare(n) == wanted for n in said)), "")


def build_battle_armor(sheet: SuitsSheet, report: Report | None = None) -> UnitSpec:
    """The squad that a sheet describes; ``report`` as in :func:`opfor.units.build.build_mech`. Raises InputError."""
    rules = table("infantry_units")["suits"]
    build = Build(sheet, report or (lambda message, place: None), SUIT_LOCATIONS, CLAN if sheet.tech == "Clan" else IS)
    if not 1 <= sheet.suits <= rules["most"]:
        raise build.refuse(f"{sheet.suits} suits: a squad has 1 to {rules['most']}", "suits")
    if not 0 <= sheet.armor <= rules["most_armor"]:
        raise build.refuse(f"{sheet.armor} points of armour on a suit: 0 to {rules['most_armor']} are possible", "armor")
    if sheet.walk < 0 or sheet.jump < 0 or not sheet.walk + sheet.jump:
        raise build.refuse(f"ground MP {sheet.walk} and jumping MP {sheet.jump} do not move a suit", "walk")
    for number in sheet.suit_equipment:
        if not 1 <= number <= sheet.suits:
            raise build.refuse(f"equipment of suit {number}, but there are {sheet.suits}", f"suit_equipment.{number}")
    for place, names in ((SQUAD, sheet.equipment), *((n - 1, names) for n, names in sheet.suit_equipment.items())):
        for name in names:
            _carry(build, name, place)
    bins = _salvos(build)
    carried = {b.kind for b in bins}
    mounts = [m if any(mode.ammo in carried for mode in m.modes) else _unlimited(m) for m in build.mounts]
    if sheet.anti_mech:
        mounts += [_infantry_mount(len(mounts), LEG_ATTACK, SQUAD), _infantry_mount(len(mounts) + 1, SWARM, SQUAD)]
    return _spec(
        build, "battle_armor", "suits", math.ceil(sheet.suits * sheet.tons_per_suit), sheet.walk, sheet.jump,
        (sheet.armor,) * sheet.suits, (rules["structure"],) * sheet.suits, tuple(mounts), bins, tuple(build.equipment), None,
        sheet.anti_mech,
    )  # fmt: skip


def _unlimited(mount: Mount) -> Mount:
    """The weapon of a suit whose sheet counts no salvos for it."""
    return replace(mount, modes=tuple(replace(mode, ammo="", shots=0) for mode in mount.modes))


def suit_item(name: str) -> Item:
    """What a line of a suit's equipment means: files mark suit weapons with BA, as ``CLBASmall Laser``.

    A weapon that only the other tech base builds for 'Mechs is that one.
    """
    item = understand(name)
    if (item.kind != "other" and (item.kind != "ammo" or item.key)) or bare(name) in table("infantry_units")["suits"][
        "unlike_mechs"
    ]:
        return item
    marked = _SUIT_MARK.match(name)
    for meant in (f"{marked.group(1) or ''}{name[marked.end() :]}", name[marked.end() :]) if marked else ():
        found = understand(meant)
        if found.kind != "other" and found.key:
            return found
    return item


def _carry(build: Build[SuitsSheet], name: str, place: int) -> None:
    """One weapon or piece of equipment, of every suit or of one."""
    item = suit_item(name)
    if item.kind == "weapon":
        mount = mount_weapon(build, item, place, len(build.mounts), -1)
        build.mounts.append(replace(mount, name=mount.name.removesuffix(" (Clan)")))
    elif item.kind == "equipment" and item.key in ("ecm", "probe", "light_probe", "tag_link"):
        build.add_equipment("probe" if item.key == "light_probe" else item.key, item.name, place)
    elif infantry_weapon_key(name):
        # small arms, as those of an anti-personnel mount
        build.mounts.append(_infantry_mount(len(build.mounts), f"platoon_{infantry_weapon_key(name)}", place))
    else:
        build.add_equipment("other", name, place)
        build.unmodelled.append(f"{name} (squad)" if place == SQUAD else f"{name} (suit {place + 1})")


def _salvos(build: Build[SuitsSheet]) -> tuple[AmmoBin, ...]:
    """A bin for each weapon that the sheet counts salvos of; suits fire and run out together. Rule: S-9."""
    bins: list[AmmoBin] = []
    for name, shots in build.sheet.shots.items():
        item = suit_item(name)
        id = weapon_id(item.key, item.tech or build.tech) if item.kind == "weapon" else ""
        mount = next((m for m in build.mounts if m.id == id), None)
        if mount is None:
            raise build.refuse(f"salvos for {name!r}, which no suit carries", "shots")
        if shots < 1:
            raise build.refuse(f"{shots} salvos for {name!r}", "shots")
        kind = launchers()[id][0].ammo
        if not kind:
            raise build.refuse(f"{name}: a {mount.name} needs no ammunition", "shots")
        bins.append(AmmoBin(len(bins), kind, f"{mount.name} Ammo", shots, mount.location, 0))
    return tuple(bins)


def _spec(
    build: Build[InfantrySheet] | Build[SuitsSheet],
    kind: str,
    motive: str,
    tons: int,
    walk: int,
    jump: int,
    armor: tuple[int, ...],
    structure: tuple[int, ...],
    mounts: tuple[Mount, ...],
    bins: tuple[AmmoBin, ...],
    equipment: tuple[Equipment, ...],
    arms: PlatoonArms | None,
    anti_mech: bool,
) -> UnitSpec:
    sheet = build.sheet
    return UnitSpec(
        name=sheet.name,
        chassis=sheet.chassis,
        model=sheet.model,
        kind=kind,
        tons=tons,
        tech={"Clan": "Clan", "Mixed": "mixed"}.get(sheet.tech, "IS"),
        era=sheet.era,
        quad=False,
        walk=walk,
        run=walk,
        jump=jump,
        armor=armor,
        structure=structure,
        slots=((),) * len(structure),
        mounts=mounts,
        bins=bins,
        equipment=equipment,
        engine="",
        engine_rating=0,
        gyro="",
        cockpit="",
        sink_rating=1,
        sinks=0,
        sink_locations=(),
        jet_locations=(),
        unmodelled=tuple(build.unmodelled),
        battle_value=sheet.battle_value,
        source=sheet.source,
        motive=motive,
        arms=arms,
        anti_mech=anti_mech,
    )
