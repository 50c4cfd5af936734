"""What a volley at one target is worth, in the points that everything else is weighed in too.

    value = ((damage + 10 x criticals + 50 x kill chance) x threat - 30 x overkill) x (1 + rank) - 5 x heat over the limit

Criticals and kills are judged shot by shot against one location of the target as it is, never for the volley as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import log10
from typing import NamedTuple

from opfor.rules.shooting.expectation import critical_odds, location_odds
from opfor.units.spec import CT, HD, LA, LL, LT, RA, REAR_ARMOR, RL, RT
from opfor.units.state import UnitState
from policies.princess.heat import knapsack
from policies.princess.overkill import Assigned, overkill, toughness
from policies.princess.settings import Settings, figures

#: where a hit goes that strikes a location which is gone
_INWARD = {RA: RT, LA: LT, RL: RT, LL: LT, RT: CT, LT: CT}
#: equipment that makes a target worth more: of those who lead, and of those who help
_LEADS = frozenset({"c3_master"})
_HELPS = frozenset({"c3_slave", "c3i", "ecm", "probe"})
#: figures of weapon fire
_FIRE = figures("fire")


class Shot(NamedTuple):
    """One weapon at the target: chance to hit, points of a hit, criticals and kill chance of a hit, heat."""

    odds: float
    damage: float
    criticals: float
    kill: float
    heat: int

    @property
    def plain(self) -> float:
        """What it is worth before all that depends on the target: damage, criticals and kill chance."""
        return float(self.odds * (self.damage + _FIRE["critical"] * self.criticals + _FIRE["kill"] * self.kill))


class Plan(NamedTuple):
    """The best volley: its value, the points that it is expected to do, and the shots of it by their place in the list."""

    value: float
    damage: float
    picks: tuple[int, ...]


NO_PLAN = Plan(0.0, 0.0, ())


@cache
def criticals_of_a_breach() -> float:
    """Mean critical hits of one critical roll: (9 x 1 + 5 x 2 + 1 x 3) / 36 = 22/36."""
    return sum(hits * odds for hits, odds in enumerate(critical_odds()))


def threat_factor(most: float, config: Settings) -> float:
    """How much more a point at a target counts by the damage that it can do itself at a range of 1: a logarithm."""
    return log10(_FIRE["threat_base"] + most * _FIRE["threat_scale"] / config.value("self_preservation"))


def rank_of(unit: UnitState) -> float:
    """What is added for who leads a network (0.5), or carries what helps others (0.25)."""
    kinds = {item.kind for item in unit.spec.equipment if not unit.equipment_lost >> item.index & 1}
    if kinds & _LEADS:
        return float(_FIRE["commander"])
    tags = any("designator" in mount.weapon.flags for mount in unit.spec.mounts)
    return float(_FIRE["helper"]) if tags or kinds & _HELPS else 0.0


class Mark:
    """A target: how a hit breaks into it by side, and what a point of damage at it is worth.

    ``most``: damage that it can do at a range of 1. ``priority``: the game master has named it to be attacked first.
    """

    def __init__(self, unit: UnitState, most: float, config: Settings, assigned: Assigned, *, priority: bool = False) -> None:
        self.unit = unit
        self.config = config
        #: points that it has left, and those that fire declared before is expected to do
        self.points = toughness(unit)
        self.assigned = assigned.at(unit)
        self.threat = threat_factor(most, config)
        self.rank = rank_of(unit) + (_FIRE["priority"] if priority else 0.0)
        self._breaches: dict[tuple[str, float], tuple[float, float]] = {}

    def breach(self, side: str, points: float) -> tuple[float, float]:
        """Criticals and kill chance of a hit of so many points, all at one location of a 'Mech; nothing for other kinds."""
        known = self._breaches.get((side, points))
        if known is None:
            known = self._breaches[side, points] = self._breach(side, points)
        return known

    def _breach(self, side: str, points: float) -> tuple[float, float]:
        unit = self.unit
        if not unit.spec.is_mech:
            return 0.0, 0.0
        criticals = kill = 0.0
        for location, odds in enumerate(location_odds(unit.spec.quad, side, "normal")):
            while unit.lost(location) and location in _INWARD:
                location = _INWARD[location]
            behind = side == "rear" and location in REAR_ARMOR
            armor = unit.armor[REAR_ARMOR[location]] if behind else unit.armor[location]
            if points > armor + unit.structure[location]:
                criticals += odds
                if location in (HD, CT):
                    kill += odds
            elif points > armor:
                criticals += odds * criticals_of_a_breach()
        return criticals, kill

    def shot(self, odds: float, damage: float, side: str, heat: int) -> Shot:
        """A shot at it from a side."""
        return Shot(odds, damage, *self.breach(side, damage), heat)

    def value(self, shots: Sequence[Shot], limit: int | None) -> float:
        """What these shots together are worth; ``limit`` is the heat that they may build up, None for who feels none."""
        whole = 1.0
        damage = criticals = 0.0
        heat = 0
        for shot in shots:
            damage += shot.odds * shot.damage
            criticals += shot.odds * shot.criticals
            whole *= 1.0 - shot.odds * shot.kill
            heat += shot.heat
        points = damage + _FIRE["critical"] * criticals + _FIRE["kill"] * (1.0 - whole)
        over = 0 if limit is None else max(0, heat - limit)
        wasted = 0.0 if self.unit.spec.is_infantry else overkill(self.assigned, damage, self.points)
        return float((points * self.threat - _FIRE["overkill"] * wasted) * (1.0 + self.rank) - _FIRE["heat"] * over)

    def plan(self, shots: Sequence[Shot], limit: int | None) -> Plan:
        """The best volley of these shots, one to a weapon."""
        if not shots:
            return NO_PLAN
        scale = self.threat * (1.0 + self.rank)
        picks = knapsack([shot.plain * scale for shot in shots], [shot.heat for shot in shots], limit)
        chosen = [shots[index] for index in picks]
        return Plan(self.value(chosen, limit), sum(shot.odds * shot.damage for shot in chosen), picks)
