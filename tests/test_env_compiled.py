"""Lines of fire and the worth of places by compiled code: number for number what the plain twins work out. Rule: S-3, S-4."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from envs.features.lines import Lines
from envs.match import Match
from envs.observation import SIZE, Observer
from envs.scenarios import Scenarios
from opfor.dice import SeededDice
from opfor.game.game import Game
from opfor.rules.moving.compiling import use_compiled
from opfor.rulesets import named_ruleset
from policies.veteran.spots import LOW, PRONE, STANDING, TROOPERS, key_of
from tests.support import make_board

_WORDS = (
    "clear", "light woods", "heavy woods", "level 2", "level 1, light smoke", "heavy smoke", "water 1", "water 2",
    "light building height 2", "level 3, heavy woods",
)  # fmt: skip


@pytest.fixture(autouse=True)
def plain_afterwards() -> Iterator[None]:
    pytest.importorskip("numba")
    yield
    use_compiled(False)


def _lines_both_ways(words: dict[str, str], rules: str) -> tuple[Lines, Lines]:
    """The lines of a board, plain and compiled."""
    board = make_board(words, size=(12, 12))
    use_compiled(False)
    plain = Lines(board, named_ruleset(rules))
    use_compiled()
    compiled = Lines(board, named_ruleset(rules))
    assert plain.compiled is None and compiled.compiled is not None
    return plain, compiled


@pytest.mark.parametrize("rules", ["standard", "campaign"])
@pytest.mark.parametrize("seed", range(4))
def test_lines_of_fire_are_those_of_the_plain_twin(seed: int, rules: str) -> None:
    draw = random.Random(seed)
    words = {f"{c:02d}{r:02d}": draw.choice(_WORDS) for c in range(1, 13) for r in range(1, 13)}
    plain, compiled = _lines_both_ways(words, rules)
    on_board = plain.board.grid.on_board
    cells = np.array(on_board, dtype=np.int32)
    for posture in (STANDING, PRONE, LOW, TROOPERS):
        keys = [key_of(draw.choice(on_board), draw.randrange(-2, 4), draw.randrange(4)) for _ in range(5)]
        height = draw.choice((0, 0, 5))
        for ours, theirs in zip(
            compiled.between(keys, cells, posture, height), plain.between(keys, cells, posture, height), strict=True
        ):
            assert (ours == theirs).all()
        for key in keys:
            for cell in on_board[::3]:
                spot = key_of(cell, draw.randrange(-1, 3), posture)
                assert compiled.shots(spot, key) == plain.shots(spot, key)


@pytest.mark.parametrize("name", ["skirmish", "mixed", "campaign"])
def test_observations_are_those_of_the_plain_twin(name: str) -> None:
    """Two observers of one battle, step for step: one that has everything compiled, one that has nothing."""
    scenarios = Scenarios(name)
    ours, theirs = np.zeros(SIZE, dtype=np.float32), np.zeros(SIZE, dtype=np.float32)
    for seed in range(2):
        draw = random.Random(seed)
        use_compiled()
        fast = Match(Game(scenarios.draw(seed), SeededDice(seed)))
        use_compiled(False)
        plain = Match(Game(scenarios.draw(seed), SeededDice(seed)))
        for match in (fast, plain):
            # nothing that is kept with a board is shared
            board = match.game.state.board
            match.game.state.board = board.on_grid(board.grid)
        observers = Observer(), Observer()
        for _ in range(150):
            if fast.over:
                break
            use_compiled()
            observers[0].observe(fast, ours)
            use_compiled(False)
            observers[1].observe(plain, theirs)
            assert (ours == theirs).all()
            assert fast.walk is not None
            action = int(draw.random() * (fast.walk.options + 1))
            use_compiled()
            fast.step(action)
            use_compiled(False)
            plain.step(action)
