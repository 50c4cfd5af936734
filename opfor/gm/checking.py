"""Things in a battle file that may be meant, and are worth a second look; each with its place."""

from __future__ import annotations

from collections.abc import Iterator

from opfor.formats.battle import Battle
from opfor.gm.policies import policy_points
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
    for index, unit in enumerate(state.units):
        for key, message in _odd_unit(unit, state.phase):
            yield f"units[{index}]{'.' if key else ''}{key}", f"{unit.id} {message}"


def _odd_unit(unit: UnitState, phase: str) -> Iterator[tuple[str, str]]:
    spec = unit.spec
    if spec.unmodelled:
        yield "type", f"carries what no rule here uses: {', '.join(spec.unmodelled)}"
    if not unit.alive:
        return
    for location, whole in enumerate(spec.structure):
        if 0 < unit.structure[location] < whole and unit.armor[location] == spec.armor[location]:
            rear = {1: 8, 2: 9, 3: 10}.get(location)
            if rear is None or unit.armor[rear] == spec.armor[rear]:
                yield "damage.structure", f"has lost structure in its {spec.locations[location]} behind whole armour"
    if phase == "initiative" and unit.moved:
        yield "moved", "has moved, but the phase is initiative"
    if phase in ("fire", "physical", "end") and not unit.moved and unit.active:
        yield "moved", f"has not moved, but the phase is {phase}: taken as standing still"
    if unit.mode == "jump" and unit.spec.jump == 0:
        yield "moved.mode", "has jumped, but has no jump jets"
    fastest = {"walk": spec.walk, "run": spec.run, "jump": spec.jump}.get(unit.mode)
    if fastest is not None and unit.hexes_moved > fastest * 2:
        yield "moved.hexes", f"has moved {unit.hexes_moved} hexes by {unit.mode}, with {fastest} MP"
    if unit.heat >= 30 and not unit.shutdown:
        yield "heat", f"runs at heat {unit.heat}: it would have shut down"
