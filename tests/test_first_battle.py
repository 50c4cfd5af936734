"""The page that leads through a first battle: every command on it does what the page says, in its order."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from opfor.formats.battle_file.battle import load_battle
from tests.cli_support import ROOT, opfor

PAGE = (ROOT / "docs" / "first-battle.md").read_text(encoding="utf-8")


def test_the_page_works_as_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (typed,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    Path("list.txt").write_text(typed, encoding="utf-8")
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL):
        for line in block.splitlines():
            words = shlex.split(line)
            assert words[0] == "opfor"
            # the page shows three ways to begin: each is tried, the last is gone on with
            if words[1] == "new" and Path("ford.yaml").exists():
                words.append("--force")
            said = opfor(*words[1:])
            if line == "opfor check ford.yaml":
                assert said.stdout.splitlines()[-1] == "no faults; nothing is missing"
    battle = load_battle("ford.yaml")
    assert (battle.state.turn, battle.state.phase) == (2, "initiative")
    assert Path("ford-units/reaver.yaml").exists() and Path("ford.png").stat().st_size > 0
    # the unit that the page shows stands so in the file that its list makes
    (shown,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    text = Path(".opfor/ford.yaml").glob("*.yaml")
    assert any(all(line in version.read_text(encoding="utf-8") for line in shown.splitlines()) for version in text)


def test_a_drawn_battle_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    opfor("new", "-o", "trial.yaml", "--random", "--seed", "3")
    opfor("play", "trial.yaml", "--policies", "random,random", "--turns", "2")
