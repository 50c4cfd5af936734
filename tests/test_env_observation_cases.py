"""Columns of the observation against values worked by hand, and each option's row against the question that it belongs to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from envs.features.ground import RADIUS
from envs.layout import Flat
from envs.match import Match
from envs.observation import LAYOUT, SIZE, Observer
from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.hex import Grid
from opfor.tables import load_yaml
from tests.observation_sums import CASES, KEPT, option_of, sums
from tests.support import make_state


def number(words: Any) -> float:
    """A number, or a product such as ``5 * 33/36 / 40``."""
    if not isinstance(words, str):
        return float(words)
    total, sign = 1.0, "*"
    for part in words.replace("*", " * ").replace("/", " / ").split():
        if part in "*/":
            sign = part
        else:
            total = total * float(part) if sign == "*" else total / float(part)
    return total


def ground_row(grid: Grid, middle: int, cell: int) -> int:
    """The row of a hex in the group ground: column by column from the west, each from the north."""
    around = [
        (q, r)
        for q in range(-RADIUS, RADIUS + 1)
        for r in range(-RADIUS, RADIUS + 1)
        if max(abs(q), abs(r), abs(q + r)) <= RADIUS
    ]
    return sorted(around).index(grid.offset(middle, cell))


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_columns(case: dict[str, Any]) -> None:
    state = make_state(**case["given"])
    match = Match(Game(state, SeededDice(1)))
    for label in case.get("do", ()):
        match.step(option_of(match, str(label)))
    seen = np.zeros(SIZE, dtype=np.float32)
    Observer().observe(match, seen)
    for where, columns in case["expect"].items():
        for column, wanted in columns.items():
            if where == "slot_twists":
                assert match.walk is not None and match.walk.question is not None
                row = list(match.walk.question.facts["twist"]).index(column) + 1
                found = {"given": LAYOUT.read(seen, "slots", "given", row)}
                wanted = {"given": wanted}
            elif where == "slot_shots":
                assert match.walk is not None and match.walk.question is not None
                row = list(match.walk.question.facts["target"]).index(column) + 1
                found = {name: LAYOUT.read(seen, "slots", name, row) for name in wanted}
            elif where == "ground_sums":
                place = LAYOUT.groups["ground"].index(column)
                found, wanted = {column: float(LAYOUT.view(seen, "ground")[:, place].sum())}, {column: wanted}
            else:
                found, wanted = {column: one(seen, match, state.board.grid, where, column)}, {column: wanted}
            assert found == {name: pytest.approx(number(value), abs=2e-4) for name, value in wanted.items()}, (where, column)


def one(seen: Flat, match: Match, grid: Grid, where: str, column: str) -> float:
    """A number of the observation: of a group, of a unit, of the ground, of an option."""
    group, _, which = where.partition(" ")
    if not which:
        return LAYOUT.read(seen, group, column)
    if group == "ground":
        # the acting unit is the first of its side
        middle = match.game.state.units[0].cell
        return LAYOUT.read(seen, "ground", column, ground_row(grid, middle, grid.parse(which)))
    if group == "slot":
        return LAYOUT.read(seen, "slots", column, option_of(match, which))
    units = match.game.state.units
    first = units[0]
    if which == first.id:
        return LAYOUT.read(seen, "units", column, 0)
    enemies = sorted([u for u in units if u.side != first.side], key=lambda u: grid.distance(first.cell, u.cell))
    return LAYOUT.read(seen, "units", column, 24 + [u.id for u in enemies].index(which))


def test_columns_change_with_the_version_alone() -> None:
    """Weights learnt read columns by their places: one that comes to mean something else makes them worthless, unseen."""
    kept, now = load_yaml(KEPT.read_text(encoding="utf-8")), sums()
    hint = "where columns have changed raise VERSION (envs/layout.py), then: python -m tests.observation_sums"
    assert (now["version"], now["size"]) == (kept["version"], kept["size"]), hint
    assert now["cases"].keys() == kept["cases"].keys(), "python -m tests.observation_sums"
    for case, groups in kept["cases"].items():
        assert now["cases"][case] == pytest.approx(groups, abs=2e-3), f"{case}: {hint}"
