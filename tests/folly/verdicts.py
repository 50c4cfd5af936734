"""Whether a policy commits a folly: its orders in a position against what the position says of them."""

from __future__ import annotations

from functools import cache

from tests.folly.position import Answer, Position, answers
from tests.folly.predicates import holds


def wrong(position: Position, answer: Answer) -> str:
    """What is wrong with an answer, in words with the order; empty when nothing is."""
    for said in position.never:
        if holds(answer, said):
            return f"{position.why} Never {said}, but {answer.order}"
    for said in position.must:
        if not holds(answer, said):
            return f"{position.why} It must be so that {said}, but {answer.order}"
    return ""


@cache
def verdict(position: Position, policy: str) -> str:
    """What is wrong with the policy's orders in a position, the first ruleset with anything wrong; empty when nothing is."""
    return next((found for answer in answers(position, policy) if (found := wrong(position, answer))), "")
