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

    def __init__(self, state: State, side: int, mind: Mind, policies: list[VeteranPolicy], seed: int) -> None:
        self.state = state
        self.side = side
        self.mind = mind
        self.policies = policies
        self.seed = seed
        #: by unit, points of armour and structure now, and what a point of them is worth to us
        self._points: dict[str, tuple[int, float]] = {}
        for figure in (*mind.sides(state, side)[0], *mind.sides(state, side)[1]):
            unit = figure.unit
            sign = -mind.weights.taken if unit.side == side else 1.0
            self._points[unit.id] = (sum(unit.armor) + sum(unit.structure), sign * figure.factors["front", False])

    def weigh(self, choice: Choice) -> float:
        """What a candidate comes to: our fire less theirs at the end of the movement, and the ground that it holds.

        Of the ground only what is better or worse than at the unit's likeliest end, so that candidates of several units
        compare.
        """
        option = choice.stand.option
        assert option is not None and option.order is not None
        game = Game(self.state.copy(), SeededDice(self.seed))
        game.apply(option.order, trust=True)
        for _ in range(_MOST):
            if not self._go_on(game):
                break
        ground = choice.stand.base - choice.piece.stands[0].base
        return self.balance(game.state) + self._shot_on_the_way(game.state) + ground - choice.handicap

    def _go_on(self, game: Game) -> bool:
        """One more order, as long as somebody has to move: in this phase, or waiting for the next (E-3)."""
        decision = game.decision()
        if decision is None or game.state.turn != self.state.turn:
            return False
        if game.state.phase != self.state.phase:
            if decision.side == self.side or game.state.phase != "fire":
                return False
            if decision.also:
                decision = decision.narrowed(decision.also)
            elif decision.kind != "movement" and not game.state.underway:
                return False
        policy = self.policies[decision.side]
        game.apply(policy.choose(decision, game.view(decision.side)), trust=True)
        return True

    def _shot_on_the_way(self, state: State) -> float:
        """What has been shot by now, by actions in movement and by those who broke in. Rule: M-8, M-9."""
        total = 0.0
        for unit in state.units:
            points, worth = self._points.get(unit.id, (0, 0.0))
            if points:
                total += worth * (points - sum(unit.armor) - sum(unit.structure))
        return total

    def balance(self, state: State) -> float:
        """What the fire of our side is worth as the units stand, less what the enemies' is."""
        total = 0.0
        state.declared.clear()
        for side in range(len(state.sides)):
            ours, theirs = self.mind.sides(state, side)
            ours = [f for f in ours if not f.unit.aboard]
            able = [f for f in ours if f.unit.active and f.unit.complex_action != "pause"]
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
