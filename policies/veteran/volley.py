"""What a whole volley may do that single shots do not: destroy its target, or make it roll to stay on its feet. Rule: S-5, S-6.

Damage by location is taken as normally distributed, which is close enough for choosing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from opfor.rules.expectation import location_odds, mean_cluster
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.spec import CT, HD, LT, RT
from policies.veteran.exchange import topple_odds
from policies.veteran.figures import Figure
from policies.veteran.weights import Weights
from policies.veteran.worth import left, share_of

_STAGGER: int = table("piloting_rolls")["damage_roll"]


def tail(mean: float, variance: float, least: float) -> float:
    """Chance that a sum of that mean and variance reaches ``least``."""
    if least <= 0:
        return 1.0
    if mean <= 0.0:
        return 0.0
    return 0.5 * math.erfc((least - 0.5 - mean) / math.sqrt(2.0 * (variance + 0.25)))


def groups_of(mode: FireMode, bracket: int, bonus: int) -> tuple[float, float]:
    """A hit of a weapon as (mean number of groups, points of a group)."""
    each = mode.damage(bracket)
    if not mode.cluster:
        return 1.0, float(each)
    hits = float(mode.cluster) if "streak" in mode.weapon.flags else mean_cluster(mode.cluster, mode.cluster_mod + bonus)
    if mode.each_hit_separate:
        return hits, float(each)
    group = max(mode.group, 1)
    return max(1.0, hits * each / group), float(min(group, hits * each))


@dataclass(slots=True)
class Volley:
    """The shots that are aimed at one target, by chance, groups and points, and the side they strike."""

    target: Figure
    shots: list[tuple[float, float, float, str]] = field(default_factory=list)

    def add(self, chance: float, groups: float, points: float, side: str) -> None:
        """Add a shot."""
        if points > 0:
            self.shots.append((chance, groups, points, side))

    def _at(self, odds: list[float]) -> tuple[float, float]:
        """Mean and variance of the damage at something that each shot strikes with a chance of its own."""
        mean = variance = 0.0
        for (chance, groups, points, _), odd in zip(self.shots, odds, strict=True):
            hit = groups * points * odd
            mean += chance * hit
            variance += chance * (groups * points * points * odd * (1.0 - odd) + hit * hit) - (chance * hit) ** 2
        return mean, max(0.0, variance)

    def kill(self) -> float:
        """Chance that the volley destroys its target: through a torso that holds the engine, or the head."""
        unit = self.target.unit
        if not self.shots:
            return 0.0
        survives = 1.0
        quad = unit.spec.quad
        for location in (CT, RT, LT):
            if location != CT and (share_of(unit, location) < 1.0 or unit.lost(location)):
                continue
            odds = [location_odds(quad, side, "normal")[location] for _, _, _, side in self.shots]
            rear = sum(1 for _, _, _, side in self.shots if side == "rear") * 2 > len(self.shots)
            survives *= 1.0 - tail(*self._at(odds), left(unit, location, rear))
        head = left(unit, HD, False)
        for chance, groups, points, side in self.shots:
            share = min(1.0, points / head) ** 2
            survives *= 1.0 - min(1.0, chance * groups * location_odds(quad, side, "normal")[HD]) * share
        return 1.0 - survives

    def stagger(self) -> float:
        """Chance that the volley calls for a piloting roll."""
        already = self.target.unit.damage_this_phase
        return tail(*self._at([1.0] * len(self.shots)), _STAGGER - already)

    def worth(self, weights: Weights) -> float:
        """What killing and toppling chances are worth."""
        target = self.target
        total = weights.kill * target.value * self.kill()
        if not target.unit.prone and not target.unit.immobile:
            total += weights.stagger * target.value * topple_odds(target) * self.stagger()
        return total
