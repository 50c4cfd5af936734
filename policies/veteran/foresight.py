"""Where the units that have yet to move will probably go. Rule: S-2, S-9, E-26."""

from __future__ import annotations

from typing import NamedTuple

from opfor.board.board import TABLE_READS, Board, reads_all_but
from opfor.rules.moving.flight import lowest_flight
from opfor.rules.moving.landing import jump_cells, landing_place, may_land
from opfor.rules.moving.movement import ground_reach, movement_points
from opfor.rules.pilots.heat import movement_heat
from opfor.state import State
from opfor.units.state import UnitState
from policies.veteran.figures import GUESS_TARGET, Figure, Spot
from policies.veteran.firepower import AHEAD
from policies.veteran.lanes import BLOCKED, Lanes
from policies.veteran.spots import cell_of

#: of our units, the nearest that an enemy is taken to care for
_FEW = 4
#: levels of the air, from the lowest that a VTOL flies in, that it is thought of in
_LEVELS = 2
TABLE_READS["veteran_low_flight"] = reads_all_but("smoke", "fire", "mines", "mines_known")


class _Way(NamedTuple):
    """How a place is got to: mode, hexes moved, own and target modifier."""

    mode: str
    hexes: int
    am: int
    tm: int


def likely_spots(state: State, enemy: Figure, ours: list[Figure], lanes: Lanes, most: int, looked_at: int) -> tuple[Spot, ...]:
    """Where a unit that has yet to move will probably go: the ``most`` spots from which it does most, or its own if it cannot
    move. ``looked_at``: places that are looked at closely."""
    unit = enemy.unit
    here = enemy.here()
    found = _ends(state, enemy)
    if not ours or not found:
        return (here,)
    grid = state.board.grid
    near = sorted(ours, key=lambda f: (grid.distance(unit.cell, f.unit.cell), f.unit.index))[:_FEW]
    cells = [f.unit.cell for f in near]
    powers = [enemy.against(f.versus) for f in near]
    woods = state.board.woods
    power, skilled = enemy.power, enemy.skill
    cell_at = enemy.ground.cell
    hot = enemy.hot
    profile: dict[tuple[int, int], float] = {}
    rated = []
    for place, (mode, hexes, am, tm) in found.items():
        heat = movement_heat(mode, hexes) if hot else 0
        cell = cell_at(place)
        distance = min([grid.distance(cell, there) for there in cells])
        worth = profile.get((distance, am))
        if worth is None:
            worth = profile[distance, am] = power.expected(AHEAD, distance, skilled + am + GUESS_TARGET, enemy.spare - heat)
        # out of reach of anything the nearer place is the likelier
        rated.append((worth + woods[cell] + 0.5 * tm - 0.05 * distance, place))
    rated.sort(key=lambda item: (-item[0], item[1]))
    looked = []
    for _, place in rated[:looked_at]:
        mode, hexes, am, tm = found[place]
        heat = movement_heat(mode, hexes) if hot else 0
        key = enemy.spot_key(place)
        best = worst = 0.0
        for figure, guns in zip(near, powers, strict=True):
            lane = lanes.lane(key, figure.key)
            if lane.out == BLOCKED:
                continue
            spot = figure.spots[0]
            target = spot.tm if figure.settled else GUESS_TARGET + figure.target
            damage = guns.expected(AHEAD, lane.distance, skilled + am + lane.out + target, enemy.spare - heat)
            best = max(best, damage * figure.factors["front", lane.cover_out])
            back = figure.against(enemy.versus)
            worst += back.expected(AHEAD, lane.distance, figure.skill + spot.am + lane.back + tm, figure.spare)
        looked.append((best - 0.4 * worst / len(near), Spot(key, None, am, tm, heat, 1.0)))
    looked.sort(key=lambda item: (-item[0], item[1].key))
    chosen: list[tuple[float, Spot]] = []
    for score, spot in looked:
        if all(grid.distance(cell_of(spot.key), cell_of(other.key)) >= 2 for _, other in chosen):
            chosen.append((score, spot))
            if len(chosen) == most:
                break
    least = chosen[-1][0]
    shares = [score - least + 1.0 for score, _ in chosen]
    total = sum(shares)
    return tuple(spot._replace(share=share / total) for (_, spot), share in zip(chosen, shares, strict=True))


def _ends(state: State, enemy: Figure) -> dict[int, _Way]:
    """Places a unit can end in, each by the mode that serves it best."""
    unit = enemy.unit
    points = movement_points(state, unit)
    found: dict[int, _Way] = {}
    reach = ground_reach(state, unit, "run", points) or ground_reach(state, unit, "walk", points)
    low = low_flight(state.board, enemy) if enemy.kind == "vtol" else None
    if reach is not None:
        walked = reach.mode == "walk"
        for stance, (mp, hexes) in reach.cheapest().items():
            place = stance // 6
            if place in reach.friends or (low is not None and place not in low):
                continue
            known = found.get(place)
            if known is None or hexes > known.hexes:
                mode = "walk" if walked or mp <= points.walk else "run"
                found[place] = _Way(mode, hexes, enemy.moved[mode], enemy.elusiveness(mode, hexes))
    if points.jump and not unit.prone:
        _jumps(enemy, points.jump, unit, found)
    return found


def _jumps(enemy: Figure, jump: int, unit: UnitState, found: dict[int, _Way]) -> None:
    ground = enemy.ground
    start = ground.place(unit.cell, unit.elevation)
    for cell, distance in jump_cells(ground, start, jump, jump).items():
        place = landing_place(ground, cell)
        if place not in found and may_land(ground, cell):
            found[place] = _Way("jump", distance, enemy.moved["jump"], enemy.elusiveness("jump", distance))


def low_flight(board: Board, figure: Figure) -> frozenset[int]:
    """The places that a VTOL is thought of in: over each hex as low as it may fly, and one level above that."""
    found: frozenset[int] | None = board.tables.get("veteran_low_flight")
    if found is None:
        place = figure.ground.place
        found = board.tables["veteran_low_flight"] = frozenset(
            [place(cell, lowest_flight(board.hexes[cell]) + above) for cell in board.grid.on_board for above in range(_LEVELS)]
        )
    return found
