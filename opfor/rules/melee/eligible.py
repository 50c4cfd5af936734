"""Who may attack whom physically, with what, and from where: all but the number. Rule: S-8."""

from __future__ import annotations

from opfor.orders import MoveOrder, PhysicalOrder
from opfor.rules.melee.figures import FIGURES, attack_row
from opfor.rules.shooting.arcs import hit_side, in_arc
from opfor.state import State
from opfor.units.spec import LA, RA
from opfor.units.state import UnitState

MULE = "_mule"
ATTACKS: tuple[str, ...] = tuple(FIGURES["attacks"])
DISPLACING: tuple[str, ...] = tuple(FIGURES["displacing"])
ARM_ARC = {LA: "left_arm", RA: "right_arm"}


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


def why_no_arm(attacker: UnitState, location: int) -> str:
    """Why an arm cannot strike, or "": gone, shoulder destroyed, its weapons fired."""
    name = attacker.spec.location_name(location)
    if attacker.lost(location):
        return f"the {name} is gone"
    if not attacker.working(location, "shoulder"):
        return f"the {name} shoulder is destroyed"
    return f"a weapon in the {name} was fired" if attacker.used_arms >> location & 1 else ""


def stomps(attacker: UnitState, target: UnitState) -> bool:
    """Whether a kick would be at infantry between the 'Mech's own feet. Rule: S-9."""
    return target.spec.is_infantry and attacker.cell == target.cell and not target.swarming and not target.aboard


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
