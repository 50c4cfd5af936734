"""How well a side judges: now and then one of the next best ways is taken. Chance comes from seed, unit, turn and order."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from opfor.tables import load_yaml

Way = TypeVar("Way")


@dataclass(frozen=True, slots=True)
class Judgement:
    """One section of ``configs/policies/difficulty.yaml``. ``together`` and ``think`` matter to who plans for a side."""

    second_best: float = 0.0
    within: float = 0.0
    #: how many of the next best ways to move it takes one of
    among: int = 1
    #: whether movement and fire are planned for the whole side
    together: bool = True
    #: seconds meant for a side's phase, None for the usual
    think: float | None = None
    #: weights that are set, whatever the character
    weights: Mapping[str, float] = field(default_factory=dict)

    def errs(self, seed: int, unit: str, turn: int, kind: str) -> bool:
        """Whether an order is not thought through."""
        return self.second_best > 0.0 and random.Random(f"{seed}:{unit}:{turn}:{kind}").random() < self.second_best

    def slip(self, seed: int, unit: str, turn: int, ways: Sequence[Way]) -> Way | None:
        """Which of the next best ways to move, the best of them first, is taken; None where there is none."""
        open_to = ways[: self.among]
        draw = random.Random(f"{seed}:{unit}:{turn}:which").random()
        return open_to[int(draw * len(open_to))] if open_to else None

    def words(self) -> str:
        """What it means, for the game master."""
        second = (
            f"takes the second best way in {self.second_best:.0%} of its orders (moving, one of the next {self.among}), "
            f"if that is worth at most {self.within:g} points less"
        )
        return second if self.together else f"{second}; each unit thinks for itself"


@cache
def judgements() -> dict[str, Judgement]:
    """The difficulties by name."""
    data: dict[str, Any] = load_yaml(files("configs.policies").joinpath("difficulty.yaml").read_text(encoding="utf-8"))
    return {name: Judgement(**values) for name, values in data.items()}
