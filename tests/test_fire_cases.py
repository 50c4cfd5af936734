"""Worked cases of tests/cases/fire: attacks resolved with the dice as they fall at the table.

Beside what tests/rule_cases.py reads: ``given`` holds unit ``a`` (the attacker, at 0801 facing south), ``t`` (the target, side
1, at 0804 facing north) and ``others``; both stood still. ``fire`` lists the orders of one phase (by default ``a`` fires its
first weapon at ``t``), ``then`` further steps. ``result`` of a case with ``fire`` is the list of numbers needed, or why the
order is refused.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.rule_cases import cases, run

STANDING = {"mode": "stand", "hexes": 0}


@pytest.mark.parametrize("case", cases("fire"))
def test_case(case: dict[str, Any]) -> None:
    case = dict(case)
    given = dict(case.get("given") or {})
    a = {"id": "a", "at": "0801", "facing": 3, "moved": STANDING, **(given.pop("a", None) or {})}
    t = {"id": "t", "side": 1, "at": "0804", "moved": STANDING, **(given.pop("t", None) or {})}
    case["given"] = {**given, "units": [a, t, *given.pop("others", ())]}
    case["given"].pop("others", None)
    orders = [dict(order) for order in case.pop("fire", [{}])]
    for order in orders:
        order.setdefault("unit", "a")
    case["do"] = [{"fire": {"orders": orders, "unlikely": case.pop("unlikely", False)}}, *case.pop("then", ())]
    run(case)
