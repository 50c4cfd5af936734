"""What a hit does to its target, as a mean and in words: points of damage, or troopers lost by a platoon. Rule: S-5, S-9.

The very functions that resolve hits, averaged over the dice that they would ask for.
"""

from __future__ import annotations

from opfor.rules.shooting.expectation import harm_on_hit
from opfor.rules.terrain.buildings import shelter_of
from opfor.rules.troops import anti_mech
from opfor.rules.troops.infantry import in_the_open, is_platoon_weapon, salvo_column
from opfor.rules.troops.infantry_damage import damage_class, is_mechanized
from opfor.state import State
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.munition_loads import INCENDIARY, INFERNO, THUNDER
from opfor.units.spec import Mount
from opfor.units.state import UnitState


def mean_harm(state: State, unit: UnitState, mount: Mount, mode: FireMode, target: UnitState, distance: int) -> float:
    """Mean points that a hit does, or troopers that a platoon loses by it. Rule: S-5, S-9."""
    return harm_on_hit(state, unit, mount, mode, target, distance)


def harm_words(state: State, unit: UnitState, mount: Mount, mode: FireMode, target: UnitState, distance: int) -> str:
    """What a hit does and what is to be rolled for it."""
    if anti_mech.is_anti_mech(mount):
        if mount.id == anti_mech.LEG_ATTACK:
            return f"{table('infantry')['anti_mech']['leg_attack']['damage']} points to a leg, and a critical roll there"
        clings = unit.swarming == target.id
        words = f"{anti_mech.swarm_damage(unit)} points a turn"
        return f"{words}, swarm table" if clings else f"it clings to the target, {words} from the next fire phase on"
    if mode.target_heat and target.spec.is_mech:
        return f"{mode.target_heat} heat"
    if mode.munition and (load := _load_words(state, mode, target)):
        return load
    each = mode.damage(mode.weapon.bracket(max(1, distance)) or 0, inside_minimum=distance <= mode.weapon.minimum)
    if unit.spec.is_infantry:
        words = _infantry_words(unit, mount, mode, each)
    else:
        words = _weapon_words(mode, each)
    if target.spec.kind == "infantry":
        words = f"{words}; {_loss_words(state, unit, mode, target)}"
    elif target.spec.kind == "hex":
        words = words.partition(", ")[0] + " to what stands there"
    elif not unit.spec.is_infantry and not mode.cluster:
        words += ", roll 2d6 for the location"
    shelter = shelter_of(state, unit, target) if target.spec.kind != "hex" else None
    if shelter is None:
        return words
    if shelter.percent is not None:
        return f"{words}, {shelter.percent} % of them inside the building"
    return f"{words}, less {shelter.absorbs} each to the walls"


def _load_words(state: State, mode: FireMode, target: UnitState) -> str:
    """What special missiles do in place of damage, "" for those that do damage. Rules: E-32, E-33, E-33a."""
    rows = table("munitions")
    if mode.munition == THUNDER:
        return f"lays mines of density {mode.cluster}"
    burns = mode.munition == INFERNO or (mode.munition == INCENDIARY and state.ruleset.incendiary == "house")
    if not burns:
        return ""
    roll = f"roll 2d6 for the cluster of {mode.cluster}"
    if mode.munition == INCENDIARY:
        row = rows["incendiary"]
        if target.spec.is_mech:
            return f"{roll}, 1 heat for {row['points_per_heat']} points"
        return f"{roll}, {row['points_per_inferno']} points are one inferno"
    row = rows["inferno"]
    by_kind = {
        "mech": f"{row['heat']} heat a missile",
        "infantry": f"{row['troopers']} troopers a missile",
        "battle_armor": f"a suit for {row['missiles_per_suit']} missiles",
        "hex": "fire on what stands there",
    }
    return f"{roll}, " + by_kind.get(target.spec.kind, f"a location and a critical roll at {row['vehicle_critical']} a missile")


def _weapon_words(mode: FireMode, each: int) -> str:
    if not mode.cluster:
        return f"{each} points"
    if "streak" in mode.weapon.flags:
        return f"{mode.cluster} x {each} points, each with its location"
    group = "each hit with its location" if mode.each_hit_separate or mode.group <= each else f"groups of {mode.group}"
    return f"roll 2d6 for the cluster of {mode.cluster}, {each} {'point' if each == 1 else 'points'} a hit, {group}"


def _infantry_words(unit: UnitState, mount: Mount, mode: FireMode, each: int) -> str:
    column = salvo_column(unit, mount, mode)
    if is_platoon_weapon(mode):
        group = table("infantry")["group"]
        return f"roll 2d6 for the cluster of {column} troopers, groups of {group}"
    if column <= 1:
        return f"{each} points, roll 2d6 for the location"
    return f"roll 2d6 for the cluster of {column}, {each} {'point' if each == 1 else 'points'} a hit"


def _loss_words(state: State, unit: UnitState, mode: FireMode, target: UnitState) -> str:
    """How points become troopers. Rule: S-9."""
    name = damage_class(mode)
    row = table("infantry")["damage_received"].get(name, {})
    if name == "infantry":
        words = "a trooper a point"
    elif "dice" in row:
        words = f"{row['dice']}d6 troopers a hit" + (", halved" if row.get("half") else "")
    elif "times" in row:
        words = f"points x {row['times']} troopers"
    elif row.get("per"):
        words = f"a trooper for {row['per']} points" + (f" and {row['plus']} more" if row.get("plus") else "")
    else:
        words = "no troopers"
    if is_mechanized(target):
        words += ", mechanized platoon"
    return words + (", doubled in the open" if in_the_open(state, target) else "")
