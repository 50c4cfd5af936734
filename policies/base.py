"""What a policy is: one method, given a decision and what its side knows, that answers with one of the legal orders."""

from __future__ import annotations

from typing import Protocol

from opfor.game.decision import Decision
from opfor.game.view import View
from opfor.orders import Order


class Policy(Protocol):
    """Chooses orders for a side. Made once for a battle; all its chance comes from the seed it was made or reset with."""

    name: str

    def reset(self, seed: int) -> None:
        """Begin afresh, as if newly made with ``seed``."""
        ...

    def choose(self, decision: Decision, view: View) -> Order:
        """One of ``decision.legal``, with ``reason`` set to one clause for the game master.

        ``view.state`` is the side's own copy of the battle: it may be changed at will.
        """
        ...
