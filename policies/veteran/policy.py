"""The veteran: a scripted opponent that moves, shoots and kicks by weighing what each order may bring and cost."""

from __future__ import annotations

from dataclasses import replace

from opfor.game.decision import Decision
from opfor.game.legal.choices import Choices
from opfor.game.legal.fire import FireChoices
from opfor.game.legal.movement import MovementChoices
from opfor.game.legal.physical import PhysicalChoices
from opfor.game.view import View
from opfor.orders import FireOrder, MoveOrder, Order, PhysicalOrder
from opfor.state import State
from policies.veteran.assaults import SHAKEN_BY
from policies.veteran.figures import Figure
from policies.veteran.fire import FirePlan
from policies.veteran.mind import Mind
from policies.veteran.movement import MovePlan, Option
from policies.veteran.physical import choose_blow
from policies.veteran.reasons import HOLD_WORDS, MODE_WORDS, hex_words, position_words
from policies.veteran.turn_order import first_to_fire, first_to_move
from policies.veteran.weights import weights


class VeteranPolicy:
    """Weighs every order by expected damage given and taken, heat, falls, ground and company.

    ``parameters`` names a character of ``configs/policies/veteran.yaml`` (``cautious``, ``bold``). ``notes`` holds for each
    unit what was considered for its latest order, for the game master's eyes. Nothing is drawn at random: ``seed`` is kept
    for the protocol only, and the same battle gets the same orders.
    """

    name = "veteran"

    def __init__(self, seed: int = 0, parameters: str = "") -> None:
        self.weights = weights(parameters)
        if parameters:
            self.name = f"veteran:{parameters}"
        self.notes: dict[str, list[str]] = {}
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Begin afresh."""
        self.seed = seed
        self.mind = Mind(self.weights)
        self.notes = {}

    def choose(self, decision: Decision, view: View) -> Order:
        """One of ``decision.legal``, with its reason."""
        state = view.state
        legal = decision.legal
        ours, theirs = self.mind.sides(state, decision.side)
        able = [figure for figure in ours if figure.unit.id in decision.unit_ids]
        if decision.kind != "movement":
            ours = [figure for figure in ours if not figure.unit.aboard]
        units = [figure.unit for figure in able]
        order: Order
        if decision.kind == "movement":
            order = self._move(state, legal, able, ours, theirs)
        elif decision.kind == "fire":
            shots = legal if isinstance(legal, FireChoices) else FireChoices(state, units)
            order = self._fire(state, shots, able, ours, theirs)
        else:
            blows = legal if isinstance(legal, PhysicalChoices) else PhysicalChoices(state, units)
            order = self._strike(state, blows, able, ours, theirs)
        if order not in legal:
            order = replace(legal.sample(lambda count: 0), reason="nothing else is open to it")
        return order

    # -- movement -------------------------------------------------------------------------------------------------------

    def _move(self, state: State, legal: Choices, able: list[Figure], ours: list[Figure], theirs: list[Figure]) -> MoveOrder:
        self.mind.foresee(state, able[0].unit.side, ours, theirs)
        me = first_to_move(state, able, ours, theirs)
        # reckoned on the side's own copy, where a plan may put its units elsewhere for a moment
        plan = MovePlan(state, me, ours, theirs, MovementChoices(state, [figure.unit for figure in able]), self.mind)
        best = plan.choose()
        if best.order not in legal:
            # something unseen is in the way
            best = next((option for option in plan.options if option.order in legal), plan.stay()[0])
        order = best.order
        assert order is not None
        self._note(me, [f"{self._move_words(state, plan, option)}: {option.value:+.1f}" for option in _distinct(plan.options)])
        return replace(order, reason=self._move_reason(state, plan, best))

    def _move_words(self, state: State, plan: MovePlan, option: Option) -> str:
        me = plan.me
        where = hex_words(state, me.ground, option.place, option.facing)
        words = f"{MODE_WORDS[me.kind].get(option.mode, option.mode)} to {where}"
        if option.order is not None and option.order.attack == "mount":
            return f"get into {option.order.target}"
        if option.order is not None and option.order.attack:
            words = f"{option.order.attack} at {option.order.target} from {where}"
        if option.odds < 1.0:
            words += f" ({round(100 * option.odds)} % {HOLD_WORDS[me.kind]})"
        return words

    def _move_reason(self, state: State, plan: MovePlan, best: Option) -> str:
        order = best.order
        assert order is not None
        if "EXIT" in order.path:
            return "leaves the field"
        if order.attack in ("charge", "dfa"):
            verb = "jumps at" if order.attack == "dfa" else "charges" if plan.me.hot else "rams"
            return f"{verb} {order.target}"
        me = plan.me
        if order.attack == "mount":
            return f"gets into {order.target}"
        if me.unit.aboard and order.mode == "stand":
            return f"rides on in {me.unit.aboard}"
        result = best.result
        target = plan.theirs[result.target] if result is not None and result.target >= 0 else None
        key = me.spot_key(best.place, prone=best.prone)
        words = position_words(state, plan.lanes, me.ground, best.place, key, target, plan.theirs)
        lead = []
        if order.mode == "dismount":
            lead.append("gets out")
        if plan.leaving:
            lead.append("makes for its home edge")
        elif me.unit.swarming:
            lead.append(f"clings to {me.unit.swarming}")
        elif me.unit.immobilized:
            lead.append("cannot move")
        elif me.swarmer and order.mode in SHAKEN_BY:
            lead.append(f"shakes off {me.swarmer}")
        elif best.prone:
            lead.append("stays down")
        elif me.unit.prone:
            lead.append("gets up")
        elif target is None and plan.theirs and not lead:
            busy = "keeps moving" if not me.hot and not me.power.reach else "closes in"
            lead.append("waits" if not order.path else f"goes to fetch {plan.fetched[0].id}" if plan.fetched else busy)
        return ", ".join([*lead, *([words] if words else [])]) or "open ground"

    # -- fire -----------------------------------------------------------------------------------------------------------

    def _fire(
        self, state: State, legal: FireChoices, able: list[Figure], ours: list[Figure], theirs: list[Figure]
    ) -> FireOrder:
        me = first_to_fire(able)
        plan = FirePlan(state, me, ours, theirs, legal.unit(me.unit.id), self.mind)
        order = plan.choose()
        self._note(me, plan.words())
        return order

    # -- hand to hand ---------------------------------------------------------------------------------------------------

    def _strike(
        self, state: State, legal: PhysicalChoices, able: list[Figure], ours: list[Figure], theirs: list[Figure]
    ) -> PhysicalOrder:
        me = able[0]
        order, rated = choose_blow(state, me, theirs, legal.unit(me.unit.id), self.weights)
        self._note(me, rated)
        return order

    def _note(self, me: Figure, alternatives: list[str]) -> None:
        self.notes[me.unit.id] = alternatives[:3]


def _distinct(options: list[Option]) -> list[Option]:
    """The best option of each hex and mode."""
    seen = set()
    found = []
    for option in options:
        key = (option.mode, option.place, option.order.attack if option.order is not None else "")
        if key not in seen:
            seen.add(key)
            found.append(option)
    return found
