"""Who fights whom next: plans the battles of every environment, and notes how they end."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from stable_baselines3.common.callbacks import BaseCallback

from training.checkpoint import RunState
from training.config import RunConfig, Stage
from training.planned import Plan
from training.pool import Pool, drawn
from training.seeds import seed_of


@dataclass(slots=True)
class Tally:
    """Battles that have ended in a rollout: how many, how many of them were won, drawn; steps and rewards in all."""

    battles: int = 0
    won: int = 0
    drawn: int = 0
    steps: int = 0
    paid: float = 0.0

    def row(self) -> dict[str, float]:
        """Shares and means by name; 0 where no battle has ended."""
        count = max(1, self.battles)
        return {
            "battles": self.battles,
            "won": self.won / count,
            "drawn": self.drawn / count,
            "battle_steps": self.steps / count,
            "battle_reward": self.paid / count,
        }


class Desk(BaseCallback):
    """Called after every step: a battle that has ended is told to the pool, and the one after the next is planned.

    A plan follows from the run's seed, the environment's number, the battle's number, and the pool as it is then.
    """

    def __init__(self, config: RunConfig, pool: Pool, state: RunState) -> None:
        super().__init__()
        self.config = config
        self.pool = pool
        self.state = state
        self.tally = Tally()
        self._numbers = {battles.name: number for number, battles in enumerate(config.battle_sets)}

    def stage(self, steps: int) -> Stage:
        """The part of the curriculum that is due."""
        done = steps / self.config.ppo.steps
        return next((stage for stage in self.config.curriculum if done < stage.until), self.config.curriculum[-1])

    def plan(self, index: int, steps: int) -> dict[str, Any]:
        """The next battle to be planned for an environment."""
        number = self.state.battles[index]
        self.state.battles[index] += 1
        draw = random.Random(f"{self.config.seed} battle {index} {number}")
        choice = self.stage(steps).battles
        battles = choice[drawn([one.share for one in choice], draw)]
        member = self.pool.draw(draw)
        return Plan(
            battles=self._numbers[battles.name],
            seed=seed_of(self.config.seed, "battle", index, number),
            side=(index + number) % 2,
            opponent=member.name,
            code=member.code,
            path=member.path,
            temperature=self.config.league.temperature,
        ).model_dump()

    def fresh_tally(self) -> Tally:
        """The tally so far; another begins."""
        tally, self.tally = self.tally, Tally()
        return tally

    def _on_step(self) -> bool:
        for index, over in enumerate(self.locals["dones"]):
            if not over:
                continue
            info = self.locals["infos"][index]
            won, drawn = bool(info["is_success"]), info["winner"] in (None, -1)
            self.pool.report(info["opponent"], 1.0 if won else 0.5 if drawn else 0.0)
            tally = self.tally
            tally.battles += 1
            tally.won += won
            tally.drawn += drawn
            tally.steps += info["battle_steps"]
            tally.paid += info["battle_reward"]
            self.training_env.env_method("plan", self.plan(index, self.num_timesteps), indices=index)
        return True


__all__ = ["Desk", "Tally"]
