"""Checks that anybody can hold against a part of their own: a policy, the legal orders of a ruleset, a unit.

Each raises :class:`NonConforming` (an ``AssertionError``) naming what is wrong and where; none returns anything.

    from tests.conformance.policy import check_policy
    check_policy(lambda seed: MyPolicy(seed))
"""

from __future__ import annotations


class NonConforming(AssertionError):
    """Something does not keep the promises of its kind."""


def demand(holds: bool, *words: object) -> None:
    """Raise :class:`NonConforming` with the words unless it holds."""
    if not holds:
        raise NonConforming(" ".join(str(word) for word in words))
