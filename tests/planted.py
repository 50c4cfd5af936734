"""Bugs planted in the rules, for tests of what finds bugs: each is a name put in the place of another in some module.

As a plug-in of pytest (``-p tests.planted`` with the bug's name in ``PLANTED``) it plants one for a whole run.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

import opfor.game.apply.carrier
import opfor.game.legal.moves
import opfor.rules.harm.damage
import opfor.rules.moving.movement
import opfor.rules.moving.paths
import opfor.rules.moving.stacking
from opfor.rules.moving.stacking import Taken

#: modules that ask which places are taken
_STACKING = (
    opfor.rules.moving.stacking,
    opfor.rules.moving.movement,
    opfor.rules.moving.paths,
    opfor.game.legal.moves,
    opfor.game.apply.carrier,
)


def _cold_jumps(mode: str, hexes: int, attempts: int = 0) -> int:
    """A jump cools, a hex one point."""
    return -hexes if mode == "jump" else 0


def _all_free(*_: Any) -> Taken:
    """Nobody stands anywhere."""
    return Taken([], [], frozenset())


def _no_critical(*_: Any, **__: Any) -> None:
    """Critical hits cannot be rolled for."""
    raise LookupError("no such row of the critical table")


#: by name: what is put where, as (module, name, value)
PLANTS: dict[str, list[tuple[Any, str, Any]]] = {
    "jumps cool": [(opfor.game.apply.carrier, "movement_heat", _cold_jumps)],
    "no stacking": [(module, "occupied_places", _all_free) for module in _STACKING],
    # more armour comes off than there is
    "armour below nothing": [(opfor.rules.harm.damage, "min", lambda have, points: points)],
    "no criticals": [(opfor.rules.harm.damage.criticals, "roll_criticals", _no_critical)],
}


def plant(patch: pytest.MonkeyPatch, name: str) -> None:
    """Plant a bug until ``patch`` is undone."""
    for module, attribute, value in PLANTS[name]:
        patch.setattr(module, attribute, value, raising=False)


def pytest_configure(config: pytest.Config) -> None:
    """Plant the bug that the environment names."""
    if os.environ.get("PLANTED"):
        plant(pytest.MonkeyPatch(), os.environ["PLANTED"])
