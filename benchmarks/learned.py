"""The network that learns and the policy that plays it: training samples a second, one observation, one order."""

from __future__ import annotations

import random
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from benchmarks.timing import fastest
from envs.layout import Flat
from envs.match import Match
from envs.observation import LAYOUT, SIZE, Observer
from envs.scenarios import Scenarios
from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.rulesets import named_ruleset
from policies.learned import LearnedPolicy
from policies.learned.card import new_card
from policies.learned.model import save_model
from policies.learned.network import Scorer, shapes
from policies.learned.sizes import named_sizes

#: observations of a batch
BATCH = 1024


def observations(count: int) -> Flat:
    """What is seen at ``count`` questions of battles of the set ``skirmish``, options drawn by chance: shape (count, SIZE)."""
    scenarios, draw = Scenarios("skirmish"), random.Random(1).random
    found = np.zeros((count, SIZE), dtype=np.float32)
    match, observer, battles = None, Observer(), 0
    for row in found:
        if match is None or match.walk is None:
            match = Match(Game(scenarios.draw(battles), SeededDice(battles)))
            battles += 1
        assert match.walk is not None
        observer.observe(match, row)
        match.step(1 + int(draw() * match.walk.options))
    return found


def weights(name: str = "default") -> dict[str, Flat]:
    """Weights drawn by chance."""
    draw = np.random.default_rng(0)
    drawn = {place: draw.standard_normal(shape) / shape[-1] ** 0.5 for place, shape in shapes(named_sizes(name)).items()}
    return {place: array.astype(np.float32) for place, array in drawn.items()}


def learned(quick: bool) -> list[dict[str, Any]]:
    """Rows of the group."""
    obs = observations(256 if quick else 4 * BATCH)
    options = float(in_use(obs).sum(axis=1).mean())
    scorer = Scorer(weights(), named_sizes())
    some = obs[:200]
    alone = fastest(lambda: [scorer.logits(one) for one in some], calls=1, repeats=3 if quick else 20) / len(some)
    rows = [
        *(_training(obs, quick) if find_spec("torch") is not None else []),
        {
            "what": f"NumPy, one observation of {options:.0f} options (mean)",
            "value": alone * 1e6,
            "unit": "us",
            "aim": "300 us",
        },
    ]
    times = _orders(1 if quick else 6)
    for words, value in (("mean", mean(times)), ("worst", max(times))):
        rows.append({"what": f"an order of learned with its reasons, 4 v 4: {words}", "value": value * 1e3, "unit": "ms"})
    return rows


def in_use(obs: Flat) -> Flat:
    """Which slots stand for an action, shape (observations, actions)."""
    slots: Flat = obs[:, LAYOUT["slots"]].reshape(len(obs), LAYOUT.groups["slots"].rows, -1)[:, :, 0]
    return slots


def _training(obs: Flat, quick: bool) -> list[dict[str, Any]]:
    """Forward and backward on one thread."""
    import torch

    from training.network import SlotScorer

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    rows = []
    batch = torch.from_numpy(obs[:BATCH])
    for name in ("small", "default"):
        network = SlotScorer(name)

        def step(network: SlotScorer = network) -> None:
            logits, values = network(batch)
            network.zero_grad()
            (torch.logsumexp(logits, 1).mean() + values.square().mean()).backward()

        took = fastest(step, calls=1, repeats=2 if quick else 10)
        what = f"network {name}, there and back, {len(batch)} at once, one thread"
        rows.append({"what": what, "value": len(batch) / took, "unit": "/s"})
    torch.set_num_threads(threads)
    return rows


def _orders(battles: int) -> list[float]:
    """Processor-seconds of each order in battles of the policy with itself, options drawn by chance."""
    scenarios = Scenarios("skirmish")
    card = new_card(
        "noise", named_sizes(), environment="opfor/Skirmish-v0", scenarios=["skirmish"], rulesets=[named_ruleset("standard")]
    )
    times = []
    with tempfile.TemporaryDirectory() as folder:
        path = save_model(Path(folder) / "noise.safetensors", weights(), card)
        sides = [LearnedPolicy(side, f"{path},temperature=5") for side in range(2)]
    for seed in range(battles):
        game = Game(scenarios.draw(seed), SeededDice(seed))
        for number, side in enumerate(sides):
            side.reset(seed + number)
        while (decision := game.decision()) is not None:
            view = game.view(decision.side)
            start = time.process_time()
            order = sides[decision.side].choose(decision, view)
            times.append(time.process_time() - start)
            game.apply(order, trust=True)
    return times
