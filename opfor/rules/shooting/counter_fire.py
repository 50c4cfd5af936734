"""Fire at a VTOL that flies a bomb run: numbers of its own in place of its movement, and the side that it shows. Rule: E-31.

It is for those on the ground, with weapons that reach far enough. Those in the hexes that the bombs strike have it easier.
"""

from __future__ import annotations

from typing import Any

from opfor.board.board import Board
from opfor.rules.shooting.arcs import CIRCLE, HEXSIDE
from opfor.rules.target_number import Modifier
from opfor.state import Shell, State
from opfor.tables import table
from opfor.units.spec import LEFT, RIGHT
from opfor.units.state import UnitState

RULE = "E-31"
_ROWS: dict[str, Any] = table("artillery")["counter_fire"]
_BOMBS: dict[str, Any] = table("artillery")["bombs"]
#: the least reach in hexes of a weapon that may be fired at it
REACH = int(_ROWS["reach"])


def run_of(state: State, attacker: UnitState, target: UnitState, mode: str) -> Shell | None:
    """The bomb run that a VTOL flies this turn, as far as it matters to who fires at it; None for none. Rule: E-31."""
    if state.ruleset.counter_fire != "house" or mode != "run" or (attacker.spec.kind == "vtol" and attacker.elevation > 0):
        return None
    for shell in state.shells:
        if shell.order.unit == target.id and shell.order.what == "bomb" and shell.turn == state.turn:
            return shell
    return None


def in_target_area(board: Board, run: Shell, cell: int) -> bool:
    """Whether a hex is one of those that the bombs are to strike. Rule: E-31."""
    return board.grid.distance(run.order.cell, cell) < len(_BOMBS["kinds"][run.order.mode or _BOMBS["plain"]])


def counter_modifiers(board: Board, run: Shell, cell: int, height: int) -> list[Modifier]:
    """What stands in place of the VTOL's movement for a shooter in ``cell``; ``height``: its levels above the ground. E-31."""
    found = [Modifier("VTOL on a bomb run", int(_ROWS["number"]), RULE)]
    if height > _ROWS["level"]:
        found.append(Modifier(f"VTOL above level {_ROWS['level']}", int(_ROWS["over"]), RULE))
    elif height < _ROWS["level"]:
        found.append(Modifier(f"VTOL below level {_ROWS['level']}", int(_ROWS["below"]), RULE))
    if in_target_area(board, run, cell):
        found.append(Modifier("shooter in the target area", int(_ROWS["in_target_area"]), RULE))
    return found


def shown_side(board: Board, run: Shell, cell: int, target: UnitState, back: int, facing: int) -> str:
    """The side struck: the front from the target area, else the left or right one that is nearer the shooter. Rule: E-31.

    ``back``: bearing from the VTOL to the shooter. Straight ahead or behind, the better armoured side.
    """
    if in_target_area(board, run, cell):
        return "front"
    relative = (back - HEXSIDE * facing) % CIRCLE
    if relative in (0, CIRCLE // 2):
        return "right" if target.armor[RIGHT] >= target.armor[LEFT] else "left"
    return "right" if relative < CIRCLE // 2 else "left"
