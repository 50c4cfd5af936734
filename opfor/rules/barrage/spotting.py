"""Spotting for indirect fire and artillery, as the campaign has it: a roll against the spotter's Mental number. Rule: E-34.

A target painted with TAG needs no roll. Terrain counts along the spotter's line, the target's own hex included as in any
weapon fire; what stands in a hex that is aimed at as such hides nothing of the hex. The spotter rolls once for a target and a
phase, whoever fires at it: the margin is kept in ``State.sightings``.
"""

from __future__ import annotations

from typing import Any

from opfor.board.sight import Sight, sight
from opfor.orders import FireOrder
from opfor.rules.play import Play
from opfor.rules.shooting.common_modifiers import intervening
from opfor.rules.shooting.frame import Frame
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.state import State
from opfor.tables import table
from opfor.units.hex_target import KIND as HEX
from opfor.units.hex_target import hex_id, hex_target
from opfor.units.state import UnitState

RULE = "E-34"
_ROWS: dict[str, Any] = table("artillery")["spotting"]
_WORDS = {"walk": "spotter walked", "run": "spotter ran", "jump": "spotter jumped", "evade": "spotter evaded"}
_VEHICLE_WORDS = {"walk": "spotter cruised", "run": "spotter flanked", "evade": "spotter evaded"}


def line_to(state: State, spotter: UnitState, target: UnitState) -> Sight:
    """The spotter's line of sight to a unit or to the stand-in of a hex. Rule: S-3."""
    return sight(
        state.board, spotter.cell, state.base(spotter), state.top(spotter), target.cell, state.base(target), state.top(target)
    )


def why_not_spot(state: State, spotter: UnitState, target: UnitState) -> str:
    """Why a unit cannot observe a target, "" when it can. Rule: E-34."""
    if not spotter.active or spotter.cell < 0 or spotter.stunned or spotter.aboard:
        return f"{spotter.id} is in no state to observe"
    return "" if line_to(state, spotter, target).clear else f"{spotter.id} does not see it"


def spotting_number(state: State, spotter: UnitState, target: UnitState) -> TargetNumber:
    """What a spotter needs for a target, a unit or the stand-in of a hex, or why it cannot observe it. Rule: E-34."""
    why = why_not_spot(state, spotter, target)
    if why:
        return TargetNumber.impossible(why, RULE)
    number = TargetNumber([Modifier("Mental", spotter.mental, RULE)])
    number.add(*_movement(spotter))
    seen = line_to(state, spotter, target)
    found = Frame(spotter, target)
    intervening(found, seen, state.board, target.cell, state.top(target) - state.board.level[target.cell])
    for item in found.modifiers:
        number.add(item.what, item.value, item.rule)
    if also_fights(state, spotter):
        number.add("spotter also fights", int(_ROWS["also_fights"]), RULE)
    if stands_still(state, target, spotter.side):
        number.add("immobile target", int(_ROWS["immobile"]), RULE)
    return number


def _movement(spotter: UnitState) -> tuple[str, int, str]:
    mode, spec = spotter.mode, spotter.spec
    if spec.kind == "vtol" and mode in _ROWS:
        return "spotter is a moving VTOL", int(_ROWS["vtol"]), RULE
    words = _VEHICLE_WORDS if spec.is_vehicle else _WORDS
    return words.get(mode, "spotter moved"), int(_ROWS.get(mode, 0)), RULE


def also_fights(state: State, unit: UnitState) -> bool:
    """Whether a unit fires in this turn itself: it has, or has declared it. Rule: E-34."""
    return unit.fired != 0 or any(isinstance(o, FireOrder) and o.unit == unit.id and o.attacks for o in state.declared)


def stands_still(state: State, target: UnitState, side: int) -> bool:
    """Whether a target counts as immobile: a unit that cannot move; a hex with a building, a bridge or such a unit. E-34."""
    if target.spec.kind != HEX:
        return target.immobile
    hex = state.board.hexes[target.cell]
    known = [unit for unit in state.occupants(target.cell) if unit.side != side and not unit.hidden]
    return bool(hex.building or hex.bridge) or (bool(known) and all(unit.immobile for unit in known))


def painted(state: State, target: UnitState, side: int) -> bool:
    """Whether TAG marks a target for a side this turn: the unit, or an enemy in the hex aimed at. Rule: E-34."""
    if target.spec.kind != HEX:
        return target.tagged
    return any(unit.tagged and unit.side != side for unit in state.occupants(target.cell))


def spot(play: Play, spotter: UnitState, target: UnitState) -> int:
    """Margin of the spotter's roll for a target, below 0 when it fails; a painted target needs none. Rule: E-34."""
    state = play.state
    if painted(state, target, spotter.side):
        play.emit("painted", spotter, RULE, target=target.id)
        return 0
    known = state.sightings.get((spotter.id, target.id))
    if known is not None:
        return known
    number = spotting_number(state, spotter, target)
    if number.possible and number.value <= 2:
        dice: list[int] = []
        margin = 0
    elif number.possible:
        roll = play.roll_2d6(f"{spotter.id}: spots {target.id}, needs {number.value}")
        dice, margin = list(roll.dice), roll.total - number.value
    else:
        dice, margin = [], -1
    play.emit("spotting", spotter, RULE, target=target.id, tn=number, dice=dice, margin=margin, success=margin >= 0)
    state.sightings[spotter.id, target.id] = margin
    return margin


def aimed_hex(state: State, cell: int) -> UnitState:
    """The stand-in of a hex that is aimed at."""
    return hex_target(state.board, hex_id(state.board, cell))
