"""What physical attacks do: points of damage, the hit table and the side that is struck. Rule: S-8, S-9."""

from __future__ import annotations

from opfor.rules.melee.eligible import limb_of, side_struck
from opfor.rules.melee.figures import FIGURES, attack_row, rounded
from opfor.rules.melee.physical_modifiers import wading
from opfor.rules.troops.infantry import physical_losses
from opfor.state import State
from opfor.units.state import UnitState


def tsm_active(unit: UnitState) -> bool:
    """Whether triple-strength myomer works: it is aboard and hot. Rule: S-8, S-7."""
    return unit.heat >= int(FIGURES["tsm"]["heat"]) and unit.has_equipment("tsm")


def physical_damage(attacker: UnitState, attack: str, limb: str = "") -> int:
    """Points of damage of a punch, kick, push or blow that hits. Rule: S-8.

    Tonnage first; actuators halve it and hot triple-strength myomer doubles it, rounded down together; a limb under water
    does half, rounded up. Charges and deaths from above: :mod:`opfor.rules.melee.charges`.
    """
    row = attack_row(attack)
    if "tons_per_point" not in row:
        return 0
    points = rounded(attacker.spec.tons, int(row["tons_per_point"]), row["round"]) + int(row.get("plus", 0))
    halves = 0
    if limb and "halves" in row:
        location, _ = limb_of(attacker, limb)
        halves = sum(1 for kind in row["halves"] if not attacker.working(location, kind))
    times = int(FIGURES["tsm"]["times"]) if tsm_active(attacker) else 1
    points = points * times >> halves
    # arms are under water from depth 2 on, legs from depth 1
    if attacker.elevation <= (-1 if attack == "kick" else -2):
        points = -(-points // 2)
    return max(int(row["minimum"]), points)


def damage_to(target: UnitState, points: int) -> int:
    """What a physical attack of so many points does to a unit: to a platoon a tenth, in troopers. Rule: S-8, S-9."""
    return physical_losses(points) if target.spec.kind == "infantry" else points


def physical_hit_table(state: State, attacker: UnitState, attack: str, target: UnitState) -> str:
    """The hit location table of an attack: normal, punch or kick. Rule: S-8.

    By the difference of level: an attacker below strikes the legs, one above the upper body. A prone target is low.
    """
    if not target.spec.is_mech:
        return "normal"
    if attack == "charge":
        if wading(state, target):
            return "punch"
        # a vehicle strikes a standing 'Mech's legs
        return "kick" if attacker.spec.is_vehicle and not target.prone else "normal"
    if attack == "dfa":
        return "normal" if target.prone else "punch"
    above = state.base(target) - state.base(attacker)
    if target.prone:
        return "normal"
    if attack == "punch":
        return "punch" if above == 0 else "kick"
    if attack == "kick":
        return "kick" if above == 0 else "punch"
    return "normal" if above == 0 else "kick" if above > 0 else "punch"


def physical_side(state: State, attacker: UnitState, attack: str, target: UnitState) -> str:
    """The side that an attack strikes: that towards the attacker; a prone 'Mech takes a death from above in the back."""
    if attack == "dfa" and target.prone:
        return "rear"
    if attack == "dfa" and target.spec.is_vehicle:
        return "front"
    return side_struck(state, attacker.cell, target)
