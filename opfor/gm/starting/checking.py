"""Things in a battle file that may be meant, and are worth a second look; each with its place."""

from __future__ import annotations

from collections.abc import Iterator

from opfor.errors import InputError
from opfor.formats.battle_file.battle import Battle
from opfor.gm.policies import USUAL, policy_named
from opfor.report.unit_words import kind_word
from opfor.rules.moving.flight import landing_elevation, lowest_flight
from opfor.rules.moving.modes import RUNNING
from opfor.rules.moving.motions import motion_of
from opfor.state import State
from opfor.tables import table
from opfor.units.spec import REAR_ARMOR, ROTOR, UnitSpec
from opfor.units.state import UnitState


def findings(battle: Battle) -> list[dict[str, str]]:
    """What is odd, as ``{"place", "message"}``."""
    return [{"place": place, "message": message} for place, message in _odd(battle)]


def assumptions(battle: Battle) -> list[str]:
    """What the Op Force takes for granted in this battle, beside the defaults; in words."""
    state = battle.state
    found = []
    for index in battle.sides_of("opfor"):
        name = state.sides[index]
        found.append(f"{name} is played by the policy {battle.policies[index] or USUAL}, and moves as a block")
        hidden = sum(1 for unit in state.units if unit.hidden and unit.side != index and unit.alive)
        besides = f", but for {hidden} hidden" if hidden else ""
        knows = state.directive(index).knows
        if knows == "all":
            found.append(f"{name} knows every enemy unit as the file has it{besides}, its damage and its ammunition")
        else:
            where = ", and where it last saw the others" if knows == "contacts" else ""
            found.append(f"{name} knows the enemy units that it sees{besides}{where}")
        mines = sum(1 for hex in state.board.hexes if hex.mines and not hex.mines_known >> index & 1)
        if mines:
            found.append(f"{name} does not know of {mines} of the minefields, and walks as if they were not there")
    for index, name in enumerate(state.sides):
        if not state.edges[index]:
            found.append(f"{name} has no home edge: none of its units leaves the map on purpose")
        elif state.withdrawing[index]:
            found.append(f"{name} leaves the map over the {state.edges[index]} edge")
    if state.phase == "initiative":
        found.append("initiative has still to be rolled for: nobody has moved this turn")
    elif state.phase == "movement":
        moved = sum(1 for unit in state.units if unit.moved and unit.active)
        found.append(f"{moved} of {sum(1 for unit in state.units if unit.active)} units have moved this turn")
    if not state.limit:
        found.append("the battle has no last turn: it ends when one side is left")
    if state.wind < 0 and any(hex.fire for hex in state.board.hexes):
        found.append("no wind blows: smoke and fire stay where they are")
    return found


def _odd(battle: Battle) -> Iterator[tuple[str, str]]:
    state = battle.state
    for index, name in enumerate(state.sides):
        if not any(unit.side == index for unit in state.units):
            yield f"sides.{name}", "has no units"
        if battle.policies[index]:
            try:
                policy_named(battle.policies[index])
            except InputError as error:
                yield f"sides.{name}.policy", f"{error.message}{f' ({error.hint})' if error.hint else ''}"
        yield from _odd_directive(state, index)
    if not battle.sides_of("opfor"):
        yield "sides", "no side is played by the Op Force (controller: opfor)"
    if not any(hex.fire for hex in state.board.hexes) and state.wind >= 0:
        yield "wind", "blows, but nothing burns"
    for index, unit in enumerate(state.units):
        for key, message in _odd_unit(state, unit):
            yield f"units[{index}]{'.' if key else ''}{key}", f"{unit.id} {message}"


def _odd_directive(state: State, side: int) -> Iterator[tuple[str, str]]:
    """What a side has been told that cannot come to anything as things stand."""
    directive, name = state.directive(side), state.sides[side]
    objective = directive.objective
    if objective is not None:
        unit = state.unit(objective.unit) if objective.unit not in ("", "all") else None
        at = f"sides.{name}.objective"
        if unit is not None and not unit.alive:
            yield at, f"{objective.words}: {unit.id} is out of the battle"
        if unit is not None and (unit.side == side) != (objective.kind == "escort"):
            yield at, f"{objective.words}: {unit.id} is {'its own' if unit.side == side else 'an enemy'}"
        if objective.kind == "withdraw" and not state.edges[side]:
            yield at, f"{objective.words}: the side has no home edge to leave over (edge: north)"
        if objective.kind == "delay" and state.turn > objective.number:
            yield at, f"{objective.words}: it is turn {state.turn}"
        if directive.victory and objective.kind in ("hold", "escort") and not state.limit:
            yield f"sides.{name}.victory", f"{objective.words} is judged on the last turn, and the battle has none (limit)"
        if directive.victory and objective.kind in ("withdraw", "patrol", "advance"):
            yield f"sides.{name}.victory", f"{objective.words} decides no battle"
    if directive.contacts and directive.knows != "contacts":
        yield f"sides.{name}.contacts", f"are not used: the side knows {directive.knows}"
    for id, restraint in (("", directive.restraint), *directive.units):
        whose = state.unit(id) if id else None
        place = f"units[{whose.index}].orders" if whose is not None else f"sides.{name}.orders"
        own = sorted(i for i in restraint.only | restraint.focus | restraint.ignore if state.unit(i).side == side)
        if own:
            yield place, f"speak of attacks on {', '.join(own)} of its own side"
        for area in restraint.within:
            outside = [u.id for u in ([whose] if whose is not None else state.friends(side)) if u.alive and u.cell not in area]
            if outside:
                yield (
                    place,
                    f"{', '.join(outside)} is not where it is not to leave, and goes where it likes until it comes there",
                )


def _odd_unit(state: State, unit: UnitState) -> Iterator[tuple[str, str]]:
    spec, phase = unit.spec, state.phase
    if spec.unmodelled:
        yield "type", f"carries what no rule here uses: {', '.join(spec.unmodelled)}"
    if not unit.alive:
        return
    yield from _odd_armor(unit)
    yield from _odd_kind(state, unit)
    # in the campaign's turn those who have lost initiative move while it is still being told (stage: rolled)
    if phase == "initiative" and unit.moved and state.stage != "rolled":
        yield "moved", "has moved, but the phase is initiative"
    # who has won initiative may move as late as before its own fire (E-3)
    excused = unit.aboard or unit.swarming or (unit.waiting and phase == "fire")
    if phase in ("fire", "physical", "end") and not unit.moved and unit.active and not excused:
        yield "moved", f"has not moved, but the phase is {phase}: taken as standing still"
    if unit.mode == "jump" and unit.spec.jump == 0:
        yield "moved.mode", "has jumped, but cannot jump"
    if unit.mode in RUNNING and spec.is_infantry:
        yield "moved.mode", "has run, but infantry only walks and jumps"
    fastest = most_mp(spec, unit.mode)
    if fastest is not None and unit.hexes_moved > fastest and not unit.skidded:
        yield "moved.hexes", f"has moved {unit.hexes_moved} hexes by {unit.mode}, with {fastest} MP at the most"
    if unit.heat >= 30 and not unit.shutdown:
        yield "heat", f"runs at heat {unit.heat}: it would have shut down"
    elif spec.is_mech and unit.heat > (built := heat_by_now(state, unit)):
        yield "heat", f"runs at heat {unit.heat}: all that it can have built over its sinks by now is {built}"
    if unit.name.lower() in {
        other.name.lower() for other in state.units if other is not unit and other.name != other.spec.name
    }:
        yield "name", f"is called {unit.name}, as another unit is: orders by that name cannot tell them apart"


def most_mp(spec: UnitSpec, mode: str) -> int | None:
    """The most hexes that a movement may count: its MP, with what adds to them. None for standing. Rule: S-2, M-2, M-3."""
    kinds = {item.kind for item in spec.equipment}
    driven = len(kinds & {"masc", "supercharger"})
    rows = table("movement")["damage"]
    factor = (rows["run_factor"], rows["masc_factor"], rows["masc_and_supercharger_factor"])[driven]
    # triple-strength muscles and roads add MP; a platoon may always go one hex
    more = rows["tsm_walk"] if "tsm" in kinds else 1
    walk = spec.walk + more
    run = max(spec.run + more, -(-walk * factor[0] // factor[1]))
    sprint = max(run, walk * int(table("movement")["manoeuvres"]["sprint_factor"]))
    return {"walk": walk, "run": run, "evade": run, "sprint": sprint, "jump": spec.jump}.get(mode)


def heat_by_now(state: State, unit: UnitState) -> int:
    """The most heat that a 'Mech can run at in this turn: what it builds itself, and what fire and enemies put on it."""
    modes = (mode for other in state.units if other.side != unit.side for mount in other.spec.mounts for mode in mount.modes)
    burns = any(hex.fire for hex in state.board.hexes) or any(mode.target_heat or mode.munition == "inferno" for mode in modes)
    outside = int(table("heat")["outside_maximum"]) if burns else 0
    return (heat_built_at_most(unit) + outside) * max(1, state.turn)


def heat_built_at_most(unit: UnitState) -> int:
    """The most that a 'Mech's heat rises in a turn by itself: all weapons, moving, engine hits, less its sinks. Rule: S-7."""
    spec, rows = unit.spec, table("heat")
    weapons = sum(max((mode.heat for mode in mount.modes), default=mount.weapon.heat) for mount in spec.mounts)
    jump = max(spec.jump * rows["movement"]["jump_per_hex"], rows["movement"]["jump_minimum"]) if spec.jump else 0
    moving = max(rows["movement"]["sprint"], jump)
    built = weapons + moving + rows["engine_hit"] * unit.engine_hits + rows["movement"]["stand_up"] * 2
    return int(max(0, built - (spec.sinks - unit.sinks_lost) * spec.sink_rating))


def _odd_armor(unit: UnitState) -> Iterator[tuple[str, str]]:
    """Structure lost behind armour that is whole."""
    spec = unit.spec
    for location, whole in enumerate(spec.structure):
        if 0 < unit.structure[location] < whole and 0 < spec.armor[location] == unit.armor[location]:
            rear = REAR_ARMOR.get(location) if spec.is_mech else None
            if rear is None or unit.armor[rear] == spec.armor[rear]:
                yield "damage.structure", f"has lost structure in its {spec.locations[location]} behind whole armour"


def _odd_kind(state: State, unit: UnitState) -> Iterator[tuple[str, str]]:
    """Vehicles, VTOLs and infantry where they can hardly be, or in a state that the rules do not leave them in."""
    spec = unit.spec
    hex = state.board.hexes[unit.cell]
    if spec.kind == "vtol" and unit.elevation and unit.elevation < lowest_flight(hex):
        yield "elevation", f"flies {unit.elevation} up over {hex.describe()}: it needs {lowest_flight(hex)} to be clear of that"
    carried = unit.aboard or unit.swarming or spec.kind == "vtol"
    motion = motion_of(spec)
    on_ground = not carried and not spec.is_mech and unit.elevation == motion.standing(hex) and not hex.paved
    if on_ground and motion.terrain_cost(hex) is None:
        yield "at", f"stands in {hex.describe()}, which is closed to it: {kind_word(spec)}"
    if unit.motive_hits and not unit.cruise_lost and unit.motive_hits & ~1:
        yield "damage.cruise_lost", "has moderate or heavy motive damage, and has lost no cruising MP"
    if unit.cruise_lost >= spec.walk > 0 and spec.is_vehicle and not unit.immobilized:
        yield "damage.immobilized", "has lost all its cruising MP: it would be immobile"
    if spec.kind == "vtol" and unit.structure[ROTOR] <= 0 and unit.elevation > landing_elevation(hex):
        yield "elevation", "flies without a rotor: it would have come down"
    if unit.immobilized and spec.kind == "vtol" and unit.elevation > landing_elevation(hex):
        yield "elevation", "is immobile and in the air: it would have come down"
    if unit.dug_in and unit.hexes_moved:
        yield "dug_in", "has moved, and is dug in"
