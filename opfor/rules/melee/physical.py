"""Physical attacks and their target numbers. Rule: S-8.

All of them reach one hex. :func:`physical_attack` answers for every attack; who may make which is told by
:mod:`opfor.rules.melee.eligible`; clubs, hatchets and swords are worked out in :mod:`opfor.rules.melee.clubs`, charges and
deaths from above in :mod:`opfor.rules.melee.charges`, what blows do in :mod:`opfor.rules.melee.blows`.

Attacks are ``punch``, ``kick``, ``push``, ``club``, ``hatchet``, ``sword``, ``charge`` and ``dfa``; limbs are named as the
locations of the unit are (``LA``, ``RL``, ``FLL``), with ``_mule`` for a four-legged 'Mech that kicks backward.
"""

from __future__ import annotations

from opfor.rules.melee.charges import charge_number, dfa_number
from opfor.rules.melee.clubs import armed_attack
from opfor.rules.melee.eligible import (
    limb_of,
    stomps,
    why_no_arm,
    why_no_attacker,
    why_not_displace,
    why_not_target,
    why_out_of_reach,
)
from opfor.rules.melee.figures import RULE, attack_row
from opfor.rules.melee.physical_modifiers import add_actuators, add_common, base_number, movement_modifier
from opfor.rules.target_number import TargetNumber
from opfor.state import State
from opfor.units.spec import ARMS
from opfor.units.state import UnitState


def physical_attack(state: State, attacker: UnitState, attack: str, limb: str, target: UnitState) -> TargetNumber:
    """The target number of a physical attack as the two stand, or why it cannot be made. Rule: S-8.

    ``limb`` as in :class:`opfor.orders.PhysicalOrder`, but one arm at a time; "" for a push, a club, a charge or a death
    from above. Charges and deaths from above are judged from the attacker's hex, the last before the target's.
    Raises KeyError for an unknown attack, ValueError for a limb that the unit does not have.
    """
    if attack != "charge" and attacker.spec.is_vehicle:
        return _no("a vehicle rams, and attacks physically in no other way")
    if attack == "punch":
        return _punch(state, attacker, limb, target)
    if attack == "kick":
        return _kick(state, attacker, limb, target)
    if attack == "push":
        return _push(state, attacker, target)
    if attack in ("charge", "dfa"):
        return (charge_number if attack == "charge" else dfa_number)(state, attacker, target)
    return armed_attack(state, attacker, attack, limb, target)


def _no(why: str) -> TargetNumber:
    return TargetNumber.impossible(why, RULE)


def _punch(state: State, attacker: UnitState, limb: str, target: UnitState) -> TargetNumber:
    why = why_not_target(state, attacker, target)
    if why:
        return _no(why)
    if attacker.spec.quad:
        return _no("a four-legged 'Mech has no arms to punch with")
    location, mule = limb_of(attacker, limb)
    if location not in ARMS or mule:
        return _no(f"cannot punch with the {limb}")
    why = why_no_arm(attacker, location)
    if why:
        return _no(why)
    if attacker.arms_flipped:
        return _no("its arms are flipped to the rear")
    why = why_out_of_reach(state, attacker, "punch", limb, target)
    if why:
        return _no(why)
    tn = base_number(state, attacker, target, "punch")
    add_common(state, tn, attacker, target, movement_modifier(state, attacker, attacker.mode))
    add_actuators(tn, attacker, location, "punch")
    return tn


def _kick(state: State, attacker: UnitState, limb: str, target: UnitState) -> TargetNumber:
    stomp = stomps(attacker, target) and target.alive and target.side != attacker.side
    why = why_no_attacker(attacker) if stomp else why_not_target(state, attacker, target)
    if why:
        return _no(why)
    location, mule = limb_of(attacker, limb)
    if location not in attacker.legs:
        return _no(f"cannot kick with the {limb}")
    for leg in attacker.legs:
        if attacker.lost(leg):
            return _no(f"the {attacker.spec.location_name(leg)} is gone")
        if not attacker.working(leg, "hip"):
            return _no(f"the {attacker.spec.location_name(leg)} hip is destroyed")
    if attacker.spec.quad and (location in ARMS) == mule:
        return _no("front legs kick forward, rear legs backward")
    if mule and not attacker.spec.quad:
        return _no("only a four-legged 'Mech kicks backward")
    if attacker.used_arms >> location & 1:
        return _no(f"a weapon in the {attacker.spec.location_name(location)} was fired")
    why = why_out_of_reach(state, attacker, "kick", limb, target)
    if why:
        return _no(why)
    tn = base_number(state, attacker, target, "kick")
    if mule:
        tn.add("kick backward", int(attack_row("kick")["mule"]), RULE)
    if stomp:
        tn.add("between its own feet", int(attack_row("kick")["stomp"]), "S-9")
    add_common(state, tn, attacker, target, movement_modifier(state, attacker, attacker.mode))
    add_actuators(tn, attacker, location, "kick")
    return tn


def _push(state: State, attacker: UnitState, target: UnitState) -> TargetNumber:
    why = why_not_target(state, attacker, target)
    if why:
        return _no(why)
    if attacker.spec.quad:
        return _no("a four-legged 'Mech has no arms to push with")
    for arm in ARMS:
        name = attacker.spec.location_name(arm)
        if attacker.lost(arm):
            return _no(f"the {name} is gone")
        if attacker.used_arms >> arm & 1:
            return _no(f"a weapon in the {name} was fired")
    if attacker.arms_flipped:
        return _no("its arms are flipped to the rear")
    why = why_out_of_reach(state, attacker, "push", "", target) or why_not_displace(state, attacker, target)
    if why:
        return _no(why)
    tn = base_number(state, attacker, target, "push")
    add_common(state, tn, attacker, target, movement_modifier(state, attacker, attacker.mode))
    for arm in ARMS:
        if not attacker.working(arm, "shoulder"):
            tn.add(f"{attacker.spec.location_name(arm)} shoulder destroyed", int(attack_row("push")["shoulder"]), RULE)
    return tn
