"""MWII's own turn: units declare one by one, lowest initiative first, each with its whole turn at once. Rule: M-1, M-9e, M-10.

A declaration is a movement, then weapon fire, then a physical attack, as far as the budget goes; all of it counts at once, and
the unit sheds its heat at the end of it. A unit of higher initiative that has not declared may take its turn in between.
"""

from __future__ import annotations

from opfor.game.apply.physical import resolve_physical
from opfor.game.decision import Decision
from opfor.game.legal.fire import UnitFire
from opfor.game.turns.common import end_turn, enter, finish, forget_initiative, forget_turn
from opfor.rules.barrage.artillery import calls_of, land_shells
from opfor.rules.pilots.heat import settle_heat
from opfor.rules.pilots.piloting_rolls import resolve_phase_rolls
from opfor.rules.play import Play
from opfor.rules.turn.initiative import roll_initiative
from opfor.rules.turn.opportunity import rank
from opfor.state import State, Underway
from opfor.units.state import UnitState

#: where a game at the table halts, for dice that nobody's decision calls for
HALTS: tuple[str, ...] = ("initiative",)


def eligible(state: State) -> list[UnitState]:
    """Units still to announce something, or to declare."""
    if state.phase == "initiative":
        return [u for u in state.units if u.active and not u.acted and calls_of(state, u)]
    if state.phase == "declarations":
        return [u for u in state.units if u.active and not u.acted]
    return []


def build_queue(state: State, waiting: list[UnitState]) -> list[int]:
    """The sides of the units in the order in which they act. Rule: M-10."""
    if state.phase == "initiative":
        return sorted(unit.side for unit in waiting)
    return [unit.side for unit in sorted(waiting, key=lambda unit: rank(state, unit))]


def due(state: State, waiting: list[UnitState], kept: dict[str, UnitFire]) -> Decision:
    """Calls by sides; a declaration is that of the unit with the lowest initiative."""
    if state.phase == "initiative":
        side = state.queue[0]
        return Decision(state, side, [u for u in waiting if u.side == side], "call")
    unit = min(waiting, key=lambda unit: rank(state, unit))
    return Decision(state, unit.side, [unit], "movement")


def begin(play: Play, unit: UnitState) -> None:
    """A unit's own turn begins: what it did in its last one is over. Rule: M-10."""
    forget_turn(unit)
    play.emit("declares", unit, "M-10", turn=play.state.turn)


def next_up(play: Play, waiting: list[UnitState]) -> None:
    """Begin the turn of the unit that declares next."""
    state = play.state
    if state.phase == "declarations" and waiting:
        unit = min(waiting, key=lambda unit: rank(state, unit))
        begin(play, unit)
        state.underway.append(Underway(unit.index, "movement"))


def finished(play: Play, underway: Underway) -> None:
    """A declaration is done: charges come home, the unit sheds its heat. Rule: M-9e."""
    state = play.state
    unit = state.units[underway.unit]
    if state.phase != "declarations" or not underway.regular:
        return
    if state.charges:
        resolve_physical(play)
    resolve_phase_rolls(play)
    settle_heat(play, [unit])


def call(play: Play, side: int, kind: str) -> bool:
    """Phases have no parts here."""
    return False


def close_phase(play: Play) -> None:
    """Close the phase that has run out of units to act, and enter the next."""
    state = play.state
    if state.phase == "initiative":
        roll_initiative(play)
        finish(play, state.phase)
        enter(play, "declarations")
        return
    if state.phase == "declarations":
        resolve_physical(play)
        land_shells(play)
        resolve_phase_rolls(play)
        # who could not declare cools all the same
        settle_heat(play, [unit for unit in state.units if not unit.acted])
        finish(play, state.phase)
    if end_turn(play):
        state.charges.clear()
        for unit in state.units:
            forget_initiative(unit)
        enter(play, "initiative")
