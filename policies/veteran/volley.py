"""What a whole volley may do that single shots do not: destroy its target, or make it roll to stay on its feet. Rule: S-5, S-6.

Damage by location is taken as normally distributed, which is close enough for choosing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from opfor.dice import EXACTLY_2D6
from opfor.tables import table
from opfor.units.spec import CT, HD, LT, ROTOR, RT
from policies.veteran.exchange import topple_odds
from policies.veteran.figures import Figure
from policies.veteran.weights import Weights
from policies.veteran.worth import left, share_of, struck

_STAGGER: int = table("piloting_rolls")["damage_roll"]
_ROTOR: int = table("vehicles")["rotor"]["divisor"]


def tail(mean: float, variance: float, least: float) -> float:
    """Chance that a sum of that mean and variance reaches ``least``."""
    if least <= 0:
        return 1.0
    if mean <= 0.0:
        return 0.0
    return 0.5 * math.erfc((least - 0.5 - mean) / math.sqrt(2.0 * (variance + 0.25)))


#: chance that an aimed shot at an immobile 'Mech goes where it is aimed
_ON_AIM = sum(EXACTLY_2D6[roll] for roll in table("hit_locations")["aimed"])


def strike_odds(target: Figure, side: str, aim: str = "") -> tuple[float, ...]:
    """Chance of each location to be struck by a hit from a side, ``aim`` naming the location it is aimed at. Rule: S-5."""
    unit = target.unit
    odds = struck(unit, side)
    if not aim:
        return odds
    sure = _ON_AIM if unit.immobile else 1.0
    at = unit.spec.locations.index(aim)
    return tuple([sure * (location == at) + (1.0 - sure) * odd for location, odd in enumerate(odds)])


@dataclass(slots=True)
class Volley:
    """The shots at one target: chance, groups and points of each, its odds by location, and whether it comes from behind."""

    target: Figure
    shots: list[tuple[float, float, float, tuple[float, ...], bool]] = field(default_factory=list)

    def add(self, chance: float, groups: float, points: float, side: str, aim: str = "") -> None:
        """Add a shot from a side, ``aim`` naming the location it is aimed at."""
        if points > 0:
            self.shots.append((chance, groups, points, strike_odds(self.target, side, aim), side == "rear"))

    def _at(self, odds: list[float]) -> tuple[float, float]:
        """Mean and variance of the damage at something that each shot strikes with a chance of its own."""
        mean = variance = 0.0
        for (chance, groups, points, _, _), odd in zip(self.shots, odds, strict=True):
            hit = groups * points * odd
            mean += chance * hit
            variance += chance * (groups * points * points * odd * (1.0 - odd) + hit * hit) - (chance * hit) ** 2
        return mean, max(0.0, variance)

    def kill(self) -> float:
        """Chance that the volley destroys its target."""
        if not self.shots:
            return 0.0
        spec = self.target.unit.spec
        return self._kill_mech() if spec.is_mech else self._kill_infantry() if spec.is_infantry else self._kill_vehicle()

    def _kill_infantry(self) -> float:
        """All the troopers, or all that the suits can hold."""
        unit = self.target.unit
        return tail(*self._at([1.0] * len(self.shots)), sum(unit.armor) + sum(unit.structure))

    def _kill_vehicle(self) -> float:
        """Through any location: a VTOL without its rotor comes down."""
        unit = self.target.unit
        survives = 1.0
        for location, points in enumerate(unit.structure):
            odds = [strikes[location] for _, _, _, strikes, _ in self.shots]
            if points <= 0 or not any(odds):
                continue
            least = left(unit, location, False)
            if location == ROTOR and unit.spec.kind == "vtol":
                least *= _ROTOR
            survives *= 1.0 - tail(*self._at(odds), least)
        return 1.0 - survives

    def _kill_mech(self) -> float:
        """Through a torso that holds the engine, or the head."""
        unit = self.target.unit
        survives = 1.0
        rear = sum(behind for *_, behind in self.shots) * 2 > len(self.shots)
        for location in (CT, RT, LT):
            if location != CT and (share_of(unit, location) < 1.0 or unit.lost(location)):
                continue
            odds = [strikes[location] for _, _, _, strikes, _ in self.shots]
            survives *= 1.0 - tail(*self._at(odds), left(unit, location, rear))
        head = left(unit, HD, False)
        for chance, groups, points, strikes, _ in self.shots:
            share = min(1.0, points / head) ** 2
            survives *= 1.0 - min(1.0, chance * groups * strikes[HD]) * share
        return 1.0 - survives

    def stagger(self) -> float:
        """Chance that the volley calls for a piloting roll of a 'Mech."""
        already = self.target.unit.damage_this_phase
        return tail(*self._at([1.0] * len(self.shots)), _STAGGER - already)

    def worth(self, weights: Weights) -> float:
        """What killing and toppling chances are worth."""
        target = self.target
        total = weights.kill * target.value * self.kill()
        if target.unit.spec.is_mech and not target.unit.prone and not target.unit.immobile:
            total += weights.stagger * target.value * topple_odds(target) * self.stagger()
        return total
