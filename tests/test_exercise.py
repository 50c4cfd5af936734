"""Self-play made for rare happenings: its battles are sound, and all that is wanted of them comes to pass."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path

import pytest

from opfor.formats.battle_file.battle import battle_document, read_battle
from opfor.gm.rulebook.exercised import Exercised
from tests.exercise import WANTED, WANTED_GROUPS, battle, games, main, missing, play, scenarios, turns


def test_the_battles_are_what_the_file_says() -> None:
    for scenario in scenarios():
        read = read_battle(json.dumps(battle(scenario)), source=scenario["name"])
        assert not [note for note in read.notes if note.severity == "error"]
        assert {unit.side for unit in read.state.units} == {0, 1}
        assert any(word in entry for word in scenario["shows"] for entry in missing(Exercised())), scenario["name"]


def test_everything_wanted_is_shown_by_some_battle() -> None:
    words = [word for scenario in scenarios() for word in scenario["shows"]]
    assert [entry for entry in missing(Exercised()) if not any(word in entry for word in words)] == []


def test_battles_that_have_nothing_new_are_passed_over() -> None:
    counts = Exercised()
    assert [one["name"] for one in islice(turns(counts), len(scenarios()))] == [one["name"] for one in scenarios()]
    for name in WANTED_GROUPS:
        counts.groups[name].seen.update(counts.groups[name].possible)
    for name, entries in WANTED.items():
        counts.groups[name].seen.update(entries)
    assert missing(counts) == []
    del counts.groups["events"].seen["bridge_collapsed"]
    assert missing(counts) == ["events: bridge_collapsed"]
    assert {one["name"] for one in islice(turns(counts), 3)} == {"bridge"}


def test_a_few_games_play_and_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "--games", "2"]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("not seen: ") and len(said.err.splitlines()) == 2
    first, second = sorted(tmp_path.iterdir())
    assert gzip.decompress(first.read_bytes()).decode() == play(scenarios()[0], 0)
    counts = Exercised()
    for path in (first, second):
        counts.read(gzip.decompress(path.read_bytes()).decode(), source=path.name)
    assert counts.replays == 2 and counts.groups["vehicle criticals"].seen["vtol rotor: rotor_damage"]
    assert len(missing(counts)) < len(missing(Exercised()))


def test_who_rides_in_the_air_can_be_read_again() -> None:
    """Aboard a VTOL that flies, and lost with it there: the battle file takes back what it wrote. Rule: S-9, E-26."""
    read = read_battle(json.dumps(battle(scenarios()[0])))
    rider = read.state.unit("alpha-1-rider")
    assert (rider.aboard, rider.elevation) == ("alpha-1", 2)
    for gone in ("", "lost with alpha-1"):
        rider.destroyed = gone
        again = read_battle(json.dumps(battle_document(read))).state.unit("alpha-1-rider")
        assert (again.aboard, again.elevation, again.destroyed) == ("alpha-1", 2, gone)


@pytest.mark.slow
def test_everything_wanted_is_seen() -> None:
    """Every critical effect, motive result and crew effect, crashes, collapses and the rest, with rules kept throughout."""
    *_, (_, counts) = games(300)
    assert missing(counts) == []
