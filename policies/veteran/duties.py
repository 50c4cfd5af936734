"""What comes before all else in a movement: leaving the map, a bomb run announced. Rule: S-11, E-30."""

from __future__ import annotations

from policies.veteran.calls import runs
from policies.veteran.move_plan import MovePlan
from policies.veteran.options import Option, rank


def leave(plan: MovePlan) -> None:
    """Leaving the map counts for more than anything that can be done on it."""
    for order in dict(plan.moves.extra()).get("leave", []):
        told = plan.choices.option(order)
        odds = 1.0
        for _, number in told.rolls:
            odds *= number.odds
        place = plan.moves.ground.place(order.to, order.elevation)
        value = plan.risked(plan.weights.left - told.mp / 100, odds)
        plan.options.append(
            Option(order.mode, place, order.facing, False, told.hexes, told.heat, None, value, None, odds, order)
        )
    plan.options.sort(key=rank)


def bound(plan: MovePlan) -> bool:
    """Whether its best is apart from where anybody else goes: it leaves the map, gets into a carrier, flies its bomb run."""
    best = plan.options[0]
    return best.order is not None and (best.result is None or best.order in plan.flown)


def fly_run(plan: MovePlan) -> None:
    """A bomb run that has been announced is flown: whatever else the unit does loses it. Rule: E-30."""
    if not plan.state.shells or plan.me.kind != "vtol":
        return
    found = []
    for order in runs(plan.state, plan.moves):
        place = plan.ground.place(order.to, order.elevation)
        told = plan.choices.option(order)
        value, result = plan.weigh(place, False, order.facing, order.mode, told.hexes, told.heat)
        found.append(Option(order.mode, place, order.facing, False, told.hexes, told.heat, None, value, result, 1.0, order))
    found.sort(key=rank)
    plan.flown = {option.order for option in found}
    plan.options = found + plan.options
