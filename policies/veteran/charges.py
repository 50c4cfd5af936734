"""Charges and deaths from above, weighed against ordinary movement. Rule: S-8."""

from __future__ import annotations

from opfor.dice import chance_2d6
from opfor.orders import MoveOrder
from opfor.rules.melee.blows import damage_to, physical_side
from opfor.rules.melee.charges import charge_damage, charge_number, dfa_damage, dfa_number
from opfor.rules.pilots.piloting import reasons
from policies.veteran.exchange import topple_odds
from policies.veteran.figures import Figure
from policies.veteran.mishaps import fall_cost
from policies.veteran.move_plan import MovePlan
from policies.veteran.options import Option

#: reasons of the rolls that follow, by attack: of the attacker that hits
_AFTER = {"charge": "made_charge", "dfa": "made_dfa"}
#: a charger that misses is seldom hurt; one that jumps and misses always falls
_MISSED_FALL = {"charge": 0.0, "dfa": 1.0}


def best_charge(plan: MovePlan) -> Option | None:
    """The best charge or death from above, None where there is none."""
    best: Option | None = None
    figures = {figure.unit.id: figure for figure in plan.theirs}
    for order in (*plan.moves.charges(), *plan.moves.deaths()):
        option = _weigh(plan, order, figures[order.target])
        if option is not None and (best is None or option.value > best.value):
            best = option
    return best


def _weigh(plan: MovePlan, order: MoveOrder, target: Figure) -> Option | None:
    state, unit, me = plan.state, plan.me.unit, plan.me
    told = plan.choices.option(order)
    before = (unit.cell, unit.elevation, unit.facing, unit.mode, unit.hexes_moved, unit.prone)
    unit.cell, unit.elevation, unit.facing = order.to, order.elevation, order.facing
    unit.mode, unit.hexes_moved, unit.prone = order.mode, told.hexes, False
    try:
        if order.attack == "charge":
            number, (damage, back) = charge_number(state, unit, target.unit), charge_damage(unit, target.unit)
        else:
            number, (damage, back) = dfa_number(state, unit, target.unit), dfa_damage(unit)
        side = physical_side(state, unit, order.attack, target.unit)
    finally:
        unit.cell, unit.elevation, unit.facing, unit.mode, unit.hexes_moved, unit.prone = before
    odds = number.odds
    if odds <= 0.0:
        return None
    weights = plan.weights
    falls = 1.0 - chance_2d6(me.piloting + reasons()[_AFTER[order.attack]].modifier) if me.hot else 0.0
    fall = fall_cost(me, weights)
    gain = damage_to(target.unit, damage) * target.factors[side, False] + weights.topple * topple_odds(target) * target.value
    loss = back * me.factors["front", False] + falls * fall
    value = weights.charge * odds * gain - odds * loss - (1.0 - odds) * _MISSED_FALL[order.attack] * fall * 1.5
    place = plan.moves.ground.place(order.to, order.elevation)
    tm = me.elusiveness(order.mode, told.hexes)
    # a charging 'Mech is shot at as it comes, and thinks of nothing else
    result = plan.exchange.at(me.spot_key(place), order.facing, order.mode, tm, told.heat)
    value -= plan.care * result.taken
    safe = 1.0
    for _, roll in told.rolls:
        safe *= roll.odds
    value = plan.risked(value, safe)
    return Option(order.mode, place, order.facing, False, told.hexes, told.heat, None, value, result, safe, order)
