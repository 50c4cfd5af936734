"""Skids: a 'Mech that runs, turns on pavement and loses its footing slides on. Rule: S-6, E-13.

It falls first, then slides half the hexes moved (rounded up) in the direction it came from, taking damage in each; a higher
hex, a building, water, a drop, the map's edge or another unit may end the slide.
"""

from __future__ import annotations

from opfor.rules.buildings import collapse, damage_building
from opfor.rules.charges import charge_hits
from opfor.rules.damage import apply_in_groups
from opfor.rules.displacement import displace, displaced_to, landing_elevation, others_in_the_way
from opfor.rules.falls import fall, fall_damage
from opfor.rules.physical import add_common, base_number, physical_hit_table, side_struck
from opfor.rules.play import Play
from opfor.tables import table
from opfor.units.state import UnitState

__all__ = ["collapse", "damage_building", "skid", "skid_damage", "skid_distance"]

RULE = "S-6"
_ROWS = table("movement")["skid"]


def skid_distance(hexes: int) -> int:
    """Hexes slid after ``hexes`` moved: half, rounded up. Rule: S-6."""
    return -(-hexes // int(_ROWS["distance_divisor"]))


def skid_damage(tons: int, hexes: int) -> int:
    """Damage of sliding ``hexes`` hexes: half a fall of no levels, rounded up, for each. Rule: S-6."""
    return -(-fall_damage(tons, 0).landing // int(_ROWS["damage_divisor"])) * hexes


def skid(play: Play, unit: UnitState, direction: int, hexes: int, extra: int) -> None:
    """The unit, having failed its roll (modified by ``extra``) after ``hexes`` hexes, falls and slides on. Rule: S-6."""
    state = play.state
    names = state.board.grid.names
    unit.skidded = True
    play.emit("skid", unit, RULE, at=names[unit.cell], direction=direction, hexes=skid_distance(hexes))
    fall(play, unit, reason="skid", extra=extra, rule=RULE, why="skid")
    slid = 0
    left = skid_distance(hexes)
    while left > 0 and unit.alive:
        left -= 1
        if not _slide(play, unit, direction, left, slid):
            break
        slid += 1
    if slid and unit.alive:
        points = skid_damage(unit.spec.tons, slid)
        play.emit("skid_damage", unit, RULE, hexes=slid, damage=points)
        apply_in_groups(play, unit, points, "front", "normal", rule=RULE, source="skid")


def _slide(play: Play, unit: UnitState, direction: int, left: int, slid: int) -> bool:
    """Slide one hex; ``left`` more would follow. Returns whether the hex was entered and the slide goes on."""
    state = play.state
    grid = state.board.grid
    to = unit.cell + grid.step[direction]
    if not grid.contains(to):
        displace(play, unit, to, direction, why="skid", rule=RULE)
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
        play.emit("skid_stopped", unit, RULE, by="higher ground", at=grid.names[to], damage=points)
        apply_in_groups(play, unit, points, "front", "normal", rule=RULE, source="skid into higher ground")
        return False
    others = others_in_the_way(state, unit, to, elevation)
    if others:
        if _collide(play, unit, others[0], direction, slid):
            return False
        # missed: it slides through, but not to a stop on top of the other
        if left <= 0:
            aside = displaced_to(state, unit, to, direction)
            if aside is not None:
                _enter(play, unit, to, elevation)
                towards = grid.direction_to(to, aside)
                displace(play, unit, aside, direction if towards is None else towards, why="skid", rule=RULE)
            return False
    if here - level >= int(_ROWS["fall_levels"]) or elevation < 0:
        # over an edge, or into water: it comes to rest there
        drop = here - level
        _enter(play, unit, to, elevation)
        if drop >= int(_ROWS["fall_levels"]):
            fall(play, unit, levels=drop, reason="skid", rule=RULE, why="skid over an edge")
        return False
    _enter(play, unit, to, elevation)
    return True


def _enter(play: Play, unit: UnitState, to: int, elevation: int) -> None:
    state = play.state
    unit.cell = to
    unit.elevation = elevation
    state.touch()
    play.emit("skidded", unit, RULE, to=state.board.grid.names[to], elevation=elevation)


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


def _collide(play: Play, unit: UnitState, other: UnitState, direction: int, slid: int) -> bool:
    """It slides at another unit: a charge nobody meant. Whether it hits. Rule: S-6, S-8."""
    state = play.state
    tn = base_number(state, unit, other, "charge")
    add_common(state, tn, unit, other, 0)
    tn.add("unintended charge", int(_ROWS["unintended_charge"]), RULE)
    if not play.check(unit, tn, f"skids into {other.id}", RULE, target=other.id):
        return False
    points = -(-unit.spec.tons * slid // int(_ROWS["charge_tons_per_point"]))
    back = -(-other.spec.tons // int(_ROWS["charge_tons_per_point"]))
    side = side_struck(state, unit.cell, other)
    hit_table = physical_hit_table(state, unit, "charge", other)
    facing = unit.facing
    unit.facing = direction
    charge_hits(play, unit, other, side, hit_table, (points, back))
    unit.facing = facing
    return True
