"""The recorded evening of examples/evening: made by its list of commands, and every path and sum in it is right."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path

import pytest

from opfor.formats.battle_file.battle import load_battle
from opfor.hex import DIRECTION_NAMES
from tests.evening import COMMANDS, START, again
from tests.support import make_board

EVENING = Path(__file__).resolve().parent.parent / "examples" / "evening"
POSTS = sorted(EVENING.glob("turn*/opfor-*/post*.txt"))
_TAG = re.compile(r"<[^>]*>")
_FACING = "(NE|NW|SE|SW|N|S)"
_STEPS = r"((?:(?:F|B|L|R|SL|SR|SLB|SRB|SU|PRONE)\d* ?)+)"
_PATH = re.compile(rf"(\d{{4}}) {_FACING} (?:walk|run|cruise|flank|evade|sprint) {_STEPS}-> (\d{{4}}) {_FACING}")
_SUM = re.compile(r"needs (\d+) = ([^\n;]+)")
GRID = make_board().grid


def plain(path: Path) -> str:
    """A post without its markup."""
    return html.unescape(_TAG.sub("", path.read_text(encoding="utf-8")))


def walked(start: str, facing: str, steps: str) -> tuple[str, str]:
    """Where steps lead, worked out without the program: forward is the neighbour that one faces."""
    cell, towards = GRID.parse(start), DIRECTION_NAMES.index(facing)
    for word in steps.split():
        name, count = re.fullmatch(r"([A-Z]+)(\d*)", word).groups()  # type: ignore[union-attr]
        for _ in range(int(count or 1)):
            if name in ("L", "R"):
                towards = (towards + (1 if name == "R" else -1)) % 6
            elif name in ("F", "B", "SL", "SR", "SLB", "SRB"):
                turned = {"F": 0, "B": 3, "SL": -1, "SR": 1, "SLB": 4, "SRB": 2}[name]
                cell += GRID.step[(towards + turned) % 6]
    return GRID.names[cell], DIRECTION_NAMES[towards]


@pytest.mark.parametrize("path", POSTS, ids=[f"{p.parts[-3]}-{p.parts[-2]}" for p in POSTS])
def test_every_path_is_walked_and_every_sum_added(path: Path) -> None:
    text = plain(path)
    for start, facing, steps, end, towards in _PATH.findall(text):
        assert walked(start, facing, steps) == (end, towards), f"{start} {facing} {steps}"
    for needs, sum_ in _SUM.findall(text):
        first, *others = re.split(r" (?=[+-]\d)", sum_.strip())
        total = int(re.findall(r"\d+", first)[-1]) + sum(int(re.match(r"[+-]\d+", part)[0]) for part in others)  # type: ignore[index]
        assert total == int(needs), sum_


def test_there_is_something_to_check() -> None:
    everything = "\n".join(plain(path) for path in POSTS)
    assert len(_PATH.findall(everything)) >= 40 and len(_SUM.findall(everything)) >= 40
    assert len(list(EVENING.glob("turn*"))) == 5
    start = load_battle(EVENING / "battle.yaml").state
    assert [sum(u.side == side for u in start.units) for side in (0, 1)] == [8, 10]


@pytest.mark.slow
def test_the_commands_make_the_record(tmp_path: Path) -> None:
    """Every file is what the commands write, byte for byte."""
    given = [EVENING / COMMANDS, EVENING / START, *EVENING.glob("turn*/players-*[a-z].txt")]
    for path in given:
        if path.name.endswith("-result.txt"):
            continue
        to = tmp_path / path.relative_to(EVENING)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, to)
    again(tmp_path)
    for path in sorted(p for p in EVENING.rglob("*") if p.is_file() and ".opfor" not in p.parts and p.name != "README.md"):
        made = tmp_path / path.relative_to(EVENING)
        assert made.is_file(), f"{path.relative_to(EVENING)} is not made"
        assert made.read_bytes() == path.read_bytes(), path.relative_to(EVENING)
