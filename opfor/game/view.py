"""What one side knows: the only thing a policy is given besides its decision."""

from __future__ import annotations

from dataclasses import replace

from opfor.board.board import Board
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
    """A copy of the state in which what ``side`` does not know of is not there, with nothing left to read of it.

    That is enemy units that are hidden, with all that they carry, mines that the side has not learnt of, and shells to come.
    """
    copy = state.copy()
    copy.board = board_seen_by(state.board, side)
    # what an enemy has announced is not known before it lands, but for bomb runs that have been flown
    copy.shells = [shell for shell in copy.shells if shell.side == side or shell.level is not None]
    copy.corrections = {key: shots for key, shots in copy.corrections.items() if copy.unit(key[0]).side == side}
    concealed = {unit.id for unit in copy.units if unit.hidden and unit.side != side}
    for unit in copy.units:
        if unit.id in concealed or unit.aboard in concealed:
            unit.gone = True
            unit.cell = -1
            unit.facing = 0
            unit.heat = 0
            unit.moved = False
            unit.mode = ""
            unit.hexes_moved = 0
    if concealed:
        copy.actions_started = [start for start in copy.actions_started if start.unit not in concealed]
        copy.pending = [blow for blow in copy.pending if blow.attacker not in concealed and blow.target not in concealed]
    return copy


def board_seen_by(board: Board, side: int) -> Board:
    """The board without the mines that a side does not know of; the board itself where it knows of all. Rule: S-10."""
    unknown = {
        cell: replace(board.hexes[cell], mines=0, mines_known=0)
        for cell in _mined(board)
        if not board.hexes[cell].mines_known >> side & 1
    }
    if not unknown:
        return board
    key = f"seen_by_{side}"
    found: Board | None = board.tables.get(key)
    if found is None:
        found = board.tables[key] = board.changed(unknown)
    return found


def _mined(board: Board) -> tuple[int, ...]:
    found: tuple[int, ...] | None = board.tables.get("mined_cells")
    if found is None:
        found = board.tables["mined_cells"] = tuple(cell for cell in board.grid.on_board if board.hexes[cell].mines)
    return found
