"""Things in a battle file that may be meant, and are worth a second look; each with its place."""

from __future__ import annotations

from collections.abc import Iterator

from opfor.formats.battle import Battle
from opfor.gm.policies import policy_points
from opfor.report.unit_words import kind_word
from opfor.rules.flight import landing_elevation, lowest_flight
from opfor.rules.ground import motion_of
from opfor.rules.modes import RUNNING
from opfor.state import State
from opfor.units.spec import REAR_ARMOR, ROTOR
from opfor.units.state import UnitState


def findings(battle: Battle) -> list[dict[str, str]]:
    """What is odd, as ``{"place", "message"}``."""
    return [{"place": place, "message": message} for place, message in _odd(battle)]


def _odd(battle: Battle) -> Iterator[tuple[str, str]]:
    state = battle.state
    for index, name in enumerate(state.sides):
        if not any(unit.side == index for unit in state.units):
            yield f"sides.{name}", "has no units"
        policy = battle.policies[index].partition(":")[0]
        if policy and policy not in policy_points():
            yield f"sides.{name}.policy", f"there is no policy {policy!r}: use {', '.join(policy_points())}"
    if not battle.sides_of("opfor"):
        yield "sides", "no side is played by the Op Force (controller: opfor)"
    if not any(hex.fire for hex in state.board.hexes) and state.wind >= 0:
        yield "wind", "blows, but nothing burns"
    for index, unit in enumerate(state.units):
        for key, message in _odd_unit(state, unit):
            yield f"units[{index}]{'.' if key else ''}{key}", f"{unit.id} {message}"


def _odd_unit(state: State, unit: UnitState) -> Iterator[tuple[str, str]]:
    spec, phase = unit.spec, state.phase
    if spec.unmodelled:
        yield "type", f"carries what no rule here uses: {', '.join(spec.unmodelled)}"
    if not unit.alive:
        return
    yield from _odd_armor(unit)
    yield from _odd_kind(state, unit)
    if phase == "initiative" and unit.moved:
        yield "moved", "has moved, but the phase is initiative"
    if phase in ("fire", "physical", "end") and not unit.moved and unit.active and not (unit.aboard or unit.swarming):
        yield "moved", f"has not moved, but the phase is {phase}: taken as standing still"
    if unit.mode == "jump" and unit.spec.jump == 0:
        yield "moved.mode", "has jumped, but cannot jump"
    if unit.mode in RUNNING and spec.is_infantry:
        yield "moved.mode", "has run, but infantry only walks and jumps"
    fastest = {
        "walk": spec.walk + spec.is_infantry, "run": spec.run, "evade": spec.run, "sprint": spec.walk * 2, "jump": spec.jump,
    }.get(unit.mode)  # fmt: skip
    if fastest is not None and unit.hexes_moved > fastest * 2:
        yield "moved.hexes", f"has moved {unit.hexes_moved} hexes by {unit.mode}, with {fastest} MP"
    if unit.heat >= 30 and not unit.shutdown:
        yield "heat", f"runs at heat {unit.heat}: it would have shut down"


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
