"""Sums of what observations hold in the positions of tests/cases/observation/columns.yaml: by them it is seen that a column has
changed. ``python -m tests.observation_sums`` writes them anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import yaml

from envs.layout import VERSION
from envs.match import Match
from envs.observation import LAYOUT, SIZE, Observer
from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.tables import load_yaml
from tests.support import make_state

CASES: list[dict[str, Any]] = load_yaml(
    (Path(__file__).parent / "cases" / "observation" / "columns.yaml").read_text(encoding="utf-8")
)
KEPT = Path(__file__).parent / "golden" / "observation.yaml"
#: two columns that have changed places have sums that differ
_PLACES = np.sin(np.arange(SIZE, dtype=np.float64) + 1.0)


def option_of(match: Match, label: str) -> int:
    """The action of the option that bears a label."""
    assert match.walk is not None and match.walk.question is not None
    question = match.walk.question
    labels = [question.label(option) for option in range(question.options)]
    assert label in labels, f"{question.name}: {labels}"
    return labels.index(label) + 1


def sums() -> dict[str, Any]:
    """By case and group: the sum of its numbers, each weighed by its place."""
    found: dict[str, dict[str, float]] = {}
    for case in CASES:
        match = Match(Game(make_state(**case["given"]), SeededDice(1)))
        for label in case.get("do", ()):
            match.step(option_of(match, str(label)))
        seen = np.zeros(SIZE, dtype=np.float32)
        Observer().observe(match, seen)
        weighed = seen.astype(np.float64) * _PLACES
        found[case["id"]] = {name: round(float(weighed[LAYOUT[name]].sum()), 4) for name in LAYOUT.groups}
    return {"version": VERSION, "size": SIZE, "cases": found}


if __name__ == "__main__":
    KEPT.write_text(yaml.safe_dump(sums(), sort_keys=False), encoding="utf-8")
