"""Sideslips: a hover vehicle or VTOL that flanks, turns and goes on may slide on the way it came from. Rule: E-14.

No damage by itself: it slides at its height, into whatever is there. Afterwards it goes on with the MP that are left.
"""

from __future__ import annotations

from opfor.rules.moving.displacement import displace
from opfor.rules.moving.entering import entered_hex
from opfor.rules.moving.flight import airborne, landing_elevation, lowest_flight
from opfor.rules.moving.skidding import collide, slide
from opfor.rules.moving.stacking import in_the_way, takes_room
from opfor.rules.play import Play
from opfor.rules.vehicles.vtol import crash
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "E-14"


def sideslip_distance(state: State, moved: int, margin: int) -> int:
    """Hexes that a unit sideslips which has moved ``moved`` and failed its roll by ``margin``. Rule: E-14."""
    divisor, less = table("movement")["sideslip"]["limit"][state.ruleset.sideslip_limit]
    return max(0, min(margin, moved // int(divisor) - int(less)))


def sideslip(play: Play, unit: UnitState, direction: int, moved: int, margin: int) -> tuple[int, bool]:
    """The unit slides on in ``direction``. Returns the hexes slid, and whether it ran into something that ends its movement."""
    state = play.state
    hexes = sideslip_distance(state, moved, margin)
    play.emit("sideslip", unit, RULE, at=state.board.grid.names[unit.cell], direction=direction, hexes=hexes, margin=margin)
    flying = unit.spec.kind == "vtol" and airborne(state.board.hexes[unit.cell], unit.elevation)
    for done in range(hexes):
        before = unit.cell
        left = hexes - done - 1
        going = _fly(play, unit, direction, left, done) if flying else slide(play, unit, direction, left, done, rule=RULE)
        if not going or not unit.active or unit.immobilized:
            return done + (unit.cell != before), True
    return hexes, False


def _fly(play: Play, unit: UnitState, direction: int, left: int, slid: int) -> bool:
    """A VTOL slips a hex at its height, ``left`` more to follow; whether it flies on. Rule: E-14, E-29."""
    state = play.state
    grid = state.board.grid
    to = unit.cell + grid.step[direction]
    if not grid.contains(to):
        displace(play, unit, to, direction, why="sideslip", rule=RULE)
        return False
    hex = state.board.hexes[to]
    elevation = state.base(unit) - hex.level
    if elevation <= landing_elevation(hex):
        # a slope or a wall: it comes down before it
        play.emit("sideslip_stopped", unit, RULE, by=hex.describe(), at=grid.names[to])
        crash(play, unit, why="sideslipped into an obstacle", rule=RULE)
        return False
    met = [u for u in state.occupants(to) if u is not unit and takes_room(u) and state.base(u) == state.base(unit)]
    if met and collide(play, unit, met[0], direction, slid, rule=RULE):
        return False
    if left <= 0 and in_the_way(state, unit, to, elevation):
        # missed, but the air there is full: it comes to a stop before it (S-2)
        play.emit("sideslip_stopped", unit, RULE, by="units that leave it no room", at=grid.names[to])
        return False
    unit.cell, unit.elevation = to, elevation
    state.touch()
    play.emit("sideslipped", unit, RULE, to=grid.names[to], elevation=elevation)
    if elevation < lowest_flight(hex):
        crash(play, unit, why="sideslipped into trees", rule=RULE)
        return False
    return entered_hex(play, unit, landed=True)
