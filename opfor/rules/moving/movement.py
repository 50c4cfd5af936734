"""How many movement points a unit has, and what its condition lets it do with them. Rule: S-2, S-7 (heat), S-9, E-12, E-22.

The cost of steps lives in :mod:`opfor.rules.moving.ground`, the search in :mod:`opfor.rules.moving.reach`, explicit paths in
:mod:`opfor.rules.moving.paths`; all three read the same prebuilt steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from opfor.rules.moving.compiling import compiled_search
from opfor.rules.moving.ground import Ground
from opfor.rules.moving.grounds import ground_for
from opfor.rules.moving.modes import HASTY, RUNNING
from opfor.rules.moving.motions import motion_of
from opfor.rules.moving.reach import Reach, Start
from opfor.rules.moving.search import Rules, rules_of
from opfor.rules.moving.stacking import Taken, occupied_places
from opfor.rules.pilots.piloting import gyro_destroyed, gyro_steps
from opfor.rules.turn.complex_actions import why_no_haste
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

_TABLE = table("movement")
_DAMAGE = _TABLE["damage"]
_MOVES = _TABLE["manoeuvres"]
_NO_JETS_FROM: int = _TABLE["water_jets"]["none_from_depth"]
_LEG_ACTUATORS = ("upper_leg", "lower_leg", "foot")


class Movement(NamedTuple):
    """Movement points of a unit now: walking or cruising, running or flanking, jumping.

    ``run`` no greater than ``walk`` means that it cannot run.
    """

    walk: int
    run: int
    jump: int


def walk_points(unit: UnitState) -> int:
    """Walking MP after damage, before heat. Rule: S-2."""
    spec = unit.spec
    structure, hit = unit.structure, unit.slots_hit
    for leg in unit.legs:
        if structure[leg] <= 0 or hit[leg]:
            break
    else:
        return spec.walk
    lost = unit.legs_lost
    if spec.quad:
        if lost >= 3:
            return 0
        if lost == 2:
            return min(spec.walk, int(_DAMAGE["quad_two_legs_lost_walk"]))
    elif lost:
        return min(spec.walk, int(_DAMAGE["biped_leg_lost_walk"])) if lost == 1 else 0
    hips = 0
    actuators = 0
    for leg in unit.legs:
        if unit.lost(leg):
            continue
        if unit.hit(leg, "hip"):
            hips += 1
        else:
            actuators += sum([1 for kind in _LEG_ACTUATORS if unit.hit(leg, kind)])
    walk = spec.walk
    if hips >= _DAMAGE["hips_for_no_walk"]:
        return 0
    if hips:
        walk = -(-walk // 2)
    return max(0, walk - actuators * int(_DAMAGE["actuator"]) - lost * int(_DAMAGE["quad_leg_lost"]))


def can_run(unit: UnitState) -> bool:
    """Whether the legs allow running at all. Rule: S-2."""
    return unit.legs_lost == 0 or (unit.spec.quad and unit.legs_lost == 1)


def jump_points(state: State, unit: UnitState) -> int:
    """Jumping MP: working jets, those under water not counted. Rule: S-2."""
    spec = unit.spec
    jump = spec.jump - unit.jets_lost
    if jump <= 0:
        return 0
    depth = state.board.depth[unit.cell] if unit.elevation < 0 else 0
    if depth >= _NO_JETS_FROM or (depth and unit.prone):
        return 0
    if depth:
        legs = unit.legs
        for location in legs:
            if unit.lost(location):
                continue
            for index, slot in enumerate(spec.slots[location]):
                if slot.kind == "jump_jet" and not unit.slots_hit[location] >> index & 1:
                    jump -= 1
    return max(0, jump)


def movement_points(state: State, unit: UnitState) -> Movement:
    """MP of a unit after damage, heat and water. Rule: S-2, S-7, S-9, E-16, E-22, E-24.

    A unit that is shut down, without a conscious pilot or crew, carried, destroyed or gone has none.
    """
    if not unit.active or unit.aboard or unit.swarming:
        return Movement(0, 0, 0)
    return _POINTS[unit.spec.kind](state, unit)


def _vehicle_points(state: State, unit: UnitState) -> Movement:
    """Cruise and flank: a stunned crew and a damaged flight stabilizer allow no flanking. Rule: E-16, E-22, E-24, E-29."""
    if unit.immobilized or unit.engine_dead:
        return Movement(0, 0, 0)
    cruise = max(0, unit.spec.walk - unit.cruise_lost)
    over, under = _TABLE["vehicle"]["flank_factor"]
    slow = unit.stunned or unit.flight_stabilizer
    return Movement(cruise, cruise if slow else -(-cruise * over // under), 0)


def _infantry_points(state: State, unit: UnitState) -> Movement:
    """Infantry walks or jumps, and may always walk one hex. Rule: S-9."""
    walk = max(unit.spec.walk, int(_TABLE["infantry_least_mp"]))
    return Movement(walk, walk, unit.spec.jump)


def _mech_points(state: State, unit: UnitState) -> Movement:
    walk = walk_points(unit)
    if walk:
        if unit.heat >= _DAMAGE["tsm_heat"] and unit.has_equipment("tsm") and can_run(unit):
            walk += int(_DAMAGE["tsm_walk"])
        walk = max(0, walk - heat_penalty(unit))
    over, under = _DAMAGE["run_factor"]
    # MASC and supercharger would raise this factor for a turn in which they are switched on; no order does so yet
    run = -(-walk * over // under) if can_run(unit) else walk
    return Movement(walk, run, jump_points(state, unit))


_POINTS: dict[str, Callable[[State, UnitState], Movement]] = {
    "mech": _mech_points,
    "vehicle": _vehicle_points,
    "vtol": _vehicle_points,
    "infantry": _infantry_points,
    "battle_armor": _infantry_points,
}


def pavement_bonus(state: State, unit: UnitState, ground: Ground) -> int:
    """MP more for a vehicle that begins on road or pavement, while it keeps to it. Rule: E-12."""
    rows = _TABLE["vehicle"]
    if unit.spec.kind != "vehicle" or unit.spec.motive not in rows["pavement_motives"][state.ruleset.pavement_bonus]:
        return 0
    # after a sideslip nobody knows any more where the movement began
    if unit.mp_spent or not ground.paved[ground.place(unit.cell, unit.elevation)]:
        return 0
    return int(rows["pavement_bonus"])


def heat_penalty(unit: UnitState) -> int:
    """MP lost to heat. Rule: S-7."""
    heat = unit.heat
    if heat <= 0:
        return 0
    return next((int(mp) for least, mp in reversed(table("heat")["mp"]) if heat >= least), 0)


def why_no_standing(unit: UnitState) -> str:
    """Why a prone unit cannot try to stand up, empty when it can (MP left aside). Rule: S-6."""
    if gyro_destroyed(unit):
        return "its gyro is destroyed"
    lost = unit.legs_lost
    if unit.spec.quad:
        return "it has fewer than two legs left" if lost >= 3 else ""
    if lost >= 2:
        return "it has no leg left"
    if lost and unit.lost(4) and unit.lost(5):
        return "it has lost a leg and both arms"
    return ""


def stands_without_roll(unit: UnitState) -> bool:
    """Whether standing up is automatic: a quad with all its legs. Rule: S-6."""
    return unit.spec.quad and unit.legs_lost == 0


def stand_cost(points: Movement) -> int:
    """MP of one attempt to stand up. Rule: S-2."""
    return int(_MOVES["stand_up_with_run_mp_1"] if max(points.walk, points.run) == 1 else _MOVES["stand_up"])


def leg_damage(unit: UnitState) -> bool:
    """Whether a jump's landing calls for a roll: damaged gyro, hip, leg or foot, or a lost leg. Rule: S-6."""
    if not unit.spec.is_mech:
        return False
    if gyro_steps(unit):
        return True
    legs = unit.legs
    return any(unit.lost(leg) or unit.hit(leg, "hip") or any(unit.hit(leg, kind) for kind in _LEG_ACTUATORS) for leg in legs)


def hip_or_gyro_damage(unit: UnitState) -> bool:
    """Whether running calls for a roll: damaged gyro or hip. Rule: S-6."""
    if not unit.spec.is_mech:
        return False
    if gyro_steps(unit):
        return True
    return any(unit.hit(leg, "hip") for leg in unit.legs if not unit.lost(leg))


def mode_points(points: Movement, mode: str) -> int:
    """MP of a mode on the ground: a sprint has twice walking, evading moves as running. Rule: S-2, M-2, M-3."""
    if mode == "walk":
        return points.walk
    return points.walk * int(_MOVES["sprint_factor"]) if mode == "sprint" else points.run


def has_moved(unit: UnitState) -> bool:
    """Whether a unit has done its movement: one that stood still and holds an opportunity action has it left. Rule: M-9f."""
    return unit.moved and not (unit.opportunity and unit.mode == "stand" and not unit.mp_spent)


def ground_limit(state: State, unit: UnitState, mode: str, points: Movement | None = None) -> int:
    """MP that a unit has left for a mode on the ground (walk, run, evade, sprint), -1 where it cannot use that mode.

    A unit that has tried to stand up, or has sideslipped, has spent MP and keeps the mode it declared.
    """
    if not unit.active or has_moved(unit):
        return -1
    points = points or movement_points(state, unit)
    if unit.mp_spent and unit.mode != mode:
        return -1
    total = mode_points(points, mode)
    if total <= 0 or (mode in RUNNING and points.run <= points.walk):
        return -1
    if mode in HASTY and why_no_haste(state, unit, mode):
        return -1
    return total - unit.mp_spent


def start_of(ground: Ground, unit: UnitState, points: Movement) -> Start:
    """Where a unit's search starts, and what standing up costs it."""
    stance = ground.place(unit.cell, unit.elevation) * 6 + unit.facing
    if not unit.prone:
        hexes = unit.hexes_moved if unit.mp_spent else 0
        return Start(stance, drops=unit.spec.is_mech, hexes=hexes)
    return Start(stance, True, -1 if why_no_standing(unit) else stand_cost(points), ("UP",))


def ground_reach(
    state: State,
    unit: UnitState,
    mode: str,
    points: Movement | None = None,
    taken: Taken | None = None,
    ground: Ground | None = None,
) -> Reach | None:
    """All ends of walking or running (``walk``, ``run``; ``forward``: walking without backward steps), or None. Rule: S-2.

    ``points``, ``taken`` (places that others hold) and ``ground`` are worked out where they are not given.
    """
    points = points or movement_points(state, unit)
    limit = ground_limit(state, unit, "walk" if mode == "forward" else mode, points)
    if limit < 0:
        return None
    ground = ground or ground_for(state.board, unit.spec, state.ruleset)
    closed, full, held = taken or occupied_places(state, unit, ground)
    rules = rules_of(mode, unit.spec.quad, state.ruleset.backward_level_change == "on", ground.motion)
    compiled = compiled_search()
    kind: type[Reach] = Reach if compiled is None or rules.free or ground.motion.name == "vtol" else compiled.QuickReach
    return kind(
        ground,
        start_of(ground, unit, points),
        mode,
        limit,
        rules,
        closed,
        full,
        minimum_move(unit, mode, points),
        held,
        pavement_bonus(state, unit, ground),
    )


def search_rules(state: State, unit: UnitState, mode: str) -> Rules:
    """The stepping rules of a unit in a mode."""
    return rules_of(mode, unit.spec.quad, state.ruleset.backward_level_change == "on", motion_of(unit.spec))


def minimum_move(unit: UnitState, mode: str, points: Movement) -> int:
    """Walking MP if the minimum move belongs to this mode (running, or walking for those who cannot run), else 0. Rule: S-2."""
    if unit.mp_spent or unit.prone or points.walk < 1 or mode == "forward" or mode in HASTY:
        return 0
    return points.walk if (mode == "run") == (points.run > points.walk) else 0
