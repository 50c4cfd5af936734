"""A volley in one clause, for the post."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.veteran.assaults import assault_words

if TYPE_CHECKING:
    from policies.veteran.fire import FirePlan, Plan


def fire_words(of: FirePlan, plan: Plan) -> str:
    """The target of a plan, the odds, what is to be expected, who helps, what else is shot at."""
    first = [use for use in plan.uses if use.option.target == plan.primary]
    best = max(use.chance for use in first)
    if "anti_mech" in first[0].option.mode.weapon.flags:
        return assault_words(of.unit, plan.primary, of.unit.spec.mounts[first[0].option.attack.mount], best)
    damage = sum(use.chance * use.damage for use in first)
    seen = of.frames[plan.primary, first[0].option.attack.spotter]
    troops = of.targets[plan.primary].unit.spec.is_infantry
    side = "" if seen.side == "front" or troops else f"'s {seen.side}"
    what = "troopers" if of.targets[plan.primary].kind == "infantry" else "points"
    where = f"at {seen.distance} hex{'es' if seen.distance != 1 else ''}" if seen.distance else "in its own hex"
    words = f"{plan.primary}{side} {where}, odds up to {round(100 * best)} %, {damage:.0f} {what} to be expected"
    if plan.primary in of.friends:
        words += ", with friends"
    if first[0].option.attack.spotter:
        words += f", spotted by {first[0].option.attack.spotter}"
    others = sorted({use.option.target for use in plan.uses} - {plan.primary})
    if others:
        words += f", the rest at {', '.join(others)}"
    heat = sum(use.heat for use in plan.uses)
    if of.me.hot and of.cool + heat >= of.weights.comfortable:
        words += f", heat to {max(0, of.cool + heat)}"
    return words
