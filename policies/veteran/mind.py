"""What the veteran remembers from one decision to the next: tables that hang on units and boards, and this turn's guesses."""

from __future__ import annotations

from copy import copy

from opfor.board.board import Board
from opfor.rulesets import Ruleset
from opfor.state import State
from policies.veteran.figures import Figure, Spot, figures_of
from policies.veteran.firepower import Arsenal
from policies.veteran.foresight import likely_spots
from policies.veteran.lanes import Lanes, lanes_of
from policies.veteran.terrain import edge_sides, field_to, hexes_to
from policies.veteran.weights import Weights

#: enemies that are given the full effort, and the least that each is given
_FEW, _LEAST_SPOTS, _LEAST_LOOKED_AT = 5, 3, 14


class Mind:
    """Tables that save work. They change no decision: whatever is kept is keyed by all that it depends on, or by the turn."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.arsenal = Arsenal()
        self._lanes: tuple[Board, Ruleset, Lanes] | None = None
        self._edges: tuple[Board, list[int]] | None = None
        self._perils: tuple[Board, bool] | None = None
        self._turn: tuple[int, int, Board] | None = None
        self._spots: dict[tuple[object, ...], tuple[Spot, ...]] = {}
        self._fields: dict[tuple[object, ...], list[int]] = {}

    def weighing(self, state: State, weights: Weights) -> Mind:
        """A mind that weighs otherwise and shares all tables with this one, for one plan."""
        self.lanes(state)
        self.edges(state)
        self.perils(state)
        other = copy(self)
        other.weights = weights
        return other

    def lanes(self, state: State) -> Lanes:
        """The lanes of the state's board."""
        known = self._lanes
        if known is None or known[0] is not state.board or known[1] != state.ruleset:
            known = self._lanes = (state.board, state.ruleset, lanes_of(state.board, state.ruleset))
        return known[2]

    def edges(self, state: State) -> list[int]:
        """See :func:`policies.veteran.terrain.edge_sides`."""
        known = self._edges
        if known is None or known[0] is not state.board:
            known = self._edges = (state.board, edge_sides(state.board))
        return known[1]

    def perils(self, state: State) -> bool:
        """Whether the board holds hexes that are dangerous to pass: mines, ice, flames, bridges, roofs."""
        board = state.board
        known = self._perils
        if known is None or known[0] is not board:
            found = any(h.mines or h.fire or h.bridge or h.building or (h.ice and h.water > 0) for h in board.hexes)
            known = self._perils = (board, found)
        return known[1]

    def _this_turn(self, state: State, side: int) -> None:
        turn = (state.turn, side, state.board)
        if self._turn != turn:
            self._turn = turn
            self._spots.clear()
            self._fields.clear()

    def sides(self, state: State, side: int) -> tuple[list[Figure], list[Figure]]:
        """The figures of a side (those inside carriers included) and of its enemies."""
        ours = figures_of(state, (u for u in state.units if u.side == side), self.arsenal, self.weights, aboard=True)
        theirs = figures_of(state, (u for u in state.units if u.side != side), self.arsenal, self.weights)
        return ours, theirs

    def foresee(self, state: State, side: int, ours: list[Figure], theirs: list[Figure]) -> None:
        """Give every enemy that has yet to move its likely spots; worked out once a turn for as long as it stands still."""
        self._this_turn(state, side)
        lanes = self.lanes(state)
        # where each declares its whole turn at once, enemies are fired at where they stand, and fire from where they go
        at_once = state.phase == "declarations"
        waiting = [enemy for enemy in theirs if not enemy.settled or (at_once and enemy.unit.active)]
        # many enemies are looked at less closely, each by itself
        effort = min(1.0, _FEW / max(1, len(theirs)))
        spots_each = max(_LEAST_SPOTS, round(effort * self.weights.spots))
        looked_at = max(_LEAST_LOOKED_AT, round(effort * self.weights.looked_at))
        for enemy in waiting:
            unit = enemy.unit
            key = (unit.index, unit.cell, unit.elevation, unit.facing, unit.prone, unit.mp_spent, unit.heat)
            spots = self._spots.get(key)
            if spots is None:
                spots = self._spots[key] = likely_spots(state, enemy, ours, lanes, spots_each, looked_at)
            taken = {figure.key >> 2 for figure in ours if figure.hot} if enemy.hot else ()
            free = tuple([spot for spot in spots if spot.key >> 2 not in taken])
            if at_once:
                enemy.menace = free or None
            else:
                enemy.spots = free or (enemy.here(),)

    def way(self, state: State, me: Figure, cells: frozenset[int]) -> list[int]:
        """MP to the nearest of some hexes from every cell as ``me`` moves; hexes for whoever flies."""
        key = (me.ground.motion.name, cells)
        found = self._fields.get(key)
        if found is None:
            found = self._fields[key] = hexes_to(state.board, cells) if me.kind == "vtol" else field_to(me.ground, cells)
        return found

    def field(self, state: State, me: Figure, theirs: list[Figure]) -> list[int]:
        """MP to the nearest of the enemies from every cell as ``me`` moves, as they stood when this was first asked in the
        turn; hexes for whoever flies."""
        key = (me.ground.motion.name, *[enemy.unit.index for enemy in theirs])
        found = self._fields.get(key)
        if found is None:
            cells = [enemy.unit.cell for enemy in theirs]
            found = self._fields[key] = hexes_to(state.board, cells) if me.kind == "vtol" else field_to(me.ground, cells)
        return found
