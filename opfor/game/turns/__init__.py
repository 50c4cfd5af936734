"""Turn sequences, one module each, chosen by the ruleset's ``turn_sequence`` switch.

A sequence says which units act in which order in each phase, and what happens when nobody is left to act in it.
"""

from __future__ import annotations

from typing import Protocol

from opfor.game.decision import Decision
from opfor.game.legal.fire import UnitFire
from opfor.game.turns import eridani, mwii, standard
from opfor.rules.play import Play
from opfor.state import State
from opfor.units.state import UnitState


class TurnSequence(Protocol):
    """What a module of this package offers. ``HALTS``: phases that a game at the table halts before, see :meth:`Game.go_on`."""

    HALTS: tuple[str, ...]

    def eligible(self, state: State) -> list[UnitState]:
        """Units that have yet to act in the phase going on."""
        ...

    def build_queue(self, state: State, waiting: list[UnitState]) -> list[int]:
        """Sides in the order in which their units, ``waiting``, are to act in this phase."""
        ...

    def due(self, state: State, waiting: list[UnitState], kept: dict[str, UnitFire]) -> Decision:
        """The decision of the side at the head of the queue."""
        ...

    def call(self, play: Play, side: int, kind: str) -> bool:
        """Go on to the part of the phase in which ``side`` gives an order of ``kind``; whether there was anything to do."""
        ...

    def close_phase(self, play: Play) -> None:
        """Resolve what was declared in the phase, then enter the next one."""
        ...


_SEQUENCES: dict[str, TurnSequence] = {"standard": standard, "eridani": eridani, "mwii": mwii}


def sequence(state: State) -> TurnSequence:
    """The turn sequence of the state's ruleset. Rule: E-1."""
    return _SEQUENCES[state.ruleset.turn_sequence]


__all__ = ["TurnSequence", "mwii", "sequence"]
