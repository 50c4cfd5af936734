"""What is done in the fire phase beside firing at units: mending, digging in, fire at hexes. Rule: S-9, S-10, E-24b, E-24c."""

from __future__ import annotations

from dataclasses import replace

from opfor.dice import chance_2d6
from opfor.game.legal.fire import Option, UnitFire
from opfor.game.legal.volleys import Volley
from opfor.orders import FireOrder
from opfor.rules.moving.entering import in_flames
from opfor.rules.terrain.buildings import collapse_damage
from opfor.rules.terrain.fire import ignition_number
from opfor.rules.terrain.hexes import BREAK, IGNITE, SOW
from opfor.rules.troops.anti_mech import LET_GO, swarm_damage
from opfor.rules.troops.infantry import DIG_IN
from opfor.rules.vehicles.vehicle_tasks import TURRET_TASK
from opfor.state import State
from opfor.tables import table
from policies.veteran.figures import GUESS_TARGET, Figure
from policies.veteran.harm import mean_damage
from policies.veteran.lanes import BLOCKED, Lanes
from policies.veteran.weights import Weights

#: to hold an opportunity action (M-9)
HOLD = "opportunity"
Errand = tuple[float, FireOrder, str]
_CAUGHT: dict[str, int] = table("fire")["caught"]
_COLLAPSE: dict[str, int] = table("terrain")["buildings"]["collapse"]["times"]
#: share of the fire to come that digging in keeps off, in the open and where there is cover already
_DUG_IN_SAVES = (0.6, 0.25)
#: what being driven out of its walls or woods costs a unit, in points
_DRIVEN_OUT = 8.0
#: least that a task is worth where there is nothing better to do
_IDLE_HANDS = 0.5
#: hexes that mines are kept away from friends
_CLEAR_OF_FRIENDS = 2
#: least share of a building's strength that a volley must take to be worth its while
_LEAST_SHARE = 0.34
#: how much more harm to a friend behind walls counts than harm to an enemy there
_FRIENDS_COUNT = 2.0


def errands(me: Figure, theirs: list[Figure], legal: UnitFire, lanes: Lanes, weights: Weights) -> list[Errand]:
    """What the unit may do instead of firing: (what it is worth, the order, the reason)."""
    found = []
    for task in legal.tasks:
        order = FireOrder(me.unit.id, legal.postures[0].twist, clear=task)
        if task == HOLD:
            found.append((_holding(me, theirs, weights), order, "holds its action for whoever comes into its fire"))
        elif task == DIG_IN:
            found.append((weights.dig * _threat(me, theirs, lanes), order, "digs in"))
        elif task == LET_GO:
            value = 0.0 if swarm_damage(me.unit) else _IDLE_HANDS
            found.append((value, order, f"lets go of {me.unit.swarming}: it cannot hurt it"))
        elif me.unit.spec.is_vehicle and (task == TURRET_TASK or task.isdigit()):
            found.append(_mending(me, theirs, task, order, weights))
    return found


def _threat(me: Figure, theirs: list[Figure], lanes: Lanes) -> float:
    """The worth of the fire that digging in keeps off, from the enemies as they stand."""
    total = 0.0
    for enemy in theirs:
        lane = lanes.lane(enemy.key, me.key)
        if lane.out < BLOCKED:
            common = enemy.skill + enemy.target + me.target + lane.out
            damage = enemy.against(me.versus).around(0, lane.distance, common, enemy.spare)
            saves = _DUG_IN_SAVES[lane.cover_out]
            total += saves * damage * me.factors["front", lane.cover_out]
    return total


def _holding(me: Figure, theirs: list[Figure], weights: Weights) -> float:
    """What an action held until the unit's next turn is worth: a share of its fire at those in reach. Rule: M-9."""
    if not me.power.reach:
        return 0.0
    best = 0.0
    for enemy in theirs:
        if enemy.unit.active and _distance(me, enemy) <= me.power.reach:
            damage = me.against(enemy.versus).around(0, max(1, _distance(me, enemy)), me.skill + GUESS_TARGET, me.spare)
            best = max(best, damage * enemy.factors["front", False])
    return weights.keep_ready * best


def _distance(me: Figure, enemy: Figure) -> int:
    return int(me.ground.board.grid.distance(me.unit.cell, enemy.unit.cell))


def _mending(me: Figure, theirs: list[Figure], task: str, order: FireOrder, weights: Weights) -> Errand:
    """Freeing a turret or mending a weapon: the fire that it gives back over the turns to come."""
    unit = me.unit
    whole = unit.copy()
    if task == TURRET_TASK:
        whole.turret = 0
        words = "frees its jammed turret"
    else:
        whole.malfunctioned &= ~(1 << int(task))
        words = f"mends its {unit.spec.mounts[int(task)].name}"
    gain = 0.0
    for enemy in theirs:
        distance = max(1, min(_distance(me, enemy), me.arsenal.of(whole).reach or 1))
        bearing = unit_bearing(me, enemy)
        common = me.skill + me.moved["walk"] + enemy.spots[0].tm
        worth = enemy.factors["front", True]
        after = me.arsenal.of(whole, versus=enemy.versus).around(bearing, distance, common, me.spare)
        now = me.against(enemy.versus).around(bearing, distance, common, me.spare)
        gain = max(gain, worth * (after - now))
    return weights.mend * gain + _IDLE_HANDS, order, words


def unit_bearing(me: Figure, enemy: Figure) -> int:
    """Where an enemy lies from the unit's hull, 0 to 23 clockwise from straight ahead."""
    grid = me.ground.board.grid
    return (grid.sextant(me.unit.cell, enemy.unit.cell) - 4 * me.unit.facing) % 24


# -- hexes ------------------------------------------------------------------------------------------------------------


def hex_shots(
    state: State, me: Figure, theirs: list[Figure], ours: list[Figure], legal: UnitFire, weights: Weights
) -> list[Errand]:
    """Fire at the hexes that enemies stand in, where walls or woods keep them safer than they are worth."""
    cells = {enemy.unit.cell for enemy in theirs}
    # what friends are about to set alight
    lit = {o.primary for o in state.declared if isinstance(o, FireOrder) and any(a.aim == IGNITE for a in o.attacks)}
    found = []
    for posture in legal.postures:
        for volley in legal.hex_volleys(posture):
            cell = state.target(volley.primary).cell
            if volley.intent == SOW:
                found += _sow(state, theirs, ours, cell, volley, FireOrder(me.unit.id, posture.twist, posture.flip), weights)
                continue
            if cell not in cells or volley.intent not in (BREAK, IGNITE):
                continue
            inside = [enemy for enemy in theirs if enemy.unit.cell == cell]
            rows = [row for row in volley.options if row]
            if volley.intent == BREAK:
                friends = [figure for figure in ours if figure.unit.cell == cell]
                value, chosen, words = _break(state, me, inside, friends, cell, rows, weights)
            else:
                value, chosen, words = _ignite(state, inside, cell, rows)
            near = [f for f in ours if state.board.grid.distance(f.unit.cell, cell) <= 1 and not f.hot]
            if volley.intent == IGNITE and (near or volley.primary in lit):
                continue
            if value > 0.0 and chosen:
                order = FireOrder(me.unit.id, posture.twist, posture.flip, tuple([o.attack for o in chosen]), volley.primary)
                found.append((value, order, f"{words} {volley.primary} around {', '.join(e.unit.id for e in inside)}"))
    return found


def _sow(
    state: State, theirs: list[Figure], ours: list[Figure], cell: int, volley: Volley, order: FireOrder, weights: Weights
) -> list[Errand]:
    """Mines laid before enemies on their way: not where friends go. Rule: E-33a."""
    away = state.board.grid.distance
    if any(away(figure.unit.cell, cell) <= _CLEAR_OF_FRIENDS for figure in ours) or state.board.hexes[cell].mines:
        return []
    near = sum([figure.value for figure in theirs if away(figure.unit.cell, cell) == 1 and not figure.flies])
    rows = [row for row in volley.options if row]
    chosen = [max(row, key=lambda option: option.mode.cluster) for row in rows]
    missiles = sum(chance_2d6(option.as_primary) * option.mode.cluster for option in chosen)
    value = weights.sow * near * missiles
    words = f"lays mines in {volley.primary}, before the enemy"
    made = replace(order, attacks=tuple([option.attack for option in chosen]), primary=volley.primary)
    return [(value, made, words)] if value > 0.0 else []


def _break(
    state: State,
    me: Figure,
    inside: list[Figure],
    friends: list[Figure],
    cell: int,
    rows: list[list[Option]],
    weights: Weights,
) -> tuple[float, list[Option], str]:
    """Bringing a building down on those in it: what that is worth by the share of its strength that the volley takes."""
    hex = state.board.hexes[cell]
    if not hex.building or not hex.building_cf:
        return 0.0, [], ""
    grid = state.board.grid
    distance = grid.distance(me.unit.cell, cell)
    chosen, points = [], 0.0
    for row in rows:
        best = max(row, key=lambda option: chance_2d6(option.as_primary) * _points(me, option, distance))
        points += chance_2d6(best.as_primary) * _points(me, best, distance)
        chosen.append(best)
    worth = sum([_buried(state, enemy, cell) for enemy in inside])
    worth -= _FRIENDS_COUNT * sum([_buried(state, friend, cell) for friend in friends])
    share = min(1.0, points / hex.building_cf)
    if share < _LEAST_SHARE:
        return 0.0, [], ""
    # half of a wall is worth less than half of what lies behind it
    return weights.breach_walls * worth * share * share, chosen, "shoots down the walls of"


def _buried(state: State, figure: Figure, cell: int) -> float:
    """What it costs a unit that the building in its hex comes down on it; nothing on the roof."""
    hex = state.board.hexes[cell]
    if figure.unit.elevation >= hex.building_height:
        return 0.0
    spec = figure.unit.spec
    times = _COLLAPSE["mechanized" if spec.motive.startswith("mechanized") else spec.kind]
    struck = collapse_damage(hex.building_cf, hex.building_height - figure.unit.elevation) * times
    return struck * figure.factors["front", False] + _DRIVEN_OUT * figure.value


def _points(me: Figure, option: Option, distance: int) -> float:
    mount = me.unit.spec.mounts[option.attack.mount]
    bracket = option.mode.weapon.bracket(max(1, distance)) or 0
    return mean_damage(me.unit, mount, option.mode, bracket, distance)


def _ignite(state: State, inside: list[Figure], cell: int, rows: list[list[Option]]) -> tuple[float, list[Option], str]:
    """Setting the hex alight that enemies who fear fire stand in; one shot, for the others are of more use elsewhere."""
    hex = state.board.hexes[cell]
    worth = 0.0
    for enemy in inside:
        if not enemy.hot and not in_flames(state, enemy.unit) and not enemy.flies:
            worth += _CAUGHT[enemy.kind] * enemy.factors["front", True] + 0.5 * _DRIVEN_OUT * enemy.value
    best, option = 0.0, None
    for row in rows:
        for shot in row:
            odds = chance_2d6(shot.as_primary) * ignition_number(shot.mode, hex).odds
            if odds > best:
                best, option = odds, shot
    # those who can move will be gone when the flames rise
    return 0.5 * best * worth, [option] if option is not None else [], "sets fire to"
