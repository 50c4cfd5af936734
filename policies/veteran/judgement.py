"""How well a side judges: now and then the second best way is taken. Chance comes from seed, unit, turn and kind of order."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from opfor.tables import load_yaml


@dataclass(frozen=True, slots=True)
class Judgement:
    """One section of ``configs/policies/difficulty.yaml``. ``together`` and ``think`` matter to who plans for a side."""

    second_best: float = 0.0
    within: float = 0.0
    #: whether movement and fire are planned for the whole side
    together: bool = True
    #: seconds meant for a side's phase, None for the usual
    think: float | None = None
    #: weights that are set, whatever the character
    weights: Mapping[str, float] = field(default_factory=dict)

    def errs(self, seed: int, unit: str, turn: int, kind: str) -> bool:
        """Whether an order is not thought through."""
        return self.second_best > 0.0 and random.Random(f"{seed}:{unit}:{turn}:{kind}").random() < self.second_best

    def words(self) -> str:
        """What it means, for the game master."""
        second = (
            f"takes the second best way in {self.second_best:.0%} of its orders, "
            f"if that is worth at most {self.within:g} points less"
        )
        return second if self.together else f"{second}; each unit thinks for itself"


@cache
def judgements() -> dict[str, Judgement]:
    """The difficulties by name."""
    data: dict[str, Any] = load_yaml(files("configs.policies").joinpath("difficulty.yaml").read_text(encoding="utf-8"))
    return {name: Judgement(**values) for name, values in data.items()}
