"""The folly list: what a sensible player does or leaves, position by position. See docs/folly.md."""

from __future__ import annotations

import random
from itertools import chain, islice

import pytest

from tests.folly.position import JUDGED, SHOWN, Answer, Position, decision_in, positions, rulesets
from tests.folly.verdicts import verdict, wrong
from tests.regenerate_docs import DOCS

#: the commander that thinks least is held to the list where there is more time
POLICIES = [*[pytest.param(name) for name in JUDGED], pytest.param("commander:fast", marks=pytest.mark.slow)]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("position", [pytest.param(p, id=p.id) for p in positions().values()])
def test_no_folly(position: Position, policy: str) -> None:
    name = policy.partition(":")[0]
    found = verdict(position, policy)
    if name in position.known_misses:
        assert position.known_misses[name], "a known miss says why"
        assert found, f"{name} has learnt {position.id}: take it off the known misses"
    else:
        assert not found, found


@pytest.mark.parametrize("position", [pytest.param(p, id=p.id) for p in positions().values()])
def test_folly_and_sense_are_both_legal(position: Position) -> None:
    """A position asks something: legal orders commit its folly, and legal orders do not."""
    draw = random.Random(1).random

    def pick(count: int) -> int:
        return int(draw() * count)

    for ruleset in rulesets(position):
        state = position.state(ruleset)
        legal = decision_in(position, state).legal
        began = state.unit(position.units[0]).cell
        drawn = (legal.sample(pick) for _ in range(150))
        found = set()
        for order in chain(drawn, islice(legal, 20_000)):
            found.add(bool(wrong(position, Answer(state, order, [order], began))))
            if len(found) == 2:
                break
        assert found == ({True, False} if position.turns == 1 else {True} | found), f"all the same under {ruleset}"


def test_the_page_tells_of_every_position() -> None:
    """With the policies that are held to the list doing what they are held to; ``test_made_docs`` makes it all anew."""
    rows = [line.split(" | ") for line in (DOCS / "folly.md").read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    told = {row[0].removeprefix("| "): row[2 : 2 + len(JUDGED)] for row in rows if len(row) == 2 + len(JUDGED) + len(SHOWN)}
    told.pop("position")
    held = {p.id: ["**folly**" if name in p.known_misses else "·" for name in JUDGED] for p in positions().values()}
    assert told.keys() - {"position"} == held.keys(), "run: python -m tests.regenerate_docs"
    assert told == held


def test_the_list_is_long_enough() -> None:
    assert len(positions()) >= 100
    assert all(not position.known_misses.get("commander") for position in positions().values())
