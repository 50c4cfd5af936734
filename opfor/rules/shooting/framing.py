"""All that a weapon attack depends on but the weapon: gathered once for an attacker and a target. Rule: S-4.

Positions may be supposed: ``frame(state, a, t, cell=..., mode="run")`` answers how the attack would stand from there.
"""

from __future__ import annotations

from opfor.board.board import Board
from opfor.board.sight import Sight, sight
from opfor.hex import bearing12
from opfor.rules.missions.engaged import bars_shooting
from opfor.rules.moving.modes import HASTY
from opfor.rules.own import supposed_view
from opfor.rules.shooting.arcs import side_struck
from opfor.rules.shooting.common_modifiers import (
    add,
    attacker_part,
    cover_part,
    indirect_part,
    intervening,
    movement_of,
    own_part,
    target_part,
)
from opfor.rules.shooting.counter_fire import counter_modifiers, run_of, shown_side
from opfor.rules.shooting.electronics import c3_distance
from opfor.rules.shooting.frame import RULE, Frame
from opfor.rules.shooting.numbers import numbers_of
from opfor.rules.turn.complex_actions import haste_modifier
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import ARMS
from opfor.units.state import UnitState

_RULES = table("to_hit")
_PRONE = _RULES["prone"]
#: sensor hits with which nothing can be fired
_BLIND = {"mech": len(_RULES["sensors"])} | dict.fromkeys(("vehicle", "vtol"), table("vehicles")["criticals"]["sensors_blind"])


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
    numbers = numbers_of(state.ruleset)
    found = Frame(attacker, target, numbers)
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

    gate(state, found, spotter, area)
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
        found.moved, moved_rule = numbers.moved.get(mode, 0), RULE
    else:
        found.moved, moved_rule = movement_of(state, attacker, mode)
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
    attacker_part(found, attacker, mode, prone, moved_rule, placed)
    if attacker.spotting and state.ruleset.indirect_fire != "campaign":
        add(found, "spotting for others", state.ruleset.spotter_attack)
    if t_mode is None:
        t_mode = target.mode
    run = run_of(state, attacker, target, t_mode) if state.shells and t_spec.kind == "vtol" else None
    if run is not None:
        found.bombing = True
        facing_shown = target.facing if t_facing is None else t_facing
        found.side = shown_side(board, run, here, target, back, facing_shown)
        for item in counter_modifiers(board, run, here, t_elevation):
            add(found, item.what, item.value, item.rule)
        target_part(found, target, "", 0)
    else:
        target_part(found, target, t_mode, target.hexes_moved if t_hexes is None else t_hexes)
    if t_mode in HASTY and (hasty := haste_modifier(state, target, t_mode)) is not None:
        add(found, hasty.what, hasty.value, hasty.rule)
    if t_prone:
        if distance <= 1:
            add(found, "prone target, adjacent", numbers.prone["adjacent"])
        else:
            add(found, "prone target", numbers.prone["far"])
    if not placed:
        intervening(found, seen, board, there, t_top - t_level)
    cover_part(state, found, seen, wading)
    if spotter is not None:
        indirect_part(state, found, spotter, spotter_attacks and not placed)
    elif a_spec.equipment:
        found.c3 = c3_distance(state, attacker, here, there, t_base, t_top)
    if state.ruleset.own_fire is not None:
        moved = attacker.hexes_moved if hexes is None else hexes
        t_moved = target.hexes_moved if t_hexes is None else t_hexes
        shooter = supposed_view(state, attacker, here, elevation, mode, moved, prone)
        own_part(state, found, shooter, supposed_view(state, target, there, t_elevation, t_mode, t_moved, t_prone))
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


def gate(state: State, found: Frame, spotter: UnitState | None, area: bool = False) -> None:
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
