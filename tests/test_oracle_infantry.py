"""Attacks by and at infantry and battle armour, leg and swarm attacks included, against reference target numbers."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from opfor.rules.melee.blows import damage_to, physical_damage
from opfor.rules.melee.charges import dfa_damage
from opfor.rules.melee.physical import physical_attack
from opfor.rules.shooting.to_hit import frame, weapon_attack
from opfor.rulesets import read_ruleset
from opfor.state import State
from opfor.tables.arsenal import FireMode
from opfor.units.build_infantry import suit_item
from opfor.units.spec import Mount
from tests import test_oracle_physical as physical
from tests.oracle_fire import Position, Row, rows, spec_of
from tests.test_oracle_to_hit import WORDS, wanted

pytestmark = pytest.mark.oracle

#: our words for what the reference names differently or only here
HERE = WORDS | {
    "anti-'Mech skill": "anti_mech_skill",
    "troopers left": "troopers_left",
    "suits left": "troopers_left",
    "battle armour": "t_battle_armor",
    "vehicle": "t_vehicle",
    "attacker cruised": "a_walk",
    "attacker flanked": "a_run",
}
PSEUDO = {"LegAttack": "leg_attack", "SwarmMek": "swarm"}


def about_infantry(row: Row) -> bool:
    """Whether the row's attacker or target is a platoon or a squad."""
    return any(row[key].startswith(("infantry/", "battlearmor/")) for key in ("a_file", "t_file"))


def mount_of(position: Position) -> Mount:
    """The weapon of the row."""
    row, spec = position.row, position.a.spec
    if not spec.is_infantry:
        return position.mount
    wanted_id = PSEUDO.get(row["w_id"], "")
    for mount in spec.mounts:
        if wanted_id:
            if mount.id == wanted_id:
                return mount
        elif spec.kind == "infantry" and mount.id.startswith("platoon_"):
            return mount
        elif mount.id == "platoon_rifle":
            if row["w_id"] == "InfantryAssaultRifle":
                return mount
        elif mount.id.partition("_")[2] == suit_item(row["w_id"]).key:
            return mount
    raise AssertionError(f"no {row['w_id']} on {spec.name}: {[m.id for m in spec.mounts]}")


def mode_of(row: Row, mount: Mount) -> FireMode:
    """The fire mode of the row."""
    cluster = "Cluster" in row["w_mode"]
    return next((m for m in mount.modes if (m.name == "cluster") == cluster), mount.modes[0])


def compare(reference: Path, row: Row) -> str:
    """Empty when the row agrees, else the kind of disagreement."""
    position = Position(reference, row)
    mount = mount_of(position)
    state, a, t = position.state, position.a, position.t
    number = weapon_attack(state, a, mount, mode_of(row, mount), t, primary=t, spotter=position.spotter)
    if (row["tn"] == "X") != (not number.possible):
        if "men=" in row["a_state"] and row["case"] == "anti_mech":
            return "losses"
        return f"possible: {number.why} / {row['why']}"
    if row["tn"] == "X":
        return ""
    found: Counter[str] = Counter()
    for item in number.modifiers:
        name = "t_moved" if item.what.startswith("target moved") else HERE.get(item.what, "weapon")
        if item.what == "sensors hit":
            name = "sensors" if a.spec.is_mech else "vehicle_sensors"
        found["range" if name.startswith("range_") and name != "range_minimum" else name] += item.value
    expected: Counter[str] = Counter()
    for name, value in wanted(row).items():
        same = name in ("range_medium", "range_long", "infantry_range")
        expected["range" if same else name] += value
    if {k: v for k, v in found.items() if v} != {k: v for k, v in expected.items() if v}:
        if "men=" in row["a_state"] and row["case"] == "anti_mech":
            return "losses"
        if "t_in_building" in row["note"] and expected - found == Counter(partial_cover=1) and not found - expected:
            return "in building"
        return f"parts: {dict(found - expected)} for {dict(expected - found)}"
    assert number.value == int(row["tn"])
    if row["case"] == "anti_mech" or t.spec.is_infantry:
        # no sides: what clings strikes by a table of its own, and infantry has no facing
        return ""
    seen = frame(state, a, t, spotter=position.spotter)
    if seen.cover != (row["table"] == "partial_cover"):
        return f"cover: {seen.cover}"
    if seen.side != row["side"]:
        return "border of two sides" if row["line"] == "D" else f"side: {seen.side}"
    return ""


def test_infantry(reference: Path) -> None:
    results: Counter[str] = Counter()
    for row in rows(reference, "tohit"):
        if not about_infantry(row) or spec_of(reference / row["a_file"]) is None or spec_of(reference / row["t_file"]) is None:
            continue
        if row["w_mode"] == "indirect" and row["spotter"] == "-":
            continue
        kind = compare(reference, row)
        results[kind] += 1
    played = results.total()
    assert played >= 100
    # the reference counts a platoon's losses only from the end of the phase, its rows set up with losses still count all;
    # a 'Mech inside a building has no partial cover by the print
    assert set(results) <= {"", "losses", "in building", "border of two sides"}, results
    assert results["losses"] <= 5
    assert results["in building"] <= 3
    assert results[""] + results["border of two sides"] + results["losses"] + results["in building"] == played


#: parts of a physical attack's number that only infantry as a target brings
PHYSICAL = (("between its own feet", "stomp"), ("battle armour", "t_battle_armor"), ("infantry", "t_infantry"))


def physical_parts(words: str) -> str:
    """The reference's name for a part of a physical attack's number."""
    return next((name for part, name in PHYSICAL if part == words), "") or physical.itemised(words)


def test_physical_attacks_at_infantry(reference: Path) -> None:
    with (reference / "oracle" / "physical.tsv").open(encoding="utf-8", newline="") as file:
        every = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    found = [row for row in every if about_infantry(row) and physical.is_mech(row["a_file"])]
    assert len(found) >= 15
    for row in found:
        board = physical.board_of(reference / "boards" / row["board"])
        units = [physical.unit_of(reference, row, "a", board, 0), physical.unit_of(reference, row, "t", board, 1)]
        state = State(board, read_ruleset("standard"), ("a", "t"), units)
        attack = physical.ATTACKS.get(row["attack"], row["attack"])
        limb = "" if row["limb"] in ("-", "both_arms") else row["limb"]
        number = physical_attack(state, units[0], attack, limb, units[1])
        assert number.possible == (row["tn"] != "X"), (row, number.why)
        if not number.possible:
            continue
        assert number.value == int(row["tn"]), row
        parts: Counter[str] = Counter()
        for item in number.modifiers:
            parts[physical_parts(item.what)] += item.value
        expected = Counter({name: int(value) for name, value in (part.split(":") for part in row["mods"].split("; "))})
        assert parts == expected, row
        damage = dfa_damage(units[0]) if attack == "dfa" else (physical_damage(units[0], attack, limb), 0)
        assert (str(damage_to(units[1], damage[0])), str(damage[1])) == (row["damage"], row["self_damage"]), row
