"""Leg attacks and swarming, as planned: what infantry may do at a 'Mech's feet, and what shaking it off is worth. Rule: S-9."""

from __future__ import annotations

from opfor.dice import chance_2d6
from opfor.rules.troops.anti_mech import LEG_ATTACK, SWARM, is_anti_mech, shake_off_number, strength_modifier, swarm_damage
from opfor.rules.troops.infantry import RULES
from opfor.state import State
from opfor.units.spec import Mount
from opfor.units.state import UnitState
from policies.veteran.figures import Figure
from policies.veteran.weights import Weights
from policies.veteran.worth import odds_factor

_ROWS = RULES["anti_mech"]
_DAMAGE: int = _ROWS[LEG_ATTACK]["damage"]
SHAKEN_BY: tuple[str, ...] = tuple(RULES["shaken_off_by"])


def can_assault(me: Figure, enemy: Figure) -> bool:
    """Whether a unit is of a kind to make such attacks, and the other of a kind to suffer them."""
    return me.unit.spec.anti_mech and not enemy.unit.spec.is_infantry and me.unit.active


def pounce(enemy: Figure, me: Figure) -> int:
    """Hexes within which an enemy that is still to move may come to fight a unit at its feet; 0 where it never does."""
    spec = enemy.unit.spec
    return max(spec.walk, spec.jump) if can_assault(enemy, me) and not enemy.unit.swarming and not me.flies else 0


def assault_value(mount: Mount, me: Figure, enemy: Figure, odds: float, weights: Weights) -> float:
    """What a leg or swarm attack with such odds is worth."""
    if mount.id == LEG_ATTACK:
        legs = enemy.unit.legs
        places = tuple([1 / len(legs) if place in legs else 0.0 for place in range(len(enemy.unit.structure))])
        worth = _DAMAGE * odds_factor(enemy.unit, enemy.value, places, False)
        return odds * (worth + weights.tactic * enemy.value)
    damage = swarm_damage(me.unit) * swarm_factor(enemy)
    if me.unit.swarming == enemy.unit.id:
        return damage + weights.clinging * enemy.value
    # the strike comes with the turns after
    return odds * (damage + weights.clinging * enemy.value)


def swarm_factor(enemy: Figure) -> float:
    """Worth of a point that a clinging unit does: on a 'Mech often in the rear or the head."""
    unit = enemy.unit
    if not unit.spec.is_mech:
        return enemy.factors["left", False]
    names = RULES["swarm_hits"]["quad" if unit.spec.quad else "biped"]
    places = list(unit.spec.locations)
    total = 0.0
    for rear in (False, True):
        odds = [0.0] * len(places)
        for roll, name in enumerate(names, start=2):
            behind = len(name) == 3 and name.endswith("R") and name[:2] in ("CT", "RT", "LT")
            if behind == rear:
                odds[places.index(name[:2] if behind else name)] += _ODDS[roll]
        total += odds_factor(unit, enemy.value, tuple(odds), rear)
    return total


_ODDS = {roll: chance_2d6(roll) - chance_2d6(roll + 1) for roll in range(2, 13)}


def assault_words(unit: UnitState, target: str, mount: Mount, odds: float) -> str:
    """Such an attack in a clause."""
    if unit.swarming:
        return f"strikes {target}, which it clings to"
    verb = "goes for the legs of" if mount.id == LEG_ATTACK else "climbs onto"
    return f"{verb} {target}, odds {round(100 * odds)} %"


def planned_assault(me: Figure, enemy: Figure, tm: int, weights: Weights) -> float:
    """The best leg or swarm attack from the enemy's own hex, ``tm`` being what its movement adds."""
    if me.unit.swarming or enemy.flies or not can_assault(me, enemy):
        return 0.0
    best = 0.0
    for mount in me.unit.spec.mounts:
        if not is_anti_mech(mount) or (mount.id == SWARM and enemy.swarmer) or (mount.id == LEG_ATTACK and not enemy.hot):
            continue
        strength = strength_modifier(me.unit, mount)
        if strength is None:
            continue
        row = _ROWS[mount.id]
        number = me.unit.piloting + strength + tm
        number += row["prone"] * enemy.unit.prone + (0 if enemy.hot else row.get("vehicle", 0))
        best = max(best, assault_value(mount, me, enemy, chance_2d6(number), weights))
    return best


def shaking_off(state: State, me: Figure, mode: str, weights: Weights) -> float:
    """What moving so is worth for what clings to the unit."""
    if not me.swarmer or mode not in SHAKEN_BY:
        return 0.0
    return shake_off_number(state, me.unit).odds * weights.shaken * me.value
