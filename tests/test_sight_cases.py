"""Worked cases of tests/cases/sight: what a line of sight meets.

A case: ``board``, ``size``; ``from`` and ``to``: hexes; ``looks`` and ``at``: standing (default), prone, or ``[base, top]`` in
absolute levels; ``expect``: fields of :class:`opfor.board.sight.Sight`, the others as on an open plain. The same must hold when
looked at the other way, covers and sides of a divided line exchanged, but where ``tie`` says that two sides weigh the same.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from opfor.board.board import Board
from opfor.board.sight import LEFT, RIGHT, SIDE_NAMES, Sight, sight
from opfor.tables import load_yaml
from tests.plain_sight import plain_sight
from tests.support import make_board

CASES = [
    case
    for path in sorted((Path(__file__).parent / "cases" / "sight").glob("*.yaml"))
    for case in load_yaml(path.read_text(encoding="utf-8"))
]


def stand(board: Board, where: str, how: Any) -> tuple[int, int, int]:
    cell = board.grid.parse(where)
    if isinstance(how, list):
        return cell, how[0], how[1]
    base = board.floor[cell]
    return cell, base, base + (how == "standing")


def wanted(fields: dict[str, Any]) -> Sight:
    fields = dict(fields)
    why = fields.pop("why", "")
    side = SIDE_NAMES.index(fields.pop("side", "undivided"))
    return Sight(not why, why, **fields, side=side)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    assert case["rule"] and case["title"]
    board = make_board(case.get("board"), tuple(case.get("size", (16, 17))))
    a = stand(board, case["from"], case.get("looks", "standing"))
    t = stand(board, case["to"], case.get("at", "standing"))
    expected = wanted(case.get("expect", {}))
    assert sight(board, *a, *t) == expected
    plain = plain_sight(board, *a, *t)
    assert plain._replace(why="") == expected._replace(why="")
    back = expected._replace(
        target_cover=expected.attacker_cover,
        attacker_cover=expected.target_cover,
        side={LEFT: RIGHT, RIGHT: LEFT}.get(expected.side, expected.side),
    )
    # on a tie the right side counts as seen along the line, so that looking back may settle on the other one
    found = sight(board, *t, *a)
    if case.get("tie"):
        assert found.clear == back.clear
    else:
        assert found == back


def test_ids_are_unique() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)
