"""`opfor rules --exercised`: what replays have exercised is counted, and what was never seen is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from opfor.dice import SeededDice
from opfor.errors import InputError
from opfor.formats.battle_file.battle import read_battle
from opfor.formats.replay import ReplayRecorder
from opfor.game.game import Game
from opfor.game.loop import play_out
from opfor.gm.policies import policy_named
from opfor.gm.rulebook.exercised import Exercised, event_names
from opfor.gm.rulebook.exercised_modifiers import modifier_name, modifier_names
from opfor.gm.rulebook.exercised_tables import count_rows, rows_of_modifier
from opfor.gm.rulebook.exercised_tally import Counts, merge
from opfor.gm.ruletest.exercised import Exercised as Watching
from opfor.rulesets import switches
from opfor.tables import table
from tests.cli_support import opfor, opfor_json
from tests.exercise import battle, scenarios

BATTLE = {
    "opfor": 1,
    "board": "open-plain",
    "ruleset": {"base": "standard", "vtol_motive_roll": "on"},
    "sides": {"a": {}, "b": {}},
    "units": [
        {"id": "tank", "side": "a", "type": "Scorpion Light Tank (Standard)", "at": "0202"},
        {"id": "heli", "side": "b", "type": "Warrior Attack Helicopter H-7", "at": "0505", "elevation": 3},
        {"id": "mech", "side": "b", "type": "Wasp WSP-1A", "at": "0606"},
    ],
}
GUNNERY = {
    "tn": 6,
    "modifiers": [{"what": "gunnery", "value": 4, "rule": "S-4"}, {"what": "target moved 6", "value": 2, "rule": "S-4"}],
}
EVENTS = [
    {"event": "phase", "unit": "", "rule": "E-1", "phase": "initiative", "turn": 1},
    {"event": "moved", "unit": "tank", "rule": "S-2", "mode": "run", "path": ["F", "L", "F"]},
    {"event": "moved", "unit": "heli", "rule": "S-2", "mode": "walk", "path": ["CLIMB", "F"]},
    {
        "event": "attack",
        "unit": "tank",
        "rule": "S-4",
        "weapon": "Autocannon/5",
        "to_hit": GUNNERY,
        "dice": [3, 4],
        "hit": True,
    },
    {
        "event": "hit_location",
        "unit": "heli",
        "rule": "E-28",
        "table": "normal",
        "side": "left",
        "dice": [1, 2],
        "location": "RO",
    },
    {"event": "hit_location", "unit": "mech", "rule": "S-5", "table": "kick", "side": "front", "dice": [5], "location": "LL"},
    {"event": "motive_roll", "unit": "tank", "rule": "E-16", "dice": [4, 4], "effect": "moderate"},
    {"event": "critical_roll", "unit": "tank", "rule": "E-17", "location": "LS", "dice": [5, 3], "result": "crew_stunned"},
    {"event": "critical_roll", "unit": "mech", "rule": "S-5", "location": "CT", "dice": [4, 4], "hits": 1},
    {"event": "critical", "unit": "mech", "rule": "S-5", "kind": "engine"},
    {"event": "crew_stunned", "unit": "tank", "rule": "E-22", "turns": 1},
    {"event": "crew_hit", "unit": "tank", "rule": "E-23", "who": "driver"},
    {"event": "roll", "unit": "heli", "rule": "E-14", "reason": "sideslip", "tn": GUNNERY, "dice": [2, 2], "success": False},
    {
        "event": "physical_attack",
        "unit": "mech",
        "rule": "S-8",
        "attack": "kick",
        "to_hit": GUNNERY,
        "dice": [6, 6],
        "hit": True,
    },
    {"event": "fire_declared", "unit": "tank", "rule": "S-4", "clear": "turret", "attacks": []},
    {"event": "cluster", "unit": "heli", "rule": "S-5", "column": 4, "dice": [3, 3], "modifier": 0, "hits": 2},
]


def replay(tmp_path: Path) -> Path:
    path = tmp_path / "one.jsonl"
    order = {"unit": "tank", "kind": "fire", "attacks": [{"weapon": "Autocannon/5", "target": "@0505", "aim": "ignite"}]}
    rows = [{"opfor_replay": 1, "battle": BATTLE}, {"order": order, "dice": [], "events": EVENTS}, {"winner": "draw"}]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


def test_everything_is_counted_under_its_name(tmp_path: Path) -> None:
    document = opfor_json("rules", "--exercised", replay(tmp_path), replay(tmp_path))
    assert (document["replays"], document["turns"], document["events"]) == (2, 2, 2 * len(EVENTS))
    groups = {group["name"]: group for group in document["groups"]}
    seen = {
        "rules": "E-17",
        "kinds of unit": "vtol vtol",
        "events": "motive_roll",
        "movement": "vehicle flank",
        "steps": "CLIMB",
        "hit table rows": "vtol normal left: 3",
        "'Mech critical rolls": "8",
        "'Mech criticals": "engine",
        "vehicle criticals": "vehicle side: crew_stunned",
        "motive results": "tracked: moderate",
        "crew effects": "driver",
        "rolls": "sideslip",
        "physical attacks": "kick",
        "fire at hexes": "ignite",
        "instead of firing": "clear turret",
        "cluster rows": "4: 6",
        "fire modes": "plain",
        "weapons": "Autocannon/5",
        "switches": "vtol_motive_roll: on",
    }
    for name, what in seen.items():
        assert groups[name]["seen"][what] == 2, name
        assert what not in groups[name]["never"], name
    assert groups["hit table rows"]["seen"]["biped kick front: 5"] == 2
    assert groups["target movement"]["seen"] == {"5 or more": 6}
    assert groups["modifiers"]["seen"] == {"gunnery": 6, "target moved …": 6}
    never = {
        "rules": "E-29",
        "modifiers": "target immobile",
        "cluster rows": "4: 7",
        "target movement": "7 or more",
        "kinds of unit": "infantry foot",
        "events": "crash",
        "movement": "infantry jump",
        "hit table rows": "vehicle normal rear: 12",
        "vehicle criticals": "vtol rotor: rotors_destroyed",
        "motive results": "hover: major",
        "crew effects": "killed",
        "rolls": "damage_20",
        "switches": "vtol_motive_roll: off",
    }
    for name, what in never.items():
        assert what in groups[name]["never"], name
        assert what not in groups[name]["seen"], name


def test_what_can_occur_comes_from_the_tables() -> None:
    groups = Exercised().groups
    rows = table("vehicles")
    assert len(groups["motive results"].possible) == len(rows["motive"]["type"]) * len(rows["motive"]["results"])
    # 2 bodies x 4 sides x (11 + 6 + 6), and the swarm table; vehicles 2 x (front, rear, left, right) x 11
    own = [name for name in groups["hit table rows"].possible if "swarm" not in name and "suits" not in name]
    assert len(own) == 2 * 4 * 23 + 2 * 4 * 11
    assert len(groups["rolls"].possible) == len(table("piloting_rolls")["reasons"])
    assert {"attack", "moved", "left_map", "charge_declared", "bridge_collapsed", "mounted"} <= set(event_names())
    assert set(groups["switches"].possible) == {f"{s.name}: {value}" for s in switches().values() for value in s.values}


def test_in_words(tmp_path: Path) -> None:
    said = opfor("rules", "--exercised", replay(tmp_path)).stdout
    assert said.startswith("1 replay, 1 turns, 16 events")
    assert "never: " in said and "motive results: 1 of 20 seen" in said


def test_what_is_no_replay_is_refused(tmp_path: Path) -> None:
    assert "name the replays" in opfor("rules", "--exercised", code=1).stderr
    path = tmp_path / "x.jsonl"
    path.write_text('{"opfor": 1}\n')
    assert "no replay" in opfor("rules", "--exercised", path, code=1).stderr
    path.write_text("no json\n")
    assert "line 1" in opfor("rules", "--exercised", path, code=1).stderr
    with pytest.raises(InputError):
        Exercised().read("", source="empty")


def test_named_rows_of_target_numbers() -> None:
    names = modifier_names()
    assert {"target immobile", "target moved …", "attacker ran", "MRM 10", "made a charge", "heavy motive damage"} <= set(names)
    words = {
        "target moved 11": "target moved …",
        "LL hip destroyed": "… hip destroyed",
        "left arm upper arm actuator destroyed": "… upper arm actuator destroyed",
        "medium building, after 1 hex": "… building, after … hexes",
        "after 7 hexes": "after … hexes",
        "medium building": "medium building",
        "3 pilot hits": "3 pilot hits",
        "20 or more damage this phase": "20 or more damage this phase",
    }
    for what, name in words.items():
        assert modifier_name(what) == name and name in names
    assert modifier_name("moon phase 3") == "moon phase"


def test_rows_of_the_tables() -> None:
    """Rows that a number or a figure has reached, by the tables as printed."""
    seen: list[tuple[str, str]] = []
    count_rows(lambda *one: seen.append(one), "heat", {"after": 13}, "mech")
    # movement 5 and 10, to hit 8 and 13; shutdown from 14, ammunition from 19, but infernos' own roll from 10
    assert seen == [("heat reached", row) for row in ("mp 5", "mp 10", "to_hit 8", "to_hit 13", "inferno_ammunition 10")]
    seen.clear()
    count_rows(lambda *one: seen.append(one), "cluster", {"column": 10, "dice": [[1, 1], [5, 6]], "modifier": 2}, "mech")
    count_rows(lambda *one: seen.append(one), "cluster", {"column": 6, "dice": [1, 2], "modifier": -4}, "mech")
    assert seen == [("cluster rows", "10: 12"), ("cluster rows", "6: 2")]
    assert list(rows_of_modifier("target moved 2", 0)) == [("target movement", "0 or more")]
    assert list(rows_of_modifier("target moved 10", 4)) == [("target movement", "10 or more")]
    assert list(rows_of_modifier("mines of density 20", 8)) == [("minefields", "15 or more")]


def test_counts_add_up() -> None:
    one: Counts = {"rules": {"S-1": 1, "E-9": 4}}
    other: Counts = {"rules": {"S-1": 2}, "events": {"fall": 3}}
    assert merge(one, other) == {"events": {"fall": 3}, "rules": {"E-9": 4, "S-1": 3}}
    assert one == {"rules": {"S-1": 1, "E-9": 4}} and other["rules"] == {"S-1": 2}


def test_watched_and_replayed_alike() -> None:
    """What an observer counts during a battle is what the battle's replay counts."""
    fought = read_battle(json.dumps(battle(scenarios()[5])), source="brawl")
    recorder, watching = ReplayRecorder(fought), Watching()
    choosers = [policy_named("random", seed=seed) for seed in (3, 4)]
    play_out(Game(fought.state, SeededDice(3)), choosers, (watching, recorder))
    reading = Exercised()
    reading.read(recorder.text())
    counts = watching.counts()
    assert counts == {
        name: dict(sorted(group.seen.items())) for name, group in sorted(reading.groups.items()) if name in counts
    }
    assert all(not group.seen for name, group in reading.groups.items() if name not in counts)
    known = set(modifier_names())
    assert [name for name in counts["modifiers"] if name not in known] == []
    assert counts["events"]["physical_attack"] == sum(counts["physical attacks"].values())
