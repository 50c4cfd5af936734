"""How well a side judges: now and then the second best way is taken. Chance comes from seed, unit, turn and kind of order."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from opfor.tables import load_yaml


@dataclass(frozen=True, slots=True)
class Judgement:
    """One section of ``configs/policies/difficulty.yaml``."""

    second_best: float = 0.0
    within: float = 0.0

    def errs(self, seed: int, unit: str, turn: int, kind: str) -> bool:
        """Whether an order is not thought through."""
        return self.second_best > 0.0 and random.Random(f"{seed}:{unit}:{turn}:{kind}").random() < self.second_best


@cache
def judgements() -> dict[str, Judgement]:
    """The difficulties by name."""
    data: dict[str, Any] = load_yaml(files("configs.policies").joinpath("difficulty.yaml").read_text(encoding="utf-8"))
    return {name: Judgement(**values) for name, values in data.items()}
