"""Bomb runs of VTOLs, the campaign's Daisy Cutters. Rule: E-4, E-30.

Announced in the initiative phase for a hex straight ahead; flown in that turn's movement, flanking, straight and level, over
that hex; the bombs strike in the physical phase, whatever becomes of the VTOL in between. A run that is not flown so is lost,
and its bombs stay aboard.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from opfor.orders import CallOrder, MoveOrder
from opfor.rules.barrage.blast import burst
from opfor.rules.barrage.scatter import scatter
from opfor.rules.barrage.spotting import aimed_hex, painted
from opfor.rules.moving.flight import airborne
from opfor.rules.moving.movement import movement_points
from opfor.rules.play import Play
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.state import Shell, State
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "E-30"
BOMB = "bomb"
_ROWS: dict[str, Any] = table("artillery")["bombs"]
_GUIDED = "laser_guided"


def blast_of(order: CallOrder) -> list[int]:
    """Damage of one bomb of a run by distance; the order's mode is the kind of bomb, "" the plain one. Rule: E-30."""
    found: list[int] = _ROWS["kinds"][order.mode or _ROWS["plain"]]
    return found


def bomb_calls(state: State, unit: UnitState, cells: set[int]) -> list[CallOrder]:
    """The runs that a VTOL may announce: over ``cells`` that lie straight ahead within its flanking MP. Rule: E-4, E-30."""
    if not unit.bombs or unit.spec.kind != "vtol" or state.ruleset.bomb_runs != "house":
        return []
    if not airborne(state.board.hexes[unit.cell], unit.elevation):
        return []
    grid = state.board.grid
    found = []
    cell = unit.cell
    for _ in range(movement_points(state, unit).run):
        cell = grid.neighbour(cell, unit.facing)
        if not grid.contains(cell):
            break
        if cell in cells:
            found += [
                CallOrder(unit.id, BOMB, mode=unit.spec.bomb, cell=cell, count=count) for count in range(1, unit.bombs + 1)
            ]
    return found


def flown(play: Play, unit: UnitState, order: MoveOrder) -> None:
    """A movement is over: what it was to an announced run. Straight and flanking over the hex, or the run is lost. E-30."""
    state = play.state
    for index, shell in enumerate(state.shells):
        if shell.order.unit != unit.id or shell.order.what != BOMB or shell.level is not None:
            continue
        cell = shell.order.cell
        if over_target(state, unit, order, cell):
            level = state.base(unit) - state.board.level[cell]
            state.shells[index] = replace(shell, level=level)
            unit.bombs -= shell.order.count
            play.emit("bombs_away", unit, RULE, at=state.board.grid.names[cell], count=shell.order.count, level=level)
        else:
            del state.shells[index]
            _lost(play, unit, shell, "it did not fly straight over its target")
        return


def over_target(state: State, unit: UnitState, order: MoveOrder, cell: int) -> bool:
    """Whether a movement just made was a bomb run over a hex. Rule: E-30."""
    if order.mode != "run" or set(order.path) != {"F"} or unit.hexes_moved != len(order.path) or unit.skidded:
        return False
    grid = state.board.grid
    back = unit.cell
    for _ in order.path:
        if back == cell:
            return True
        back = grid.neighbour(back, (unit.facing + 3) % 6)
    return False


def bomb_number(state: State, unit: UnitState, shell: Shell) -> TargetNumber:
    """What a run needs to put its bombs into the hex. Rule: E-30."""
    cell = shell.order.cell
    if shell.order.mode == _GUIDED and painted(state, aimed_hex(state, cell), shell.side):
        return TargetNumber([Modifier("guided by TAG", int(_ROWS["guided_number"]), RULE)])
    number = TargetNumber([Modifier("Mental", unit.mental, RULE)])
    number.add("bomb run", int(_ROWS["movement"]), RULE)
    level = shell.level or 0
    if level > _ROWS["level"]:
        number.add(f"above level {_ROWS['level']}", int(_ROWS["above"]), RULE)
    elif level < _ROWS["level"]:
        number.add(f"below level {_ROWS['level']}", int(_ROWS["below"]), RULE)
    return number


def land_bombs(play: Play, shell: Shell) -> None:
    """The bombs of a run strike: one roll for all of them, each bursts by itself; a miss scatters a hex a point. Rule: E-30."""
    state = play.state
    order = shell.order
    unit = state.unit(order.unit)
    if shell.level is None:
        _lost(play, unit, shell, "it has not flown over its target")
        return
    names = state.board.grid.names
    number = bomb_number(state, unit, shell)
    roll = play.roll_2d6(f"{unit.id}: {order.count} bombs at {names[order.cell]}, needs {number.value}")
    hit = roll.total >= number.value
    play.emit(
        "bombs", unit, RULE, at=names[order.cell], count=order.count, kind=order.mode, to_hit=number.as_dict(),
        dice=list(roll.dice), hit=hit,
    )  # fmt: skip
    cell = order.cell if hit else scatter(play, order.cell, number.value - roll.total, f"bombs of {unit.id}", RULE)
    origin = unit.cell if unit.alive else -1
    for _ in range(order.count):
        burst(play, cell, blast_of(order), f"{unit.id} bomb", origin=origin, rule=RULE)


def _lost(play: Play, unit: UnitState, shell: Shell, why: str) -> None:
    play.emit("run_lost", unit, RULE, at=play.state.board.grid.names[shell.order.cell], why=why)
