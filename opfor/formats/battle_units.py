"""A unit's entry in the battle file, read into a :class:`UnitState` and written back. Rule: S-5 (damage by location).

Everything a game master leaves out takes a default, and is reported with its place. What the file does not say but the
rules derive (weapons in a lost arm, engine hits) is worked out; where a battle differs from that, the difference is
written under ``damage.systems``, so that reading a written entry gives the same state back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opfor.board.board import Board
from opfor.errors import InputError, nearest
from opfor.formats.battle_damage import COUNTS, cause_of_loss, damage_entry, mark_damage, mount_labels
from opfor.formats.battle_schema import DamageEntry, PilotEntry, UnitEntry
from opfor.formats.names import find_ammo, find_armor, find_location, find_mount, slots_from_names
from opfor.formats.source import Document, Path_
from opfor.hex import DIRECTION_NAMES, HexError, parse_direction
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState

_SIDEWAYS = {"left": -1, "l": -1, "-1": -1, "none": 0, "": 0, "0": 0, "right": 1, "r": 1, "1": 1}
_TWIST_WORDS = {-1: "left", 1: "right"}

Default = Callable[[Path_, Any, str], None]


class UnitReader:
    """Turns a validated entry into a unit's state; ``place`` is its path in the document."""

    def __init__(self, document: Document, place: Path_, sides: tuple[str, ...], board: Board, default: Default) -> None:
        self.document = document
        self.place = place
        self.sides = sides
        self.board = board
        self.default = default

    def error(self, key: Path_, message: str, hint: str = "") -> InputError:
        """An error about a key of this unit."""
        return self.document.error((*self.place, *key), message, hint)

    def taken(self, key: Path_, value: Any, words: str) -> None:
        """Report a default."""
        self.default((*self.place, *key), value, words)

    def read(self, entry: UnitEntry, spec: UnitSpec, id: str) -> UnitState:
        """The unit's state. Raises :class:`InputError` with the place of what cannot be."""
        unit = UnitState(spec, id, self.side(entry))
        unit.name = entry.name or spec.name
        unit.gone = entry.gone
        if entry.damage is not None:
            self.damage(unit, entry.damage)
        self.pilot(unit, entry.pilot)
        self.loss(unit, entry)
        self.position(unit, entry)
        unit.prone = entry.prone
        unit.stuck = entry.stuck
        unit.arms_flipped = entry.arms_flipped
        unit.heat = entry.heat
        unit.shutdown = entry.shutdown
        unit.hidden = entry.hidden
        unit.club = entry.club
        self.turn(unit, entry)
        return unit

    def side(self, entry: UnitEntry) -> int:
        """Index of the unit's side."""
        if entry.side not in self.sides:
            raise self.error(
                ("side",), f"there is no side {entry.side!r}: use {' or '.join(self.sides)}", nearest(entry.side, self.sides)
            )
        return self.sides.index(entry.side)

    def loss(self, unit: UnitState, entry: UnitEntry) -> None:
        """Whether the unit is out of the battle: as said, or as its damage tells."""
        if "destroyed" in entry.model_fields_set:
            said = entry.destroyed
            unit.destroyed = said if isinstance(said, str) else "destroyed" if said else ""
            return
        unit.destroyed = cause_of_loss(unit)
        if unit.destroyed:
            self.taken(("destroyed",), unit.destroyed, f"{unit.id} is out of the battle: {unit.destroyed}")

    def position(self, unit: UnitState, entry: UnitEntry) -> None:
        """Hex, facing, elevation and twist."""
        try:
            if entry.facing is not None:
                unit.facing = parse_direction(entry.facing)
        except HexError as error:
            raise self.error(("facing",), str(error)) from None
        if entry.at is None:
            if unit.alive:
                raise self.error((), f'{unit.id} stands nowhere: give its hex, as at: "0611" (or gone: true)')
            return
        try:
            unit.cell = self.board.grid.parse(entry.at)
        except HexError as error:
            raise self.error(("at",), str(error)) from None
        if entry.facing is None:
            self.taken(("facing",), "N", f"{unit.id} faces N")
        record = self.board.hex(unit.cell)
        unit.elevation = -record.depth if entry.elevation is None else entry.elevation
        if entry.elevation is not None:
            standing = {-record.depth, 0} if record.water >= 0 else {0}
            if record.bridge:
                standing.add(record.bridge_height)
            if record.building:
                standing.update(range(record.building_height + 1))
            if unit.elevation not in standing:
                raise self.error(
                    ("elevation",),
                    f"nothing to stand on at {unit.elevation:+d} in {entry.at} ({record.describe()}): "
                    f"use {', '.join(map(str, sorted(standing)))}",
                )
        twist = str(entry.twist if entry.twist is not None else "").strip().lower()
        if twist not in _SIDEWAYS:
            raise self.error(("twist",), f"{entry.twist!r} is no torso twist: use left, right or none")
        unit.twist = _SIDEWAYS[twist]

    def pilot(self, unit: UnitState, pilot: PilotEntry | None) -> None:
        """Skills and wounds."""
        if pilot is None:
            self.taken(("pilot",), {"gunnery": 4, "piloting": 5}, f"{unit.id}'s pilot is 4/5")
            return
        for name, given in (
            ("gunnery", (pilot.gunnery, pilot.ranged_tn)),
            ("piloting", (pilot.piloting, pilot.physical_tn, None if pilot.physical is None else 8 - pilot.physical)),
        ):
            values = [v for v in given if v is not None]
            if len(set(values)) > 1 and name == "gunnery":
                raise self.error(("pilot", name), f"gunnery is given as {values[0]} and as ranged_tn {values[1]}")
            if pilot.piloting is not None and pilot.physical_tn not in (None, pilot.piloting):
                raise self.error(
                    ("pilot", "piloting"), f"piloting is given as {pilot.piloting} and as physical_tn {pilot.physical_tn}"
                )
            if values:
                setattr(unit, name, values[0])
            else:
                value = getattr(unit, name)
                self.taken(("pilot", name), value, f"{unit.id}'s {name} is {value}")
        unit.pilot_hits = pilot.hits
        unit.conscious = pilot.conscious

    # -- damage -------------------------------------------------------------------------------------------------------

    def damage(self, unit: UnitState, entry: DamageEntry) -> None:
        """Armour, structure, criticals, ammunition and systems."""
        spec = unit.spec
        at = ("damage",)
        left: dict[int, int] = {}
        for name, points in entry.structure.items():
            location = find_location(spec, name)
            if location is None:
                raise self.unknown_location((*at, "structure", name), name, spec.locations)
            whole = spec.structure[location]
            left[location] = whole - self.points((*at, "structure", name), points, whole, "structure")
        slots: dict[int, int] = {}
        for name, names in entry.criticals.items():
            location = find_location(spec, name)
            if location is None:
                raise self.unknown_location((*at, "criticals", name), name, spec.locations)
            try:
                slots[location] = slots_from_names(spec, location, names)
            except InputError as error:
                raise self.error((*at, "criticals", name), error.message, error.hint) from None
        mark_damage(unit, left, slots)
        for location in range(len(spec.structure)):
            if unit.structure[location] <= 0 and location not in left:
                name = spec.locations[location]
                self.taken((*at, "structure", name), "gone", f"{unit.id}'s {name} went with its side torso")
        for name, points in entry.armor.items():
            index = find_armor(spec, name)
            if index is None:
                raise self.unknown_location((*at, "armor", name), name, (*spec.locations, "CTR", "RTR", "LTR"))
            whole = spec.armor[index]
            unit.armor[index] = whole - self.points((*at, "armor", name), points, whole, "armour")
        for name, rounds in entry.ammo.items():
            self.ammunition(unit, name, rounds)
        unit.jammed = self.mounts(unit, (*at, "jammed"), entry.jammed)
        unit.one_shot_used = self.mounts(unit, (*at, "used"), entry.used)
        self.correct(unit, entry.systems)
        unit.mounts_lost |= self.mounts(unit, (*at, "weapons"), entry.weapons)

    def unknown_location(self, key: Path_, name: str, known: tuple[str, ...]) -> InputError:
        """An error about a location that the unit does not have."""
        return self.error(key, f"there is no location {name!r}: use {', '.join(known)}", nearest(name, known))

    def points(self, key: Path_, points: int | str, whole: int, what: str) -> int:
        """Points lost, within what there was."""
        if isinstance(points, str):
            return whole
        if points > whole:
            raise self.error(key, f"{points} points lost, but there are only {whole} of {what} there")
        return points

    def ammunition(self, unit: UnitState, name: str, left: int | list[int]) -> None:
        """Rounds left of one kind of ammunition."""
        key = ("damage", "ammo", name)
        try:
            bins = find_ammo(unit.spec, name)
        except InputError as error:
            raise self.error(key, error.message, error.hint) from None
        if isinstance(left, int):
            whole = sum(unit.ammo[b.index] for b in bins)
            if left > whole:
                lost = "" if whole == sum(b.shots for b in bins) else " after its losses"
                raise self.error(key, f"{left} rounds left, but {unit.spec.name} carries only {whole}{lost}")
            spent = whole - left
            for b in bins:
                used = min(spent, unit.ammo[b.index])
                unit.ammo[b.index] -= used
                spent -= used
            return
        if len(left) != len(bins):
            raise self.error(key, f"{len(left)} figures for {len(bins)} bins")
        for b, shots in zip(bins, left, strict=True):
            if shots > b.shots:
                raise self.error(key, f"{shots} rounds left in a bin of {b.shots}")
            unit.ammo[b.index] = shots

    def mounts(self, unit: UnitState, key: Path_, names: list[str]) -> int:
        """Mask of named weapons."""
        mask = 0
        for index, name in enumerate(names):
            try:
                mount, _ = find_mount(unit.spec, name, {i for i in range(len(unit.spec.mounts)) if mask >> i & 1})
            except InputError as error:
                raise self.error((*key, index), error.message, error.hint) from None
            mask |= 1 << mount
        return mask

    def correct(self, unit: UnitState, systems: dict[str, Any]) -> None:
        """Counts that differ from what the damage tells."""
        for name, value in systems.items():
            key: Path_ = ("damage", "systems", name)
            if name == "slots_hit":
                self.slots(unit, key, value)
                continue
            if name not in COUNTS:
                raise self.error(key, f"there is no system count {name!r}", nearest(name, COUNTS))
            flag = name == "cockpit_hit"
            if isinstance(value, bool) is not flag or not isinstance(value, int) or value < 0:
                raise self.error(key, f"{value!r} must be {'true or false' if flag else 'a whole number, 0 or more'}")
            setattr(unit, name, value)

    def slots(self, unit: UnitState, key: Path_, masks: Any) -> None:
        """Bit masks of hit slots by location, for states that no list of names can tell."""
        for name, mask in masks.items() if isinstance(masks, dict) else ():
            location = find_location(unit.spec, name)
            if location is None or not isinstance(mask, int) or not 0 <= mask < 1 << len(unit.spec.slots[location]):
                raise self.error((*key, name), f"{mask!r} is no mask of the slots of {name!r}")
            unit.slots_hit[location] = mask

    # -- this turn ----------------------------------------------------------------------------------------------------

    def turn(self, unit: UnitState, entry: UnitEntry) -> None:
        """What the unit has done this turn."""
        moved = entry.moved
        if isinstance(moved, bool):
            unit.moved = moved
            if moved:
                unit.mode = "stand"
                self.taken(("moved", "mode"), "stand", f"{unit.id} has moved: taken as standing still")
        elif moved is not None:
            unit.moved = moved.finished
            unit.mode = moved.mode
            unit.hexes_moved = moved.hexes
            unit.mp_spent = moved.mp
            unit.skidded = moved.skidded
            if moved.mode == "stand" and moved.hexes:
                raise self.error(("moved", "hexes"), f"{unit.id} stood still, and yet moved {moved.hexes} hexes")
        unit.fired = self.mounts(unit, ("fired",), entry.fired)
        for index, side in enumerate(entry.narc):
            if side not in self.sides:
                raise self.error(("narc", index), f"there is no side {side!r}", nearest(side, self.sides))
            unit.narc |= 1 << self.sides.index(side)
        now = entry.this_turn
        if now is None:
            return
        for index, name in enumerate(now.arms_fired):
            location = find_location(unit.spec, name)
            if location is None:
                raise self.unknown_location(("this_turn", "arms_fired", index), name, unit.spec.locations)
            unit.used_arms |= 1 << location
        unit.spotting = now.spotting
        unit.tagged = now.tagged
        unit.heat_built = now.heat_built
        unit.heat_outside = now.heat_outside
        unit.damage_this_phase = now.damage
        unit.fell_this_phase = now.fell
        unit.knocked_out = now.knocked_out
        unit.psr = [(roll.reason, roll.modifier, roll.rule) for roll in now.rolls]


# -- writing ----------------------------------------------------------------------------------------------------------


def unit_entry(unit: UnitState, sides: tuple[str, ...], board: Board, former: dict[str, Any]) -> dict[str, Any]:
    """The entry of a unit as it stands. ``former`` is its entry before: what the engine does not own is kept from it."""
    spec = unit.spec
    entry: dict[str, Any] = {"id": unit.id}
    if unit.name != spec.name or "name" in former:
        entry["name"] = unit.name
    entry["side"] = sides[unit.side]
    entry["type"] = former.get("type", spec.name)
    if board.grid.contains(unit.cell):
        entry["at"] = board.grid.names[unit.cell]
        if unit.elevation != -board.hex(unit.cell).depth:
            entry["elevation"] = unit.elevation
    entry["facing"] = DIRECTION_NAMES[unit.facing]
    if unit.twist:
        entry["twist"] = _TWIST_WORDS[unit.twist]
    entry["pilot"] = _pilot_entry(unit, former.get("pilot") or {})
    entry.update({key: True for key in ("prone", "stuck", "arms_flipped", "shutdown", "gone", "hidden") if getattr(unit, key)})
    entry.update({key: getattr(unit, key) for key in ("heat", "club", "destroyed") if getattr(unit, key)})
    if not unit.destroyed and cause_of_loss(unit):
        entry["destroyed"] = False
    if unit.mode or unit.moved:
        moved: dict[str, Any] = {"mode": unit.mode or "stand", "hexes": unit.hexes_moved}
        moved.update({"mp": unit.mp_spent} if unit.mp_spent else {})
        moved.update({"finished": False} if not unit.moved else {})
        moved.update({"skidded": True} if unit.skidded else {})
        entry["moved"] = moved
    if unit.fired:
        entry["fired"] = mount_labels(spec, unit.fired)
    if unit.narc:
        entry["narc"] = [side for index, side in enumerate(sides) if unit.narc >> index & 1]
    damage = damage_entry(unit)
    if damage:
        entry["damage"] = damage
    now = _turn_entry(unit)
    if now:
        entry["this_turn"] = now
    entry.update({key: value for key, value in former.items() if key not in UnitEntry.model_fields})
    return entry


def _pilot_entry(unit: UnitState, former: dict[str, Any]) -> dict[str, Any]:
    """Skills under the names the file used, then what the engine does not own."""
    pilot: dict[str, Any] = {"ranged_tn" if "ranged_tn" in former else "gunnery": unit.gunnery}
    if former.get("physical") is not None and 8 - former["physical"] == unit.piloting:
        pilot["physical"] = former["physical"]
    if "physical" not in pilot or "physical_tn" in former:
        pilot["physical_tn" if "physical_tn" in former else "piloting"] = unit.piloting
    if unit.pilot_hits:
        pilot["hits"] = unit.pilot_hits
    if not unit.conscious:
        pilot["conscious"] = False
    pilot.update({key: value for key, value in former.items() if key not in PilotEntry.model_fields})
    return pilot


def _turn_entry(unit: UnitState) -> dict[str, Any]:
    now: dict[str, Any] = {}
    if unit.used_arms:
        now["arms_fired"] = [name for i, name in enumerate(unit.spec.locations) if unit.used_arms >> i & 1]
    for key, value in (
        ("spotting", unit.spotting),
        ("tagged", unit.tagged),
        ("heat_built", unit.heat_built),
        ("heat_outside", unit.heat_outside),
        ("damage", unit.damage_this_phase),
        ("fell", unit.fell_this_phase),
        ("knocked_out", unit.knocked_out),
    ):
        if value:
            now[key] = value
    if unit.psr:
        now["rolls"] = [{"reason": reason, "modifier": modifier, "rule": rule} for reason, modifier, rule in unit.psr]
    return now
