"""Model files for tests: networks of random weights, and one worked by hand, made without torch."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from envs.features.slots import PLACE
from envs.layout import Flat
from opfor.rulesets import Ruleset, named_ruleset, ruleset_names
from policies.learned.card import Card, new_card
from policies.learned.model import save_model
from policies.learned.network import shapes
from policies.learned.sizes import NetworkSizes, named_sizes

SMALL = named_sizes("small")
#: one number wide throughout
NARROW = NetworkSizes(units=1, heads=1, ground=1, context=1, slots=1, value=1)


def random_weights(sizes: NetworkSizes = SMALL, seed: int = 0) -> dict[str, Flat]:
    """Weights drawn by seed, of a size at which options differ and nothing grows from layer to layer."""
    draw = np.random.default_rng(seed)
    return {
        name: (draw.standard_normal(shape) * (1.5 / np.sqrt(shape[-1]) if len(shape) > 1 else 0.3)).astype(np.float32)
        for name, shape in shapes(sizes).items()
    }


def weights_for(**columns: float) -> dict[str, Flat]:
    """A narrow network that scores an option by columns of its row, ``3 * relu(sum of weight * column) + 0.25``, and a
    position by the mean of ``3 * relu(...)`` over the options, doubled, less 1."""
    found = {name: np.zeros(shape, dtype=np.float32) for name, shape in shapes(NARROW).items()}
    for column, weight in columns.items():
        found["slot_row.weight"][0, PLACE[column]] = weight
    found["slot_mix.weight"][0, 0] = 1.0
    found["slot_scale.bias"][0] = 3.0
    found["slot_score.weight"][0, 0] = 1.0
    found["slot_score.bias"][0] = 0.25
    # it reads the context, then the mean of the options
    found["value_layers.0.weight"][0, 1] = 2.0
    found["value_layers.1.weight"][0, 0] = 1.0
    found["value_layers.1.bias"][0] = -1.0
    return found


def card_of(sizes: NetworkSizes = SMALL, rulesets: Sequence[Ruleset | str] = (), **more: Any) -> Card:
    """A card for a network trained under ``rulesets`` (none: all that ship)."""
    rules = [named_ruleset(one) if isinstance(one, str) else one for one in rulesets or ruleset_names()]
    name = more.pop("name", "trial")
    return new_card(name, sizes, environment="opfor/Mixed-v0", scenarios=["mixed"], rulesets=rules, **more)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="opfor-models-")


@cache
def random_model() -> Path:
    """A small network of random weights that fits any battle."""
    return save_model(Path(_folder().name) / "random.safetensors", random_weights(), card_of())


@cache
def lively_model() -> Path:
    """A narrow network that makes for the enemy and fires."""
    weights = weights_for(odds=1.0, nearest=-1.0, what=0.5, given=2.0)
    return save_model(Path(_folder().name) / "lively.safetensors", weights, card_of(NARROW))


def playable(code: str) -> str:
    """A policy's code that can be played wherever the tests run: ``learned`` is given a network, and draws its options."""
    return f"learned:{lively_model()},temperature=0.4" if code == "learned" else code


__all__ = ["NARROW", "SMALL", "card_of", "lively_model", "playable", "random_model", "random_weights", "weights_for"]
