"""Pasted lines of rollers: what is read from them, what is refused, and that nothing else ever comes of any text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from opfor.dice import DiceError, Roll
from opfor.formats.words.dice_text import MOST_CHARACTERS, read_dice
from tests.dice_rollers import ROLLERS

LINES = yaml.safe_load((Path(__file__).parent / "data" / "dice" / "lines.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", LINES["read"], ids=lambda case: case["line"][:40])
def test_a_line_is_read(case: dict[str, Any]) -> None:
    rolls = read_dice(case["line"])
    words = ["+".join(map(str, r.dice)) if r.shown else f"{r.total} of {len(r.dice)}" for r in rolls]
    assert words == case["dice"]
    if "reasons" in case:
        assert [roll.reason for roll in rolls] == case["reasons"]


@pytest.mark.parametrize("case", LINES["refused"], ids=lambda case: case["line"][:40])
def test_a_line_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(DiceError) as refused:
        read_dice(case["line"])
    assert case["says"] in str(refused.value)


def test_the_lines_on_the_page_are_read() -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "dice.md").read_text(encoding="utf-8")
    shown = page.partition("These all give the natural dice 3 and 4:\n\n```\n")[2].partition("```")[0].splitlines()
    assert len(shown) == 8
    assert [[roll.dice for roll in read_dice(line)] for line in shown] == [[(3, 4)]] * 8


def test_remarks_alone_are_no_rolls_and_no_fault() -> None:
    assert read_dice("# later\n\n> said somebody") == []
    assert read_dice("") == []


def test_too_much_is_refused() -> None:
    with pytest.raises(DiceError, match="more than anybody rolls"):
        read_dice("3+4," * MOST_CHARACTERS)


NONSENSE = [
    "9" * 6000,
    "(" * 50_000,
    "2d6 " * 20_000,
    "1+" * 50_000,
    "⚀ " * 20_000,
    "2d6 (" + "1," * 30_000 + "1)",
    "rolled " * 20_000,
]


@pytest.mark.parametrize("line", NONSENSE, ids=lambda line: line[:6])
def test_long_nonsense_is_refused_or_read_soon(line: str) -> None:
    try:
        read_dice(line)
    except DiceError as error:
        shown = str(error)[:1000]
        assert len(shown) < 400


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    _possible(text)


@given(st.text("0123456789+,;()[]{}<>d6 =:rolledsutn#\n-'\"`*⚀⚅", max_size=80))
def test_any_text_of_dice_is_read_or_refused(text: str) -> None:
    _possible(text)


def _possible(text: str) -> None:
    try:
        rolls = read_dice(text)
    except DiceError as error:
        assert str(error)
        return
    for roll in rolls:
        assert roll.dice and all(1 <= die <= 6 for die in roll.dice)
        assert roll.shown or len(roll.dice) == 2


@given(
    st.sampled_from(sorted(ROLLERS)),
    st.lists(st.integers(1, 6), min_size=1, max_size=8),
    st.sampled_from(["", "reaver PPC", "reaver: LRM 10 (RA) at alpha-1, needs 7", "Ultra AC/5 at x", "night hawk's kick"]),
)
def test_what_rollers_print_is_read_back(roller: str, dice: list[int], why: str) -> None:
    if not why and roller in ("log", "reason first", "bold", "total below"):
        why = "x"
    (roll,) = read_dice(ROLLERS[roller](Roll(tuple(dice), why), why))
    assert roll.dice == tuple(dice) and roll.shown
    assert why.split(",")[0] in roll.reason
