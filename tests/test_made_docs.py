"""Pages made from the program are as it would make them now."""

from __future__ import annotations

import pytest

from tests.regenerate_docs import DOCS, PAGES

#: made from hundreds of orders
LONG = ("folly.md",)


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] if n in LONG else []) for n in PAGES])
def test_page_is_up_to_date(name: str) -> None:
    made = PAGES[name]().rstrip() + "\n"
    assert (DOCS / name).read_text(encoding="utf-8") == made, "run: python -m tests.regenerate_docs"
