"""Forced withdrawal and honour: who leaves, who leaves holding its fire, and whom it is no honour to fire at. Rule: S-11.

What the rules make of crippled units is the game's (``forced_withdrawal``); this is how the bot behaves where it is played.
"""

from __future__ import annotations

from opfor.rules.turn.victory import crippled, must_withdraw
from opfor.state import State
from opfor.units.state import UnitState
from policies.princess.overkill import toughness
from policies.princess.settings import Settings


class Honour:
    """What a side remembers of those who leave the field: of its own, and of its enemies."""

    def __init__(self, config: Settings) -> None:
        self.config = config
        #: points that each unit had when it was first seen leaving
        self._began: dict[str, int] = {}
        #: own units fired on while leaving, enemies and the turn in which they were first seen crippled
        self._provoked: set[str] = set()
        self._crippled: dict[str, int] = {}
        #: sides a crippled unit of which has fired
        self.dishonoured: set[int] = set()

    def look(self, state: State, side: int) -> None:
        """Take note of what has happened."""
        if not self.config.withdraws:
            return
        for unit in state.units:
            if not unit.alive:
                continue
            if unit.side == side:
                if must_withdraw(state, unit):
                    points = toughness(unit)
                    if points < self._began.setdefault(unit.id, points):
                        self._provoked.add(unit.id)
            elif state.ruleset.forced_withdrawal == "on" and crippled(state, unit):
                since = self._crippled.setdefault(unit.id, state.turn)
                if unit.fired and state.turn > since:
                    self.dishonoured.add(unit.side)

    def leaves(self, state: State, unit: UnitState) -> bool:
        """Whether a unit makes for the edge: it must leave, or all flee."""
        return self.config.flees or (self.config.withdraws and bool(must_withdraw(state, unit)))

    def holds_fire(self, state: State, unit: UnitState) -> bool:
        """Whether a unit leaves without firing, as nobody has hurt it since it turned to leave."""
        if not self.config.withdraws or unit.id in self._provoked:
            return False
        return state.ruleset.forced_withdrawal == "on" and bool(crippled(state, unit))

    def spares(self, state: State, enemy: UnitState) -> bool:
        """Whether an enemy is not fired at: it is crippled, and no crippled unit of its side has fired."""
        if not self.config.withdraws or enemy.side in self.dishonoured:
            return False
        return state.ruleset.forced_withdrawal == "on" and bool(crippled(state, enemy))
