"""The veteran's weights: the standard ones of ``configs/policies/veteran.yaml``; characters turn them (:mod:`.aspects`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

from opfor.errors import InputError, nearest
from opfor.tables import load_yaml

#: the section of the file
STANDARD = "standard"
#: heat up to which costs are tabled
_HOTTEST = 120


@dataclass(frozen=True, slots=True)
class Weights:
    """One value for each line of the file; see there for what they mean."""

    given: float
    taken: float
    hurt: float
    share_floor: float
    unmoved_given: float
    unmoved_taken: float
    elusive: float
    second_target: float
    focus: float
    concentrate: float
    approach: float
    impatience: float
    idle: float
    range_keeping: float
    outshoot: float
    closing: float
    cohesion: float
    loose: int
    edge: float
    facing: float
    back_turned: float
    evasion: float
    fall: float
    pilot_hit: float
    least_odds: float
    skid: float
    slip: float
    bog: float
    water: tuple[float, ...]
    breach: float
    building: float
    swamp: float
    burning: float
    scorched: float
    afloat: float
    mined: float
    gives_way: float
    bare: float
    landed: float
    comfortable: int
    #: cost of ending a turn at each heat from 0 on
    heat: tuple[float, ...]
    cook_off: float
    melee_given: float
    melee_taken: float
    topple: float
    charge: float
    kill: float
    stagger: float
    critical: float
    target_heat: float
    #: steps of (rounds left, least odds)
    thrift: tuple[tuple[int, float], ...]
    last: int
    crippled_target: float
    prey: float
    jam: float
    spotting: float
    withdraw: float
    left: float
    falls_back: float
    gives_up: int
    retreat: float
    rider: float
    ride: float
    fetch: float
    unload: float
    shaken: float
    clinging: float
    tactic: float
    mend: float
    dig: float
    breach_walls: float
    eyes: float
    worthwhile: float
    hold: float
    keep_ready: float
    break_in: float
    pausing: float
    patience: float
    call: float
    expected_there: float
    friends_in_blast: float
    painted: float
    painting: float
    sow: float
    lob: int
    bomb_run: float
    mission: float
    point: float
    objective: float
    duty: float
    duty_done: float
    escort: int
    marked: float
    stays: float
    seeks: float
    delays: float
    spots: int
    looked_at: int
    finalists: int

    def heat_cost(self, heat: int, explosive: bool = False) -> float:
        """What ending a turn at a heat costs; ``explosive``: ammunition aboard may cook off."""
        if heat <= 0:
            return 0.0
        cost = self.heat[min(heat, _HOTTEST)]
        return cost + self.cook_off if explosive and heat >= _COOK_OFF else cost


_COOK_OFF = 19


@cache
def standard() -> dict[str, Any]:
    """The lines of the standard section, as they are written. Treat it as read-only: it is shared."""
    data: dict[str, dict[str, Any]] = load_yaml(files("configs.policies").joinpath("veteran.yaml").read_text(encoding="utf-8"))
    return data[STANDARD]


@cache
def weights() -> Weights:
    """The weights of the standard character."""
    return weights_from(standard())


def weights_from(lines: Mapping[str, Any]) -> Weights:
    """Weights from all their lines, as they are written. Raises :class:`InputError` for unknown and missing ones."""
    values = dict(lines)
    names = {field.name for field in fields(Weights)}
    for key in values:
        if key not in names:
            raise InputError(f"there is no weight {key!r}", place="weights", hint=nearest(key, names))
    if missing := names - set(values):
        raise InputError(f"weights are missing: {', '.join(sorted(missing))}", place="weights")
    values["water"] = tuple(values["water"])
    values["thrift"] = tuple((rounds, odds) for rounds, odds in values["thrift"])
    values["heat"] = _tabled(values["heat"])
    return Weights(**values)


def _tabled(steps: list[list[float]]) -> tuple[float, ...]:
    """The steps as a cost for every heat, rising evenly from one step to the next."""
    found = []
    for heat in range(_HOTTEST + 1):
        cost = 0.0
        for (start, value), following in zip(steps, [*steps[1:], None], strict=True):
            if heat >= start:
                cost = value
                if following is not None and heat < following[0]:
                    cost += (following[1] - value) * (heat - start) / (following[0] - start)
        found.append(cost)
    return tuple(found)
