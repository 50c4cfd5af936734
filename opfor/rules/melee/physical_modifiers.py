"""The modifiers that physical attacks share: base number, movement, terrain, actuators. Rule: S-8, E-10, E-11, E-37."""

from __future__ import annotations

from opfor.rules.melee.figures import FIGURES, RULE, attack_row
from opfor.rules.melee.levels import house_number
from opfor.rules.moving.modes import GROUND
from opfor.rules.own import add_to_blow
from opfor.rules.pilots.piloting import skill_words
from opfor.rules.pilots.wounds import penalty
from opfor.rules.shooting.numbers import SMOKE_HEIGHT, numbers_of
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.rules.turn.complex_actions import haste_modifier
from opfor.state import State
from opfor.units.state import UnitState


def base_number(state: State, attacker: UnitState, target: UnitState, attack: str) -> TargetNumber:
    """The number before circumstances. Rule: S-8, E-10, E-11, E-38.

    The one place where skill enters: piloting skill and what the attack itself adds, charges also comparing the two pilots; or
    by the switch ``physical_base`` the campaign's own numbers, with the pilots' levels compared. Wounds of the attacker's
    pilot add to both, and so do own rules, which are asked here.
    """
    figures = state.ruleset.table("physical")
    if state.ruleset.physical_base == "house":
        tn = house_number(attacker, target, attack, figures["house"]["base"])
        tn.add("wounds", penalty(attacker), "E-38")
        add_to_blow(state, tn, attacker, target, attack)
        return tn
    skill = skill_words(attacker)
    tn = TargetNumber([Modifier(skill, attacker.piloting, RULE)])
    tn.add("wounds", penalty(attacker), "E-38")
    tn.add(attack if attack != "dfa" else "death from above", int(figures["attacks"][attack]["modifier"]), RULE)
    if attack in ("charge", "dfa"):
        ahead = attacker.piloting + penalty(attacker) - target.piloting - penalty(target)
        tn.add(f"{skill} against the target's", ahead, RULE)
    add_to_blow(state, tn, attacker, target, attack)
    return tn


def movement_modifier(state: State, attacker: UnitState, mode: str) -> int:
    """What an attacker's own movement adds. Rule: S-8."""
    numbers = numbers_of(state.ruleset)
    return numbers.attacker_skidded if attacker.skidded else numbers.moved.get(mode, 0)


def target_movement(state: State, target: UnitState) -> list[Modifier]:
    """What the target's movement adds, item by item. Rule: S-8."""
    numbers = numbers_of(state.ruleset)
    found = []
    hexes = target.hexes_moved
    value = numbers.by_hexes(hexes)
    if value:
        found.append(Modifier(f"target moved {hexes}", value, RULE))
    if target.mode == "jump":
        found.append(Modifier("target jumped", numbers.jumped, RULE))
    if target.spec.kind == "vtol" and target.mode in GROUND:
        found.append(Modifier("VTOL moved", numbers.vtol_moved, "E-27"))
    if target.skidded:
        found.append(Modifier("target skidded", numbers.skidded, RULE))
    if (hasty := haste_modifier(state, target, target.mode)) is not None:
        found.append(hasty)
    return found


def target_terrain(state: State, target: UnitState) -> list[Modifier]:
    """What the woods and smoke of the target's own hex add, unless it stands above them. Rule: S-8."""
    hex = state.board.hexes[target.cell]
    numbers = numbers_of(state.ruleset)
    found = []
    height = state.top(target) - hex.level
    if hex.woods and height < hex.foliage:
        thick = min(hex.woods, 2)
        found.append(Modifier(f"target in {_THICKNESS[thick]} woods", numbers.target_woods[thick], RULE))
    if hex.smoke and height < SMOKE_HEIGHT:
        thick = min(hex.smoke, 2)
        found.append(Modifier(f"target in {_THICKNESS[thick]} smoke", numbers.target_smoke[thick], RULE))
    return found


def add_common(
    state: State, tn: TargetNumber, attacker: UnitState, target: UnitState, movement: int, *, terrain: bool = True
) -> None:
    """Add what counts in every physical attack: movement, terrain, the state of the target. Rule: S-8.

    ``movement`` is the attacker's own modifier; ``terrain`` whether woods, smoke and water in the target's hex count.
    """
    numbers = numbers_of(state.ruleset)
    tn.add(_movement_words(attacker), movement, RULE)
    if attacker.spotting:
        tn.add("spotting", int(state.ruleset.spotter_attack), RULE)
    tn.modifiers.extend(target_movement(state, target))
    if terrain:
        tn.modifiers.extend(target_terrain(state, target))
    if target.prone:
        tn.add("target prone", numbers.prone["adjacent"], RULE)
    if target.immobile:
        tn.add("target immobile", numbers.immobile, RULE)
    if target.stuck:
        tn.add("target stuck", numbers.stuck, RULE)
    if target.spec.kind == "battle_armor":
        tn.add("battle armour", int(FIGURES["battle_armor"]), "S-9")
    if terrain and wading(state, target):
        tn.add("partial cover, water", numbers.partial_cover[state.ruleset.partial_cover], RULE)
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


_THICKNESS = ("no", "light", "heavy")


_ACTUATOR_WORDS = {
    "upper_arm": "upper arm",
    "lower_arm": "lower arm",
    "hand": "hand",
    "upper_leg": "upper leg",
    "lower_leg": "lower leg",
    "foot": "foot",
}
