"""Worked cases of tests/cases/heat."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rule_cases import cases, run


@pytest.mark.parametrize("case", cases("heat"))
def test_case(case: dict[str, Any]) -> None:
    run(case)
