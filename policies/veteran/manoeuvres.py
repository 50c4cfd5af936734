"""Complex actions that go with movement: evading, sprinting, holding an opportunity, shooting on the way. Rule: M-1 to M-9."""

from __future__ import annotations

from dataclasses import replace

from opfor.game.legal.movement import MovementChoices
from policies.veteran.exchange import Exchange
from policies.veteran.figures import Figure
from policies.veteran.mishaps import path_hazard
from policies.veteran.move_plan import MovePlan
from policies.veteran.options import Option, rank
from policies.veteran.ordinary import ordinary

#: modes that leave no attack
HASTE = ("evade", "sprint")
#: ways of moving that a held action goes with
_CALM = ("stand", "walk")
#: of the best options, those with which an action may be held; places and ways on to look at for shooting on the way
_LOOKED_AT, _PLACES, _GOING_ON = 8, 6, 2
#: words for the first stage of shooting on the way
PAUSED = "shoots on the way"


def consider(plan: MovePlan) -> None:
    """Put whatever complex action is worth more than the best ordinary movement in front of a plan's options."""
    unit = plan.me.unit
    if unit.complex_action == "pause" or unit.mp_spent or not plan.options:
        return
    best = plan.options[0]
    if best.order is None or best.order.attack or "EXIT" in best.order.path:
        return
    if best.order in plan.flown:
        return
    if plan.leaving or not worthwhile(plan, best):
        _haste(plan)
    if plan.leaving:
        return
    state = plan.state
    if state.ruleset.opportunity_actions == "on":
        _hold(plan)
    if state.ruleset.action_while_moving == "on" and not best.order.act and plan.theirs:
        _pause(plan)


def worthwhile(plan: MovePlan, option: Option) -> bool:
    """Whether a position promises fire that is worth staying for."""
    given = option.result.given if option.result is not None else 0.0
    return given > plan.weights.worthwhile * plan.best_damage


def _haste(plan: MovePlan) -> None:
    """Evading and sprinting: nothing is fired, so only where fire would bring little. Rule: M-2, M-3."""
    modes = [mode for mode in HASTE if mode in getattr(plan.moves, "modes", ())]
    if not modes:
        return
    found = [o for o in plan.among(plan.groups(modes), []) if o.order is not None and not plan.choices.why_not(o.order)]
    plan.options = sorted(plan.options + found, key=rank)


def _hold(plan: MovePlan) -> None:
    """Holding an action for those who have yet to come into our fire. Rule: M-9.

    Only where regular fire would be worth less: an enemy that moves after us may choose to stay out of sight, not to pass by.
    """
    weights = plan.weights
    best: Option | None = None
    for option in plan.options[:_LOOKED_AT]:
        result, order = option.result, option.order
        if result is None or order is None or order.mode not in _CALM or order.attack or option.prone:
            continue
        ambush = weights.hold * weights.unmoved_given * result.ambush
        if ambush <= weights.given * result.given + max(0.0, result.blows):
            continue
        value = option.value - weights.given * result.given - max(0.0, result.blows) + ambush
        if best is None or value > best.value:
            held = replace(order, act="opportunity")
            if not plan.choices.why_not(held):
                best = replace(option, order=held, value=value)
    if best is not None and best.value > plan.options[0].value:
        plan.options.insert(0, best)


def _pause(plan: MovePlan) -> None:
    """Fire from a place on the way, then go on to where less comes back. Rule: M-8."""
    best = plan.options[0]
    now = _as_they_stand(plan)
    rated = []
    for (mode, place), (_, ends, risky) in plan.groups().items():
        reach = plan.moves.reach(mode)
        if risky or reach is None or mode == "jump":
            continue
        for end in ends:
            if isinstance(end, int) or end.mp >= reach.limit:
                continue
            tm = plan.me.elusiveness(mode, end.hexes)
            given = now.at(plan.me.spot_key(place), end.stance % 6 if plan.faces else None, mode, tm, 0).given
            if given > plan.weights.worthwhile * plan.best_damage:
                rated.append((given, -end.mp, mode, end.stance, end.hexes))
                break
    rated.sort(reverse=True)
    tried = 0
    for given, _, mode, stance, hexes in rated[:_PLACES]:
        order = plan.moves.ground_order(mode, stance * 2)
        if plan.choices.why_not(replace(order, act="pause")):
            continue
        tried += 1
        if tried > _GOING_ON:
            return
        onward = _going_on(plan, order.to, order.elevation, stance % 6, mode, -_, hexes)
        if onward is None:
            continue
        value = plan.weights.given * given + onward.value - plan.weights.pausing - path_hazard(plan, order, stops=True)
        if value > best.value and value > plan.options[0].value:
            place = stance // 6
            told = replace(order, act="pause")
            plan.options.insert(
                0, replace(best, mode=mode, place=place, facing=stance % 6, prone=False, hexes=hexes, end=None, value=value,
                           result=now.at(plan.me.spot_key(place), stance % 6, mode, 0, 0), odds=1.0, order=told, onward=onward)
            )  # fmt: skip


def _as_they_stand(plan: MovePlan) -> Exchange:
    """The exchange with all enemies where they are at this moment."""
    kept = [(enemy, enemy.spots, enemy.menace, enemy.settled) for enemy in plan.theirs]
    for enemy in plan.theirs:
        enemy.settled = True
        enemy.spots, enemy.menace = (enemy.here(),), None
    found = Exchange(plan.state, plan.me, plan.friends, plan.theirs, plan.lanes, plan.weights)
    for enemy, spots, menace, settled in kept:
        enemy.spots, enemy.menace, enemy.settled = spots, menace, settled
    return found


def _going_on(plan: MovePlan, cell: int, elevation: int, facing: int, mode: str, mp: int, hexes: int) -> Option | None:
    """The best end of the rest of a movement, the action on the way done."""
    state = plan.state.copy()
    unit = state.unit(plan.me.unit.id)
    unit.cell, unit.elevation, unit.facing, unit.prone = cell, elevation, facing, False
    unit.mode, unit.mp_spent, unit.hexes_moved, unit.complex_action = mode, mp, hexes, "pause"
    state.touch()
    me = Figure(state, unit, plan.mind.arsenal, plan.weights)
    onward = MovePlan(state, me, [me, *plan.friends], plan.theirs, MovementChoices(state, [unit]), plan.mind)
    return ordinary(onward)
