"""The league: its log is all there is, rounds do not depend on who ends first, a kill loses nothing, models come and go."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from opfor.cli.league import league as commands
from opfor.errors import InputError
from opfor.gm.arena.sets import BattleSet, read_set
from policies.learned.model import save_model
from tests.cli_support import INTERRUPTIBLE, ROOT, opfor, opfor_json
from tests.learned_models import card_of, random_weights
from tests.test_arena import DUEL
from tests.test_docs import blocks
from training.league import League
from training.league_book import Book, Event, dropped_event, game_event, member_event
from training.league_report import largest_group, report
from training.pool import Skill, after

#: seconds after which a test gives up waiting for a process
PATIENCE = 300


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    path = tmp_path / "duel.yaml"
    path.write_text(DUEL, encoding="utf-8")
    return path


def duels() -> list[BattleSet]:
    return [read_set(DUEL, "duel", source="duel")]


def model(path: Path, seed: int) -> Path:
    """A model file of random weights."""
    return save_model(path, random_weights(seed=seed), card_of())


def log(folder: Path) -> list[Event]:
    """The log without what time it took."""
    events = [json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    for event in events:
        event.pop("seconds", None)
        for side in event.get("sides", {}).values():
            side.pop("decisions")
    return events


def in_order(events: list[Event]) -> list[Event]:
    """The log with the games of each round in their order."""
    number = 0

    def place(event: Event) -> tuple[int, int, bool]:
        nonlocal number
        number = event["number"] if event["event"] == "round" else number
        return number, event["match"] if event["event"] == "game" else -1, event.get("swapped", False)

    return [event for _, event in sorted([(place(event), event) for event in events], key=lambda pair: pair[0])]


# -- the log ----------------------------------------------------------------------------------------------------------


def drawn_round(number: int, first: int, *matches: tuple[str, str]) -> Event:
    rows = [[a, b, 0] for a, b in matches]
    return {"event": "round", "number": number, "version": "1", "seed": 0, "first": first, "sets": [{}], "matches": rows}


def ended(number: int, match: int, swapped: bool, winner: str, **more: Any) -> Event:
    return game_event(number, match, {"swapped": swapped, "winner": winner, "fault": None, **more})


def book_of(*events: Event) -> Book:
    book = Book()
    for event in events:
        book.apply(event)
    return book


MEMBERS = (member_event("x", "x"), member_event("y", "y"), member_event("z", "z"))


def test_a_log_by_hand() -> None:
    games = [
        ended(1, 0, False, "a"),
        ended(1, 0, True, "draw"),
        ended(1, 1, False, "b", fault={"policy": "y", "message": "no idea"}),
        ended(1, 1, True, "", error="lost"),
    ]
    book = book_of(*MEMBERS, drawn_round(1, 0, ("x", "y"), ("y", "z")), *games)
    rows = {entry.name: (entry.games, entry.wins, entry.draws, entry.losses, entry.faults) for entry in book.active}
    assert rows == {"x": (2, 1, 1, 0, 0), "y": (3, 0, 1, 2, 1), "z": (1, 1, 0, 0, 0)}
    # a win and a draw: a pair of 0.75. Of y against z one game could not be played: no pair
    assert book.pairs == {("x", "y"): [0.75]}
    assert (book.score("x", "y"), book.score("y", "x"), book.score("y", "z")) == ((1.5, 2), (0.5, 2), (0, 0))
    assert (book.games, book.rounds, book.matches, book.errors) == (3, 1, 2, ["round 1, y against z: lost"])
    assert book.open is None
    x, y = after(*after(Skill(), Skill(), 1.0), 0.5)
    y, z = after(y, Skill(), 0.0)
    assert [entry.skill for entry in book.active] == [x, y, z]


def test_skills_wait_for_the_round_and_do_not_depend_on_who_ends_first() -> None:
    begin = (*MEMBERS, drawn_round(1, 0, ("x", "y"), ("x", "z")))
    games = [ended(1, match, swapped, "ab"[match]) for match in range(2) for swapped in (False, True)]
    book = book_of(*begin, *games[:3])
    assert {entry.skill for entry in book.active} == {Skill()}
    assert book.open is not None and book.open.due == [(1, True)]
    whole = book_of(*begin, *games)
    turned = book_of(*begin, *reversed(games))
    assert [entry.skill for entry in whole.active] == [entry.skill for entry in turned.active] != [Skill()] * 3
    # a round that is left for another is weighed as far as it went
    left = book_of(*begin, *games[:3], drawn_round(2, 2, ("y", "z")))
    assert left.pairs == {("x", "y"): [1.0]} and left.entries["z"].skill.mu > 25
    gone = book_of(*begin, *games[:3], dropped_event("z"))
    assert gone.open is None and [entry.name for entry in gone.active] == ["x", "y"]


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"event": "nothing"},
        dropped_event("nobody"),
        ended(2, 0, False, "a"),
        ended(1, 7, False, "a"),
        ended(1, 0, False, "nobody"),
    ],
)
def test_a_line_that_is_none_is_told(event: Event, tmp_path: Path) -> None:
    lines = [*MEMBERS, drawn_round(1, 0, ("x", "y")), event]
    (tmp_path / "log.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    with pytest.raises(InputError, match="line 5: is no entry of a league"):
        League(tmp_path)


# -- play -------------------------------------------------------------------------------------------------------------


def backwards(work: Callable[[Any], Any], jobs: list[Any], **settings: Any) -> Iterator[tuple[Any, Any]]:
    """As if the last job ended first."""
    yield from [(job, work(job)) for job in reversed(jobs)]


def test_rounds_do_not_depend_on_who_ends_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for way in ("forwards", "backwards"):
        if way == "backwards":
            monkeypatch.setattr("training.league.run_jobs", backwards)
        league = League(tmp_path / way)
        league.add(["random", "random:tree"])
        assert league.play(12, duels(), seed=4, size=8, jobs=1) == 12
        found.append(in_order(log(league.folder)))
        # made again from its log
        assert report(League(league.folder).book) == league.report()
    assert found[0] == found[1]
    rounds = [event for event in found[0] if event["event"] == "round"]
    # four matches, then two: no battle is fought again
    assert [(event["first"], len(event["matches"])) for event in rounds] == [(0, 4), (4, 2)]
    games = [event for event in found[0] if event["event"] == "game"]
    assert len({event["seed"] for event in games}) == 6 and len(games) == 12


def test_opponents_that_are_not_beaten_are_met_more(tmp_path: Path) -> None:
    """x beats y and loses to z: drawing for x, z comes before y."""
    league = League(tmp_path)
    for event in (*MEMBERS, drawn_round(1, 0, *[("x", "y"), ("x", "z")] * 10)):
        league.book.apply(event)
    for match in range(20):
        for swapped in (False, True):
            league.book.apply(ended(1, match, swapped, "ab"[match % 2]))
    x, y, z = league.book.active
    assert league._rate(x, y) > 0.9 and league._rate(x, z) < 0.1
    drawn = league._draw_round(2000, duels(), 1)["matches"]
    against = [sum(1 for a, b, _ in drawn if {a, b} == pair) for pair in ({"x", "y"}, {"x", "z"}, {"y", "z"})]
    # weights: of x 0.05 to about 0.9; of y about 0.9 to 0.95; of z the least for both
    assert against[1] > 1.5 * against[0] and min(against) > 50
    assert all(a < b for a, b, _ in drawn)
    # who comes in plays first: it has no game, the others have 20 or more
    league.book.apply(member_event("new", "random"))
    drawn = league._draw_round(16, duels(), 2)["matches"]
    assert len(drawn) == 8 and sum(1 for a, b, _ in drawn if "new" in (a, b)) > 4


def begun(folder: Path, duel: Path, games: int) -> subprocess.Popen[bytes]:
    """The command in a process of its own, once it has played some games."""
    call = ["league", folder, "play", "--set", duel, "--games", games, "--round", 10, "--jobs", 1]
    run = [sys.executable, "-c", INTERRUPTIBLE, *map(str, call)]
    process = subprocess.Popen(run, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    until = time.monotonic() + PATIENCE
    while (folder / "log.jsonl").read_bytes().count(b'"game"') < 3:
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.02)
    return process


def test_a_league_that_is_killed_loses_nothing(tmp_path: Path, duel: Path) -> None:
    """It goes on with the round as it was drawn, and ends as one that never stopped; a torn line is played again."""
    folder, unbroken = tmp_path / "killed", League(tmp_path / "unbroken")
    for league in (League(folder), unbroken):
        league.add(["random", "random:tree"])
    process = begun(folder, duel, 30)
    process.kill()
    process.wait(PATIENCE)
    before = (folder / "log.jsonl").read_bytes()
    whole = before[: before.rfind(b"\n") + 1]
    (folder / "log.jsonl").write_bytes(whole + b'{"event":"game","rou')
    league = League(folder)
    played = league.book.games
    assert 3 <= played < 30
    league.play(30 - played, duels(), size=10, jobs=1)
    assert (folder / "log.jsonl").read_bytes().startswith(whole)
    unbroken.play(30, duels(), size=10, jobs=1)
    assert in_order(log(folder)) == in_order(log(unbroken.folder))
    assert league.report() == unbroken.report() == League(folder).report()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no interrupt of another process there")
def test_an_interrupt_leaves_a_league_to_go_on_with(tmp_path: Path, duel: Path) -> None:
    League(tmp_path).add(["random", "random:tree"])
    process = begun(tmp_path, duel, 40)
    # as a terminal does: to the command and to its processes
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(PATIENCE) == 130
    league = League(tmp_path)
    assert league.play(2, duels(), jobs=1) >= 2
    assert league.book.open is None


# -- members ----------------------------------------------------------------------------------------------------------


def test_models_come_and_go(tmp_path: Path) -> None:
    league = League(tmp_path / "league")
    paths = [model(tmp_path / f"{number}" / "m.safetensors", number) for number in range(4)]
    rows = league.add(["random", *map(str, paths)])
    assert [row["name"] for row in rows] == ["random", "m", "m#2", "m#3", "m#4"]
    # a copy: the file that it came from may change
    paths[0].write_bytes(b"nothing")
    assert league.play(2, duels(), jobs=1) == 2
    # all are strangers but those that have played: the best is one of them, then the latest, then the farthest
    kept = {"random", "m#4"}
    gone = league.prune(2)
    left = [entry.name for entry in league.book.active]
    assert kept <= set(left) and len(left) == 3 and len(gone) == 2
    files = {path.name for path in (league.folder / "members").iterdir()}
    assert files == {f"{name}.safetensors" for name in left if name != "random"}
    again = League(league.folder)
    assert [entry.name for entry in again.book.active] == left and again.report() == league.report()
    # a name is never used twice: games of both would count together
    assert again.add([str(model(tmp_path / "new" / "m.safetensors", 9))])[0]["name"] == "m#5"
    assert again.drop(["random"]) == ["random"]
    assert again.add(["random"])[0] == {"name": "random#2", "code": "random"}
    # a file that is not what it was
    (league.folder / "members" / "m#5.safetensors").write_bytes(paths[1].read_bytes())
    with pytest.raises(InputError, match="not the model that came in"):
        League(league.folder).play(2, duels(), jobs=1)


def test_who_cannot_come_in(tmp_path: Path) -> None:
    league = League(tmp_path / "league")
    bad = tmp_path / "bad.safetensors"
    bad.write_bytes(b"nothing")
    good = model(tmp_path / "good.safetensors", 1)
    for given, words in (
        (["vetran"], "did you mean veteran"),
        (["random", "random"], "random is in the league already"),
        ([str(good), str(good)], "in the league already"),
        (["random", str(bad)], "no model file"),
        ([str(tmp_path / "none.safetensors")], "cannot be read"),
        ([f"learned:{good}"], "a model comes in by its file"),
    ):
        with pytest.raises(InputError) as caught:
            league.add(given)
        assert words in str(caught.value)
    # nobody has come in with those who cannot
    assert not (tmp_path / "league").exists()
    league.add([str(good)])
    with pytest.raises(InputError, match="in the league already, as good"):
        league.add([str(good)])
    with pytest.raises(InputError, match="two members at least"):
        league.play(2, duels())
    with pytest.raises(InputError, match="godo is not in the league") as missing:
        league.drop(["godo"])
    assert "did you mean good" in str(missing.value)


# -- the report -------------------------------------------------------------------------------------------------------


def test_ratings_compare_whom_games_join() -> None:
    assert largest_group("abcde", {("a", "b"): [], ("c", "d"): [], ("d", "e"): []}) == list("cde")
    assert largest_group("abcd", {("c", "d"): [], ("a", "b"): []}) == list("ab")
    assert largest_group("", {}) == []
    matches = [("x", "y")] * 4
    games = [ended(1, match, swapped, "b" if match == 3 else "a") for match in range(4) for swapped in (False, True)]
    found = report(book_of(*MEMBERS, drawn_round(1, 0, *matches), *games))
    x, y, z = found["members"]
    # 6 of 8 points: odds of three to one, 400 log10 3 = 190.8 between them, about 1500
    assert (x["name"], x["rating"], y["rating"]) == ("x", pytest.approx(1595.4, abs=0.2), pytest.approx(1404.6, abs=0.2))
    assert x["interval"][0] < x["rating"] < x["interval"][1]
    assert (z["name"], z["rating"], z["interval"]) == ("z", None, None)
    assert found["pairs"][0]["win_rate"] == 0.75 and found["pairs"][0]["games"] == 8
    # three pairs won and none lost count as three won and one drawn: odds of seven to one, 400 log10 7 = 338.0
    found = report(book_of(*MEMBERS, drawn_round(1, 0, *matches[:3]), *games[:6]))
    x, y, _ = found["members"]
    assert x["rating"] - y["rating"] == pytest.approx(338.0, abs=0.2)
    assert (found["pairs"][0]["win_rate"], found["pairs"][0]["games"]) == (1.0, 6)


def test_the_commands(tmp_path: Path, duel: Path) -> None:
    folder = tmp_path / "league"
    assert opfor("league", folder, "add", "random", "random:tree").stdout == (
        "random is in the league\nrandom:tree is in the league\n"
    )
    call = ("league", folder, "play", "--games", 4, "--set", duel, "--jobs", 1)
    document = json.loads(opfor(*call, "--json").stdout)
    assert document == opfor_json("league", folder, "show")
    assert (document["games"], document["rounds"], document["due"]) == (4, 1, 0)
    assert {"name", "rating", "interval", "mu", "sigma", "games", "here"} <= set(document["members"][0])
    text = opfor("league", folder, "show").stdout
    assert "random:tree" in text and "4 games in 1 rounds" in text
    assert opfor_json("league", folder, "prune", "--keep", 0) == {"dropped": []}
    assert opfor_json("league", folder, "drop", "random") == {"dropped": ["random"]}
    assert "random (gone)" in opfor("league", folder, "show").stdout


def test_what_the_page_shows_is_so(tmp_path: Path) -> None:
    (chosen,), (example,) = blocks("league.md", "yaml"), blocks("league.md", "python")
    assert read_set(chosen, "duels", source="league.md").turn_limit == 12
    names: dict[str, Any] = {}
    exec(example, names)
    assert names["again"].state() == names["pool"].state()
    page = (ROOT / "docs" / "league.md").read_text(encoding="utf-8")
    for command in commands.registered_commands:
        assert f"`opfor league DIR {command.name}" in page
        shown = set(re.findall(r"--[a-z][a-z-]+", opfor("league", tmp_path, command.name, "--help").stdout)) - {"--help"}
        assert all(option in page for option in shown), command.name


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show"], "there is no league"),
        (["play"], "two members at least"),
        (["play", "--games", "3"], "3 is odd"),
        (["play", "--round", "5"], "5 is odd"),
        (["play", "--on", "rey"], "did you mean ray"),
        (["play", "--set", "standard-4x4"], "did you mean standard-4v4"),
        (["add", "nobody"], "there is no policy 'nobody'"),
    ],
)
def test_what_is_wrong_is_said(arguments: list[str], words: str, tmp_path: Path) -> None:
    folder = tmp_path / "league"
    assert words in opfor("league", folder, *arguments, code=1).stderr
    assert opfor_json("league", folder, *arguments, code=1)["error"]["message"]
    assert not folder.exists()


@pytest.mark.slow
def test_a_league_on_a_cluster_plays_the_same_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    found = []
    for place in ("local", "ray"):
        league = League(tmp_path / place)
        league.add(["random", str(model(tmp_path / "m.safetensors", 3))])
        league.play(8, duels(), size=4, on=place, jobs=2)
        found.append(in_order(log(league.folder)))
    assert found[0] == found[1]
