"""Hexes that a unit can fire at, and with which of its guns, worked out without a frame for each. Rule: S-10.

What the attacker adds is the same for every hex, the ground does not move: what is left is distance, line of sight, and what
stands on it. Where more than that matters a full :class:`~opfor.rules.shooting.frame.Frame` is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from opfor.board.board import Board
from opfor.board.sight import sight
from opfor.hex import bearing12
from opfor.rules.shooting.battery import Battery
from opfor.rules.shooting.common_modifiers import attacker_part, movement_of, target_part, terrain_part
from opfor.rules.shooting.electronics import carries_c3
from opfor.rules.shooting.frame import Frame
from opfor.rules.shooting.framing import frame, gate
from opfor.rules.shooting.guns import Gun
from opfor.rules.shooting.numbers import numbers_of
from opfor.rules.shooting.sums import number
from opfor.rules.terrain.hexes import certain, hex_targets, near_enemies, open_to_missiles
from opfor.state import State
from opfor.units.hex_target import hex_elevation, hex_id, hex_target
from opfor.units.state import UnitState

#: a sum with which every gun hits that reaches a hex at all
SURE = -50


class HexLane(NamedTuple):
    """A hex in reach and sight: its target id, distance in hexes, bearing, and by intent the guns that may be fired so.

    ``common`` is what all but the gun adds up to; ``seen`` the frame, where more than that matters.
    """

    target: str
    distance: int
    bearing: int
    meant: tuple[tuple[str, int], ...]
    common: int
    seen: Frame | None = None

    def number(self, fired: Gun) -> int:
        """What one of the guns needs, 2 or more."""
        if self.common == SURE:
            return 2
        if self.seen is not None:
            return max(2, number(self.seen, fired))
        distance = self.distance
        bracket = 0 if distance <= fired.short else 1 if distance <= fired.medium else 2
        return max(2, self.common + fired.at(distance, bracket))


def hex_lanes(state: State, unit: UnitState, guns: Battery, may: Callable[[str], bool] | None = None) -> list[HexLane]:
    """Every hex that some gun of a unit can be fired at to some end, arcs apart, in the order of the board. Rule: S-10.

    ``may`` says which target ids the unit may fire at at all (None: any).
    """
    if not guns.longest or unit.cell < 0:
        return []
    cells = hex_targets(state, unit)
    if not cells:
        return []
    board = state.board
    here = unit.cell
    numbers = numbers_of(state.ruleset)
    prototype = Frame(unit, _stand_in(board, cells[0]), numbers)
    gate(state, prototype, None)
    if prototype.why:
        return []
    base, top = state.base(unit), state.top(unit)
    near = near_enemies(state, unit) if guns.hexes.follows_enemies else ()
    more = open_to_missiles(state, unit)
    prototype.moved, moved_rule = movement_of(state, unit, unit.mode)
    attacker_part(prototype, unit, unit.mode, unit.prone, moved_rule, False)
    target_part(prototype, prototype.target, "", 0)
    common = prototype.common
    if unit.spotting and state.ruleset.indirect_fire != "campaign":
        common += state.ruleset.spotter_attack
    careful = bool(guns.special) or carries_c3(unit) or state.ruleset.own_fire is not None
    engaged = state.ruleset.engaged_shooting == "on"
    found: list[HexLane] = []
    for cell in cells:
        dq, dr = board.grid.offset(here, cell)
        distance = max(abs(dq), abs(dr), abs(dq + dr))
        if distance > guns.longest:
            continue
        meant = guns.hexes.at(state, unit.side, cell, near, more)
        if not meant:
            continue
        record = board.hexes[cell]
        elevation = hex_elevation(record)
        t_base = board.level[cell] + elevation
        line = sight(board, here, base, top, cell, t_base, t_base)
        if not line.clear:
            continue
        target = hex_id(board, cell)
        if may is not None and not may(target):
            continue
        seen: Frame | None = None
        sure = certain(state, cell, distance)
        total = SURE if sure else common + terrain_part(numbers, line, record, elevation, ground=True)[1]
        if careful or (engaged and distance <= 1):
            seen = frame(state, unit, state.target(target))
            open_to = guns.able_at(seen) if sure else guns.open_at(seen)
        else:
            open_to = guns.at_ground(total, distance, line)
        usable = tuple([(intent, bits) for intent, modes in meant if (bits := modes & open_to)])
        if usable:
            found.append(HexLane(target, distance, bearing12(dq, dr), usable, total, seen))
    return found


def _stand_in(board: Board, cell: int) -> UnitState:
    """Any hex as a target, for what is the same of all of them."""
    found: UnitState | None = board.tables.get("hex_stand_in")
    if found is None:
        found = board.tables["hex_stand_in"] = hex_target(board, hex_id(board, cell))
    return found
