"""The best movement without a complex action beside it: on foot or by jump, in or out of a carrier, off the map, a charge."""

from __future__ import annotations

from policies.veteran.boarding import mounting, options_inside
from policies.veteran.charges import best_charge
from policies.veteran.duties import fly_run, leave
from policies.veteran.move_plan import MovePlan
from policies.veteran.options import Option, rank


def ordinary(plan: MovePlan) -> Option:
    """Fill a plan's options, best first. Returns the best."""
    if plan.me.unit.aboard:
        plan.options = options_inside(plan)
        return plan.options[0]
    plan.search()
    if plan.leaving:
        leave(plan)
    plan.options += mounting(plan)
    plan.options.sort(key=rank)
    fly_run(plan)
    charge = None if plan.retiring else best_charge(plan)
    if charge is not None and charge.value > plan.options[0].value:
        plan.options.insert(0, charge)
    return plan.options[0]
