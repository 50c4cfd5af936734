"""Charges and deaths from above: who may, target numbers, damage to both, what becomes of the two. Rule: S-8.

Both are declared as movement and wait for the physical phase; the attacker stands meanwhile in the last hex before its
target's. To judge one that has not been moved yet, ask with a copy of the attacker put where it would stand
(``cell``, ``elevation``, ``facing``, ``mode``, ``hexes_moved``).
"""

from __future__ import annotations

from opfor.rules.harm.damage import apply_in_groups
from opfor.rules.harm.destruction import destroy
from opfor.rules.melee.eligible import adjacent_direction, why_not_displace, why_not_target
from opfor.rules.melee.figures import RULE, attack_row, rounded
from opfor.rules.melee.physical_modifiers import add_common, base_number, movement_modifier
from opfor.rules.missions.mission_actions import why_no_charge
from opfor.rules.moving.displacement import (
    displace,
    displaced_to,
    may_be_displaced,
    missed_charge_hexes,
    others_in_the_way,
    preferred_hex,
)
from opfor.rules.moving.entering import entered_hex
from opfor.rules.pilots.falls import fall
from opfor.rules.pilots.piloting import need_roll
from opfor.rules.play import Play
from opfor.rules.target_number import TargetNumber
from opfor.rules.vehicles.motive import roll_motive
from opfor.rules.vehicles.vtol import airborne
from opfor.state import State
from opfor.units.state import UnitState


def why_not_declare(state: State, attacker: UnitState, target: UnitState) -> str:
    """Why a charge or death from above at a unit cannot be declared whatever the path, or "". Rule: S-8.

    The target must have moved, or be unable to, and nobody else may push, charge or jump at it.
    """
    if attacker.action_started and (why := why_no_charge(attacker)):
        return why
    if target.side == attacker.side:
        return "the target is on the same side"
    if not target.alive:
        return "the target is out of the battle"
    if not target.moved and target.active:
        return "the target has not moved yet"
    return why_not_displace(state, attacker, target)


def charge_number(state: State, attacker: UnitState, target: UnitState) -> TargetNumber:
    """The target number of a charge from the attacker's hex, or why it cannot be made. Rule: S-8."""
    why = why_not_target(state, attacker, target)
    if not why:
        if attacker.mode == "jump":
            why = "a charge is made walking or running"
        elif target.spec.is_infantry:
            why = "infantry cannot be charged"
        elif attacker.spec.kind == "vtol":
            why = "a VTOL rams nobody"
        elif airborne(state, target):
            why = "the target is in flight"
        elif target.spec.is_vehicle and attacker.spec.is_mech and state.ruleset.charge_at_vehicles != "on":
            why = "a 'Mech charges only 'Mechs"
        elif target.prone and attacker.spec.is_mech:
            why = "the target is prone"
        elif adjacent_direction(state, attacker, target) != attacker.facing:
            why = "the target is not straight ahead"
        elif abs(state.base(attacker) - state.base(target)) > int(attack_row("charge")["max_levels"]):
            why = "the target is too high or too low to charge"
    if why:
        return TargetNumber.impossible(why, RULE)
    tn = base_number(state, attacker, target, "charge")
    add_common(state, tn, attacker, target, movement_modifier(state, attacker, attacker.mode))
    return tn


def dfa_number(state: State, attacker: UnitState, target: UnitState) -> TargetNumber:
    """The target number of a death from above from the last hex of the jump, or why it cannot be made. Rule: S-8."""
    why = why_not_target(state, attacker, target)
    if not why and attacker.mode != "jump":
        why = "a death from above needs a jump"
    if not why and target.spec.kind == "vtol":
        reach = state.base(attacker) + attacker.spec.jump - attacker.jets_lost
        why = "the target flies too high" if state.base(target) > reach else ""
    if why:
        return TargetNumber.impossible(why, RULE)
    tn = base_number(state, attacker, target, "dfa")
    row = attack_row("dfa")
    if target.spec.is_infantry:
        tn.add("infantry", int(row["infantry"]), "S-9")
    add_common(state, tn, attacker, target, int(row["movement"]), terrain=row["terrain"])
    return tn


def charge_damage(attacker: UnitState, target: UnitState) -> tuple[int, int]:
    """Points of damage of a charge that hits: (to the target, to the attacker). Rule: S-8.

    The attacker's tonnage by the hexes it moved before the target's; half, rounded up, deep under water.
    """
    row = attack_row("charge")
    points = rounded(attacker.spec.tons * attacker.hexes_moved, int(row["tons_per_point"]), "up")
    back = rounded(target.spec.tons, int(row["self_tons_per_point"]), "up")
    if attacker.elevation <= -2:
        points, back = -(-points // 2), -(-back // 2)
    return points, back


def dfa_damage(attacker: UnitState) -> tuple[int, int]:
    """Points of damage of a death from above that hits: (to the target, to the attacker). Rule: S-8."""
    row = attack_row("dfa")
    points = rounded(attacker.spec.tons * int(row["times"]), int(row["tons_per_point"]), "up")
    return points, rounded(attacker.spec.tons, int(row["self_tons_per_point"]), "up")


# -- what they do -----------------------------------------------------------------------------------------------------


def charge_hits(play: Play, attacker: UnitState, target: UnitState, side: str, hit_table: str, damage: tuple[int, int]) -> None:
    """A charge that hits: damage to both, the target driven back a hex, the attacker in its place. Rule: S-8."""
    state = play.state
    group = int(attack_row("charge")["group"])
    apply_in_groups(play, target, damage[0], side, hit_table, group, rule=RULE, source=f"{attacker.id} charge")
    apply_in_groups(play, attacker, damage[1], "front", "normal", group, rule=RULE, source=f"charge at {target.id}")
    if attacker.alive:
        roll_motive(play, attacker, "front", why="ramming")
    direction = adjacent_direction(state, attacker, target)
    if direction is None:
        return
    cell, elevation = target.cell, target.elevation
    vacated = True
    if target.alive:
        if may_be_displaced(state, target, cell, direction):
            to = cell + state.board.grid.step[direction]
            displace(play, target, to, direction, why="charged", rule=RULE, reason="charged")
        else:
            vacated = False
            _roll_due(target, "charged")
    if not attacker.alive:
        return
    if vacated:
        displace(play, attacker, cell, direction, why="follows its charge", rule=RULE, elevation=elevation)
    _roll_due(attacker, "made_charge")


def charge_misses(play: Play, attacker: UnitState, direction: int) -> None:
    """A charge that misses: the attacker runs past, ahead to the right or left of its target. Rule: S-8."""
    state = play.state
    cells = missed_charge_hexes(state, attacker, attacker.cell, direction)
    to = cells[0]
    if len(cells) > 1:
        right, left = (state.board.grid.names[cell] for cell in cells)
        roll = play.roll(1, f"{attacker.id}: charge missed, on to {right} (1-3) or {left} (4-6)")
        to = cells[0 if roll.total <= 3 else 1]
    if to != attacker.cell:
        towards = state.board.grid.direction_to(attacker.cell, to)
        displace(play, attacker, to, direction if towards is None else towards, why="charge missed", rule=RULE)


def dfa_hits(play: Play, attacker: UnitState, target: UnitState, side: str, hit_table: str, damage: tuple[int, int]) -> None:
    """A death from above that hits: damage to both, the target thrown out of its hex, the attacker lands in it. Rule: S-8.

    A target that cannot be thrown anywhere is destroyed.
    """
    state = play.state
    group = int(attack_row("dfa")["group"])
    direction = adjacent_direction(state, attacker, target)
    cell, elevation = target.cell, target.elevation
    apply_in_groups(play, target, damage[0], side, hit_table, group, rule=RULE, source=f"{attacker.id} death from above")
    apply_in_groups(play, attacker, damage[1], "front", "kick", group, rule=RULE, source=f"death from above at {target.id}")
    if direction is None:
        return
    if target.alive:
        to = displaced_to(state, target, cell, direction)
        if to is None:
            destroy(play, target, "no hex to be displaced into", RULE)
        else:
            towards = state.board.grid.direction_to(cell, to)
            displace(
                play, target, to, direction if towards is None else towards, why="death from above", rule=RULE, reason="dfa_hit"
            )
    if attacker.alive:
        land(play, attacker, cell, elevation)


def land(play: Play, attacker: UnitState, cell: int, elevation: int) -> None:
    """The attacker comes down on its feet in its target's hex, with a roll to stay on them. Rule: S-8.

    Where other attacks of the phase have put somebody else there it comes down in the hex before it.
    """
    state = play.state
    names = state.board.grid.names
    start = attacker.cell
    if others_in_the_way(state, attacker, cell, elevation):
        cell, elevation = start, attacker.elevation
    attacker.cell = cell
    attacker.elevation = elevation
    state.touch()
    play.emit("landed", attacker, RULE, start=names[start], to=names[cell])
    if cell != start:
        entered_hex(play, attacker, landed=True)
    _roll_due(attacker, "made_dfa")


def dfa_misses(play: Play, attacker: UnitState, target: UnitState) -> None:
    """A death from above that misses: the target moves out of the way, the attacker falls on its back. Rule: S-8.

    Where the target has nowhere to go the attacker falls in the hex before it.
    """
    state = play.state
    direction = adjacent_direction(state, attacker, target)
    cell, elevation = target.cell, target.elevation
    vacated = not target.alive and not others_in_the_way(state, attacker, cell, elevation)
    if target.alive and direction is not None:
        to = preferred_hex(state, target, cell, direction)
        if to is not None:
            towards = state.board.grid.direction_to(cell, to)
            displace(play, target, to, direction if towards is None else towards, why="gets out of the way", rule=RULE)
            vacated = True
    if vacated:
        attacker.cell = cell
        attacker.elevation = elevation
        state.touch()
    row = attack_row("dfa")
    fall(
        play,
        attacker,
        levels=int(row["fall_levels"]),
        reason="missed_dfa",
        rule=RULE,
        why="missed a death from above",
        die=int(row["fall_die"]),
    )
    if vacated:
        entered_hex(play, attacker, landed=True)


def _roll_due(unit: UnitState, reason: str) -> None:
    if unit.alive and not unit.prone and unit.spec.is_mech:
        need_roll(unit, reason)
