"""A unit of a saved game of MegaMek as it stands in a battle here. Rule: S-5, E-16 to E-24c, E-27.

What hangs on the damage (weapons of a lost arm, engine hits) follows from it by the rules here; what the save says beyond that
is taken as it is, and what has no place here is noted.
"""

from __future__ import annotations

from collections.abc import Callable

from opfor.board.board import Board
from opfor.formats.battle_file.battle_conditions import FLOATS
from opfor.formats.battle_file.battle_damage import PILOT_KILLED, cause_of_loss, mark_damage
from opfor.formats.megamek.save_data import SavedItem, SavedSlot, SavedUnit
from opfor.rules.vehicles.crew_conditions import COMMANDER, COPILOT, DRIVER, KILLED, PILOT
from opfor.tables import table
from opfor.units.build_infantry import suit_item
from opfor.units.munition_loads import loads_for, munition_of, munition_rows, reloaded
from opfor.units.names import Item, bare, understand
from opfor.units.spec import ARMS, REAR_ARMOR, AmmoBin, Mount, Slot, UnitSpec
from opfor.units.state import UnitState

Say = Callable[[str], None]

_TURRET_FREE, _TURRET_JAMMED, _TURRET_LOCKED = 0, 1, 2


class Converter:
    """Puts one saved unit on its spec. ``say`` takes notes of what has no place here."""

    def __init__(self, saved: SavedUnit, spec: UnitSpec, board: Board, say: Say) -> None:
        self.saved = saved
        self.board = board
        self.say = say
        self.spec = spec
        #: our bin and weapon of each piece of equipment
        self.bins: dict[int, int] = {}
        self.mounts: dict[int, int] = {}
        #: our number of each slot, by location and number there
        self.slots: dict[tuple[int, int], int] = {}

    def convert(self, id: str, side: int) -> UnitState:
        """The unit's state, without what the phase makes of it."""
        self.match_slots()
        self.match_items()
        self.spec = self.loaded()
        unit = UnitState(self.spec, id, side)
        self.damage(unit)
        self.ammunition(unit)
        self.weapons(unit)
        if self.spec.is_vehicle:
            self.vehicle(unit)
        self.crew(unit)
        self.place(unit)
        saved, flags = self.saved, self.saved.flags
        if self.spec.is_mech:
            unit.prone, unit.shutdown = flags["prone"], flags["shutDown"]
            unit.arms_flipped = flags["armsFlipped"]
            unit.heat = max(0, saved.heat)
            unit.heat_built, unit.heat_outside = max(0, saved.heat_buildup), max(0, saved.numbers["heatFromExternal"])
        unit.stuck, unit.hidden = flags["stuckInSwamp"], flags["isHidden"]
        if self.spec.is_infantry:
            unit.dug_in = saved.numbers["dugIn"] == table("mm_names")["dug_in"]
            if saved.numbers["dugIn"] and not unit.dug_in:
                self.say("is digging in or fortifying: not carried over, give the order again")
        for name, words in table("mm_names")["unit_not_carried"].items():
            if flags.get(name):
                self.say(f"is {words}: not carried over")
        for one in saved.locations:
            if one.breached and not one.destroyed:
                self.say(f"{one.name} is breached: no rule here knows of it")
        if saved.numbers["burningLocations"]:
            self.say("burns: no rule here knows of burning vehicles")
        self.fate(unit)
        return unit

    # -- what is what --------------------------------------------------------------------------------------------------

    def match_slots(self) -> None:
        """Our number of each slot of a 'Mech: the same where it holds the same, else the next that does."""
        if not self.spec.is_mech:
            return
        for location, slots in enumerate(self.saved.slots[: len(self.spec.slots)]):
            ours = self.spec.slots[location]
            taken: set[int] = set()
            later: list[SavedSlot] = []
            for slot in slots:
                number = slot.number - 1
                if number < len(ours) and self.fits(ours[number], slot):
                    self.slots[location, slot.number] = number
                    taken.add(number)
                else:
                    later.append(slot)
            for slot in later:
                found = next((n for n, our in enumerate(ours) if n not in taken and self.fits(our, slot)), -1)
                if found >= 0:
                    self.slots[location, slot.number] = found
                    taken.add(found)
                elif slot.hit or slot.destroyed:
                    self.say(
                        f"{self.spec.locations[location]} slot {slot.number} is hit, and holds nothing that the sheet knows"
                    )

    def item_of(self, slot: SavedSlot) -> SavedItem | None:
        return self.saved.items[slot.item] if 0 <= slot.item < len(self.saved.items) else None

    def fits(self, our: Slot, slot: SavedSlot) -> bool:
        """Whether a slot of the sheet holds what a slot of the save does."""
        if slot.system:
            return our.kind == understand(slot.system).kind
        item = self.item_of(slot)
        return item is not None and our.kind not in ("empty",) and same_item(our.name, item.type)

    def match_items(self) -> None:
        """Our weapon and bin of each: by the slot that holds it, else by kind and location, in order."""
        for (location, number), ours in self.slots.items():
            slot = next(s for s in self.saved.slots[location] if s.number == number)
            our = self.spec.slots[location][ours]
            if slot.item >= 0 and our.kind == "weapon":
                self.mounts.setdefault(slot.item, our.ref)
            elif slot.item >= 0 and our.kind == "ammo":
                self.bins.setdefault(slot.item, our.ref)
        passed = {bare(name) for name in table("mm_names")["infantry_attacks"]}
        for item in self.saved.items:
            if item.kind == "weapon" and item.index not in self.mounts:
                self.match_weapon(item, passed)
            elif item.kind == "ammo" and item.index not in self.bins:
                self.match_bin(item)

    def place_of(self, item: SavedItem) -> int:
        """Our location of a piece of equipment."""
        if self.spec.kind == "battle_armor":
            return item.location - 1
        return item.location

    def match_weapon(self, item: SavedItem, passed: set[str]) -> None:
        if self.spec.kind == "infantry" or bare(item.type) in passed:
            return
        taken = set(self.mounts.values())
        wanted = suit_item(item.type)
        same = [m for m in self.spec.mounts if m.index not in taken and is_weapon(m, wanted)]
        here = [m for m in same if m.location == self.place_of(item) and m.rear == item.rear]
        if here:
            self.mounts[item.index] = here[0].index
        elif self.spec.kind != "battle_armor":
            self.say(f"carries {item.type}, which its sheet here does not have: left out")

    def match_bin(self, item: SavedItem) -> None:
        if item.location < 0:
            return  # the round of a one-shot weapon: the weapon tells whether it is gone
        taken = set(self.bins.values())
        wanted = suit_item(item.type)
        same = [b for b in self.spec.bins if b.index not in taken and is_ammo(b, wanted)]
        here = [b for b in same if b.location == self.place_of(item)] or (same if self.spec.kind == "battle_armor" else [])
        if here:
            self.bins[item.index] = here[0].index
        elif wanted.kind == "ammo" and self.spec.kind != "infantry":
            self.say(f"carries {item.type}, for which its sheet here has no bin: left out")

    def loaded(self) -> UnitSpec:
        """The spec with the special missiles that the bins hold. Rules: E-32, E-33."""
        spec = self.spec
        loads = [munition_of(b.kind) for b in spec.bins]
        for index, ours in self.bins.items():
            munition = understand(self.saved.items[index].type).munition.rpartition(":")[2]
            if munition == loads[ours]:
                continue
            if munition in loads_for(spec, spec.bins[ours]):
                loads[ours] = munition
            elif munition and munition not in spec.bins[ours].kind.split(":"):
                what = f"{self.saved.items[index].type} counts as {spec.bins[ours].name}"
                self.say(
                    f"{what}: {'not for that launcher here' if munition in munition_rows() else 'no rule here knows of it'}"
                )
        words = ["" if load == munition_of(b.kind) else load or "plain" for load, b in zip(loads, spec.bins, strict=True)]
        return reloaded(spec, tuple(words)) if any(words) else spec

    # -- damage --------------------------------------------------------------------------------------------------------

    def damage(self, unit: UnitState) -> None:
        saved, spec = self.saved, self.spec
        structure: dict[int, int] = {}
        if spec.kind == "infantry":
            troopers = saved.numbers["activeTroopers"] or (saved.locations[0].structure or 0 if saved.locations else 0)
            unit.structure[0] = max(0, min(troopers, spec.structure[0]))
            return
        shift = 1 if spec.kind == "battle_armor" else 0
        places = {one.index - shift: one for one in saved.locations if 0 <= one.index - shift < len(spec.structure)}
        for index, one in places.items():
            left = 0 if one.destroyed else one.structure
            if left is not None and spec.structure[index] > 0 and left != spec.structure[index]:
                structure[index] = min(left, spec.structure[index])
        masks: dict[int, int] = {}
        if spec.is_mech:
            for location, slots in enumerate(saved.slots[: len(spec.slots)]):
                if structure.get(location, 1) <= 0:
                    continue
                for slot in slots:
                    ours = self.slots.get((location, slot.number))
                    if ours is not None and (slot.hit or slot.destroyed) and spec.slots[location][ours].hittable:
                        masks[location] = masks.get(location, 0) | 1 << ours
        mark_damage(unit, structure, masks)
        for index, one in places.items():
            if unit.structure[index] <= 0:
                continue
            if one.armor is not None and spec.armor[index]:
                unit.armor[index] = min(one.armor, spec.armor[index])
            if spec.is_mech and one.rear is not None and index in REAR_ARMOR:
                unit.armor[REAR_ARMOR[index]] = min(one.rear, spec.armor[REAR_ARMOR[index]])

    def ammunition(self, unit: UnitState) -> None:
        for index, ours in self.bins.items():
            item, bin = self.saved.items[index], self.spec.bins[ours]
            lost = item.destroyed or item.missing or (bin.location >= 0 and unit.structure[bin.location] <= 0)
            unit.ammo[ours] = 0 if lost else max(0, min(item.shots, bin.shots))

    def weapons(self, unit: UnitState) -> None:
        for index, ours in self.mounts.items():
            item, mount = self.saved.items[index], self.spec.mounts[ours]
            if item.destroyed or item.missing or (item.hit and not self.spec.is_mech):
                unit.mounts_lost |= 1 << ours
            if item.jammed:
                if self.spec.is_vehicle:
                    unit.malfunctioned |= 1 << ours
                else:
                    unit.jammed |= 1 << ours
            if item.fired and mount.one_shot:
                unit.one_shot_used |= 1 << ours
            if item.used:
                unit.fired |= 1 << ours
                if self.spec.is_mech and (mount.location in ARMS):
                    unit.used_arms |= 1 << mount.location
        if self.spec.is_mech:
            self.equipment(unit)

    def equipment(self, unit: UnitState) -> None:
        """Equipment that is out of order without a hit on a slot of it."""
        for (location, number), ours in self.slots.items():
            our = self.spec.slots[location][ours]
            slot = next(s for s in self.saved.slots[location] if s.number == number)
            item = self.item_of(slot)
            if our.kind == "equipment" and item is not None and (item.destroyed or item.missing):
                unit.equipment_lost |= 1 << our.ref

    def vehicle(self, unit: UnitState) -> None:
        """Motive system, turret, sensors, stabilizers. Rules: E-16, E-20 to E-24c."""
        flags, numbers, spec = self.saved.flags, self.saved.numbers, self.spec
        grades = ("minorMovementDamage", "moderateMovementDamage", "heavyMovementDamage")
        unit.motive_hits = sum(1 << bit for bit, name in enumerate(grades) if flags[name])
        unit.cruise_lost = max(0, min(numbers["motiveDamage"], spec.walk))
        unit.engine_dead = flags["engineHit"]
        unit.immobilized = (
            flags["m_bImmobile"] or flags["m_bImmobileHit"] or unit.engine_dead or unit.cruise_lost >= spec.walk > 0
        )
        unit.stunned = max(0, numbers["m_nStunnedTurns"])
        unit.sensor_hits = max(0, min(numbers["sensorHits"], table("vehicles")["criticals"]["sensors_blind"]))
        unit.stabilizers = numbers["stabiliserHits"] & ((1 << len(spec.structure)) - 1)
        if spec.turret:
            unit.turret = (
                _TURRET_LOCKED if flags["m_bTurretLocked"] else _TURRET_JAMMED if flags["m_bTurretJammed"] else _TURRET_FREE
            )
            unit.turret_jams = int(flags["m_bTurretEverJammed"] or flags["m_bTurretJammed"])
            unit.twist = (self.saved.secondary_facing - self.saved.facing + 2) % 6 - 2
        if not flags["m_bHasNoDualTurret"] and spec.kind == "vehicle":
            self.say("has a second turret: no rule here knows of it")
        airborne = spec.kind == "vtol"
        if flags["driverHit"]:
            unit.crew |= PILOT if airborne else DRIVER
        if flags["commanderHit"]:
            unit.crew |= COPILOT if airborne else COMMANDER

    def crew(self, unit: UnitState) -> None:
        crew = self.saved.crew
        unit.gunnery, unit.piloting = min(max(crew.gunnery, 0), 12), min(max(crew.piloting, 0), 12)
        if crew.name:
            unit.name = " ".join(crew.name.split())
        if self.spec.is_mech:
            unit.pilot_hits = PILOT_KILLED if crew.dead else min(max(crew.hits, 0), PILOT_KILLED)
        elif crew.dead and self.spec.is_vehicle:
            unit.crew |= KILLED
        unit.conscious = crew.active and not unit.crew & KILLED
        unit.knocked_out = crew.knocked_out_now and crew.unconscious

    def place(self, unit: UnitState) -> None:
        """Hex, facing, elevation, twist."""
        saved, spec, board = self.saved, self.spec, self.board
        unit.facing = saved.facing
        if spec.is_mech:
            twist = (saved.secondary_facing - saved.facing + 3) % 6 - 3
            unit.twist = max(-1, min(1, twist))
            if unit.twist != twist:
                self.say(f"has turned its torso by {abs(twist)} hexsides: taken as one")
        if saved.at is None:
            return
        column, row = saved.at
        if not (0 <= column < board.grid.width and 0 <= row < board.grid.height):
            self.say(f"is at {column + 1}, {row + 1}, which is not on the board")
            return
        unit.cell = board.grid.cell(column, row)
        record = board.hexes[unit.cell]
        unit.elevation = saved.elevation
        if spec.kind == "vtol":
            unit.elevation = max(0, saved.elevation)
            return
        standing = {-record.depth, 0} if record.water >= 0 else {0}
        if record.bridge:
            standing.add(record.bridge_height)
        if record.building:
            standing.update(range(record.building_height + 1))
        if saved.elevation not in standing:
            unit.elevation = 0 if spec.motive in FLOATS else -record.depth
            if saved.in_game:
                self.say(
                    f"stands at elevation {saved.elevation}, where there is nothing to stand on: taken as {unit.elevation}"
                )

    def fate(self, unit: UnitState) -> None:
        """Whether it is still in the battle."""
        saved, names = self.saved, table("mm_names")
        words = names["removal"].get(saved.removal, "removed" if saved.removal else "")
        if saved.removal in names["retreated"]:
            unit.gone = True
            return
        if not saved.in_game:
            unit.destroyed = cause_of_loss(unit) or words or "removed"
            if words and words not in unit.destroyed:
                unit.destroyed += f" ({words})"
        elif saved.flags["destroyed"] or saved.flags["doomed"]:
            unit.destroyed = cause_of_loss(unit) or "destroyed"
        elif saved.crew.ejected:
            unit.destroyed = "its crew has left it"


def same_item(ours: str, theirs: str) -> bool:
    """Whether a line of a sheet and a name of the program mean the same, whichever munition a bin holds."""
    one, other = suit_item(ours), suit_item(theirs)
    if one.kind == "other" or other.kind == "other":
        return bare(ours) == bare(theirs)
    return (one.kind, one.key) == (other.kind, other.key)


def is_weapon(mount: Mount, item: Item) -> bool:
    """Whether a weapon of ours is what an item names."""
    return bool(item.key) and mount.id in (item.key, f"is_{item.key}", f"clan_{item.key}")


def is_ammo(bin: AmmoBin, item: Item) -> bool:
    """Whether a bin of ours holds ammunition for what an item names."""
    weapon = bin.kind.partition(":")[0]
    if weapon == "other":
        return bin.kind == item.key or (item.kind == "ammo" and not item.key)
    return bool(item.key) and weapon in (item.key, f"is_{item.key}", f"clan_{item.key}")
