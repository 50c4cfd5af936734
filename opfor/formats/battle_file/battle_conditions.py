"""What only vehicles, infantry and battle armour can suffer, by name in the battle file: read, and written back.

Crews, motive systems, turrets, stabilizers and malfunctions of vehicles; troopers and suits lost; who is carried, clings to
an enemy or is dug in. What follows from a hit by the rules (a crew killed is out of action, a dead engine leaves a vehicle
immobile, motive damage costs cruising MP) is worked out; a battle in which it stands otherwise says so, and reads the same.
Rule: E-16, E-18 to E-24c, E-29, S-9.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opfor.errors import InputError, nearest
from opfor.formats.battle_file.battle_schema import DamageEntry, UnitEntry
from opfor.formats.names import find_location, find_mount, mount_labels
from opfor.formats.source import Path_
from opfor.hex import DIRECTION_NAMES, HexError, parse_direction
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState

#: crew hits by name, in the order of their bits (rules.crews)
CREW = ("commander", "driver", "copilot", "pilot", "killed")
#: motive damage by name, in the order of its bits (rules.motive)
MOTIVE = ("minor", "moderate", "heavy")
TURRETS = ("free", "jammed", "locked")
#: keys of the damage that only vehicles have, and the one that only VTOLs have
VEHICLE_KEYS = (
    "crew", "stunned", "stunned_next", "motive", "cruise_lost", "immobilized", "engine", "sensors", "stabilizers",
    "malfunctions", "turret", "turret_jams", "cargo_lost",
)  # fmt: skip
VTOL_KEYS = ("flight_stabilizer",)
#: what only 'Mechs do or suffer, by the key of the unit
MECH_KEYS = {
    "heat": "tracks no heat",
    "prone": "never lies prone",
    "shutdown": "does not shut down",
    "arms_flipped": "has no arms to flip",
    "twist": "has no torso to twist: say where a turret points, as turret: NE",
    "club": "carries no club",
}

#: motive types that stay on the surface of water
FLOATS = ("hover", "vtol", "mechanized_hover")

Refuse = Callable[..., InputError]


def kind_words(spec: UnitSpec) -> str:
    """A kind of unit in words, with its article."""
    return {
        "mech": "a 'Mech",
        "vehicle": "a vehicle",
        "vtol": "a VTOL",
        "infantry": "a platoon",
        "battle_armor": "battle armour",
    }.get(spec.kind, spec.kind)


def mask_of(names: list[str], known: tuple[str, ...], refuse: Callable[[int, str, str], InputError]) -> int:
    """Mask of names; ``refuse`` (index, message, hint) makes the error for one that is not known."""
    mask = 0
    for index, name in enumerate(names):
        word = name.strip().lower().replace("-", "").removesuffix(" hit")
        if word not in known:
            raise refuse(index, f"{name!r} is not known: use {', '.join(known)}", nearest(word, known))
        mask |= 1 << known.index(word)
    return mask


def names_of(mask: int, known: tuple[str, ...]) -> list[str]:
    """Names of a mask's bits."""
    return [name for index, name in enumerate(known) if mask >> index & 1]


def cruise_cost(spec: UnitSpec, motive: int) -> int:
    """Cruising MP that motive damage costs: one for moderate, half the rest (what stays rounded up) for heavy. Rule: E-16."""
    lost = 1 if motive & 2 else 0
    if motive & 4:
        lost += max(0, spec.walk - lost) // 2
    return min(spec.walk, lost)


class ConditionReader:
    """Reads the conditions of one unit. ``refuse(key, message, hint)`` makes an error."""

    def __init__(self, refuse: Refuse) -> None:
        self.refuse = refuse

    def check_kind(self, unit: UnitState, entry: UnitEntry) -> None:
        """Refuse what this kind of unit cannot do or suffer. Rule: S-7 (heat), E-9."""
        spec = unit.spec
        if not spec.is_mech:
            for key, why in MECH_KEYS.items():
                if getattr(entry, key):
                    raise self.refuse((key,), f"{unit.id} is {kind_words(spec)}, and {why}")
        if not spec.is_infantry:
            for key in ("swarming", "dug_in"):
                if getattr(entry, key):
                    raise self.refuse((key,), f"{unit.id} is {kind_words(spec)}: only infantry can be {key.replace('_', ' ')}")
        damage = entry.damage
        if damage is None:
            return
        for key in damage.model_fields_set:
            who = None
            if key in VEHICLE_KEYS and not spec.is_vehicle:
                who = "vehicles"
            elif key in VTOL_KEYS and spec.kind != "vtol":
                who = "VTOLs"
            elif key == "troopers" and spec.kind != "infantry":
                who = "platoons"
            elif key == "suits" and spec.kind != "battle_armor":
                who = "battle armour"
            elif key == "criticals" and not spec.is_mech and damage.criticals:
                who = "'Mechs"
            if who and getattr(damage, key):
                raise self.refuse(
                    ("damage", key), f"{unit.id} is {kind_words(spec)}: {key.replace('_', ' ')} is said of {who} only"
                )

    def turret(self, unit: UnitState, entry: UnitEntry) -> None:
        """Where a vehicle's turret points. Rule: S-4."""
        if entry.turret is None:
            return
        if not unit.spec.turret:
            raise self.refuse(("turret",), f"{unit.spec.name} has no turret")
        try:
            facing = parse_direction(entry.turret)
        except HexError as error:
            raise self.refuse(("turret",), str(error)) from None
        unit.twist = turret_twist(facing, unit.facing)

    def damage(self, unit: UnitState, entry: DamageEntry) -> None:
        """Crew, motive system, turret and the like; troopers and suits."""
        at: Path_ = ("damage",)
        spec = unit.spec
        given = entry.model_fields_set

        def refuser(key: str) -> Callable[[int, str, str], InputError]:
            return lambda index, message, hint: self.refuse((*at, key, index), message, hint)

        unit.crew = mask_of(entry.crew, CREW, refuser("crew"))
        unit.stunned, unit.stunned_next = entry.stunned, entry.stunned_next
        unit.cargo_lost = entry.cargo_lost
        unit.motive_hits = mask_of(entry.motive, MOTIVE, refuser("motive"))
        if entry.cruise_lost is not None:
            if entry.cruise_lost > spec.walk:
                raise self.refuse((*at, "cruise_lost"), f"{entry.cruise_lost} MP lost, but it cruises only {spec.walk}")
            unit.cruise_lost = entry.cruise_lost
        elif unit.motive_hits:
            unit.cruise_lost = cruise_cost(spec, unit.motive_hits)
        unit.engine_dead = entry.engine == "hit"
        unit.immobilized = entry.immobilized if entry.immobilized is not None else unit.engine_dead
        unit.flight_stabilizer = entry.flight_stabilizer
        if spec.is_vehicle:
            unit.sensor_hits = entry.sensors
        for index, name in enumerate(entry.stabilizers):
            location = find_location(spec, name)
            if location is None:
                raise self.refuse(
                    (*at, "stabilizers", index),
                    f"there is no location {name!r}: use {', '.join(spec.locations)}",
                    nearest(name, spec.locations),
                )
            unit.stabilizers |= 1 << location
        for index, name in enumerate(entry.malfunctions):
            try:
                taken = {i for i in range(len(spec.mounts)) if unit.malfunctioned >> i & 1}
                unit.malfunctioned |= 1 << find_mount(spec, name, taken)[0]
            except InputError as error:
                raise self.refuse((*at, "malfunctions", index), error.message, error.hint) from None
        if entry.turret != "free" and not spec.turret:
            raise self.refuse((*at, "turret"), f"{spec.name} has no turret to be {entry.turret}")
        unit.turret = TURRETS.index(entry.turret)
        unit.turret_jams = entry.turret_jams if entry.turret_jams is not None else int(entry.turret == "jammed")
        if "troopers" in given:
            self._troopers(unit, entry.troopers)
        if "suits" in given:
            self._suits(unit, entry.suits)

    def _troopers(self, unit: UnitState, lost: int) -> None:
        whole = unit.spec.structure[0]
        if lost > whole:
            raise self.refuse(("damage", "troopers"), f"{lost} troopers lost, but {unit.spec.name} has only {whole}")
        unit.structure[0] = whole - lost

    def _suits(self, unit: UnitState, suits: int | dict[str, Any]) -> None:
        spec = unit.spec
        if isinstance(suits, int):
            if suits > len(spec.structure):
                raise self.refuse(("damage", "suits"), f"{suits} suits lost, but {spec.name} has only {len(spec.structure)}")
            suits = {spec.locations[i]: "gone" for i in range(suits)}
        for name, points in suits.items():
            index = find_location(spec, name)
            if index is None:
                raise self.refuse(
                    ("damage", "suits", name),
                    f"there is no suit {name!r}: use {', '.join(spec.locations)}",
                    nearest(name, spec.locations),
                )
            if isinstance(points, str):
                unit.armor[index] = unit.structure[index] = 0
                continue
            if points > spec.armor[index]:
                raise self.refuse(
                    ("damage", "suits", name),
                    f"{points} points lost, but a suit of {spec.name} has only {spec.armor[index]} (gone: the suit is lost)",
                )
            unit.armor[index] = spec.armor[index] - points


def turret_twist(facing: int, hull: int) -> int:
    """A turret's facing as hexsides from the hull's, -2 to 3."""
    return (facing - hull + 2) % 6 - 2


def cause_of_loss(unit: UnitState) -> str:
    """Why damage puts a unit that is no 'Mech out of the battle; empty when it does not. Rule: E-15, S-9.

    A VTOL without its rotor has come down, and lives if it survives that. Rule: E-29.
    """
    spec = unit.spec
    if spec.kind == "infantry":
        return "" if unit.structure[0] > 0 else "all troopers lost"
    if spec.kind == "battle_armor":
        return "" if any(unit.structure) else "all suits lost"
    for location, whole in enumerate(spec.structure):
        if whole > 0 and unit.structure[location] <= 0 and spec.locations[location] != "RO":
            return f"{LONG_NAMES[spec.locations[location]]} destroyed"
    return ""


#: locations of vehicles in words
LONG_NAMES = {
    "BD": "body", "FR": "front", "RS": "right side", "LS": "left side", "RR": "rear", "TU": "turret", "RO": "rotor",
}  # fmt: skip


# -- writing ----------------------------------------------------------------------------------------------------------


def condition_entry(unit: UnitState) -> dict[str, Any]:
    """The damage that only vehicles have, by name; empty when there is none."""
    spec = unit.spec
    found: dict[str, Any] = {}
    if unit.crew:
        found["crew"] = names_of(unit.crew, CREW)
    if unit.stunned:
        found["stunned"] = unit.stunned
    if unit.stunned_next:
        found["stunned_next"] = unit.stunned_next
    if unit.motive_hits:
        found["motive"] = names_of(unit.motive_hits, MOTIVE)
    if unit.cruise_lost != cruise_cost(spec, unit.motive_hits):
        found["cruise_lost"] = unit.cruise_lost
    if unit.engine_dead:
        found["engine"] = "hit"
    if unit.immobilized != unit.engine_dead:
        found["immobilized"] = unit.immobilized
    if unit.sensor_hits and spec.is_vehicle:
        found["sensors"] = unit.sensor_hits
    if unit.flight_stabilizer:
        found["flight_stabilizer"] = True
    if unit.stabilizers:
        found["stabilizers"] = [name for i, name in enumerate(spec.locations) if unit.stabilizers >> i & 1]
    if unit.malfunctioned:
        found["malfunctions"] = mount_labels(spec, unit.malfunctioned)
    if unit.turret:
        found["turret"] = TURRETS[unit.turret]
    if unit.turret_jams != int(unit.turret == 1):
        found["turret_jams"] = unit.turret_jams
    if unit.cargo_lost:
        found["cargo_lost"] = True
    return found


def losses_entry(unit: UnitState) -> dict[str, Any]:
    """Troopers or suits lost, by name; empty for other kinds of unit, and when none are."""
    spec = unit.spec
    if spec.kind == "infantry":
        lost = spec.structure[0] - unit.structure[0]
        return {"troopers": lost} if lost else {}
    if spec.kind != "battle_armor":
        return {}
    suits: dict[str, Any] = {}
    for index, name in enumerate(spec.locations):
        if unit.structure[index] <= 0 and unit.armor[index] <= 0:
            suits[name] = "gone"
        elif unit.armor[index] != spec.armor[index] and unit.structure[index] == spec.structure[index]:
            suits[name] = spec.armor[index] - unit.armor[index]
    return {"suits": suits} if suits else {}


def turret_entry(unit: UnitState) -> dict[str, Any]:
    """Where a vehicle's turret points, when not ahead."""
    if unit.spec.turret and unit.twist:
        return {"turret": DIRECTION_NAMES[unit.torso_facing]}
    return {}
