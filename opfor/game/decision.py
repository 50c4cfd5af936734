"""A decision: whose turn it is to say something, of what kind, and the legal orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from opfor.game.legal.calls import CallChoices
from opfor.game.legal.choices import Choices
from opfor.game.legal.either import Either
from opfor.game.legal.fire import FireChoices, UnitFire
from opfor.game.legal.mission_actions import ActionChoices
from opfor.game.legal.movement import MovementChoices
from opfor.game.legal.opportunity import OpportunityChoices
from opfor.game.legal.physical import PhysicalChoices
from opfor.rules.turn.complex_actions import paused
from opfor.state import State, Underway
from opfor.units.state import UnitState

#: every kind of decision, with what is ordered in it
KINDS = ("call", "movement", "fire", "physical", "action", "opportunity")


class Decision:
    """One order is wanted of ``side``, for any one of ``units``.

    ``kind`` is call (artillery and bomb runs announced), movement, fire, physical, action (after its fire a unit may start a
    mission action, A-8), or opportunity: a unit may break in on ``moment``, the declaration of another that is under way, or
    let it pass. ``also`` are units of the side that may act in place of these by moving first: those that won initiative and
    wait (E-6). ``legal`` holds the legal orders (see :class:`opfor.game.legal.choices.Choices`), worked out when first read.
    """

    def __init__(
        self,
        state: State,
        side: int,
        units: Sequence[UnitState],
        kind: str = "",
        *,
        kept: dict[str, UnitFire] | None = None,
        moment: Underway | None = None,
        also: Sequence[UnitState] = (),
    ) -> None:
        self._state = state
        self._kept = kept
        self.kind = kind or state.phase
        self.turn = state.turn
        self.side = side
        self.side_name = state.sides[side]
        self.units = list(units)
        self.moment = moment
        self.also = list(also)

    @property
    def unit_ids(self) -> list[str]:
        """Ids of the units that may act."""
        return [u.id for u in self.units] + [u.id for u in self.also]

    def narrowed(self, units: Sequence[UnitState]) -> Decision:
        """The same decision, for some of its units only."""
        chosen = {u.id for u in units}
        mine = [u for u in self.units if u.id in chosen]
        also = [u for u in self.also if u.id in chosen]
        if not mine:
            return Decision(self._state, self.side, also, "movement")
        return Decision(self._state, self.side, mine, self.kind, kept=self._kept, moment=self.moment, also=also)

    @cached_property
    def legal(self) -> Choices:
        """The legal orders."""
        state, units = self._state, self.units
        if self.kind == "opportunity":
            assert self.moment is not None
            return OpportunityChoices(state, units[0], self.moment)
        if self.kind == "call":
            return CallChoices(state, units)
        if self.kind == "action":
            return ActionChoices(state, units, self.kind)
        choices: Choices = _BY_KIND[self.kind](self)
        parts = [choices]
        if self.also:
            parts.append(MovementChoices(state, self.also))
        if state.actions:
            parts.append(ActionChoices(state, units, self.kind))
        return Either(parts) if len(parts) > 1 else choices

    def __repr__(self) -> str:
        return f"Decision({self.kind}, turn {self.turn}, {self.side_name}: {', '.join(self.unit_ids)})"


def _in_passing(decision: Decision) -> Choices:
    """The simple action of a unit that has stopped in its movement: fire at one target, or a physical attack. Rule: M-8."""
    fire = FireChoices(decision._state, decision.units)
    blows = PhysicalChoices(decision._state, decision.units, attacks=True)
    return Either([fire, blows]) if blows.count() else fire


_BY_KIND: dict[str, Callable[[Decision], Choices]] = {
    "movement": lambda d: MovementChoices(d._state, d.units),
    "fire": lambda d: _in_passing(d) if paused(d.units[0]) else FireChoices(d._state, d.units, d._kept),
    "physical": lambda d: PhysicalChoices(d._state, d.units),
}
