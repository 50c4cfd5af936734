"""What one side knows: the only thing a policy is given besides its decision."""

from __future__ import annotations

from opfor.state import State


class View:
    """A side's knowledge of the battle.

    ``state`` is the side's own copy: it may be changed, copied and played on at will without touching the game. Units that
    the side cannot see are off the map in it. Copied when first read, and only then.
    """

    __slots__ = ("_game_state", "_state", "side")

    def __init__(self, state: State, side: int) -> None:
        self._game_state = state
        self._state: State | None = None
        self.side = side

    @property
    def state(self) -> State:
        """The side's copy of the battle."""
        if self._state is None:
            self._state = seen_by(self._game_state, self.side)
        return self._state


def seen_by(state: State, side: int) -> State:
    """A copy of the state in which enemy units hidden from ``side`` are off the map, with nothing left to read of them."""
    copy = state.copy()
    for unit in copy.units:
        if unit.hidden and unit.side != side:
            unit.gone = True
            unit.cell = -1
            unit.facing = 0
            unit.heat = 0
            unit.moved = False
            unit.mode = ""
            unit.hexes_moved = 0
    return copy
