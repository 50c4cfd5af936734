"""Hexes as targets of fire: which there are, what may be meant by it, what a shot at one needs. Rule: S-10.

All of a unit's attacks of a phase are at units, or at one hex and to one end. What is meant stands in the attack's ``aim``: ""
breaks down the hex's building, bridge or woods, ``ignite`` sets them on fire, ``mines`` clears a minefield,
``sow`` lays one (thunder missiles), ``area`` strikes all units in the hex and around it (swarm missiles, E-33a).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from opfor.board.board import Board, Hex
from opfor.hex import HexError
from opfor.rules.loads.thunder import takes_mines
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.rules.terrain.fire import igniter
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
    if not _worth_it(state.board.hexes[cell], unit.side) and cell not in open_to_missiles(state, unit):
        return "no building, bridge, woods or known mines there to fire at"
    if scope == "near" and cell not in near_enemies(state, unit):
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
    more = open_to_missiles(state, unit)
    if scope == "near":
        near: set[int] = set()
        worth = _worth_around(state.board)
        for place in enemy_places(state, side):
            around = worth.get(place)
            if around is None:
                around = worth[place] = [c for c in _around(state.board, place) if _anything_there(hexes[c])]
            near.update(around)
        found = sorted([c for c in near if c != unit.cell and _worth_it(hexes[c], side)])
    else:
        found = [cell for cell in _anything(state.board) if cell != unit.cell and _worth_it(hexes[cell], side)]
    return sorted({*found, *more} - {unit.cell}) if more else found


def area_loads(unit: UnitState) -> frozenset[str]:
    """Which of the missiles that are fired at hexes a unit carries. Rule: E-33a."""
    known: frozenset[str] | None = unit.spec.tables.get("area_loads")
    if known is None:
        loads = {mode.munition for mount in unit.spec.mounts for mode in mount.modes} & {SWARM, THUNDER}
        known = unit.spec.tables["area_loads"] = frozenset(loads)
    return known


def open_to_missiles(state: State, unit: UnitState) -> Collection[int]:
    """Hexes that a unit's swarm and thunder missiles may be fired at, whatever is there. Rule: E-33a.

    Those where an enemy that it knows of stands or next to one; for thunder all, where the switch ``hex_targets`` is ``any``.
    """
    loads = area_loads(unit)
    if not loads or (THUNDER not in loads and state.ruleset.swarm_missiles != "all"):
        return ()
    if THUNDER in loads and state.ruleset.hex_targets == "any":
        return state.board.grid.on_board
    return near_enemies(state, unit)


def _worth_it(hex: Hex, side: int) -> bool:
    return bool(hex.building or hex.bridge or hex.woods or (hex.mines and hex.mines_known >> side & 1))


def _anything_there(hex: Hex) -> bool:
    return bool(hex.building or hex.bridge or hex.woods or hex.mines)


def _worth_around(board: Board) -> dict[int, list[int]]:
    """By hex, those of it and its neighbours that hold anything to fire at; filled as they are asked for."""
    found: dict[int, list[int]] = board.tables.setdefault("hex_targets_around", {})
    return found


def _anything(board: Board) -> list[int]:
    found: list[int] | None = board.tables.get("hex_targets")
    if found is None:
        found = board.tables["hex_targets"] = [cell for cell in board.grid.on_board if _anything_there(board.hexes[cell])]
    return found


def enemy_places(state: State, side: int) -> set[int]:
    """The hexes where a side may look for enemies: where those are that do not hide and are not carried, and where a side that
    goes by contacts last saw them."""
    places = {u.cell for u in state.units if u.side != side and u.alive and not u.hidden and u.cell >= 0 and not u.aboard}
    told = state.directive(side)
    if told.knows == "contacts":
        places.update(cell for _, cell in told.contacts)
    return places


def near_enemies(state: State, unit: UnitState) -> set[int]:
    """The hexes at and next to :func:`enemy_places`."""
    return {cell for place in enemy_places(state, unit.side) for cell in _around(state.board, place)}


def _around(board: Board, cell: int) -> list[int]:
    return [cell, *[to for step in board.grid.step if board.grid.contains(to := cell + step)]]


class HexUse:
    """What each of some fire modes may be meant to do to hexes, as bits: mode ``i`` is bit ``1 << i``. Rule: S-10, E-33a."""

    __slots__ = ("_breaks", "_clears", "_lights", "_swarm", "_thunder")

    def __init__(self, modes: Sequence[FireMode]) -> None:
        hurts = [is_platoon_weapon(m) or (m.weapon.is_attack and any(m.damage(bracket) for bracket in range(3))) for m in modes]
        self._breaks = _bits(hurts)
        self._clears = _bits([hurt and mode.munition != INFERNO for hurt, mode in zip(hurts, modes, strict=True)])
        self._lights = _bits([not mode.target_heat and igniter(mode) != "" for mode in modes])
        self._thunder = _bits([mode.munition == THUNDER for mode in modes])
        self._swarm = _bits([mode.munition == SWARM for mode in modes])

    @property
    def follows_enemies(self) -> bool:
        """Whether some mode needs enemies near the hex."""
        return self._swarm != 0

    def at(self, state: State, side: int, cell: int, near: Collection[int], more: Collection[int]) -> list[tuple[str, int]]:
        """What may be meant by fire of a side at a hex, with the modes for it, in the order of :data:`INTENTS`.

        ``near``: hexes at or next to its enemies; ``more``: those open to missiles whatever is there.
        """
        hex = state.board.hexes[cell]
        thunder = self._thunder
        swarm = self._swarm if self._swarm and state.ruleset.swarm_missiles == "all" else 0
        plain = ~(thunder | swarm)
        found = []
        burns = hex.woods or hex.building
        if (burns or hex.bridge) and (guns := self._breaks & plain):
            found.append((BREAK, guns))
        if burns and not hex.fire and (guns := self._lights & plain):
            found.append((IGNITE, guns))
        if hex.mines and hex.mines_known >> side & 1 and (guns := self._clears & plain):
            found.append((MINES, guns))
        if thunder and cell in more and takes_mines(hex):
            found.append((SOW, thunder))
        if swarm and cell in near:
            found.append((AREA, swarm))
        return found


def _bits(of: Sequence[bool]) -> int:
    return sum([1 << i for i, one in enumerate(of) if one])


def intents(state: State, unit: UnitState, cell: int, mode: FireMode) -> tuple[str, ...]:
    """What a fire mode of a unit may be meant to do to a hex, of :data:`INTENTS`. Rule: S-10, E-33a."""
    near = near_enemies(state, unit)
    return tuple([intent for intent, _ in HexUse([mode]).at(state, unit.side, cell, near, open_to_missiles(state, unit))])


_SURE_DISTANCE = int(table("terrain")["buildings"]["sure_distance"])


def certain(state: State, cell: int, distance: int) -> bool:
    """Whether a hex that is fired at cannot be missed: a building or bridge at arm's length. Rule: S-10."""
    if distance > _SURE_DISTANCE:
        return False
    hex = state.board.hexes[cell]
    return bool(hex.building or hex.bridge)


def certain_number() -> TargetNumber:
    """The number of a shot that cannot miss."""
    return TargetNumber([Modifier("a building next to the attacker cannot be missed", 2, RULE)])
