"""Policies by name: the built-in ones and those that other packages offer as ``opfor.policies`` entry points."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import entry_points

from opfor.errors import InputError, nearest
from opfor.gm.policies import spelled_out
from policies.base import Policy

GROUP = "opfor.policies"


@lru_cache(maxsize=1)
def policy_names() -> tuple[str, ...]:
    """Names that :func:`make` knows."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def make(code: str, seed: int = 0) -> Policy:
    """A policy by name, with parameters after a colon where it takes some (``veteran:cautious``).

    Raises :class:`InputError` with the nearest name when there is none.
    """
    name, _, parameters = spelled_out(code).partition(":")
    for point in entry_points(group=GROUP):
        if point.name == name:
            factory: Callable[..., Policy] = point.load()
            return factory(seed=seed, parameters=parameters) if parameters else factory(seed=seed)
    raise InputError(
        f"there is no policy {name!r}: use {', '.join(policy_names())}", place="policy", hint=nearest(name, policy_names())
    )
