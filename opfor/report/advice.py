"""What the Op Force is advised to do, as data: one :class:`Advised` a unit, with its working. For the game master alone.

What players may read is a type of its own (:mod:`opfor.report.posts.published`) that holds neither reasons nor odds; the
writers of posts are given nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from opfor.orders import Order


@dataclass(frozen=True, slots=True)
class Sum:
    """A target number to publish: what it is for, the sum in words, what to roll. ``needs`` is None when impossible."""

    what: str
    needs: int | None
    words: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attack: its target number and what it may do. ``expected`` is mean damage, ``odds`` the chance to hit."""

    sum: Sum
    target: str
    distance: int
    on_hit: str
    expected: float
    odds: float


@dataclass(slots=True)
class Advised:
    """One unit's order with everything behind it. ``facts`` are clauses about movement and heat that anybody may read."""

    order: Order
    words: str
    title: str
    facts: list[str] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    rolls: list[Sum] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)
    #: what players hear of an announcement, whose place is the side's secret (E-4)
    announced: str = ""
    #: the players do not know of the unit: nothing of this is published
    hidden: bool = False
    #: for the game master alone
    reason: str = ""
    notes: list[str] = field(default_factory=list)
    #: after a movement, the shots that the unit would have as things stand: also for the game master alone
    outlook: list[Attempt] = field(default_factory=list)


@dataclass(slots=True)
class Advice:
    """The orders of a phase. ``document`` is the published JSON form (for the game master's own tools)."""

    name: str
    turn: int
    phase: str
    advised: list[Advised]
    rules: str
    policy: str
    seed: int
    document: dict[str, Any]
    defaults: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    #: units of players that are still to act in the phase
    waiting: list[str] = field(default_factory=list)
    #: what the sides have been told, how their policies differ from the usual, rulings: for the game master's notes
    told: list[str] = field(default_factory=list)
    #: what lands when the phase is closed: delayed blows, charges, shells (E-7, E-8)
    landing: list[str] = field(default_factory=list)

    @property
    def orders(self) -> list[Order]:
        """The bare orders."""
        return [one.order for one in self.advised]
