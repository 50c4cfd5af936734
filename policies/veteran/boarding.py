"""Infantry gets into its carrier, stays inside, or gets out. Rule: S-9."""

from __future__ import annotations

from opfor.orders import MoveOrder
from opfor.rules.moving.movement import movement_points
from policies.veteran.move_plan import MovePlan
from policies.veteran.options import Option, rank
from policies.veteran.troops import useful_within


def options_inside(plan: MovePlan) -> list[Option]:
    """What infantry inside a carrier may do: stay, or get out at each place open to it."""
    moves = plan.moves
    unit = plan.me.unit
    stay = moves.stand()
    found = [Option("stand", moves.place, unit.facing, False, 0, 0, None, _inside_value(plan), None, 1.0, stay)]
    for order in dict(moves.extra()).get("dismount", []):
        place = plan.ground.place(order.to, order.elevation)
        value, result = plan.value(place, "walk")
        found.append(Option("dismount", place, order.facing, False, 0, 0, None, value, result, 1.0, order))
    found.sort(key=rank)
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
