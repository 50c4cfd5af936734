"""The modifiers that every weapon of an attack has in common: movement, posture, heat, terrain between, cover, indirect fire.

Each is a part of a :class:`~opfor.rules.shooting.frame.Frame`, item by item; parts are kept and shared. Rule: S-4, S-7, E-34
to E-37, M-2, M-3, M-5.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TypeAlias

from opfor.board.board import Board, Hex
from opfor.board.sight import Sight
from opfor.own_rules.views import Shot, UnitView
from opfor.rules.own import OwnShots, parts_of
from opfor.rules.pilots.wounds import penalty
from opfor.rules.shooting.frame import RULE, Frame
from opfor.rules.shooting.numbers import SMOKE_HEIGHT, Numbers, numbers_of
from opfor.rules.target_number import Modifier
from opfor.rules.vehicles.crew_conditions import gunnery_modifiers
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState


@cache
def modifier(what: str, value: int, rule: str = RULE) -> Modifier:
    """A modifier, made once and shared."""
    return Modifier(what, value, rule)


_MODE_WORDS = {"walk": "walked", "run": "ran", "jump": "jumped", "evade": "evaded", "sprint": "sprinted"}
_VEHICLE_WORDS = {"walk": "cruised", "run": "flanked", "evade": "evaded", "sprint": "sprinted"}
_DUG_IN = table("infantry")["dug_in"]
_SQUAD = table("infantry")["battle_armor_target"]
_SENSORS = table("to_hit")["sensors"]
_VEHICLE_SENSORS = table("vehicles")["to_hit"]["sensors"]
_THICKNESS = ("light", "heavy")
#: parts worked out that are kept: bounds the memory of long runs
_KEEP = 4096

#: some modifiers and their sum
Part: TypeAlias = tuple[tuple[Modifier, ...], int]


def add(found: Frame, what: str, value: int, rule: str = RULE) -> None:
    """Add a modifier that is not 0."""
    if value:
        found.modifiers.append(modifier(what, value, rule))
        found.common += value


def movement_of(state: State, attacker: UnitState, mode: str) -> tuple[int, str]:
    """What an attacker's own movement adds, and the rule: nothing for infantry; a VTOL's may be a jump. Rule: S-4, E-27."""
    spec = attacker.spec
    numbers = numbers_of(state.ruleset)
    if attacker.skidded:
        return numbers.attacker_skidded, RULE
    if spec.is_infantry:
        return 0, RULE
    if spec.kind == "vtol" and mode in _VEHICLE_WORDS and state.ruleset.vtol_moved_as_jump == "on":
        return numbers.moved["jump"], "E-27"
    return numbers.moved.get(mode, 0), RULE


def _put(found: Frame, part: Part) -> None:
    items, total = part
    if items:
        found.modifiers += items
        found.common += total


def _part(items: list[Modifier]) -> Part:
    kept = tuple([item for item in items if item.value])
    return kept, sum([item.value for item in kept])


def attacker_part(found: Frame, attacker: UnitState, mode: str, prone: bool, moved_rule: str, mental: bool) -> None:
    """Skill, movement, posture, heat and sensors of the attacker. ``mental``: by that number, not gunnery. S-4, S-7, E-35."""
    spec = attacker.spec
    part = _attacker(
        found.numbers,
        spec.kind != "mech" and spec.is_vehicle,
        attacker.mental if mental else attacker.gunnery,
        mental,
        penalty(attacker) if attacker.wounds else 0,
        found.moved,
        "skidded" if attacker.skidded else mode,
        moved_rule,
        prone and not (spec.quad and not attacker.legs_lost),
        attacker.heat,
        attacker.sensor_hits,
        attacker.crew,
        attacker.flight_stabilizer,
    )
    _put(found, part)


@lru_cache(maxsize=_KEEP)
def _attacker(
    numbers: Numbers,
    vehicle: bool,
    skill: int,
    mental: bool,
    wounds: int,
    moved: int,
    mode: str,
    moved_rule: str,
    prone: bool,
    heat: int,
    sensors: int,
    crew: int,
    flight_stabilizer: bool,
) -> Part:
    # the skill stands there even where it is 0
    first = modifier("Mental", skill, "E-35") if mental else modifier("gunnery", skill, "E-9")
    rest = [] if mental else [modifier("wounds", wounds, "E-38")]
    words = mode if mode == "skidded" else (_VEHICLE_WORDS if vehicle else _MODE_WORDS).get(mode, "moved")
    rest.append(modifier(f"attacker {words}", moved, moved_rule))
    if prone:
        rest.append(modifier("attacker prone", numbers.prone["attacker"]))
    if heat > 0:
        rest.append(modifier("heat", numbers.by_heat(heat), "S-7"))
    if sensors and vehicle:
        rest.append(modifier("sensors hit", sensors * _VEHICLE_SENSORS, "E-24a"))
    elif sensors:
        rest.append(modifier("sensors hit", _SENSORS[1]))
    items, total = _part(rest)
    if vehicle and (crew or flight_stabilizer):
        hurt = gunnery_modifiers(crew, flight_stabilizer)
        items, total = (*items, *hurt), total + sum([item.value for item in hurt])
    return (first, *items), first.value + total


def target_part(found: Frame, target: UnitState, mode: str, hexes: int) -> None:
    """How the target moved, and whether it can. Rule: S-4."""
    kind = target.spec.kind
    immobile = target.shutdown or not target.conscious or target.immobilized
    flown = dug_in = squad = False
    if kind != "mech":
        flown = kind == "vtol" and mode in _VEHICLE_WORDS
        dug_in = target.dug_in
        squad = kind == "battle_armor" and not found.attacker.spec.is_infantry
    _put(found, _target(found.numbers, hexes, mode == "jump", target.skidded, immobile, target.stuck, flown, dug_in, squad))


@lru_cache(maxsize=_KEEP)
def _target(
    numbers: Numbers,
    hexes: int,
    jumped: bool,
    skidded: bool,
    immobile: bool,
    stuck: bool,
    flown: bool,
    dug_in: bool,
    squad: bool,
) -> Part:
    found = [modifier(f"target moved {hexes}", numbers.by_hexes(hexes))]
    if jumped:
        found.append(modifier("target jumped", numbers.jumped))
    if skidded:
        found.append(modifier("target skidded", numbers.skidded))
    if immobile:
        found.append(modifier("target immobile", numbers.immobile))
    if stuck:
        found.append(modifier("target stuck", numbers.stuck))
    if flown:
        found.append(modifier("VTOL moved", numbers.vtol_moved, "E-27"))
    if dug_in:
        found.append(modifier("target dug in", _DUG_IN, "S-9"))
    if squad:
        found.append(modifier("battle armour", _SQUAD, "S-9"))
    return _part(found)


def indirect_part(state: State, found: Frame, spotter: UnitState, attacks: bool) -> None:
    """What indirect fire itself adds: one and the spotter's movement, or the flat number of the ruleset. Rule: S-4, M-5."""
    setting = state.ruleset.indirect_penalty
    if setting == "standard":
        numbers = found.numbers
        add(found, "indirect fire", numbers.indirect)
        add(found, f"spotter {_MODE_WORDS.get(spotter.mode, 'moved')}", numbers.spotter_moved.get(spotter.mode, 0))
    else:
        add(found, "indirect fire", int(setting), "M-5")
    if attacks:
        add(found, "spotter attacks as well", state.ruleset.spotter_attack)


def intervening(found: Frame, seen: Sight, board: Board, there: int, height: int) -> None:
    """Woods and smoke on a line and at its end, as modifiers. ``height``: of the target's top above the surface. S-3, S-4."""
    _put(found, terrain_part(found.numbers, seen, board.hexes[there], height, ground=found.target.spec.kind == "hex"))


def terrain_part(numbers: Numbers, seen: Sight, record: Hex, height: int, *, ground: bool) -> Part:
    """What :func:`intervening` adds; ``ground``: the hex itself is the target, so that its woods do not hide it. S-3, S-4."""
    woods = record.woods if record.woods and not ground and height < record.foliage else 0
    return _terrain(numbers, seen, woods, record.smoke if record.smoke and height < SMOKE_HEIGHT else 0)


@lru_cache(maxsize=_KEEP)
def _terrain(numbers: Numbers, seen: Sight, woods: int, smoke: int) -> Part:
    found = [
        modifier("light woods between", seen.light_woods * numbers.woods_between[1]),
        modifier("heavy woods between", seen.heavy_woods * numbers.woods_between[2]),
        modifier("light smoke between", seen.light_smoke * numbers.smoke_between[1]),
        modifier("heavy smoke between", seen.heavy_smoke * numbers.smoke_between[2]),
    ]
    if woods:
        found.append(modifier(f"target in {_THICKNESS[woods > 1]} woods", numbers.target_woods[1 if woods == 1 else 2]))
    if smoke:
        found.append(modifier(f"target in {_THICKNESS[smoke > 1]} smoke", numbers.target_smoke[1 if smoke == 1 else 2]))
    found.append(modifier("inside the same building", seen.same_building * numbers.same_building))
    return _part(found)


def cover_part(state: State, found: Frame, seen: Sight, wading: bool) -> None:
    """Cover and water. Rule: S-4, E-36, E-37."""
    if seen.target_cover:
        found.cover = True
        house = state.ruleset.partial_cover
        add(found, "partial cover", found.numbers.partial_cover[house], RULE if house == "standard" else "E-36")
    if wading:
        found.cover = True
        add(found, "target stands in water", state.ruleset.water_to_hit, "E-37")


def own_part(state: State, found: Frame, attacker: UnitView, target: UnitView) -> None:
    """Add to a frame what own rules add that go by attacker and target alone, and note those that go by the weapon."""
    active = state.ruleset.own_fire
    if active is None:
        return
    shot = Shot(
        "fire", attacker, target, found.distance, "", "", "", "", found.spotter is not None, state.turn, state.phase
    )  # fmt: skip
    for item in parts_of(active.of_units(shot)):
        found.modifiers.append(item)
        found.common += item.value
    if active.weighs_shots:
        found.own = OwnShots(active, shot)
