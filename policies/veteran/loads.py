"""Special missiles, spotting and TAG as the planner weighs them. Rule: E-32, E-33, E-33a, E-34, E-35."""

from __future__ import annotations

from opfor.rules.barrage.spotting import painted, spotting_number
from opfor.rules.loads.swarm import caught
from opfor.rules.shooting.expectation import harm_on_hit
from opfor.state import State
from opfor.tables import table
from opfor.tables.arsenal import FireMode
from opfor.units.munition_loads import INCENDIARY, INFERNO, SWARM
from opfor.units.spec import Mount
from opfor.units.state import UnitState
from policies.veteran.figures import GUESS_TARGET, INDIRECT, Figure
from policies.veteran.firepower import AHEAD
from policies.veteran.harm import cluster_bonus
from policies.veteran.weights import Weights

#: what marks its target for guided missiles
DESIGNATOR = "designator"
_HEAT: float = table("munitions")["worth"]["heat"]
#: heat of a 'Mech by which a point more counts once more, and how often at most
_HOT, _HOTTEST = 10, 1.5


def burns(state: State, mode: FireMode) -> bool:
    """Whether missiles set what they strike alight instead of damaging it. Rule: E-32, E-33."""
    return mode.munition == INFERNO or (mode.munition == INCENDIARY and state.ruleset.incendiary == "house")


def load_harm(state: State, unit: UnitState, mount: Mount, mode: FireMode, target: UnitState, distance: int) -> float:
    """Mean points (or troopers) of a hit with special missiles."""
    bracket = mode.weapon.bracket(max(1, distance)) or 0
    return harm_on_hit(state, unit, mount, mode, target, max(1, distance), cluster_bonus(unit, mount, mode, bracket))


def heat_worth(heat: float, target: Figure, weights: Weights) -> float:
    """What heat put into a 'Mech is worth: much to one that is hot already, or carries ammunition. Rule: S-7, E-33."""
    hot = target.unit.heat + target.unit.heat_carried
    return heat * weights.target_heat * (0.5 + min(_HOTTEST, hot / _HOT))


def load_worth(
    state: State, unit: UnitState, mount: Mount, mode: FireMode, target: Figure, distance: int, weights: Weights
) -> tuple[float, float]:
    """A hit with special missiles: mean points (or troopers), and what it is worth beside them."""
    harm = load_harm(state, unit, mount, mode, target.unit, distance)
    if target.hot and burns(state, mode):
        return 0.0, heat_worth(harm / _HEAT, target, weights)
    return harm, 0.0


def caught_worth(
    state: State, unit: UnitState, mount: Mount, mode: FireMode, target: Figure, figures: list[Figure], distance: int,
    weights: Weights,
) -> float:  # fmt: skip
    """What swarm missiles do to everybody else in and around the target's hex, friends counted against it. Rule: E-33a."""
    if mode.munition != SWARM or state.ruleset.swarm_missiles != "all":
        return 0.0
    known = {figure.unit.id: figure for figure in figures}
    total = 0.0
    for other in caught(state, unit, target.unit.cell):
        figure = known.get(other.id)
        if figure is None or other.id == target.unit.id:
            continue
        worth = load_harm(state, unit, mount, mode, other, distance) * figure.factors["front", False]
        total += worth if other.side != unit.side else -weights.friends_in_blast * worth
    return total


def spot_odds(state: State, spotter: str, target: UnitState) -> float:
    """Chance that a spotter makes its roll for a target, where the ruleset asks for one. Rule: E-34."""
    if state.ruleset.indirect_fire != "campaign":
        return 1.0
    unit = state.unit(spotter)
    if painted(state, target, unit.side):
        return 1.0
    known = state.sightings.get((spotter, target.id))
    if known is not None:
        return 1.0 if known >= 0 else 0.0
    return spotting_number(state, unit, target).odds


def paint_worth(state: State, me: Figure, target: Figure, ours: list[Figure], weights: Weights) -> float:
    """What marking a target with TAG is worth: the homing missiles on their way to it, and friends' missiles to come."""
    if target.unit.tagged:
        return 0.0
    total = 0.0
    rows = table("artillery")["homing"]
    for shell in state.shells:
        if shell.order.target == target.unit.id and shell.side == me.unit.side and shell.turn <= state.turn:
            total += rows["damage"] * target.factors["front", False]
    for friend in ours:
        unit = friend.unit
        if friend is me or friend.indirect is None or unit.fired or unit.acted or not unit.active:
            continue
        away = max(1, state.board.grid.distance(unit.cell, target.unit.cell))
        guns = friend.against(target.versus, indirect=True)
        number = friend.skill + INDIRECT + GUESS_TARGET
        total += weights.painting * guns.expected(AHEAD, away, number, friend.spare) * target.factors["front", False]
    return total


def paints(figure: Figure) -> bool:
    """Whether a unit carries TAG that works."""
    lost = figure.unit.mounts_lost
    return any(DESIGNATOR in m.modes[0].weapon.flags and not lost >> m.index & 1 for m in figure.unit.spec.mounts if m.modes)
