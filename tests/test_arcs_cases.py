"""Worked cases of tests/cases/arcs: which hexes lie in an arc, and which side of a target is struck.

An arc case: ``unit`` at 0808 (arguments of make_unit), ``arc``, ``inside`` and ``outside``: lists of hexes. A side case:
``board``, ``target`` at 0808, ``struck``: the side by the attacker's hex. A mount case: ``unit``, ``mounts``: the arc of each
weapon in order, ``bears``: on which hex each weapon bears. A posture case: ``unit``, ``postures``: their words in order.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from opfor.rules.shooting.arcs import arc_of_mount, can_flip_arms, hit_side, in_arc, mount_bears_on
from opfor.rules.shooting.to_hit import FireSolver, cover_and_side
from opfor.tables import load_yaml
from tests.support import make_state

CASES = [
    case
    for path in sorted((Path(__file__).parent / "cases" / "arcs").glob("*.yaml"))
    for case in load_yaml(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    assert case["rule"] and case["title"]
    unit = {"id": "u", "at": "0808", **(case.get("unit") or case.get("target") or {})}
    state = make_state(board=case.get("board"), units=[unit, {"id": "enemy", "side": 1, "at": "0101"}])
    u, enemy = state.unit("u"), state.unit("enemy")
    grid = state.board.grid
    for where in case.get("inside", ()):
        assert in_arc(state, u, grid.parse(where), case["arc"]), where
    for where in case.get("outside", ()):
        assert not in_arc(state, u, grid.parse(where), case["arc"]), where
    for where, side in case.get("struck", {}).items():
        assert hit_side(state, grid.parse(where), u) == side, where
        enemy.cell = grid.parse(where)
        enemy.elevation = 0
        assert cover_and_side(state, enemy, u)[1] == side, where
    if "mounts" in case:
        assert [arc_of_mount(u, mount) for mount in u.spec.mounts] == case["mounts"]
    if "bears" in case:
        cell = grid.parse(case["bears"]["hex"])
        assert [mount_bears_on(state, u, mount, cell) for mount in u.spec.mounts] == case["bears"]["each"]
    if "postures" in case:
        assert [posture.words for posture in FireSolver(state, u).postures()] == case["postures"]
        assert can_flip_arms(u) == ("arms flipped" in case["postures"])


def test_ids_are_unique() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)
