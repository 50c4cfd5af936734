"""What one side knows: the only thing a policy is given besides its decision."""

from __future__ import annotations

from dataclasses import replace

from opfor.board.board import Board
from opfor.directives import NOTHING
from opfor.rules.shooting.framing import sees
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

#: fields of a unit that stand in the battle file from the start and do not change in play
_LASTING = frozenset({
    "spec", "id", "name", "side", "index", "hidden", "gunnery", "piloting", "mental", "physical_level", "tactics", "melee",
    "hazard", "oc", "keywords",
})  # fmt: skip
_CHANGING = tuple([name for name in UnitState.__slots__ if name not in _LASTING])


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

    @property
    def glimpse(self) -> State:
        """The same, to be read only, and no longer than the decision is due.

        Where nothing of the battle is hidden from the side that is the game's own state, and nothing is copied.
        """
        if self._state is None and not _hides(self._game_state, self.side):
            return self._game_state
        return self.state

    @property
    def contacts(self) -> frozenset[str]:
        """Enemies of whom only the place is known, where they were last seen."""
        directive = self._game_state.directive(self.side)
        if directive.knows != "contacts" or not directive.contacts:
            return frozenset()
        return frozenset([id for id, _ in directive.contacts]) & unseen(self._game_state, self.side)


def seen_by(state: State, side: int) -> State:
    """A copy of the state in which what ``side`` does not know of is not there, with nothing left to read of it.

    That is enemy units that are hidden, with all that they carry, mines that the side has not learnt of, and shells to come;
    enemies that it does not see, where the game master has it know no more (``knows``); what the other sides have been told.
    """
    copy = state.copy()
    copy.board = board_seen_by(state.board, side)
    # what an enemy has announced is not known before it lands, but for bomb runs that have been flown
    copy.shells = [shell for shell in copy.shells if shell.side == side or shell.level is not None]
    copy.corrections = {key: shots for key, shots in copy.corrections.items() if copy.unit(key[0]).side == side}
    concealed = {unit.id for unit in copy.units if unit.hidden and unit.side != side}
    guessed: dict[str, int] = {}
    if state.directives:
        directive = state.directives[side]
        if directive.knows != "all":
            concealed |= unseen(state, side)
        if directive.knows == "contacts":
            guessed = {id: cell for id, cell in directive.contacts if id in concealed and not state.unit(id).hidden}
        copy.directives = tuple([told if index == side else NOTHING for index, told in enumerate(state.directives)])
        copy.fired_on = frozenset([id for id in state.fired_on if copy.unit(id).side == side])
    for unit in copy.units:
        if unit.id in concealed or unit.aboard in concealed:
            if unit.id in guessed:
                unit.cell = guessed[unit.id]
                _forget(unit)
            else:
                _wipe(unit)
    if concealed:
        copy.declared = [order for order in copy.declared if order.unit not in concealed]
        copy.charges = [order for order in copy.charges if order.unit not in concealed]
        copy.sightings = {pair: margin for pair, margin in copy.sightings.items() if pair[0] not in concealed}
        copy.actions_started = [start for start in copy.actions_started if start.unit not in concealed]
        copy.pending = [blow for blow in copy.pending if blow.attacker not in concealed and blow.target not in concealed]
    return copy


def _hides(state: State, side: int) -> bool:
    """Whether :func:`seen_by` might leave anything out."""
    if state.directives or state.shells or state.corrections:
        return True
    return any(unit.hidden and unit.side != side for unit in state.units) or board_seen_by(state.board, side) is not state.board


def _wipe(unit: UnitState) -> None:
    """Take a unit off the map, and leave nothing of how it stands: it is as on its sheet, with the pilot it began with."""
    plain = UnitState(unit.spec, unit.id, unit.side, unit.index)
    for name in _CHANGING:
        setattr(unit, name, getattr(plain, name))
    unit.gone = True


def _forget(unit: UnitState) -> None:
    """Leave nothing of what a unit does that its enemies do not see; its damage stays known."""
    unit.gone = False
    unit.facing = unit.twist = unit.elevation = unit.hexes_moved = unit.mp_spent = unit.fired = unit.used_arms = 0
    unit.heat = unit.heat_built = unit.heat_outside = unit.heat_held = unit.heat_carried = 0
    unit.moved = unit.prone = unit.waiting = unit.opportunity = unit.acted = unit.spotting = unit.skidded = unit.stuck = False
    unit.arms_flipped = unit.dug_in = unit.action_broken = unit.fell_back = False
    unit.mode = unit.complex_action = unit.action_started = unit.aboard = unit.swarming = ""
    unit.initiative, unit.initiative_roll = None, 0


def unseen(state: State, side: int) -> set[str]:
    """The enemies on the map that no unit of a side sees, by line of sight or by its sensors."""
    eyes = [u for u in state.friends(side) if u.active and u.cell >= 0 and not u.aboard]
    near: int = table("sight")["sensors"]
    away = state.board.grid.distance
    found = set()
    for enemy in state.units:
        if enemy.side == side or not enemy.alive or enemy.cell < 0:
            continue
        if not any(away(eye.cell, enemy.cell) <= near or sees(state, eye, enemy) for eye in eyes):
            found.add(enemy.id)
    return found


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
