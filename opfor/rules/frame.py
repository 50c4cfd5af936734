"""All that a weapon attack depends on but the weapon: gathered once for an attacker and a target. Rule: S-4.

A :class:`Frame` holds distance, line of sight, side struck, cover, and the modifiers common to every weapon; its
``common`` is their sum, which the expected-damage tables take as their key. Positions may be supposed: ``frame(state, a, t,
cell=..., mode="run")`` answers how the attack would stand from there.
"""

from __future__ import annotations

from functools import cache

from opfor.board.board import Board
from opfor.board.sight import Sight, sight
from opfor.hex import bearing12
from opfor.rules.arcs import side_struck
from opfor.rules.complex_actions import haste_modifier
from opfor.rules.counter_fire import counter_modifiers, run_of, shown_side
from opfor.rules.crews import gunnery_modifiers
from opfor.rules.electronics import c3_distance
from opfor.rules.engaged import bars_shooting
from opfor.rules.modes import HASTY
from opfor.rules.target_number import Modifier
from opfor.rules.wounds import penalty
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import ARMS
from opfor.units.state import UnitState

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
#: sensor hits with which nothing can be fired
_BLIND = {"mech": len(_SENSORS)} | dict.fromkeys(("vehicle", "vtol"), table("vehicles")["criticals"]["sensors_blind"])
_BETWEEN_WOODS = _RULES["woods_between"]
_BETWEEN_SMOKE = _RULES["smoke_between"]
_TARGET_WOODS = _RULES["target_woods"]
_TARGET_SMOKE = _RULES["target_smoke"]
_SMOKE_HEIGHT = _RULES["smoke_height"]
_SAME_BUILDING = _RULES["same_building"]
_COVER = _RULES["partial_cover"]
_INDIRECT = _RULES["indirect"]


class Frame:
    """One attacker and one target, seen once. ``why`` is set when no weapon can be fired at all, whatever it is.

    ``common`` is the sum of ``modifiers``, those that do not depend on the weapon. ``bearing`` runs from the attacker to the
    target (:func:`opfor.hex.bearing12`), ``facing`` is the attacker's hull. ``side``: front, left, right or rear of the target;
    ``cover``: hits on its legs strike what hides them. ``c3`` is the distance that a C3 network lends, or None.
    ``blocked``: no line of sight from the attacker (an indirect shot may still be possible through a spotter).
    ``moved`` is what the attacker's own movement adds. Where ``why`` is set, modifiers, ``common`` and ``cover`` stay empty.
    """

    __slots__ = (
        "all_wet",
        "attacker",
        "bearing",
        "blocked",
        "bombing",
        "c3",
        "close_only",
        "common",
        "cover",
        "distance",
        "facing",
        "legs_wet",
        "modifiers",
        "moved",
        "prone",
        "rule",
        "seen",
        "side",
        "spotter",
        "swarmer",
        "target",
        "target_submerged",
        "target_wet",
        "why",
    )

    def __init__(self, attacker: UnitState, target: UnitState) -> None:
        self.attacker = attacker
        self.target = target
        self.spotter: UnitState | None = None
        self.modifiers: list[Modifier] = []
        self.common = 0
        self.why = ""
        self.rule = RULE
        self.blocked = False
        #: the target flies a bomb run: only weapons of some reach may be fired at it (E-31)
        self.bombing = False
        self.cover = False
        self.side = "front"
        self.distance = 0
        #: only with weapons for close quarters (A-7)
        self.close_only = False
        self.bearing = 0
        self.facing = attacker.facing
        self.prone = attacker.prone
        self.c3: int | None = None
        self.moved = 0
        #: id of what clings to the target, where the attacker is infantry in its hex
        self.swarmer = ""
        self.seen: Sight
        self.legs_wet = False
        self.all_wet = False
        self.target_wet = False
        self.target_submerged = False

    def refuse(self, why: str, rule: str = RULE) -> None:
        """Set the reason why no attack is possible; the first one stays."""
        if not self.why:
            self.why = why
            self.rule = rule


def frame(
    state: State,
    attacker: UnitState,
    target: UnitState,
    *,
    cell: int | None = None,
    facing: int | None = None,
    elevation: int | None = None,
    mode: str | None = None,
    hexes: int | None = None,
    prone: bool | None = None,
    t_cell: int | None = None,
    t_facing: int | None = None,
    t_elevation: int | None = None,
    t_mode: str | None = None,
    t_hexes: int | None = None,
    t_prone: bool | None = None,
    spotter: UnitState | None = None,
    spotter_attacks: bool = False,
    area: bool = False,
) -> Frame:
    """What every weapon of ``attacker`` has in common against ``target``. Rule: S-4.

    Arguments left out are taken from the units as they stand; a supposed hex without an elevation means its ground.
    ``hexes``, the hexes that the attacker moved, changes nothing for it as an attacker. ``spotter``: the attack is indirect,
    and terrain counts along the spotter's line. ``area``: missiles that strike all around, friends and whoever is out of sight
    or unknown as well (E-33a). The frame of an impossible attack carries ``why``.
    """
    board = state.board
    found = Frame(attacker, target)
    here = attacker.cell if cell is None else cell
    there = target.cell if t_cell is None else t_cell
    if elevation is None:
        elevation = attacker.elevation if cell is None else _supposed(board, attacker, here)
    if t_elevation is None:
        t_elevation = target.elevation if t_cell is None else _supposed(board, target, there)
    if facing is not None:
        found.facing = facing
    if prone is None:
        prone = attacker.prone
    found.prone = prone
    if t_prone is None:
        t_prone = target.prone
    a_level = board.level[here]
    t_level = board.level[there]
    a_base = a_level + elevation
    t_base = t_level + t_elevation
    a_spec, t_spec = attacker.spec, target.spec
    a_mech, t_mech = a_spec.kind == "mech", t_spec.kind == "mech"
    a_top = a_base + 1 if a_mech and not prone else a_base
    t_top = t_base + 1 if t_mech and not t_prone else t_base
    if mode is None:
        mode = attacker.mode

    _gate(state, found, spotter, area)
    # where they stand to each other
    grid = board.grid
    dq, dr = grid.offset(here, there)
    distance = found.distance = max(abs(dq), abs(dr), abs(dq + dr))
    found.bearing = bearing12(dq, dr)
    seen = sight(board, here, a_base, a_top, there, t_base, t_top)
    found.seen = seen
    if distance <= 1 and state.ruleset.engaged_shooting == "on":
        found.close_only = bars_shooting(state, attacker, target)
    back = bearing12(-dq, -dr)
    found.side = side_struck(back, target.facing if t_facing is None else t_facing, seen.side, not t_mech and t_spec.is_vehicle)
    found.blocked = not seen.clear
    if a_mech and not attacker.skidded:
        found.moved, moved_rule = _MOVED.get(mode, 0), RULE
    else:
        found.moved, moved_rule = _movement(state, attacker, mode)
    if board.depth[here] and elevation < 0:
        found.legs_wet = True
        found.all_wet = a_top < a_level
    wading = False
    if board.depth[there] and t_elevation < 0:
        found.target_wet = True
        found.target_submerged = t_top < t_level
        wading = not found.target_submerged and t_mech
    if not distance and a_spec.anti_mech:
        found.swarmer = next((u.id for u in state.units if u.swarming == target.id and not u.destroyed and not u.gone), "")
    if spotter is not None:
        seen = _spotted(state, found, spotter, there, t_base, t_top, area)
    elif not seen.clear and not area:
        found.refuse(f"no line of sight: {seen.why.replace('_', ' and ')} in the way", "S-3")
    if found.why:
        return found
    # by the campaign the spotter's own roll has placed the shot: no terrain, and no gunnery (E-35)
    placed = spotter is not None and state.ruleset.indirect_fire == "campaign"
    _attacker_part(found, attacker, mode, prone, moved_rule, placed)
    if attacker.spotting and state.ruleset.indirect_fire != "campaign":
        _add(found, "spotting for others", state.ruleset.spotter_attack)
    if t_mode is None:
        t_mode = target.mode
    run = run_of(state, attacker, target, t_mode) if state.shells and t_spec.kind == "vtol" else None
    if run is not None:
        found.bombing = True
        facing_shown = target.facing if t_facing is None else t_facing
        found.side = shown_side(board, run, here, target, back, facing_shown)
        for item in counter_modifiers(board, run, here, t_elevation):
            _add(found, item.what, item.value, item.rule)
        _target_part(found, target, "", 0)
    else:
        _target_part(found, target, t_mode, target.hexes_moved if t_hexes is None else t_hexes)
    if t_mode in HASTY and (hasty := haste_modifier(state, target, t_mode)) is not None:
        _add(found, hasty.what, hasty.value, hasty.rule)
    if t_prone:
        if distance <= 1:
            _add(found, "prone target, adjacent", _PRONE["adjacent"])
        else:
            _add(found, "prone target", _PRONE["far"])
    if not placed:
        intervening(found, seen, board, there, t_top - t_level)
    _cover_part(state, found, seen, wading)
    if spotter is not None:
        _indirect_part(state, found, spotter, spotter_attacks and not placed)
    elif a_spec.equipment:
        found.c3 = c3_distance(state, attacker, here, there, t_base, t_top)
    return found


def _supposed(board: Board, unit: UnitState, cell: int) -> int:
    """Elevation of a unit in a hex that it is only supposed to stand in: its ground; a VTOL keeps its height above it."""
    return -board.depth[cell] if unit.spec.is_mech else unit.elevation if unit.spec.kind == "vtol" else 0


def sees(state: State, unit: UnitState, target: UnitState) -> bool:
    """Whether a unit has a line of sight to another. Rule: S-3."""
    board = state.board
    u_base = board.level[unit.cell] + unit.elevation
    t_base = board.level[target.cell] + target.elevation
    u_top = u_base + 1 if unit.spec.kind == "mech" and not unit.prone else u_base
    t_top = t_base + 1 if target.spec.kind == "mech" and not target.prone else t_base
    return sight(board, unit.cell, u_base, u_top, target.cell, t_base, t_top).clear


def _add(found: Frame, what: str, value: int, rule: str = RULE) -> None:
    if value:
        found.modifiers.append(modifier(what, value, rule))
        found.common += value


def _gate(state: State, found: Frame, spotter: UnitState | None, area: bool = False) -> None:
    """What forbids any attack before the map is looked at."""
    attacker, target = found.attacker, found.target
    if attacker.destroyed or attacker.gone or attacker.shutdown or not attacker.conscious or attacker.cell < 0:
        if attacker.destroyed or attacker.gone or attacker.cell < 0:
            found.refuse("the attacker is out of the battle")
        else:
            awake = "the attacker's pilot is unconscious" if attacker.spec.is_mech else "the attacker's crew is dead"
            found.refuse("the attacker is shut down" if attacker.shutdown else awake)
    elif attacker.stunned:
        found.refuse("the attacker's crew is stunned", "E-22")
    elif target.destroyed or target.gone or target.cell < 0:
        found.refuse("the target is out of the battle")
    elif target.side == attacker.side and not area:
        found.refuse("the target is on the attacker's own side")
    elif target.hidden and not area:
        found.refuse("the attacker's side does not know of the target")
    elif attacker.aboard or target.aboard:
        found.refuse("it is carried inside another unit", "S-9")
    elif attacker.swarming and attacker.swarming != target.id:
        found.refuse(f"it clings to {attacker.swarming}", "S-9")
    elif target.swarming and target.swarming == attacker.id:
        found.refuse("the target clings to the attacker itself", "S-9")
    elif attacker.sensor_hits and attacker.sensor_hits >= _BLIND[attacker.spec.kind]:
        found.refuse("the sensors are destroyed")
    elif found.prone and _cannot_prop(attacker):
        found.refuse("prone, and no limb is left to prop it up")
    elif spotter is not None and (
        spotter is attacker or spotter.side != attacker.side or not spotter.active or spotter.cell < 0 or spotter.stunned
    ):
        found.refuse("the spotter cannot spot: it must be another unit of the side, awake and running")


def _cannot_prop(unit: UnitState) -> bool:
    """Whether a prone 'Mech has nothing to prop itself up on. Rule: S-4 (prone firing)."""
    arms = sum(1 for arm in ARMS if not unit.lost(arm))
    if unit.spec.quad:
        lost = unit.legs_lost
        return lost > _PRONE["quad_legs_lost_at_most"] or (lost > 0 and arms == 0)
    return bool(arms < _PRONE["arms_needed"])


def _spotted(state: State, found: Frame, spotter: UnitState, there: int, t_base: int, t_top: int, area: bool = False) -> Sight:
    """The spotter's line of sight, which stands in for the attacker's in indirect fire. Rule: S-4."""
    found.spotter = spotter
    if not found.blocked and not area:
        found.refuse("indirect fire at a target that the attacker sees itself")
    seen = sight(state.board, spotter.cell, state.base(spotter), state.top(spotter), there, t_base, t_top)
    if not seen.clear and not area:
        found.refuse("the spotter does not see the target")
    return seen


def _movement(state: State, attacker: UnitState, mode: str) -> tuple[int, str]:
    """What an attacker's own movement adds, and the rule: nothing for infantry; a VTOL's may be a jump. Rule: S-4, E-27."""
    spec = attacker.spec
    if attacker.skidded:
        return _ATTACKER_SKIDDED, RULE
    if spec.is_infantry:
        return 0, RULE
    if spec.kind == "vtol" and mode in _VEHICLE_WORDS and state.ruleset.vtol_moved_as_jump == "on":
        return _MOVED["jump"], "E-27"
    return _MOVED.get(mode, 0), RULE


def _attacker_part(found: Frame, attacker: UnitState, mode: str, prone: bool, moved_rule: str, mental: bool) -> None:
    """Skill, movement, posture, heat and sensors of the attacker. ``mental``: by that number, not gunnery. S-4, S-7, E-35."""
    if mental:
        found.modifiers.append(modifier("Mental", attacker.mental, "E-35"))
        found.common += attacker.mental
    else:
        gunnery = attacker.gunnery
        found.modifiers.append(modifier("gunnery", gunnery, "E-9"))
        found.common += gunnery
        if attacker.wounds:
            _add(found, "wounds", penalty(attacker), "E-38")
    spec = attacker.spec
    vehicle = spec.kind != "mech" and spec.is_vehicle
    if found.moved:
        words = _VEHICLE_WORDS if vehicle else _MODE_WORDS
        _add(found, "attacker skidded" if attacker.skidded else f"attacker {words.get(mode, 'moved')}", found.moved, moved_rule)
    if prone and not (attacker.spec.quad and not attacker.legs_lost):
        _add(found, "attacker prone", _PRONE["attacker"])
    heat = attacker.heat
    if heat > 0:
        _add(found, "heat", _HEAT[heat] if heat < len(_HEAT) else _HEAT[-1], "S-7")
    if attacker.sensor_hits:
        if vehicle:
            _add(found, "sensors hit", attacker.sensor_hits * _VEHICLE_SENSORS, "E-24a")
        else:
            _add(found, "sensors hit", _SENSORS[1])
    if vehicle and (attacker.crew or attacker.flight_stabilizer):
        for item in gunnery_modifiers(attacker.crew, attacker.flight_stabilizer):
            found.modifiers.append(item)
            found.common += item.value


def _target_part(found: Frame, target: UnitState, mode: str, hexes: int) -> None:
    """How the target moved, and whether it can. Rule: S-4."""
    moved = _BY_HEXES[hexes] if hexes < len(_BY_HEXES) else _BY_HEXES[-1]
    if moved:
        _add(found, f"target moved {hexes}", moved)
    if mode == "jump":
        _add(found, "target jumped", _JUMPED)
    if target.skidded:
        _add(found, "target skidded", _SKIDDED)
    if target.shutdown or not target.conscious or target.immobilized:
        _add(found, "target immobile", _IMMOBILE)
    if target.stuck:
        _add(found, "target stuck", _STUCK)
    kind = target.spec.kind
    if kind == "mech":
        return
    if kind == "vtol" and mode in _VEHICLE_WORDS:
        _add(found, "VTOL moved", _VTOL_MOVED, "E-27")
    if target.dug_in:
        _add(found, "target dug in", _DUG_IN, "S-9")
    if kind == "battle_armor" and not found.attacker.spec.is_infantry:
        _add(found, "battle armour", _SQUAD, "S-9")


def _indirect_part(state: State, found: Frame, spotter: UnitState, attacks: bool) -> None:
    """What indirect fire itself adds: one and the spotter's movement, or the flat number of the ruleset. Rule: S-4, M-5."""
    setting = state.ruleset.indirect_penalty
    if setting == "standard":
        _add(found, "indirect fire", _INDIRECT)
        _add(found, f"spotter {_MODE_WORDS.get(spotter.mode, 'moved')}", _SPOTTER_MOVED.get(spotter.mode, 0))
    else:
        _add(found, "indirect fire", int(setting), "M-5")
    if attacks:
        _add(found, "spotter attacks as well", state.ruleset.spotter_attack)


def intervening(found: Frame, seen: Sight, board: Board, there: int, height: int) -> None:
    """Woods and smoke on a line and at its end, as modifiers. ``height``: of the target's top above the surface. S-3, S-4."""
    if seen.light_woods:
        _add(found, "light woods between", seen.light_woods * _BETWEEN_WOODS[1])
    if seen.heavy_woods:
        _add(found, "heavy woods between", seen.heavy_woods * _BETWEEN_WOODS[2])
    if seen.light_smoke:
        _add(found, "light smoke between", seen.light_smoke * _BETWEEN_SMOKE[1])
    if seen.heavy_smoke:
        _add(found, "heavy smoke between", seen.heavy_smoke * _BETWEEN_SMOKE[2])
    record = board.hexes[there]
    if record.woods and height < record.foliage and found.target.spec.kind != "hex":
        woods = 1 if record.woods == 1 else 2
        _add(found, "target in light woods" if woods == 1 else "target in heavy woods", _TARGET_WOODS[woods])
    if record.smoke and height < _SMOKE_HEIGHT:
        smoke = 1 if record.smoke == 1 else 2
        _add(found, "target in light smoke" if smoke == 1 else "target in heavy smoke", _TARGET_SMOKE[smoke])
    if seen.same_building:
        _add(found, "inside the same building", seen.same_building * _SAME_BUILDING)


def _cover_part(state: State, found: Frame, seen: Sight, wading: bool) -> None:
    """Cover and water. Rule: S-4, E-36, E-37."""
    if seen.target_cover:
        found.cover = True
        house = state.ruleset.partial_cover
        _add(found, "partial cover", _COVER[house], RULE if house == "standard" else "E-36")
    if wading:
        found.cover = True
        _add(found, "target stands in water", state.ruleset.water_to_hit, "E-37")
