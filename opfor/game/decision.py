"""A decision: whose turn it is to say something, of what kind, and the legal orders."""

from __future__ import annotations

from functools import cached_property

from opfor.game.legal.choices import Choices
from opfor.game.legal.fire import FireChoices, UnitFire
from opfor.game.legal.movement import MovementChoices
from opfor.game.legal.physical import PhysicalChoices
from opfor.state import State
from opfor.units.state import UnitState

#: kind of decision in each phase
KINDS = {"movement": "movement", "fire": "fire", "physical": "physical"}


class Decision:
    """One order is wanted of ``side``, for any one of ``units``; ``kind`` is movement, fire or physical.

    ``legal`` holds the legal orders (see :class:`opfor.game.legal.choices.Choices`); it is worked out when first read.
    """

    def __init__(self, state: State, side: int, units: list[UnitState], kept: dict[str, UnitFire] | None = None) -> None:
        self._state = state
        self._kept = kept
        self.kind = KINDS[state.phase]
        self.turn = state.turn
        self.side = side
        self.side_name = state.sides[side]
        self.units = units

    @property
    def unit_ids(self) -> list[str]:
        """Ids of the units that may act."""
        return [u.id for u in self.units]

    @cached_property
    def legal(self) -> Choices:
        """The legal orders."""
        if self.kind == "movement":
            return MovementChoices(self._state, self.units)
        if self.kind == "fire":
            return FireChoices(self._state, self.units, self._kept)
        return PhysicalChoices(self._state, self.units)

    def __repr__(self) -> str:
        return f"Decision({self.kind}, turn {self.turn}, {self.side_name}: {', '.join(self.unit_ids)})"
