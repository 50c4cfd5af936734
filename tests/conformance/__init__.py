"""Checks that anybody can hold against a part of their own: a policy, the legal orders of a ruleset, a unit.

Each raises :class:`NonConforming` (an ``AssertionError``) naming what is wrong and where; none returns anything.

    from tests.conformance.policy import check_policy
    check_policy(lambda seed: MyPolicy(seed))
"""

from __future__ import annotations

from opfor.gm.arena.promises import NonConforming, demand

__all__ = ["NonConforming", "demand"]
