"""The learning environments beside the rules alone and beside other games' environments: steps a processor-second, in one run.

All of ours play the same battles, the training set ``skirmish`` (4 v 4 'Mechs); an agent picks any legal action, each as
likely as the next. Peers are measured where they are installed (:mod:`benchmarks.peers`). The cases take turns, a little of
each in every round, and the middle one of the rounds counts: so a busy neighbour falls on all of them alike.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

from benchmarks.peers import peers
from envs.match import Match
from envs.scenarios import Scenarios
from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.rules.moving.compiling import use_compiled
from policies.registry import make

#: goes on where it stopped for so many processor-seconds; returns how many decisions, steps or moves it made
Run = Callable[[float], int]


class Case(NamedTuple):
    """Something that is measured: its name, what is counted in it, and the measure of ours that it is held against."""

    what: str
    unit: str
    run: Run
    against: str = ""


RULES = "rules alone, random by the tree"
STEPS = "environment, opponent random by the tree"


def until(seconds: float, once: Callable[[], int]) -> int:
    """Do something again and again for so many processor-seconds; the sum of what it returns."""
    end = time.process_time() + seconds
    done = 0
    while time.process_time() < end:
        done += once()
    return done


def rules_alone(policy: str) -> Run:
    """Whole battles of a policy against itself, by the waist: decisions."""
    scenarios = Scenarios("skirmish")
    seeds = count()
    sides = [make(policy), make(policy)]

    def battle() -> int:
        seed = next(seeds)
        game = Game(scenarios.draw(seed), SeededDice(seed))
        for number, side in enumerate(sides):
            side.reset(seed + number)
        done = 0
        while (decision := game.decision()) is not None:
            game.apply(sides[decision.side].choose(decision, game.view(decision.side)), trust=True)
            done += 1
        return done

    return lambda seconds: until(seconds, battle)


def small_steps() -> Run:
    """Battles in small steps, both sides at random, nothing observed: steps."""
    scenarios = Scenarios("skirmish")
    seeds = count()

    def battle() -> int:
        seed = next(seeds)
        match, draw = Match(Game(scenarios.draw(seed), SeededDice(seed))), random.Random(seed).random
        done = 0
        while match.walk is not None:
            match.step(int(draw() * (match.walk.options + 1)))
            done += 1
        return done

    return lambda seconds: until(seconds, battle)


def environment(opponent: str, **settings: Any) -> Run:
    """The gymnasium environment: steps, with observation, mask, reward, the opponent's reply and the resets."""
    import numpy as np

    from envs.opfor_env import OpForEnv

    env = OpForEnv("skirmish", opponent=opponent, **settings)
    draw = random.Random(1).random
    _, info = env.reset(seed=1)

    def some() -> int:
        nonlocal info
        for _ in range(50):
            legal = np.flatnonzero(info["action_mask"])
            _, _, terminated, truncated, info = env.step(int(legal[int(draw() * len(legal))]))
            if terminated or truncated:
                _, info = env.reset()
        return 50

    return lambda seconds: until(seconds, some)


def for_two() -> Run:
    """The PettingZoo environment, both sides at random: steps."""
    import numpy as np

    from envs.opfor_v0 import raw_env

    env = raw_env(scenario="skirmish")
    draw = random.Random(1).random
    seeds = count(1)
    env.reset(seed=next(seeds))

    def some() -> int:
        for _ in range(50):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset(seed=next(seeds))
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(draw() * len(legal))]))
        return 50

    return lambda seconds: until(seconds, some)


def ours() -> list[Case]:
    """What is measured of this project."""
    return [
        Case("rules alone, random by whole orders", "decisions", rules_alone("random")),
        Case(RULES, "decisions", rules_alone("random:tree")),
        Case("small steps, nothing observed", "steps", small_steps()),
        Case(STEPS, "steps", environment("random:tree")),
        Case("environment, opponent random by whole orders", "steps", environment("random")),
        Case("environment, opponent veteran", "steps", environment("veteran")),
        Case("environment for two (PettingZoo)", "steps", for_two()),
    ]


def environments(quick: bool) -> list[dict[str, Any]]:
    """Rates of ours and of the peers that are installed, and the peers' as a multiple of ours.

    Movement searches are compiled, as in the arena: that needs numba.
    """
    use_compiled()
    cases = [*ours(), *[Case(*peer) for peer in peers()]]
    rounds, seconds = (1, 0.5) if quick else (3, 1.5)
    for case in cases:
        # boards, catalogue, tables and searches are warm then
        case.run(0.2 if quick else 1.0)
    rates: dict[str, list[float]] = {case.what: [] for case in cases}
    for _ in range(rounds):
        for case in cases:
            start = time.process_time()
            done = case.run(seconds)
            rates[case.what].append(done / (time.process_time() - start))
    middle = {what: statistics.median(found) for what, found in rates.items()}
    aims = {RULES: "20,000", STEPS: "6,000 to 10,000"}
    rows: list[dict[str, Any]] = []
    for case in cases:
        row = {"what": f"{case.what}: {case.unit}", "value": middle[case.what], "unit": "/s", "aim": aims.get(case.what, "")}
        if case.against:
            own = {"rules": RULES, "environment": STEPS}[case.against]
            row["ratio"] = middle[case.what] / middle[own]
            row["aim"] = f"{row['ratio']:.2g} x ours"
        rows.append(row)
    return rows + drawing(quick)


def drawing(quick: bool) -> list[dict[str, Any]]:
    """How long it takes to draw a battle, by set."""
    from envs.scenarios import scenario_names

    calls = 20 if quick else 200
    rows = []
    for name in scenario_names():
        scenarios = Scenarios(name)
        for seed in range(20):
            scenarios.draw(seed)
        start = time.process_time()
        for seed in range(20, 20 + calls):
            scenarios.draw(seed)
        milliseconds = (time.process_time() - start) / calls * 1e3
        rows.append({"what": f"a battle of the set {name} drawn", "value": milliseconds, "unit": "ms", "aim": "about 1"})
    return rows


__all__ = ["Case", "environments", "until"]
