"""The veteran: a scripted opponent that moves, shoots and kicks by weighing what each order may bring and cost."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from opfor.game.decision import Decision
from opfor.game.legal.calls import CallChoices
from opfor.game.legal.choices import Choices
from opfor.game.legal.either import Either
from opfor.game.legal.fire import FireChoices
from opfor.game.legal.mission_actions import ActionChoices
from opfor.game.legal.physical import PhysicalChoices
from opfor.game.restraint import movement_of
from opfor.game.view import View
from opfor.orders import ActionOrder, CallOrder, FireOrder, MoveOrder, Order
from opfor.state import State
from policies.veteran.assaults import SHAKEN_BY
from policies.veteran.breaking_in import BreakIn, nothing_to_weigh
from policies.veteran.calls import CallPlan
from policies.veteran.characters import temper_of
from policies.veteran.figures import Figure
from policies.veteran.fire import FirePlan
from policies.veteran.manoeuvres import HASTE
from policies.veteran.mind import Mind
from policies.veteran.missions import best_start, start_words
from policies.veteran.move_plan import MovePlan
from policies.veteran.movement import choose_movement
from policies.veteran.options import Option
from policies.veteran.physical import choose_blow
from policies.veteran.reasons import ACT_WORDS, HOLD_WORDS, MODE_WORDS, hex_words, position_words
from policies.veteran.roles import role_of, roles
from policies.veteran.told import heed
from policies.veteran.turn_order import first_to_fire, first_to_move, patience
from policies.veteran.weights import Weights

Kind = TypeVar("Kind")


class VeteranPolicy:
    """Weighs every order by expected damage given and taken, heat, falls, ground and company.

    ``parameters`` names a character of ``configs/policies/characters.yaml`` (``cautious``, ``bold`` ...), a difficulty of
    ``difficulty.yaml``, dials (``thrift=2``), with strokes between (``raider/green``: see :mod:`policies.veteran.characters`).
    ``notes`` holds for each unit what was considered for its latest order, for the game master's eyes. Nothing is drawn at
    random but, below the highest difficulty, which orders are not thought through: the same battle and ``seed`` get the same
    orders.
    """

    name = "veteran"

    def __init__(self, seed: int = 0, parameters: str = "") -> None:
        self.temper = temper_of(parameters)
        self.weights = self.temper.weights()
        self.judgement = self.temper.judgement
        #: how it differs from the standard character, and how it judges: for the game master
        self.dials = self.temper.dials()
        self._roles: dict[str, Weights] = {}
        if parameters:
            self.name = f"veteran:{parameters}"
        self.notes: dict[str, list[str]] = {}
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Begin afresh."""
        self.seed = seed
        self.mind = Mind(self.weights)
        self.notes = {}

    def _mind_of(self, state: State, figure: Figure) -> Mind:
        """The mind that plans for a unit: the side's, or with roles one that weighs as what the unit is for."""
        if not self.temper.roles:
            return self.mind
        role = role_of(figure.unit.spec)
        if role not in self._roles:
            self._roles[role] = self.temper.weights(roles()[role]["aspects"])
        return self.mind.weighing(state, self._roles[role])

    def choose(self, decision: Decision, view: View) -> Order:
        """One of ``decision.legal``, with its reason."""
        if decision.kind == "opportunity" and (passes := nothing_to_weigh(decision)) is not None:
            self.notes[passes.unit] = ["let it pass: +0.0"]
            return passes
        state = view.state
        legal = decision.legal
        ours, theirs = self.mind.sides(state, decision.side)
        if state.directives:
            theirs = heed(state, decision.side, ours, theirs, self.weights)
        ids = {unit.id for unit in decision.units}
        able = [figure for figure in ours if figure.unit.id in ids]
        order = self._decide(decision, state, able, ours, theirs)
        if order not in legal:
            order = replace(legal.sample(lambda count: 0), reason="nothing else is open to it")
        return order

    def _decide(self, decision: Decision, state: State, able: list[Figure], ours: list[Figure], theirs: list[Figure]) -> Order:
        legal = decision.legal
        if decision.kind == "call":
            return self._call(state, legal, able, ours, theirs)
        missions = part_of(legal, ActionChoices)
        if decision.kind == "action":
            return self._start(state, missions, able)
        if decision.kind == "movement":
            return self._move(state, legal, able, ours, theirs, missions)
        ours = [figure for figure in ours if not figure.unit.aboard]
        if decision.kind == "opportunity":
            return self._break_in(state, decision, ours, theirs)
        units = [figure.unit for figure in able]
        if decision.kind == "fire":
            fire = part_of(legal, FireChoices) or FireChoices(state, units)
            also = {unit.id for unit in decision.also}
            waiting = [figure for figure in ours if figure.unit.id in also]
            blows = part_of(legal, PhysicalChoices)
            return self._fire(state, fire, able, ours, theirs, waiting, blows, missions)
        strikes = part_of(legal, PhysicalChoices) or PhysicalChoices(state, units)
        return self._strike(state, strikes, able, ours, theirs, missions)

    # -- movement -------------------------------------------------------------------------------------------------------

    def _move(
        self,
        state: State,
        legal: Choices,
        able: list[Figure],
        ours: list[Figure],
        theirs: list[Figure],
        missions: ActionChoices | None = None,
    ) -> Order:
        self.mind.foresee(state, able[0].unit.side, ours, theirs)
        worth, start = best_start(state, missions, self.weights)
        doing = next((f for f in able if start is not None and f.unit.id == start.unit), None)
        me = doing or first_to_move(state, able, ours, theirs)
        if state.phase == "initiative" and (waits := self._wait(state, legal, me, theirs)) is not None:
            return waits
        # reckoned on the side's own copy, where a plan may put its units elsewhere for a moment
        plan = MovePlan(state, me, ours, theirs, movement_of(state, [figure.unit for figure in able]), self._mind_of(state, me))
        best = self._judged(state, plan, choose_movement(plan))
        if start is not None and doing is not None:
            here = plan.value(plan.moves.place, "stand")
            lost = best.value - here[0] + max(0.0, here[1].given) + max(0.0, here[1].blows)
            if worth > lost:
                return self._started(state, start, worth)
        if best.order not in legal:
            # something unseen is in the way
            best = next((option for option in plan.options if option.order in legal), plan.stay()[0])
        order = best.order
        assert order is not None
        self._note(me, [f"{self._move_words(state, plan, option)}: {option.value:+z.1f}" for option in _distinct(plan.options)])
        return replace(order, reason=self._move_reason(state, plan, best))

    def _judged(self, state: State, plan: MovePlan, best: Option) -> Option:
        """The best way, or what a side that judges less well takes for it."""
        unit = plan.me.unit
        if plan.leaving or not self.judgement.errs(self.seed, unit.id, state.turn, "movement"):
            return best
        least = best.value - self.judgement.within
        others = _distinct(plan.options)[1:]
        sane = [o for o in others if o.order is not None and o.odds >= plan.weights.least_odds and o.value >= least]
        return self.judgement.slip(self.seed, unit.id, state.turn, sane) or best

    def _wait(self, state: State, legal: Choices, me: Figure, theirs: list[Figure]) -> MoveOrder | None:
        """To wait until the Op Force has moved, for whom that may change anything. Rule: E-3."""
        unit = me.unit
        order = MoveOrder(unit.id, "wait", (), unit.cell, unit.facing, unit.elevation, unit.prone)
        if patience(state, me, theirs) <= 0.0 or order not in legal:
            return None
        self._note(me, ["wait for the enemy to move: it is near enough to matter"])
        return replace(order, reason="waits for the enemy to move first")

    def _move_words(self, state: State, plan: MovePlan, option: Option) -> str:
        me = plan.me
        where = hex_words(state, me.ground, option.place, option.facing)
        words = f"{MODE_WORDS[me.kind].get(option.mode, option.mode)} to {where}"
        if option.order is not None and option.order.act:
            words += f", {ACT_WORDS[option.order.act]}"
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
        if order.act:
            lead.append(ACT_WORDS[order.act])
        elif order.mode in HASTE:
            lead.append("evades" if order.mode == "evade" else "sprints")
        if plan.leaving:
            lead.append("makes for its home edge")
        elif plan.retiring:
            lead.append("falls back toward its home edge")
        elif plan.duty is not None and (duty := plan.duty.clause(plan.ground.cell(best.place))):
            lead.append(duty)
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
        self,
        state: State,
        legal: FireChoices,
        able: list[Figure],
        ours: list[Figure],
        theirs: list[Figure],
        waiting: list[Figure],
        blows: PhysicalChoices | None = None,
        missions: ActionChoices | None = None,
    ) -> Order:
        worth, start = best_start(state, missions, self.weights)
        me = next((f for f in able if start is not None and f.unit.id == start.unit), None) or first_to_fire(able, ours)
        plan, order = self._fire_plan(state, legal, me, able, ours, theirs)
        if self.judgement.errs(self.seed, me.unit.id, state.turn, "fire"):
            order = plan.second(self.judgement.within) or order
        if waiting and not order.attacks and me.indirect is not None:
            # who waits may yet spot for it
            return self._move(state, movement_of(state, [f.unit for f in waiting]), waiting, ours, theirs)
        if blows is not None:
            # in the middle of its movement a unit does one thing: it fires, or it strikes
            value, blow, _ = choose_blow(state, me, theirs, blows.unit(me.unit.id), self._mind_of(state, me).weights)
            if blow.attack and value > plan.gain:
                self._note(me, [f"strike instead of fire: {value - plan.gain:+z.1f}"])
                return blow
        self._note(me, plan.words())
        if start is not None and worth > plan.gain + plan.kick:
            return self._started(state, start, worth)
        return order

    def _fire_plan(
        self, state: State, legal: FireChoices, me: Figure, able: list[Figure], ours: list[Figure], theirs: list[Figure]
    ) -> tuple[FirePlan, FireOrder]:
        """How ``me``, the first of the ``able`` to declare, fires."""
        plan = FirePlan(state, me, ours, theirs, legal.unit(me.unit.id), self._mind_of(state, me))
        return plan, plan.choose()

    # -- breaking in ----------------------------------------------------------------------------------------------------

    def _break_in(self, state: State, decision: Decision, ours: list[Figure], theirs: list[Figure]) -> Order:
        self.mind.foresee(state, decision.side, ours, theirs)
        plan = BreakIn(state, decision, ours, theirs, self.mind)
        order = plan.choose()
        self._note(plan.me, plan.words)
        return order

    # -- hand to hand ---------------------------------------------------------------------------------------------------

    def _strike(
        self,
        state: State,
        legal: PhysicalChoices,
        able: list[Figure],
        ours: list[Figure],
        theirs: list[Figure],
        missions: ActionChoices | None = None,
    ) -> Order:
        worth, start = best_start(state, missions, self.weights)
        me = next((f for f in able if start is not None and f.unit.id == start.unit), None) or able[0]
        value, order, rated = choose_blow(state, me, theirs, legal.unit(me.unit.id), self._mind_of(state, me).weights)
        self._note(me, rated)
        if start is not None and worth > value:
            return self._started(state, start, worth)
        return order

    # -- calls and mission actions --------------------------------------------------------------------------------------

    def _call(self, state: State, legal: Choices, able: list[Figure], ours: list[Figure], theirs: list[Figure]) -> CallOrder:
        assert isinstance(legal, CallChoices)
        self.mind.foresee(state, able[0].unit.side, ours, theirs)
        plan = CallPlan(state, legal, ours, theirs, self.weights)
        order = plan.choose(able[0].unit)
        self._note(able[0], plan.words)
        return order

    def _start(self, state: State, missions: ActionChoices | None, able: list[Figure]) -> ActionOrder:
        """After its fire a unit loses nothing by starting what it may."""
        worth, start = best_start(state, missions, self.weights)
        if start is None:
            self._note(able[0], ["start nothing: +0.0"])
            return ActionOrder(able[0].unit.id, reason="leaves it alone")
        return self._started(state, start, worth)

    def _started(self, state: State, order: ActionOrder, worth: float) -> ActionOrder:
        self.notes[order.unit] = [f"{start_words(order, state)}: {worth:+z.1f}", *self.notes.get(order.unit, [])][:3]
        return replace(order, reason=start_words(order, state))

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


def part_of(legal: Choices, kind: type[Kind]) -> Kind | None:
    """The part of a decision's legal orders that is of a kind, or all of them where they are."""
    if isinstance(legal, kind):
        return legal
    if isinstance(legal, Either):
        return next((part for part in legal.parts if isinstance(part, kind)), None)
    return None
