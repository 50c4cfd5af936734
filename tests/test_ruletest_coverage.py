"""`opfor ruletest --cover` and `--coverage`: battles made for what is rare, what has occurred, and what never did."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from opfor.errors import InputError
from opfor.formats.battle_file.battle import read_battle
from opfor.formats.battle_file.battle_write import battle_document
from opfor.formats.units import load_unit
from opfor.gm.rulebook.exercised_possible import possible
from opfor.gm.rulebook.hints import coverage_data, excuse, hint
from opfor.gm.rulebook.ledger import ledger
from opfor.gm.ruletest import coverage, covering
from opfor.gm.ruletest.coverage import battles_for, cover, coverage_document, missing, short_of, wanted_percent
from opfor.gm.ruletest.covering import document, folder, made_battles, useful
from opfor.gm.ruletest.plays import Record
from opfor.gm.ruletest.store import Store
from opfor.gm.ruletest.summary import tally
from tests.cli_support import opfor, opfor_json

TABLES = Path(coverage.__file__).resolve().parents[2] / "tables"
#: tables whose rows are counted, by the group (or the named rows of target numbers) that tells of them
COUNTED = {
    "artillery": "artillery pieces", "cluster_hits": "cluster rows", "criticals": "'Mech critical rolls",
    "fire": "fire spreads",
    "fire_modes": "fire modes", "heat": "heat reached", "hit_locations": "hit table rows", "infantry": "troopers lost to",
    "mines": "minefields", "munitions": "special missiles", "physical": "physical attacks", "piloting_rolls": "rolls",
    "pilots": "staying conscious", "to_hit": "modifiers", "vehicles": "vehicle criticals", "weapons": "weapons",
}  # fmt: skip


def all_seen() -> dict[str, dict[str, int]]:
    return {name: {entry: 1 for entry in entries if not excuse(name, entry)} for name, entries in possible().items()}


# -- the data -------------------------------------------------------------------------------------------------------------


def test_every_group_is_in_a_family_and_every_table_is_counted_or_told_of() -> None:
    listed = [group for groups in coverage_data()["families"].values() for group in groups]
    assert sorted(listed) == sorted(possible())
    unread = coverage_data()["unread"]
    tables = {path.stem for path in TABLES.glob("*.yaml")}
    counted = {name for name, group in COUNTED.items() if group in possible()}
    assert tables - set(unread) - counted == set()
    assert set(unread) <= tables and not set(unread) & counted


def test_excuses_and_hints_are_about_what_there_is() -> None:
    for part in ("excused", "hints"):
        for group, rows in coverage_data()[part].items():
            for pattern, words in rows.items():
                assert words and any(fnmatchcase(entry, pattern) for entry in possible()[group]), (part, group, pattern)
    # no rule of the ledger is excused: all of them can be played
    assert "rules" not in coverage_data()["excused"]


def test_made_battles_are_sound_and_show_what_can_occur() -> None:
    every = missing({})
    for made in made_battles():
        read = read_battle(json.dumps(document(made)), source=made["name"], path=folder() / "x.yaml")
        assert not [note for note in read.notes if note.severity == "error"], made["name"]
        assert {unit.side for unit in read.state.units} == {0, 1}
        for word in made["shows"]:
            assert any(word in entry for entry in every), (made["name"], word)
    words = [word for made in made_battles() for word in made["shows"]]
    assert [entry for entry in every if not any(word in entry for word in words)] == []
    names = [made["name"] for made in made_battles()]
    assert len(set(names)) == len(names)


def test_units_made_for_them_are_whole() -> None:
    paths = sorted(folder().glob("trial-*.yaml"))
    used = {entry["type"] for made in made_battles() for entry in made["sides"]}
    assert {path.name for path in paths} == {name for name in used if name.endswith(".yaml")}
    assert [note for path in paths for note in load_unit(path)[1]] == []


def test_who_rides_in_the_air_can_be_read_again() -> None:
    """Aboard a VTOL that flies, and lost with it there: the battle file takes back what it wrote. Rule: S-9, E-26."""
    read = read_battle(json.dumps(document(made_battles()[0], str(folder()))))
    rider = read.state.unit("alpha-1-rider")
    assert (rider.aboard, rider.elevation) == ("alpha-1", 2)
    for gone in ("", "lost with alpha-1"):
        rider.destroyed = gone
        again = read_battle(json.dumps(battle_document(read))).state.unit("alpha-1-rider")
        assert (again.aboard, again.elevation, again.destroyed) == ("alpha-1", 2, gone)


# -- what is told ---------------------------------------------------------------------------------------------------------


def test_shares_hints_and_excuses() -> None:
    counts = all_seen()
    counts["rules"] = {"S-1": 7, "E-9": 1}
    del counts["weapons"]["MRM 40"], counts["events"]["crash"]
    told = coverage_document(counts)
    families = {row["name"]: row for row in told["families"]}
    rules = len(ledger()["rules"])
    assert (families["rules"]["seen"], families["rules"]["possible"]) == (2, rules)
    assert families["rules"]["percent"] == round(200 / rules, 2)
    assert families["modifiers"]["percent"] == 100
    assert families["table rows"]["possible"] - families["table rows"]["seen"] == 1
    whole = sum(row["possible"] for name, row in families.items() if name != "all")
    assert families["all"] == {**families["all"], "possible": whole, "seen": whole - (rules - 2) - 2}
    groups = {row["name"]: row for row in told["groups"]}
    assert groups["rules"]["seen"] == {"E-9": 1, "S-1": 7}
    (crash,) = groups["events"]["never"]
    assert crash["name"] == "crash" and crash["hint"].startswith("VTOLs that are shot at; made for it: gunships")
    excused = {row["name"]: row["why"] for row in groups["rolls"]["excused"]}
    assert excused == {"leave_building": "no rule asks for this roll; the row of the table is not read"}
    assert "leave_building" not in [one["name"] for one in groups["rolls"]["never"]]
    # what is excused and occurs all the same is counted, and nothing to excuse any more
    counts["rolls"]["leave_building"] = 1
    again = {row["name"]: row for row in coverage_document(counts)["groups"]}["rolls"]
    assert again["excused"] == [] and again["possible"] == groups["rolls"]["possible"] + 1


def test_hints_name_the_switch_the_unit_and_the_battle() -> None:
    assert hint("rules", "E-36").startswith("switch partial_cover: house as in ")
    assert hint("weapons", "Gauss Rifle").startswith("carried by Atlas AS7-")
    assert hint("weapons", "MRM 40") == "no unit of the catalogue carries it"
    assert hint("kinds of unit", "mech quad") == "as Goliath GOL-1H"
    assert hint("motive results", "hover: major").startswith("hits on a unit such as ")
    assert hint("switches", "artillery: off") == "a ruleset with artillery: off, or --mixes"
    assert hint("rolls", "water_3") == "more games, of every ruleset and kind of unit"
    assert battles_for("weapons", "MRM 40") == ["racks at a range"]


def test_thresholds() -> None:
    assert wanted_percent("95") == {"all": 95.0}
    assert wanted_percent("rules=100, critical-effects=80.5") == {"rules": 100.0, "critical effects": 80.5}
    with pytest.raises(InputError, match="no family 'ruels'"):
        wanted_percent("ruels=100")
    with pytest.raises(InputError, match="no percentage"):
        wanted_percent("rules=all")
    counts = all_seen()
    assert short_of(coverage_document(counts), wanted_percent("100")) == []
    del counts["rules"]["M-10"]
    told = coverage_document(counts)
    rules = len(ledger()["rules"])
    short = short_of(told, wanted_percent("rules=100,events=100"))
    assert short[0].startswith(f"rules: {rules - 1} of {rules} (") and short[1:] == ["   rules: M-10"]
    assert short_of(told, wanted_percent("rules=98")) == []
    # one of nearly two thousand is missing: that is not all, whatever it rounds to
    assert "   rules: M-10" in short_of(told, wanted_percent("100"))


# -- the command ----------------------------------------------------------------------------------------------------------


def run_of(path: Path, *exercised: dict[str, dict[str, int]]) -> Path:
    path.mkdir()
    key = {"variant": "", "set": "x", "swapped": False, "a": "random", "b": "random"}
    rows = [{**key, "number": number, "exercised": counts} for number, counts in enumerate(exercised)]
    rows.append({**key, "number": 99, "error": "no such force", "exercised": {}})
    (path / "games.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_runs_are_summed_up(tmp_path: Path) -> None:
    counts = all_seen()
    first = run_of(tmp_path / "one", {"rules": {"S-1": 1, "E-9": 3}}, {"rules": {"S-1": 2}})
    second = run_of(tmp_path / "two", {**counts, "rules": {**counts["rules"], "S-1": 4}})
    told = opfor_json("ruletest", "--coverage", first, "--coverage", second, "--fail-under", "100")
    assert told["games"] == 3 and told["short_of"] == []
    rules = next(group for group in told["groups"] if group["name"] == "rules")
    assert (rules["seen"]["S-1"], rules["seen"]["E-9"], rules["seen"]["E-8"]) == (7, 4, 1)
    said = opfor("ruletest", "--coverage", first, "--fail-under", "rules=100", code=1)
    assert "2 games" in said.stdout and "never" in said.stdout and "cannot occur in play" in said.stdout
    assert f"rules: 2 of {len(ledger()['rules'])}" in said.stderr and "   rules: M-10" in said.stderr


def test_what_cannot_be_told_is_refused(tmp_path: Path) -> None:
    assert "no games of a rule test" in opfor("ruletest", "--coverage", tmp_path, code=1).stderr
    assert "is for --cover" in opfor("ruletest", "--fail-under", "50", code=1).stderr


# -- battles played for what is rare --------------------------------------------------------------------------------------


def few(names: Sequence[str]) -> tuple[dict[str, Any], ...]:
    return tuple(made for made in made_battles() if made["name"] in names)


def test_a_run_that_is_gone_on_with_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = few(("clubs", "hot infernos"))
    monkeypatch.setattr(covering, "made_battles", lambda: chosen)

    def lines(path: Path) -> list[Record]:
        rows = [json.loads(line) for line in (path / "games.jsonl").read_text().splitlines()]
        return sorted(({**row, "seconds": 0, "cpu": 0} for row in rows), key=lambda row: (row["set"], row["number"]))

    played: list[Record] = []
    settings = {"version": "x", "seed": 5, "sets": ["coverage"], "policies": [], "checked": False}
    for name, rounds in (("whole", (2,)), ("parts", (1, 2))):
        for most in rounds:
            store = Store(tmp_path / name)
            store.begin(settings)
            keys = cover(store, most, 5, played.append, checked=False, count=1)
            assert len(keys) == 2 * most
    assert len(played) == 4 + 4
    assert lines(tmp_path / "whole") == lines(tmp_path / "parts")
    assert {record["set"] for record in played} == {"clubs", "hot infernos"}


def test_battles_that_have_nothing_new_are_passed_over() -> None:
    assert {made["name"] for made in useful(["events: club_broken"])} >= {"clubs"}
    assert useful([]) == [] and len(useful(missing({}))) == len(made_battles())
    counts = all_seen()
    assert missing(counts) == []
    del counts["events"]["inferno_explosion"]
    assert missing(counts) == ["events: inferno_explosion"]
    assert {"hot infernos"} <= {made["name"] for made in useful(missing(counts))} < {made["name"] for made in made_battles()}


@pytest.mark.slow
def test_every_rule_of_the_ledger_is_exercised(tmp_path: Path) -> None:
    """Rules to the last, critical effects, events and modifiers but for a few, tables but for some rolls."""
    wanted = "rules=100,critical-effects=95,events=96,modifiers=93,all=83"
    store = Store(tmp_path / "run")
    store.begin({"version": "x", "seed": 0, "sets": ["coverage"], "policies": [], "checked": True})
    keys = cover(store, 6, 0, lambda record: None)
    sums = tally(store.wanted(keys))
    assert sums.errors == {}
    assert short_of(coverage_document(sums.exercised), wanted_percent(wanted)) == []
