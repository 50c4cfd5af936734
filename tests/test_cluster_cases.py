"""Worked cases of tests/cases/cluster."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rule_cases import cases, run


@pytest.mark.parametrize("case", cases("cluster"))
def test_case(case: dict[str, Any]) -> None:
    run(case)
