"""Candidates played on for real: the rest of the movement by the veteran's judgement on both sides, then all fire reckoned.

The table of a clash (:mod:`policies.commander.clash`) finds the candidates; the best few are tried here on copies of what the
side sees. The enemy's moves are those that a veteran would make with what it sees from there. Rule: S-2, S-4.
"""

from __future__ import annotations

from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.game.legal.fire import FireChoices
from opfor.state import State
from policies.commander.lineup import Choice
from policies.veteran.fire import FirePlan
from policies.veteran.mind import Mind
from policies.veteran.policy import VeteranPolicy

#: orders after which a movement phase is taken to be over
_MOST = 60


class PlayingOn:
    """Plays candidates of one side on. The same dice fall for all of them."""

    def __init__(self, side: int, mind: Mind, policies: list[VeteranPolicy], seed: int) -> None:
        self.side = side
        self.mind = mind
        self.policies = policies
        self.seed = seed

    def weigh(self, state: State, choice: Choice) -> float:
        """What a candidate comes to: our fire less theirs at the end of the movement, and the ground that it holds.

        Of the ground only what is better or worse than at the unit's likeliest end, so that candidates of several units compare.
        """
        option = choice.stand.option
        assert option is not None and option.order is not None
        game = Game(state.copy(), SeededDice(self.seed))
        phase, turn = state.phase, state.turn
        game.apply(option.order, trust=True)
        for _ in range(_MOST):
            decision = game.decision()
            if decision is None or (game.state.phase, game.state.turn) != (phase, turn):
                break
            policy = self.policies[decision.side]
            game.apply(policy.choose(decision, game.view(decision.side)), trust=True)
        ground = choice.stand.base - choice.piece.stands[0].base
        return self.balance(game.state) + ground - choice.handicap

    def balance(self, state: State) -> float:
        """What the fire of our side is worth as the units stand, less what the enemies' is."""
        total = 0.0
        for side in range(len(state.sides)):
            ours, theirs = self.mind.sides(state, side)
            ours = [f for f in ours if not f.unit.aboard]
            able = [f for f in ours if f.unit.active]
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
