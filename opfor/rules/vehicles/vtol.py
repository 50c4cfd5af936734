"""VTOLs that come down: dropping a level, landing without an engine, crashing. Rules: E-28, E-29."""

from __future__ import annotations

from opfor.board.board import Hex
from opfor.rules.harm import damage
from opfor.rules.harm.destruction import destroy
from opfor.rules.harm.hit_locations import roll_hit_location
from opfor.rules.pilots.falls import facing_after_fall
from opfor.rules.pilots.piloting import piloting_number
from opfor.rules.play import Play
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import ROTOR
from opfor.units.state import UnitState

RULE = "E-29"


def airborne(state: State, unit: UnitState) -> bool:
    """Whether a unit is a VTOL in flight: above the ground, and above any roof or bridge that it might stand on. Rule: E-26."""
    if unit.spec.kind != "vtol" or unit.elevation <= 0 or unit.cell < 0:
        return False
    return unit.elevation > surface(state.board.hexes[unit.cell], unit.elevation)


def surface(hex: Hex, elevation: int) -> int:
    """Height of what a VTOL over a hex would come down on: a roof or bridge below it, else the ground or water (0)."""
    if hex.building and elevation >= hex.building_height:
        return hex.building_height
    return hex.bridge_height if hex.bridge and elevation >= hex.bridge_height else 0


def obstacle(hex: Hex) -> int:
    """Levels above its surface that a hex's woods or building reach: flight at or below runs into the woods, below a roof into
    the building."""
    return max(hex.foliage if hex.woods else 0, hex.building_height if hex.building else 0)


def can_land(hex: Hex, elevation: int) -> bool:
    """Whether a VTOL without power may set down: on clear, paved or rough ground, a roof or a bridge. Rule: E-29."""
    if surface(hex, elevation):
        return True
    if hex.water >= 0 or hex.building:
        return False
    return hex.paved or not any(getattr(hex, name) for name in table("vehicles")["crash"]["no_landing"])


def forced_down(play: Play, unit: UnitState, why: str, rule: str = RULE) -> None:
    """A VTOL in flight that has lost its engine (or can move no more) lands on a driving roll, or crashes. Rules: E-29, E-28.

    Over anything but clear, paved, rough or building hexes it crashes without a roll.
    """
    hex = play.state.board.hexes[unit.cell]
    if can_land(hex, unit.elevation):
        number = piloting_number(play.state, unit, "landing")
        if play.check(unit, number, f"driving, to land: {why}", rule, reason="landing"):
            unit.elevation = surface(hex, unit.elevation)
            play.emit("landed", unit, rule, to=play.state.board.grid.names[unit.cell], why=why)
            _rest_on(play, unit)
            return
    crash(play, unit, why=why, rule=rule)


def roll_or_drop(play: Play, unit: UnitState) -> None:
    """The pilot is hit: a driving roll, or the VTOL drops one level, onto whatever is there. Rule: E-29."""
    if not airborne(play.state, unit):
        return
    number = piloting_number(play.state, unit, "pilot_hit")
    if play.check(unit, number, "driving, to hold the level", RULE, reason="pilot_hit"):
        return
    hex = play.state.board.hexes[unit.cell]
    below = unit.elevation - 1
    floor = surface(hex, unit.elevation)
    play.emit("dropped", unit, RULE, elevation=below)
    blocked = below < floor or (below and below <= (hex.foliage if hex.woods else 0))
    if blocked or (below == floor and not (floor or hex.paved or not (hex.woods or hex.depth or hex.swamp or hex.rubble))):
        crash(play, unit, why="dropped into the terrain")
        return
    unit.elevation = below
    if below == floor:
        play.emit("landed", unit, RULE, to=play.state.board.grid.names[unit.cell], why="dropped")
        _rest_on(play, unit)


def crash(play: Play, unit: UnitState, *, why: str, levels: int | None = None, rule: str = RULE) -> None:
    """A VTOL falls in its hex: into water it is lost, else it takes damage by its weight and the levels fallen. Rule: E-29.

    ``levels`` stands in for its height above what it falls on. Through trees it falls to the ground. The damage strikes
    in groups, on the side that a fall turns to the ground, never the rotor. What is left lies there and moves no more.
    """
    state = play.state
    hex = state.board.hexes[unit.cell]
    floor = surface(hex, unit.elevation)
    fallen = unit.elevation - floor if levels is None else levels
    where = state.board.grid.names[unit.cell]
    water = not floor and hex.depth > 0
    points = crash_damage(unit.spec.tons, fallen)
    die = play.roll(1, f"{unit.id}: facing after the crash") if not water else None
    side = ""
    if die is not None:
        unit.facing, side = facing_after_fall(unit.facing, die.dice[0])
    unit.elevation = floor
    unit.immobilized = True
    dice = list(die.dice) if die is not None else []
    play.emit(
        "crash", unit, rule, why=why, at=where, levels=fallen, water=water, dice=dice, facing=unit.facing, side=side,
        damage=0 if water else points,
    )  # fmt: skip
    if water:
        destroy(play, unit, "crashed into water", rule)
        return
    group = int(table("hit_locations")["group"])
    while points > 0 and not unit.destroyed:
        hit = roll_hit_location(play, unit, side, "normal", source="crash")
        if hit.location == ROTOR:
            continue
        part = min(group, points)
        points -= part
        damage.apply_damage(play, unit, hit.location, part, critical=hit.critical, rule=rule, source="crash")
    if not unit.destroyed:
        _rest_on(play, unit)


def crash_damage(tons: int, levels: int) -> int:
    """Points of damage of a crash: a tenth of the tonnage, rounded up, for each level fallen and one more. Rule: E-29.

    >>> crash_damage(21, 3), crash_damage(30, 0)
    (12, 3)
    """
    return -(-tons // int(table("vehicles")["crash"]["tons_per_point"])) * (levels + 1)


def destroy_rotor(play: Play, unit: UnitState, why: str, rule: str = RULE) -> None:
    """The rotor is gone: in flight the VTOL crashes; it moves no more. Rule: E-29."""
    unit.structure[ROTOR] = 0
    unit.armor[ROTOR] = 0
    play.emit("location_lost", unit, rule, location=unit.spec.location_name(ROTOR), why=why, lost=[])
    flying = airborne(play.state, unit)
    unit.immobilized = True
    if flying:
        crash(play, unit, why="rotors destroyed", rule=rule)


def _rest_on(play: Play, unit: UnitState) -> None:
    """A VTOL has come to rest: mines, and a roof or bridge that may not bear it. Rules: S-10, E-29."""
    from opfor.rules.moving.entering import entered_hex
    from opfor.rules.terrain.buildings import settle_collapses

    play.state.touch()
    entered_hex(play, unit, landed=True)
    if unit.elevation > 0:
        settle_collapses(play, [unit.cell])
