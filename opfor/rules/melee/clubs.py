"""Blows with something in the hand: clubs of trees and girders, hatchets, swords; picking up a club. Rule: S-8."""

from __future__ import annotations

from opfor.board.board import Board
from opfor.rules.melee.eligible import limb_of, why_no_arm, why_no_attacker, why_not_target, why_out_of_reach
from opfor.rules.melee.figures import FIGURES, RULE
from opfor.rules.melee.physical_modifiers import add_actuators, add_common, base_number, movement_modifier
from opfor.rules.target_number import TargetNumber
from opfor.state import State
from opfor.units.spec import ARMS
from opfor.units.state import UnitState

_CLUBS = FIGURES["clubs"]
KINDS: tuple[str, ...] = tuple(_CLUBS["kinds"])


def armed_arms(unit: UnitState, attack: str) -> list[int]:
    """The arms that hold a working hatchet or sword."""
    return [
        arm
        for arm in ARMS
        if any(e.kind == attack and e.location == arm and not unit.equipment_lost >> e.index & 1 for e in unit.spec.equipment)
    ]


def armed_attack(state: State, attacker: UnitState, attack: str, limb: str, target: UnitState) -> TargetNumber:
    """The target number of a blow with a club (both arms), a hatchet or a sword (one arm). Rule: S-8."""
    why = why_not_target(state, attacker, target) or _why_no_arms(attacker, attack, limb)
    if why:
        return TargetNumber.impossible(why, RULE)
    why = why_out_of_reach(state, attacker, attack, limb, target)
    if why:
        return TargetNumber.impossible(why, RULE)
    arms = ARMS if attack == "club" else (limb_of(attacker, limb)[0],)
    tn = base_number(state, attacker, target, attack)
    add_common(state, tn, attacker, target, movement_modifier(state, attacker, attacker.mode))
    for arm in arms:
        add_actuators(tn, attacker, arm, attack)
    return tn


def _why_no_arms(attacker: UnitState, attack: str, limb: str) -> str:
    if attacker.spec.quad:
        return "a four-legged 'Mech has no arms"
    if attacker.arms_flipped:
        return "its arms are flipped to the rear"
    if attack == "club":
        return why_no_club_arms(attacker) if attacker.club else "holds no club"
    location, mule = limb_of(attacker, limb)
    if location not in ARMS or mule or location not in armed_arms(attacker, attack):
        return f"has no working {attack} in the {limb}"
    return why_no_arm(attacker, location) or _why_no_hand(attacker, location)


def why_no_club_arms(unit: UnitState) -> str:
    """Why the arms cannot hold or swing a club: it takes two, with shoulders and hands, that have not fired. Rule: S-8."""
    for arm in ARMS:
        why = why_no_arm(unit, arm) or _why_no_hand(unit, arm)
        if why:
            return why
    return ""


def _why_no_hand(unit: UnitState, arm: int) -> str:
    return "" if unit.working(arm, "hand") else f"the {unit.spec.location_name(arm)} has no working hand"


def clubs_at_hand(state: State, unit: UnitState) -> tuple[str, ...]:
    """Kinds of club that lie within reach of a unit: trees of woods, girders of rubble or a stout building. Rule: S-8."""
    board, cell = state.board, unit.cell
    known: dict[int, tuple[str, ...]] = board.tables.setdefault("clubs_at_hand", {})
    found = known.get(cell)
    if found is None:
        found = known[cell] = _lying_around(board, cell)
    return found


def _lying_around(board: Board, cell: int) -> tuple[str, ...]:
    grid = board.grid
    cells = [cell]
    if int(_CLUBS["pick_up_reach"]):
        cells += [near for step in grid.step if grid.contains(near := cell + step)]
    found = set()
    for near in cells:
        hex = board.hexes[near]
        if hex.woods:
            found.add("tree")
        if hex.rubble or hex.building >= int(_CLUBS["min_building"]):
            found.add("girder")
    return tuple(kind for kind in KINDS if kind in found)


def pick_ups(state: State, unit: UnitState) -> tuple[str, ...]:
    """The kinds of club that a unit can pick up. Rule: S-8."""
    return () if _why_no_free_hands(unit) else clubs_at_hand(state, unit)


def why_no_pick_up(state: State, unit: UnitState, kind: str) -> str:
    """Why a unit cannot pick up a club of a kind, or "". It takes the place of a physical attack. Rule: S-8."""
    why = _why_no_free_hands(unit)
    if why:
        return why
    return "" if kind in clubs_at_hand(state, unit) else f"there is no {kind or 'club'} within reach"


def _why_no_free_hands(unit: UnitState) -> str:
    """Why a unit cannot pick up a club of any kind, or ""."""
    why = why_no_attacker(unit)
    if why:
        return why
    if unit.spec.quad:
        return "a four-legged 'Mech has no arms"
    if unit.club:
        return f"already holds a {unit.club}"
    if unit.mode not in _CLUBS["pick_up_modes"]:
        return "ran or jumped this turn"
    if unit.arms_flipped:
        return "its arms are flipped to the rear"
    return why_no_club_arms(unit)


def breaks(club: str) -> bool:
    """Whether a club is gone after a blow that hits."""
    return bool(_CLUBS["kinds"][club]["breaks"])
