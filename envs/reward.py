"""What an agent is paid: who wins, points of mission actions, and a shaping of Battle Value that changes no best policy.

A step pays ``R + F``. ``R`` is ``win``, ``draw`` or ``loss`` when the battle ends, and ``points`` for each point of a mission
action that the agent's side gains on the others (A-5). ``F = gamma * phi(after) - phi(before)`` with the potential

    phi(state) = shaping * (share of its strength that the side has left - share that its enemies have left)

and 0 once the battle is over. The strength is the one by which a battle is judged at its turn limit (S-11). Whatever is
done, the discounted sum of ``F`` over an episode is ``-phi(start)``: the returns of all policies differ from those without
shaping by the same number, so that the best policy stays the best. That holds where ``gamma`` is the learner's own.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from opfor.rules.turn.victory import strength
from opfor.state import State

#: what the strength of a unit is read from: points of armour and structure, and whether it is on the map and has a crew
_Marks = tuple[list[int], list[int], str, bool, bool]


class RewardConfig(BaseModel):
    """``gamma`` must be the discount factor of the learner. ``shaping``: 0 for none."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    win: float = 1.0
    draw: float = 0.0
    loss: float = -1.0
    points: float = 0.0
    shaping: float = 0.5
    gamma: float = Field(default=0.999, gt=0.0, le=1.0)


class Reward:
    """The reward of one side along one battle: :meth:`begin`, then :meth:`after` each step."""

    def __init__(self, config: RewardConfig | None = None) -> None:
        self.config = config or RewardConfig()
        self._potential = 0.0
        self._ahead = 0
        self._wholes: list[int] = []
        self._marks: list[_Marks] = []

    @property
    def potential(self) -> float:
        """The potential of the latest state seen, 0 once the battle is over."""
        return self._potential

    def begin(self, state: State, side: int) -> None:
        """A battle begins for a side, at the first question put to it."""
        valued = any(unit.spec.battle_value for unit in state.units)
        self._wholes = [0] * len(state.sides)
        for unit in state.units:
            self._wholes[unit.side] += 100 * (unit.spec.battle_value if valued else unit.spec.tons)
        self._ahead = _ahead(state, side)
        self._potential = 0.0
        if self.config.shaping:
            self._look(state, side)

    def after(self, state: State, side: int, over: bool) -> float:
        """The reward of the step that led to ``state``. ``over``: the battle has ended (not: the episode was cut short)."""
        config = self.config
        paid = 0.0
        if config.points:
            ahead = _ahead(state, side)
            paid += config.points * (ahead - self._ahead)
            self._ahead = ahead
        if config.shaping:
            before = self._potential
            if over:
                self._potential = 0.0
            elif self._changed(state):
                self._look(state, side)
            paid += config.gamma * self._potential - before
        if over:
            winner = state.winner
            paid += config.win if winner == side else config.draw if winner is None or winner < 0 else config.loss
        return paid

    def _changed(self, state: State) -> bool:
        """Whether anything that the strength of a unit is read from has changed since it was last worked out."""
        for unit, (armor, structure, destroyed, gone, awake) in zip(state.units, self._marks, strict=True):
            if unit.armor != armor or unit.structure != structure:
                return True
            if unit.destroyed != destroyed or unit.gone is not gone or unit.conscious is not awake:
                return True
        return False

    def _look(self, state: State, side: int) -> None:
        """Work the potential out, and keep what it was read from."""
        self._marks = [(u.armor[:], u.structure[:], u.destroyed, u.gone, u.conscious) for u in state.units]
        own = enemy = 0.0
        wholes = self._wholes
        for index in range(len(state.sides)):
            left = strength(state, index)
            if index == side:
                own = left / (wholes[index] or 1)
            else:
                enemy += left
        enemy /= sum(wholes) - wholes[side] or 1
        self._potential = self.config.shaping * (own - enemy)


def _ahead(state: State, side: int) -> int:
    """Points of mission actions that a side has more than the best of the others. Rule: A-5."""
    return state.scores[side] - max([points for other, points in enumerate(state.scores) if other != side], default=0)


__all__ = ["Reward", "RewardConfig"]
