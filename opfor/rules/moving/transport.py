"""Infantry carried by vehicles: getting in and out, going along, what becomes of it when the carrier is lost. Rule: S-9.

Getting in or out takes a unit's whole movement. Whoever is aboard is in the carrier's hex, is no target and takes no room.
"""

from __future__ import annotations

from opfor.rules.harm.destruction import destroy
from opfor.rules.moving.flight import airborne
from opfor.rules.moving.grounds import ground_for
from opfor.rules.moving.stacking import burning_places, may_end
from opfor.rules.play import Play
from opfor.state import State
from opfor.units.state import UnitState

RULE = "S-9"


def aboard(state: State, carrier: UnitState) -> list[UnitState]:
    """The living units that a unit carries."""
    return [u for u in state.units if u.aboard == carrier.id and u.alive]


def room_left(state: State, carrier: UnitState) -> float:
    """Tons of room for infantry that a carrier has left."""
    return carrier.spec.troop_space - sum(weight(u) for u in aboard(state, carrier))


def weight(unit: UnitState) -> float:
    """Tons that an infantry unit takes in a carrier."""
    return unit.spec.tons


def on_ground(state: State, carrier: UnitState) -> bool:
    """Whether a carrier stands where infantry can get in and out."""
    return carrier.spec.kind != "vtol" or not airborne(state.board.hexes[carrier.cell], carrier.elevation)


def may_mount(state: State, unit: UnitState, carrier: UnitState) -> str:
    """Why a unit cannot get into a carrier now, or "". Rule: S-9.

    The carrier stands in its hex or in one that it could step into, has room, and its crew is there to open the doors.
    """
    if not unit.spec.is_infantry:
        return "only infantry rides in a carrier"
    if unit.aboard or unit.swarming:
        return "it is aboard or clings to a unit already"
    if unit.moved or unit.mp_spent or not unit.active:
        return "it has moved this turn, or cannot"
    if carrier is unit or carrier.side != unit.side or not carrier.spec.troop_space:
        return f"{carrier.id} carries no infantry of its side"
    if not carrier.alive or not carrier.conscious or carrier.cell < 0:
        return f"{carrier.id} is out of action"
    if room_left(state, carrier) < weight(unit):
        return f"{carrier.id} has {room_left(state, carrier):g} tons of room left and it needs {weight(unit):g}"
    if not on_ground(state, carrier):
        return f"{carrier.id} flies"
    ground = ground_for(state.board, unit.spec, state.ruleset)
    here = ground.place(unit.cell, unit.elevation)
    there = ground.place(carrier.cell, carrier.elevation)
    if here == there:
        return ""
    direction = state.board.grid.direction_to(unit.cell, carrier.cell)
    if direction is None or state.board.grid.distance(unit.cell, carrier.cell) != 1:
        return f"{carrier.id} is not in its hex or beside it"
    if all(step[0] != there for step in ground.steps(here, direction)):
        return f"it cannot get to {carrier.id} from where it stands"
    return ""


def exits_from(state: State, unit: UnitState) -> list[int]:
    """The places of the unit's ground where it can get out of its carrier: the carrier's hex and those around. Rule: S-9."""
    if not unit.aboard or unit.moved or not unit.active:
        return []
    carrier = state.unit(unit.aboard)
    if carrier.cell < 0 or not on_ground(state, carrier):
        return []
    ground = ground_for(state.board, unit.spec, state.ruleset)
    here = ground.place(carrier.cell, carrier.elevation)
    found = []
    hex = state.board.hexes[carrier.cell]
    level = ground.level[here]
    # a hover vehicle on water: nobody gets out there
    stands = here & 1 or hex.paved or ground.motion.terrain_cost(hex) is not None
    if stands and level is not None and level == state.base(carrier):
        found.append(here)
    found += [step[0] for direction in range(6) for step in ground.steps(here, direction)]
    burning = burning_places(state, unit, ground)
    return [place for place in found if place not in burning and may_end(state, unit, ground, place)]


def mount(play: Play, unit: UnitState, carrier: UnitState) -> None:
    """The unit gets in. Rule: S-9."""
    unit.aboard = carrier.id
    unit.cell, unit.elevation = carrier.cell, carrier.elevation
    play.state.touch()
    play.emit("mounted", unit, RULE, carrier=carrier.id, at=play.state.board.grid.names[unit.cell])


def dismount(play: Play, unit: UnitState, cell: int, elevation: int) -> None:
    """The unit gets out. Rule: S-9."""
    carrier, unit.aboard = unit.aboard, ""
    unit.cell, unit.elevation = cell, elevation
    play.state.touch()
    play.emit("dismounted", unit, RULE, carrier=carrier, at=play.state.board.grid.names[cell])


def carry_along(state: State, carrier: UnitState) -> None:
    """Whoever is aboard, or clings to the unit, is where it is; gone with it when it leaves the map. Rule: S-9."""
    state.touch()
    if carrier.gone:
        for unit in aboard(state, carrier):
            unit.gone = True


def carrier_lost(play: Play, carrier: UnitState, *, survivable: bool = True) -> None:
    """The carrier is destroyed: who is aboard dies with it, or gets out where there is room. Rule: S-9.

    ``survivable``: not in an explosion, a crash or deep water.
    """
    state = play.state
    for unit in aboard(state, carrier):
        unit.aboard = ""
        unit.cell, unit.elevation = carrier.cell, carrier.elevation
        state.touch()
        ground = ground_for(state.board, unit.spec, state.ruleset)
        place = ground.place(carrier.cell, carrier.elevation)
        hex = state.board.hexes[carrier.cell]
        stands = place & 1 or hex.paved or ground.motion.terrain_cost(hex) is not None
        if not survivable or not stands or ground.level[place] != state.base(carrier):
            destroy(play, unit, f"lost with {carrier.id}", RULE)
            continue
        play.emit("bailed_out", unit, RULE, carrier=carrier.id, at=state.board.grid.names[unit.cell])
        if not may_end(state, unit, ground, place):
            out = [step[0] for direction in range(6) for step in ground.steps(place, direction)]
            free = next((to for to in out if may_end(state, unit, ground, to)), None)
            if free is not None:
                unit.cell, unit.elevation = ground.cell(free), ground.elevation[free]
                state.touch()
