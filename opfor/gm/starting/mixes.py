"""Rulesets mixed at random: some or all switches turned to values that they can have, whatever goes with it."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from opfor.rulesets import Ruleset, named_ruleset, ruleset_names, switches


@lru_cache(maxsize=256)
def values_of(name: str) -> tuple[Any, ...]:
    """The values that a switch takes in play: its named ones, or those of the rulesets that ship."""
    switch = switches()[name]
    shipped = [named_ruleset(ruleset).values()[name] for ruleset in ruleset_names()]
    return switch.values or tuple(dict.fromkeys([switch.standard, *shipped]))


def mixed_ruleset(seed: int) -> Ruleset:
    """A mix of all switches by seed, each value as likely as any other."""
    draw = random.Random(seed)
    return Ruleset(f"mix-{seed}", {name: draw.choice(values_of(name)) for name in switches()})


def turned_ruleset(base: str, count: int, draw: Callable[[], float]) -> Ruleset:
    """A ruleset with ``count`` switches turned at random, none twice and none to what it was. ``draw`` gives 0 to 1."""
    ruleset = named_ruleset(base)
    standing = ruleset.values()
    others = {name: [value for value in values_of(name) if value != standing[name]] for name in switches()}
    names = [name for name, values in others.items() if values]
    turned = {}
    for _ in range(min(count, len(names))):
        name = names.pop(int(draw() * len(names)))
        turned[name] = others[name][int(draw() * len(others[name]))]
    return ruleset.changed(**turned)


__all__ = ["mixed_ruleset", "turned_ruleset", "values_of"]
