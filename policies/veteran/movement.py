"""Choosing a movement, with whatever complex action goes with it."""

from __future__ import annotations

from policies.veteran.manoeuvres import consider
from policies.veteran.move_plan import MovePlan
from policies.veteran.options import Option
from policies.veteran.ordinary import ordinary


def choose_movement(plan: MovePlan) -> Option:
    """The best way to move; a plan's options are all that was thought of, best first. Rule: S-2, S-8, M-1 to M-9."""
    best = ordinary(plan)
    if plan.me.unit.aboard or plan.state.ruleset.action_budget == "standard":
        return best
    consider(plan)
    return plan.options[0]
