"""Rulesets drawn at random: every switch at one of the values that it can have, whatever goes with it."""

from __future__ import annotations

import random
from typing import Any

from opfor.rulesets import Ruleset, named_ruleset, ruleset_names, switches


def values_of(name: str) -> tuple[Any, ...]:
    """The values that a switch takes in play: its named ones, or those of the rulesets that ship."""
    switch = switches()[name]
    if switch.values:
        return switch.values
    found = [switch.standard, *(named_ruleset(ruleset).values()[name] for ruleset in ruleset_names())]
    return tuple(dict.fromkeys(found))


def mixed_ruleset(seed: int) -> Ruleset:
    """A mix of switches by seed, each value as likely as any other."""
    draw = random.Random(seed)
    return Ruleset(f"mix-{seed}", {name: draw.choice(values_of(name)) for name in switches()})
