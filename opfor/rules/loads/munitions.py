"""What special missiles do to what they strike, by the kind of the target. Rules: E-32, E-33, E-33a.

:func:`strike` stands in for points of damage; where a load changes only the points, :func:`points_by_load` gives them.
Swarm missiles (:mod:`opfor.rules.loads.swarm`) choose their targets otherwise and then hit like plain ones; thunder missiles
(:mod:`opfor.rules.loads.thunder`) lay mines.
"""

from __future__ import annotations

from opfor.rules.harm.hit_locations import roll_hit_location
from opfor.rules.loads import inferno
from opfor.rules.play import Play
from opfor.rules.shooting.shot import Shot
from opfor.rules.terrain.buildings import damage_building, share_inside
from opfor.rules.terrain.hex_fire import by_accident
from opfor.rules.terrain.woods import damage_woods
from opfor.rules.troops.battle_armor import apply_damage as damage_suit
from opfor.rules.troops.infantry import in_the_open
from opfor.rules.troops.infantry_damage import is_mechanized, lose_troopers, losses
from opfor.rules.vehicles import motive, vehicle_criticals
from opfor.state import State
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.munition_loads import FRAGMENTATION, INCENDIARY, INFERNO
from opfor.units.spec import ROTOR
from opfor.units.state import UnitState

# -- fragmentation ----------------------------------------------------------------------------------------------------


def fragments(points: int, kind: str) -> int:
    """Points of fragmentation missiles against a kind of target: platoons suffer double, all else half. Rule: E-32.

    >>> fragments(7, "infantry"), fragments(7, "mech"), fragments(1, "hex")
    (14, 3, 0)
    """
    row = table("munitions")["fragmentation"]
    return int(points * row["infantry" if kind == "infantry" else "others"])


def points_by_load(state: State, mode: FireMode, target: UnitState, parts: list[int]) -> list[int]:
    """Points by hit location roll as a load changes them for a target; as they are for most. Rule: E-32.

    ``parts`` are those of the plain missiles. By the printed rule fragments do nothing to what has armour.
    """
    if mode.munition != FRAGMENTATION:
        return parts
    kind = target.spec.kind
    if state.ruleset.fragmentation == "standard":
        return parts if kind == "infantry" else []
    if kind == "infantry":
        return [fragments(points, kind) for points in parts]
    total, group = fragments(sum(parts), kind), max(1, mode.group)
    return [group] * (total // group) + ([total % group] if total % group else [])


def _shred(play: Play, shot: Shot, points: int) -> None:
    """By the printed rule every point of fragments costs a platoon a trooper, whatever a missile else does to it. E-32."""
    target = shot.target
    open_ground = in_the_open(play.state, target)
    lost = losses("infantry", points, mechanized=is_mechanized(target), open_ground=open_ground)
    lost = share_inside(play.state, shot.attacker, target, lost)
    source = f"{shot.attacker.id} {shot.mount.name}"
    lose_troopers(play, target, lost, source=source, by="fragmentation", open_ground=open_ground, rule="E-32")


# -- what strikes -----------------------------------------------------------------------------------------------------


def strike(play: Play, shot: Shot, hits: int, each: int) -> bool:
    """What missiles of a load do in place of damage; False where they do damage, see :func:`points_by_load`.

    ``hits`` missiles strike, of ``each`` points as plain ones. Rules: E-32, E-33.
    """
    state, munition, target = play.state, shot.mode.munition, shot.target
    if target.destroyed:
        return munition in (INFERNO, INCENDIARY)
    if munition == INFERNO:
        _report(play, shot, "E-33", hits)
        _burn(play, shot, hits, "E-33")
        return True
    if munition == INCENDIARY and state.ruleset.incendiary == "house":
        _report(play, shot, "E-32", hits)
        row = table("munitions")["incendiary"]
        points = hits * each
        if target.spec.is_mech:
            heat = points // int(row["points_per_heat"])
            inferno.heat_mech(play, target, heat, by=shot.attacker.id, weapon=shot.mount.name, rule="E-32")
        else:
            _burn(play, shot, points // int(row["points_per_inferno"]), "E-32")
        return True
    if munition == FRAGMENTATION and state.ruleset.fragmentation == "standard" and target.spec.kind == "infantry":
        _report(play, shot, "E-32", hits)
        _shred(play, shot, hits * each)
        return True
    if munition == FRAGMENTATION:
        _report(play, shot, "E-32", hits)
    return False


def _report(play: Play, shot: Shot, rule: str, hits: int) -> None:
    load = table("munitions")["munitions"][shot.mode.munition]["words"]
    play.emit(
        "munition", shot.target, rule, by=shot.attacker.id, weapon=shot.mount.name, munition=shot.mode.munition, load=load,
        missiles=hits,
    )  # fmt: skip


def _burn(play: Play, shot: Shot, missiles: int, rule: str) -> None:
    if missiles <= 0:
        return
    if shot.target.spec.kind == "hex":
        _burn_hex(play, shot, missiles, rule)
    else:
        burn(play, shot.target, missiles, attacker=shot.attacker, weapon=shot.mount.name, side=shot.frame.side, rule=rule)


def burn(
    play: Play, target: UnitState, missiles: int, *, attacker: UnitState, weapon: str, side: str, rule: str = "E-33"
) -> None:
    """Inferno missiles strike a unit: heat, troopers, suits, or critical rolls, never armour. Rule: E-33."""
    row = table("munitions")["inferno"]
    source = f"{attacker.id} {weapon}"
    kind = target.spec.kind
    if kind == "mech":
        inferno.heat_mech(play, target, missiles * int(row["heat"]), by=attacker.id, weapon=weapon, rule=rule)
    elif kind == "infantry":
        lost = share_inside(play.state, attacker, target, missiles * int(row["troopers"]))
        lose_troopers(play, target, lost, source=source, by="inferno", rule=rule)
    elif kind == "battle_armor":
        for _ in range(missiles // int(row["missiles_per_suit"])):
            if target.alive:
                suit = roll_hit_location(play, target, side, "normal", source=source).location
                damage_suit(play, target, suit, target.armor[suit] + target.structure[suit], rule=rule, source=source)
    else:
        for _ in range(missiles):
            if target.alive:
                _burn_vehicle(play, target, side, source)


def _burn_vehicle(play: Play, target: UnitState, side: str, source: str) -> None:
    """One missile: where it strikes, with motive damage and criticals of that result, and a critical roll of its own. E-33."""
    hit = roll_hit_location(play, target, side, "normal", source=source)
    location = hit.location
    if hit.critical:
        vehicle_criticals.roll_critical(play, target, location, why="through armour")
    modifier = int(table("munitions")["inferno"]["vehicle_critical"])
    if not target.destroyed:
        vehicle_criticals.roll_critical(play, target, location, modifier=modifier, why="inferno")
    rotor = location == ROTOR and target.spec.kind == "vtol"
    if hit.motive and not target.destroyed and not (rotor and play.state.ruleset.vtol_motive_roll != "on"):
        motive.roll_motive(play, target, hit.motive, why="inferno")


def _burn_hex(play: Play, shot: Shot, missiles: int, rule: str) -> None:
    """Inferno missiles strike a hex: its building or bridge, with a chance for each to reach who is in it; its woods. E-33."""
    state, unit, cell = play.state, shot.attacker, shot.target.cell
    each = table("fire")["inferno_missile"]
    hex = state.board.hexes[cell]
    if hex.building or hex.bridge:
        if hex.building:
            _through_building(play, shot, missiles, rule)
        damage_building(play, unit, cell, missiles * int(each["building"]), hold=True)
    elif hex.woods:
        damage_woods(play, unit, cell, missiles * int(each["woods"]), source=f"{unit.id} {shot.mount.name}")
    by_accident(play, shot)


def _through_building(play: Play, shot: Shot, missiles: int, rule: str) -> None:
    """Every unit in the building's hex, on whatever level, may be reached by every missile: 5 or 6 on a die. Rule: E-33."""
    least = int(table("munitions")["inferno"]["in_building"])
    name = play.state.board.grid.names[shot.target.cell]
    for unit in list(play.state.occupants(shot.target.cell)):
        dice = play.roll(missiles, f"{unit.id} in {name}: infernos that reach it, each on {least} or more").dice
        reached = sum(die >= least for die in dice)
        play.emit("inferno_reaches", unit, rule, at=name, by=shot.attacker.id, dice=list(dice), missiles=reached)
        if reached:
            burn(play, unit, reached, attacker=shot.attacker, weapon=shot.mount.name, side=shot.frame.side, rule=rule)
