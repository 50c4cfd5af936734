"""Where units can get to, as arrays: places, and what moving there makes of their fire and of fire at them. Rule: S-2, S-4."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from envs.features.geometry import Floats, Ints
from envs.features.modifiers import dodge_by_mode
from opfor.board.board import Board
from opfor.rules.moving.grounds import ground_for
from opfor.rules.moving.landing import jump_cells, landing_place, may_land
from opfor.rules.moving.movement import ground_reach, movement_points
from opfor.state import State
from opfor.units.state import UnitState
from policies.veteran.figures import BY_HEXES, MOVED
from policies.veteran.spots import STANDING, key_of, posture_of

#: units whose places are kept
_MOST = 256


class Ends(NamedTuple):
    """Where a unit can get to: hexes, spot keys, what moving there adds to its fire and to fire at it, each of shape (places,);
    and what each place has for it beside its fire."""

    cells: Ints
    keys: list[int]
    fire: Ints
    dodge: Ints
    ground: Floats


class Reaches:
    """Where units can get to, kept for as long as they, what stands near them and the board stay as they are."""

    def __init__(self) -> None:
        self._board: Board | None = None
        self._known: dict[tuple[object, ...], Ends] = {}

    def of(self, state: State, unit: UnitState, stamp: int, others: list[UnitState]) -> Ends:
        """The places of a unit among ``others``; none where it cannot move. ``stamp``: another number whenever it changes."""
        board = state.board
        if board is not self._board or len(self._known) >= _MOST:
            self._board = board
            self._known.clear()
        far = max(unit.spec.run, unit.spec.jump) + 1
        away = board.grid.distance
        near = [(one.index, one.cell, one.elevation) for one in others if away(unit.cell, one.cell) <= far]
        key = (stamp, *near)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = _ends(state, unit)
        return found


def _ends(state: State, unit: UnitState) -> Ends:
    """The places that a unit can get to, each by the movement that makes it hardest to hit there. Rule: S-2, S-4."""
    points = movement_points(state, unit)
    ground = ground_for(state.board, unit.spec, state.ruleset)
    #: by place: mode and hexes
    ways: dict[int, tuple[str, int]] = {}
    reach = ground_reach(state, unit, "run", points, ground=ground) or ground_reach(state, unit, "walk", points, ground=ground)
    if reach is not None:
        walked = reach.mode == "walk"
        for stance, (mp, hexes) in reach.cheapest().items():
            place = stance // 6
            known = ways.get(place)
            if place not in reach.friends and (known is None or hexes > known[1]):
                ways[place] = ("walk" if walked or mp <= points.walk else "run", hexes)
    if points.jump and not unit.prone:
        for cell, hexes in jump_cells(ground, ground.place(unit.cell, unit.elevation), points.jump, points.jump).items():
            place = landing_place(ground, cell)
            if place not in ways and may_land(ground, cell):
                ways[place] = ("jump", hexes)
    posture = STANDING if unit.spec.is_mech else posture_of(unit.spec)
    moved = dict.fromkeys(MOVED, 0) if unit.spec.is_infantry else MOVED
    dodges = {mode: dodge_by_mode(state, unit, mode) for mode in ("walk", "run", "jump")}
    places = sorted(ways)
    chosen = [ways[place] for place in places]
    cells = [ground.cell(place) for place in places]
    keys = [key_of(cell, ground.elevation[place], posture) for cell, place in zip(cells, places, strict=True)]
    dodge = np.array([BY_HEXES[min(hexes, 63)] + dodges[mode] for mode, hexes in chosen], dtype=np.int32)
    woods = state.board.woods
    return Ends(
        np.array(cells, dtype=np.int32),
        keys,
        np.array([moved[mode] for mode, _ in chosen], dtype=np.int32),
        dodge,
        (np.array([woods[cell] for cell in cells], dtype=np.float32) + np.float32(0.5) * dodge).astype(np.float32),
    )


__all__ = ["Ends", "Reaches"]
