"""Legal starts of mission actions. Rule: A-1, A-4, A-6."""

from __future__ import annotations

from opfor.game.legal.plain import PlainChoices
from opfor.orders import ActionOrder, Order
from opfor.rules.missions.mission_actions import AFTER_FIRE, starts_of, why_no_start
from opfor.state import State
from opfor.units.state import UnitState


class ActionChoices(PlainChoices):
    """The mission actions that may be started in a decision of a kind. See :class:`opfor.game.legal.choices.Choices`."""

    levels = ("action", "cell")
    #: refuses orders of this kind with its own reasons, even where none is listed
    speaks_of = "action"

    def __init__(self, state: State, units: list[UnitState], kind: str) -> None:
        super().__init__(state, units)
        self.kind = kind

    def listed(self, unit: UnitState) -> list[Order]:
        """Every action that the unit may start now, with each place that its effect may have."""
        found: list[Order] = [*starts_of(self.state, unit, self.kind)]
        # asked for by itself it may be left alone
        return [ActionOrder(unit.id), *found] if self.kind == AFTER_FIRE else found

    def refusal(self, unit: UnitState, order: Order) -> str:
        """The reason of rule A-1 (or of the action itself)."""
        return why_no_start(self.state, unit, order, self.kind) if isinstance(order, ActionOrder) else ""
