"""The modifiers that every weapon of an attack has in common: movement, posture, heat, terrain between, cover, indirect fire.

Each function adds its part to a :class:`~opfor.rules.shooting.frame.Frame`, item by item. Rule: S-4, S-7, E-34 to E-37, M-2,
M-3, M-5.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from opfor.board.board import Board
from opfor.board.sight import Sight
from opfor.rules.pilots.wounds import penalty
from opfor.rules.target_number import Modifier
from opfor.rules.vehicles.crews import gunnery_modifiers
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

if TYPE_CHECKING:
    from opfor.rules.shooting.frame import Frame

RULE = "S-4"


@cache
def modifier(what: str, value: int, rule: str = RULE) -> Modifier:
    """A modifier, made once and shared."""
    return Modifier(what, value, rule)


def steps_at(steps: list[list[int]], number: int) -> int:
    """The value of the last step that starts at or below a number; 0 below the first."""
    found = 0
    for start, value in steps:
        if number >= start:
            found = value
    return found


_RULES = table("to_hit")
_MOVED = {"": 0} | _RULES["attacker_movement"]
_SPOTTER_MOVED = {"": 0} | _RULES["spotter_movement"]
_MODE_WORDS = {"walk": "walked", "run": "ran", "jump": "jumped", "evade": "evaded", "sprint": "sprinted"}
_VEHICLE_WORDS = {"walk": "cruised", "run": "flanked", "evade": "evaded", "sprint": "sprinted"}
#: target movement modifier by hexes moved, the last one for all that is more
_BY_HEXES = tuple(
    steps_at(_RULES["target_movement"]["by_hexes"], n) for n in range(_RULES["target_movement"]["by_hexes"][-1][0] + 1)
)
_HEAT = tuple(steps_at(table("heat")["to_hit"], n) for n in range(table("heat")["to_hit"][-1][0] + 1))
_JUMPED = _RULES["target_movement"]["jumped"]
_SKIDDED = _RULES["target_movement"]["skidded"]
_ATTACKER_SKIDDED = _RULES["attacker_skidded"]
_IMMOBILE = _RULES["immobile"]
_DUG_IN = table("infantry")["dug_in"]
_SQUAD = table("infantry")["battle_armor_target"]
_STUCK = _RULES["stuck"]
_VTOL_MOVED = _RULES["target_movement"]["vtol_moved"]
_PRONE = _RULES["prone"]
_SENSORS = _RULES["sensors"]
_VEHICLE_SENSORS = table("vehicles")["to_hit"]["sensors"]
_BETWEEN_WOODS = _RULES["woods_between"]
_BETWEEN_SMOKE = _RULES["smoke_between"]
_TARGET_WOODS = _RULES["target_woods"]
_TARGET_SMOKE = _RULES["target_smoke"]
_SMOKE_HEIGHT = _RULES["smoke_height"]
_SAME_BUILDING = _RULES["same_building"]
_COVER = _RULES["partial_cover"]
_INDIRECT = _RULES["indirect"]


def add(found: Frame, what: str, value: int, rule: str = RULE) -> None:
    """Add a modifier that is not 0."""
    if value:
        found.modifiers.append(modifier(what, value, rule))
        found.common += value


def movement_of(state: State, attacker: UnitState, mode: str) -> tuple[int, str]:
    """What an attacker's own movement adds, and the rule: nothing for infantry; a VTOL's may be a jump. Rule: S-4, E-27."""
    spec = attacker.spec
    if attacker.skidded:
        return _ATTACKER_SKIDDED, RULE
    if spec.is_infantry:
        return 0, RULE
    if spec.kind == "vtol" and mode in _VEHICLE_WORDS and state.ruleset.vtol_moved_as_jump == "on":
        return _MOVED["jump"], "E-27"
    return _MOVED.get(mode, 0), RULE


def attacker_part(found: Frame, attacker: UnitState, mode: str, prone: bool, moved_rule: str, mental: bool) -> None:
    """Skill, movement, posture, heat and sensors of the attacker. ``mental``: by that number, not gunnery. S-4, S-7, E-35."""
    if mental:
        found.modifiers.append(modifier("Mental", attacker.mental, "E-35"))
        found.common += attacker.mental
    else:
        gunnery = attacker.gunnery
        found.modifiers.append(modifier("gunnery", gunnery, "E-9"))
        found.common += gunnery
        if attacker.wounds:
            add(found, "wounds", penalty(attacker), "E-38")
    spec = attacker.spec
    vehicle = spec.kind != "mech" and spec.is_vehicle
    if found.moved:
        words = _VEHICLE_WORDS if vehicle else _MODE_WORDS
        add(found, "attacker skidded" if attacker.skidded else f"attacker {words.get(mode, 'moved')}", found.moved, moved_rule)
    if prone and not (attacker.spec.quad and not attacker.legs_lost):
        add(found, "attacker prone", _PRONE["attacker"])
    heat = attacker.heat
    if heat > 0:
        add(found, "heat", _HEAT[heat] if heat < len(_HEAT) else _HEAT[-1], "S-7")
    if attacker.sensor_hits:
        if vehicle:
            add(found, "sensors hit", attacker.sensor_hits * _VEHICLE_SENSORS, "E-24a")
        else:
            add(found, "sensors hit", _SENSORS[1])
    if vehicle and (attacker.crew or attacker.flight_stabilizer):
        for item in gunnery_modifiers(attacker.crew, attacker.flight_stabilizer):
            found.modifiers.append(item)
            found.common += item.value


def target_part(found: Frame, target: UnitState, mode: str, hexes: int) -> None:
    """How the target moved, and whether it can. Rule: S-4."""
    moved = _BY_HEXES[hexes] if hexes < len(_BY_HEXES) else _BY_HEXES[-1]
    if moved:
        add(found, f"target moved {hexes}", moved)
    if mode == "jump":
        add(found, "target jumped", _JUMPED)
    if target.skidded:
        add(found, "target skidded", _SKIDDED)
    if target.shutdown or not target.conscious or target.immobilized:
        add(found, "target immobile", _IMMOBILE)
    if target.stuck:
        add(found, "target stuck", _STUCK)
    kind = target.spec.kind
    if kind == "mech":
        return
    if kind == "vtol" and mode in _VEHICLE_WORDS:
        add(found, "VTOL moved", _VTOL_MOVED, "E-27")
    if target.dug_in:
        add(found, "target dug in", _DUG_IN, "S-9")
    if kind == "battle_armor" and not found.attacker.spec.is_infantry:
        add(found, "battle armour", _SQUAD, "S-9")


def indirect_part(state: State, found: Frame, spotter: UnitState, attacks: bool) -> None:
    """What indirect fire itself adds: one and the spotter's movement, or the flat number of the ruleset. Rule: S-4, M-5."""
    setting = state.ruleset.indirect_penalty
    if setting == "standard":
        add(found, "indirect fire", _INDIRECT)
        add(found, f"spotter {_MODE_WORDS.get(spotter.mode, 'moved')}", _SPOTTER_MOVED.get(spotter.mode, 0))
    else:
        add(found, "indirect fire", int(setting), "M-5")
    if attacks:
        add(found, "spotter attacks as well", state.ruleset.spotter_attack)


def intervening(found: Frame, seen: Sight, board: Board, there: int, height: int) -> None:
    """Woods and smoke on a line and at its end, as modifiers. ``height``: of the target's top above the surface. S-3, S-4."""
    if seen.light_woods:
        add(found, "light woods between", seen.light_woods * _BETWEEN_WOODS[1])
    if seen.heavy_woods:
        add(found, "heavy woods between", seen.heavy_woods * _BETWEEN_WOODS[2])
    if seen.light_smoke:
        add(found, "light smoke between", seen.light_smoke * _BETWEEN_SMOKE[1])
    if seen.heavy_smoke:
        add(found, "heavy smoke between", seen.heavy_smoke * _BETWEEN_SMOKE[2])
    record = board.hexes[there]
    if record.woods and height < record.foliage and found.target.spec.kind != "hex":
        woods = 1 if record.woods == 1 else 2
        add(found, "target in light woods" if woods == 1 else "target in heavy woods", _TARGET_WOODS[woods])
    if record.smoke and height < _SMOKE_HEIGHT:
        smoke = 1 if record.smoke == 1 else 2
        add(found, "target in light smoke" if smoke == 1 else "target in heavy smoke", _TARGET_SMOKE[smoke])
    if seen.same_building:
        add(found, "inside the same building", seen.same_building * _SAME_BUILDING)


def cover_part(state: State, found: Frame, seen: Sight, wading: bool) -> None:
    """Cover and water. Rule: S-4, E-36, E-37."""
    if seen.target_cover:
        found.cover = True
        house = state.ruleset.partial_cover
        add(found, "partial cover", _COVER[house], RULE if house == "standard" else "E-36")
    if wading:
        found.cover = True
        add(found, "target stands in water", state.ruleset.water_to_hit, "E-37")
