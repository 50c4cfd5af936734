"""One unit of a saved game of MegaMek, read from its node. Rule: S-5.

In the file, -2 and -3 points of armour or structure tell of a lost location, -1 that there are none; a limb that was blown off
keeps its old numbers, and a flag tells of it. Ammunition may stand in full within its weapon; every piece is told by its place
in ``equipmentList``.
"""

from __future__ import annotations

from opfor.formats.megamek.save_data import SavedItem, SavedLocation, SavedSlot, SavedUnit
from opfor.formats.megamek.save_xml import Node
from opfor.tables import table

#: yes and no, and numbers, that are kept under the names of the file
_FLAGS = (
    "destroyed", "doomed", "deployed", "done", "prone", "hullDown", "shutDown", "armsFlipped", "evading", "spotting",
    "stuckInSwamp", "isHidden", "fell", "searchlightIsActive", "usedSearchlight", "captured", "salvageable", "isTakingCover",
    "findingClub",
    "m_bHasNoTurret", "m_bTurretLocked", "m_bTurretJammed", "m_bTurretEverJammed", "m_bHasNoDualTurret", "m_bImmobile",
    "m_bImmobileHit", "minorMovementDamage", "moderateMovementDamage", "heavyMovementDamage", "engineHit", "driverHit",
    "commanderHit", "infernoFire", "omni", "mixedTech",
)  # fmt: skip
_NUMBERS = (
    "dugIn", "sensorHits", "stabiliserHits", "burningLocations", "motiveDamage", "motivePenalty", "m_nStunnedTurns",
    "activeTroopers", "originalTrooperCount", "troopersShooting", "squadCount", "squadSize", "troopers",
    "secondaryWeaponsPerSquad", "originalRideId", "pickedUpById", "conveyance", "swarmTargetId", "swarmAttackerId",
    "damageThisPhase",
    "heatFromExternal", "m_lNarcedBy", "offBoardDistance", "altitude", "taggedBy", "deployRound", "spotTargetId", "weightClass",
)  # fmt: skip
_MISSING = dict.fromkeys(("conveyance", "swarmTargetId", "swarmAttackerId", "originalRideId", "pickedUpById", "taggedBy"), -1)
_MOST_ITEMS = 500


def unit_kind(kind: str) -> str:
    """The layout of a class of units (biped, vehicle ...), ``unplayed``, or nothing for what is none that is known."""
    names = table("mm_names")
    return str(names["classes"].get(kind) or ("unplayed" if kind in names["unplayed"] else ""))


class UnitReader:
    """Reads one unit."""

    def __init__(self, node: Node, layout: str, in_game: bool) -> None:
        self.node = node
        self.layout = layout
        self.unit = SavedUnit(
            node.number("id", -1),
            node.kind,
            layout,
            node.number("ownerId", -1),
            node.label("chassis"),
            node.label("model"),
            node.fraction("weight"),
            node.word("movementMode"),
            in_game,
        )

    def read(self) -> SavedUnit:
        """The unit."""
        node, unit = self.node, self.unit
        unit.removal = node.number("removalCondition")
        place = node.get("position")
        unit.at = (place.number("x"), place.number("y")) if place else None
        unit.facing, unit.secondary_facing = node.number("facing") % 6, node.number("sec_facing", node.number("facing")) % 6
        unit.elevation = node.number("elevation")
        unit.moved, unit.moved_last = node.word("moved", "MOVE_NONE"), node.word("movedLastRound", "MOVE_NONE")
        unit.hexes, unit.mp_used = node.number("delta_distance"), node.number("mpUsed")
        unit.mp_used_last = node.number("mpUsedLastRound")
        unit.heat, unit.heat_buildup = node.number("heat"), node.number("heatBuildup")
        unit.walk, unit.jump = node.number("walkMP"), node.number("jumpMP")
        unit.flags = {name: node.yes(name) for name in _FLAGS}
        unit.numbers = {name: node.number(name, _MISSING.get(name, 0)) for name in _NUMBERS}
        engine = node.get("engine")
        unit.build = {
            "engine": engine.number("engineType", -1),
            "rating": engine.number("engineRating"),
            "engine_flags": engine.number("engineFlags"),
            "engine_sinks": engine.number("baseChassisHeatSinks", -1),
            "gyro": node.number("gyroType"),
            "cockpit": node.number("cockpitType"),
            "structure": node.number("structureType"),
            "year": node.number("year"),
            "tech": node.number("techLevel"),
            "clan": int(node.get("compositeTechLevel").yes("clan")),
            "mixed": int(node.yes("mixedTech")),
        }
        unit.armor_types = tuple(node.numbers("armorType"))
        unit.loads = [child.kind for child in node.get("transports").all()]
        self.crew()
        self.points()
        self.items()
        self.slots()
        return unit

    def crew(self) -> None:
        """The first seat of the crew."""
        node = self.node.get("crew")
        crew = self.unit.crew

        def first(name: str) -> Node:
            return next(iter(node.get(name).all()), self.node.document.nothing)

        def number(name: str, usual: int) -> int:
            found = first(name)
            return found.integer(name) if found else usual

        def yes(name: str) -> bool:
            return first(name).text.strip() == "true"

        crew.name = " ".join(first("names").text.split())[:100]
        crew.gunnery, crew.piloting = number("gunnery", 4), number("piloting", 5)
        crew.hits = number("hits", 0)
        crew.unconscious, crew.dead, crew.knocked_out_now = yes("unconscious"), yes("dead"), yes("koThisRound")
        crew.unconscious = crew.unconscious and not crew.dead
        crew.ejected = node.yes("ejected")

    def points(self) -> None:
        """Armour and structure."""
        node = self.node
        names = table("mm_names")
        layout = names["locations"].get(self.layout) or names["locations"]["infantry"]
        armor, structure = node.numbers("armor"), node.numbers("internal")
        rear = node.numbers("rearArmor")
        starts = {name: node.numbers(f"orig_{name}") for name in ("armor", "internal", "rearArmor")}
        blown, exposure = node.flags("locationBlownOff"), node.numbers("exposure")
        for index, name in enumerate(layout[: len(structure)]):
            file = {"armor": _at(armor, index), "rear": _at(rear, index), "structure": _at(structure, index)}
            off = _flag(blown, index)
            gone = off or file["structure"] in names["lost_points"]
            if self.layout in ("infantry", "pilot") and index == 0:
                gone = gone or file["structure"] == 0

            def now(value: int | None, gone: bool = gone) -> int | None:
                if value is None or value == names["no_points"]:
                    return None
                return 0 if gone else max(0, value)

            start_rear = _points(_at(starts["rearArmor"], index))
            one = SavedLocation(
                name,
                index,
                now(file["armor"]),
                _points(_at(starts["armor"], index)),
                now(file["structure"]),
                _points(_at(starts["internal"], index)),
                now(file["rear"]) if start_rear is not None else None,
                start_rear,
                gone,
                off,
                _at(exposure, index) == names["breached"],
            )
            for key in ("armor", "rear", "structure"):
                value = file[key]
                if gone and value is not None and value > 0:
                    setattr(one, f"file_{key}", value)
            self.unit.locations.append(one)

    def items(self) -> None:
        """Equipment, with the kind that the unit's lists tell."""
        node = self.node
        nodes = list(node.get("equipmentList").all())
        if len(nodes) > _MOST_ITEMS:
            raise node.document.refuse(f"{self.unit.name} holds {len(nodes)} pieces of equipment: no unit does")
        self.numbers = {id(item): index for index, item in enumerate(nodes)}
        kinds = {}
        for name, kind in (("totalWeaponList", "weapon"), ("weaponList", "weapon"), ("ammoList", "ammo")):
            kinds.update({id(item): kind for item in node.get(name).all()})
        breached = [one.breached for one in self.unit.locations]
        for index, item in enumerate(nodes):
            location = item.number("location", -1)
            linked = item.get("linked")
            ammo = self.numbers.get(id(linked), -1) if linked else -1
            self.unit.items.append(
                SavedItem(
                    index,
                    item.label("typeName"),
                    kinds.get(id(item), "other"),
                    location,
                    item.yes("rearMounted"),
                    item.yes("destroyed"),
                    item.yes("hit"),
                    item.yes("missing"),
                    0 <= location < len(breached) and breached[location],
                    item.yes("jammed"),
                    item.yes("usedThisRound"),
                    item.yes("fired"),
                    item.number("shotsLeft"),
                    ammo if ammo >= 0 and kinds.get(id(nodes[ammo])) == "ammo" else -1,
                )
            )

    def slots(self) -> None:
        """Critical slots; empty ones are left out of their location's list."""
        systems = table("mm_names")["systems"]
        for location in self.node.get("crits").all():
            found = []
            for number, slot in enumerate(location.all(), start=1):
                if slot.tag == "null" or not slot.children:
                    continue
                one = SavedSlot(number)
                if slot.number("type") == 0:
                    one.system = systems.get(slot.number("index"), f"system {slot.number('index')}")
                else:
                    one.item = self.numbers.get(id(slot.get("mount")), -1)
                one.hit, one.destroyed = slot.yes("hit"), slot.yes("destroyed")
                one.missing, one.breached = slot.yes("missing"), slot.yes("breached")
                found.append(one)
            self.unit.slots.append(found)


def _at(values: list[int], index: int) -> int | None:
    return values[index] if index < len(values) else None


def _flag(values: list[bool], index: int) -> bool:
    return index < len(values) and values[index]


def _points(value: int | None) -> int | None:
    return None if value is None or value < 0 else value
