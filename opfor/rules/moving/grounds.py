"""The ground of a board as each kind of unit takes it, kept with the board. Rule: S-2, E-14."""

from __future__ import annotations

from typing import Any

from opfor.board.board import Board
from opfor.own_rules.bundle import Active
from opfor.rules.moving.flight import Sky
from opfor.rules.moving.ground import Ground
from opfor.rules.moving.motions import MECH, Motion, motion_of
from opfor.rulesets import Ruleset
from opfor.units.spec import UnitSpec


def ground_of(board: Board, motion: Motion = MECH) -> Ground:
    """The ground of a board for a motion (VTOLs: the air over it); built on first use and kept with it."""
    return _kept(board, motion, motion.name, None)


def ground_for(board: Board, spec: UnitSpec, ruleset: Ruleset) -> Ground:
    """The ground of a board as a unit of that type takes it, by a ruleset's own costs where it has any (VTOLs: never)."""
    own = ruleset.own_ground
    motion = motion_of(spec)
    if own is None or motion.name == "vtol":
        return _kept(board, motion, motion.name, None)
    return _kept(board, motion_of(spec, own.replaced), (motion.name, own), own.steps)


def _kept(board: Board, motion: Motion, key: Any, own: Active | None) -> Ground:
    known: dict[Any, Ground] | None = board.tables.get("ground")
    if known is None:
        known = board.tables["ground"] = {}
    found = known.get(key)
    if found is None:
        if motion.name == "vtol":
            found = Sky(board, motion)
        else:
            earlier, cells = board.former("ground") or ({}, frozenset())
            before: Ground | None = earlier.get(key)
            found = Ground(board, motion, own) if before is None else before.renewed(board, cells)
        known[key] = found
    return found
