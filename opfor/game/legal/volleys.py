"""Weapons at targets as a small automaton: all combinations of one posture against one primary target, counted. Rule: S-4.

Weapons multiply, so that combinations are never listed. What ties the weapons together is little: rounds of one ammunition
kind shared by several launchers, the arm that props a prone 'Mech up, and that the primary target is shot at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple

from opfor.orders import Attack, FireOrder
from opfor.rules.shooting.to_hit import Posture, Shot
from opfor.rules.terrain.hexes import AREA, IGNITE, MINES, SOW
from opfor.rules.troops.anti_mech import is_anti_mech
from opfor.tables.arsenal import FireMode
from opfor.units.hex_target import names_hex
from opfor.units.spec import ARMS
from opfor.units.state import UnitState

_MEANT = {IGNITE: "set it on fire", MINES: "clear its mines", SOW: "lay mines there", AREA: "strike all around"}


class Option(NamedTuple):
    """One way to fire one weapon: the attack and the number it needs as primary and as secondary attack (0: impossible)."""

    attack: Attack
    mode: FireMode
    target: str
    front: bool
    as_primary: int
    as_secondary: int
    #: kind of unit that the target is, "hex" for a hex
    kind: str = "mech"


def option_of(shot: Shot, mount: int) -> Option:
    """A shot of a mount as an option."""
    target = shot.target
    attack = Attack(mount, target.id, shot.mode.name, shot.spotter, shot.aim)
    return Option(attack, shot.mode, target.id, *shot.numbers, target.spec.kind)


class Walk(NamedTuple):
    """Where a combination stands: next weapon, primary target shot at yet, rounds left of scarce kinds, what ties the rest.

    ``tie``: the arm that is fired with while the other props a 'Mech up; for infantry which attack in the 'Mech's own hex is
    made, and 0 for its weapons; -1 while nothing of the kind is chosen.
    """

    at: int
    struck: bool
    rounds: tuple[int, ...]
    tie: int


class Volley:
    """All combinations of attacks in one posture against one primary target; at a hex, to one end (``intent``)."""

    def __init__(
        self,
        unit: UnitState,
        posture: Posture,
        primary: str,
        options: list[list[Option]],
        intent: str = "",
        *,
        plenty: bool = False,
    ) -> None:
        """``plenty``: no ammunition can run short."""
        self.unit = unit
        self.posture = posture
        self.primary = primary
        self.intent = intent
        #: by mount in order, the options open with this primary target
        self.options = options
        self.scarce = () if plenty else self._scarce_kinds()
        self.ties = ties_of(unit)
        #: whether nothing but the primary target ties the weapons together, so that counts are products
        self.simple = not self.scarce and not self.ties
        self._counts: dict[Walk, int] = {}
        self._tails: list[tuple[int, int]] = self._products() if self.simple else []

    def _products(self) -> list[tuple[int, int]]:
        """By mount, combinations of it and those after it: all of them, and those without the primary target."""
        every = without = 1
        found = [(1, 1)]
        for options in reversed(self.options):
            every *= 1 + len(options)
            without *= 1 + sum([1 for option in options if option.target != self.primary])
            found.append((every, without))
        found.reverse()
        return found

    def _scarce_kinds(self) -> tuple[str, ...]:
        """Ammunition kinds that could be asked for more rounds than there are."""
        demand: dict[str, int] = {}
        for options in self.options:
            most: dict[str, int] = {}
            for option in options:
                if option.mode.ammo:
                    most[option.mode.ammo] = max(most.get(option.mode.ammo, 0), option.mode.shots)
            for kind, shots in most.items():
                demand[kind] = demand.get(kind, 0) + shots
        return tuple(sorted(kind for kind, shots in demand.items() if shots > self.unit.shots(kind)))

    @property
    def words(self) -> str:
        """The target, and for a hex what is meant, as a choice to pick."""
        return words_of(self.primary, self.intent)

    def start(self) -> Walk:
        return Walk(0, False, tuple(self.unit.shots(kind) for kind in self.scarce), -1)

    def after(self, walk: Walk, option: Option | None) -> Walk | None:
        """The walk after choosing an option (None: hold this weapon); None where that is impossible."""
        index, struck, rounds, tie = walk
        if option is None:
            return Walk(index + 1, struck, rounds, tie)
        ammo = option.mode.ammo
        if ammo and ammo in self.scarce:
            kind = self.scarce.index(ammo)
            if rounds[kind] < option.mode.shots:
                return None
            left = list(rounds)
            left[kind] -= option.mode.shots
            rounds = tuple(left)
        if self.ties:
            own = self.ties[option.attack.mount]
            if own >= 0:
                if tie not in (-1, own):
                    return None
                tie = own
        return Walk(index + 1, struck or option.target == self.primary, rounds, tie)

    def count(self, walk: Walk) -> int:
        """Combinations from here on in which the primary target is shot at."""
        if self.simple:
            every, without = self._tails[walk.at]
            return every if walk.struck else every - without
        known = self._counts.get(walk)
        if known is not None:
            return known
        if walk.at == len(self.options):
            total = int(walk.struck)
        else:
            total = 0
            for option in (None, *self.options[walk.at]):
                below = self.after(walk, option)
                if below is not None:
                    total += self.count(below)
        self._counts[walk] = total
        return total

    def ways(self, walk: Walk) -> list[tuple[Option | None, Walk]]:
        """The options of the next weapon (None: it is held) that lead on to an order."""
        if self.simple:
            at, struck, rounds, tie = walk
            every, without = self._tails[at + 1]
            on = Walk(at + 1, struck, rounds, tie)
            hit = Walk(at + 1, True, rounds, tie)
            ways: list[tuple[Option | None, Walk]] = [
                (option, hit if option.target == self.primary else on)
                for option in self.options[at]
                if struck or every > without or option.target == self.primary
            ]
            return [(None, on), *ways] if struck or every > without else ways
        found: list[tuple[Option | None, Walk]] = []
        for option in (None, *self.options[walk.at]):
            below = self.after(walk, option)
            if below is not None and self.count(below):
                found.append((option, below))
        return found

    def number(self, option: Option) -> int:
        """What an attack of this volley needs."""
        return option.as_primary if option.target == self.primary else option.as_secondary

    def order(self, chosen: list[Option]) -> FireOrder:
        return FireOrder(self.unit.id, self.posture.twist, self.posture.flip, tuple(o.attack for o in chosen), self.primary)

    def orders(self, walk: Walk, chosen: list[Option]) -> Iterator[FireOrder]:
        if walk.at == len(self.options):
            if walk.struck:
                yield self.order(chosen)
            return
        for option in (None, *self.options[walk.at]):
            below = self.after(walk, option)
            if below is not None and self.count(below):
                yield from self.orders(below, chosen if option is None else [*chosen, option])

    def sample(self, number: int) -> FireOrder:
        """The combination of that number, 0 to count - 1."""
        walk, chosen = self.start(), []
        while walk.at < len(self.options):
            for option in (None, *self.options[walk.at]):
                below = self.after(walk, option)
                ways = self.count(below) if below is not None else 0
                if number < ways:
                    assert below is not None
                    walk = below
                    if option is not None:
                        chosen.append(option)
                    break
                number -= ways
        return self.order(chosen)


def words_of(primary: str, intent: str) -> str:
    """A primary target, and for a hex what is meant, as a choice to pick."""
    return f"{primary} to {_MEANT[intent]}" if intent else primary


def ties_of(unit: UnitState) -> tuple[int, ...]:
    """By mount: weapons of unlike numbers are not fired together, -1 goes with all; empty where nothing is tied.

    A prone 'Mech fires the weapons of one arm, the other props it up; a leg or swarm attack takes a unit's whole fire.
    """
    spec = unit.spec
    if unit.prone and spec.is_mech and not spec.quad:
        return tuple(m.location if m.location in ARMS else -1 for m in spec.mounts)
    if spec.anti_mech:
        return tuple(1 + m.index if is_anti_mech(m) else 0 for m in spec.mounts)
    return ()


def combinations(ways: Sequence[int], ties: Sequence[int]) -> int:
    """Ways to fire some of the mounts or none: each has so many ways, those with unlike ties are not fired together.

    >>> combinations([1, 2], ()), combinations([1, 2], [3, 4])
    (6, 4)
    """
    if not ties:
        return prod([1 + number for number in ways])
    free = 1
    tied: dict[int, int] = {}
    for number, tie in zip(ways, ties, strict=True):
        if tie < 0:
            free *= 1 + number
        else:
            tied[tie] = tied.get(tie, 1) * (1 + number)
    return free * (1 + sum([together - 1 for together in tied.values()]))


def label_of(attack: Attack | None) -> str:
    """What one weapon does, as a choice to pick."""
    if attack is None:
        return "hold"
    words = attack.target
    if attack.mode:
        words += f" ({attack.mode})"
    if attack.aim and not names_hex(attack.target):
        words += f" aimed at {attack.aim}"
    if attack.spotter:
        words += f" spotted by {attack.spotter}"
    return words
