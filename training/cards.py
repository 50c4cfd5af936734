"""What is known of a run's models: their cards, and the report in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from envs.registration import IDS
from envs.scenarios import Scenarios
from policies.learned.card import Card, Rating, new_card
from training.config import RunConfig
from training.evaluation import Score

#: the environment of sets that have none of their own
_ANY = "opfor/Battle-v0"


def card(config: RunConfig, name: str, **more: Any) -> Card:
    """The card of a model of a run. ``more``: further fields of it."""
    sets = [(battles, Scenarios(battles.config())) for battles in config.battle_sets]
    ids = {scenario: id for id, scenario in IDS.items()}
    return new_card(
        name,
        config.sizes,
        environment=", ".join(dict.fromkeys(ids.get(battles.scenario, _ANY) for battles, _ in sets)),
        scenarios=[battles.name for battles, _ in sets],
        rulesets=[ruleset for _, one in sets for ruleset in one.rulesets],
        kinds=tuple(dict.fromkeys(kind for _, one in sets for row in one.config.kinds for kind in row)),
        command=config.command,
        **more,
    )


def rated(config: RunConfig, steps: int, scores: Sequence[Score]) -> Card:
    """The card of a model after so many steps that has been measured; it is weak where it surely loses more than it wins."""
    ratings = [
        Rating(
            against=one.opponent,
            battles=one.battles,
            score=one.score,
            low=one.low,
            high=one.high,
            where=f"{one.scenario}, held out",
        )
        for one in scores
    ]
    weak = [f"It loses to {one.opponent} in {one.scenario}: {one.score:.0%} of the points." for one in scores if one.high < 0.5]
    data = []
    if config.imitation is not None:
        shown = config.imitation.demonstrations
        again = config.imitation.again
        own = f", and in {again.rounds * again.games:,} more in which it gave orders itself" if again is not None else ""
        data.append(f"Imitation of {', '.join(dict.fromkeys(shown.teachers))} in {shown.games:,} recorded games{own}.")
    if steps:
        frozen = f" and a frozen self every {config.league.snapshot_every:,} steps" if config.league.snapshot_every else ""
        data.append(f"{steps:,} steps of PPO against {', '.join(config.league.opponents)}{frozen}.")
    return card(config, f"{config.name} {steps}", data=" ".join(data), ratings=tuple(ratings), weaknesses=tuple(weak))


def words_of(report: dict[str, Any]) -> str:
    """A run's report as lines of text."""
    lines = [f"{report['name']}: {report['steps']:,} steps, {report['steps_per_second']:,} a second"]
    for name, model in report["models"].items():
        lines.append(f"{name}, of {model['steps']:,} steps: learned:{model['path']}")
        lines += [
            f"  {one['score']:6.1%} ({one['low']:.1%} to {one['high']:.1%}) against {one['opponent']}, "
            f"{one['battles']} battles of {one['scenario']}"
            for one in model["scores"]
        ]
    return "\n".join(lines)


__all__ = ["card", "rated", "words_of"]
