"""A unit's entry in the battle file, read into a :class:`UnitState`. Rule: S-5 (damage by location).

Everything a game master leaves out takes a default, and is reported with its place. What the file does not say but the
rules derive (weapons in a lost arm, engine hits) is worked out; where a battle differs from that, the difference is
written under ``damage.systems``, so that reading a written entry gives the same state back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opfor.board.board import Board
from opfor.errors import InputError, nearest
from opfor.formats.battle_file.battle_conditions import FLOATS, ConditionReader
from opfor.formats.battle_file.battle_damage import COUNTS, cause_of_loss, mark_damage
from opfor.formats.battle_file.battle_loads import read_loads
from opfor.formats.battle_file.battle_pilot import read_pilot
from opfor.formats.battle_file.battle_schema import DamageEntry, UnitEntry
from opfor.formats.battle_file.battle_turn import read_unit_turn
from opfor.formats.names import find_ammo, find_armor, find_location, find_mount, slots_from_names
from opfor.formats.source import Document, Path_
from opfor.hex import HexError, parse_direction
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState

_SIDEWAYS = {"left": -1, "l": -1, "-1": -1, "none": 0, "": 0, "0": 0, "right": 1, "r": 1, "1": 1}

#: levels above the surface that a VTOL may be said to fly at
HIGHEST = 50

Default = Callable[[Path_, Any, str], None]


class UnitReader:
    """Turns a validated entry into a unit's state; ``place`` is its path in the document."""

    def __init__(self, document: Document, place: Path_, sides: tuple[str, ...], board: Board, default: Default) -> None:
        self.document = document
        self.place = place
        self.sides = sides
        self.board = board
        self.default = default
        self.conditions = ConditionReader(self.error)

    def error(self, key: Path_, message: str, hint: str = "") -> InputError:
        """An error about a key of this unit."""
        return self.document.error((*self.place, *key), message, hint)

    def taken(self, key: Path_, value: Any, words: str) -> None:
        """Report a default."""
        self.default((*self.place, *key), value, words)

    def read(self, entry: UnitEntry, spec: UnitSpec, id: str) -> UnitState:
        """The unit's state. Raises :class:`InputError` with the place of what cannot be."""
        unit = UnitState(read_loads(spec, entry.munitions, self.error), id, self.side(entry))
        unit.name = entry.name or spec.name
        unit.gone = entry.gone
        unit.aboard, unit.swarming, unit.dug_in = entry.aboard, entry.swarming, entry.dug_in
        self.conditions.check_kind(unit, entry)
        if entry.damage is not None:
            self.damage(unit, entry.damage)
        if entry.pilot is not None and entry.crew is not None:
            raise self.error(("crew",), "pilot and crew are two names of one thing: give one of them")
        key = "pilot" if entry.crew is None else "crew"
        read_pilot(unit, entry.pilot or entry.crew, key, self.error, self.taken)
        self.loss(unit, entry)
        self.position(unit, entry)
        unit.prone = entry.prone
        unit.stuck = entry.stuck
        unit.arms_flipped = entry.arms_flipped
        unit.heat = entry.heat
        unit.shutdown = entry.shutdown
        unit.hidden = entry.hidden
        unit.oc = -1 if entry.oc == "-" else entry.oc
        unit.bombs = spec.bombs if entry.bombs is None else entry.bombs
        unit.keywords = tuple(sorted({word.strip().upper() for word in entry.keywords}))
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
            if unit.alive and not unit.aboard and not unit.swarming:
                raise self.error((), f'{unit.id} stands nowhere: give its hex, as at: "0611" (or gone: true)')
            return
        try:
            unit.cell = self.board.grid.parse(entry.at)
        except HexError as error:
            raise self.error(("at",), str(error)) from None
        if entry.facing is None and not unit.spec.is_infantry:
            self.taken(("facing",), "N", f"{unit.id} faces N")
        self.conditions.turret(unit, entry)
        record = self.board.hex(unit.cell)
        floats = unit.spec.motive in FLOATS
        unit.elevation = 0 if floats else -record.depth
        if unit.spec.kind == "vtol":
            self.height(unit, entry.elevation)
        elif entry.elevation is not None:
            unit.elevation = entry.elevation
            standing = {-record.depth, 0} if record.water >= 0 else {0}
            if record.bridge:
                standing.add(record.bridge_height)
            if record.building:
                standing.update(range(record.building_height + 1))
            # who is carried is where its carrier is, in the air too; what is left of a unit may be anywhere
            if unit.elevation not in standing and not (entry.aboard or entry.swarming or entry.destroyed or entry.gone):
                raise self.error(
                    ("elevation",),
                    f"nothing to stand on at {unit.elevation:+d} in {entry.at} ({record.describe()}): "
                    f"use {', '.join(map(str, sorted(standing)))}",
                )
        if not unit.spec.is_mech:
            return
        twist = str(entry.twist if entry.twist is not None else "").strip().lower()
        if twist not in _SIDEWAYS:
            raise self.error(("twist",), f"{entry.twist!r} is no torso twist: use left, right or none")
        unit.twist = _SIDEWAYS[twist]

    def height(self, unit: UnitState, elevation: int | None) -> None:
        """How high a VTOL flies. Rule: E-26."""
        if elevation is None:
            self.taken(("elevation",), 0, f"{unit.id} has landed")
            return
        if not 0 <= elevation <= HIGHEST:
            raise self.error(("elevation",), f"a VTOL flies 1 to {HIGHEST} levels above the hex's surface, or stands at 0")
        unit.elevation = elevation

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
            if spec.is_mech and unit.structure[location] <= 0 and location not in left:
                name = spec.locations[location]
                self.taken((*at, "structure", name), "gone", f"{unit.id}'s {name} went with its side torso")
        for name, points in entry.armor.items():
            index = find_armor(spec, name)
            if index is None:
                rear = ("CTR", "RTR", "LTR") if spec.is_mech else ()
                raise self.unknown_location((*at, "armor", name), name, (*spec.locations, *rear))
            whole = spec.armor[index]
            unit.armor[index] = whole - self.points((*at, "armor", name), points, whole, "armour")
        for name, rounds in entry.ammo.items():
            self.ammunition(unit, name, rounds)
        self.conditions.damage(unit, entry)
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
        read_unit_turn(unit, entry)
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
