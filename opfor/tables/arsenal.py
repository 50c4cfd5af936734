"""Weapons and the ways each can be fired.

A :class:`Weapon` is a row of ``weapons.yaml``. What a unit declares is a :class:`FireMode` of it: an Ultra autocannon at
single or double rate, an LB-X with slug or cluster, a flamer for damage or heat, an MML with either missile. Target
numbers, heat, ammunition and damage all read the mode, so that nothing else needs to know about kinds of weapon.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from opfor.tables import table

SHORT, MEDIUM, LONG = 0, 1, 2
BRACKETS = ("short", "medium", "long")


@dataclass(frozen=True, slots=True)
class Weapon:
    """One weapon's figures. Ranges in hexes, heat and damage in points, ``damage`` by bracket (short, medium, long)."""

    id: str
    name: str
    tech: str
    heat: int
    damage: tuple[int, int, int]
    #: column of the cluster hits table, 0 for a single shot
    cluster: int
    #: points applied to one hit location at a time after a cluster roll
    group: int
    minimum: int
    short: int
    medium: int
    long: int
    tons: float
    crits: int
    #: shots in a ton of ammunition, 0 for a weapon that needs none
    ammo_per_ton: int
    #: type codes, as DE, DB, P, M, C
    kinds: frozenset[str]
    to_hit: int
    cluster_mod: int
    vs_infantry: str
    #: damage when the weapon's own slot takes a critical hit, 0 when it does not explode
    explodes: int
    #: ranges under water, or None when it cannot be fired there
    water: tuple[int, int, int] | None
    flags: frozenset[str]

    def bracket(self, distance: int) -> int | None:
        """Range bracket at ``distance`` hexes (0 short, 1 medium, 2 long), or None out of range."""
        if distance <= self.short:
            return SHORT
        if distance <= self.medium:
            return MEDIUM
        return LONG if distance <= self.long else None

    @property
    def is_missile(self) -> bool:
        """Whether it fires missiles (subject to anti-missile systems)."""
        return "M" in self.kinds

    @property
    def is_attack(self) -> bool:
        """Whether it can be declared as an attack; point defence cannot. Leg and swarm attacks reach the own hex alone."""
        return self.long > 0 or "anti_mech" in self.flags


@dataclass(frozen=True, slots=True)
class FireMode:
    """One way of firing a mounted weapon.

    ``shots`` rounds of ammunition kind ``ammo`` are spent, ``heat`` is the heat of the whole salvo, ``cluster`` the
    column rolled on (0: every shot hits as one), ``jam_at`` the highest natural roll that jams the weapon (0: never).
    """

    name: str
    weapon: Weapon
    heat: int
    ammo: str = ""
    shots: int = 0
    cluster: int = 0
    group: int = 0
    to_hit: int = 0
    cluster_mod: int = 0
    jam_at: int = 0
    #: heat put into a target that tracks heat, instead of damage
    target_heat: int = 0
    #: number of hit locations' worth of full weapon damage: ultra and rotary apply each hit by itself
    each_hit_separate: bool = False
    #: special missiles, a key of ``munitions.yaml``; "" for plain ones
    munition: str = ""

    def damage(self, bracket: int, *, inside_minimum: bool = False) -> int:
        """Damage of one shot, missile or pellet at a range bracket; some warheads do half inside their minimum range."""
        points = 0 if self.target_heat else self.weapon.damage[bracket]
        return points // 2 if inside_minimum and "half_damage_inside_min_range" in self.weapon.flags else points


def _weapon(row: dict[str, Any]) -> Weapon:
    damage = row.get("damage", 0)
    by_bracket = tuple(damage[b] for b in BRACKETS) if isinstance(damage, dict) else (damage, damage, damage)
    water = row.get("water")
    return Weapon(
        id=row["id"],
        name=row["name"],
        tech=row.get("tech", "both"),
        heat=row.get("heat", 0),
        damage=by_bracket,
        cluster=row.get("cluster", 0),
        group=row.get("group", 0),
        minimum=row.get("min", 0),
        short=row.get("short", 0),
        medium=row.get("medium", 0),
        long=row.get("long", 0),
        tons=row.get("tons", 0),
        crits=row.get("crits", 0),
        ammo_per_ton=row.get("ammo_per_ton", 0),
        kinds=frozenset(row.get("type", ())),
        to_hit=row.get("to_hit", 0),
        cluster_mod=row.get("cluster_mod", 0),
        vs_infantry=row.get("vs_infantry", "none"),
        explodes=row.get("explodes", 0),
        water=tuple(water) if water else None,
        flags=frozenset(row.get("flags", ())),
    )


@lru_cache(maxsize=1)
def weapons() -> dict[str, Weapon]:
    """Every weapon row by id, multi-ammunition launchers as one row for each ammunition (``is_mml5_lrm``)."""
    return {row["id"]: _weapon(row) for row in table("weapons")["weapons"]}


@lru_cache(maxsize=1)
def launchers() -> dict[str, tuple[FireMode, ...]]:
    """Every mountable weapon id with the modes it can be fired in, the plainest first. Rule: S-4."""
    found: dict[str, list[FireMode]] = {}
    for weapon in weapons().values():
        family = next((f.removeprefix("mode_of:") for f in weapon.flags if f.startswith("mode_of:")), "")
        if family:
            name = weapon.id.removeprefix(family + "_")
            found.setdefault(family, []).append(replace(_plain(weapon), name=name, ammo=f"{family}:{name}"))
        else:
            found[weapon.id] = _modes(weapon)
    return {key: tuple(modes) for key, modes in found.items()}


def _plain(weapon: Weapon) -> FireMode:
    uses_ammo = weapon.ammo_per_ton > 0
    return FireMode(
        name="",
        weapon=weapon,
        heat=weapon.heat,
        ammo=weapon.id if uses_ammo else "",
        shots=1 if uses_ammo else 0,
        cluster=weapon.cluster,
        group=weapon.group,
        to_hit=weapon.to_hit,
        cluster_mod=weapon.cluster_mod,
    )


def _modes(weapon: Weapon) -> list[FireMode]:
    plain = _plain(weapon)
    flags = weapon.flags
    rules = table("fire_modes")
    if "ultra" in flags:
        ultra = rules["ultra"]
        double = replace(
            plain,
            name="double",
            heat=weapon.heat * 2,
            shots=2,
            cluster=ultra["cluster"],
            jam_at=ultra["jam_at"],
            each_hit_separate=True,
        )
        return [plain, double]
    if "rotary" in flags:
        return [
            replace(
                plain,
                name="" if n == 1 else f"x{n}",
                heat=weapon.heat * n,
                shots=n,
                cluster=n if n > 1 else 0,
                jam_at=jam,
                each_hit_separate=n > 1,
            )
            for n, jam in rules["rotary"]["jam_at"].items()
        ]
    if "guided_munitions" in flags:
        kinds = table("artillery")["munitions"]
        return [plain, *(replace(plain, name=kind, ammo=f"{weapon.id}:{kind}") for kind in kinds)]
    if "lbx_slug_or_cluster" in flags:
        size = rules["lbx"]["cluster"][weapon.id]
        pellets = replace(
            plain,
            name="cluster",
            weapon=replace(weapon, damage=(1, 1, 1), kinds=weapon.kinds | {"C"}, vs_infantry="cluster_ballistic"),
            ammo=f"{weapon.id}:cluster",
            cluster=size,
            group=1,
            to_hit=rules["lbx"]["to_hit"],
        )
        return [plain, pellets]
    for points in (1, 2, 4):
        if f"heat_mode_{points}" in flags:
            return [plain, replace(plain, name="heat", target_heat=points)]
    return [plain]
