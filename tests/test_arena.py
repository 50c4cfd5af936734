"""The arena: mirrored games, faults of policies, sets of battles, policies of one's own, the report."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser
from itertools import accumulate, cycle
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from examples.my_policy import Brave
from opfor.errors import InputError
from opfor.formats.replay import read_replay, replay
from opfor.gm.arena.entrants import Entrant, entrants, policy_classes
from opfor.gm.arena.match import Key, Record, key_of, margin, play_fixture, schedule
from opfor.gm.arena.running import play_all
from opfor.gm.arena.sets import BattleSet, battle_seed, draw_battle, read_set, set_named, set_names
from opfor.gm.arena.store import Store, settings_of
from opfor.gm.arena.summary import summary
from opfor.report.arena.page import report_page
from opfor.report.arena.words import games_csv, pairs_csv, ratings_csv, report_words
from tests.cli_support import ROOT, opfor, opfor_json
from tests.conformance.policy import check_policy
from tests.test_docs import blocks

#: a set of short duels
DUEL = "ruleset: standard\nboards: [open-plain]\nunits: 1\nbudget: [900, 1400]\nturn_limit: 3\n"
#: policies that do what they should not
BAD = """
from dataclasses import replace

class Faint:
    name = "faint"
    def __init__(self, seed=0):
        self.left = 3
    def reset(self, seed):
        self.left = 3
    def choose(self, decision, view):
        self.left -= 1
        if not self.left:
            raise ValueError("no\\nidea")
        print("thinking")
        return next(iter(decision.legal))

class Cheat:
    def __init__(self, seed=0):
        pass
    def choose(self, decision, view):
        return replace(next(iter(decision.legal)), unit="nobody")

class Silent(Cheat):
    def choose(self, decision, view):
        return None

class Quitter(Cheat):
    def choose(self, decision, view):
        raise SystemExit(3)

class Unborn(Cheat):
    def __init__(self, seed=0):
        if seed:
            raise RuntimeError("not today")
"""


@pytest.fixture
def duel() -> BattleSet:
    return read_set(DUEL, "duel", source="duel")


@pytest.fixture
def bad(tmp_path: Path) -> str:
    path = tmp_path / "bad.py"
    path.write_text(BAD, encoding="utf-8")
    return str(path)


def played(
    players: list[Entrant], sets: list[BattleSet], games: int, seed: int = 1, folder: Path | None = None
) -> list[Record]:
    return [play_fixture(fixture) for fixture in schedule(players, sets, games, seed, folder)]


def reported(players: list[Entrant], sets: list[BattleSet], records: list[Record], games: int) -> dict[str, Any]:
    settings = settings_of(players, sets, games, 1, [])
    keys = [fixture.key for fixture in schedule(players, sets, games, 1)]
    return summary([player.label for player in players], settings, {key_of(one): one for one in records}, keys)


def timeless(record: Record) -> Record:
    """A record without its times."""
    sides = {
        name: {**side, "decisions": {kind: row["count"] for kind, row in side["decisions"].items()}}
        for name, side in record["sides"].items()
    }
    return {**{key: value for key, value in record.items() if key != "seconds"}, "sides": sides}


# -- mirrored games ---------------------------------------------------------------------------------------------------


def test_a_policy_against_itself_wins_exactly_half(duel: BattleSet) -> None:
    """The seat decides, and each has each seat once: forces, edge, dice and the policies' own chance go with the seat."""
    players = entrants(["random", "random"])
    assert [player.label for player in players] == ["random", "random#2"]
    records = played(players, [duel], 8)
    assert any(one["winner"] != "draw" for one in records)
    for first, second in zip(records[::2], records[1::2], strict=True):
        assert (first["seed"], first["turns"], first["why"]) == (second["seed"], second["turns"], second["why"])
        assert {first["winner"], second["winner"]} in ({"a", "b"}, {"draw"})
        for one, other in (("a", "b"), ("b", "a")):
            assert timeless(first)["sides"][one] == timeless(second)["sides"][other]
    (pair,) = reported(players, [duel], records, 8)["pairs"]
    assert (pair["games"], pair["win_rate"], pair["wins_a"]) == (8, 0.5, pair["wins_b"])


def test_seats_are_changed_and_battles_shared_by_all_pairs(duel: BattleSet) -> None:
    other = duel.model_copy(update={"name": "other"})
    players = [Entrant(label, "random") for label in "xyz"]
    fixtures = schedule(players, [duel, other], 8, 1)
    # three pairs, eight games each, no game twice
    assert len(fixtures) == 24 == len({fixture.key for fixture in fixtures})
    of_pair = [f for f in fixtures if (f.a.label, f.b.label) == ("x", "z")]
    assert [(f.set.name, f.number, f.swapped) for f in of_pair] == [
        ("duel", 0, False), ("duel", 0, True), ("other", 0, False), ("other", 0, True),
        ("duel", 1, False), ("duel", 1, True), ("other", 1, False), ("other", 1, True),
    ]  # fmt: skip
    # more games go on where fewer ended
    fewer = [fixture.key for fixture in schedule(players, [duel, other], 4, 1)]
    assert fewer == [fixture.key for fixture in fixtures][: len(fewer)]


def test_seeds_belong_to_the_run_the_set_and_the_battle() -> None:
    seeds = {battle_seed(run, name, number) for run in range(5) for name in ("x", "y") for number in range(50)}
    assert len(seeds) == 500


def test_results_do_not_depend_on_the_number_of_processes(duel: BattleSet) -> None:
    fixtures = schedule(entrants(["random", "random"]), [duel], 6, 1)
    records: list[Record] = []
    play_all(fixtures, 2, records.append)
    assert sorted(map(timeless, records), key=key_of) == [timeless(play_fixture(fixture)) for fixture in fixtures]
    assert len(records) == 6


def test_time_is_the_processors(duel: BattleSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock of the processor that goes on by 3 and 5 seconds in turn while a policy thinks, whatever the wall's says."""
    clock = accumulate(cycle((1.0, 3.0, 1.0, 5.0)))
    monkeypatch.setattr("opfor.gm.arena.match.process_time", lambda: next(clock))
    record = played(entrants(["random", "random"]), [duel], 2)[0]
    rows = [row for side in record["sides"].values() for row in side["decisions"].values()]
    count = sum(row["count"] for row in rows)
    assert sum(row["seconds"] for row in rows) == 3 * (count - count // 2) + 5 * (count // 2)
    assert max(row["worst"] for row in rows) == 5


# -- policies that fail -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("faint", "ValueError: no idea (bad.py, line 13)"),
        ("cheat", "an order that is not legal: MoveOrder(unit='nobody'"),
        ("silent", "an answer that is no order: None"),
        ("quitter", "SystemExit: 3"),
        ("unborn", "cannot be made: RuntimeError: not today"),
    ],
)
def test_a_policy_that_fails_loses_and_others_go_on(name: str, words: str, bad: str, duel: BattleSet, tmp_path: Path) -> None:
    players = entrants([name, "random", "random"], [bad])
    records = played(players, [duel], 2, folder=tmp_path / "replays")
    assert [one["winner"] for one in records[:4]] == ["b"] * 4
    for one in records[:4]:
        assert one["fault"]["policy"] == name
        assert words in one["fault"]["message"] and "\n" not in one["fault"]["message"]
    assert [one["fault"] for one in records[4:]] == [None, None]
    report = reported(players, [duel], records, 2)
    assert report["standings"][name]["losses"] == report["standings"][name]["faults"] == len(report["faults"]) == 4
    assert f"{name} failed in 4 games and lost them; the first: {name}-random-duel-0, " in report_words(report)
    assert words in report_words(report)
    # what was played until then can be played again
    for path in (tmp_path / "replays").iterdir():
        text = read_replay(path)
        assert replay(text) == text


def test_a_game_that_cannot_be_played_does_not_count(duel: BattleSet) -> None:
    crowd = duel.model_copy(update={"name": "crowd", "boards": ["no-such-board"]})
    players = entrants(["random", "random"])
    records = played(players, [duel, crowd], 4)
    assert [one.get("error", "")[:11] for one in records] == ["", "", "InputError:", "InputError:"]
    report = reported(players, [duel, crowd], records, 4)
    assert report["games"] == 2
    assert "no-such-board" in report["errors"][0]["message"]
    # half of a mirrored pair counts no more than none
    assert reported(players, [duel], records[:1], 2)["pairs"] == []


# -- sets of battles --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", set_names())
def test_every_set_that_ships(name: str) -> None:
    chosen = set_named(name)
    state = draw_battle(chosen, 7).state
    assert state.limit == chosen.turn_limit
    assert [sum(1 for unit in state.units if unit.side == side) for side in (0, 1)] == [chosen.units] * 2
    if chosen.types:
        assert {unit.spec.name for unit in state.units} <= set(chosen.types)
    else:
        assert chosen.budget[0] * 0.8 <= sum(unit.spec.battle_value for unit in state.units[: chosen.units]) <= chosen.budget[1]
        assert {unit.spec.kind for unit in state.units} <= set(chosen.kinds)
    assert len(chosen.about) > 20


def test_a_set_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "ruleset: {base: campaign, partial_cover: standard}\nboards: [crossroads]\nunits: 2\nforces: same\nturn_limit: 5\n",
        encoding="utf-8",
    )
    chosen = set_named(str(path))
    battle = draw_battle(chosen, 3)
    assert (chosen.name, battle.state.ruleset.partial_cover, battle.document["board"]) == ("mine", "standard", "crossroads")
    mine, theirs = ([unit.spec.name for unit in battle.state.units if unit.side == side] for side in (0, 1))
    assert mine == theirs
    assert draw_battle(chosen, 3).document == battle.document != draw_battle(chosen, 4).document


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("unit: 3", "set, unit: is no key of a set (did you mean units"),
        ("units: many", "set, units: "),
        ("budget: [5000, 4000]", "set, budget: two numbers, the least and the most"),
        ("boards: [crossroad, cross-town]", "there is no board called 'cross-town'"),
        ("kinds: [mecha]", "there is no kind of unit 'mecha'"),
        ("ruleset: campain", "set, ruleset: there is no ruleset 'campain'"),
        ("year: 1900", "built by 1900"),
        ("- 1", "is no set of battles"),
        ("a: [", "is not YAML"),
    ],
)
def test_what_is_wrong_with_a_set_is_said(text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read_set(text, "set", source="set")
    assert words in str(caught.value)


# -- policies of one's own --------------------------------------------------------------------------------------------


def test_the_example_keeps_the_promises() -> None:
    check_policy(Brave, battles=2, decisions=10)
    assert list(policy_classes(str(ROOT / "examples" / "my_policy.py"))) == ["brave"]


def test_the_pages_show_what_is_read() -> None:
    (example, _), (set_,) = blocks("own-policy.md", "python"), blocks("arena.md", "yaml")
    assert example == (ROOT / "examples" / "my_policy.py").read_text(encoding="utf-8")
    chosen = read_set(set_, "mine", source="arena.md")
    assert set(chosen.model_dump()) - {"name"} == chosen.model_fields_set - {"name"}
    # units by name come before kinds
    assert {unit.spec.name for unit in draw_battle(chosen, 1).state.units} == set(chosen.types)
    of_kinds = chosen.model_copy(update={"types": [], "special_missiles": []})
    assert {unit.spec.kind for unit in draw_battle(of_kinds, 1).state.units} == {"vehicle"}


def test_which_classes_of_a_file_are_policies(bad: str) -> None:
    # by their name, or that of the class
    assert list(policy_classes(bad)) == ["faint", "cheat", "silent", "quitter", "unborn"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1", "holds no policy"),
        ("1/0", "cannot be run: ZeroDivisionError"),
        ("def (", "cannot be run: SyntaxError"),
        ("raise SystemExit(2)", "cannot be run: SystemExit: 2"),
        ("class A:\n name = 'random'\n def choose(self, d, v): ...", "'random' is the name of an installed policy"),
        ("class A:\n name = 'raider'\n def choose(self, d, v): ...", "'raider' is the name of an installed policy"),
        ("class A:\n name = 'a,b'\n def choose(self, d, v): ...", "a sign that parts names"),
        ("class A:\n def choose(self, d, v): ...\nclass B(A):\n name = 'a'", "two policies are called 'a'"),
        ("from opfor.game.loop import Chooser\nclass _A:\n def choose(self, d, v): ...", "holds no policy"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        policy_classes(str(path))
    assert words in str(caught.value)


def test_a_file_may_import_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "arena_helper_beside.py").write_text("NAME = 'helped'\n", encoding="utf-8")
    path = tmp_path / "own.py"
    text = "from arena_helper_beside import NAME\nclass A:\n    name = NAME\n    def choose(self, d, v): ...\n"
    path.write_text(text, encoding="utf-8")
    assert list(policy_classes(str(path))) == ["helped"]


def test_check_finds_what_is_sound_and_what_is_not(bad: str) -> None:
    sound = opfor("arena", "--check", ROOT / "examples" / "my_policy.py").stdout
    assert sound.startswith("brave: sound; decisions checked: ")
    rows = {row["policy"]: row for row in opfor_json("arena", "--check", bad, code=1)["policies"]}
    assert not any(row["conforms"] for row in rows.values())
    assert "raises ValueError" in rows["faint"]["message"]
    assert "a policy has a name" in rows["cheat"]["message"] or "reset" in rows["cheat"]["message"]


# -- the report -------------------------------------------------------------------------------------------------------


def made_up(a: str, b: str, number: int, swapped: bool, winner: str, left: tuple[int, int] = (500, 100)) -> Record:
    """A record of a game of two units a side, worth 1,000 each side; who has nothing left has lost it all."""
    sides = {
        name: {
            "seat": (name == "b") != swapped,
            "units": 2,
            "standing": 2 if rest else 0,
            "left_map": 0,
            "bv": 1000,
            "bv_lost": 0 if rest else 1000,
            "bv_left": rest,
            "decisions": {
                "fire": {"count": 2, "seconds": 0.004, "worst": 0.003},
                "movement": {"count": 2, "seconds": 0.016, "worst": 0.009},
            },
        }
        for name, rest in zip("ab", left, strict=True)
    }
    key = Key(a, b, "duel", number, swapped)
    found = {"seed": 5, "winner": winner, "why": "alone", "turns": 4 + number, "sides": sides, "fault": None, "seconds": 0.1}
    return {**key._asdict(), **found}


def hand_made(duel: BattleSet, a: str = "x", b: str = "y") -> dict[str, Any]:
    """Two battles: a wins both games of the first, one is drawn and one lost in the second."""
    players = [Entrant(a, "random"), Entrant(b, "random")]
    records = [
        made_up(a, b, 0, False, "a", (500, 0)),
        made_up(a, b, 0, True, "a", (300, 0)),
        made_up(a, b, 1, False, "draw", (200, 200)),
        made_up(a, b, 1, True, "b", (0, 700)),
    ]
    return reported(players, [duel], records, 4)


def test_the_report_worked_by_hand(duel: BattleSet) -> None:
    report = hand_made(duel)
    (pair,) = report["pairs"]
    assert {key: pair[key] for key in ("a", "b", "games", "wins_a", "wins_b", "draws", "win_rate")} == {
        "a": "x", "b": "y", "games": 4, "wins_a": 2, "wins_b": 1, "draws": 1, "win_rate": 0.625,
    }  # fmt: skip
    # Wilson of 0.625 over 4: centre (0.625 + 0.4802) / 1.9604, half width 0.9998 √(0.05859 + 0.06002)
    assert pair["interval"] == pytest.approx([0.2194, 0.9081], abs=2e-4)
    # pairs 1 and 1/4: variance 0.28125 is more than 0.625 · 0.375, so two games' worth: centre 1.5854 / 2.9207, half width
    # 0.6711 √0.3573
    assert pair["interval_mirrored"] == pytest.approx([0.1417, 0.9440], abs=2e-4)
    # x destroyed 1,000 in two games of four, lost 1,000 in one
    assert pair["bv"] == {"destroyed_by_a": 500, "destroyed_by_b": 250, "exchange": 2, "left_a": 250, "left_b": 225}
    assert (pair["survivors_a"], pair["survivors_b"], pair["units"]) == (1.5, 1, 2)
    assert pair["turns"] == {"mean": 4.5, "least": 4, "most": 5}
    assert report["turns"] == {"4": 2, "5": 2}
    mine = report["standings"]["x"]
    assert (mine["wins"], mine["draws"], mine["losses"], mine["exchange"]) == (2, 1, 1, 2)
    # eight decisions of 2 ms and of 8 ms on average
    assert mine["decisions"]["fire"] == {"count": 8, "mean_ms": 2, "worst_ms": 3}
    assert mine["decisions"]["all"] == {"count": 16, "mean_ms": 5, "worst_ms": 9}
    # 2 1/2 points to 1 1/2
    assert report["ratings"]["x"]["rating"] - report["ratings"]["y"]["rating"] == pytest.approx(88.7, abs=0.15)


def test_the_report_as_text_and_tables(duel: BattleSet) -> None:
    report = hand_made(duel)
    text = report_words(report)
    assert "62.5 %" in text and "21.9-90.8 %" in text and "14.2-94.4 %" in text
    rows = list(csv.DictReader(io.StringIO(pairs_csv(report))))
    assert [(row["set"], row["games"], row["win_rate"]) for row in rows] == [("all", "4", "0.625"), ("duel", "4", "0.625")]
    assert [row["policy"] for row in csv.DictReader(io.StringIO(ratings_csv(report)))] == ["x", "y"]
    rows = list(csv.DictReader(io.StringIO(games_csv([made_up("x", "y", 0, False, "a"), {"error": "none"}]))))
    assert [(row["winner"], row["bv_left_a"], row["bv_left_b"]) for row in rows] == [("a", "500", "100")]


class Balanced(HTMLParser):
    """Every element that is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.links += [value or "" for key, value in attrs if key in ("href", "src")]
        if tag not in ("meta", "br", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag


def test_the_page_is_sound_and_needs_nothing_else(duel: BattleSet) -> None:
    report = hand_made(duel, "<b>&x", 'y"' + "z" * 60)
    report["replays"] = [{"file": "replays/x.jsonl.gz", "why": "closest", "game": "x", "margin": 0.1}]
    page = report_page(report)
    reader = Balanced()
    reader.feed(page)
    assert reader.open == []
    assert reader.links == ["replays/x.jsonl.gz"]
    assert {"svg", "table", "title"} <= reader.seen and not reader.seen & {"script", "b", "img", "link"}
    pictures = page.split("<svg ")[1:]
    assert len(pictures) == 4
    for picture in pictures:
        root = ElementTree.fromstring("<svg " + picture.partition("</svg>")[0] + "</svg>")
        assert root.get("role") == "img" and len(root) >= 2
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_an_empty_report_is_a_report(duel: BattleSet) -> None:
    report = reported([Entrant("x", "random"), Entrant("y", "random")], [duel], [], 2)
    assert report["pairs"] == [] and report["turns"] == {}
    assert "x" in report_words(report)
    assert "<svg" in report_page(report)


# -- the folder -------------------------------------------------------------------------------------------------------


def test_replays_of_the_most_lopsided_and_the_closest_are_kept(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.replays.mkdir()
    left = [(900, 0), (500, 400), (600, 100), (0, 1000), (300, 290)]
    for number, rest in enumerate(left):
        record = made_up("x", "y", number, False, "a" if rest[0] > rest[1] else "b", rest)
        store.add(record)
        (store.replays / f"{key_of(record).words}.jsonl.gz").write_bytes(b"")
    (store.replays / "x-y-duel-9.jsonl.gz").write_bytes(b"")
    assert [round(margin(one), 2) for one in store.records.values()] == [0.9, 0.1, 0.5, 1.0, 0.01]
    kept = store.prune(1)
    assert [(row["why"], row["game"]) for row in kept] == [("most lopsided", "x-y-duel-3"), ("closest", "x-y-duel-4")]
    # a game that is not yet written down is left alone
    assert sorted(path.name for path in store.replays.iterdir()) == [f"x-y-duel-{n}.jsonl.gz" for n in (3, 4, 9)]


def test_a_torn_last_line_is_cut_off_and_any_other_is_refused(tmp_path: Path, duel: BattleSet) -> None:
    settings = settings_of(entrants(["random", "veteran"]), [duel], 4, 1, [])
    store = Store(tmp_path)
    store.begin(settings)
    store.add(made_up("x", "y", 0, False, "a"))
    games = tmp_path / "games.jsonl"
    whole = games.read_bytes()
    games.write_bytes(whole + whole[:40])
    again = Store(tmp_path)
    again.begin(settings)
    assert list(again.records) == [Key("x", "y", "duel", 0, False)]
    assert games.read_bytes() == whole
    games.write_bytes(b"{}\n" + whole)
    with pytest.raises(InputError, match="line 1"):
        Store(tmp_path).begin(settings)


def test_a_folder_is_gone_on_with_only_under_its_own_settings(tmp_path: Path, duel: BattleSet, bad: str) -> None:
    players = entrants(["random", "veteran"])
    folder = tmp_path / "arena"
    Store(folder).begin(settings_of(players, [duel], 4, 1, [bad]))
    # more games, more policies
    Store(folder).begin(settings_of(entrants(["random", "veteran", "bold"]), [duel], 8, 1, [bad]))
    with pytest.raises(InputError, match="another value of --seed"):
        Store(folder).begin(settings_of(players, [duel], 4, 2, [bad]))
    with pytest.raises(InputError, match="another value of --set"):
        Store(folder).begin(settings_of(players, [set_named("8v8")], 4, 1, [bad]))
    Path(bad).write_text(BAD + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="another value of --code"):
        Store(folder).begin(settings_of(players, [duel], 4, 1, [bad]))
    (folder / "arena.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="is no record of an arena"):
        Store(folder).settings()


def test_records_survive_as_json(duel: BattleSet) -> None:
    record = play_fixture(schedule(entrants(["random", "random"]), [duel], 2, 1)[0])
    assert json.loads(json.dumps(record)) == record
