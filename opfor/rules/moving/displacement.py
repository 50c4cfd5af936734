"""Units forced out of their hex: where they may go, what they meet there, how far they fall. Rule: S-2, S-8.

A unit is displaced by pushes, charges, deaths from above and by other units that come down on it. It may go down any
number of levels (two or more are a fall), up two, and off the map. Where another stands already that one steps aside or
is displaced onward in the same direction (the domino effect), or is fallen upon.
"""

from __future__ import annotations

from typing import Any

from opfor.rules.harm.damage import apply_in_groups
from opfor.rules.harm.destruction import destroy
from opfor.rules.melee.eligible import side_struck
from opfor.rules.melee.figures import FIGURES, rounded
from opfor.rules.melee.physical_modifiers import target_movement, target_terrain
from opfor.rules.moving.entering import entered_hex
from opfor.rules.moving.stacking import in_the_way
from opfor.rules.pilots.falls import fall
from opfor.rules.pilots.piloting import need_roll, piloting_number
from opfor.rules.pilots.piloting_rolls import roll_or_fall
from opfor.rules.play import Play
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.state import State
from opfor.units.state import UnitState

RULE = "S-2"
_ROWS: dict[str, Any] = FIGURES["displacement"]
_ORDER: tuple[int, ...] = tuple(_ROWS["order"])
_MAX_CLIMB: int = _ROWS["max_climb"]
_FALL_FROM: int = _ROWS["fall_from"]
_WATER_REASONS = ("water_1", "water_2", "water_3")


# -- where to ---------------------------------------------------------------------------------------------------------


def landing_elevation(state: State, unit: UnitState, cell: int) -> int:
    """Elevation above a hex's surface at which a unit forced into it comes to stand.

    A roof or a bridge's deck no higher than where it stands now, else the ground or the bottom (or surface) of water.
    """
    hex = state.board.hexes[cell]
    reach = state.base(unit) - hex.level
    tops = [hex.bridge_height] if hex.bridge else []
    if hex.building:
        tops.append(hex.building_height)
    fitting = [top for top in tops if top <= reach]
    return max(fitting) if fitting else 0 if "hover" in unit.spec.motive else -hex.depth


def others_in_the_way(state: State, unit: UnitState, cell: int, elevation: int) -> list[UnitState]:
    """Living units that leave no room where a unit would come to stand: :func:`opfor.rules.moving.stacking.in_the_way`."""
    return in_the_way(state, unit, cell, elevation)


def may_be_displaced(state: State, unit: UnitState, cell: int, direction: int) -> bool:
    """Whether a unit in ``cell`` can be forced one hex in ``direction``, and whoever stands there onward. Rule: S-2."""
    board = state.board
    to = cell + board.grid.step[direction]
    if not board.grid.contains(to):
        return True
    elevation = landing_elevation(state, unit, to)
    here = board.level[cell] + (unit.elevation if cell == unit.cell else -board.depth[cell])
    if board.level[to] + elevation - here > _MAX_CLIMB:
        return False
    return all(may_be_displaced(state, other, to, direction) for other in others_in_the_way(state, unit, to, elevation))


def displaced_to(state: State, unit: UnitState, cell: int, direction: int) -> int | None:
    """The hex that a unit is forced into from ``cell``: straight on, or the nearest direction that is open. Rule: S-2.

    May be a border cell: the unit leaves the map. None when there is no way out.
    """
    for turn in _ORDER:
        towards = (direction + turn) % 6
        if may_be_displaced(state, unit, cell, towards):
            return cell + state.board.grid.step[towards]
    return None


def preferred_hex(state: State, unit: UnitState, cell: int, direction: int) -> int | None:
    """The hex that a unit with a choice moves to out of harm's way: no friend there, the same level, else the highest.

    Leaves the map only when nothing else is open; None when nothing is.
    """
    grid = state.board.grid
    here = state.base(unit)
    best: tuple[bool, bool, int, int] | None = None
    chosen = None
    for rank, turn in enumerate(_ORDER):
        towards = (direction + turn) % 6
        to = cell + grid.step[towards]
        if not grid.contains(to) or not may_be_displaced(state, unit, cell, towards):
            continue
        elevation = landing_elevation(state, unit, to)
        level = state.board.level[to] + elevation
        friend = any(u.side == unit.side for u in others_in_the_way(state, unit, to, elevation))
        key = (friend, level != here, -level, rank)
        if best is None or key < best:
            best, chosen = key, to
    return chosen if chosen is not None else displaced_to(state, unit, cell, direction)


def missed_charge_hexes(state: State, unit: UnitState, cell: int, direction: int) -> tuple[int, ...]:
    """Where a unit whose charge missed may end: ahead to the right or left of its target, the higher of the two. Rule: S-8.

    Two hexes when both are alike; its own hex when neither is open.
    """
    grid = state.board.grid
    open_to = []
    for turn in _ROWS["missed_charge"]:
        towards = (direction + turn) % 6
        to = cell + grid.step[towards]
        if grid.contains(to) and may_be_displaced(state, unit, cell, towards):
            open_to.append((state.board.level[to] + landing_elevation(state, unit, to), to))
    if not open_to:
        return (cell,)
    top = max(open_to)[0]
    return tuple(to for level, to in open_to if level == top)


# -- being moved ------------------------------------------------------------------------------------------------------


def displace(
    play: Play,
    unit: UnitState,
    to: int,
    direction: int,
    *,
    why: str,
    rule: str = RULE,
    reason: str = "",
    elevation: int | None = None,
) -> None:
    """Force a unit into an adjacent hex, with all that follows: the map's edge, a drop, water, whoever stands there.

    ``direction`` is that of the displacement, in which a domino goes on. ``reason`` is the piloting roll due for it at the
    end of the phase; ``elevation`` where in the hex it comes to stand, worked out if not given.
    """
    state = play.state
    grid = state.board.grid
    start = unit.cell
    if not grid.contains(to):
        unit.gone = True
        state.touch()
        play.emit("left_map", unit, rule, why=why, start=grid.names[start])
        return
    if elevation is None:
        elevation = landing_elevation(state, unit, to)
    drop = state.base(unit) - state.board.level[to] - elevation
    if drop >= _FALL_FROM:
        _fall_into(play, unit, to, direction, drop, elevation, why, rule)
        return
    others = others_in_the_way(state, unit, to, elevation)
    _put(play, unit, to, elevation, why, rule)
    if reason and not unit.prone:
        need_roll(unit, reason)
    _entry_rolls(play, unit)
    for other in others:
        _domino(play, other, direction, rule)


def _put(play: Play, unit: UnitState, to: int, elevation: int, why: str, rule: str) -> None:
    state = play.state
    start = unit.cell
    unit.cell = to
    unit.elevation = elevation
    unit.stuck = False
    state.touch()
    names = state.board.grid.names
    play.emit("displaced", unit, rule, why=why, start=names[start], to=names[to], elevation=elevation)


def _entry_rolls(play: Play, unit: UnitState) -> None:
    """What the hex does to who enters it, and the rolls for water or rubble, made at once as in movement. Rule: S-6, S-10."""
    ice = play.state.board.hexes[unit.cell].ice
    entered_hex(play, unit)
    hex = play.state.board.hexes[unit.cell]
    if not unit.alive or not unit.spec.is_mech or ice != hex.ice:
        return
    if unit.elevation < 0:
        depth = -unit.elevation
        roll_or_fall(play, unit, _WATER_REASONS[min(depth, len(_WATER_REASONS)) - 1], levels=depth)
    elif hex.rubble and unit.elevation == 0:
        roll_or_fall(play, unit, "rubble")


def _domino(play: Play, other: UnitState, direction: int, rule: str) -> None:
    """A unit whose hex another has been forced into steps aside with a piloting roll, or is forced onward. Rule: S-2."""
    state = play.state
    if not other.alive:
        return
    play.emit("domino", other, rule, at=state.board.grid.names[other.cell])
    aside = _step_aside(state, other, direction)
    if aside is not None:
        number = piloting_number(state, other, "domino")
        if play.check(other, number, "piloting, to step out of the way", rule, reason="domino"):
            _put(play, other, aside, landing_elevation(state, other, aside), "steps out of the way", rule)
            _entry_rolls(play, other)
            return
    cell = other.cell
    if may_be_displaced(state, other, cell, direction):
        to: int | None = cell + state.board.grid.step[direction]
    else:
        to = displaced_to(state, other, cell, direction)
    if to is None:
        destroy(play, other, "no hex to be displaced into", rule)
        return
    towards = state.board.grid.direction_to(cell, to)
    displace(play, other, to, direction if towards is None else towards, why="domino effect", rule=rule, reason="domino")


def _step_aside(state: State, unit: UnitState, direction: int) -> int | None:
    """The hex that a unit struck from the side may step into, ahead or else behind; None when it cannot.

    A unit struck along its own line, front or back, has nowhere to step but onward.
    """
    if not unit.active or unit.prone or direction in (unit.facing, (unit.facing + 3) % 6):
        return None
    grid = state.board.grid
    for towards, climb in ((unit.facing, int(_ROWS["step_aside_levels"])), ((unit.facing + 3) % 6, 0)):
        to = unit.cell + grid.step[towards]
        if not grid.contains(to):
            continue
        elevation = landing_elevation(state, unit, to)
        difference = state.board.level[to] + elevation - state.base(unit)
        # a drop that would be a fall is no step
        if -min(climb, _FALL_FROM - 1) <= difference <= climb and not others_in_the_way(state, unit, to, elevation):
            return to
    return None


# -- falling into a lower hex -----------------------------------------------------------------------------------------


def fall_onto_number(state: State, below: UnitState) -> TargetNumber:
    """What a unit that falls into a hex needs to strike the unit below. Rule: S-2."""
    if below.immobile:
        return TargetNumber([Modifier("the unit below is immobile", 0, RULE)])
    tn = TargetNumber([Modifier("falling unit", int(_ROWS["fall_onto"]["base"]), RULE)])
    tn.modifiers.extend(target_movement(state, below))
    tn.modifiers.extend(target_terrain(state, below))
    return tn


def _fall_into(play: Play, unit: UnitState, to: int, direction: int, drop: int, elevation: int, why: str, rule: str) -> None:
    """An accidental fall of two levels or more into a hex, upon whoever stands there. Rule: S-2, S-6."""
    state = play.state
    start = unit.cell
    below = others_in_the_way(state, unit, to, elevation)
    if not below:
        _put(play, unit, to, elevation, why, rule)
        _come_down(play, unit, drop, rule, why)
        return
    struck = below[0]
    rows = _ROWS["fall_onto"]
    hit = play.check(unit, fall_onto_number(state, struck), f"falls onto {struck.id}", rule, target=struck.id)
    if hit:
        points = rounded(unit.spec.tons, int(rows["tons_per_point"]), "up")
        side = side_struck(state, start, struck)
        apply_in_groups(play, struck, points, side, rows["hit_table"], int(rows["group"]), rule=rule, source=unit.id)
        _put(play, unit, to, elevation, why, rule)
        _come_down(play, unit, drop, rule, why)
        if struck.alive:
            onward = displaced_to(state, struck, to, direction)
            if onward is None:
                destroy(play, struck, "no hex to be displaced into", rule)
            else:
                _onward(play, struck, onward, direction, "fallen on", rule, "fallen_on")
        return
    # it misses, and comes down in a hex beside
    beside = _beside(state, unit, to, direction)
    if beside is None:
        destroy(play, unit, "no hex to fall into", rule)
    elif not state.board.grid.contains(beside):
        displace(play, unit, beside, direction, why=why, rule=rule)
    else:
        lower = landing_elevation(state, unit, beside)
        levels = max(0, state.base(unit) - state.board.level[beside] - lower)
        others = others_in_the_way(state, unit, beside, lower)
        _put(play, unit, beside, lower, why, rule)
        _come_down(play, unit, levels, rule, why)
        for other in others:
            _domino(play, other, direction, rule)


def _come_down(play: Play, unit: UnitState, levels: int, rule: str, why: str) -> None:
    fall(play, unit, levels=levels, reason="displaced", rule=rule, why=why)
    entered_hex(play, unit, landed=True)


def _onward(play: Play, unit: UnitState, to: int, direction: int, why: str, rule: str, reason: str) -> None:
    towards = play.state.board.grid.direction_to(unit.cell, to)
    displace(play, unit, to, direction if towards is None else towards, why=why, rule=rule, reason=reason)


def _beside(state: State, unit: UnitState, cell: int, direction: int) -> int | None:
    """Where a unit that falls past another comes down: as if displaced from the hex it fell into, its own hex left out."""
    for turn in _ORDER:
        towards = (direction + turn) % 6
        to = cell + state.board.grid.step[towards]
        if to != unit.cell and may_be_displaced(state, unit, cell, towards):
            return to
    return None
