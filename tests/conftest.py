"""Shared fixtures: where the reference data lies, if it lies beside the checkout."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = Path(os.environ.get("OPFOR_REFERENCE", ROOT.parent / "shared" / "data" / "megamek"))


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of MegaMek data files and reference values; tests that need it are skipped where it is absent."""
    if not REFERENCE.is_dir():
        pytest.skip(f"no reference data at {REFERENCE}")
    return REFERENCE
