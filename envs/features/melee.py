"""What kicks are worth in a place next to an enemy: one's own, less the enemy's. Rule: S-8, E-10, E-11."""

from __future__ import annotations

from typing import NamedTuple

from envs.features.figures import Figures
from envs.features.likely import Threat
from envs.features.modifiers import NO_FIRE, own_fire
from envs.features.scene import Scene
from opfor.rules.melee.physical_modifiers import base_number
from policies.veteran.exchange import PRONE_BLOW, kick_value
from policies.veteran.figures import MOVED, Figure
from policies.veteran.spots import PRONE, STANDING, elevation_of
from policies.veteran.weights import weights

#: bearings from the hull, in 24ths, that legs reach
_AHEAD = frozenset((*range(5), *range(20, 24)))
#: what every kick of an enemy has added, for it will have moved
_MOVED = MOVED["walk"]


class Stand(NamedTuple):
    """The acting unit in a place: hex and elevation, facing (-1: any), whether prone, what its movement adds to fire at it."""

    cell: int
    elevation: int
    facing: int
    prone: bool
    dodge: int


class Melee:
    """The blows that units of a battle may exchange."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def worth(self, scene: Scene, near: list[Threat], mode: str, stand: Stand) -> float:
        """What kicks are worth to the acting unit among enemies that are next to it, in points of damage to a sound 'Mech."""
        weigh = weights()
        me = self._figures.of(scene, scene.acting)
        level = scene.board.level
        mine = level[stand.cell] + stand.elevation
        own = own_fire(scene.me, mode)
        upright = scene.me.spec.is_mech and not stand.prone
        strikes = bool(me.kick) and upright and mode not in NO_FIRE
        total = 0.0
        for threat in near:
            enemy = self._figures.of(scene, threat.place)
            posture = threat.key & 3
            theirs = level[threat.cell] + elevation_of(threat.key)
            bearing = scene.board.grid.sextant(stand.cell, threat.cell)
            ahead = stand.facing < 0 or (bearing - 4 * stand.facing) % 24 in _AHEAD
            if strikes and ahead and 0 <= mine - theirs <= (posture == STANDING):
                number = _number(scene, me, enemy) + own + threat.dodge + (PRONE_BLOW if posture == PRONE else 0)
                count = weigh.unmoved_given if threat.coming else 1.0
                total += threat.share * count * weigh.melee_given * kick_value(me, enemy, number, weigh)
            turned = threat.facing < 0 or (bearing + 12 - 4 * threat.facing) % 24 in _AHEAD
            if enemy.kick and posture == STANDING and turned and 0 <= theirs - mine <= upright:
                number = _number(scene, enemy, me) + _MOVED + stand.dodge + (PRONE_BLOW if stand.prone else 0)
                count = weigh.unmoved_taken if threat.coming else 1.0
                total -= threat.share * count * weigh.melee_taken * kick_value(enemy, me, number, weigh)
        return total


def _number(scene: Scene, attacker: Figure, target: Figure) -> int:
    """The base number of a kick."""
    return base_number(scene.state, attacker.unit, target.unit, "kick").value


__all__ = ["Melee", "Stand"]
