"""Small saved games of our own making, in the form that MegaMek gives its saves: for tests that need no file of others.

A save is written from units of the catalogue or of tests, as XStream would write it: objects in full where they are met first,
later uses as references by number or by path, underscores doubled.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from opfor.tables import table
from opfor.units.spec import REAR_ARMOR, UnitSpec

_SYSTEMS = {"life_support": 0, "sensors": 1, "cockpit": 2, "engine": 3, "gyro": 4, "shoulder": 7, "upper_arm": 8,
            "lower_arm": 9, "hand": 10, "hip": 11, "upper_leg": 12, "lower_leg": 13, "foot": 14}  # fmt: skip
_CLASSES = {"mech": "BipedMech", "vehicle": "Tank", "vtol": "VTOL", "infantry": "Infantry", "battle_armor": "BattleArmor"}
_MOVES = {"tracked": "TRACKED", "wheeled": "WHEELED", "hover": "HOVER", "vtol": "VTOL", "foot": "INF_LEG", "jump": "INF_JUMP",
          "motorized": "INF_MOTORIZED", "mechanized_tracked": "TRACKED", "mechanized_wheeled": "WHEELED",
          "mechanized_hover": "HOVER", "suits": "INF_JUMP", "biped": "BIPED", "quad": "QUAD"}  # fmt: skip
_ARMOR = {"standard": 0, "ferro_fibrous": 1}
ENGINES = {"ice": 0, "fusion": 1, "xl_is": 2, "xl_clan": 2, "light": 5, "compact": 6}
_TERRAIN = {name: number for number, name in table("mm_names")["terrain"].items()}


class Maker:
    """Writes one save."""

    def __init__(self) -> None:
        self.last = 0

    def id(self) -> int:
        """The number of the next object."""
        self.last += 1
        return self.last

    def plain(self, **fields: Any) -> str:
        """Fields with a value each; lists become lists of numbers or of yes and no."""
        out = []
        for name, value in fields.items():
            tag = name.replace("_", "__")
            if isinstance(value, bool):
                out.append(f"<{tag}>{str(value).lower()}</{tag}>")
            elif isinstance(value, list):
                kinds = "".join(
                    f"<boolean>{str(v).lower()}</boolean>" if isinstance(v, bool) else f"<int>{v}</int>" for v in value
                )
                out.append(f'<{tag} id="{self.id()}">{kinds}</{tag}>')
            elif value is not None:
                out.append(f"<{tag}>{escape(str(value))}</{tag}>")
        return "".join(out)

    def coords(self, tag: str, hex: str) -> str:
        """Coordinates of a hex number."""
        column, row = int(hex[:2]) - 1, int(hex[2:]) - 1
        return f'<{tag} id="{self.id()}"><x>{column}</x><y>{row}</y><hash>0</hash></{tag}>'

    # -- units ---------------------------------------------------------------------------------------------------------

    def unit(self, spec: UnitSpec, number: int, owner: int, changes: Mapping[str, Any]) -> str:
        """A unit as its sheet is, with changes.

        ``at``, ``hits`` (slots by location), ``shots`` (by bin), ``armor``, ``rear``, ``internal`` (by index), ``blown``
        (locations), ``weapons`` (fields by mount), ``crew`` (fields), ``class``, and any field of the unit by its name.
        """
        given = dict(changes)
        kind = given.pop("class", "QuadMech" if spec.quad else _CLASSES[spec.kind])
        name = f"megamek.common.{kind}"
        own = self.id()
        crew = {"names": "", "gunnery": 4, "piloting": 5, "hits": 0, "unconscious": False, "dead": False, "ejected": False}
        crew |= given.pop("crew", {})
        shift = 1 if spec.kind == "battle_armor" else 0
        armor, internal = list(spec.armor[: len(spec.structure)]), list(spec.structure)
        if spec.is_vehicle:
            internal[0] = -1
            if not internal[5]:
                internal[5] = -1
        if spec.kind == "infantry":
            armor, internal = [0, 0], [spec.structure[0], 0]
        armor, internal = [0] * shift + armor, [1] * shift + internal
        fields: dict[str, Any] = {
            "id": number, "chassis": spec.chassis, "model": spec.model, "ownerId": owner, "weight": float(spec.tons),
            "walkMP": spec.walk, "jumpMP": spec.jump, "movementMode": _MOVES[spec.motive], "facing": 0, "sec_facing": 0,
            "elevation": 0, "deployed": True, "done": False, "moved": "MOVE_NONE", "delta_distance": 0, "mpUsed": 0, "heat": 0,
            "gyroType": 0, "cockpitType": 0, "structureType": 0, "year": spec.era, "techLevel": 1, "mixedTech": False,
            "orig_armor": armor[:], "orig_internal": internal[:], "armorType": [0] * len(armor), "conveyance": -1,
            "swarmTargetId": -1, "swarmAttackerId": -1,
        }  # fmt: skip
        for key, base in (("armor", armor), ("internal", internal)):
            now = base[:]
            for index, value in given.pop(key, {}).items():
                now[index] = value
            fields[key] = now
        if spec.is_mech:
            rear = [spec.armor[REAR_ARMOR[i]] if i in REAR_ARMOR else -1 for i in range(8)]
            fields["orig_rearArmor"] = rear[:]
            for index, value in given.pop("rear", {}).items():
                rear[index] = value
            fields["rearArmor"] = rear
        blown = given.pop("blown", ())
        fields["locationBlownOff"] = [i in blown for i in range(len(armor))]
        if spec.is_vehicle:
            fields |= {"m_bHasNoTurret": not spec.turret, "m_bHasNoDualTurret": True}
        if spec.arms is not None:
            troopers = spec.structure[0]
            fields |= {"squadCount": spec.arms.squads, "squadSize": spec.arms.squad_size, "originalTrooperCount": troopers,
                       "activeTroopers": troopers, "troopersShooting": troopers}  # fmt: skip
        at = given.pop("at", None)
        hits, shots, weapons = given.pop("hits", {}), given.pop("shots", {}), given.pop("weapons", {})
        extra, position = given.pop("extra", ""), given.pop("position", "")
        fields |= given
        text = [f'<{name} id="{own}">', self.plain(**fields)]
        if at:
            text.append(self.coords("position", at))
        text += [position, self.engine(spec), self.crew(crew), self.equipment(spec, own, name, shots, weapons, shift)]
        text += [self.crits(spec, hits), extra, f"</{name}>"]
        return "".join(text)

    def engine(self, spec: UnitSpec) -> str:
        """The engine."""
        if not (spec.is_mech or spec.is_vehicle):
            return ""
        flags = 1 if spec.engine == "xl_clan" else 0
        inner = self.plain(engineRating=spec.engine_rating, engineType=ENGINES[spec.engine], engineFlags=flags)
        return f'<engine id="{self.id()}">{inner}</engine>'

    def crew(self, crew: Mapping[str, Any]) -> str:
        """The crew, one seat."""
        names = f'<names id="{self.id()}"><string>{escape(crew["names"])}</string></names>'
        lists = {key: [crew[key]] for key in ("gunnery", "piloting", "hits", "unconscious", "dead")}
        return f'<crew id="{self.id()}">{names}{self.plain(**lists, ejected=crew["ejected"])}</crew>'

    def equipment(
        self,
        spec: UnitSpec,
        own: int,
        name: str,
        shots: Mapping[int, int],
        weapons: Mapping[int, Mapping[str, Any]],
        shift: int,
    ) -> str:
        """Weapons, bins and whatever lies in slots. A bin stands in full within the first weapon that uses it."""
        self.items: dict[tuple[str, int], int] = {}
        rows: list[str] = []
        lists: dict[str, list[int]] = {"weaponList": [], "ammoList": []}
        written: set[int] = set()

        def mounted(tag: str, kind: str, ref: int, type_: str, location: int, inner: str = "", **fields: Any) -> str:
            number = self.id()
            self.items[kind, ref] = number
            back = f'<entity class="{name}" reference="{own}"/>'
            body = self.plain(typeName=type_, location=location, **fields)
            return f'<{tag} id="{number}">{back}{body}{inner}</{tag}>'

        for mount in spec.mounts:
            linked = ""
            bin = next((b for b in spec.bins if b.kind == mount.modes[0].ammo), None)
            if bin is not None and bin.index not in written:
                written.add(bin.index)
                linked = mounted(
                    "linked", "ammo", bin.index, bin.name, bin.location + shift, shotsLeft=shots.get(bin.index, bin.shots)
                )
            elif bin is not None:
                linked = f'<linked reference="{self.items["ammo", bin.index]}"/>'
            rows.append(
                mounted("megamek.common.Mounted", "weapon", mount.index, mount.name, mount.location + shift, linked,
                        rearMounted=mount.rear, **weapons.get(mount.index, {}))
            )  # fmt: skip
            lists["weaponList"].append(self.items["weapon", mount.index])
        if spec.arms is not None:
            rows.append(mounted("megamek.common.Mounted", "weapon", -1, "InfantryAssaultRifle", 0))
            lists["weaponList"].append(self.items["weapon", -1])
        for bin in spec.bins:
            if bin.index in written:
                rows.append(f'<megamek.common.Mounted reference="{self.items["ammo", bin.index]}"/>')
            else:
                rows.append(
                    mounted("megamek.common.Mounted", "ammo", bin.index, bin.name, bin.location + shift,
                            shotsLeft=shots.get(bin.index, bin.shots))
                )  # fmt: skip
            lists["ammoList"].append(self.items["ammo", bin.index])
        for kind, count, type_ in (
            ("heat_sink", spec.sinks if spec.is_mech else 0, "Heat Sink" if spec.sink_rating == 1 else "Double Heat Sink"),
            ("jump_jet", len(spec.jet_locations), "Jump Jet"),
        ):
            for ref in range(count):
                rows.append(mounted("megamek.common.Mounted", kind, ref, type_, -1))
        for item in spec.equipment:
            rows.append(mounted("megamek.common.Mounted", "equipment", item.index, item.name, item.location + shift))
        text = f'<equipmentList id="{self.id()}">{"".join(rows)}</equipmentList>'
        for key, numbers in lists.items():
            inner = "".join(f'<megamek.common.Mounted reference="{number}"/>' for number in numbers)
            text += f'<{key} id="{self.id()}">{inner}</{key}>'
        return text

    def crits(self, spec: UnitSpec, hits: Mapping[int, Sequence[int]]) -> str:
        """Critical slots; ``hits`` by location the numbers (from 1) that are hit."""
        rows = []
        for location, slots in enumerate(spec.slots):
            inner = []
            for number, slot in enumerate(slots, start=1):
                hit = number in hits.get(location, ())
                if slot.kind in _SYSTEMS:
                    held = self.plain(type=0, index=_SYSTEMS[slot.kind])
                elif (slot.kind, slot.ref) in self.items:
                    held = self.plain(type=1, index=-1) + f'<mount reference="{self.items[slot.kind, slot.ref]}"/>'
                else:
                    inner.append("<null/>")
                    continue
                flags = self.plain(hit=hit, destroyed=hit, missing=False, breached=False)
                inner.append(f'<megamek.common.CriticalSlot id="{self.id()}">{held}{flags}</megamek.common.CriticalSlot>')
            rows.append(
                f'<megamek.common.CriticalSlot-array id="{self.id()}">{"".join(inner)}</megamek.common.CriticalSlot-array>'
            )
        return f'<crits id="{self.id()}">{"".join(rows)}</crits>'

    # -- the game ------------------------------------------------------------------------------------------------------

    def board(self, width: int, height: int, hexes: Mapping[str, str]) -> str:
        """A board; ``hexes`` in the notation of board files, as ``2 woods:1;foliage_elev:2``."""
        rows = []
        for y in range(height):
            for x in range(width):
                level, _, rest = hexes.get(f"{x + 1:02d}{y + 1:02d}", "0").partition(" ")
                terrains = ""
                for part in rest.split(";") if rest else ():
                    name, value, *exits = part.split(":")
                    number = _TERRAIN.get(name) or int(name)
                    inner = self.plain(
                        type=number,
                        level=int(value),
                        exitsSpecified=bool(exits),
                        exits=int(exits[0]) if exits else 0,
                        terrainFactor=40 if name == "woods" else 0,
                    )
                    terrain = f'<megamek.common.Terrain id="{self.id()}">{inner}</megamek.common.Terrain>'
                    terrains += f"<entry><int>{number}</int>{terrain}</entry>"
                body = f'<level>{level}</level><terrains id="{self.id()}">{terrains}</terrains><fireTurn>0</fireTurn>'
                rows.append(f'<megamek.common.Hex id="{self.id()}">{body}</megamek.common.Hex>')
        inner = f'<height>{height}</height><width>{width}</width><buildings id="{self.id()}"/>'
        inner += f'<data id="{self.id()}">{"".join(rows)}</data>'
        inner = f"<megamek.common.Board><default>{inner}</default></megamek.common.Board>"
        return f'<board id="{self.id()}" serialization="custom">{inner}</board>'


def make_save(
    units: Sequence[tuple[UnitSpec, int, Mapping[str, Any]]] = (),
    *,
    hexes: Mapping[str, str] | None = None,
    size: tuple[int, int] = (16, 17),
    players: Sequence[Mapping[str, Any]] = ({"name": "Ann", "team": 1}, {"name": "Princess", "team": 2, "bot": True}),
    phase: str = "MOVEMENT",
    round: int = 3,
    mines: Sequence[tuple[str, int, int, int]] = (),
    out_of_game: Sequence[tuple[UnitSpec, int, Mapping[str, Any]]] = (),
    conditions: Mapping[str, Any] | None = None,
    extra: str = "",
    packed: bool = True,
) -> bytes:
    """The bytes of a save. ``units``: sheet, player's number, changes (see :meth:`Maker.unit`); ``mines``: hex, kind, density,
    player."""
    maker = Maker()
    root = maker.id()
    text = ["<players>"]
    for number, player in enumerate(players):
        fields: dict[str, Any] = {
            "id": number,
            "name": "",
            "team": 0,
            "bot": False,
            "observer": False,
            "startingPos": 2 + 4 * number,
        }
        fields |= player
        seen = ""
        for hex, kind, density, owner in mines:
            if owner == number:
                inner = maker.coords("coords", hex) + maker.plain(playerId=owner, density=density, type=kind, detonated=False)
                seen += f'<megamek.common.Minefield id="{maker.id()}">{inner}</megamek.common.Minefield>'
        body = maker.plain(**fields) + f'<visibleMinefields id="{maker.id()}">{seen}</visibleMinefields>'
        text.append(
            f'<entry><int>{number}</int><megamek.common.Player id="{maker.id()}">{body}</megamek.common.Player></entry>'
        )
    text.append("</players><inGameObjects>")
    for number, (spec, owner, changes) in enumerate(units, start=1):
        text.append(f"<entry><int>{number}</int>{maker.unit(spec, number, owner, changes)}</entry>")
    text.append("</inGameObjects><vOutOfGame>")
    for number, (spec, owner, changes) in enumerate(out_of_game, start=len(units) + 1):
        text.append(maker.unit(spec, number, owner, changes))
    text.append("</vOutOfGame>")
    text.append(maker.board(*size, hexes or {}))
    text.append(maker.plain(roundCount=round, phase=phase, lastPhase="UNKNOWN", turnIndex=0))
    text.append(f"<planetaryConditions>{maker.plain(**(conditions or {}))}</planetaryConditions>")
    text.append(extra)
    document = f'<megamek.common.Game id="{root}">{"".join(text)}</megamek.common.Game>'.encode()
    return gzip.compress(document, mtime=0) if packed else document
