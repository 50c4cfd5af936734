"""Heat: what builds it up, what sheds it, and what it does at the end of the turn. Rule: S-7."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from opfor.own_rules.replaceable import Replaced
from opfor.rules.harm.explosions import explode_bin, worst_bin
from opfor.rules.loads.inferno import avoid_number, heat_this_turn, take_heat, worst_hot_bin
from opfor.rules.moving.entering import in_flames
from opfor.rules.pilots.pilots import hurt_pilot
from opfor.rules.pilots.shutdown import shut_down, start_up
from opfor.rules.play import Play
from opfor.rules.target_number import Modifier, TargetNumber
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState

RULE = "S-7"
_TABLED = 64


@lru_cache(maxsize=64)
def _scale(name: str, replaced: Replaced | None) -> tuple[int, ...]:
    """A row of the heat scale, tabled by heat."""
    values = [0] * _TABLED
    for start, value in (table("heat") if replaced is None else replaced.table("heat"))[name]:
        values[start:] = [value] * (_TABLED - start)
    return tuple(values)


def scale(name: str, heat: int, replaced: Replaced | None = None) -> int:
    """Value of a row of the heat scale (``mp``, ``to_hit``, ``ammunition``, ``life_support``) at a heat. Rule: S-7.

    ``replaced``: numbers that a ruleset puts in the place of the table's.

    >>> scale("mp", 4), scale("mp", 17), scale("to_hit", 24), scale("ammunition", 90)
    (0, 3, 4, 8)
    """
    return _scale(name, replaced)[min(max(heat, 0), _TABLED - 1)]


def heat_mp_penalty(unit: UnitState) -> int:
    """Walking MP that heat costs the unit, 0 or more. Rule: S-7."""
    return scale("mp", unit.heat)


def heat_to_hit(unit: UnitState) -> int:
    """Modifier of heat to the unit's weapon attacks, 0 or more. Rule: S-7."""
    return scale("to_hit", unit.heat)


def movement_heat(mode: str, hexes: int, attempts: int = 0) -> int:
    """Heat of a movement: by mode, for a jump by ``hexes``; one more for each of ``attempts`` to stand up. Rule: S-7.

    >>> movement_heat("walk", 4), movement_heat("jump", 2), movement_heat("jump", 5), movement_heat("run", 0, 2)
    (1, 3, 5, 4)
    """
    rules = table("heat")["movement"]
    if mode == "jump":
        built = max(rules["jump_minimum"], hexes * rules["jump_per_hex"])
    else:
        built = rules.get(mode, 0)
    return int(built) + attempts * int(rules["stand_up"])


def working_sinks(unit: UnitState, location: int) -> int:
    """Working heat sinks in the slots of one location (those inside the engine are in none). Rule: S-7."""
    if unit.structure[location] <= 0:
        return 0
    spec = unit.spec
    total = spec.sink_locations.count(location)
    if not total or not unit.slots_hit[location]:
        return total
    hit = unit.slots_hit[location]
    broken = {s.ref for i, s in enumerate(spec.slots[location]) if s.kind == "heat_sink" and hit >> i & 1}
    return total - len(broken)


def dissipation(state: State, unit: UnitState) -> int:
    """Heat the unit sheds in a turn: its working sinks, and more for those under water. Rule: S-7.

    Standing in water one level deep cools the sinks in the legs, deeper water (or lying down in any) all of them.
    """
    rating = unit.spec.sink_rating
    sinks = max(0, unit.spec.sinks - unit.sinks_lost)
    shed = sinks * rating
    depth = under_water(state, unit)
    if depth:
        rules = table("heat")["water"]
        if depth <= rules["legs_depth"] and not unit.prone:
            sinks = sum([working_sinks(unit, leg) for leg in unit.legs])
        shed += min(int(rules["extra_maximum"]), sinks * rating)
    return shed


def under_water(state: State, unit: UnitState) -> int:
    """Depth of the water the unit stands in, 0 when it stands on dry land, on ice, or on a bridge over it. Rule: S-7."""
    if unit.cell < 0 or unit.elevation >= 0:
        return 0
    return min(-unit.elevation, state.board.depth[unit.cell])


def head_under_water(state: State, unit: UnitState) -> bool:
    """Whether the cockpit is submerged: two levels deep, or one when prone. Rule: S-7."""
    return under_water(state, unit) >= (1 if unit.prone else 2)


def engine_heat(unit: UnitState) -> int:
    """Heat of a damaged engine in a turn; a reactor that is shut down gives none. Rule: S-7."""
    return 0 if unit.shutdown else unit.engine_hits * int(table("heat")["engine_hit"])


def outside_heat(state: State, unit: UnitState) -> int:
    """Heat from others and from standing in fire this turn, up to the most that a unit takes. Rule: S-7."""
    rules = state.ruleset.table("heat")
    heat = unit.heat_outside + heat_this_turn(state, unit)
    if unit.cell >= 0 and in_flames(state, unit):
        heat += rules["standing_in_fire"]
    return min(heat, int(rules["outside_maximum"]))


def settle_heat(play: Play, units: Sequence[UnitState] | None = None) -> None:
    """The heat phase of some units (None: of all): add, shed, start up, shut down, ammunition, life support. S-7.

    Nothing but 'Mechs heats up.

    Clears the heat built up by the turn. ``heat`` events give the sum: ``before + built + outside - shed``, at least 0.
    """
    for unit in play.state.units if units is None else units:
        if unit.alive and unit.spec.is_mech:
            _settle(play, unit)
        else:
            unit.heat_built = 0
            unit.heat_outside = 0


def _settle(play: Play, unit: UnitState) -> None:
    state = play.state
    before, engine, outside, shed = unit.heat, engine_heat(unit), outside_heat(state, unit), dissipation(state, unit)
    built = unit.heat_built + engine
    unit.heat_outside = 0
    # what explodes below heats the unit in the next heat phase
    unit.heat_built = 0
    # what an opportunity action built up stays until the next turn (M-9e)
    held = unit.heat_held
    unit.heat_held = 0
    unit.heat = max(0, before + built + outside - shed) + held
    if before or built or outside or held:
        more = {"held": held} if held else {}
        play.emit(
            "heat", unit, RULE, before=before, built=built, engine=engine, outside=outside, shed=shed, after=unit.heat, **more
        )
    if unit.heat_carried:
        take_heat(play, unit)
    if unit.shutdown:
        start_up(play, unit)
    else:
        shut_down(play, unit)
    if unit.alive:
        _cook_off(play, unit)
    if unit.alive and unit.life_support_hits:
        hits = scale("life_support", unit.heat)
        if hits:
            hurt_pilot(play, unit, hits, "heat without life support")
        if unit.alive and head_under_water(state, unit):
            hurt_pilot(play, unit, int(table("heat")["life_support_under_water"]), "under water without life support")


def ammunition_number(unit: UnitState, replaced: Replaced | None = None) -> TargetNumber | None:
    """What the unit must roll to keep its ammunition from exploding, None when there is no danger. Rule: S-7."""
    avoid = scale("ammunition", unit.heat, replaced)
    if not avoid or worst_bin(unit) < 0:
        return None
    return TargetNumber([Modifier(f"heat {unit.heat}", avoid, RULE)])


def _cook_off(play: Play, unit: UnitState) -> None:
    number = ammunition_number(unit, play.state.ruleset.replaced)
    if number is not None and not play.check(unit, number, "to avoid an ammunition explosion", RULE):
        index = worst_bin(unit)
        explode_bin(play, unit, index, unit.ammo[index], "heat")
    number = avoid_number(unit) if unit.alive else None
    if number is not None and not play.check(unit, number, "to keep its infernos from exploding", "E-33"):
        index = worst_hot_bin(unit)
        explode_bin(play, unit, index, unit.ammo[index], "heat")
