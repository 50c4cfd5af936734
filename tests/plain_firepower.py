"""Expected damage of a volley written plainly: every weapon through its target number. The tabled kernel must agree."""

from __future__ import annotations

from opfor.rules.shooting.expectation import expected_damage
from opfor.rules.shooting.frame import Frame
from opfor.rules.shooting.to_hit import weapon_attack
from opfor.state import State
from opfor.tables.arsenal import FireMode
from opfor.units.state import UnitState
from policies.veteran.harm import cluster_bonus


def shots(
    state: State, attacker: UnitState, target: UnitState, seen: Frame, twist: int, flip: bool
) -> list[list[tuple[float, FireMode]]]:
    """By weapon that can hit: its modes with their mean damage, the best first."""
    found = []
    for mount in attacker.spec.mounts:
        rows = []
        for mode in mount.modes:
            number = weapon_attack(state, attacker, mount, mode, target, twist=twist, flip=flip, known=seen)
            if not number.possible:
                continue
            bracket = mode.weapon.bracket(seen.distance)
            assert bracket is not None
            bonus = cluster_bonus(attacker, mount, mode, bracket)
            damage = expected_damage(mode, number.value, bracket, bonus)
            if damage > 0:
                rows.append((damage, mode))
        if rows:
            found.append(sorted(rows, key=lambda row: (-row[0], row[1].heat)))
    return found


def volley(
    state: State, attacker: UnitState, target: UnitState, seen: Frame, *, twist: int = 0, flip: bool = False, heat: int = 999
) -> float:
    """Mean damage of a volley that builds up ``heat`` at most: the most damage for the heat first."""
    ways = shots(state, attacker, target, seen, twist, flip)
    left: dict[str, int] = {}
    total = 0.0
    for rows in sorted(ways, key=lambda rows: -rows[0][0] / (rows[0][1].heat + 0.01)):
        for damage, mode in rows:
            rounds = left.get(mode.ammo, attacker.shots(mode.ammo)) if mode.ammo else 0
            if mode.heat > heat or (mode.ammo and rounds < mode.shots):
                continue
            heat -= mode.heat
            if mode.ammo:
                left[mode.ammo] = rounds - mode.shots
            total += damage
            break
    return total
