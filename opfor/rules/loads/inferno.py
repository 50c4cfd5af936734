"""Fire that sticks: heat of infernos and incendiary missiles in 'Mechs, and of such ammunition aboard. Rules: E-32, E-33.

With the switch ``inferno_heat_limit`` a 'Mech takes no more than that from all of them in a turn; what is more waits in
``UnitState.heat_carried`` for later turns. With 0 they count with all other heat from outside.
"""

from __future__ import annotations

from opfor.rules.play import Play
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.state import State
from opfor.tables import table
from opfor.units.munition_loads import munition_of, munition_rows, salvo_missiles
from opfor.units.spec import UnitSpec
from opfor.units.state import UnitState

RULE = "E-33"


def heat_mech(play: Play, target: UnitState, heat: int, *, by: str, weapon: str, rule: str = RULE) -> None:
    """A 'Mech is set alight: heat for its heat phase. Rules: E-32, E-33."""
    if heat <= 0:
        return
    if play.state.ruleset.inferno_heat_limit:
        target.heat_carried += heat
    else:
        target.heat_outside += heat
    play.emit("heated", target, rule, by=by, weapon=weapon, heat=heat, dice=[])


def heat_this_turn(state: State, unit: UnitState) -> int:
    """What of the heat of infernos that waits counts in this turn. Rule: E-33."""
    carried = unit.heat_carried
    return min(carried, int(state.ruleset.inferno_heat_limit) or carried) if carried else 0


def take_heat(play: Play, unit: UnitState) -> None:
    """The heat phase has counted its share of what waits; the rest is carried over. Rule: E-33."""
    taken = heat_this_turn(play.state, unit)
    unit.heat_carried -= taken
    play.emit("inferno_heat", unit, RULE, heat=taken, carried=unit.heat_carried)


# -- aboard -----------------------------------------------------------------------------------------------------------


def hot_bins(spec: UnitSpec) -> tuple[int, ...]:
    """Bins of infernos and incendiary missiles. Rules: E-32, E-33."""
    known: tuple[int, ...] | None = spec.tables.get("hot_bins")
    if known is None:
        rows = munition_rows()
        found = [b.index for b in spec.bins if (load := munition_of(b.kind)) and rows[load].get("heats")]
        known = spec.tables["hot_bins"] = tuple(found)
    return known


def worst_hot_bin(unit: UnitState) -> int:
    """The bin of such missiles that would do the most damage, the first of equals, or -1 for none. Rule: E-33."""
    best, most = -1, 0
    for index in hot_bins(unit.spec):
        points = unit.ammo[index] * unit.spec.bins[index].explosion_per_shot
        if points > most:
            best, most = index, points
    return best


def avoid_number(unit: UnitState) -> TargetNumber | None:
    """What a 'Mech must roll, beside the roll for all its ammunition, to keep infernos aboard from exploding. Rule: E-33."""
    if not hot_bins(unit.spec) or worst_hot_bin(unit) < 0:
        return None
    avoid = 0
    for start, value in table("heat")["inferno_ammunition"]:
        if unit.heat >= start:
            avoid = int(value)
    return TargetNumber([Modifier(f"heat {unit.heat}", avoid, RULE)]) if avoid else None


def explosion_heat(play: Play, unit: UnitState, index: int, shots: int) -> None:
    """A bin has exploded: one of infernos heats its 'Mech as well, in the next heat phase. Rules: E-32, E-33."""
    if index not in hot_bins(unit.spec) or not unit.spec.is_mech or unit.destroyed:
        return
    rows = table("munitions")["explosion"]
    bin = unit.spec.bins[index]
    heat = min(int(rows["most"]), int(rows["heat"]) * shots * salvo_missiles(bin))
    unit.heat_built += heat
    play.emit("inferno_explosion", unit, RULE, name=bin.name, missiles=shots * salvo_missiles(bin), heat=heat)
