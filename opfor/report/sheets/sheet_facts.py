"""What a record sheet says of a unit, as words and numbers that both the drawing and the text show. Rule: S-5 to S-9, E-38."""

from __future__ import annotations

from dataclasses import dataclass

from opfor.formats.names import mount_label
from opfor.hex import DIRECTION_NAMES
from opfor.report.unit_words import company_words, condition_words, height_words, kind_word, strength_words
from opfor.rules.moving.movement import movement_points
from opfor.rules.pilots.piloting import skill_words
from opfor.rules.pilots.wounds import BODY, NONLETHAL, penalty
from opfor.rules.troops.infantry import is_platoon_weapon, platoon_damage, trooper_damage
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import REAR_ARMOR, Mount, UnitSpec
from opfor.units.state import UnitState


@dataclass(frozen=True, slots=True)
class WeaponRow:
    """A weapon: where, what it does, how far, and how it is. ``out``: it will not fire any more."""

    name: str
    place: str
    heat: str
    damage: str
    ranges: str
    ammo: str
    state: str
    out: bool


@dataclass(frozen=True, slots=True)
class SlotRow:
    """A critical slot: its name, and whether it has been hit. Slots that nothing fills are told as ``-``."""

    name: str
    hit: bool
    empty: bool


def headline(unit: UnitState) -> str:
    """Type, weight and kind."""
    spec = unit.spec
    tons = f"{spec.tons} tons" if spec.tons else ""
    return ", ".join(word for word in (spec.name, tons, kind_word(spec), spec.tech) if word)


def standing_words(state: State, unit: UnitState) -> list[str]:
    """Where a unit is and what is the matter with it."""
    found = [state.sides[unit.side]]
    if unit.gone:
        found.append("off the map")
    elif unit.cell >= 0:
        facing = "" if unit.spec.is_infantry else f" facing {DIRECTION_NAMES[unit.facing]}"
        found.append(f"in {state.board.grid.names[unit.cell]}{facing}")
    found += [word for word in (height_words(unit), strength_words(unit)) if word]
    return found + company_words(state, unit) + condition_words(unit)


def movement_rows(state: State, unit: UnitState) -> list[tuple[str, int, int]]:
    """Each way of moving with its MP as built and as they are now."""
    spec = unit.spec
    now = movement_points(state, unit) if unit.cell >= 0 and not unit.gone else None
    points = (now.walk, now.run, now.jump) if now is not None else (0, 0, 0)
    names = ("Cruise", "Flank", "Jump") if spec.is_vehicle else ("Walk", "Run", "Jump")
    built = (spec.walk, spec.run, spec.jump)
    rows = list(zip(names, built, points, strict=True))
    if spec.is_infantry:
        rows = [rows[0], rows[2]]
    return [row for row in rows if row[0] != "Jump" or row[1]]


def weapon_rows(unit: UnitState) -> list[WeaponRow]:
    """The weapons in the order of the sheet."""
    spec = unit.spec
    rows = []
    for mount in spec.mounts:
        weapon = mount.weapon
        place = spec.location_name(mount.location)
        if mount.split_location >= 0:
            place += f"/{spec.location_name(mount.split_location)}"
        if mount.rear:
            place += " rear"
        damage = _damage(unit, mount)
        minimum = f"{weapon.minimum}: " if weapon.minimum else ""
        ranges = f"{minimum}{weapon.short}/{weapon.medium}/{weapon.long}" if weapon.long else "own hex"
        kinds = {mode.ammo for mode in mount.modes if mode.ammo}
        ammo = str(sum(unit.shots(kind) for kind in kinds)) if kinds else ""
        bit = 1 << mount.index
        states = [
            word
            for word, so in (
                ("destroyed", bool(unit.mounts_lost & bit) or (mount.location >= 0 and unit.lost(mount.location))),
                ("jammed", bool(unit.jammed & bit)),
                ("malfunction", bool(unit.malfunctioned & bit)),
                ("used", bool(unit.one_shot_used & bit)),
                ("no ammunition", ammo == "0"),
                ("fired", bool(unit.fired & bit)),
            )
            if so
        ]
        out = bool(states) and states[0] in ("destroyed", "used", "no ammunition")
        heat = str(weapon.heat) if spec.is_mech else ""
        rows.append(WeaponRow(mount_label(spec, mount.index), place, heat, damage, ranges, ammo, ", ".join(states), out))
    return rows


def _damage(unit: UnitState, mount: Mount) -> str:
    """Points of a hit by range; those of troopers' weapons are what all that are left do at best."""
    weapon = mount.weapon
    if "anti_mech" in weapon.flags:
        return ""
    if mount.modes and is_platoon_weapon(mount.modes[0]):
        alive = unit.structure[0] if unit.spec.kind == "infantry" else sum(1 for points in unit.structure if points > 0)
        return f"up to {platoon_damage(max(0, alive), trooper_damage(unit, mount.modes[0]))}"
    points = "/".join(map(str, weapon.damage)) if len(set(weapon.damage)) > 1 else str(weapon.damage[0])
    return f"{points} x{weapon.cluster}" if weapon.cluster and weapon.is_missile else points


def ammunition_rows(unit: UnitState) -> list[tuple[str, str, int, int]]:
    """Each bin: its name, where it is, shots left, shots as built."""
    spec = unit.spec
    return [
        (each.name, spec.location_name(each.location), left, each.shots)
        for each, left in zip(spec.bins, unit.ammo, strict=True)
    ]


def equipment_rows(unit: UnitState) -> list[tuple[str, str, bool]]:
    """Each piece of equipment: its name, where it is, whether it is lost."""
    spec = unit.spec
    return [
        (each.name, spec.location_name(each.location), bool(unit.equipment_lost >> each.index & 1)) for each in spec.equipment
    ]


def slot_rows(unit: UnitState, location: int) -> list[SlotRow]:
    """The critical slots of a location."""
    lost = unit.lost(location)
    return [
        SlotRow("-" if slot.kind == "empty" else slot.name, slot.kind != "empty" and (lost or bool(mask)), slot.kind == "empty")
        for index, slot in enumerate(unit.spec.slots[location])
        for mask in (unit.slots_hit[location] >> index & 1,)
    ]


def armor_rows(spec: UnitSpec) -> list[tuple[int, str, int]]:
    """Index of the armour, name of the location and its number, the rears after the rest."""
    rows = [(index, name, index) for index, name in enumerate(spec.locations)]
    if spec.is_mech:
        rows += [(rear, f"{spec.locations[at]} rear", at) for at, rear in REAR_ARMOR.items()]
    return rows


def heat_effects() -> dict[int, list[str]]:
    """What each step of the heat scale does, as words. Rule: S-7."""
    rules = table("heat")
    found: dict[int, list[str]] = {}
    for start, value in rules["mp"]:
        found.setdefault(start, []).append(f"-{value} MP")
    for start, value in rules["to_hit"]:
        found.setdefault(start, []).append(f"+{value} to hit")
    for start, value in rules["shutdown"]:
        found.setdefault(start, []).append(f"shutdown {value}+")
    for start, value in rules["ammunition"]:
        found.setdefault(start, []).append(f"ammo {value}+")
    found.setdefault(rules["shutdown_automatic"], []).append("shutdown")
    return found


def crew_facts(unit: UnitState) -> list[tuple[str, str]]:
    """Skills, each with its name."""
    spec = unit.spec
    facts = [("Gunnery", str(unit.gunnery))]
    if not spec.is_infantry:
        facts.append((skill_words(unit).capitalize(), str(unit.piloting)))
    if unit.wounds:
        facts.append(("Wounds add", f"+{penalty(unit)}"))
    if unit.physical_level is not None:
        facts.append(("Physical level", f"{unit.physical_level:+d}"))
    if unit.mental != 5:
        facts.append(("Mental", str(unit.mental)))
    facts += [
        (name, f"{level:+d}")
        for name, level in (("Tactics", unit.tactics), ("Melee", unit.melee), ("Hazard", unit.hazard))
        if level
    ]
    return facts


def wounded_by_location(state: State, unit: UnitState) -> bool:
    """Whether the pilot's harm is kept by body location (E-38) and not as hits."""
    return bool(unit.body) or state.ruleset.pilot_damage == "wounds"


def body_rows(unit: UnitState) -> list[tuple[str, int, int]]:
    """Each part of the pilot's body, with points nl and L wounds. Rule: E-38."""
    hits = unit.body or (0,) * len(BODY)
    return [(name.replace("_", " "), n % 2 * NONLETHAL, n // 2) for name, n in zip(BODY, hits, strict=True)]
