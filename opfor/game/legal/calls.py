"""Legal announcements of the initiative phase: artillery and bomb runs. Rule: E-4."""

from __future__ import annotations

from opfor.game.legal.plain import PlainChoices
from opfor.orders import CallOrder, Order
from opfor.rules.barrage.artillery import calls_of
from opfor.units.state import UnitState


class CallChoices(PlainChoices):
    """What may be announced, no announcement first. See :class:`opfor.game.legal.choices.Choices`."""

    levels = ("what", "mount", "mode", "target", "cell", "spotter", "count")

    def listed(self, unit: UnitState) -> list[Order]:
        """No announcement, or any of those open to the unit."""
        return [CallOrder(unit.id), *calls_of(self.state, unit)]
