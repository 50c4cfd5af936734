"""Carriers and their infantry: where it is brought, when it gets out and in again, where a VTOL sets down. Rule: S-9."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opfor.orders import MoveOrder
from opfor.rules.moving.flight import why_no_landing
from opfor.rules.moving.movement import movement_points
from opfor.rules.moving.transport import room_left, weight
from opfor.state import State
from opfor.units.state import UnitState
from policies.veteran.figures import Figure

if TYPE_CHECKING:
    from policies.veteran.movement import MovePlan, Option

#: infantry is of use on its feet where it comes within range, no farther than so many hexes, in so many turns
_FAR_SHOT, _TURNS = 6, 2
#: hexes beyond that from which it is fetched, and hexes over which the worth of fetching it fades
_WORTH_A_RIDE, _FETCH_FROM = 4, 8
#: hexes within which nobody who can help it unloads
_TOO_NEAR = 2


def useful_within(unit: UnitState) -> int:
    """Hexes from the enemy at which infantry is better off on its feet."""
    reach = max((mount.weapon.long for mount in unit.spec.mounts), default=0)
    return min(reach, _FAR_SHOT) + _TURNS * max(1, unit.spec.walk, unit.spec.jump)


def place_value(plan: MovePlan, place: int, nearest: int) -> float:
    """What a place is worth for the infantry aboard: within its reach of the enemy; and what a VTOL on the ground risks."""
    me = plan.me
    value = 0.0
    if me.riders:
        wanted = max(useful_within(rider) for rider in me.riders)
        value -= plan.weights.ride * max(0, nearest - wanted)
        value -= plan.weights.ride * 2 * max(0, _TOO_NEAR + 1 - nearest)
    elif me.unit.spec.troop_space and plan.fetched:
        cell = plan.ground.cell(place)
        distance = plan.state.board.grid.distance
        near = min([distance(cell, unit.cell) for unit in plan.fetched])
        there = max(0.0, 1.0 - max(0, near - 1) / _FETCH_FROM)
        # nobody gets into what flies
        value += plan.weights.fetch * there * (0.5 if me.kind == "vtol" and _airborne(plan, place) else 1.0)
    if me.kind == "vtol" and not _airborne(plan, place):
        value -= plan.weights.landed
        if me.riders and nearest <= max(useful_within(rider) for rider in me.riders):
            value += plan.weights.landed + plan.weights.unload
        elif _beside_fetched(plan, place):
            value += plan.weights.landed
    return value


def _beside_fetched(plan: MovePlan, place: int) -> bool:
    """Whether infantry that waits to be fetched could get in from where it stands."""
    cell = plan.ground.cell(place)
    distance = plan.state.board.grid.distance
    return any(distance(cell, unit.cell) <= 1 for unit in plan.fetched)


def to_fetch(state: State, me: Figure, friends: list[Figure], theirs: list[Figure]) -> list[UnitState]:
    """The infantry on foot that an empty carrier had better fetch: with a long way to go, and room for it inside."""
    if not me.unit.spec.troop_space or me.riders or not theirs:
        return []
    distance = state.board.grid.distance
    room = room_left(state, me.unit)
    found = []
    for friend in friends:
        unit = friend.unit
        if not unit.spec.is_infantry or unit.swarming or weight(unit) > room:
            continue
        nearest = min([distance(unit.cell, enemy.unit.cell) for enemy in theirs])
        if nearest > useful_within(unit) + _WORTH_A_RIDE:
            found.append(unit)
    return found


def _airborne(plan: MovePlan, place: int) -> bool:
    from opfor.rules.moving.flight import airborne

    return airborne(plan.state.board.hexes[plan.ground.cell(place)], plan.ground.elevation[place])


def lands(plan: MovePlan, place: int) -> bool:
    """Whether setting down in a place is worth a thought: where infantry aboard is of use, or infantry is to be fetched."""
    me = plan.me
    if not (me.riders or plan.fetched) or _airborne(plan, place) or not plan.theirs:
        return False
    cell = plan.ground.cell(place)
    if why_no_landing(plan.state.board.hexes[cell]):
        return False
    if not me.riders:
        return _beside_fetched(plan, place)
    distance = plan.state.board.grid.distance
    nearest = min([distance(cell, enemy.unit.cell) for enemy in plan.theirs])
    return _TOO_NEAR < nearest <= max(useful_within(rider) for rider in me.riders)


def options_inside(plan: MovePlan) -> list[Option]:
    """What infantry inside a carrier may do: stay, or get out at each place open to it."""
    from policies.veteran.movement import Option

    moves = plan.moves
    unit = plan.me.unit
    stay = moves.stand()
    found = [Option("stand", moves.place, unit.facing, False, 0, 0, None, _inside_value(plan), None, 1.0, stay)]
    for order in dict(moves.extra()).get("dismount", []):
        place = plan.ground.place(order.to, order.elevation)
        value, result = plan.value(place, "walk")
        found.append(Option("dismount", place, order.facing, False, 0, 0, None, value, result, 1.0, order))
    found.sort(key=lambda o: (-o.value, o.mode, o.place, o.facing))
    return found


def _inside_value(plan: MovePlan) -> float:
    """What staying inside is worth: nobody fires at it, and it does nothing; what the carrier saves it of its way."""
    unit = plan.me.unit
    if plan.leaving:
        return plan.weights.left
    if not plan.theirs or plan.field is None:
        return 0.0
    carrier = plan.state.unit(unit.aboard)
    if carrier.immobile or not carrier.active:
        # a wreck on the way to be one
        return -plan.weights.landed
    cell = carrier.cell
    distance = plan.state.board.grid.distance
    nearest = min([distance(cell, enemy.unit.cell) for enemy in plan.theirs])
    beyond = nearest - useful_within(unit)
    value = -plan.weights.idle + plan.ground_value(plan.ground.place(cell, carrier.elevation))
    value -= plan.weights.approach * plan.away(cell)
    if beyond > 0:
        points = movement_points(plan.state, carrier)
        value += plan.weights.ride * min(beyond, max(points.walk, points.run)) + plan.weights.idle
    return value


def mounting(plan: MovePlan) -> list[Option]:
    """Getting into a carrier that has yet to move, to be where it is of use sooner."""
    from policies.veteran.movement import Option

    me = plan.me
    if not me.unit.spec.is_infantry or not plan.theirs or plan.leaving or plan.field is None:
        return []
    found = []
    for order in dict(plan.moves.extra()).get("mount", []):
        value = _mount_value(plan, order)
        if value is not None:
            place = plan.ground.place(order.to, order.elevation)
            found.append(Option("mount", place, order.facing, False, 0, 0, None, value, None, 1.0, order))
    return found


def _mount_value(plan: MovePlan, order: MoveOrder) -> float | None:
    unit = plan.me.unit
    carrier = plan.state.unit(order.target)
    points = movement_points(plan.state, carrier)
    reach = max(points.walk, points.run)
    own = max(unit.spec.walk, unit.spec.jump)
    distance = plan.state.board.grid.distance
    nearest = min([distance(unit.cell, enemy.unit.cell) for enemy in plan.theirs])
    beyond = nearest - useful_within(unit)
    if carrier.moved or carrier.immobile or beyond <= own or reach <= own:
        return None
    value = plan.ground_value(plan.moves.place) - plan.weights.idle
    saved = min(beyond, reach)
    return value - plan.weights.approach * max(0, plan.away(unit.cell) - saved) + plan.weights.ride * saved
