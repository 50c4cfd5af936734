"""What completing a mission action does: markers, buildings, points, hidden units, keywords. Rule: A-5, A-6.

An effect that cannot be placed when its time comes does nothing, and says so.
"""

from __future__ import annotations

from opfor.missions import Effect, Marker, MissionAction, Start, Zone
from opfor.rules.play import Play
from opfor.rules.terrain.buildings import collapse
from opfor.state import State
from opfor.units.state import UnitState

RULE = "A-5"


def places(state: State, unit: UnitState, effect: Effect, zone: Zone | None) -> list[int]:
    """The hexes that an effect may be given from where the unit stands. Rule: A-5, A-6."""
    placing = effect.placing
    assert placing is not None
    grid = state.board.grid
    near = [cell for cell in grid.on_board if grid.distance(cell, unit.cell) <= placing.within]
    return [cell for cell in near if not why_no_place(state, unit, effect, zone, cell)]


def why_no_place(state: State, unit: UnitState, effect: Effect, zone: Zone | None, cell: int) -> str:
    """Why an effect cannot be placed in a hex, "" when it can. Rule: A-5."""
    placing = effect.placing
    assert placing is not None
    distance = state.board.grid.distance(cell, unit.cell)
    if distance > placing.within:
        return f"it is {distance} hexes from {unit.id}, and may be {placing.within} away"
    if placing.in_zone and zone is not None and cell not in zone.cells:
        return f"it is not within {zone.name}"
    if effect.building is not None:
        return "" if state.board.hexes[cell].building else "no building stands there"
    there = any(marker.cell == cell and marker.name == placing.name for marker in state.markers)
    if effect.marker is not None:
        return f"a {placing.name} is there already" if there else ""
    return "" if there else f"no {placing.name} is there"


def carry_out_effect(play: Play, unit: UnitState, made: Start, action: MissionAction) -> None:
    """The EFFECT of a completed action. Rule: A-5."""
    effect = action.effect
    if effect.placing is not None:
        _place(play, unit, made, effect)
    if effect.score:
        score(play, unit, effect.score, action.name)
    if effect.reveal:
        _reveal(play, unit, effect.reveal)
    if effect.tag and effect.tag not in unit.keywords:
        unit.keywords = tuple(sorted({*unit.keywords, effect.tag}))
        play.emit("tag_gained", unit, RULE, tag=effect.tag)


def _place(play: Play, unit: UnitState, made: Start, effect: Effect) -> None:
    """Set up or take away a marker, or bring a building down, in the hex that was named at the start."""
    state = play.state
    placing = effect.placing
    assert placing is not None
    at = state.board.grid.names[made.cell]
    why = why_no_place(state, unit, effect, state.zones.get(made.zone), made.cell)
    if why:
        play.emit("effect_lost", unit, RULE, action=made.action, place=at, why=why)
    elif effect.marker is not None:
        state.markers.append(Marker(placing.name, made.cell, made.side))
        play.emit("marker_set", unit, RULE, marker=placing.name, at=at)
    elif effect.remove is not None:
        state.markers = [m for m in state.markers if not (m.cell == made.cell and m.name == placing.name)]
        play.emit("marker_removed", unit, RULE, marker=placing.name, at=at)
    else:
        play.emit("building_blown_up", unit, RULE, at=at)
        collapse(play, made.cell)


def score(play: Play, unit: UnitState, points: int, why: str) -> None:
    """Points for a unit's side. Rule: A-5, S-11."""
    scores = play.state.scores
    scores[unit.side] += points
    play.emit("scored", unit, RULE, side=play.state.sides[unit.side], points=points, total=scores[unit.side], why=why)


def _reveal(play: Play, unit: UnitState, within: int) -> None:
    """Hidden enemies within so many hexes are known from now on. Rule: A-5."""
    state = play.state
    found = [
        enemy
        for enemy in state.enemies(unit.side)
        if enemy.hidden and enemy.cell >= 0 and state.board.grid.distance(enemy.cell, unit.cell) <= within
    ]
    for enemy in found:
        enemy.hidden = False
        play.emit("revealed", enemy, RULE, at=state.board.grid.names[enemy.cell], by=unit.id)
    if not found:
        play.emit("nothing_found", unit, RULE, hexes=within)
