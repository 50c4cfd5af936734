"""Physical attacks: who may make which, their target numbers, damage and hit tables. Rule: S-8.

All of them reach one hex. :func:`physical_attack` answers for every attack; clubs, hatchets and swords are worked out in
:mod:`opfor.rules.clubs`, charges and deaths from above in :mod:`opfor.rules.charges`. Nothing here changes the state.

Attacks are ``punch``, ``kick``, ``push``, ``club``, ``hatchet``, ``sword``, ``charge`` and ``dfa``; limbs are named as the
locations of the unit are (``LA``, ``RL``, ``FLL``), with ``_mule`` for a four-legged 'Mech that kicks backward.
"""

from __future__ import annotations

from typing import Any

from opfor.orders import MoveOrder, PhysicalOrder
from opfor.rules.arcs import hit_side, in_arc
from opfor.rules.complex_actions import haste_modifier
from opfor.rules.infantry import physical_losses
from opfor.rules.levels import house_number
from opfor.rules.modes import GROUND
from opfor.rules.piloting import skill_words
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.rules.wounds import penalty
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import ARMS, LA, RA
from opfor.units.state import UnitState

RULE = "S-8"
MULE = "_mule"
FIGURES: dict[str, Any] = table("physical")
_TO_HIT: dict[str, Any] = table("to_hit")
_THICKNESS = ("no", "light", "heavy")
ATTACKS: tuple[str, ...] = tuple(FIGURES["attacks"])
DISPLACING: tuple[str, ...] = tuple(FIGURES["displacing"])
ARM_ARC = {LA: "left_arm", RA: "right_arm"}
_ACTUATOR_WORDS = {
    "upper_arm": "upper arm",
    "lower_arm": "lower arm",
    "hand": "hand",
    "upper_leg": "upper leg",
    "lower_leg": "lower leg",
    "foot": "foot",
}


def attack_row(attack: str) -> dict[str, Any]:
    """The figures of an attack. Raises KeyError for an unknown one."""
    row: dict[str, Any] = FIGURES["attacks"][attack]
    return row


# -- where the two stand ----------------------------------------------------------------------------------------------


def adjacent_direction(state: State, attacker: UnitState, target: UnitState) -> int | None:
    """The direction from one unit to another in an adjacent hex, or None."""
    return state.board.grid.direction_to(attacker.cell, target.cell)


def side_struck(state: State, attacker_cell: int, target: UnitState) -> str:
    """Side of the target that faces an adjacent hex, which never lies on the border of two sides. Rule: S-8."""
    return hit_side(state, attacker_cell, target)


def inside_building(state: State, unit: UnitState) -> bool:
    """Whether a unit stands inside a building, below its roof."""
    hex = state.board.hexes[unit.cell]
    return bool(hex.building) and unit.elevation < hex.building_height


def same_building(state: State, attacker: UnitState, target: UnitState, direction: int) -> bool:
    """Whether both stand inside the same building."""
    here = state.board.hexes[attacker.cell]
    return inside_building(state, attacker) and inside_building(state, target) and bool(here.building_exits >> direction & 1)


def limb_of(unit: UnitState, limb: str) -> tuple[int, bool]:
    """The location of a limb and whether it kicks backward. Raises ValueError for a limb that the unit does not have."""
    mule = limb.endswith(MULE)
    return unit.spec.locations.index(limb.removesuffix(MULE)), mule


# -- target numbers ---------------------------------------------------------------------------------------------------


def why_no_attacker(attacker: UnitState) -> str:
    """Why a unit can make no physical attack at all, or ""."""
    if not attacker.alive:
        return "is out of the battle"
    if attacker.spec.is_infantry:
        return "infantry attacks with its weapons, not physically"
    if attacker.shutdown:
        return "is shut down"
    if not attacker.conscious:
        return "its pilot is unconscious" if attacker.spec.is_mech else "its crew is dead"
    if attacker.stunned:
        return "its crew is stunned"
    return "is prone" if attacker.prone else ""


def why_not_target(state: State, attacker: UnitState, target: UnitState) -> str:
    """Why a unit cannot be attacked physically by another, whatever the attack, or ""."""
    why = why_no_attacker(attacker)
    if why:
        return why
    if not target.alive:
        return "the target is out of the battle"
    if target.side == attacker.side:
        return "the target is on the same side"
    if target.aboard or target.swarming:
        return "the target is carried by another unit"
    direction = adjacent_direction(state, attacker, target)
    if direction is None:
        return "the target is not in an adjacent hex"
    if inside_building(state, target) and not same_building(state, attacker, target, direction):
        return "the target is inside a building"
    return ""


def base_number(state: State, attacker: UnitState, target: UnitState, attack: str) -> TargetNumber:
    """The number before circumstances. Rule: S-8, E-10, E-11, E-38.

    The one place where skill enters: piloting skill and what the attack itself adds, charges also comparing the two pilots; or
    by the switch ``physical_base`` the campaign's own numbers, with the pilots' levels compared. Wounds of the attacker's
    pilot add to both.
    """
    if state.ruleset.physical_base == "house":
        tn = house_number(attacker, target, attack)
        tn.add("wounds", penalty(attacker), "E-38")
        return tn
    skill = skill_words(attacker)
    tn = TargetNumber([Modifier(skill, attacker.piloting, RULE)])
    tn.add("wounds", penalty(attacker), "E-38")
    tn.add(attack if attack != "dfa" else "death from above", int(attack_row(attack)["modifier"]), RULE)
    if attack in ("charge", "dfa"):
        ahead = attacker.piloting + penalty(attacker) - target.piloting - penalty(target)
        tn.add(f"{skill} against the target's", ahead, RULE)
    return tn


def movement_modifier(attacker: UnitState, mode: str) -> int:
    """What an attacker's own movement adds. Rule: S-8."""
    if attacker.skidded:
        return int(_TO_HIT["attacker_skidded"])
    return int(_TO_HIT["attacker_movement"].get(mode, 0))


def target_movement(state: State, target: UnitState) -> list[Modifier]:
    """What the target's movement adds, item by item. Rule: S-8."""
    rows = _TO_HIT["target_movement"]
    found = []
    hexes = target.hexes_moved
    value = max((mod for start, mod in rows["by_hexes"] if hexes >= start), default=0)
    if value:
        found.append(Modifier(f"target moved {hexes}", value, RULE))
    if target.mode == "jump":
        found.append(Modifier("target jumped", rows["jumped"], RULE))
    if target.spec.kind == "vtol" and target.mode in GROUND:
        found.append(Modifier("VTOL moved", rows["vtol_moved"], "E-27"))
    if target.skidded:
        found.append(Modifier("target skidded", rows["skidded"], RULE))
    if (hasty := haste_modifier(state, target, target.mode)) is not None:
        found.append(hasty)
    return found


def target_terrain(state: State, target: UnitState) -> list[Modifier]:
    """What the woods and smoke of the target's own hex add, unless it stands above them. Rule: S-8."""
    hex = state.board.hexes[target.cell]
    found = []
    height = state.top(target) - hex.level
    if hex.woods and height < hex.foliage:
        thick = min(hex.woods, 2)
        found.append(Modifier(f"target in {_THICKNESS[thick]} woods", _TO_HIT["target_woods"][thick], RULE))
    if hex.smoke and height < _TO_HIT["smoke_height"]:
        thick = min(hex.smoke, 2)
        found.append(Modifier(f"target in {_THICKNESS[thick]} smoke", _TO_HIT["target_smoke"][thick], RULE))
    return found


def add_common(
    state: State, tn: TargetNumber, attacker: UnitState, target: UnitState, movement: int, *, terrain: bool = True
) -> None:
    """Add what counts in every physical attack: movement, terrain, the state of the target. Rule: S-8.

    ``movement`` is the attacker's own modifier; ``terrain`` whether woods, smoke and water in the target's hex count.
    """
    tn.add(_movement_words(attacker), movement, RULE)
    if attacker.spotting:
        tn.add("spotting", int(state.ruleset.spotter_attack), RULE)
    tn.modifiers.extend(target_movement(state, target))
    if terrain:
        tn.modifiers.extend(target_terrain(state, target))
    if target.prone:
        tn.add("target prone", int(_TO_HIT["prone"]["adjacent"]), RULE)
    if target.immobile:
        tn.add("target immobile", int(_TO_HIT["immobile"]), RULE)
    if target.stuck:
        tn.add("target stuck", int(_TO_HIT["stuck"]), RULE)
    if target.spec.kind == "battle_armor":
        tn.add("battle armour", int(FIGURES["battle_armor"]), "S-9")
    if terrain and wading(state, target):
        tn.add("partial cover, water", int(_TO_HIT["partial_cover"][state.ruleset.partial_cover]), RULE)
        tn.add("target in water", int(state.ruleset.water_to_hit), "E-37")


def _movement_words(attacker: UnitState) -> str:
    if attacker.skidded:
        return "skidded"
    if attacker.spec.is_vehicle:
        return {"walk": "cruised", "run": "flanked"}.get(attacker.mode, "moved")
    return {"walk": "walked", "run": "ran", "jump": "jumped"}.get(attacker.mode, "moved")


def wading(state: State, unit: UnitState) -> bool:
    """Whether a unit stands in water that hides its legs alone."""
    return not unit.prone and unit.elevation == -1 and state.board.depth[unit.cell] == 1


def add_actuators(tn: TargetNumber, attacker: UnitState, location: int, attack: str) -> None:
    """Add the actuators of a limb that do not work. A missing lower arm takes the hand's place. Rule: S-8."""
    name = attacker.spec.location_name(location)
    for kind, value in attack_row(attack)["actuators"].items():
        if attacker.working(location, kind):
            continue
        if kind == "hand" and not attacker.working(location, "lower_arm"):
            continue
        state = "destroyed" if attacker.hit(location, kind) else "missing"
        tn.add(f"{name} {_ACTUATOR_WORDS[kind]} actuator {state}", int(value), RULE)


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
        from opfor.rules.charges import charge_number, dfa_number

        return (charge_number if attack == "charge" else dfa_number)(state, attacker, target)
    from opfor.rules.clubs import armed_attack

    return armed_attack(state, attacker, attack, limb, target)


def why_no_arm(attacker: UnitState, location: int) -> str:
    """Why an arm cannot strike, or "": gone, shoulder destroyed, its weapons fired."""
    name = attacker.spec.location_name(location)
    if attacker.lost(location):
        return f"the {name} is gone"
    if not attacker.working(location, "shoulder"):
        return f"the {name} shoulder is destroyed"
    return f"a weapon in the {name} was fired" if attacker.used_arms >> location & 1 else ""


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
    add_common(state, tn, attacker, target, movement_modifier(attacker, attacker.mode))
    add_actuators(tn, attacker, location, "punch")
    return tn


def stomps(attacker: UnitState, target: UnitState) -> bool:
    """Whether a kick would be at infantry between the 'Mech's own feet. Rule: S-9."""
    return target.spec.is_infantry and attacker.cell == target.cell and not target.swarming and not target.aboard


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
    add_common(state, tn, attacker, target, movement_modifier(attacker, attacker.mode))
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
    add_common(state, tn, attacker, target, movement_modifier(attacker, attacker.mode))
    for arm in ARMS:
        if not attacker.working(arm, "shoulder"):
            tn.add(f"{attacker.spec.location_name(arm)} shoulder destroyed", int(attack_row("push")["shoulder"]), RULE)
    return tn


def why_out_of_reach(state: State, attacker: UnitState, attack: str, limb: str, target: UnitState) -> str:
    """Why a unit in an adjacent hex (or infantry in the 'Mech's own) is beyond a punch, kick, push or blow, or "". Rule: S-8.

    Arcs, heights, and for a push how the target stands: what may have changed by the time a delayed attack lands (E-7).
    """
    if attack == "kick":
        _, mule = limb_of(attacker, limb)
        if not stomps(attacker, target) and not in_arc(state, attacker, target.cell, "legs_rear" if mule else "legs"):
            return "the target is not in the arc of the legs"
        level = state.base(attacker)
        return "" if state.base(target) <= level <= state.top(target) else "the target is too high or too low to kick"
    if attack == "push":
        if adjacent_direction(state, attacker, target) != attacker.facing:
            return "the target is not straight ahead"
        if not target.spec.is_mech:
            return "only 'Mechs can be pushed"
        if target.prone:
            return "the target is prone"
        return "" if state.base(attacker) == state.base(target) else "the target is not at the same level"
    if attack == "punch":
        if not in_arc(state, attacker, target.cell, ARM_ARC[limb_of(attacker, limb)[0]]):
            return f"the target is not in the arc of the {limb}"
        level = state.base(attacker) + 1
        return "" if state.base(target) <= level <= state.top(target) else "the target is too high or too low to punch"
    arc = attack_row(attack)["arc"] if attack == "club" else ARM_ARC[limb_of(attacker, limb)[0]]
    if not in_arc(state, attacker, target.cell, arc):
        return "the target is not in the arc of the arms"
    if state.top(target) < state.base(attacker) or state.base(target) > state.top(attacker):
        return "the target is too high or too low"
    return ""


def why_not_landed(state: State, attacker: UnitState, attack: str, limb: str, target: UnitState) -> str:
    """Why an attack that was made with fire comes to nothing when its turn comes to count, or "". Rule: E-7.

    The attacker must stand and be awake, the target be there and within reach as it stands or lies now. What has happened to
    the limb since changes nothing: the blow has been struck.
    """
    why = why_no_attacker(attacker) if target.alive and stomps(attacker, target) else why_not_target(state, attacker, target)
    return why or why_out_of_reach(state, attacker, attack, limb, target)


def why_not_displace(state: State, attacker: UnitState, target: UnitState) -> str:
    """Why a push, charge or death from above between two units clashes with one declared already, or "". Rule: S-8.

    A unit is the target of one such attack at most. A target that makes one itself, and an attacker that is the target of
    one, may only answer in kind: two 'Mechs may push each other.
    """
    for order in (*state.charges, *state.declared):
        if not isinstance(order, MoveOrder | PhysicalOrder) or order.attack not in DISPLACING or order.unit == attacker.id:
            continue
        if order.unit == target.id:
            if order.attack != "push":
                return "the target is charging or jumping at someone"
            if order.target != attacker.id:
                return "the target is pushing another unit"
        elif order.target == target.id:
            return "the target is already being pushed, charged or jumped at"
        elif order.target == attacker.id:
            return "is itself being pushed, charged or jumped at by another unit"
    for blow in state.pending:
        # pushes made with fire, that have still to count (E-7)
        if blow.attack != "push" or blow.attacker == attacker.id:
            continue
        if blow.attacker == target.id:
            if blow.target != attacker.id:
                return "the target is pushing another unit"
        elif blow.target == target.id:
            return "the target is already being pushed, charged or jumped at"
        elif blow.target == attacker.id:
            return "is itself being pushed, charged or jumped at by another unit"
    return ""


# -- damage -----------------------------------------------------------------------------------------------------------


def tsm_active(unit: UnitState) -> bool:
    """Whether triple-strength myomer works: it is aboard and hot. Rule: S-8, S-7."""
    return unit.heat >= int(FIGURES["tsm"]["heat"]) and unit.has_equipment("tsm")


def rounded(points: int, divisor: int, how: str) -> int:
    """``points / divisor``, rounded ``up`` or ``down``."""
    return -(-points // divisor) if how == "up" else points // divisor


def physical_damage(attacker: UnitState, attack: str, limb: str = "") -> int:
    """Points of damage of a punch, kick, push or blow that hits. Rule: S-8.

    Tonnage first; actuators halve it and hot triple-strength myomer doubles it, rounded down together; a limb under water
    does half, rounded up. Charges and deaths from above: :mod:`opfor.rules.charges`.
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


# -- where it lands ---------------------------------------------------------------------------------------------------


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
