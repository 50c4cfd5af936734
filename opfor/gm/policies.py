"""Policies by name, found as entry points: the game master's side looks them up and imports none.

A policy is a factory taken by keyword: ``factory(seed=..., parameters=...)``; see :mod:`opfor.game.loop` for what it gives.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from opfor.errors import InputError, nearest
from opfor.game.loop import Chooser

GROUP = "opfor.policies"
#: who plays a side that names no policy
USUAL = "veteran"


@lru_cache(maxsize=1)
def policy_points() -> dict[str, EntryPoint]:
    """Entry points of policies by name."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda p: p.name)}


def policy_named(code: str, seed: int = 0) -> Chooser:
    """A policy by name, with parameters behind a colon where it takes some (``veteran:cautious``).

    Raises :class:`InputError` with the nearest name when there is none.
    """
    name, _, parameters = code.partition(":")
    point = policy_points().get(name.strip())
    if point is None:
        known = ", ".join(policy_points()) or "none is installed"
        raise InputError(f"there is no policy {name!r}: use {known}", source="policy", hint=nearest(name, policy_points()))
    factory: Any = point.load()
    made: Chooser = factory(seed=seed, parameters=parameters) if parameters else factory(seed=seed)
    return made


def policy_rows() -> list[dict[str, Any]]:
    """Every policy with the first line of its description."""
    rows = []
    for name, point in policy_points().items():
        try:
            words = (point.load().__doc__ or "").strip().splitlines()
        except Exception as error:
            words = [f"cannot be loaded: {error}"]
        rows.append({"name": name, "what": words[0] if words else "", "from": point.value})
    return rows
