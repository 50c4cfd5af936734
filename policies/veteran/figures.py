"""The units of a battle as the planner sees them: what they can do, what they are worth, where they are or may come to be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from opfor.rules.frame import steps_at
from opfor.rules.ground import ground_of
from opfor.rules.heat import dissipation, engine_heat, movement_heat
from opfor.rules.movement import ground_reach, movement_points
from opfor.rules.physical import physical_damage
from opfor.rules.piloting import conditions
from opfor.rules.reach import jump_cells, landing_place
from opfor.rules.victory import crippled
from opfor.state import State
from opfor.tables import table
from opfor.units.state import UnitState
from policies.veteran.firepower import AHEAD, Arsenal, Firepower, skill
from policies.veteran.lanes import BLOCKED, Lanes
from policies.veteran.weights import Weights
from policies.veteran.worth import factors, hurt, toughness, value_of

_TO_HIT = table("to_hit")
#: attacker movement modifier by mode
MOVED: dict[str, int] = {"": 0} | _TO_HIT["attacker_movement"]
#: the same of a spotter for the shot that it spots
SPOTTED: dict[str, int] = {"": 0} | _TO_HIT["spotter_movement"]
#: target movement modifier by hexes moved
BY_HEXES = tuple(steps_at(_TO_HIT["target_movement"]["by_hexes"], n) for n in range(64))
JUMPED: int = _TO_HIT["target_movement"]["jumped"]
INDIRECT: int = _TO_HIT["indirect"]
_IMMOBILE: int = _TO_HIT["immobile"]
_STUCK: int = _TO_HIT["stuck"]
_SKIDDED: int = _TO_HIT["target_movement"]["skidded"]
_PRONE_FIRE: int = _TO_HIT["prone"]["attacker"]
#: what is guessed of the movement of a unit that has yet to move, as a modifier to hit it
GUESS_TARGET = 2
#: of our units, the nearest that an enemy is taken to care for
_FEW = 4


class Spot(NamedTuple):
    """Where a unit is or may come to be: spot key of :mod:`policies.veteran.lanes`, facing (None: as it likes), modifiers of
    its own movement to its fire (``am``) and to fire at it (``tm``), heat of the movement, how likely it is."""

    key: int
    facing: int | None
    am: int
    tm: int
    heat: int
    share: float


class Figure:
    """A unit in a plan. ``spare`` is the heat that it can build up by moving and firing and be as cool as is comfortable."""

    __slots__ = (
        "crippled",
        "factors",
        "hurt",
        "indirect",
        "key",
        "kick",
        "piloting",
        "power",
        "prone_fire",
        "quad",
        "settled",
        "skill",
        "spare",
        "spots",
        "target",
        "toughness",
        "unit",
        "value",
    )

    def __init__(self, state: State, unit: UnitState, arsenal: Arsenal, weights: Weights) -> None:
        self.unit = unit
        self.power = arsenal.of(unit, prone=unit.prone)
        self.indirect: Firepower | None = None
        if any("indirect" in m.mode.weapon.flags for b in self.power.barrels for m in b.modes):
            self.indirect = arsenal.of(unit, prone=unit.prone, indirect=True)
        able = unit.active
        self.skill = skill(unit) if able else BLOCKED
        self.quad = unit.spec.quad
        self.prone_fire = 0 if self.quad and not unit.legs_lost else _PRONE_FIRE
        self.spare = dissipation(state, unit) - unit.heat - engine_heat(unit) + weights.comfortable
        self.value = value_of(unit, self.power, self.spare)
        self.factors = factors(unit, self.value)
        self.toughness = toughness(unit)
        self.hurt = hurt(unit)
        self.crippled = bool(crippled(state, unit))
        self.piloting = unit.piloting + sum([m.value for m in conditions(unit)])
        self.kick = _kick(unit) if able else 0
        #: what everybody adds to hit it, however it moves
        self.target = (_IMMOBILE if unit.immobile else 0) + (_STUCK if unit.stuck else 0)
        ground = ground_of(state.board)
        self.key = ground.place(unit.cell, unit.elevation) * 2 + unit.prone
        #: nothing more will be heard of its movement this turn
        self.settled = unit.moved or not able or state.phase != "movement"
        self.spots: tuple[Spot, ...] = (self.here(),)

    def here(self) -> Spot:
        """Where it stands; as it has moved, or as it might if it stays."""
        unit = self.unit
        facing = unit.facing if self.settled else None
        am = MOVED.get(unit.mode, 0) + (self.prone_fire if unit.prone else 0)
        tm = BY_HEXES[min(unit.hexes_moved, 63)] + (JUMPED if unit.mode == "jump" else 0) + (_SKIDDED if unit.skidded else 0)
        return Spot(self.key, facing, am, tm + self.target, unit.heat_built, 1.0)


def _kick(unit: UnitState) -> int:
    """Damage of its best kick, 0 when its legs do not allow any."""
    legs = unit.legs
    if any(unit.lost(leg) or not unit.working(leg, "hip") for leg in legs):
        return 0
    return max(physical_damage(unit, "kick", unit.spec.location_name(leg)) for leg in legs)


def likely_spots(state: State, enemy: Figure, ours: list[Figure], lanes: Lanes, most: int, looked_at: int) -> tuple[Spot, ...]:
    """Where a unit that has yet to move will probably go: the ``most`` spots from which it does most, or its own if it cannot
    move. ``looked_at``: places that are looked at closely."""
    unit = enemy.unit
    here = enemy.here()
    found = _ends(state, unit, lanes)
    if not ours or not found:
        return (here,)
    grid = state.board.grid
    near = sorted(ours, key=lambda f: (grid.distance(unit.cell, f.unit.cell), f.unit.index))[:_FEW]
    cells = [f.unit.cell for f in near]
    woods = state.board.woods
    power, skilled = enemy.power, enemy.skill
    profile: dict[tuple[int, int], float] = {}
    rated = []
    for place, (mode, hexes, am, tm) in found.items():
        heat = movement_heat(mode, hexes)
        distance = min([grid.distance(place >> 1, cell) for cell in cells])
        worth = profile.get((distance, am))
        if worth is None:
            worth = profile[distance, am] = power.expected(AHEAD, distance, skilled + am + GUESS_TARGET, enemy.spare - heat)
        # out of reach of anything the nearer place is the likelier
        rated.append((worth + woods[place >> 1] + 0.5 * tm - 0.05 * distance, place))
    rated.sort(key=lambda item: (-item[0], item[1]))
    looked = []
    for _, place in rated[:looked_at]:
        mode, hexes, am, tm = found[place]
        heat = movement_heat(mode, hexes)
        key = place * 2
        best = worst = 0.0
        for figure in near:
            lane = lanes.lane(key, figure.key)
            if lane.out == BLOCKED:
                continue
            spot = figure.spots[0]
            target = spot.tm if figure.settled else GUESS_TARGET + figure.target
            best = max(best, power.expected(AHEAD, lane.distance, skilled + am + lane.out + target, enemy.spare - heat))
            worst += figure.power.expected(AHEAD, lane.distance, figure.skill + spot.am + lane.back + tm, figure.spare)
        looked.append((best - 0.4 * worst / len(near), Spot(key, None, am, tm + enemy.target, heat, 1.0)))
    looked.sort(key=lambda item: (-item[0], item[1].key))
    chosen: list[tuple[float, Spot]] = []
    for score, spot in looked:
        if all(grid.distance(spot.key >> 2, other.key >> 2) >= 2 for _, other in chosen):
            chosen.append((score, spot))
            if len(chosen) == most:
                break
    least = chosen[-1][0]
    shares = [score - least + 1.0 for score, _ in chosen]
    total = sum(shares)
    return tuple(spot._replace(share=share / total) for (_, spot), share in zip(chosen, shares, strict=True))


def _ends(state: State, unit: UnitState, lanes: Lanes) -> dict[int, tuple[str, int, int, int]]:
    """Places a unit can end in, each by the mode that serves it best: (mode, hexes, own modifier, target modifier)."""
    points = movement_points(state, unit)
    found: dict[int, tuple[str, int, int, int]] = {}
    reach = ground_reach(state, unit, "run", points) or ground_reach(state, unit, "walk", points)
    if reach is not None:
        walked = reach.mode == "walk"
        for stance, (mp, hexes) in reach.cheapest().items():
            place = stance // 6
            if place in reach.friends:
                continue
            known = found.get(place)
            if known is None or hexes > known[1]:
                mode = "walk" if walked or mp <= points.walk else "run"
                found[place] = (mode, hexes, MOVED[mode], BY_HEXES[min(hexes, 63)])
    if points.jump and not unit.prone:
        ground = lanes.ground
        start = ground.place(unit.cell, unit.elevation)
        for cell, distance in jump_cells(ground, start, points.jump, points.jump).items():
            place = landing_place(ground, cell)
            tm = BY_HEXES[distance] + JUMPED
            known = found.get(place)
            if known is None:
                found[place] = ("jump", distance, MOVED["jump"], tm)
    return found


def figures_of(state: State, units: Iterable[UnitState], arsenal: Arsenal, weights: Weights) -> list[Figure]:
    """The living units of the list as figures."""
    return [Figure(state, unit, arsenal, weights) for unit in units if unit.alive and unit.cell >= 0]
