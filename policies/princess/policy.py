"""The bot as a policy: which unit acts, and what each kind of decision is answered with."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TypeVar

from opfor.game.decision import Decision
from opfor.game.legal.calls import CallChoices
from opfor.game.legal.choices import Choices
from opfor.game.legal.either import Either
from opfor.game.legal.fire import FireChoices
from opfor.game.legal.movement import MovementChoices
from opfor.game.legal.physical import PhysicalChoices
from opfor.game.view import View
from opfor.orders import ActionOrder, FireOrder, MoveOrder, Order, PassOrder, PhysicalOrder
from opfor.state import State
from opfor.units.state import UnitState
from policies.princess.artillery import choose_call
from policies.princess.fire import FirePlan, spotting, words
from policies.princess.guns import Arsenal
from policies.princess.movement import MovePlan, Path, reason
from policies.princess.physical import choose_blow
from policies.princess.settings import BEHAVIOURS, USUAL, settings
from policies.princess.turn_order import next_to_fire, next_to_move
from policies.princess.withdrawal import Honour

Kind = TypeVar("Kind")


class PrincessPolicy:
    """The public yardstick: imitates the bot that people play against, its errors included (docs/princess.md).

    ``parameters``: a preset (``berserk``, ``cowardly``, ``escape``), indexes (``aggression=7,bravery=2``), or a preset and
    indexes. ``notes`` holds for each unit what was considered for its latest order.
    """

    name = "princess"

    def __init__(self, seed: int = 0, parameters: str = "") -> None:
        self.config = settings(parameters)
        if parameters:
            self.name = f"princess:{parameters}"
        #: how it differs from the usual, for the game master
        self.dials = [f"{name} {getattr(self.config, name)} (usual {USUAL})" for name in BEHAVIOURS if self._differs(name)]
        self.notes: dict[str, list[str]] = {}
        self.reset(seed)

    def _differs(self, behaviour: str) -> bool:
        return bool(getattr(self.config, behaviour) != USUAL)

    def reset(self, seed: int) -> None:
        """Begin afresh."""
        self.seed = seed
        self.arsenal = Arsenal()
        self.honour = Honour(self.config)
        self.notes = {}

    def choose(self, decision: Decision, view: View) -> Order:
        """One of ``decision.legal``, with its reason."""
        if decision.kind == "opportunity":
            return PassOrder(decision.units[0].id, reason="never breaks in")
        if decision.kind == "action":
            return ActionOrder(decision.units[0].id, reason="starts no mission action")
        state = view.state
        self.honour.look(state, decision.side)
        order = self._decide(decision, state)
        if order not in decision.legal:
            order = replace(decision.legal.sample(lambda count: 0), reason="nothing else is open to it")
        return order

    def _decide(self, decision: Decision, state: State) -> Order:
        legal = decision.legal
        able = [state.unit(unit.id) for unit in decision.units]
        enemies = [u for u in state.enemies(decision.side) if u.cell >= 0 and not u.aboard]
        if decision.kind == "call":
            assert isinstance(legal, CallChoices)
            return choose_call(state, legal, able[0])
        if decision.kind == "movement":
            moves = part_of(legal, MovementChoices)
            assert moves is not None
            return self._move(state, moves, able, enemies)
        if decision.kind == "fire":
            fire = part_of(legal, FireChoices)
            assert fire is not None
            return self._fire(state, fire, able, enemies)
        blows = part_of(legal, PhysicalChoices)
        assert blows is not None
        return self._strike(state, blows, able)

    # -- movement -------------------------------------------------------------------------------------------------------

    def _move(self, state: State, legal: MovementChoices, able: list[UnitState], enemies: list[UnitState]) -> Order:
        leaving = frozenset(unit.id for unit in able if self.honour.leaves(state, unit))
        me = next_to_move(state, able, enemies, leaving)
        if me.swarming:
            # troopers that cling to an enemy go where it goes
            stay = legal.of(me).stand()
            return replace(stay, reason=f"clings to {me.swarming}")
        plan = MovePlan(state, me, enemies, legal, self.arsenal, self.config, leaving=me.id in leaving)
        if me.id in leaving and (out := self._leave(plan)) is not None:
            return out
        best = plan.choose()
        self._note(plan)
        assert best.order is not None
        if best.order not in legal:
            # the way of most hexes may be barred where the shortest is not
            best.order = self._shorter(plan, legal)
        return replace(best.order, reason=reason(plan, best))

    @staticmethod
    def _leave(plan: MovePlan) -> Order | None:
        """To leave the map, where it can."""
        for group, orders in plan.moves.extra():
            if group == "leave":
                return replace(orders[0], reason="leaves the field")
        return None

    @staticmethod
    def _shorter(plan: MovePlan, legal: MovementChoices) -> MoveOrder:
        for path in sorted(plan.paths, key=lambda path: -path.value):
            if path.order is not None and path.order in legal:
                return path.order
        return plan.moves.stop() or plan.moves.stand()

    def _note(self, plan: MovePlan) -> None:
        finished = sorted((path for path in plan.paths if path.order is not None), key=lambda path: -path.value)
        self.notes[plan.me.id] = [_words(plan, path) for path in finished[:3]]

    # -- fire and blows -------------------------------------------------------------------------------------------------

    def _fire(self, state: State, legal: FireChoices, able: list[UnitState], enemies: list[UnitState]) -> Order:
        me = next_to_fire(able)
        fire = legal.unit(me.id)
        hold = FireOrder(me.id, fire.postures[0].twist, fire.postures[0].flip)
        if self.honour.holds_fire(state, me):
            return replace(hold, reason="leaves the field, and holds its fire while it is let go")
        plan = FirePlan(state, me, fire, self.arsenal, self.config, lambda enemy: self.honour.spares(state, enemy))
        volley = plan.choose()
        self.notes[me.id] = [words(plan, one) for one in plan.volleys[:3]]
        if volley is not None:
            return replace(volley.order, reason=words(plan, volley))
        if plan.volleys:
            return replace(hold, reason="holds its fire: no target is worth more")
        draw = random.Random(f"{self.seed}/{me.id}/{state.turn}").random
        seen = spotting(state, me, enemies, draw)
        return replace(hold, reason=f"has no shot, and watches {seen.id} for others" if seen is not None else "has no shot")

    def _strike(self, state: State, legal: PhysicalChoices, able: list[UnitState]) -> Order:
        me = able[0]
        _, order = choose_blow(state, me, legal.unit(me.id), lambda enemy: self.honour.spares(state, enemy))
        if order is not None and not self.honour.holds_fire(state, me):
            self.notes[me.id] = [order.reason]
            return order
        self.notes[me.id] = ["no blow: +0.0"]
        return PhysicalOrder(me.id, reason="no blow is worth its risk")


def _words(plan: MovePlan, path: Path) -> str:
    return f"{path.end.mode} to {plan.grid.names[path.end.cell]}: {path.value:+z.1f}"


def part_of(legal: Choices, kind: type[Kind]) -> Kind | None:
    """The part of a decision's legal orders that is of a kind, or all of them where they are."""
    if isinstance(legal, kind):
        return legal
    if isinstance(legal, Either):
        return next((part for part in legal.parts if isinstance(part, kind)), None)
    return None
