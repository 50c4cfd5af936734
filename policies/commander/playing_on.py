"""Candidates played on for real: the rest of the movement by the veteran's judgement on both sides, then all fire reckoned.

The table of a clash (:mod:`policies.commander.clash`) finds the candidates; the best few are tried here on copies of what the
side sees. The enemy's moves are those that a veteran would make with what it sees from there. Rule: S-2, S-4.
"""

from __future__ import annotations

from opfor.game.decision import Decision
from opfor.game.game import Game
from opfor.game.legal.fire import FireChoices
from opfor.orders import FireOrder, PhysicalOrder
from opfor.rules.turn.complex_actions import why_no_fire
from opfor.state import State
from policies.commander.likely_dice import LikelyDice
from policies.commander.lineup import Choice
from policies.veteran.fire import FirePlan
from policies.veteran.mind import Mind
from policies.veteran.physical import choose_blow
from policies.veteran.policy import VeteranPolicy

#: orders after which a movement phase is taken to be over
_MOST = 60


class PlayingOn:
    """Plays candidates of one side on. Checks come out as is likelier."""

    def __init__(self, state: State, side: int, mind: Mind, policies: list[VeteranPolicy]) -> None:
        self.state = state
        self.side = side
        self.mind = mind
        self.policies = policies
        #: what attacks made so far are worth, and who has made one
        self._done = 0.0
        self._spent: set[str] = set()

    def weigh(self, choice: Choice) -> float:
        """What a candidate comes to: our fire less theirs by the end of the movement, and the ground that it holds.

        Of the ground only what is better or worse than at the unit's likeliest end, so that candidates of several units
        compare.
        """
        option = choice.stand.option
        assert option is not None and option.order is not None
        game = Game(self.state.copy(), LikelyDice())
        self._done = 0.0
        self._spent = set()
        game.apply(option.order, trust=True)
        for _ in range(_MOST):
            if not self._go_on(game):
                break
        ground = choice.stand.base - choice.piece.stands[0].base
        return self._done + self.balance(game.state) + ground - choice.handicap

    def _go_on(self, game: Game) -> bool:
        """One more order, as long as somebody has to move: in this phase, or waiting for the next (E-3)."""
        decision = game.decision()
        state = game.state
        if decision is None or state.turn != self.state.turn:
            return False
        if state.phase != "movement":
            if state.phase != "fire":
                return False
            if decision.also:
                decision = decision.narrowed(decision.also)
            elif decision.kind != "movement" and not state.underway:
                return False
        order = self.policies[decision.side].choose(decision, game.view(decision.side))
        if isinstance(order, FireOrder | PhysicalOrder):
            self._count(state, decision, order)
        game.apply(order, trust=True)
        return True

    def _count(self, state: State, decision: Decision, order: FireOrder | PhysicalOrder) -> None:
        """Add what an attack is worth that is made before the movement is over: on the way, breaking in, or after waiting."""
        ours, theirs = self.mind.sides(state, decision.side)
        figure = next(f for f in ours if f.unit.id == order.unit)
        if isinstance(order, FireOrder):
            fire = FireChoices(state, [figure.unit])
            plan = FirePlan(state, figure, ours, theirs, fire.unit(order.unit), self.mind, held=decision.kind == "opportunity")
            plan.choose()
            gain = plan.gain
            self._spent.add(order.unit)
        else:
            gain = choose_blow(state, figure, theirs, [order], self.mind.weights)[0]
        self._done += gain if decision.side == self.side else -self.mind.weights.taken * gain

    def balance(self, state: State) -> float:
        """What the fire of our side is worth as the units stand, less what the enemies' is."""
        total = 0.0
        state.declared.clear()
        for side in range(len(state.sides)):
            ours, theirs = self.mind.sides(state, side)
            ours = [f for f in ours if not f.unit.aboard]
            able = [f for f in ours if f.unit.active and f.unit.id not in self._spent and not why_no_fire(state, f.unit)]
            if not able or not theirs:
                continue
            fire = FireChoices(state, [f.unit for f in able])
            gain = 0.0
            for figure in able:
                plan = FirePlan(state, figure, ours, theirs, fire.unit(figure.unit.id), self.mind)
                plan.choose()
                gain += plan.gain + plan.kick
            total += gain if side == self.side else -self.mind.weights.taken * gain
        return total
