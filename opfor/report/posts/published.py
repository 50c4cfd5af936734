"""What players may read of the Op Force's orders, as data: made by :mod:`opfor.gm.advice.public` from what both sides know.

There is no room here for odds, for a policy's reason, for alternatives or for units that players do not know of; the writers of
posts are given these types and no others.
"""

from __future__ import annotations

from dataclasses import dataclass

from opfor.orders import Order


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a target number, with the rule that makes it."""

    what: str
    value: int
    rule: str


@dataclass(frozen=True, slots=True)
class PublishedSum:
    """A target number: what it is for, what 2d6 must reach (None: nothing will do, and ``why``), and its parts."""

    what: str
    needs: int | None
    parts: tuple[Part, ...] = ()
    why: str = ""

    @property
    def words(self) -> str:
        """The sum in short words: ``7 = gunnery 4 +1 attacker walked +2 medium range``."""
        if self.needs is None:
            return self.why
        first = f"{self.parts[0].what} {self.parts[0].value}" if self.parts else "0"
        return " ".join([f"{self.needs} = {first}", *(f"{part.value:+d} {part.what}" for part in self.parts[1:])])


@dataclass(frozen=True, slots=True)
class PublishedAttempt:
    """An attack: its number, the target's id (or ``@0512``), the distance in hexes, what a hit does and is rolled for."""

    sum: PublishedSum
    target: str
    distance: int
    on_hit: str


@dataclass(frozen=True, slots=True)
class Published:
    """One unit's order. ``order`` is bare (it carries no reason); ``words`` are it in the notation that ``opfor apply`` reads.

    ``clause`` is why, from what anybody can see on the map. ``announced``: an announcement whose place is secret, in place of
    all else (``order`` is then None).
    """

    unit: str
    name: str
    about: str
    words: str = ""
    order: Order | None = None
    facts: tuple[str, ...] = ()
    clause: str = ""
    attempts: tuple[PublishedAttempt, ...] = ()
    rolls: tuple[PublishedSum, ...] = ()
    announced: str = ""


@dataclass(frozen=True, slots=True)
class Post:
    """A phase's orders. ``house``: house rules that count in it, in words; ``open``: questions; ``landing``: what lands."""

    battle: str
    turn: int
    phase: str
    ruleset: str
    orders: tuple[Published, ...] = ()
    waiting: tuple[str, ...] = ()
    landing: tuple[str, ...] = ()
    house: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    #: what is told of an order of the other side that this answers
    against: str = ""


@dataclass(frozen=True, slots=True)
class Results:
    """What happened, in lines; ``parts`` are those that belong together, a phase's name or "" before each."""

    battle: str
    turn: int
    phase: str
    parts: tuple[tuple[str, tuple[str, ...]], ...] = ()
