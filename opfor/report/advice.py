"""What the Op Force is advised to do, as data: one :class:`Advised` a unit, with its working.

Two layers kept apart by construction: what players may read (:class:`Published`) is a type of its own that holds neither
reasons nor odds, and the writers of posts are given nothing else.
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


@dataclass(frozen=True, slots=True)
class PublishedAttempt:
    """An attack as players may see it."""

    what: str
    target: str
    distance: int
    needs: int | None
    words: str
    on_hit: str


@dataclass(frozen=True, slots=True)
class Published:
    """One unit's order as players may see it: no reason, no odds."""

    unit: str
    title: str
    words: str
    facts: tuple[str, ...]
    attempts: tuple[PublishedAttempt, ...]
    rolls: tuple[tuple[str, int | None, str], ...]
    #: an announcement, in place of all else
    announced: str = ""


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
    #: what lands when the phase is closed: delayed blows, charges, shells (E-7, E-8)
    landing: list[str] = field(default_factory=list)

    @property
    def orders(self) -> list[Order]:
        """The bare orders."""
        return [one.order for one in self.advised]

    def published(self) -> list[Published]:
        """What players may read: nothing of units that they do not know of."""
        return [publish(one) for one in self.advised if not one.hidden]


def publish(one: Advised) -> Published:
    """The part of a unit's advice that players may read."""
    if one.announced:
        return Published(one.order.unit, one.title, "", (), (), (), one.announced)
    return Published(
        one.order.unit,
        one.title,
        one.words,
        tuple(one.facts),
        tuple(PublishedAttempt(a.sum.what, a.target, a.distance, a.sum.needs, a.sum.words, a.on_hit) for a in one.attempts),
        tuple((roll.what, roll.needs, roll.words) for roll in one.rolls),
    )
