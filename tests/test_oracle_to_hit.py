"""Weapon attacks of 'Mechs at 'Mechs against reference target numbers, side and hit table."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from opfor.rules.shooting.arcs import in_arc
from opfor.rules.shooting.to_hit import frame, weapon_attack
from opfor.units.state import UnitState
from tests.oracle_fire import Position, Row, rows, spec_of

pytestmark = pytest.mark.oracle

#: our words for the parts of a target number, as the reference names them
WORDS = {
    "gunnery": "gunnery",
    "attacker walked": "a_walk",
    "attacker ran": "a_run",
    "attacker jumped": "a_jump",
    "attacker prone": "a_prone",
    "spotting for others": "a_spotting",
    "heat": "heat",
    "sensors hit": "sensors",
    "shoulder hit": "shoulder",
    "upper arm actuator hit": "arm_actuators",
    "lower arm actuator hit": "arm_actuators",
    "medium range": "range_medium",
    "long range": "range_long",
    "minimum range": "range_minimum",
    "target jumped": "t_jump",
    "target immobile": "t_immobile",
    "prone target, adjacent": "t_prone_adjacent",
    "prone target": "t_prone_far",
    "light woods between": "light_woods_between",
    "heavy woods between": "heavy_woods_between",
    "target in light woods": "t_light_woods",
    "target in heavy woods": "t_heavy_woods",
    "partial cover": "partial_cover",
    "inside the same building": "t_same_building",
    "secondary target": "secondary_target",
    "indirect fire": "indirect",
    "spotter walked": "spotter_walk",
    "spotter ran": "spotter_run",
    "spotter jumped": "spotter_jump",
    "spotter attacks as well": "spotter_attacks",
    "targeting computer": "targeting_computer",
    "cluster ammunition": "ammunition",
}


def scope(reference: Path, row: Row) -> str:
    """Why a row is not played: kinds of unit that do not exist here, or an order that cannot be given; else empty."""
    for key in ("a_file", "t_file"):
        if not row[key].startswith("mechs/"):
            return "vehicle or infantry"
        if spec_of(reference / row[key]) is None:
            return "land-air 'Mech"
    # without a spotter an attack is a direct one: there is no order for "indirect, but nobody spots"
    return "indirect without spotter" if row["w_mode"] == "indirect" and row["spotter"] == "-" else ""


def primary_of(position: Position) -> UnitState:
    """The attack in the front arc is the primary one, even if declared after one to the side or rear."""
    prior = position.prior
    if prior is None:
        return position.t
    state, a = position.state, position.a
    if in_arc(state, a, prior.cell, "front") or not in_arc(state, a, position.t.cell, "front"):
        return prior
    return position.t


def wanted(row: Row) -> Counter[str]:
    """The parts that the reference names."""
    parts: Counter[str] = Counter()
    if row["mods"] != "-":
        for item in row["mods"].split("; "):
            name, value = item.split(":")
            parts[name] += int(value)
    return parts


def compare(reference: Path, row: Row) -> str:
    """Empty when the row agrees, else the kind of disagreement."""
    position = Position(reference, row)
    mount = position.mount
    cluster = "Cluster" in row["w_mode"]
    mode = next((m for m in mount.modes if (m.name == "cluster") == cluster), mount.modes[0])
    number = weapon_attack(
        position.state,
        position.a,
        mount,
        mode,
        position.t,
        primary=primary_of(position),
        spotter=position.spotter,
        spotter_attacks=position.spotter_attacks,
    )
    if (row["tn"] == "X") != (not number.possible):
        return f"possible: {number.why} / {row['why']}"
    if row["tn"] == "X":
        return ""
    found: Counter[str] = Counter()
    for item in number.modifiers:
        found["t_moved" if item.what.startswith("target moved") else WORDS.get(item.what, "weapon")] += item.value
    expected = wanted(row)
    if found != expected:
        assert number.value != int(row["tn"])
        if "t_in_building" in row["note"] and expected - found == Counter(partial_cover=1) and not found - expected:
            return "in building"
        return f"parts: {dict(found - expected)} for {dict(expected - found)}"
    assert number.value == int(row["tn"])
    seen = frame(position.state, position.a, position.t, spotter=position.spotter)
    if seen.cover != (row["table"] == "partial_cover"):
        return f"cover: {seen.cover}"
    if seen.side != row["side"]:
        return "border of two sides" if row["line"] == "D" else f"side: {seen.side}"
    return ""


def test_target_numbers(reference: Path) -> None:
    outside: Counter[str] = Counter()
    results: Counter[str] = Counter()
    for row in rows(reference, "tohit"):
        why = scope(reference, row)
        if why:
            outside[why] += 1
        else:
            results[compare(reference, row)] += 1
    played = results.total()
    assert played >= 450 or sum(outside.values()) + played < 900
    # a 'Mech on the ground floor of a building has no partial cover by the print: the building absorbs instead
    # on a bearing that is the border of two sides the program looks along the line as at a target one level high
    assert set(results) <= {"", "in building", "border of two sides"}, results
    assert results["in building"] <= 0.01 * played
    numbers_agree = played - results["in building"]
    assert numbers_agree >= 0.99 * played
    assert results["border of two sides"] <= 0.02 * played
    assert outside["vehicle or infantry"] > 0
