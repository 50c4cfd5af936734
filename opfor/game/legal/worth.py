"""What an option of fire is worth before the dice, by a table: for who weighs thousands of them at a glance. Rule: S-4, S-5.

Exact harm, with distance, shelter and what is left of the target, is :func:`opfor.rules.shooting.expectation.harm_on_hit`.
"""

from __future__ import annotations

from opfor.dice import chance_2d6
from opfor.game.legal.volleys import Option
from opfor.rules.shooting.expectation import damage_on_hit, mean_cluster, plasma_dice
from opfor.rules.troops.infantry import is_platoon_weapon
from opfor.tables import table
from opfor.tables.arsenal import BRACKETS, FireMode

#: mean of a die
_DIE = 3.5
_CHANCES = tuple([chance_2d6(number) if number else 0.0 for number in range(13)])
_MEANS: dict[tuple[str, str, str, int, int, bool, int], float] = {}


def expected_damage(option: Option, as_primary: bool = True, *, firing: int = 1) -> float:
    """Mean points of damage of one attack, at the primary target or at another; 0 where it is impossible.

    Points are those of the weapon, the mean of its range brackets, whoever is struck, and the dice that plasma adds against all
    that does not heat up. ``firing``: troopers or suits that fire the weapon together; 1 for all other units.
    """
    number = option.as_primary if as_primary else option.as_secondary
    return _CHANCES[number] * mean_damage(option.mode, option.kind, firing) if number else 0.0


def mean_damage(mode: FireMode, kind: str, firing: int = 1) -> float:
    """Mean points of damage of a hit on a unit of a kind (``hex`` for a hex), the range brackets counting alike."""
    cool = kind != "mech"
    key = (mode.weapon.id, mode.name, mode.ammo, mode.cluster, mode.cluster_mod, cool, firing)
    found = _MEANS.get(key)
    if found is None:
        found = _MEANS[key] = _of_troops(mode, firing) if firing > 1 or is_platoon_weapon(mode) else _of_one(mode)
        if cool:
            found = _MEANS[key] = found + _DIE * plasma_dice(mode)
    return found


def _of_one(mode: FireMode) -> float:
    return sum([damage_on_hit(mode, bracket) for bracket in range(len(BRACKETS))]) / len(BRACKETS)


def _of_troops(mode: FireMode, firing: int) -> float:
    """Of weapons that several fire as one salvo. Rule: S-9."""
    if is_platoon_weapon(mode):
        rows = table("infantry_units")["platoon_weapons"]
        each = float(rows[mode.weapon.id.removeprefix("platoon_")]["damage"])
    else:
        each = sum([mode.damage(bracket) for bracket in range(len(BRACKETS))]) / len(BRACKETS)
    shots = firing * max(1, mode.cluster) if mode.weapon.is_missile else firing
    return each * (mean_cluster(shots, mode.cluster_mod) if shots > 1 else 1.0)
