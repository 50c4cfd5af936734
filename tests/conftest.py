"""Shared fixtures: where the reference data lies, if it lies beside the checkout."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = Path(os.environ.get("OPFOR_REFERENCE", ROOT.parent / "shared" / "data" / "megamek"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--slow-share N``: of the tests marked slow run every N-th only, spread over all files."""
    parser.addoption("--slow-share", type=int, default=1, metavar="N", help="run one slow test in N")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the slow tests that the share does not cover."""
    share = config.getoption("--slow-share")
    slow = [item for item in items if item.get_closest_marker("slow")]
    left_out = {id(item) for number, item in enumerate(slow) if number % share}
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if id(item) in left_out])
        items[:] = [item for item in items if id(item) not in left_out]


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of MegaMek data files and reference values; tests that need it are skipped where it is absent."""
    if not REFERENCE.is_dir():
        pytest.skip(f"no reference data at {REFERENCE}")
    return REFERENCE
