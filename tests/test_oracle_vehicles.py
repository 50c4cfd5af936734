"""Attacks by and at vehicles and VTOLs against reference values: target numbers, sides, arcs, physical attacks.

Rules: S-4, S-8, E-15, E-24a, E-27.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from opfor.rules.shooting.arcs import in_arc, side_struck
from opfor.rules.shooting.to_hit import frame, weapon_attack
from opfor.rulesets import named_ruleset
from opfor.state import State
from opfor.units.state import UnitState
from tests.oracle_fire import Position, Row, board_of, rows, spec_of
from tests.support import test_vehicle
from tests.test_oracle_physical import explain, mine, theirs, unit_of
from tests.test_oracle_to_hit import WORDS, primary_of, wanted

pytestmark = pytest.mark.oracle

HERE = WORDS | {
    "attacker cruised": "a_walk",
    "attacker flanked": "a_run",
    "stabilizer hit": "vehicle_stabilizer",
    "VTOL moved": "t_vtol_moved",
    "flak": "flak",
}


def about_vehicles(reference: Path, row: Row) -> bool:
    """Whether a vehicle is in the row, and no infantry, which has a test of its own."""
    files = (row["a_file"], row["t_file"])
    if not any(file.startswith("vehicles/") for file in files):
        return False
    if any(file.startswith(("infantry/", "battlearmor/")) for file in files):
        return False
    if any(spec_of(reference / file) is None for file in files):
        return False
    return not (row["w_mode"] == "indirect" and row["spotter"] == "-")


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
        name = "t_moved" if item.what.startswith("target moved") else HERE.get(item.what, "weapon")
        if item.what == "sensors hit" and position.a.spec.is_vehicle:
            name = "vehicle_sensors"
        if item.what == "cluster ammunition":
            name = "ammunition"
        found[name] += item.value
    expected = Counter({name: value for name, value in wanted(row).items() if value})
    if found != expected:
        if "t_in_building" in row["note"] and expected - found == Counter(partial_cover=1) and not found - expected:
            return "in building"
        return f"parts: {dict(found - expected)} for {dict(expected - found)} {number}"
    seen = frame(position.state, position.a, position.t, spotter=position.spotter)
    if seen.cover != (row["table"] == "partial_cover"):
        return f"cover: {seen.cover}"
    if seen.side != row["side"]:
        return "border of two sides" if row["line"] == "D" else f"side: {seen.side} for {row['side']}"
    return ""


def test_target_numbers(reference: Path) -> None:
    results: Counter[str] = Counter()
    for row in rows(reference, "tohit"):
        if about_vehicles(reference, row):
            results[compare(reference, row)] += 1
    played = results.total()
    assert played >= 300
    # a 'Mech on the ground floor of a building has no partial cover by the print: the building absorbs instead
    # on a bearing that is the border of two sides the program looks along the line as at a target one level high
    assert set(results) <= {"", "in building", "border of two sides"}, results
    assert played - results[""] <= 0.01 * played


def test_sides_and_arcs(reference: Path) -> None:
    """The side of a vehicle struck, and the arcs of hull and turret, of every row."""
    tank = test_vehicle()
    borders = {30: ("front", "right"), 150: ("right", "rear"), 210: ("left", "rear"), 330: ("front", "left")}
    differing = []
    for row in rows(reference, "hits"):
        board = board_of(reference / "boards" / row["board"])
        a = UnitState(tank, "a", 0)
        a.cell, a.facing = board.grid.parse(row["a_hex"]), int(row["a_facing"])
        state = State(board, named_ruleset("standard"), ("a", "t"), [a])
        there = board.grid.parse(row["t_hex"])
        back = board.grid.sextant(there, a.cell)
        struck = side_struck(back, int(row["t_facing"]), 0, True)
        if struck != row["hit_side_vehicle"]:
            angle = round(back * 15 - 60 * int(row["t_facing"])) % 360
            if row["line"] != "D" or {struck, row["hit_side_vehicle"]} - set(borders.get(angle, ())):
                differing.append((row, struck))
        found = [in_arc(state, a, there, arc) for arc in ("hull_left", "hull_right")]
        if found != [row[key] == "1" for key in ("arc_left_side", "arc_right_side")]:
            differing.append((row, str(found)))
        facing, _, inside = row["arc_vehicle_turret"].partition(":")
        a.twist = (int(facing) - a.facing) % 6
        if in_arc(state, a, there, "front") != (inside == "1"):
            differing.append((row, "turret"))
    assert not differing, differing


def test_physical_attacks(reference: Path) -> None:
    """Attacks at vehicles by 'Mechs, and ramming."""
    standard = named_ruleset("standard")
    differing = []
    played = 0
    for row in rows(reference, "physical"):
        files = (row["a_file"], row["t_file"])
        if not any(file.startswith("vehicles/") for file in files) or any(spec_of(reference / f) is None for f in files):
            continue
        board = board_of(reference / "boards" / row["board"])
        state = State(board, standard, ("a", "t"), [unit_of(reference, row, who, board, side) for side, who in enumerate("at")])
        played += 1
        found = mine(state, row)
        if found != theirs(row):
            differing.append((explain(row, state), row, found))
    assert played >= 45
    # the program lets VTOLs ram, which by the print is for ground vehicles alone
    unexplained = [(row, found) for why, row, found in differing if not why and "Helicopter" not in row["a_file"]]
    assert not unexplained
    assert len(differing) <= 3
