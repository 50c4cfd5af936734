"""Skids: who runs or flanks, turns on pavement and loses its footing slides on. Rule: S-6, E-13.

A 'Mech falls first, then slides half the hexes moved (rounded up) in the direction it came from, taking damage in each; a
vehicle takes motive damage instead of falling, and no damage by sliding. A higher hex, a building, water or other terrain that
is closed to a vehicle, a drop, the map's edge or another unit may end the slide.
"""

from __future__ import annotations

from opfor.rules.harm.damage import apply_in_groups
from opfor.rules.melee.blows import physical_hit_table
from opfor.rules.melee.charges import charge_hits
from opfor.rules.melee.eligible import side_struck
from opfor.rules.melee.physical_modifiers import add_common, base_number
from opfor.rules.moving.displacement import displace, displaced_to, landing_elevation
from opfor.rules.moving.entering import entered_hex
from opfor.rules.moving.motions import motion_of
from opfor.rules.moving.stacking import in_the_way, takes_room
from opfor.rules.pilots.falls import fall, fall_damage
from opfor.rules.play import Play
from opfor.rules.terrain.buildings import damage_building
from opfor.rules.vehicles.motive import immobilize, roll_motive
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "S-6"
_ROWS = table("movement")["skid"]


def skid_distance(hexes: int) -> int:
    """Hexes slid after ``hexes`` moved: half, rounded up. Rule: S-6."""
    return -(-hexes // int(_ROWS["distance_divisor"]))


def skid_damage(tons: int, hexes: int) -> int:
    """Damage of sliding ``hexes`` hexes: half a fall of no levels, rounded up, for each. Rule: S-6."""
    return -(-fall_damage(tons, 0).landing // int(_ROWS["damage_divisor"])) * hexes


def skid(play: Play, unit: UnitState, direction: int, hexes: int, extra: int) -> None:
    """The unit, having failed its roll (modified by ``extra``) after ``hexes`` hexes, slides on. Rule: S-6, E-13.

    A 'Mech falls before it, a vehicle rolls for motive damage and keeps the facing it came in.
    """
    state = play.state
    names = state.board.grid.names
    unit.skidded = True
    play.emit("skid", unit, RULE, at=names[unit.cell], direction=direction, hexes=skid_distance(hexes))
    if unit.spec.is_mech:
        fall(play, unit, reason="skid", extra=extra, rule=RULE, why="skid")
    else:
        unit.facing = direction
        roll_motive(play, unit, "front", why="skid")
    slid = 0
    left = skid_distance(hexes)
    while left > 0 and unit.alive:
        left -= 1
        if not slide(play, unit, direction, left, slid):
            break
        slid += 1
    if slid and unit.alive and unit.spec.is_mech:
        points = skid_damage(unit.spec.tons, slid)
        play.emit("skid_damage", unit, RULE, hexes=slid, damage=points)
        apply_in_groups(play, unit, points, "front", "normal", rule=RULE, source="skid")


def slide(play: Play, unit: UnitState, direction: int, left: int, slid: int, rule: str = RULE) -> bool:
    """Slide one hex; ``left`` more would follow. Returns whether the hex was entered and the slide goes on."""
    state = play.state
    grid = state.board.grid
    to = unit.cell + grid.step[direction]
    if not grid.contains(to):
        displace(play, unit, to, direction, why="skid", rule=rule)
        return False
    hex = state.board.hexes[to]
    here = state.base(unit)
    elevation = landing_elevation(state, unit, to)
    level = hex.level + elevation
    if hex.building and elevation < hex.building_height and hex.level + hex.building_height > here:
        _into_building(play, unit, to, slid)
        return False
    if level > here:
        points = -(-unit.spec.tons // int(_ROWS["collision_tons_per_point"]))
        play.emit("skid_stopped", unit, rule, by="higher ground", at=grid.names[to], damage=points)
        apply_in_groups(play, unit, points, "front", "normal", rule=rule, source="skid into higher ground")
        return False
    others = [u for u in state.occupants(to) if u is not unit and u.elevation == elevation and takes_room(u)]
    if others:
        if collide(play, unit, others[0], direction, slid, rule=rule) and not others[0].spec.is_infantry:
            return False
        # missed: it slides through, but not to a stop on top of the other
        crowd = in_the_way(state, unit, to, elevation)
        if left <= 0 and crowd and unit.alive:
            aside = displaced_to(state, unit, to, direction)
            if aside is not None:
                _enter(play, unit, to, elevation, rule)
                towards = grid.direction_to(to, aside)
                displace(play, unit, aside, direction if towards is None else towards, why="skid", rule=rule)
            return False
        if not unit.alive:
            return False
    if not unit.spec.is_mech and _closed(state, unit, to, elevation):
        _into_closed(play, unit, to, elevation, rule)
        return False
    if here - level >= int(_ROWS["fall_levels"]) or (elevation < 0 and unit.spec.is_mech):
        # over an edge, or into water: it comes to rest there
        drop = here - level
        _enter(play, unit, to, elevation, rule)
        if drop >= int(_ROWS["fall_levels"]):
            fall(play, unit, levels=drop, reason="skid", rule=rule, why="skid over an edge")
        return False
    _enter(play, unit, to, elevation, rule)
    return unit.active


def _enter(play: Play, unit: UnitState, to: int, elevation: int, rule: str = RULE) -> None:
    state = play.state
    unit.cell = to
    unit.elevation = elevation
    state.touch()
    play.emit("sideslipped" if rule == "E-14" else "skidded", unit, rule, to=state.board.grid.names[to], elevation=elevation)
    if unit.spec.is_mech:
        return
    entered_hex(play, unit)


def _closed(state: State, unit: UnitState, to: int, elevation: int) -> bool:
    """Whether a vehicle slides into terrain that it may not enter, no road leading there."""
    hex = state.board.hexes[to]
    if hex.paved or elevation > 0:
        return False
    return motion_of(unit.spec).terrain_cost(hex) is None


def _into_closed(play: Play, unit: UnitState, to: int, elevation: int, rule: str) -> None:
    """It runs into terrain that is closed to it: damage, and it is stuck there for good. Rule: E-13."""
    points = -(-unit.spec.tons // int(_ROWS["prohibited_tons_per_point"]))
    name = play.state.board.grid.names[to]
    play.emit("skid_stopped", unit, rule, by=play.state.board.hexes[to].describe(), at=name, damage=points)
    _enter(play, unit, to, elevation, rule)
    if unit.alive:
        apply_in_groups(play, unit, points, "front", "normal", rule=rule, source="skid into closed terrain")
    if unit.alive:
        immobilize(play, unit, "ran into closed terrain", rule)


def _into_building(play: Play, unit: UnitState, to: int, slid: int) -> None:
    """It strikes a building as in a charge, and stops before it. Rule: S-6, S-10."""
    state = play.state
    hex = state.board.hexes[to]
    rules = table("movement")["building_entry"]
    points = -(-hex.building_cf // int(rules["damage_cf_per_point"]))
    loss = -(-unit.spec.tons * max(1, slid) // int(rules["cf_loss_tons_per_point"]))
    play.emit("skid_stopped", unit, RULE, by="building", at=state.board.grid.names[to], damage=points)
    damage_building(play, unit, to, loss)
    apply_in_groups(play, unit, points, "front", "normal", rule=RULE, source="skid into a building")


def collide(play: Play, unit: UnitState, other: UnitState, direction: int, slid: int, rule: str = RULE) -> bool:
    """It slides at another unit: a charge nobody meant. Whether it hits. Rule: S-6, S-8."""
    state = play.state
    tn = base_number(state, unit, other, "charge")
    add_common(state, tn, unit, other, 0)
    tn.add("unintended charge", int(_ROWS["unintended_charge"]), rule)
    if not play.check(unit, tn, f"skids into {other.id}", rule, target=other.id):
        return False
    if other.spec.is_infantry:
        # it is run over, and does not stop the slide
        points = -(-unit.spec.tons // int(_ROWS["infantry_tons_per_point"]))
        apply_in_groups(play, other, points, "front", "normal", rule=rule, source=f"{unit.id} skid")
        return True
    points = -(-unit.spec.tons * slid // int(_ROWS["charge_tons_per_point"]))
    back = -(-other.spec.tons // int(_ROWS["charge_tons_per_point"]))
    side = side_struck(state, unit.cell, other)
    hit_table = physical_hit_table(state, unit, "charge", other)
    facing = unit.facing
    unit.facing = direction
    charge_hits(play, unit, other, side, hit_table, (points, back))
    unit.facing = facing
    return True
