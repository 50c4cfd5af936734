"""Hexes as targets of fire: which there are, what may be meant by it, what a shot at one needs. Rule: S-10.

All of a unit's attacks of a phase are at units, or at one hex and to one end. What is meant stands in the attack's ``aim``: ""
breaks down the hex's building, bridge or woods, ``ignite`` sets them on fire, ``mines`` clears a minefield,
``sow`` lays one (thunder missiles), ``area`` strikes all units in the hex and around it (swarm missiles, E-33a).
"""

from __future__ import annotations

from collections.abc import Collection

from opfor.board.board import Board, Hex
from opfor.hex import HexError
from opfor.rules.loads.thunder import takes_mines
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.rules.terrain.fire import ignition_number
from opfor.rules.troops.infantry import is_platoon_weapon
from opfor.state import State
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.hex_target import MARK
from opfor.units.munition_loads import INFERNO, SWARM, THUNDER
from opfor.units.state import UnitState

RULE = "S-10"
BREAK, IGNITE, MINES, SOW, AREA = "", "ignite", "mines", "sow", "area"
INTENTS = (BREAK, IGNITE, MINES, SOW, AREA)


def why_not_hex(state: State, unit: UnitState, target: str) -> str:
    """Why a hex named as ``@CCRR`` is no target for a unit, line of sight and range apart, or "". Rule: S-10."""
    try:
        cell = state.board.grid.parse(target.removeprefix(MARK))
    except HexError as error:
        return str(error)
    if cell == unit.cell:
        return "it stands in that hex itself"
    scope = state.ruleset.hex_targets
    if scope == "off":
        return "hexes are no targets (switch hex_targets)"
    if not _worth_it(state.board.hexes[cell], unit.side) and cell not in _open_to_missiles(state, unit):
        return "no building, bridge, woods or known mines there to fire at"
    if scope == "near" and cell not in _near_enemies(state, unit):
        return "no enemy stands in that hex or next to it (switch hex_targets)"
    return ""


def hex_targets(state: State, unit: UnitState) -> list[int]:
    """The hexes that a unit might fire at, as the switch ``hex_targets`` lists them, in the order of the board. Rule: S-10.

    Those that hold a building, a bridge, woods or mines that the unit's side knows of: any, or (``near``) where an enemy that
    it knows of stands in the hex or next to it.
    """
    scope = state.ruleset.hex_targets
    if scope == "off":
        return []
    hexes, side = state.board.hexes, unit.side
    more = _open_to_missiles(state, unit)
    if scope == "near":
        near = _near_enemies(state, unit)
        return sorted(c for c in near if c != unit.cell and (c in more or _worth_it(hexes[c], side)))
    found = [cell for cell in _anything(state.board) if cell != unit.cell and _worth_it(hexes[cell], side)]
    return sorted({*found, *more} - {unit.cell}) if more else found


def _area_loads(unit: UnitState) -> frozenset[str]:
    """Which of the missiles that are fired at hexes a unit carries. Rule: E-33a."""
    known: frozenset[str] | None = unit.spec.tables.get("area_loads")
    if known is None:
        loads = {mode.munition for mount in unit.spec.mounts for mode in mount.modes} & {SWARM, THUNDER}
        known = unit.spec.tables["area_loads"] = frozenset(loads)
    return known


def _open_to_missiles(state: State, unit: UnitState) -> Collection[int]:
    """Hexes that a unit's swarm and thunder missiles may be fired at, whatever is there. Rule: E-33a.

    Those where an enemy that it knows of stands or next to one; for thunder all, where the switch ``hex_targets`` is ``any``.
    """
    loads = _area_loads(unit)
    if not loads or (THUNDER not in loads and state.ruleset.swarm_missiles != "all"):
        return ()
    if THUNDER in loads and state.ruleset.hex_targets == "any":
        return state.board.grid.on_board
    return _near_enemies(state, unit)


def _worth_it(hex: Hex, side: int) -> bool:
    return bool(hex.building or hex.bridge or hex.woods or (hex.mines and hex.mines_known >> side & 1))


def _anything(board: Board) -> list[int]:
    found: list[int] | None = board.tables.get("hex_targets")
    if found is None:
        found = board.tables["hex_targets"] = [
            cell for cell in board.grid.on_board if (h := board.hexes[cell]).building or h.bridge or h.woods or h.mines
        ]
    return found


def _near_enemies(state: State, unit: UnitState) -> set[int]:
    grid = state.board.grid
    found: set[int] = set()
    for other in state.units:
        if other.side != unit.side and other.alive and not other.hidden and other.cell >= 0 and not other.aboard:
            found.add(other.cell)
            found.update(to for step in grid.step if grid.contains(to := other.cell + step))
    return found


def intents(state: State, unit: UnitState, cell: int, mode: FireMode) -> tuple[str, ...]:
    """What a fire mode of a unit may be meant to do to a hex, of :data:`INTENTS`. Rule: S-10, E-33a."""
    hex, side = state.board.hexes[cell], unit.side
    if mode.munition == THUNDER:
        return (SOW,) if takes_mines(hex) and cell in _open_to_missiles(state, unit) else ()
    if mode.munition == SWARM and state.ruleset.swarm_missiles == "all":
        return (AREA,) if cell in _near_enemies(state, unit) else ()
    hurts = is_platoon_weapon(mode) or (mode.weapon.is_attack and any(mode.damage(bracket) for bracket in range(3)))
    found = []
    if hurts and (hex.building or hex.bridge or hex.woods):
        found.append(BREAK)
    if not mode.target_heat and ignition_number(mode, hex).possible:
        found.append(IGNITE)
    if hurts and mode.munition != INFERNO and hex.mines and hex.mines_known >> side & 1:
        found.append(MINES)
    return tuple(found)


def certain(state: State, target: UnitState, distance: int) -> bool:
    """Whether a hex that is fired at cannot be missed: a building or bridge at arm's length. Rule: S-10."""
    hex = state.board.hexes[target.cell]
    return bool(hex.building or hex.bridge) and distance <= int(table("terrain")["buildings"]["sure_distance"])


def certain_number() -> TargetNumber:
    """The number of a shot that cannot miss."""
    return TargetNumber([Modifier("a building next to the attacker cannot be missed", 2, RULE)])
