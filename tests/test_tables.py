"""The tables as they are written: no row falls apart where a name holds a comma."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from opfor.tables import load_yaml

TABLES = sorted((Path(__file__).parents[1] / "opfor" / "tables").glob("*.yaml"))


def pairs(data: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Every key and single value of a table, with its place."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from pairs(value, f"{at}.{key}")
    elif isinstance(data, list):
        # an empty place of a list is meant
        for number, value in enumerate(data):
            yield from pairs("" if value is None else value, f"{at}.{number}")
    else:
        yield at, data


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_every_key_has_a_value_and_every_bracket_its_other(path: Path) -> None:
    for place, value in pairs(load_yaml(path.read_text(encoding="utf-8"))):
        assert value is not None, place
        assert not isinstance(value, str) or value.count("(") == value.count(")"), f"{place}: {value}"
